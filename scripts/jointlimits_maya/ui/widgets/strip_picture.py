"""Rows of frames with a playhead: content, scrolling and painting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..geometry.strip import HEADER_PIXELS, Span, StripLayout, column_starts, whole_span
from ..geometry.strip_rows import NO_ROWS, Rows, as_ranges, outside_frames
from ..qt import Qt, QtCore, QtGui, QtWidgets
from ..words import counted, tr
from . import strip_paint
from .picture import Picture
from .strip_words import place_words, strip_words

TOLERANCE_DEG = 0.1


class StripPicture(Picture):
    """Rows of frames with a playhead; the mouse only shows descriptions."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(240, 70)
        self.set_name(tr("Time strip"))
        self._rows = NO_ROWS
        self._outside = np.zeros(0, dtype=bool)
        self._names = 0.0
        self._left_out: tuple[tuple[float, float], ...] = ()
        self._frame: float | None = None
        self._row: int | None = None
        self._choice: tuple[float, float] | None = None
        self._data = 0
        self.span = Span(0.0, 1.0)
        self._bar = QtWidgets.QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.valueChanged.connect(self._scrolled)
        self._bar.hide()

    def sizeHint(self) -> Any:
        """Room for a handful of rows."""
        return QtCore.QSize(640, 200)

    # --- display ------------------------------------------------------------------------------

    def set_rows(self, rows: Rows) -> None:
        """Show these rows, from the first frame to the last.

        A strip with the same number of frames keeps its visible part.
        """
        same = np.array_equal(rows.frames, self._rows.frames)
        self._rows = rows
        self._names = self._names_width()
        self._outside = outside_frames(rows.outside_deg, TOLERANCE_DEG)
        self._data += 1
        self._row = None if self._row is None or self._row >= rows.count else self._row
        if not same:
            self.span = whole_span(rows)
        self._place_bar()
        count = int(np.count_nonzero(self._outside))
        text = counted(
            count, "{count} frame outside the limits", "{count} frames outside the limits"
        )
        marks = sum(map(len, rows.marks))
        slips = counted(marks, "{count} slip", "{count} slips")
        self.setAccessibleDescription(f"{text}, {slips}" if marks else text)
        self.update()

    def set_left_out(self, stretches: Sequence[tuple[float, float]]) -> None:
        """Hatch excluded frames: first and last of each stretch."""
        self._left_out = tuple(stretches)
        self.update()

    def set_frame(self, frame: float | None) -> None:
        """Move the playhead to a frame of the source; None hides it."""
        self._frame = frame
        self.update()

    def set_row(self, row: int | None) -> None:
        """Select a row, and scroll to it."""
        self._row = row
        if row is not None:
            layout = self.layout_now
            if layout.top(row) < HEADER_PIXELS:
                self._bar.setValue(int(row * layout.row_pixels))
            elif layout.top(row + 1) > self.height():
                low = (row + 1) * layout.row_pixels - (self.height() - HEADER_PIXELS)
                self._bar.setValue(int(np.ceil(low)))
        self.update()

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return strip_words()

    # --- painting -----------------------------------------------------------------------------

    @property
    def layout_now(self) -> StripLayout:
        """Layout at the current size."""
        right = float(self._bar.sizeHint().width()) if self._bar.isVisibleTo(self) else 0.0
        scroll = float(self._bar.value()) if right else 0.0
        rows = self._rows
        size = (self.width(), self.height())
        return StripLayout(
            *size, self.span, scroll, rows.row_pixels, rows.count, right, self._names
        )

    def _names_width(self) -> float:
        """Width of the row names, with a margin."""
        metrics = QtGui.QFontMetricsF(self.small_font(0.85))
        return 28.0 + max(map(metrics.horizontalAdvance, self._rows.labels), default=0.0)

    def paint(self, painter: Any) -> None:
        """Paint the rows, cached for each visible part, then what moves on top of them."""
        if not self._rows.count or not len(self._rows.frames):
            self.paint_empty(painter, tr("No clip is open."))
            return
        layout, colours = self.layout_now, self.colours
        key = (self._data, layout, self._row)
        painter.drawImage(0, 0, self.layer("rows", key, self._paint_rows))
        painter.setFont(self.small_font(0.85))
        painter.save()
        painter.setClipRect(QtCore.QRectF(0, HEADER_PIXELS, self.width(), self.height()))
        stretches = as_ranges(self._left_out, self._rows.step)
        strip_paint.paint_left_out(painter, layout, stretches, colours)
        painter.restore()
        if self._choice is not None:
            first, last = sorted(self._choice)
            stretch = as_ranges([(first, last)], self._rows.step)[0]
            strip_paint.paint_choice(painter, layout, stretch, colours)
        if self._frame is not None:
            strip_paint.paint_playhead(painter, layout, self._frame, colours)

    def _paint_rows(self, painter: Any) -> None:
        layout, colours, rows = self.layout_now, self.colours, self._rows
        painter.setFont(self.small_font(0.85))
        cut = column_starts(layout, rows.frames)
        painter.setClipRect(QtCore.QRectF(0, HEADER_PIXELS, self.width(), self.height()))
        for row in layout.seen_rows:
            strip_paint.paint_row(painter, layout, rows, row, cut, colours)
        strip_paint.paint_names(painter, layout, rows, self._row, colours)
        painter.setClipping(False)
        strip_paint.paint_header(painter, layout, rows, colours)

    def resizeEvent(self, event: Any) -> None:
        """Keep the scroll bar at the right edge."""
        self._place_bar()
        super().resizeEvent(event)

    def _place_bar(self) -> None:
        rows = self._rows
        layout = StripLayout(
            self.width(), self.height(), self.span, 0.0, rows.row_pixels, rows.count
        )
        wide = self._bar.sizeHint().width()
        self._bar.setGeometry(
            self.width() - wide, int(HEADER_PIXELS), wide, self.height() - int(HEADER_PIXELS)
        )
        self._bar.setRange(0, int(np.ceil(layout.most_scroll)))
        self._bar.setPageStep(max(self.height() - int(HEADER_PIXELS), 1))
        self._bar.setSingleStep(int(rows.row_pixels))
        self._bar.setVisible(layout.most_scroll > 0.0)

    def words_at(self, x: float, y: float) -> str:
        """Description of row, frame, value and degrees outside at a pixel."""
        return place_words(self.layout_now, self._rows, x, y, TOLERANCE_DEG)

    def _scrolled(self, _value: int) -> None:
        self.update()
