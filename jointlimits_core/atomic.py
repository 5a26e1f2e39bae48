"""Output files are written whole or not at all."""

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
"""What writing to a full or broken disk is refused with; the system does not say which file."""
_NAME_BYTES = 255 - 36


@contextlib.contextmanager
def atomic_output(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` that takes its place when the block ends well.

    Parameters
    ----------
    path : path-like
        Where the output shall be. Whatever is there stays until the new file is whole.

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
        error.filename = os.fspath(target)  # nobody knows the other one
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
    """As much of a name as leaves room for what is added to it: most systems take 255 bytes."""
    return name.encode("utf-8", "surrogateescape")[:_NAME_BYTES].decode("utf-8", "ignore")


def _names_another(error: OSError, part: str) -> bool:
    """Whether an error names nothing, or the file that is gone again."""
    return error.filename == part or (error.filename is None and error.errno in _NO_ROOM)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 text with Unix line ends, whole or not at all."""
    with atomic_output(path) as stream:
        stream.write(text.encode("utf-8"))
