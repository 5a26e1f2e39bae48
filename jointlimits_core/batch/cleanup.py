"""Results folder: unfinished files of killed processes, and errors that concern every character.

Only names that this program generates are recognized; other files stay, hidden or not.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from ..base import system_words
from ..io import OWNER, is_abandoned

SCRATCH, PART = ".scratch", ".part"
"""Suffixes of unfinished files: our own, and those of :mod:`..atomic`."""
_STEM = r"[\w.+-]{1,60}-[0-9a-f]{16}"
"""Address part of a name: a character's name as a file name, and letters of its hash."""
_END = rf"\.({OWNER})\.[a-z0-9_]{{8}}"
"""Owner part of a name, and the random part from Python's tempfile."""
_FOLDER = re.compile(rf"\.{_STEM}{_END}{re.escape(SCRATCH)}")
_FILE = re.compile(
    rf"\.(?:{_STEM}\.(?:result\.json|limits\.json|log)|summary\.json|library\.(?:json|html))"
    rf"{_END}{re.escape(PART)}"
)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
TOO_LARGE = (errno.EFBIG,)
NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)
ADVICE = {
    **dict.fromkeys(NO_ROOM, "free some space there, or choose another folder"),
    **dict.fromkeys(TOO_LARGE, "allow larger files, or choose another folder"),
    **dict.fromkeys(NOT_OURS, "give this user write permission, or choose another folder"),
}
AGAIN = "--resume continues with the rest"
_WITHOUT_NAME = (*NO_ROOM, *TOO_LARGE, errno.EROFS)
"""Errors that only writing raises; the system does not always name the file."""


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield scratch folders and partial files that no running batch owns.

    Several batches may share a folder of results or logs, from several computers, while another
    one summarizes. Only real folders and files are yielded: links are never ours, whatever their
    name. The folder need not exist.
    """
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        found = _FOLDER.fullmatch(path.name) or _FILE.fullmatch(path.name)
        if found and _is_left(path, found[1], is_folder=path.name.endswith(SCRATCH)):
            yield path


def _is_left(path: Path, whose: str, is_folder: bool) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False  # its owner finished with it
    is_real = stat.S_ISDIR(status.st_mode) if is_folder else stat.S_ISREG(status.st_mode)
    return is_real and is_abandoned(whose, time.time() - status.st_mtime)


class ResultsError(Exception):
    """Results cannot be written, so no character can finish; the message says what to do."""


@contextlib.contextmanager
def results_written(folder: Path) -> Iterator[None]:
    """Turn an OSError while the block writes results into a :class:`ResultsError`."""
    try:
        yield
    except OSError as error:
        raise _refusal(folder, error) from error


def stop_if_of_folder(error: BaseException, folder: Path, scratch: Path) -> None:
    """Raise a ResultsError if an estimate failed because the results folder is not writable.

    The causes of the error are checked too. `scratch` is the only folder below the folder of
    results that an estimate writes to.
    """
    one: BaseException | None = error
    while one is not None:
        if isinstance(one, OSError) and _is_of(one, scratch):
            raise _refusal(folder, one) from error
        one = one.__cause__ or one.__context__


def _is_of(error: OSError, scratch: Path) -> bool:
    if error.filename is None:
        return error.errno in _WITHOUT_NAME
    place = os.path.abspath(os.fsdecode(error.filename))
    return error.errno in ADVICE and scratch in (Path(place), *Path(place).parents)


def _refusal(folder: Path, error: OSError) -> ResultsError:
    advice = ADVICE.get(error.errno or 0)
    where = "" if error.filename else f"{folder}: "
    what = advice or "check the results folder"
    return ResultsError(f"results cannot be written: {where}{system_words(error)}; {what}; {AGAIN}")
