"""What is wrong with the whole folder of results, and with no character."""

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
    **dict.fromkeys(NO_ROOM, "make room there, or name another folder"),
    **dict.fromkeys(TOO_LARGE, "allow larger files, or name another folder"),
    **dict.fromkeys(NOT_OURS, "let this user write there, or name another folder"),
}
AGAIN = "--resume goes on from here"
_WITHOUT_NAME = (*NO_ROOM, *TOO_LARGE, errno.EROFS)
"""What only writing is refused with; the system does not always say which file."""


class ResultsError(Exception):
    """Results cannot be written, so no character can be finished; the message says what to do."""


@contextlib.contextmanager
def results_written(folder: Path) -> Iterator[None]:
    """Make what the system refuses while the block writes results a :class:`ResultsError`."""
    try:
        yield
    except OSError as error:
        raise _refusal(folder, error) from error


def stop_if_of_folder(error: BaseException, folder: Path, scratch: Path) -> None:
    """See whether an estimate failed since the folder of results takes no more.

    Parameters
    ----------
    error : exception
        What ended it; errors that led to it are looked at, too.
    folder : Path
        Of results.
    scratch : Path
        The only folder that an estimate writes into, which lies in the other one.

    Raises
    ------
    ResultsError
        If so.
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
    what = advice or "look at the folder of results"
    return ResultsError(f"results cannot be written: {where}{system_words(error)}; {what}; {AGAIN}")
