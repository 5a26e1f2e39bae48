"""How the cloud looks around its points: cube, shape of the limits, poses, legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.arrays import Floats

from ..geometry import space
from ..geometry.orbit import Stage
from ..palette import Colours, time_rgb
from ..qt import Qt, QtCore, QtGui
from ..words import MINUS, tr
from .picture import pen, tinted

_LETTERS = "XYZ"


def paint_cube(painter: Any, stage: Stage, colours: Colours, font: Any) -> None:
    """Sides behind, their grid, numbers and names of the axes."""
    painter.setPen(pen(colours.line))
    painter.setBrush(QtGui.QColor(colours.plate))
    for corners in space.panes(stage):
        painter.drawPolygon(polygon(corners))
    painter.setPen(pen(colours.line, 0.8))
    painter.drawLines(lines(space.grid(stage)))
    painter.setFont(font)
    for label in space.labels(stage):
        name = tr("about {axis}", axis=_LETTERS[label.axis])
        words = name if label.value is None else f"{label.value:g}°".replace("-", MINUS)
        painter.setPen(pen(colours.faint if label.value is not None else colours.ink))
        box = QtCore.QRectF(label.x - 40.0, label.y - 10.0, 80.0, 20.0)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, words)


def polygon(corners: Floats) -> Any:
    """Polygon of pixels, shape (corners, at least 2)."""
    return QtGui.QPolygonF([QtCore.QPointF(float(p[0]), float(p[1])) for p in corners])


def lines(segments: Floats) -> list[Any]:
    """Lines of pixels, shape (lines, 2, at least 2)."""
    return [QtCore.QLineF(float(a[0]), float(a[1]), float(b[0]), float(b[1])) for a, b in segments]


def paint_shape_behind(
    painter: Any, stage: Stage, edges: Floats, triangles: Floats, colours: Colours
) -> None:
    """Faces of the limits, and those of their edges that are behind the middle."""
    if len(triangles):
        path = QtGui.QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for corners in _one_way_round(stage.project(triangles)):
            path.addPolygon(polygon(corners))
            path.closeSubpath()
        painter.fillPath(path, tinted(colours.interval, 0.16))
    if len(edges):
        at = stage.project(edges)
        painter.setPen(pen(colours.interval, 1.2, (3.0, 2.0)))
        painter.drawLines(lines(at[at[:, :, 2].mean(axis=1) < 0.0]))


def _one_way_round(corners: Floats) -> Floats:
    """Triangles all turned the same way, so that together they fill without holes."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    turn = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return np.where((turn < 0.0)[:, None, None], corners[:, ::-1], corners)


def paint_shape_before(painter: Any, stage: Stage, edges: Floats, colours: Colours) -> None:
    """Edges of the limits that are before the middle."""
    if len(edges):
        at = stage.project(edges)
        painter.setPen(pen(colours.interval, 1.8, cap=Qt.PenCapStyle.RoundCap))
        painter.drawLines(lines(at[at[:, :, 2].mean(axis=1) >= 0.0]))


def paint_axes(painter: Any, stage: Stage, axes: Floats, colours: Colours) -> None:
    """Hinge axis, or both axes of a universal joint: a band with the ground's edge."""
    if len(axes):
        at = lines(stage.project(axes))
        round_cap = Qt.PenCapStyle.RoundCap
        for colour, width in ((colours.ground, 6.0), (colours.gap, 3.4)):
            painter.setPen(pen(colour, width, cap=round_cap))
            painter.drawLines(at)


def paint_rest(painter: Any, stage: Stage, rest: Floats, colours: Colours) -> None:
    """The rest pose: a diamond."""
    x, y = (float(value) for value in stage.project(rest)[:2])
    painter.setPen(pen(colours.ground, 1.4))
    painter.setBrush(QtGui.QColor(colours.rest))
    painter.drawPolygon(polygon(np.array([[x, y - 7], [x + 7, y], [x, y + 7], [x - 7, y]])))


def paint_pose(painter: Any, stage: Stage, pose: Floats, colours: Colours) -> None:
    """The current pose: a ring around a dot, with a line down to the floor."""
    floor = np.array(pose)
    floor[1] = stage.centre[1] - stage.half
    x, y = (float(value) for value in stage.project(pose)[:2])
    fx, fy = (float(value) for value in stage.project(floor)[:2])
    painter.setPen(pen(colours.pose, 1.0, (2.0, 2.0)))
    painter.drawLine(QtCore.QPointF(x, y), QtCore.QPointF(fx, fy))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((colours.ground, 5.0), (colours.pose, 2.2)):
        painter.setPen(pen(colour, width))
        painter.drawEllipse(QtCore.QPointF(x, y), 7.0, 7.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(colours.pose))
    painter.drawEllipse(QtCore.QPointF(x, y), 2.4, 2.4)


def paint_clip_legend(
    painter: Any, names: Sequence[tuple[str, str]], colours: Colours, font: Any
) -> None:
    """Colours of clips with their names, in the upper left corner."""
    painter.setFont(font)
    metrics = QtGui.QFontMetricsF(font)
    high = metrics.height() + 2.0
    for row, (colour, name) in enumerate(names):
        y = 8.0 + row * high
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(colour))
        painter.drawEllipse(QtCore.QPointF(14.0, y + 0.5 * high), 4.0, 4.0)
        painter.setPen(pen(colours.ink))
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, 170.0)
        painter.drawText(QtCore.QPointF(24.0, y + 0.5 * high + 0.32 * metrics.height()), shown)


def paint_time_legend(painter: Any, colours: Colours, font: Any) -> None:
    """Colours from the start of the motion to its end."""
    metrics = QtGui.QFontMetricsF(font)
    start, end = tr("start"), tr("end")
    left = 10.0 + metrics.horizontalAdvance(start) + 6.0
    ramp = QtGui.QLinearGradient(left, 0.0, left + 80.0, 0.0)
    for share in np.linspace(0.0, 1.0, 9):
        red, green, blue = (int(value) for value in time_rgb(share, colours))
        ramp.setColorAt(float(share), QtGui.QColor(red, green, blue))
    painter.fillRect(QtCore.QRectF(left, 10.0, 80.0, 8.0), QtGui.QBrush(ramp))
    painter.setFont(font)
    painter.setPen(pen(colours.ink))
    base = 14.0 + 0.32 * metrics.height()
    painter.drawText(QtCore.QPointF(10.0, base), start)
    painter.drawText(QtCore.QPointF(left + 86.0, base), end)
