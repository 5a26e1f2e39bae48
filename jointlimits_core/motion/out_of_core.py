"""Arrays and growing tables of any length in bounded memory.

A large array is an ordinary read-only array mapped from an unnamed temporary file. It is built and
processed row by row, and pages already processed are released, so that memory holds only a few
rows, however many frames they have. Small arrays are built in memory.
"""

from __future__ import annotations

import errno
import mmap
import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from ..base import DiskSpaceError, Progress, byte_words, report_progress
from ..geometry import AnyArray, Floats, Integers

LARGE_BYTES = 128 << 20
"""Arrays above this size are kept in a file. At most about six are held at a time (values read,
channels, rotations, and copies of the last two), together less than 1 GB."""
BLOCK_BYTES = 4 << 20
"""Bytes of an array processed at a time: small blocks cost calls, large ones do not fit a cache."""

_PAGE = mmap.ALLOCATIONGRANULARITY
_MOST_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class ScratchFile:
    """An append-only temporary file that is removed with this object or the process.

    It is in the folder for temporary files (``TMPDIR``), without a name where the system allows;
    on Windows it is deleted on closing, also after a crash.
    """

    def __init__(self) -> None:
        import tempfile  # slow to import, and few clips need it

        # Unbuffered: data is written in large pieces anyway.
        self._file: BinaryIO = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - kept open
        self.size = 0

    def append(self, values: AnyArray) -> int:
        """Append values and return their offset. Raises DiskSpaceError if the disk is full."""
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
        """Appended float64 values from an offset on."""
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
        """Everything appended, as one read-only array; the file is removed with the array."""
        held = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.ndarray(shape, dtype, buffer=held)


def check_room(needed: int) -> None:
    """Check for free disk space in the temporary folder. Raises DiskSpaceError."""
    import shutil
    import tempfile

    if shutil.disk_usage(tempfile.gettempdir()).free < needed:
        raise _no_room(needed, 0, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def _no_room(needed: int, written: int, problem: OSError) -> OSError:
    if problem.errno not in _MOST_ERRORS:
        return problem
    import tempfile

    before = f" beyond the {byte_words(written)} already written" if written else ""
    return DiskSpaceError(
        problem.errno,
        f"a long clip needs {byte_words(needed)} more for temporary files{before}; free some "
        "space, or set the environment variable TMPDIR to a folder on another disk",
        tempfile.gettempdir(),
    )


def is_large(shape: tuple[int, ...], dtype: type = np.float64) -> bool:
    """Whether an array of this shape is kept in a file."""
    return int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize > LARGE_BYTES


def by_rows(
    rows: int,
    shape: tuple[int, ...],
    row: Callable[[int], AnyArray],
    dtype: type = np.float64,
    progress: Progress | None = None,
    label: str = "",
) -> AnyArray:
    """Build an array row by row.

    The result has shape (rows, *shape): C order; read-only if it is large. Raises DiskSpaceError if
    the disk has no space for a large array. `rows`: length of the first axis. `shape`: shape of a
    row. `row`: returns the row of an index; called once per row, in order.
    """
    whole = (rows, *shape)
    if not is_large(whole, dtype):
        result: AnyArray = np.empty(whole, dtype)
        for index in range(rows):
            result[index] = row(index)
            report_progress(progress, index + 1, rows, label)
        return result
    check_room(int(np.prod(whole, dtype=np.int64)) * np.dtype(dtype).itemsize)
    file = ScratchFile()
    for index in range(rows):
        file.append(np.broadcast_to(np.asarray(row(index), dtype), shape))
        report_progress(progress, index + 1, rows, label)
    return file.mapped(whole, dtype)


def select_columns(array: AnyArray, indices: Integers) -> AnyArray:
    """Chosen columns along the last axis, in C order, shape (*array.shape[:-1], chosen).

    `array` has at least two axes. `indices` (int) has shape (chosen,).
    """
    shape = (*array.shape[1:-1], len(indices))
    if _mapping(array) is None and not is_large((len(array), *shape), array.dtype.type):
        # Indexing would put the last axis first in memory, which slows down later work.
        return np.take(array, indices, axis=-1)

    def row(index: int) -> AnyArray:
        values = np.take(array[index], indices, axis=-1)
        release(array[index : index + 1])
        return values

    return by_rows(len(array), shape, row, array.dtype.type)


def blocks(*arrays: AnyArray, size: int | None = None) -> Iterator[slice]:
    """Slices of the first axis in turn; memory of processed parts is released.

    `*arrays`, array: at least one, all of the same length. `size`: bytes of the first array per
    part, by default :data:`BLOCK_BYTES`; a part has at least one row.
    """
    count = len(arrays[0])
    step = max(1, (size or BLOCK_BYTES) // max(arrays[0][:1].nbytes, 1))
    for start in range(0, count, step):
        part = slice(start, start + step)
        yield part
        for array in arrays:
            release(array[part])


def release(array: AnyArray) -> None:
    """Release the memory of an array kept in a file; its values stay in the file.

    Does nothing for other arrays, nor on Windows, which reclaims the memory when needed.
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
    """Memory map that holds an array; None for an array in memory."""
    base = array.base
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return base if isinstance(base, mmap.mmap) else None


LOTS = 32
"""Share of the large-array size up to which frames are buffered."""


class FrameColumns:
    """Table that grows by frames, in a temporary file if large. `width`: numbers per frame."""

    def __init__(self, width: int) -> None:
        self.width, self.frames = width, 0
        self._few: list[Floats] = []  # not yet merged
        self._few_frames = 0
        self._lots: list[Floats] = []
        self._file: ScratchFile | None = None
        self._places: list[tuple[int, int]] = []  # offset in the file, and frames there

    def add(self, frames: Floats) -> None:
        """Append frames, shape (frames, width). Raises DiskSpaceError if the disk is full."""
        if len(frames) == 0:
            return
        self.frames += len(frames)
        self._few.append(frames)
        self._few_frames += len(frames)
        if is_large((LOTS, self._few_frames, self.width)):
            self._lots.append(np.concatenate(self._few))
            self._few, self._few_frames = [], 0
            if is_large((self.frames, self.width)):
                self._write()

    def _write(self) -> None:
        self._file = self._file or ScratchFile()
        for lot in self._lots:
            # Column by column, so that those of a joint are contiguous.
            self._places.append((self._file.append(lot.T), len(lot)))
        self._lots.clear()

    def columns(self, first: int, last: int) -> Floats:
        """Columns from `first` up to `last`, exclusive, shape (frames, last - first)."""
        result, begin = np.empty((last - first, self.frames)), 0
        for part in self._parts(first, last):
            result[:, begin : begin + part.shape[1]] = part
            begin += part.shape[1]
        return result.T

    def _parts(self, first: int, last: int) -> Iterator[Floats]:
        """Columns of each part in turn, shapes (last - first, frames)."""
        if self._file is not None and last > first:
            for place, count in self._places:
                yield self._file.read(place + 8 * first * count, (last - first, count))
        for some in self._lots + self._few:
            yield some[:, first:last].T
