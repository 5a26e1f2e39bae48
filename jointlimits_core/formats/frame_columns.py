"""Numbers that come frame by frame and are wanted column by column, however many they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..arrays import Floats
from ..large_arrays import ScratchFile, is_large

LOTS = 32
"""Frames are put together until they are such a part of what counts as large."""


class FrameColumns:
    """A table that grows by frames; a large one lies in a temporary file.

    Parameters
    ----------
    width : int
        Numbers of a frame.
    """

    def __init__(self, width: int) -> None:
        self.width, self.frames = width, 0
        self._few: list[Floats] = []  # not put together yet
        self._few_frames = 0
        self._lots: list[Floats] = []
        self._file: ScratchFile | None = None
        self._places: list[tuple[int, int]] = []  # place in the file, and frames from there

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
            # Column after column, so that those of a joint are read in one go.
            self._places.append((self._file.append(lot.T), len(lot)))
        self._lots.clear()

    def columns(self, first: int, last: int) -> Floats:
        """Columns from `first` up to but without `last`, shape (frames, last - first)."""
        result, begin = np.empty((last - first, self.frames)), 0
        for part in self._parts(first, last):
            result[:, begin : begin + part.shape[1]] = part
            begin += part.shape[1]
        return result.T

    def _parts(self, first: int, last: int) -> Iterator[Floats]:
        """Columns of one lot of frames after the other, shapes (last - first, frames)."""
        if self._file is not None and last > first:
            for place, count in self._places:
                yield self._file.read(place + 8 * first * count, (last - first, count))
        for some in self._lots + self._few:
            yield some[:, first:last].T
