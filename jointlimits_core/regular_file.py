"""Files of others are opened here, and only what can be read to its end is.

A pipe in place of a file would be waited for without end, a device has no end at all.
"""

from __future__ import annotations

import io
import os
import stat
from typing import Union

from .errors import InputError

FilePath = Union[str, "os.PathLike[str]"]

OTHER = "name a file in it"
"""What to do about a directory, if nobody says otherwise."""

_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def check_regular(path: FilePath, error: type[InputError], advice: str = OTHER) -> None:
    """Refuse what cannot be read to its end: nothing, directories, devices, pipes.

    Parameters
    ----------
    path : path-like or str
    error : type of InputError
        What is raised.
    advice : str
        What to do about a directory.
    """
    try:
        status = os.stat(path)
    except OSError as problem:
        raise error(path, file_trouble(problem)) from None
    except ValueError as problem:  # a zero byte or a lone surrogate in the name
        raise error(ascii(os.fspath(path)), f"is not a usable path: {problem}") from None
    _refuse_other(path, status, error, advice)


def open_regular(path: FilePath, error: type[InputError], advice: str = OTHER) -> io.BufferedReader:
    """Open a file for reading.

    Parameters
    ----------
    path, error, advice
        As of :func:`check_regular`. It is asked before, since opening a device may move something,
        and of the open file, since another one may have taken its place.
    """
    check_regular(path, error, advice)
    try:
        stream = open(path, "rb", opener=_opened)  # noqa: SIM115 - the caller closes it
        try:
            _refuse_other(path, os.fstat(stream.fileno()), error, advice)
        except InputError:
            stream.close()
            raise
    except OSError as problem:
        raise error(path, file_trouble(problem)) from None
    return stream


def read_start(
    path: FilePath, most: int, error: type[InputError], advice: str = OTHER
) -> tuple[bytes, int]:
    """Read the beginning of a file, or all of a short one.

    Parameters
    ----------
    path, error, advice
        As of :func:`check_regular`.
    most : int
        Bytes that are read at most, whatever the system says of its size.

    Returns
    -------
    bytes, int
        What was read, and how large the file is.
    """
    with open_regular(path, error, advice) as stream:
        try:
            data = stream.read(most)
            return data, max(len(data), os.fstat(stream.fileno()).st_size)
        except OSError as problem:
            raise error(path, file_trouble(problem)) from None


def file_trouble(problem: OSError) -> str:
    """Say why a file cannot be read."""
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    return f"cannot be read: {problem.strerror or problem}"


def _opened(path: str, flags: int) -> int:
    """Open without waiting for somebody to write into a pipe."""
    try:
        return os.open(path, flags | _AT_ONCE)
    except BlockingIOError:  # a file server has lent it to somebody, and is asking for it now
        return os.open(path, flags)


def _refuse_other(
    path: FilePath, status: os.stat_result, error: type[InputError], advice: str
) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise error(path, f"is a directory; {advice}")
    if not stat.S_ISREG(status.st_mode):
        raise error(path, "is not a regular file")
