"""Time strip: every channel over time, parts outside the limits, and the current frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import Integers
from jointlimits_core.limits.vocabulary import degrees

from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets, Signal, place
from ..toolkit.words import counted, frame_number, millimetres
from . import strip_layout, strip_paint
from .base import Picture


def place_words(
    layout: strip_layout.StripLayout,
    rows: strip_layout.Rows,
    x: float,
    y: float,
    tolerance_deg: float,
) -> str:
    """Description of row, frame, value and degrees outside at a pixel."""
    row = layout.row(y)
    if not rows.count or not len(rows.frames):
        return ""
    if x < layout.left:
        return "" if row is None else rows.labels[row]
    at = strip_layout.nearest_frame(rows.frames, layout.frame(x))
    words = f"frame {frame_number(float(rows.frames[at]))}"
    if row is None:
        return words
    words = f"{rows.labels[row]}, {words}"
    if rows.values is not None and np.isfinite(rows.values[row, at]):
        value = float(rows.values[row, at])
        words += f": {millimetres(value) if row in rows.gaps else degrees(value)}"
    mark = strip_layout.mark_at(layout, rows, row, x)
    if mark is not None:
        words += f", {mark.text}"
    if rows.outside_deg[row, at] > tolerance_deg:
        words += f", {degrees(float(rows.outside_deg[row, at]))} outside"
    return words


TOLERANCE_DEG = 0.1


class TimeStrip(Picture):
    """Rows of frames with a playhead, navigated by mouse and keyboard."""

    frame_asked = Signal(float)
    """Frame of the source to go to: a click, a drag, a key."""
    row_clicked = Signal(int)
    """A row was selected, by its name or with the arrow keys."""
    range_chosen = Signal(float, float)
    """First and last frame of a Shift-drag."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(240, 70)
        self.setAccessibleName("Time strip")
        self._rows = strip_layout.NO_ROWS
        self._outside = np.zeros(0, dtype=bool)
        self._names = 0.0
        self._left_out: tuple[tuple[float, float], ...] = ()
        self._frame: float | None = None
        self._row: int | None = None
        self._choice: tuple[float, float] | None = None
        self._played: tuple[float, float] | None = None
        self._data = 0
        self._drag = ""
        self._last_x = 0.0
        self.span = strip_layout.Span(0.0, 1.0)
        self._bar = QtWidgets.QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.valueChanged.connect(lambda _: self.update())
        self._bar.hide()

    def sizeHint(self) -> Any:
        """Room for a handful of rows."""
        return QtCore.QSize(640, 200)

    # --- display ------------------------------------------------------------------------------

    def set_rows(self, rows: strip_layout.Rows) -> None:
        """Show these rows, from the first frame to the last.

        A strip with the same number of frames keeps its visible part.
        """
        same = np.array_equal(rows.frames, self._rows.frames)
        old = self._rows
        if not (
            same
            and (rows.labels, rows.marks) == (old.labels, old.marks)
            and np.array_equal(np.asarray(rows.values), np.asarray(old.values))
        ):
            self._data += 1  # other curves, whatever their limits
        self._rows = rows
        metrics = QtGui.QFontMetricsF(self.small_font(0.85))
        self._names = 28.0 + max(map(metrics.horizontalAdvance, self._rows.labels), default=0.0)
        self._outside = strip_layout.outside_frames(rows.outside_deg, TOLERANCE_DEG)
        self._row = None if self._row is None or self._row >= rows.count else self._row
        if not same:
            self.span = strip_layout.whole_span(rows)
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

    def set_played(self, ends: tuple[float, float] | None) -> None:
        """Shade the frames before the in point and after the out point; None for none."""
        self._played = ends
        self.update()

    def set_row(self, row: int | None) -> None:
        """Select a row, and scroll to it."""
        self._row = row
        if row is not None:
            layout = self.layout_now
            if layout.top(row) < strip_layout.HEADER_PIXELS:
                self._bar.setValue(int(row * layout.row_pixels))
            elif layout.top(row + 1) > self.height():
                low = (row + 1) * layout.row_pixels - (self.height() - strip_layout.HEADER_PIXELS)
                self._bar.setValue(int(np.ceil(low)))
        self.update()

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return (
            "Every channel over the frames of the clip. Marks below a curve are frames outside "
            "the limits: the further outside, the taller and stronger. The blue band is the "
            "range; hatched frames are excluded from the estimate. For a skeleton from loose "
            "tracks, the first row is the gap between the joint's two bodies, and a triangle "
            "marks the frame at which a body slipped.\n"
            "Click or drag to go to a frame, wheel to zoom, Shift and wheel or the middle button "
            "to pan; the wheel over the names scrolls the rows. Shift-drag selects frames, for "
            "example to exclude them. Left and Right step a frame, with Ctrl to the next place "
            "outside or slip; Up and Down select a row."
        )

    # --- painting -----------------------------------------------------------------------------

    @property
    def layout_now(self) -> strip_layout.StripLayout:
        """Layout at the current size."""
        right = float(self._bar.sizeHint().width()) if self._bar.isVisibleTo(self) else 0.0
        scroll = float(self._bar.value()) if right else 0.0
        rows = self._rows
        size = (self.width(), self.height())
        return strip_layout.StripLayout(
            *size, self.span, scroll, rows.row_pixels, rows.count, right, self._names
        )

    def paint(self, painter: Any) -> None:
        """Paint the rows, cached for each visible part, then what moves on top of them."""
        if not self._rows.count or not len(self._rows.frames):
            self.paint_empty(painter, "No clip is open.")
            return
        layout, colours = self.layout_now, self.colours
        cut = strip_layout.column_starts(layout, self._rows.frames)
        painter.setFont(self.small_font(0.85))
        painter.save()
        painter.setClipRect(
            QtCore.QRectF(0, strip_layout.HEADER_PIXELS, self.width(), self.height())
        )
        strip_paint.paint_limits(painter, layout, self._rows, cut, colours)
        strip_paint.paint_names(painter, layout, self._rows, self._row, colours)
        painter.restore()
        has = self._rows.values is not None
        scales = tuple(strip_layout.value_scale(self._rows, row) for row in layout.seen_rows if has)
        curves = partial(self._paint_curves, cut=cut)
        key = (self._data, layout, scales, self._left_out)
        painter.drawImage(0, 0, self.layer("curves", key, curves))
        if self._played is not None:
            strip_paint.paint_played(painter, layout, self._played, colours)
        if self._choice is not None:
            first, last = sorted(self._choice)
            stretch = strip_layout.as_ranges([(first, last)], self._rows.step)[0]
            strip_paint.paint_choice(painter, layout, stretch, colours)
        if self._frame is not None:
            strip_paint.paint_playhead(painter, layout, self._frame, colours)

    def _paint_curves(self, painter: Any, cut: tuple[Integers, Integers]) -> None:
        layout, colours, rows = self.layout_now, self.colours, self._rows
        painter.setFont(self.small_font(0.85))
        painter.setClipRect(
            QtCore.QRectF(0, strip_layout.HEADER_PIXELS, self.width(), self.height())
        )
        strip_paint.paint_curves(painter, layout, rows, cut, colours)
        painter.setClipping(False)
        strip_paint.paint_header(painter, layout, rows, colours)
        painter.setClipping(True)
        stretches = strip_layout.as_ranges(self._left_out, rows.step)
        strip_paint.paint_left_out(painter, layout, stretches, colours)

    def resizeEvent(self, event: Any) -> None:
        """Keep the scroll bar at the right edge."""
        self._place_bar()
        super().resizeEvent(event)

    def _place_bar(self) -> None:
        rows = self._rows
        layout = strip_layout.StripLayout(
            self.width(), self.height(), self.span, 0.0, rows.row_pixels, rows.count
        )
        wide = self._bar.sizeHint().width()
        self._bar.setGeometry(
            self.width() - wide,
            int(strip_layout.HEADER_PIXELS),
            wide,
            self.height() - int(strip_layout.HEADER_PIXELS),
        )
        self._bar.setRange(0, int(np.ceil(layout.most_scroll)))
        self._bar.setPageStep(max(self.height() - int(strip_layout.HEADER_PIXELS), 1))
        self._bar.setSingleStep(int(rows.row_pixels))
        self._bar.setVisible(layout.most_scroll > 0.0)

    def words_at(self, x: float, y: float) -> str:
        """Description of row, frame, value and degrees outside at a pixel."""
        return place_words(self.layout_now, self._rows, x, y, TOLERANCE_DEG)

    # --- mouse ----------------------------------------------------------------------------------

    def mousePressEvent(self, event: Any) -> None:
        """Go to a frame, begin to select frames or to pan, or select a row."""
        x, y = place(event)
        layout = self.layout_now
        if not len(self._rows.frames):
            return
        buttons = Qt.MouseButton
        if event.button() == buttons.MiddleButton:
            self._drag, self._last_x = "shift", x
        elif event.button() == buttons.LeftButton and x < layout.left:
            row = layout.row(y)
            if row is not None:
                self._choose_row(row)
        elif event.button() == buttons.LeftButton:
            mark = strip_layout.mark_at(layout, self._rows, layout.row(y), x)
            frame = self._frame_at(x if mark is None else layout.x(mark.frame))
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._drag, self._choice = "choose", (frame, frame)
                self.update()
            else:
                self._drag = "scrub"
                self._go(frame)

    def mouseMoveEvent(self, event: Any) -> None:
        """Scrub, select or pan, or describe what is under the mouse."""
        x, _ = place(event)
        if self._drag == "scrub":
            frame = self._frame_at(x)
            if frame != self._frame:
                self._go(frame)
        elif self._drag == "choose" and self._choice is not None:
            self._choice = (self._choice[0], self._frame_at(x))
            self.update()
        elif self._drag == "shift":
            frames = (self._last_x - x) / self.layout_now.pixels_per_frame
            self._look(
                strip_layout.span_panned(self.span, strip_layout.whole_span(self._rows), frames)
            )
            self._last_x = x
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: Any) -> None:
        """Emit the selected frames."""
        choice, self._choice, self._drag = self._choice, None, ""
        if choice is not None:
            first, last = sorted(choice)
            self.range_chosen.emit(first, last)
            self.update()

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Show all frames again."""
        self._look(strip_layout.whole_span(self._rows))

    def wheelEvent(self, event: Any) -> None:
        """Zoom; over the names scroll the rows; with Shift pan the frames."""
        point, turn = event.position(), event.angleDelta()
        layout, whole = self.layout_now, strip_layout.whole_span(self._rows)
        amount = turn.y() or turn.x()
        if point.x() < layout.left and self._bar.isVisibleTo(self):
            self._bar.setValue(int(self._bar.value() - amount / 120.0 * layout.row_pixels))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not turn.y():
            self._look(
                strip_layout.span_panned(self.span, whole, -amount / 120.0 * 0.1 * self.span.length)
            )
        else:
            frame = layout.frame(point.x())
            self._look(strip_layout.span_zoomed(self.span, whole, 1.0015**amount, frame))
        event.accept()

    def _look(self, span: strip_layout.Span) -> None:
        self.span = span
        self.update()

    def _frame_at(self, x: float) -> float:
        rows = self._rows
        return float(rows.frames[strip_layout.nearest_frame(rows.frames, self.layout_now.frame(x))])

    def _go(self, frame: float) -> None:
        self._frame = frame
        self._look(strip_layout.span_showing(self.span, strip_layout.whole_span(self._rows), frame))
        self.frame_asked.emit(frame)

    def _choose_row(self, row: int) -> None:
        self.set_row(row)
        self.row_clicked.emit(row)

    # --- keyboard -------------------------------------------------------------------------------

    def keyPressEvent(self, event: Any) -> None:
        """Left and Right step, with Ctrl to the next place outside; Up and Down select a row."""
        keys, key, rows = Qt.Key, event.key(), self._rows
        whole = strip_layout.whole_span(rows)
        middle = 0.5 * (self.span.first + self.span.last) if self._frame is None else self._frame
        if not len(rows.frames):
            super().keyPressEvent(event)
        elif key in (keys.Key_Left, keys.Key_Right):
            far = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._step(key == keys.Key_Right, far, middle)
        elif key in (keys.Key_Home, keys.Key_End):
            self._go(float(rows.frames[0 if key == keys.Key_Home else -1]))
        elif key in (keys.Key_Up, keys.Key_Down):
            step = 1 if key == keys.Key_Down else -1
            row = 0 if self._row is None else self._row + step
            self._choose_row(min(max(row, 0), rows.count - 1))
        elif key in (keys.Key_Plus, keys.Key_Equal):
            self._look(strip_layout.span_zoomed(self.span, whole, 1.25, middle))
        elif key == keys.Key_Minus:
            self._look(strip_layout.span_zoomed(self.span, whole, 0.8, middle))
        elif key == keys.Key_Escape and self._choice is not None:
            self._choice, self._drag = None, ""
            self.update()
        else:
            super().keyPressEvent(event)

    def _step(self, forwards: bool, far: bool, frame: float) -> None:
        frames = self._rows.frames
        at = strip_layout.nearest_frame(frames, frame)
        if far:
            found = strip_layout.next_outside(
                self._outside, at, forwards, strip_layout.marked_frames(self._rows)
            )
        else:
            found = min(max(at + (1 if forwards else -1), 0), len(frames) - 1)
        if found is not None and (found != at or self._frame is None):
            self._go(float(frames[found]))
