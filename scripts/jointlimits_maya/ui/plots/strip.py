"""Time strip: every channel over time, frames outside the limits, and the current frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.limits.vocabulary import degrees
from jointlimits_core.report.figures.space import step_for, ticks_within

from ..toolkit.palette import OUTSIDE_EDGES_DEG
from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets, Signal, place
from ..toolkit.words import counted, frame_number, millimetres
from .base import Picture, fill, pen, polygon, polygons, stroke, text_at, text_plate, tint
from .strip_layout import (
    BAR_PIXELS,
    HEADER_PIXELS,
    NO_ROWS,
    SCALE_PIXELS,
    Rows,
    Span,
    StripLayout,
    highest_in,
)

TOLERANCE_DEG = 0.1
MIN_BAR_PIXELS, TICK_PIXELS = 4.0, 70.0


class TimeStrip(Picture):
    """Rows over the frames of a clip, with a playhead; navigated by mouse and keyboard."""

    frame_asked = Signal(float)
    """Frame of the source to go to, after a click, a drag or a key press."""
    row_clicked = Signal(int)
    """A row was selected, by a click on its name or with the arrow keys."""
    range_chosen = Signal(float, float)
    """First and last frame of a Shift-drag."""

    what = (
        "Every channel over the frames of the clip. Marks below a curve are frames outside "
        "the limits: the further outside, the taller and stronger. The coloured band is the "
        "range; hatched frames are excluded from the estimate. For a skeleton from loose "
        "tracks, the first row is the gap between the joint's two bodies, and a triangle "
        "marks the frame at which a body slipped.\n"
        "Click or drag to go to a frame, wheel to zoom, Shift and wheel or the middle button "
        "to pan; the wheel over the names scrolls the rows. Shift-drag selects frames, for "
        "example to exclude them. Left and Right step one frame, or with Ctrl to the next slip "
        "or frame outside the limits; Up and Down select a row."
    )
    usual_size, min_size = (640, 200), (240, 70)
    title = "Time strip"

    def __init__(self) -> None:
        super().__init__()
        self._rows = NO_ROWS
        self._left_out: tuple[tuple[float, float], ...] = ()
        self._frame: float | None = None
        self._row: int | None = None
        self._choice: tuple[float, float] | None = None
        self._played: tuple[float, float] | None = None
        self._drag = ""
        self._last_x = 0.0
        self.span = Span(0.0, 1.0)
        self._bar = QtWidgets.QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.valueChanged.connect(lambda _: self.update())
        self._bar.hide()

    def set_rows(self, rows: Rows) -> None:
        """Show new rows, from the first frame to the last.

        If the frames are the same as before, the visible part does not change.
        """
        if not np.array_equal(rows.frames, self._rows.frames):
            self.span = rows.whole
        self._rows = rows
        self._row = None if self._row is None or self._row >= rows.count else self._row
        self._place_bar()
        count = int(np.count_nonzero(rows.frames_outside(TOLERANCE_DEG)))
        text = counted(count, "frame") + " outside the limits"
        slips = counted(len(rows.marks), "slip")
        self.setAccessibleDescription(f"{text}, {slips}" if rows.marks else text)
        self.update()

    def hatch_excluded(self, stretches: Sequence[tuple[float, float]]) -> None:
        """Hatch excluded frames, given as the first and last frame of each stretch."""
        self._left_out = tuple(stretches)
        self.update()

    def set_frame(self, frame: float | None) -> None:
        """Move the playhead to a frame of the source; None hides it."""
        self._frame = frame
        self.update()

    def show_play_range(self, ends: tuple[float, float] | None) -> None:
        """Shade the frames before the in point and after the out point; None shades nothing."""
        self._played = ends
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

    @property
    def layout_now(self) -> StripLayout:
        """Layout at the current size."""
        right = float(self._bar.sizeHint().width()) if self._bar.isVisibleTo(self) else 0.0
        scroll = float(self._bar.value()) if right else 0.0
        metrics = QtGui.QFontMetricsF(self.small_font(0.85))
        names = 28.0 + max(map(metrics.horizontalAdvance, self._rows.labels), default=0.0)
        names += 0.0 if self._rows.values is None else SCALE_PIXELS
        size = (self.width(), self.height())
        return StripLayout(*size, self.span, self._rows, scroll, right, names)

    def paint(self, painter: Any) -> None:
        """Paint the rows, then the in and out points and the playhead on top."""
        if not self._rows.count or not len(self._rows.frames):
            self.paint_empty(painter, "No clip is open.")
            return
        layout = self.layout_now
        # While the clip plays, only the playhead moves.
        below = self.layer("rows", (layout, self._row, self._left_out), self._paint_rows)
        painter.drawImage(0, 0, below)
        painter.setFont(self.small_font(0.85))
        self._paint_ends(painter, layout)
        if self._frame is not None:
            self._paint_playhead(painter, layout, self._frame)

    def _paint_rows(self, painter: Any) -> None:
        layout = self.layout_now
        painter.setFont(self.small_font(0.85))
        painter.setClipRect(QtCore.QRectF(0, HEADER_PIXELS, self.width(), self.height()))
        for row in layout.seen_rows:
            self._paint_row(painter, layout, row)
        painter.setClipping(False)
        self._paint_header(painter, layout)
        painter.setClipping(True)
        half, right = 0.5 * self._rows.step, layout.left + layout.track
        hatch = QtGui.QBrush(tint(self.colours.faint, 0.6), Qt.BrushStyle.BDiagPattern)
        for first, last in self._left_out:
            a, b = max(layout.x(first - half), layout.left), min(layout.x(last + half), right)
            if b > a:
                area = QtCore.QRectF(a, HEADER_PIXELS, b - a, layout.height - HEADER_PIXELS)
                painter.fillRect(area, tint(self.colours.ground, 0.55))
                painter.fillRect(area, hatch)

    def _paint_row(self, painter: Any, layout: StripLayout, row: int) -> None:
        """Paint a row: plate, name, frames outside the limits, range, curve and marks."""
        rows, colours, top = self._rows, self.colours, layout.top(row)
        track = QtCore.QRectF(layout.left, top + 2.0, layout.track, layout.row_pixels - 4.0)
        # A gap has no limits, so its curve takes the whole row.
        foot = track.bottom() if rows.is_gap(row) else top + layout.row_pixels - BAR_PIXELS - 3.0
        painter.fillRect(track, QtGui.QColor(colours.plate))
        self._paint_name(painter, layout, row)
        if not rows.is_gap(row):
            self._paint_outside(painter, layout, foot, rows.outside_deg[row])
        if rows.values is not None:
            area = QtCore.QRectF(layout.left, top + 3.0, layout.track, foot - top - 3.0)
            self._paint_curve(painter, layout, area, row, rows.values[row])
        for mark in rows.marks if row == 0 else ():  # a line with a triangle at its foot
            x, low = layout.x(mark.frame), track.bottom()
            if not track.left() <= x <= track.right():
                continue
            stroke(painter, colours.rest, 1.4, x, track.top(), x, low - 8.0)
            painter.setPen(pen(colours.ink, 1.0))
            painter.setBrush(QtGui.QColor(colours.rest))
            painter.drawPolygon(polygon(((x - 5.0, low), (x + 5.0, low), (x, low - 9.0))))
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_name(self, painter: Any, layout: StripLayout, row: int) -> None:
        colours, high = self.colours, layout.row_pixels - 4.0
        scale = 0.0 if self._rows.values is None else SCALE_PIXELS
        box = QtCore.QRectF(4.0, layout.top(row) + 2.0, layout.left - 10.0 - scale, high)
        if row == self._row:
            painter.fillRect(box, tint(colours.focus, 0.28))
            fill(painter, colours.focus, box.left(), box.top(), 3.0, box.height())
        painter.setPen(pen(colours.ink))
        middle, metrics = Qt.TextElideMode.ElideMiddle, painter.fontMetrics()
        words = metrics.elidedText(self._rows.labels[row], middle, int(box.width()) - 10)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(box.adjusted(0, 0, -4, 0), flags, words)

    def _paint_curve(
        self, painter: Any, layout: StripLayout, area: Any, row: int, values: Floats
    ) -> None:
        colours, (low, high) = self.colours, self._rows.scale(row)
        scale, limits = area.height() / (high - low), self._rows.range_of(row)
        if limits is not None:
            top, bottom = (area.bottom() - (end - low) * scale for end in limits[::-1])
            own = colours.of_channel(self._rows.labels[row])
            high_of_band = max(bottom - top, 1.0)
            fill(painter, tint(own, 0.13), area.left(), top, area.width(), high_of_band)
            for y in (top, bottom):
                stroke(painter, own, 1.0, area.left(), y, area.right(), y)
        for tick in self._rows.ticks(row, area.height()):
            y = area.bottom() - (tick - low) * scale
            stroke(painter, colours.line, 0.8, area.left() - 4.0, y, area.right(), y)
            box = QtCore.QRectF(area.left() - SCALE_PIXELS - 8.0, y - 8.0, SCALE_PIXELS, 16.0)
            painter.setPen(pen(colours.faint))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(box, right, degrees(tick, 0))
        starts, end, columns = layout.columns()
        least, most = -highest_in(-values, starts, end), highest_in(values, starts, end)
        ys = area.bottom() - (np.stack([least, most]) - low) * scale
        painter.setPen(pen(colours.ink, 1.0))
        there = np.flatnonzero(np.isfinite(ys[0]))
        # Lines through the extremes of every column, broken at columns with NaN.
        for run in np.split(there, np.flatnonzero(np.diff(there) > 1) + 1) if len(there) else ():
            xs = np.repeat(area.left() + columns[run] + 0.5, 2)
            points = np.stack([xs, ys[:, run].T.ravel() + np.tile([0.0, 1e-3], len(run))], axis=1)
            painter.drawPolyline(polygons(points[None])[0])

    def _paint_outside(
        self, painter: Any, layout: StripLayout, top: float, outside_deg: Floats
    ) -> None:
        base, colours = top + BAR_PIXELS, self.colours
        fill(painter, colours.line, layout.left, base - 1, layout.track, 1)
        starts, end, columns = layout.columns()
        worst = highest_in(outside_deg, starts, end)
        there = np.flatnonzero(np.nan_to_num(worst) > 0.0)
        levels = np.searchsorted(OUTSIDE_EDGES_DEG, worst[there], side="right")
        wide = max(layout.pixels_per_frame, 1.0)
        lows = np.maximum(layout.left + columns[there] - 0.5 * (wide - 1.0), layout.left)
        # Slight overlap; otherwise antialiasing leaves seams between neighbours.
        highs = np.maximum(lows + wide + 0.7, lows + 2.0)
        highs = np.minimum(highs, layout.left + layout.track)
        for low, high, level in zip(lows.tolist(), highs.tolist(), levels.tolist()):
            share = level / len(OUTSIDE_EDGES_DEG)
            tall = MIN_BAR_PIXELS + (BAR_PIXELS - MIN_BAR_PIXELS) * share
            fill(painter, colours.outside[level], low, base - tall, high - low, tall)

    def _paint_header(self, painter: Any, layout: StripLayout) -> None:
        span, colours = layout.span, self.colours
        most = max(int(layout.track / TICK_PIXELS), 1)
        step = step_for(span.length, most, min(self._rows.step, 1.0))
        for tick in ticks_within(span.first, span.last, step):
            x = layout.x(tick)
            stroke(painter, colours.line, 0.8, x, HEADER_PIXELS - 5, x, layout.height)
            inner = min(max(x, layout.left + 10.0), layout.left + layout.track - 14.0)
            number, y = frame_number(round(tick, 6)), 0.5 * HEADER_PIXELS - 2.0
            text_at(painter, colours.faint, inner, y, number)

    def _paint_ends(self, painter: Any, layout: StripLayout) -> None:
        """Shade frames that do not play, with a line at each end, and mark the selected frames."""
        colours, right = self.colours, layout.width - layout.right
        if self._played is not None:
            first, last = (layout.x(frame) for frame in self._played)
            for a, b in ((layout.left, first), (last, right)):
                if b > a:
                    fill(painter, tint(colours.plate, 0.7), a, 0.0, b - a, layout.height)
            for x in (first, last):
                if layout.left <= x <= right:
                    stroke(painter, colours.focus, 1.5, x, 0.0, x, layout.height)
        if self._choice is not None:
            half, (first, last) = 0.5 * self._rows.step, sorted(self._choice)
            a, b = layout.x(first - half), layout.x(last + half)
            area = QtCore.QRectF(a, 2.0, max(b - a, 1.0), layout.height - 4.0)
            painter.fillRect(area, tint(colours.focus, 0.25))
            painter.setPen(pen(colours.focus, 1.5, (3.0, 2.0)))
            painter.drawRect(area)

    def _paint_playhead(self, painter: Any, layout: StripLayout, frame: float) -> None:
        """Paint a line with the frame number in a flag; if out of view, an arrow at the edge."""
        x, words, colours = layout.x(frame), frame_number(frame), self.colours
        half = 0.5 * QtGui.QFontMetricsF(painter.font()).horizontalAdvance(words) + 5.0
        low, high = layout.left, layout.left + layout.track
        if low - 0.5 <= x <= high + 0.5:
            stroke(painter, colours.pose, 1.6, x, HEADER_PIXELS - 4, x, layout.height)
        else:
            words = f"◀ {words}" if x < low else f"{words} ▶"
            half += 9.0
        middle = min(max(x, low + half - 4.0), high - half + 4.0)
        flag = QtCore.QRectF(middle - half, 2.0, 2.0 * half, HEADER_PIXELS - 6.0)
        text_plate(painter, flag, colours.pose, colours.ground, words)

    def resizeEvent(self, event: Any) -> None:
        """Keep the scroll bar at the right edge."""
        self._place_bar()
        super().resizeEvent(event)

    def _place_bar(self) -> None:
        layout = StripLayout(self.width(), self.height(), self.span, self._rows)
        wide, top = self._bar.sizeHint().width(), int(HEADER_PIXELS)
        self._bar.setGeometry(self.width() - wide, top, wide, self.height() - top)
        self._bar.setRange(0, int(np.ceil(layout.max_scroll)))
        self._bar.setPageStep(max(self.height() - top, 1))
        self._bar.setSingleStep(int(layout.row_pixels))
        self._bar.setVisible(layout.max_scroll > 0.0)

    def words_at(self, x: float, y: float) -> str:
        """Description of the row, frame, value and degrees outside the limits at a pixel."""
        layout, rows = self.layout_now, self._rows
        row = layout.row(y)
        if not rows.count or not len(rows.frames):
            return ""
        if x < layout.left:
            return "" if row is None else rows.labels[row]
        at = rows.nearest(layout.frame(x))
        words = f"frame {frame_number(float(rows.frames[at]))}"
        if row is None:
            return words
        words = f"{rows.labels[row]}, {words}"
        if rows.values is not None and np.isfinite(rows.values[row, at]):
            value = float(rows.values[row, at])
            words += f": {millimetres(value) if rows.is_gap(row) else degrees(value)}"
        mark = layout.mark_at(row, x)
        if mark is not None:
            words += f", {mark.text}"
        if rows.outside_deg[row, at] > TOLERANCE_DEG:
            words += f", {degrees(float(rows.outside_deg[row, at]))} outside"
        return words

    def mousePressEvent(self, event: Any) -> None:
        """Go to a frame, start selecting frames or panning, or select a row."""
        x, y = place(event)
        layout, buttons = self.layout_now, Qt.MouseButton
        if not len(self._rows.frames):
            return
        if event.button() == buttons.MiddleButton:
            self._drag, self._last_x = "pan", x
        elif event.button() == buttons.LeftButton and x < layout.left:
            row = layout.row(y)
            if row is not None:
                self._choose_row(row)
        elif event.button() == buttons.LeftButton:
            mark = layout.mark_at(layout.row(y), x)
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
        if self._drag == "scrub" and self._frame_at(x) != self._frame:
            self._go(self._frame_at(x))
        elif self._drag == "choose" and self._choice is not None:
            self._choice = (self._choice[0], self._frame_at(x))
            self.update()
        elif self._drag == "pan":
            frames = (self._last_x - x) / self.layout_now.pixels_per_frame
            self._look(self.span.pan(self._rows.whole, frames))
            self._last_x = x
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: Any) -> None:
        """Emit the selected frames."""
        choice, self._choice, self._drag = self._choice, None, ""
        if choice is not None:
            self.range_chosen.emit(*sorted(choice))
            self.update()

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Show all frames again."""
        self._look(self._rows.whole)

    def wheelEvent(self, event: Any) -> None:
        """Zoom the frames, or pan them with Shift; over the names, scroll the rows."""
        point, turn = event.position(), event.angleDelta()
        layout, whole = self.layout_now, self._rows.whole
        amount = turn.y() or turn.x()
        if point.x() < layout.left and self._bar.isVisibleTo(self):
            rows = amount / 120.0 * self.layout_now.row_pixels
            self._bar.setValue(int(self._bar.value() - rows))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not turn.y():
            self._look(self.span.pan(whole, -amount / 120.0 * 0.1 * self.span.length))
        else:
            self._look(self.span.zoom_at(whole, 1.0015**amount, layout.frame(point.x())))
        event.accept()

    def _look(self, span: Span) -> None:
        self.span = span
        self.update()

    def _frame_at(self, x: float) -> float:
        return float(self._rows.frames[self._rows.nearest(self.layout_now.frame(x))])

    def _go(self, frame: float) -> None:
        self._frame = frame
        self._look(self.span.scroll_to(self._rows.whole, frame))
        self.frame_asked.emit(frame)

    def _choose_row(self, row: int) -> None:
        self.set_row(row)
        self.row_clicked.emit(row)

    def keyPressEvent(self, event: Any) -> None:
        """Step with Left and Right, with Ctrl to the next stop; select a row with Up and Down."""
        keys, key, rows = Qt.Key, event.key(), self._rows
        middle = 0.5 * (self.span.first + self.span.last) if self._frame is None else self._frame
        if not len(rows.frames):
            super().keyPressEvent(event)
        elif key in (keys.Key_Left, keys.Key_Right):
            at, forwards = rows.nearest(middle), key == keys.Key_Right
            found: int | None = min(max(at + (1 if forwards else -1), 0), len(rows.frames) - 1)
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                found = rows.next_stop(at, forwards, TOLERANCE_DEG)
            if found is not None and (found != at or self._frame is None):
                self._go(float(rows.frames[found]))
        elif key in (keys.Key_Home, keys.Key_End):
            self._go(float(rows.frames[0 if key == keys.Key_Home else -1]))
        elif key in (keys.Key_Up, keys.Key_Down):
            step = 1 if key == keys.Key_Down else -1
            row = 0 if self._row is None else self._row + step
            self._choose_row(min(max(row, 0), rows.count - 1))
        elif key in (keys.Key_Plus, keys.Key_Equal, keys.Key_Minus):
            factor = 0.8 if key == keys.Key_Minus else 1.25
            self._look(self.span.zoom_at(rows.whole, factor, middle))
        elif key == keys.Key_Escape and self._choice is not None:
            self._choice, self._drag = None, ""
            self.update()
        else:
            super().keyPressEvent(event)
