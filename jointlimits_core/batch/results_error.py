"""Errors of the whole results folder, as opposed to one character."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from ..system_words import system_words

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

    Parameters
    ----------
    error : exception
        Error that ended it; its causes are checked too.
    folder : Path
        Folder of results.
    scratch : Path
        Folder below it, the only one that an estimate writes to.

    Raises
    ------
    ResultsError
        If the results folder is the cause.
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
