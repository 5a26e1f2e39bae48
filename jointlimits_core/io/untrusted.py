"""Untrusted files: safe opening, hashing, and the record of a motion's source.

Only regular files are opened: reading a pipe would block forever, and a device has no end. Nothing
here needs numpy, so that hashing processes start fast.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Union

from ..base import InputError, meant, printable, was_read
from ..base.records import NamedTuple

FilePath = Union[str, "os.PathLike[str]"]

OTHER = "name a file in it"
"""Default advice for a directory."""

MUCH_TO_HASH = 2 << 20
"""Bytes from which on a cryptography library's speed is worth loading it."""
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def new_sha256(size: int = 0) -> Any:
    """Empty SHA-256, for about `size` bytes.

    :mod:`hashlib` loads a cryptography library, which takes as long as hashing two megabytes with
    what it would use without one.
    """
    if size < MUCH_TO_HASH and "_hashlib" not in sys.modules:
        for name in ("_sha2", "_sha256"):  # from Python 3.12 on, and before
            with contextlib.suppress(ImportError):
                return import_module(name).sha256()
    import hashlib

    return hashlib.sha256()


def check_regular(path: FilePath, error: type[InputError], advice: str = OTHER) -> None:
    """Reject anything but a regular file: missing files, directories, devices, pipes.

    `error`: type to raise. `advice`: what to do about a directory.
    """
    try:
        status = os.stat(path)
    except OSError as problem:
        raise error(path, read_error_reason(problem)) from None
    except ValueError as problem:  # a zero byte or a lone surrogate in the name
        raise error(ascii(os.fspath(path)), f"not a valid path: {problem}") from None
    _reject_irregular(path, status, error, advice)


def open_regular(path: FilePath, error: type[InputError], advice: str = OTHER) -> io.BufferedReader:
    """Open a file for reading.

    `path`, `error`, `advice`: as in :func:`check_regular`. Checked before opening, since opening a
    device may have side effects, and again on the open file, which may have been replaced.
    """
    check_regular(path, error, advice)
    try:
        stream = open(path, "rb", opener=_opened)  # noqa: SIM115 - the caller closes it
        try:
            _reject_irregular(path, os.fstat(stream.fileno()), error, advice)
        except InputError:
            stream.close()
            raise
    except OSError as problem:
        raise error(path, read_error_reason(problem)) from None
    return stream


def read_start(
    path: FilePath, most: int, error: type[InputError], advice: str = OTHER
) -> tuple[bytes, int]:
    """Read the beginning of a file, or all of a short one.

    `path`, `error`, `advice`: as in :func:`check_regular`. `most`: most bytes to read, whatever the
    reported size. Returns the data and the size of the file.
    """
    with open_regular(path, error, advice) as stream:
        try:
            data = stream.read(most)
            return data, max(len(data), os.fstat(stream.fileno()).st_size)
        except OSError as problem:
            raise error(path, read_error_reason(problem)) from None


MOST_NAMES = 2000
"""File names of a folder that are compared with one that was not found."""


def read_error_reason(problem: OSError) -> str:
    """Reason why a file cannot be read; of a missing file, the one that may be meant."""
    if isinstance(problem, FileNotFoundError):
        return "file not found" + _meant_file(problem.filename)
    return f"cannot be read: {problem.strerror or problem}"


def _meant_file(path: object) -> str:
    if not isinstance(path, (str, os.PathLike)):
        return ""
    folder, name = os.path.split(os.fspath(path))
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in islice(entries, MOST_NAMES)]
    except (OSError, ValueError):
        there = not folder or os.path.isdir(folder)
        return ("" if there else f": no folder {printable(folder)!r}") + "; check the path"
    return printable(meant(name, names)) or "; check the path"


def _opened(path: str, flags: int) -> int:
    """Open without blocking on a pipe."""
    try:
        return os.open(path, flags | _AT_ONCE)
    except BlockingIOError:  # leased to another client of a file server, which must give it back
        return os.open(path, flags)


def _reject_irregular(
    path: FilePath, status: os.stat_result, error: type[InputError], advice: str
) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise error(path, f"is a directory; {advice}")
    if not stat.S_ISREG(status.st_mode):
        raise error(path, "not a regular file")


class SourceFile(NamedTuple):
    """Path and hash of the file that a motion came from."""

    path: str
    sha256: str


PIECE = 1 << 20
"""Bytes held in memory at a time."""


def source_file(path: FilePath) -> SourceFile:
    """Hash a file in pieces.

    The path is as given, with forward slashes; the SHA-256 is hexadecimal. Raises InputError if it
    cannot be read to its end.
    """
    sha256 = file_sha256(path)
    was_read(path, sha256)
    return SourceFile(Path(path).as_posix(), sha256)


def file_sha256(path: FilePath) -> str:
    """SHA-256 of a file's bytes in hexadecimal, for records.

    Raises InputError if the file cannot be read.
    """
    try:
        with open_regular(path, InputError) as stream:
            digest = new_sha256(os.fstat(stream.fileno()).st_size)
            for piece in iter(lambda: stream.read(PIECE), b""):
                digest.update(piece)
    except OSError as problem:
        raise InputError(path, read_error_reason(problem)) from None
    found: str = digest.hexdigest()
    return found


@contextlib.contextmanager
def unchanged(path: FilePath, error: type[InputError]) -> Iterator[None]:
    """Reject a file that is modified or replaced while the block reads it in pieces.

    `error`: exception raised at the end of the block.
    """
    before = _state(path)
    yield
    if _state(path) != before:
        raise error(path, "changed while it was read; try again when nothing writes to it")


def _state(path: FilePath) -> tuple[int, ...] | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None  # the reader reports the error
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_below(path: FilePath, folder: FilePath) -> bool:
    """Whether a file or folder is below a folder, with all links resolved."""
    return Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents
