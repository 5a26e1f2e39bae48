"""Numbers that come frame by frame and are wanted column by column, however many they are."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from ..large_arrays import ScratchFile, is_large


class FrameColumns:
    """A table that grows by frames; a large one lies in a temporary file.

    Parameters
    ----------
    width : int
        Numbers of a frame.
    """

    def __init__(self, width: int) -> None:
        self.width, self.frames = width, 0
        self._held: list[Floats] = []
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
        self._held.append(frames)
        if self._file is None and is_large((self.frames, self.width)):
            self._file = ScratchFile()
        if self._file is not None:
            for some in self._held:
                # Column after column, so that those of a joint are read in one go.
                self._places.append((self._file.append(some.T), len(some)))
            self._held.clear()

    def columns(self, first: int, last: int) -> Floats:
        """Columns from `first` up to but without `last`, shape (frames, last - first)."""
        if self._file is None:
            parts = [some[:, first:last] for some in self._held]
            return parts[0] if len(parts) == 1 else np.concatenate(parts)
        result, begin = np.empty((last - first, self.frames)), 0
        for place, count in self._places if last > first else ():
            shape = (last - first, count)
            result[:, begin : begin + count] = self._file.read(place + 8 * first * count, shape)
            begin += count
        return result.T
