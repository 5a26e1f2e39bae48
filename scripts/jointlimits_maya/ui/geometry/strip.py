"""Layout of the time strip: frames and rows in pixels, and the visible part."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from jointlimits_core.arrays import Floats, Integers

from .strip_rows import Mark, Rows

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
    """Layout in pixels.

    Parameters
    ----------
    scroll : float
        Distance by which the rows are scrolled up.
    right : float
        Width of the scroll bar at the right.
    names : float
        Width of the names at the left.
    """

    width: float
    height: float
    span: Span
    scroll: float
    row_pixels: float
    rows: int
    right: float = 0.0
    names: float = LABEL_PIXELS

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

    Returns
    -------
    starts : array of int
        Position of the first frame of each non-empty column, increasing.
    columns : array of int
        Pixels of these columns, from the left of the track.
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
