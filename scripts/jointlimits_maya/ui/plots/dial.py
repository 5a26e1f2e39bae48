"""Angle dial for one channel: samples, range, gap, rest pose, and two draggable handles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike
from jointlimits_core.limits.vocabulary import degrees, range_digits, range_text
from jointlimits_core.report.figures import circle

from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets, Signal, global_place, place
from ..toolkit.words import counted
from .base import Picture, fill, lines, paint_handle, paint_rest_mark, pen, polygon, text_at, tint
from .dial_layout import MAX, MIN, ChannelState, DialLayout, turn_between

MIN_LABELLED_RING = 45.0
"""Minimum ring radius, in pixels, at which a dial has labels."""
QUARTER_RADIUS = 90.0
"""Radius of the degree labels, in drawing units; they lie among the spikes."""
COARSE_DEG, FINE_DEG = 1.0, 0.1
MAX_LARGER = 1.8
"""Maximum factor by which text grows in a large dial."""


def range_lines(state: ChannelState) -> tuple[str, str]:
    """Two lines about a range: its ends, and its width."""
    if state.range is None:
        return range_text(state.axis), ""
    low, high = state.range
    digits = range_digits(low, high)
    ends = degrees(low, digits)
    if low != high:
        ends += f" … {degrees(high, digits)}"
    return ends, "locked" if state.state == "locked" else f"{degrees(high - low, digits)} wide"


def state_words(state: ChannelState) -> str:
    """Content of a dial, for screen readers."""
    words = range_text(state.axis)
    if state.ghost is not None:
        low, high = (degrees(end) for end in state.ghost)
        words += f"; measured {low} to {high}"
    if state.rest is not None:
        words += f"; rest pose {degrees(state.rest)}"
    if state.pose is not None:
        words += f"; current pose {degrees(state.pose)}"
        if state.degrees_outside(state.pose) > 0.05:
            words += f", {degrees(state.degrees_outside(state.pose))} outside"
    return words


@dataclass
class _Drag:
    """A drag in progress: its handle, initial state, last pointer angle and total rotation."""

    which: str
    before: ChannelState
    pointer_deg: float
    turned_deg: float = 0.0


class AngleDial(Picture):
    """A dial; :class:`ChannelState` describes its content."""

    bound_dragged = Signal(str, float)
    """Limit ("min" or "max") and its preview value during a drag."""
    bound_set = Signal(str, float)
    """Emitted once, with the same values, when the handle is released: one undo step."""
    drag_cancelled = Signal(str)
    """Esc was pressed during a drag; the limit is restored."""
    bound_nudged = Signal(str, float)
    """A key or the wheel moved a limit; nudges in quick succession are one undo step."""
    bound_pointed = Signal(str)
    """The handle under the mouse, "min" or "max"; "" if there is none."""
    bound_asked = Signal(str)
    """A double click or Enter requests the source of a limit."""

    what = (
        "The rotation about one axis as a circle: zero at the right, anticlockwise positive. "
        "Spikes show the motion: the longer, the more often an angle occurred. The thick arc is "
        "the allowed range, the dotted arc was never reached, and the pale ends show how far "
        "more motion might widen the range. The diamond is the rest pose, the needle the "
        "current pose. A dashed inner arc is the measured range, if you edited the limits.\n"
        "Drag the handles − and +: they snap to the extremes of the motion unless Alt is held. "
        "Arrow keys or the wheel move the selected handle by one degree, or by a tenth with "
        "Shift; Space selects the other handle. A double click or Enter goes to the frame that "
        "a limit comes from."
    )
    usual_size, min_size = (230, 230), (120, 120)

    def __init__(self) -> None:
        super().__init__()
        self.state = ChannelState()
        """Current content, including a drag in progress."""
        self._counts = np.zeros(360 // circle.BIN_DEG, dtype=np.int64)
        self._snaps: tuple[float, ...] = ()
        self._active = MIN
        self._drag: _Drag | None = None
        self._hand = ""

    def set_samples(self, angles_deg: ArrayLike) -> None:
        """Set the samples of a channel, on the Euler branch of the limits; needed once per joint.

        Handles snap to the two extremes of the samples.
        """
        angles = np.asarray(angles_deg, dtype=np.float64)
        angles = angles[np.isfinite(angles)]
        self._counts = circle.counts_on_circle(angles)
        self._layers.clear()
        self._snaps = (float(angles.min()), float(angles.max())) if len(angles) else ()
        self.update()

    def show_state(self, state: ChannelState) -> None:
        """Show a state; a drag in progress keeps its value."""
        if self._drag is not None:
            bound = self.state.bound_deg(self._drag.which)
            state = state if bound is None else state.move_bound(self._drag.which, bound)
        self.state = state
        self.setAccessibleName(f"Angle dial for {state.label}")
        self.setAccessibleDescription(state_words(state))
        self.update()

    @property
    def layout_now(self) -> DialLayout:
        """Layout at the current size."""
        return DialLayout(self.width(), self.height())

    def paint(self, painter: Any) -> None:
        """Paint samples and range, then the poses, which alone move while the clip plays."""
        layout, state = self.layout_now, self.state
        key = replace(state, pose=None)
        painter.drawImage(0, 0, self.layer("range", key, self._paint_circle))
        self._paint_poses(painter, layout, state)
        self._paint_centre(painter, layout, state)
        active = self._active if self.hasFocus() or self._drag else self._hand
        own = self.colours.of_channel(state.label)
        for which in (MIN, MAX):
            angle = layout.knob_angle(state, which)
            if angle is not None:
                at, is_active = layout.point(angle, layout.knob_ring), which == active
                paint_handle(painter, at, layout.knob, own, self.colours, which == MAX, is_active)

    def _paint_circle(self, painter: Any) -> None:
        layout, colours, state = self.layout_now, self.colours, self.state
        painter.setPen(pen(colours.samples, max(1.2 * layout.scale, 1.0)))
        self._paint_marks(painter, *circle.spikes(self._counts))
        painter.setPen(pen(colours.line, 1.2))
        self._paint_marks(painter, *circle.dial_ticks())
        if layout.ring >= MIN_LABELLED_RING:
            self._paint_quarters(painter, layout)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._paint_range(painter, layout, state)
        if state.ghost is not None:
            width = max(2.0 * layout.scale, 1.5)
            radius = circle.RING - 5.5 - width / layout.scale
            painter.setPen(pen(colours.ghost, width, (3.0, 1.5)))
            self._paint_arc(painter, radius * layout.scale, *state.ghost)
            painter.setPen(pen(colours.ghost, width))
            ends = ((angle, radius - 4.0, radius + 4.0) for angle in state.ghost)
            self._paint_marks(painter, *ends)

    def _paint_marks(self, painter: Any, *marks: circle.RadialLine) -> None:
        """Paint radial lines, each (angle, inner radius, outer radius) in drawing units."""
        if not marks:
            return
        layout = self.layout_now
        angles, *radii = np.array(marks).T
        across = np.radians(angles)
        way = layout.scale * np.stack([np.cos(across), -np.sin(across)], axis=1)
        ends = [way * radius[:, None] + (layout.x, layout.y) for radius in radii]
        painter.drawLines(lines(np.stack(ends, axis=1)))

    def _paint_arc(self, painter: Any, radius: float, start: float, end: float) -> None:
        """Paint an arc anticlockwise from `start` to `end`, at most a full circle."""
        layout = self.layout_now
        box = QtCore.QRectF(layout.x - radius, layout.y - radius, 2.0 * radius, 2.0 * radius)
        path = QtGui.QPainterPath()
        path.arcMoveTo(box, start)
        path.arcTo(box, start, min(end - start, 360.0))
        painter.drawPath(path)

    def _paint_quarters(self, painter: Any, layout: DialLayout) -> None:
        font = self.small_font(0.8 * min(max(layout.scale, 1.0), 1.3))
        painter.setFont(font)
        metrics = QtGui.QFontMetricsF(font)
        high = 0.5 * metrics.height()
        for quarter, words in circle.QUARTERS:
            half = 0.5 * metrics.horizontalAdvance(words) + 1.0
            x, y = layout.point(quarter, QUARTER_RADIUS * layout.scale)
            x, y = min(max(x, half), layout.width - half), min(max(y, high), layout.height - high)
            # Gap before the text; otherwise the spike at 0 would look like a minus sign.
            gap = (x - half - 2.0, y - 0.7 * high, 2.0 * half + 4.0, 1.4 * high)
            fill(painter, self.colours.ground, *gap)
            text_at(painter, self.colours.faint, x, y, words)

    def _paint_range(self, painter: Any, layout: DialLayout, state: ChannelState) -> None:
        """Paint the gap dotted, the bands pale and thin, and the range solid and thick."""
        colours, thick = self.colours, max(6.5 * layout.scale, 4.0)
        own = colours.of_channel(state.label)
        colour = colours.faint if state.state == "locked" else own
        pens = {
            "free": pen(own, 0.5 * thick, (1.5, 1.0)),
            "gap": pen(colours.gap, max(2.0 * layout.scale, 1.4), (1.2, 2.0)),
            "band": pen(tint(own, 0.4), 0.75 * thick),
            "interval": pen(colour, thick),
        }
        for kind, start, end in circle.dial_arcs(state.axis, state.bands):
            painter.setPen(pens[kind])
            self._paint_arc(painter, layout.ring, start, end)
        painter.setPen(pen(colour, max(2.4 * layout.scale, 1.8)))
        ends = ((angle, *circle.END_MARK) for angle in circle.limit_angles(state.axis))
        self._paint_marks(painter, *ends)

    def _paint_poses(self, painter: Any, layout: DialLayout, state: ChannelState) -> None:
        colours = self.colours
        if state.rest is not None:
            at, size = layout.point(state.rest, layout.ring), max(6.0 * layout.scale, 4.5)
            paint_rest_mark(painter, at, colours, size, 1.2)
        if state.pose is None:
            return
        # A pose outside the range is marked by colour, by a thicker needle, and by text.
        out = state.degrees_outside(state.pose) > 0.05
        colour = colours.alarm if out else colours.pose
        painter.setPen(pen(colour, max((3.0 if out else 1.8) * layout.scale, 1.4)))
        self._paint_marks(painter, (state.pose, 0.42 * circle.RING, circle.RING))
        tip = layout.point(state.pose, layout.ring + 3.0 * layout.scale)
        sides = [layout.point(state.pose + d, layout.ring - 8.0 * layout.scale) for d in (-5, 5)]
        painter.setPen(pen(colours.ground, 0.8))
        painter.setBrush(QtGui.QColor(colour))
        painter.drawPolygon(polygon((tip, *sides)))

    def _paint_centre(self, painter: Any, layout: DialLayout, state: ChannelState) -> None:
        """Paint the channel's name and range on a plate, so that the needle crosses neither."""
        colours, larger = self.colours, min(max(layout.scale, 1.0), MAX_LARGER)
        painter.setFont(self.small_font(1.15 * larger, bold=True))
        if layout.ring < MIN_LABELLED_RING:
            text_at(painter, colours.ink, layout.x, layout.y, state.label)
            return
        ends, width = range_lines(state)
        room = 2.0 * (layout.knob_ring - layout.knob) - 4.0
        small = self.small_font(0.85 * larger)
        wide = max(map(QtGui.QFontMetricsF(small).horizontalAdvance, (ends, width)))
        if wide > room:
            small = self.small_font(0.85 * larger * room / wide)
        metrics = QtGui.QFontMetricsF(small)
        high = metrics.height()
        half = 0.5 * max(metrics.horizontalAdvance(ends), 30.0) + 4.0
        plate = (layout.x - half, layout.y - 1.6 * high, 2.0 * half, 3.5 * high)
        fill(painter, tint(colours.ground, 0.85), *plate)
        own = colours.of_channel(state.label)
        text_at(painter, own, layout.x, layout.y - 0.85 * high, state.label)
        painter.setFont(small)
        text_at(painter, own, layout.x, layout.y + 0.35 * high, ends)
        text_at(painter, colours.faint, layout.x, layout.y + 1.35 * high, width)

    def words_at(self, x: float, y: float) -> str:
        """Description of the handle at a pixel, or of the angle there and its samples."""
        layout, state = self.layout_now, self.state
        which = layout.handle_at(state, x, y)
        if which:
            return self._bound_words(which)
        radius = float(np.hypot(x - layout.x, y - layout.y)) / layout.scale
        if not 0.7 * circle.RING <= radius <= 1.15 * (circle.SPIKE_START + circle.SPIKE_LENGTH):
            return ""
        angle = layout.angle(x, y)
        count = int(self._counts[int(np.floor(angle / circle.BIN_DEG + 0.5)) % len(self._counts)])
        words = counted(count, "sample")
        outside = state.degrees_outside(angle)
        end = f", {degrees(outside)} outside" if outside > 0.0 else ""
        return f"{degrees(angle)}: {words}{end}"

    def _bound_words(self, which: str) -> str:
        state = self.state
        value = degrees(state.bound_deg(which) or 0.0)
        source = state.low_words if which == MIN else state.high_words
        text = f"{'Minimum' if which == MIN else 'Maximum'} {value}"
        return f"{text}: {source}" if source else text

    def mousePressEvent(self, event: Any) -> None:
        """Grab a handle."""
        x, y = place(event)
        which = self.layout_now.handle_at(self.state, x, y)
        if event.button() != Qt.MouseButton.LeftButton or not which:
            event.ignore()
            return
        self._active = which
        self._drag = _Drag(which, self.state, self.layout_now.angle(x, y))
        self.update()

    def mouseMoveEvent(self, event: Any) -> None:
        """Turn the dragged handle with the pointer, or describe what is under the pointer."""
        x, y = place(event)
        drag = self._drag
        if drag is None:
            hand = self.layout_now.handle_at(self.state, x, y)
            if hand != self._hand:
                self._point(hand)
                shape = Qt.CursorShape
                self.setCursor(shape.OpenHandCursor if hand else shape.ArrowCursor)
                self.update()
            super().mouseMoveEvent(event)
            return
        pointer = self.layout_now.angle(x, y)
        drag.turned_deg += turn_between(drag.pointer_deg, pointer)
        drag.pointer_deg = pointer
        value = (drag.before.bound_deg(drag.which) or 0.0) + drag.turned_deg
        if not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            value = self.layout_now.snap(value, self._snaps)
        value = drag.before.clamp(drag.which, value)
        if value != self.state.bound_deg(drag.which):
            self._move(drag.which, value)
            self.bound_dragged.emit(drag.which, value)
            self.say(self._bound_words(drag.which))
            QtWidgets.QToolTip.showText(global_place(event), degrees(value), self)

    def _point(self, hand: str) -> None:
        self._hand = hand
        self.bound_pointed.emit(hand)

    def leaveEvent(self, event: Any) -> None:
        """Report that no handle is under the mouse."""
        if self._hand and self._drag is None:
            self._point("")
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: Any) -> None:
        """End a drag, and emit the value if it has changed."""
        drag, self._drag = self._drag, None
        if drag is None:
            event.ignore()
            return
        value = self.state.bound_deg(drag.which)
        if value is not None and value != drag.before.bound_deg(drag.which):
            self.bound_set.emit(drag.which, value)
        self.update()

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Request the frame that a limit comes from."""
        which = self.layout_now.handle_at(self.state, *place(event))
        if which:
            self.bound_asked.emit(which)

    def wheelEvent(self, event: Any) -> None:
        """Nudge the active handle; without keyboard focus, leave the wheel to the panel."""
        turn = event.angleDelta().y() or event.angleDelta().x()
        if not self.hasFocus() or self.state.range is None or not turn:
            event.ignore()
            return
        self._nudge(1.0 if turn > 0 else -1.0, event.modifiers())
        event.accept()

    def is_own_key(self, event: Any) -> bool:
        """Keep Esc from shortcuts while a handle is dragged."""
        return self._drag is not None and event.key() == Qt.Key.Key_Escape

    def keyPressEvent(self, event: Any) -> None:
        """Arrows nudge, Space toggles, Home and End snap, Enter goes to the frame, Esc cancels."""
        key, keys = event.key(), Qt.Key
        if self._drag is not None and self.is_own_key(event):
            drag, self._drag = self._drag, None
            self._move(drag.which, drag.before.bound_deg(drag.which) or 0.0)
            self.drag_cancelled.emit(drag.which)
        elif key in (keys.Key_Right, keys.Key_Up):
            self._nudge(1.0, event.modifiers())
        elif key in (keys.Key_Left, keys.Key_Down):
            self._nudge(-1.0, event.modifiers())
        elif key in (keys.Key_Home, keys.Key_End):
            bound, is_up = self.state.bound_deg(self._active), key == keys.Key_End
            if bound is not None and self._drag is None:
                beyond = [
                    at for at in self._snaps if (at > bound + 1e-6 if is_up else at < bound - 1e-6)
                ]
                if beyond:
                    self._apply_value(min(beyond) if is_up else max(beyond))
        elif key == keys.Key_Space:
            self._active = MAX if self._active == MIN else MIN
            self.say(self._bound_words(self._active))
            self.update()
        elif key in (keys.Key_Return, keys.Key_Enter) and self.state.range is not None:
            self.bound_asked.emit(self._active)
        else:
            super().keyPressEvent(event)

    def _nudge(self, steps: float, modifiers: Any) -> None:
        bound = self.state.bound_deg(self._active)
        if bound is None or self._drag is not None:
            return
        fine = modifiers & Qt.KeyboardModifier.ShiftModifier
        self._apply_value(bound + steps * (FINE_DEG if fine else COARSE_DEG))

    def _apply_value(self, value: float) -> None:
        value = self.state.clamp(self._active, round(value, 9))
        if value != self.state.bound_deg(self._active):
            self._move(self._active, value)
            self.bound_nudged.emit(self._active, value)

    def _move(self, which: str, value: float) -> None:
        self.state = self.state.move_bound(which, value)
        self.setAccessibleDescription(state_words(self.state))
        self.update()
