"""Arrays of any length in bounded memory: the large ones lie in a temporary file.

A large array is an ordinary read-only one whose values are mapped from a file without a name. It
is made row by row and gone through row by row, and what was looked at is let go of, so that memory
holds some rows, however many frames they have. What is not large is made at once, as ever.
"""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from .arrays import AnyArray, Floats, Integers
from .errors import DiskSpaceError
from .progress import Progress, tell
from .wording import byte_words

LARGE_BYTES = 128 << 20
"""An array of more than this lies in a file. Half a dozen of them are held at a time at most (the
numbers read, channels, rotations, and copies of the last two), which together is below 1 GB."""

_PAGE = mmap.ALLOCATIONGRANULARITY
_MOST_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class ScratchFile:
    """A temporary file that only grows, and is gone with this object or with the process.

    It lies in the folder for temporary files (``TMPDIR``). Where the system allows, it never has a
    name there; on Windows it is deleted when it is closed, by a crash as well.
    """

    def __init__(self) -> None:
        # Without a buffer: what is written comes in large pieces anyway.
        self._file: BinaryIO = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - it is kept
        self.size = 0

    def append(self, values: AnyArray) -> int:
        """Write values at the end and give the place where they begin.

        Raises
        ------
        DiskSpaceError
            If there is no room for them.
        """
        begin, left = self.size, np.ascontiguousarray(values).reshape(-1).view(np.uint8).data
        self._file.seek(begin)
        while left:
            left = left[self._write(left) :]
        self.size += values.nbytes
        return begin

    def _write(self, left: memoryview) -> int:
        try:
            return self._file.write(left) or 0
        except OSError as problem:
            raise _no_room(len(left), self.size, problem) from None

    def read(self, begin: int, shape: tuple[int, ...]) -> Floats:
        """Values (float64) that were appended, from a place on."""
        result = np.empty(shape)
        self._file.seek(begin)
        left = result.reshape(-1).view(np.uint8).data
        while left:
            count = self._file.readinto(left)  # type: ignore[attr-defined]
            if not count:
                raise OSError(errno.EIO, "a temporary file is shorter than what was written to it")
            left = left[count:]
        return result

    def mapped(self, shape: tuple[int, ...], dtype: type) -> AnyArray:
        """All that was appended as one read-only array; the file goes when the array goes."""
        held = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.ndarray(shape, dtype, buffer=held)


def check_room(needed: int) -> None:
    """Refuse to begin what the disk has no room for.

    Raises
    ------
    DiskSpaceError
    """
    if shutil.disk_usage(tempfile.gettempdir()).free < needed:
        raise _no_room(needed, 0, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def _no_room(needed: int, written: int, problem: OSError) -> OSError:
    if problem.errno not in _MOST_ERRORS:
        return problem
    before = f" beside the {byte_words(written)} that are written" if written else ""
    return DiskSpaceError(
        problem.errno,
        f"a long clip needs {byte_words(needed)} more for temporary files{before}: make room "
        "there, or name a folder on another disk in the environment variable TMPDIR",
        tempfile.gettempdir(),
    )


def is_large(shape: tuple[int, ...], dtype: type = np.float64) -> bool:
    """Whether an array of this shape lies in a file."""
    return int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize > LARGE_BYTES


def by_rows(
    rows: int,
    shape: tuple[int, ...],
    row: Callable[[int], AnyArray],
    dtype: type = np.float64,
    progress: Progress | None = None,
    label: str = "",
) -> AnyArray:
    """Make an array row by row.

    Parameters
    ----------
    rows : int
        Length of the first axis.
    shape : tuple of int
        Of a row.
    row : callable
        Gives the row of an index; called once for each, in their order.
    progress : callable, optional
        Told how many rows are made, with the label.

    Returns
    -------
    array, shape (rows, *shape)
        C order; read-only if it is large.

    Raises
    ------
    DiskSpaceError
        If the disk has no room for a large one.
    Cancelled
        If `progress` returned False.
    """
    whole = (rows, *shape)
    if not is_large(whole, dtype):
        result: AnyArray = np.empty(whole, dtype)
        for index in range(rows):
            result[index] = row(index)
            tell(progress, index + 1, rows, label)
        return result
    check_room(int(np.prod(whole, dtype=np.int64)) * np.dtype(dtype).itemsize)
    file = ScratchFile()
    for index in range(rows):
        file.append(np.broadcast_to(np.asarray(row(index), dtype), shape))
        tell(progress, index + 1, rows, label)
    return file.mapped(whole, dtype)


def taken(array: AnyArray, indices: Integers) -> AnyArray:
    """Give chosen places along the last axis, in C order.

    Parameters
    ----------
    array : array, at least two axes
    indices : array of int, shape (chosen,)

    Returns
    -------
    array, shape (*array.shape[:-1], chosen)
    """
    shape = (*array.shape[1:-1], len(indices))
    if _mapping(array) is None and not is_large((len(array), *shape), array.dtype.type):
        # An index would lay the chosen first in memory, and make everything after it slow.
        return np.take(array, indices, axis=-1)

    def row(index: int) -> AnyArray:
        values = np.take(array[index], indices, axis=-1)
        release(array[index : index + 1])
        return values

    return by_rows(len(array), shape, row, array.dtype.type)


def blocks(*arrays: AnyArray, size: int) -> Iterator[slice]:
    """Give parts of the first axis, one after the other; what was seen of them is let go of.

    Parameters
    ----------
    *arrays : array
        All of the same length, at least one.
    size : int
        Bytes of the first array in a part; a part has one row at least.
    """
    count = len(arrays[0])
    step = max(1, size // max(arrays[0][:1].nbytes, 1))
    for start in range(0, count, step):
        part = slice(start, start + step)
        yield part
        for array in arrays:
            release(array[part])


def release(array: AnyArray) -> None:
    """Let go of the memory of an array that lies in a file; its values stay there.

    Nothing is done to other arrays, nor where the system cannot be told (Windows): there it takes
    the memory back by itself when others need it.
    """
    held = _mapping(array)
    if held is None or array.size == 0 or not hasattr(held, "madvise"):
        return
    whole = np.frombuffer(held, np.uint8).__array_interface__["data"][0]
    first = array.__array_interface__["data"][0] - whole
    extent = sum((n - 1) * abs(step) for n, step in zip(array.shape, array.strides))
    begin = first // _PAGE * _PAGE
    held.madvise(mmap.MADV_DONTNEED, begin, first + extent + array.itemsize - begin)


def _mapping(array: AnyArray) -> mmap.mmap | None:
    """Map of the file that an array's values lie in; None if they lie in memory."""
    base = array.base
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return base if isinstance(base, mmap.mmap) else None
