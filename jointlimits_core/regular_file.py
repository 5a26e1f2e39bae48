"""Safe opening of untrusted files: regular files only.

Reading a pipe would block forever, and a device has no end.
"""

from __future__ import annotations

import io
import os
import stat
from typing import Union

from .errors import InputError

FilePath = Union[str, "os.PathLike[str]"]

OTHER = "name a file in it"
"""Default advice for a directory."""

_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def check_regular(path: FilePath, error: type[InputError], advice: str = OTHER) -> None:
    """Reject anything but a regular file: missing files, directories, devices, pipes.

    Parameters
    ----------
    path : path-like or str
    error : type of InputError
        Type to raise.
    advice : str
        What to do about a directory.
    """
    try:
        status = os.stat(path)
    except OSError as problem:
        raise error(path, file_trouble(problem)) from None
    except ValueError as problem:  # a zero byte or a lone surrogate in the name
        raise error(ascii(os.fspath(path)), f"not a valid path: {problem}") from None
    _refuse_other(path, status, error, advice)


def open_regular(path: FilePath, error: type[InputError], advice: str = OTHER) -> io.BufferedReader:
    """Open a file for reading.

    Parameters
    ----------
    path, error, advice
        As in :func:`check_regular`. Checked before opening, since opening a device may have side
        effects, and again on the open file, which may have been replaced.
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
        As in :func:`check_regular`.
    most : int
        Most bytes to read, whatever the reported size.

    Returns
    -------
    bytes, int
        The data, and the size of the file.
    """
    with open_regular(path, error, advice) as stream:
        try:
            data = stream.read(most)
            return data, max(len(data), os.fstat(stream.fileno()).st_size)
        except OSError as problem:
            raise error(path, file_trouble(problem)) from None


def file_trouble(problem: OSError) -> str:
    """Reason why a file cannot be read."""
    if isinstance(problem, FileNotFoundError):
        return "file not found"
    return f"cannot be read: {problem.strerror or problem}"


def _opened(path: str, flags: int) -> int:
    """Open without blocking on a pipe."""
    try:
        return os.open(path, flags | _AT_ONCE)
    except BlockingIOError:  # leased to another client of a file server, which must give it back
        return os.open(path, flags)


def _refuse_other(
    path: FilePath, status: os.stat_result, error: type[InputError], advice: str
) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise error(path, f"is a directory; {advice}")
    if not stat.S_ISREG(status.st_mode):
        raise error(path, "not a regular file")
