"""Source file of a motion, identified by its hash."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from ..journal import was_read
from ..regular_file import FilePath as FilePath
from ..regular_file import file_trouble, open_regular
from ..source_file import SourceFile

PIECE = 1 << 20
"""Bytes held in memory at a time."""


def source_file(path: FilePath) -> SourceFile:
    """Hash a file in pieces.

    Parameters
    ----------
    path : path-like or str

    Returns
    -------
    SourceFile
        The path as given, with forward slashes, and the SHA-256 of the bytes in hexadecimal.

    Raises
    ------
    InputError
        If it cannot be read to its end.
    """
    sha256 = file_sha256(path)
    was_read(path, sha256)
    return SourceFile(Path(path).as_posix(), sha256)


def file_sha256(path: FilePath) -> str:
    """SHA-256 of a file's bytes in hexadecimal, for records.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with open_regular(path, InputError) as stream:
            for piece in iter(lambda: stream.read(PIECE), b""):
                digest.update(piece)
    except OSError as problem:
        raise InputError(path, file_trouble(problem)) from None
    return digest.hexdigest()


@contextlib.contextmanager
def unchanged(path: FilePath, error: type[InputError]) -> Iterator[None]:
    """Reject a file that is modified or replaced while the block reads it in pieces.

    Parameters
    ----------
    path : path-like or str
    error : type of InputError
        Exception raised at the end of the block.
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
