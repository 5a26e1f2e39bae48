"""Atomic output files: written completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .journal import was_written
from .owner import owner

_NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""Errors of a full or broken disk; the system does not name the file."""
_NAME_BYTES = 255 - 36


@contextlib.contextmanager
def atomic_output(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` that replaces it when the block succeeds.

    Parameters
    ----------
    path : path-like
        Output path. An existing file stays until the new one is complete.

    Yields
    ------
    binary file

    Notes
    -----
    If the block raises, Ctrl-C included, the temporary file is removed and `path` is untouched.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{_beginning(target.name)}.{owner()}.", suffix=".part", dir=target.parent
        )
    except OSError as error:
        error.filename = os.fspath(target)  # not the temporary name
        raise
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
        was_written(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError) and _names_another(error, name):
            error.filename, error.filename2 = os.fspath(target), None
        raise


def _beginning(name: str) -> str:
    """Name truncated to leave room for prefix and suffix; most systems allow 255 bytes."""
    return name.encode("utf-8", "surrogateescape")[:_NAME_BYTES].decode("utf-8", "ignore")


def _names_another(error: OSError, part: str) -> bool:
    """Whether an error names no file, or the removed temporary file."""
    return error.filename == part or (error.filename is None and error.errno in _NO_ROOM)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 text with Unix line endings, completely or not at all."""
    with atomic_output(path) as stream:
        stream.write(text.encode("utf-8"))
