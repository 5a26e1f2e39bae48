"""Painting of the angle dial."""

from __future__ import annotations

from typing import Any

import numpy as np

from jointlimits_core.geometry import Integers
from jointlimits_core.limits import range_digits, range_text
from jointlimits_core.report.figures import (
    END_MARK,
    QUARTERS,
    RING,
    RadialLine,
    dial_arcs,
    dial_ticks,
    limit_angles,
    spikes,
)

from ..toolkit import Colours, Qt, QtCore, QtGui, degrees
from .base import lines, paint_rest_mark, pen, polygon, text_at, tinted
from .dial_layout import MAX, MIN, QUARTER_RADIUS, ChannelState, DialLayout, knob_angle

_LEAST_RING = 45.0


def has_room(layout: DialLayout) -> bool:
    """Whether labels are readable on a dial of this size; smaller ones have none."""
    return layout.ring >= _LEAST_RING


def ring_box(layout: DialLayout, radius: float) -> Any:
    """Bounding square of a circle of the dial."""
    return QtCore.QRectF(layout.x - radius, layout.y - radius, 2.0 * radius, 2.0 * radius)


def arc(painter: Any, layout: DialLayout, radius: float, stretch: tuple[float, float]) -> None:
    """Paint an arc from one angle anticlockwise to another, at most a full circle."""
    start, end = stretch
    span = min(end - start, 360.0)
    path = QtGui.QPainterPath()
    box = ring_box(layout, radius)
    path.arcMoveTo(box, start)
    path.arcTo(box, start, span)
    painter.drawPath(path)


def mark(painter: Any, layout: DialLayout, *marks: RadialLine) -> None:
    """Paint lines across the ring: angle, inner and outer radius in units of the drawing."""
    if not marks:
        return
    angles, *radii = np.array(marks).T
    across = np.radians(angles)
    way = layout.scale * np.stack([np.cos(across), -np.sin(across)], axis=1)
    ends = [way * radius[:, None] + (layout.x, layout.y) for radius in radii]
    painter.drawLines(lines(np.stack(ends, axis=1)))


def paint_graduation(painter: Any, layout: DialLayout, colours: Colours, font: Any) -> None:
    """Paint marks every 30 degrees, with labels at the quarters."""
    painter.setPen(pen(colours.line, 1.2))
    mark(painter, layout, *dial_ticks())
    if not has_room(layout):
        return
    painter.setFont(font)
    painter.setPen(pen(colours.faint))
    for quarter, words in QUARTERS:
        half = 0.5 * QtGui.QFontMetricsF(font).horizontalAdvance(words) + 1.0
        x, y = layout.point(quarter, QUARTER_RADIUS * layout.scale)
        high = 0.5 * QtGui.QFontMetricsF(font).height()
        x, y = min(max(x, half), 2.0 * layout.x - half), min(max(y, high), 2.0 * layout.y - high)
        # Space before the text; otherwise the spike at 0 would look like a minus.
        gap = QtCore.QRectF(x - half - 2.0, y - 0.7 * high, 2.0 * half + 4.0, 1.4 * high)
        painter.fillRect(gap, QtGui.QColor(colours.ground))
        text_at(painter, x, y, words)


def paint_spikes(painter: Any, layout: DialLayout, counts: Integers, colours: Colours) -> None:
    """Paint a spike for each part of the circle with samples."""
    painter.setPen(pen(colours.samples, max(1.2 * layout.scale, 1.0)))
    mark(painter, layout, *spikes(counts))


def paint_range(painter: Any, layout: DialLayout, state: ChannelState, colours: Colours) -> None:
    """Paint gap, bands, and range: dotted, pale and thin, solid and thick."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    thick = max(6.5 * layout.scale, 4.0)
    own = colours.of_channel(state.label)
    colour = colours.faint if state.state == "locked" else own
    pens = {
        "free": pen(own, 0.5 * thick, (1.5, 1.0)),
        "gap": pen(colours.gap, max(2.0 * layout.scale, 1.4), (1.2, 2.0)),
        "band": pen(tinted(own, 0.4), 0.75 * thick),
        "interval": pen(colour, thick),
    }
    for kind, start, end in dial_arcs(state.axis, state.bands):
        painter.setPen(pens[kind])
        arc(painter, layout, layout.ring, (start, end))
    painter.setPen(pen(colour, max(2.4 * layout.scale, 1.8)))
    mark(painter, layout, *((angle, *END_MARK) for angle in limit_angles(state.axis)))


def paint_ghost(painter: Any, layout: DialLayout, state: ChannelState, colours: Colours) -> None:
    """Paint the measured range inside the ring, where the artist edited it."""
    if state.ghost is None:
        return
    width = max(2.0 * layout.scale, 1.5)
    radius = RING - 5.5 - width / layout.scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colours.ghost, width, (3.0, 1.5)))
    arc(painter, layout, radius * layout.scale, state.ghost)
    painter.setPen(pen(colours.ghost, width))
    mark(painter, layout, *((angle, radius - 4.0, radius + 4.0) for angle in state.ghost))


def paint_poses(painter: Any, layout: DialLayout, state: ChannelState, colours: Colours) -> None:
    """Paint the rest pose as a diamond on the ring, the current pose as a needle."""
    if state.rest is not None:
        at, size = layout.point(state.rest, layout.ring), max(6.0 * layout.scale, 4.5)
        paint_rest_mark(painter, at, colours, size, 1.2)
    if state.pose is None:
        return
    # A pose outside is marked by colour, by a thicker needle, and by text.
    out = state.outside(state.pose) > 0.05
    colour = colours.alarm if out else colours.pose
    painter.setPen(pen(colour, max((3.0 if out else 1.8) * layout.scale, 1.4)))
    mark(painter, layout, (state.pose, 0.42 * RING, RING))
    tip = layout.point(state.pose, layout.ring + 3.0 * layout.scale)
    sides = [layout.point(state.pose + d, layout.ring - 8.0 * layout.scale) for d in (-5, 5)]
    painter.setPen(pen(colours.ground, 0.8))
    painter.setBrush(QtGui.QColor(colour))
    painter.drawPolygon(polygon((tip, *sides)))


def paint_knobs(
    painter: Any, layout: DialLayout, state: ChannelState, active: str, colours: Colours
) -> None:
    """Paint the handles, with a minus on the minimum and a plus on the maximum."""
    if state.range is None or not state.editable:
        return
    own = colours.of_channel(state.label)
    for which in (MIN, MAX):
        angle = knob_angle(layout, state, which)
        x, y = layout.point(angle or 0.0, layout.knob_ring)
        middle, is_active = QtCore.QPointF(x, y), which == active
        painter.setPen(pen(own, 2.4 if is_active else 1.4))
        painter.setBrush(QtGui.QColor(own if is_active else colours.ground))
        painter.drawEllipse(middle, layout.knob, layout.knob)
        painter.setPen(pen(colours.ground if is_active else own, 1.8))
        arm = 0.5 * layout.knob
        painter.drawLine(QtCore.QPointF(x - arm, y), QtCore.QPointF(x + arm, y))
        if which == MAX:
            painter.drawLine(QtCore.QPointF(x, y - arm), QtCore.QPointF(x, y + arm))


def _fitted_text(state: ChannelState, room: float, font: Any) -> tuple[str, str]:
    """The two lines between the handles, smaller where necessary."""
    lines = range_lines(state)
    wide = max(QtGui.QFontMetricsF(font).horizontalAdvance(line) for line in lines)
    if wide <= room:
        return lines
    if font.pointSizeF() > 0:
        font.setPointSizeF(max(font.pointSizeF() * room / wide, 5.5))
    else:
        font.setPixelSize(max(int(font.pixelSize() * room / wide), 7))
    return lines


def range_lines(state: ChannelState, decimals: int = 1) -> tuple[str, str]:
    """Two lines about a range: its ends, and its width."""
    if state.range is None:
        return range_text(state.axis, decimals), ""
    low, high = state.range
    digits = range_digits(low, high, decimals)
    ends = degrees(low, digits)
    if low != high:
        ends += f" … {degrees(high, digits)}"
    return ends, "locked" if state.state == "locked" else f"{degrees(high - low, digits)} wide"


def paint_centre(
    painter: Any, layout: DialLayout, state: ChannelState, colours: Colours, fonts: tuple[Any, Any]
) -> None:
    """Paint the channel's name and range on a plate, so that the needle crosses neither."""
    large, small = fonts
    if not has_room(layout):
        painter.setPen(pen(colours.ink))
        painter.setFont(large)
        text_at(painter, layout.x, layout.y, state.label)
        return
    ends, width = _fitted_text(state, 2.0 * (layout.knob_ring - layout.knob) - 4.0, small)
    metrics = QtGui.QFontMetricsF(small)
    high = metrics.height()
    half = 0.5 * max(metrics.horizontalAdvance(ends), 30.0) + 4.0
    plate = QtCore.QRectF(layout.x - half, layout.y - 1.6 * high, 2.0 * half, 3.5 * high)
    painter.fillRect(plate, tinted(colours.ground, 0.85))
    painter.setPen(pen(colours.of_channel(state.label)))
    painter.setFont(large)
    text_at(painter, layout.x, layout.y - 0.85 * high, state.label)
    painter.setFont(small)
    text_at(painter, layout.x, layout.y + 0.35 * high, ends)
    painter.setPen(pen(colours.faint))
    text_at(painter, layout.x, layout.y + 1.35 * high, width)
