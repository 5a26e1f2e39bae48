"""Time strip: every channel over time, parts outside the limits, and the current frame."""

from __future__ import annotations

from typing import Any

from ..geometry.strip import Span, mark_at, span_panned, span_showing, span_zoomed, whole_span
from ..geometry.strip_rows import marked_frames, nearest_frame, next_outside
from ..qt import Qt, QtWidgets, Signal, place
from .strip_picture import StripPicture


class TimeStrip(StripPicture):
    """Rows of frames, navigated by mouse and keyboard."""

    frame_asked = Signal(float)
    """Frame of the source to go to: a click, a drag, a key."""
    row_clicked = Signal(int)
    """A row was selected, by its name or with the arrow keys."""
    range_chosen = Signal(float, float)
    """First and last frame of a Shift-drag."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._drag = ""
        self._last_x = 0.0

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
            mark = mark_at(layout, self._rows, layout.row(y), x)
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
            self._look(span_panned(self.span, whole_span(self._rows), frames))
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
        self._look(whole_span(self._rows))

    def wheelEvent(self, event: Any) -> None:
        """Zoom; over the names scroll the rows; with Shift pan the frames."""
        point, turn = event.position(), event.angleDelta()
        layout, whole = self.layout_now, whole_span(self._rows)
        amount = turn.y() or turn.x()
        if point.x() < layout.left and self._bar.isVisibleTo(self):
            self._bar.setValue(int(self._bar.value() - amount / 120.0 * layout.row_pixels))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not turn.y():
            self._look(span_panned(self.span, whole, -amount / 120.0 * 0.1 * self.span.length))
        else:
            frame = layout.frame(point.x())
            self._look(span_zoomed(self.span, whole, 1.0015**amount, frame))
        event.accept()

    def _look(self, span: Span) -> None:
        self.span = span
        self.update()

    def _frame_at(self, x: float) -> float:
        rows = self._rows
        return float(rows.frames[nearest_frame(rows.frames, self.layout_now.frame(x))])

    def _go(self, frame: float) -> None:
        self._frame = frame
        self._look(span_showing(self.span, whole_span(self._rows), frame))
        self.frame_asked.emit(frame)

    def _choose_row(self, row: int) -> None:
        self.set_row(row)
        self.row_clicked.emit(row)

    # --- keyboard -------------------------------------------------------------------------------

    def keyPressEvent(self, event: Any) -> None:
        """Left and Right step, with Ctrl to the next place outside; Up and Down select a row."""
        keys, key, rows = Qt.Key, event.key(), self._rows
        whole = whole_span(rows)
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
            self._look(span_zoomed(self.span, whole, 1.25, middle))
        elif key == keys.Key_Minus:
            self._look(span_zoomed(self.span, whole, 0.8, middle))
        elif key == keys.Key_Escape and self._choice is not None:
            self._choice, self._drag = None, ""
            self.update()
        else:
            super().keyPressEvent(event)

    def _step(self, forwards: bool, far: bool, frame: float) -> None:
        frames = self._rows.frames
        at = nearest_frame(frames, frame)
        if far:
            found = next_outside(self._outside, at, forwards, marked_frames(self._rows))
        else:
            found = min(max(at + (1 if forwards else -1), 0), len(frames) - 1)
        if found is not None and (found != at or self._frame is None):
            self._go(float(frames[found]))
