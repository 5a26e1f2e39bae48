"""Rows of the time strip: curves over the frames of a clip, with the parts outside limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.arrays import Booleans, Floats, Integers

TALL_ROW, LESS_TALL_ROW, LOW_ROW = 46.0, 38.0, 22.0
"""Height of a row with a curve, of one among many, and of one with only the outside bar."""
MANY_ROWS = 3


@dataclass(frozen=True)
class Mark:
    """A highlighted frame.

    Parameters
    ----------
    frame : float
        Frame number in the source.
    text : str
        Description for the user.
    """

    frame: float
    text: str


@dataclass(frozen=True, eq=False)
class Rows:
    """Content of the strip for one clip.

    Parameters
    ----------
    labels : tuple of str
        One for each row: a channel, or a joint.
    frames : array, shape (frames,)
        Frame numbers in the source, increasing.
    outside_deg : array, shape (rows, frames)
        Degrees outside the limits; 0 inside, NaN where nothing was compared.
    values : array, shape (rows, frames), optional
        Channel values, for rows with a curve: degrees, or millimetres in the rows of `gaps`.
    lows, highs : tuple of (float or None), optional
        Range of each row.
    gaps : frozenset of int
        Rows with values in millimetres, from 0 up.
    marks : tuple of tuple of Mark
        Marks of each row; rows missing at the end have none.
    """

    labels: tuple[str, ...]
    frames: Floats
    outside_deg: Floats
    values: Floats | None = None
    lows: tuple[float | None, ...] = ()
    highs: tuple[float | None, ...] = ()
    gaps: frozenset[int] = frozenset()
    marks: tuple[tuple[Mark, ...], ...] = ()

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def row_pixels(self) -> float:
        """Height of a row."""
        if self.values is None:
            return LOW_ROW
        return TALL_ROW if self.count <= MANY_ROWS else LESS_TALL_ROW

    @property
    def step(self) -> float:
        """Usual distance between two frames."""
        return float(np.median(np.diff(self.frames))) if len(self.frames) > 1 else 1.0

    def limits(self, row: int) -> tuple[float, float] | None:
        """Range of a row, if it has one."""
        low = self.lows[row] if row < len(self.lows) else None
        high = self.highs[row] if row < len(self.highs) else None
        return None if low is None or high is None else (low, high)

    def marks_of(self, row: int) -> tuple[Mark, ...]:
        """Marks of a row."""
        return self.marks[row] if row < len(self.marks) else ()


NO_ROWS = Rows((), np.zeros(0), np.zeros((0, 0)))


def nearest_frame(frames: Floats, frame: float) -> int:
    """Position of the frame nearest to a number; `frames` must not be empty."""
    after = int(np.clip(np.searchsorted(frames, frame), 1, max(len(frames) - 1, 1)))
    if len(frames) == 1:
        return 0
    return after if frames[after] - frame < frame - frames[after - 1] else after - 1


def worst_in(values: Floats, starts: Integers, end: int) -> Floats:
    """Largest value of each piece; no frame is skipped, however many share a pixel.

    Parameters
    ----------
    values : array, shape (frames,)
        NaN counts only where a piece has no other value.
    starts : array of int
    end : int
        End of the last piece.
    """
    return np.asarray(np.fmax.reduceat(values[:end], starts)) if len(starts) else np.zeros(0)


def least_in(values: Floats, starts: Integers, end: int) -> Floats:
    """Smallest value of each piece; see :func:`worst_in`."""
    return np.asarray(np.fmin.reduceat(values[:end], starts)) if len(starts) else np.zeros(0)


def value_scale(rows: Rows, row: int) -> tuple[float, float]:
    """Lowest and highest value of a row's curve and range; never equal."""
    assert rows.values is not None
    values = rows.values[row]
    limits = rows.limits(row) or ()
    ends = np.fmin.reduce(values, initial=np.inf), np.fmax.reduce(values, initial=-np.inf)
    finite = np.array(ends) if np.isfinite(ends).all() else values[np.isfinite(values)]
    low = min([*finite.tolist(), *limits], default=0.0)
    high = max([*finite.tolist(), *limits], default=0.0)
    if row in rows.gaps:
        return 0.0, max(1.1 * high, 0.1)
    room = max(0.06 * (high - low), 1.0)
    return low - room, high + room


def outside_frames(outside_deg: Floats, tolerance_deg: float) -> Booleans:
    """Mask of the frames in which any row is outside, shape (frames,)."""
    if not outside_deg.size:
        return np.zeros(outside_deg.shape[-1], dtype=bool)
    return np.asarray((np.nan_to_num(outside_deg) > tolerance_deg).any(axis=0))


def marked_frames(rows: Rows) -> Booleans:
    """Mask of the frames at which any row has a mark, shape (frames,)."""
    found = np.zeros(len(rows.frames), dtype=bool)
    for mark in (mark for marks in rows.marks for mark in marks):
        found[nearest_frame(rows.frames, mark.frame)] = True
    return found


def next_outside(
    outside: Booleans, position: int, forwards: bool, marked: Booleans | None = None
) -> int | None:
    """Start of the next stretch outside, or the next marked frame; None if there is none."""
    starts = np.flatnonzero(outside & ~np.concatenate([[False], outside[:-1]]))
    if marked is not None:
        starts = np.union1d(starts, np.flatnonzero(marked))
    found = starts[starts > position] if forwards else starts[starts < position][::-1]
    return int(found[0]) if len(found) else None


def as_ranges(stretches: Sequence[tuple[float, float]], step: float) -> list[tuple[float, float]]:
    """Stretches of frames extended by half a frame at both ends, as drawn."""
    return [(first - 0.5 * step, last + 0.5 * step) for first, last in stretches]
