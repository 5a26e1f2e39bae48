"""Table that grows by frames and is read by columns, of any size."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..arrays import Floats
from ..large_arrays import ScratchFile, is_large

LOTS = 32
"""Share of the large-array size up to which frames are buffered."""


class FrameColumns:
    """A table that grows by frames; a large one is kept in a temporary file.

    Parameters
    ----------
    width : int
        Numbers per frame.
    """

    def __init__(self, width: int) -> None:
        self.width, self.frames = width, 0
        self._few: list[Floats] = []  # not yet merged
        self._few_frames = 0
        self._lots: list[Floats] = []
        self._file: ScratchFile | None = None
        self._places: list[tuple[int, int]] = []  # offset in the file, and frames there

    def add(self, frames: Floats) -> None:
        """Append frames, shape (frames, width).

        Raises
        ------
        DiskSpaceError
            If the disk is full.
        """
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
