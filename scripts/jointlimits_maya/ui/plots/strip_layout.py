"""Content of the time strip, and its layout in pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Booleans, Floats, Integers
from jointlimits_core.report.figures.space import angle_step_for, ticks_within

HIGHEST_ROW, TALL_ROW, LESS_TALL_ROW, LOW_ROW = 200.0, 58.0, 46.0, 22.0
"""Row heights: maximum; minimum with a curve, with a curve among many rows, with only a bar."""
MANY_ROWS = 3
HEADER_PIXELS, LABEL_PIXELS, BAR_PIXELS = 24.0, 150.0, 14.0
SCALE_PIXELS, TICK_ROOM_PIXELS = 34.0, 9.5
"""Width of the scale of degrees beside the curves, and room for each of its labels."""
MARK_PIXELS = 5.0
"""Maximum distance at which the mouse hits a mark."""
MIN_FRAMES = 8.0
"""Minimum number of visible frames when zoomed in."""


@dataclass(frozen=True)
class Mark:
    """A highlighted frame of the source, and its description for the user."""

    frame: float
    text: str


@dataclass(frozen=True)
class Span:
    """Visible frames, from the left edge to the right edge."""

    first: float
    last: float

    @property
    def length(self) -> float:
        """Length in frames."""
        return self.last - self.first

    def shift_into(self, whole: Span) -> Span:
        """Span of the same length, moved into another span."""
        first = max(min(self.first, whole.last - self.length), whole.first)
        return Span(first, first + self.length)

    def zoom_at(self, whole: Span, factor: float, frame: float) -> Span:
        """Zoom about a fixed frame, from a few frames up to the whole clip."""
        length = max(self.length / factor, min(MIN_FRAMES, whole.length))
        if length >= whole.length:
            return whole
        first = frame - (frame - self.first) / self.length * length
        return Span(first, first + length).shift_into(whole)

    def pan(self, whole: Span, frames: float) -> Span:
        """Shift by a number of frames, but not beyond the whole."""
        return Span(self.first + frames, self.last + frames).shift_into(whole)

    def scroll_to(self, whole: Span, frame: float) -> Span:
        """The same span if it contains a frame, otherwise a span centred on the frame."""
        if self.first <= frame <= self.last:
            return self
        return self.pan(whole, frame - 0.5 * (self.first + self.last))


@dataclass(frozen=True, eq=False)
class Rows:
    """Content of the strip for one clip."""

    labels: tuple[str, ...]
    """Label of each row: a channel or a joint."""
    frames: Floats
    """Frame numbers in the source, increasing, shape (frames,)."""
    outside_deg: Floats
    """Degrees outside the limits, shape (rows, frames); 0 inside, NaN if not compared."""
    values: Floats | None = None
    """Channel values, for rows with a curve, shape (rows, frames), degrees."""
    ranges: tuple[tuple[float, float] | None, ...] = ()
    """Range of each row with a curve."""
    has_gap: bool = False
    """Whether the first row is the gap between a joint's two bodies, in millimetres from 0 up."""
    marks: tuple[Mark, ...] = ()
    """Marks of the first row."""

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def least_row_pixels(self) -> float:
        """Minimum height of a row."""
        if self.values is None:
            return LOW_ROW
        return TALL_ROW if self.count <= MANY_ROWS else LESS_TALL_ROW

    @property
    def step(self) -> float:
        """Usual distance between two frames."""
        return float(np.median(np.diff(self.frames))) if len(self.frames) > 1 else 1.0

    @property
    def whole(self) -> Span:
        """Span of all frames, extended by half a frame at both ends."""
        if not len(self.frames):
            return Span(0.0, 1.0)
        half = 0.5 * self.step
        return Span(float(self.frames[0]) - half, float(self.frames[-1]) + half)

    def nearest(self, frame: float) -> int:
        """Index of the frame nearest to a number; there must be at least one frame."""
        return int(np.abs(self.frames - frame).argmin())

    def is_gap(self, row: int | None) -> bool:
        """Whether a row shows a gap, in millimetres."""
        return self.has_gap and row == 0

    def range_of(self, row: int) -> tuple[float, float] | None:
        """Range of a row, if it has one."""
        return self.ranges[row] if row < len(self.ranges) else None

    def scale(self, row: int) -> tuple[float, float]:
        """Lower and upper end of a row's scale, around its curve and range; never equal."""
        assert self.values is not None
        known = self.values[row][np.isfinite(self.values[row])]
        ends = [*([known.min(), known.max()] if len(known) else [0.0]), *(self.range_of(row) or ())]
        low, high = float(min(ends)), float(max(ends))
        if self.is_gap(row):
            return 0.0, max(1.1 * high, 0.1)
        room = max(0.06 * (high - low), 1.0)
        return low - room, high + room

    def ticks(self, row: int, height: float) -> list[float]:
        """Whole degrees on a row's scale, for a curve of this height in pixels; none for a gap."""
        if self.values is None or self.is_gap(row):
            return []
        low, high = self.scale(row)
        step = angle_step_for(high - low, height / TICK_ROOM_PIXELS)
        # One on an edge would be cut in half, and beside one of the next row.
        return [one for one in ticks_within(low, high, max(step, 1.0)) if low < one < high]

    def next_stop(self, position: int, forwards: bool, tolerance_deg: float) -> int | None:
        """Index of the next mark or start of a stretch outside; None if there is none."""
        outside = self.frames_outside(tolerance_deg)
        stops = outside & ~np.concatenate([[False], outside[:-1]])
        stops[[self.nearest(mark.frame) for mark in self.marks]] = True
        found = np.flatnonzero(stops)
        found = found[found > position] if forwards else found[found < position][::-1]
        return int(found[0]) if len(found) else None

    def frames_outside(self, tolerance_deg: float) -> Booleans:
        """Mask of the frames in which any row is outside, shape (frames,)."""
        return np.asarray((np.nan_to_num(self.outside_deg) > tolerance_deg).any(axis=0))


NO_ROWS = Rows((), np.zeros(0), np.zeros((0, 0)))


@dataclass(frozen=True)
class StripLayout:
    """Layout of the strip, in pixels."""

    width: float
    height: float
    span: Span
    rows: Rows
    scroll: float = 0.0
    """Distance by which the rows are scrolled up."""
    right: float = 0.0
    """Width of the scroll bar at the right."""
    names: float = LABEL_PIXELS
    """Width of the names at the left."""

    @property
    def row_pixels(self) -> float:
        """Height of a row; curves use all the room there is, up to a limit."""
        least, count = self.rows.least_row_pixels, self.rows.count
        if self.rows.values is None or not count:
            return least
        return min(max((self.height - HEADER_PIXELS) // count, least), HIGHEST_ROW)

    @property
    def left(self) -> float:
        """Left edge of the first frame, next to the names."""
        return min(self.names, LABEL_PIXELS, 0.4 * self.width)

    @property
    def track(self) -> float:
        """Width of the part with frames."""
        return max(self.width - self.right - self.left - 8.0, 1.0)

    @property
    def pixels_per_frame(self) -> float:
        """Horizontal scale, in pixels per frame."""
        return self.track / self.span.length

    def x(self, frame: float) -> float:
        """Horizontal pixel of a frame."""
        return self.left + (frame - self.span.first) * self.pixels_per_frame

    def frame(self, x: float) -> float:
        """Frame at a pixel, not rounded."""
        return self.span.first + (x - self.left) / self.pixels_per_frame

    def top(self, row: int) -> float:
        """Upper edge of a row."""
        return HEADER_PIXELS + row * self.row_pixels - self.scroll

    def row(self, y: float) -> int | None:
        """Row at a pixel; None in the header or below the last row."""
        row = int((y - HEADER_PIXELS + self.scroll) // self.row_pixels)
        return row if y >= HEADER_PIXELS and 0 <= row < self.rows.count else None

    @property
    def seen_rows(self) -> range:
        """Rows that are at least partly visible."""
        first = int(self.scroll // self.row_pixels)
        last = int((self.scroll + self.height - HEADER_PIXELS) // self.row_pixels) + 1
        return range(max(first, 0), min(last, self.rows.count))

    @property
    def max_scroll(self) -> float:
        """Scroll position that puts the last row at the bottom."""
        return max(self.rows.count * self.row_pixels - (self.height - HEADER_PIXELS), 0.0)

    def columns(self) -> tuple[Integers, int, Integers]:
        """Visible frames grouped by pixel column.

        Returns, for the columns that have frames, the index of each one's first frame, increasing;
        the index after the last frame; and the columns' pixels, from the left of the track.
        """
        frames = self.rows.frames
        begin = int(np.searchsorted(frames, self.span.first))
        end = int(np.searchsorted(frames, self.span.last, side="right"))
        column = ((frames[begin:end] - self.span.first) * self.pixels_per_frame).astype(np.int64)
        columns, first = np.unique(column, return_index=True)
        return first + begin, end, columns

    def mark_at(self, row: int | None, x: float) -> Mark | None:
        """Nearest mark of a row within a few pixels; None if there is none."""
        marks = self.rows.marks if row == 0 else ()
        nearest = min(marks, key=lambda mark: abs(self.x(mark.frame) - x), default=None)
        is_hit = nearest is not None and abs(self.x(nearest.frame) - x) <= MARK_PIXELS
        return nearest if is_hit else None


def highest_in(values: Floats, starts: Integers, end: int) -> Floats:
    """Largest value in each piece, so that no frame is missed, even if many share a pixel.

    The last piece ends at `end`. A piece gives NaN only if it has no other value.
    """
    return np.asarray(np.fmax.reduceat(values[:end], starts)) if len(starts) else np.zeros(0)
