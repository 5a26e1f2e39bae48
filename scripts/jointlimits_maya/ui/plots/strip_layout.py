"""Layout of the time strip: its rows of curves and marks, and the visible part in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from jointlimits_core.geometry.arrays import Booleans, Floats, Integers

TALL_ROW, LESS_TALL_ROW, LOW_ROW = 46.0, 38.0, 22.0
"""Height of a row with a curve, of one among many, and of one with only the outside bar."""
MANY_ROWS = 3


@dataclass(frozen=True)
class Mark:
    """A highlighted frame of the source, and its description for the user."""

    frame: float
    text: str


@dataclass(frozen=True, eq=False)
class Rows:
    """Content of the strip for one clip."""

    labels: tuple[str, ...]
    """One for each row: a channel, or a joint."""
    frames: Floats
    """Frame numbers in the source, increasing, shape (frames,)."""
    outside_deg: Floats
    """Degrees outside the limits, shape (rows, frames); 0 inside, NaN where nothing was
    compared."""
    values: Floats | None = None
    """Channel values, for rows with a curve, shape (rows, frames): degrees, or millimetres in the
    rows of `gaps`."""
    lows: tuple[float | None, ...] = ()
    highs: tuple[float | None, ...] = ()
    """Range of each row, each (float or None)."""
    gaps: frozenset[int] = frozenset()
    """Rows with values in millimetres, from 0 up."""
    marks: tuple[tuple[Mark, ...], ...] = ()
    """Marks of each row; rows missing at the end have none."""

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @cached_property
    def extremes(self) -> tuple[tuple[float, float], ...]:
        """Lowest and highest finite value of each row with a curve; zeros where there is none."""
        values = np.zeros((0, 1)) if self.values is None else self.values
        known = [row[np.isfinite(row)] for row in values]
        return tuple(
            (float(row.min()), float(row.max())) if len(row) else (0.0, 0.0) for row in known
        )

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

    The last piece ends at `end`. NaN counts only where a piece has no other value.
    """
    return np.asarray(np.fmax.reduceat(values[:end], starts)) if len(starts) else np.zeros(0)


def least_in(values: Floats, starts: Integers, end: int) -> Floats:
    """Smallest value of each piece; see :func:`worst_in`."""
    return np.asarray(np.fmin.reduceat(values[:end], starts)) if len(starts) else np.zeros(0)


def value_scale(rows: Rows, row: int) -> tuple[float, float]:
    """Lowest and highest value of a row's curve and range; never equal."""
    assert rows.values is not None
    limits = rows.limits(row) or ()
    low, high = min(rows.extremes[row] + limits), max(rows.extremes[row] + limits)
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


HEADER_PIXELS = 24.0
LABEL_PIXELS = 150.0
BAR_PIXELS = 14.0
MARK_PIXELS = 5.0
"""Maximum distance between the mouse and a mark that it hits."""
_LEAST_FRAMES = 8.0


@dataclass(frozen=True)
class Span:
    """Visible frames, from the left edge to the right edge."""

    first: float
    last: float

    @property
    def length(self) -> float:
        """In frames."""
        return self.last - self.first


@dataclass(frozen=True)
class StripLayout:
    """Layout in pixels."""

    width: float
    height: float
    span: Span
    scroll: float
    """Distance by which the rows are scrolled up."""
    row_pixels: float
    rows: int
    right: float = 0.0
    """Width of the scroll bar at the right."""
    names: float = LABEL_PIXELS
    """Width of the names at the left."""

    @property
    def left(self) -> float:
        """Left edge of the first frame, beside the names."""
        return min(self.names, LABEL_PIXELS, 0.4 * self.width)

    @property
    def track(self) -> float:
        """Width of the part with frames."""
        return max(self.width - self.right - self.left - 8.0, 1.0)

    @property
    def pixels_per_frame(self) -> float:
        """Horizontal scale."""
        return self.track / self.span.length

    def x(self, frame: float) -> float:
        """Pixel of a frame."""
        return self.left + (frame - self.span.first) * self.pixels_per_frame

    def frame(self, x: float) -> float:
        """Frame at a pixel, not rounded."""
        return self.span.first + (x - self.left) / self.pixels_per_frame

    def top(self, row: int) -> float:
        """Upper edge of a row."""
        return HEADER_PIXELS + row * self.row_pixels - self.scroll

    def row(self, y: float) -> int | None:
        """Row at a pixel; None in the header and below the last."""
        if y < HEADER_PIXELS:
            return None
        row = int((y - HEADER_PIXELS + self.scroll) // self.row_pixels)
        return row if 0 <= row < self.rows else None

    @property
    def seen_rows(self) -> range:
        """Rows that are at least partly visible."""
        first = int(self.scroll // self.row_pixels)
        last = int((self.scroll + self.height - HEADER_PIXELS) // self.row_pixels) + 1
        return range(max(first, 0), min(last, self.rows))

    @property
    def most_scroll(self) -> float:
        """Scroll position with the last row at the bottom."""
        return max(self.rows * self.row_pixels - (self.height - HEADER_PIXELS), 0.0)


def whole_span(rows: Rows) -> Span:
    """All frames, with half a frame at both ends."""
    if not len(rows.frames):
        return Span(0.0, 1.0)
    half = 0.5 * rows.step
    return Span(float(rows.frames[0]) - half, float(rows.frames[-1]) + half)


def span_zoomed(span: Span, whole: Span, factor: float, frame: float) -> Span:
    """Zoom with one frame fixed, between a few frames and the whole clip."""
    length = min(max(span.length / factor, min(_LEAST_FRAMES, whole.length)), whole.length)
    if length >= whole.length:
        return whole
    share = (frame - span.first) / span.length
    return _within(Span(frame - share * length, frame + (1.0 - share) * length), whole)


def span_panned(span: Span, whole: Span, frames: float) -> Span:
    """Shift by a number of frames, within the whole."""
    return _within(Span(span.first + frames, span.last + frames), whole)


def span_showing(span: Span, whole: Span, frame: float) -> Span:
    """The same span if it shows a frame, otherwise centred on it."""
    if span.first <= frame <= span.last:
        return span
    return span_panned(span, whole, frame - 0.5 * (span.first + span.last))


def _within(span: Span, whole: Span) -> Span:
    if span.first < whole.first:
        return replace(span, first=whole.first, last=whole.first + span.length)
    if span.last > whole.last:
        return replace(span, first=whole.last - span.length, last=whole.last)
    return span


def column_starts(layout: StripLayout, frames: Floats) -> tuple[Integers, Integers]:
    """Group the visible frames by pixel column.

    Returns the position of the first frame of each column that has one, increasing; and the pixels
    of these columns, from the left of the track.
    """
    begin = int(np.searchsorted(frames, layout.span.first))
    end = int(np.searchsorted(frames, layout.span.last, side="right"))
    column = ((frames[begin:end] - layout.span.first) * layout.pixels_per_frame).astype(np.int64)
    if not len(column):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    first = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
    return first + begin, column[first]


def mark_at(layout: StripLayout, rows: Rows, row: int | None, x: float) -> Mark | None:
    """Nearest mark of a row within a few pixels; None if there is none."""
    marks = () if row is None else rows.marks_of(row)
    near = [mark for mark in marks if abs(layout.x(mark.frame) - x) <= MARK_PIXELS]
    return min(near, key=lambda mark: abs(layout.x(mark.frame) - x)) if near else None
