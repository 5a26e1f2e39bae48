"""Painting of the angle dial: each part from its state and layout."""

from __future__ import annotations

from typing import Any

import numpy as np

from jointlimits_core.geometry import Integers
from jointlimits_core.limits import AxisLimit, range_digits, range_text

from ..toolkit import MINUS, Colours, Qt, QtCore, QtGui, degrees
from .base import pen, tinted
from .dial_layout import (
    MAX,
    MIN,
    DialLayout,
    DialState,
    knob_angle,
)

_LABELS = ((0.0, "0°"), (90.0, "90°"), (180.0, "180°"), (270.0, f"{MINUS}90°"))


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


def mark(painter: Any, layout: DialLayout, angle: float, inner: float, outer: float) -> None:
    """Paint a line across the ring at an angle."""
    a, b = layout.point(angle, inner), layout.point(angle, outer)
    painter.drawLine(QtCore.QPointF(*a), QtCore.QPointF(*b))


def text_at(painter: Any, x: float, y: float, words: str) -> None:
    """Paint text centred on a pixel."""
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
    painter.drawText(QtCore.QRectF(x - 60.0, y - 12.0, 120.0, 24.0), flags, words)


def paint_graduation(painter: Any, layout: DialLayout, colours: Colours, font: Any) -> None:
    """Paint marks every 30 degrees, with labels at the quarters."""
    painter.setPen(pen(colours.line, 1.2))
    ring = layout.ring
    for angle in range(0, 360, 30):
        depth = 0.24 if angle % 90 == 0 else 0.18
        mark(painter, layout, angle, ring * (1.0 - depth), ring * 0.89)
    if not has_room(layout):
        return
    painter.setFont(font)
    painter.setPen(pen(colours.faint))
    for quarter, words in _LABELS:
        half = 0.5 * QtGui.QFontMetricsF(font).horizontalAdvance(words) + 1.0
        x, y = layout.point(quarter, layout.text)
        high = 0.5 * QtGui.QFontMetricsF(font).height()
        x, y = min(max(x, half), 2.0 * layout.x - half), min(max(y, high), 2.0 * layout.y - high)
        # Space before the text; otherwise the spike at 0 would look like a minus.
        gap = QtCore.QRectF(x - half - 2.0, y - 0.7 * high, 2.0 * half + 4.0, 1.4 * high)
        painter.fillRect(gap, QtGui.QColor(colours.ground))
        text_at(painter, x, y, words)


def paint_spikes(painter: Any, layout: DialLayout, counts: Integers, colours: Colours) -> None:
    """Paint a spike for each part of the circle with samples, longer for more samples."""
    most = counts.max(initial=0)
    if most == 0:
        return
    # The cube root keeps one sample in ten thousand visible.
    shares = np.cbrt(counts / most)
    start, length = layout.spikes
    width = max(1.2 * layout.scale, 1.0)
    painter.setPen(pen(colours.samples, width))
    for piece in np.flatnonzero(counts):
        angle = float(piece) * 360.0 / len(counts)
        end = start + length * max(float(shares[piece]), 0.25)
        mark(painter, layout, angle, start, end)


def paint_range(painter: Any, layout: DialLayout, state: DialState, colours: Colours) -> None:
    """Paint gap, bands, and range: dotted, pale and thin, solid and thick."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    thick = max(6.5 * layout.scale, 4.0)
    if state.range is None:
        painter.setPen(pen(colours.interval, 0.5 * thick, (1.5, 1.0)))
        arc(painter, layout, layout.ring, (0.0, 360.0))
        return
    if state.gap is not None:
        painter.setPen(pen(colours.gap, max(2.0 * layout.scale, 1.4), (1.2, 2.0)))
        arc(painter, layout, layout.ring, state.gap)
    painter.setPen(pen(colours.band, 0.75 * thick))
    for band in state.bands:
        arc(painter, layout, layout.ring, band)
    low, high = state.range
    colour = colours.faint if state.state == "locked" else colours.interval
    painter.setPen(pen(colour, thick))
    if high > low:
        arc(painter, layout, layout.ring, (low, high))
    painter.setPen(pen(colour, max(2.4 * layout.scale, 1.8)))
    for angle in state.range:
        mark(painter, layout, angle, layout.ring - 8 * layout.scale, layout.ring + thick)


def paint_ghost(painter: Any, layout: DialLayout, state: DialState, colours: Colours) -> None:
    """Paint the measured range inside the ring, where the artist edited it."""
    if state.ghost is None:
        return
    width = max(2.0 * layout.scale, 1.5)
    radius = layout.ring - 5.5 * layout.scale - width
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colours.ghost, width, (3.0, 1.5)))
    arc(painter, layout, radius, state.ghost)
    painter.setPen(pen(colours.ghost, width))
    for angle in state.ghost:
        mark(painter, layout, angle, radius - 4 * layout.scale, radius + 4 * layout.scale)


def paint_poses(painter: Any, layout: DialLayout, state: DialState, colours: Colours) -> None:
    """Paint the rest pose as a diamond on the ring, the current pose as a needle."""
    if state.rest is not None:
        x, y = layout.point(state.rest, layout.ring)
        size = max(6.0 * layout.scale, 4.5)
        corners = ((0, -size), (size, 0), (0, size), (-size, 0))
        painter.setPen(pen(colours.ground, 1.2))
        painter.setBrush(QtGui.QColor(colours.rest))
        diamond = [QtCore.QPointF(x + dx, y + dy) for dx, dy in corners]
        painter.drawPolygon(QtGui.QPolygonF(diamond))
    if state.pose is None:
        return
    # A pose outside is marked by colour, by a thicker needle, and by text.
    out = state.outside(state.pose) > 0.05
    colour = colours.rest if out else colours.pose
    painter.setPen(pen(colour, max((3.0 if out else 1.8) * layout.scale, 1.4)))
    mark(painter, layout, state.pose, 0.42 * layout.ring, layout.ring)
    tip = layout.point(state.pose, layout.ring + 3.0 * layout.scale)
    sides = [layout.point(state.pose + d, layout.ring - 8.0 * layout.scale) for d in (-5, 5)]
    painter.setPen(pen(colours.ground, 0.8))
    painter.setBrush(QtGui.QColor(colour))
    painter.drawPolygon(QtGui.QPolygonF([QtCore.QPointF(*p) for p in (tip, *sides)]))


def paint_knobs(
    painter: Any, layout: DialLayout, state: DialState, active: str, colours: Colours
) -> None:
    """Paint the handles, with a minus on the minimum and a plus on the maximum."""
    if state.range is None or not state.editable:
        return
    for which in (MIN, MAX):
        angle = knob_angle(layout, state, which)
        x, y = layout.point(angle or 0.0, layout.knob_ring)
        middle, is_active = QtCore.QPointF(x, y), which == active
        painter.setPen(pen(colours.interval, 2.4 if is_active else 1.4))
        painter.setBrush(QtGui.QColor(colours.interval if is_active else colours.ground))
        painter.drawEllipse(middle, layout.knob, layout.knob)
        painter.setPen(pen(colours.ground if is_active else colours.interval, 1.8))
        arm = 0.5 * layout.knob
        painter.drawLine(QtCore.QPointF(x - arm, y), QtCore.QPointF(x + arm, y))
        if which == MAX:
            painter.drawLine(QtCore.QPointF(x, y - arm), QtCore.QPointF(x, y + arm))


def _fitted_text(state: DialState, room: float, font: Any) -> tuple[str, str]:
    """The two lines between the handles, in whole degrees and smaller where necessary."""
    for decimals in (1, 0):
        lines = range_lines(state, decimals)
        wide = max(QtGui.QFontMetricsF(font).horizontalAdvance(line) for line in lines)
        if wide <= room:
            return lines
    if font.pointSizeF() > 0:
        font.setPointSizeF(max(font.pointSizeF() * room / wide, 5.5))
    else:
        font.setPixelSize(max(int(font.pixelSize() * room / wide), 7))
    return lines


def range_lines(state: DialState, decimals: int = 1) -> tuple[str, str]:
    """Two lines about a range: its ends, and its width."""
    axis = AxisLimit(state.state, state.low, state.high)
    if state.range is None:
        return range_text(axis, decimals), ""
    low, high = state.range
    if low == high:
        return degrees(
            low, decimals
        ), "locked" if state.state == "locked" else f"{degrees(0.0, decimals)} wide"
    digits = range_digits(low, high, decimals)
    ends = f"{degrees(low, digits)} … {degrees(high, digits)}"
    if state.state == "locked":
        return ends, "locked"
    return ends, f"{degrees(high - low, digits)} wide"


def paint_centre(
    painter: Any, layout: DialLayout, state: DialState, colours: Colours, fonts: tuple[Any, Any]
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
    painter.setPen(pen(colours.ink))
    painter.setFont(large)
    text_at(painter, layout.x, layout.y - 0.85 * high, state.label)
    painter.setFont(small)
    text_at(painter, layout.x, layout.y + 0.35 * high, ends)
    painter.setPen(pen(colours.faint))
    text_at(painter, layout.x, layout.y + 1.35 * high, width)
