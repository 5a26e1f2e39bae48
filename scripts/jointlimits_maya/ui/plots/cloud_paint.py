"""Painting around the points of the cloud, and a picture of a cube that the mouse turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry import Floats
from jointlimits_core.report.figures import ALONG, Stage, View, cube, orbited, panned, zoomed

from ..toolkit import MINUS, Colours, Qt, QtCore, QtGui, QtWidgets, time_rgb
from .base import CENTRED, DraggedPicture, lines, paint_pose_mark, pen, polygon, tinted

_LETTERS = "XYZ"
_NAME_PIXELS = 120.0
_ROOMY_PIXELS = 420.0
_BEYOND = 0.25
"""Extra length of a hinge's axis, as a fraction of its range."""


def paint_cube(painter: Any, stage: Stage, colours: Colours, font: Any) -> None:
    """Paint the back faces, their grid, numbers and axis names."""
    painter.setPen(pen(colours.line))
    painter.setBrush(QtGui.QColor(colours.plate))
    for corners in cube.panes(stage):
        painter.drawPolygon(polygon(corners))
    painter.setPen(pen(colours.line, 0.8))
    painter.drawLines(lines(cube.grid(stage)))
    painter.setFont(font)
    for label in cube.labels(stage):
        name = _LETTERS[label.axis]
        if min(stage.width, stage.height) >= _ROOMY_PIXELS:
            name = f"about {name}"
        words = name if label.value is None else f"{label.value:g}°".replace("-", MINUS)
        painter.setPen(pen(colours.faint if label.value is not None else colours.ink))
        _label(painter, stage, label, words)


def _label(painter: Any, stage: Stage, label: cube.TickLabel, words: str) -> None:
    """Paint text about a pixel, kept inside the picture."""
    half, high = 0.5 * QtGui.QFontMetricsF(painter.font()).horizontalAdvance(words) + 2.0, 10.0
    across, along = (high, half) if label.upright else (half, high)
    x = min(max(label.x, across), stage.width - across)
    y = min(max(label.y, along), stage.height - along)
    painter.save()
    painter.translate(x, y)
    painter.rotate(-90.0 if label.upright else 0.0)
    box = QtCore.QRectF(-half, -high, 2.0 * half, 2.0 * high)
    painter.drawText(box, CENTRED, words)
    painter.restore()


def paint_faces(painter: Any, stage: Stage, triangles: Floats, colours: Colours) -> None:
    """Paint the faces of the limits as one flat, opaque area, to be blended over the picture.

    Triangles are painted one by one without antialiasing: a single path takes twenty times as long.
    """
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(colours.interval))
    point = QtCore.QPointF
    for (ax, ay), (bx, by), (cx, cy) in stage.project(triangles)[..., :2].tolist():
        painter.drawConvexPolygon([point(ax, ay), point(bx, by), point(cx, cy)])


def paint_edges(
    painter: Any, stage: Stage, edges: Floats, colours: Colours, in_front: bool
) -> None:
    """Paint the edges of the limits in front of the centre, or dashed those behind it."""
    if not len(edges):
        return
    at = stage.project(edges)
    chosen = (at[:, :, 2].mean(axis=1) >= 0.0) == in_front
    behind = pen(colours.interval, 1.2, (3.0, 2.0))
    before = pen(colours.interval, 1.8, cap=Qt.PenCapStyle.RoundCap)
    painter.setPen(before if in_front else behind)
    painter.drawLines(lines(at[chosen]))


def paint_axes(painter: Any, stage: Stage, axes: Floats, colours: Colours) -> None:
    """Paint a hinge axis, or both axes of a universal joint, as bands, as samples lie on them."""
    if len(axes):
        painter.setPen(pen(colours.gap, 8.0, cap=Qt.PenCapStyle.RoundCap))
        painter.drawLines(lines(stage.project(axes)))


def paint_axes_before(painter: Any, stage: Stage, axes: Floats, colours: Colours) -> None:
    """Paint both ends of the same axes, longer than the bands, so that they stay visible."""
    if not len(axes):
        return
    run = _BEYOND * (axes[:, 1] - axes[:, 0])
    ends = np.concatenate([np.stack([axes[:, 0], axes[:, 0] - run], axis=1),
                           np.stack([axes[:, 1], axes[:, 1] + run], axis=1)])  # fmt: skip
    at = lines(stage.project(ends))
    for colour, width in ((colours.ground, 5.0), (colours.gap, 3.0)):
        painter.setPen(pen(colour, width, cap=Qt.PenCapStyle.RoundCap))
        painter.drawLines(at)


def paint_note(painter: Any, words: str, right: float, colours: Colours, font: Any) -> None:
    """Paint a line of text in the upper right corner, readable on any background."""
    metrics = QtGui.QFontMetricsF(font)
    wide = metrics.horizontalAdvance(words) + 8.0
    box = QtCore.QRectF(right - wide, 6.0, wide, metrics.height() + 2.0)
    _plate(painter, box, colours)
    painter.setFont(font)
    painter.setPen(pen(colours.faint))
    painter.drawText(box, CENTRED, words)


def _plate(painter: Any, box: Any, colours: Colours) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tinted(colours.ground, 0.7))
    painter.drawRoundedRect(box, 3, 3)


def paint_pose(painter: Any, stage: Stage, pose: Floats, colours: Colours) -> None:
    """Paint the mark of the current pose, with a line down to the floor."""
    floor = np.array(pose)
    floor[1] = stage.centre[1] - stage.half
    places = stage.project(np.stack([np.asarray(pose, dtype=np.float64), floor]))
    painter.setPen(pen(colours.pose, 1.0, (2.0, 2.0)))
    painter.drawLines(lines(places[None]))
    paint_pose_mark(painter, places[0], colours)


def paint_clip_legend(
    painter: Any, names: Sequence[tuple[str, str]], colours: Colours, font: Any
) -> None:
    """Paint the clip colours with their names, in the upper left corner."""
    painter.setFont(font)
    metrics = QtGui.QFontMetricsF(font)
    high = metrics.height() + 2.0
    wide = min(max(metrics.horizontalAdvance(name) for _, name in names), _NAME_PIXELS)
    _plate(painter, QtCore.QRectF(6.0, 6.0, wide + 24.0, len(names) * high + 4.0), colours)
    for row, (colour, name) in enumerate(names):
        y = 8.0 + row * high
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(colour))
        painter.drawEllipse(QtCore.QPointF(14.0, y + 0.5 * high), 4.0, 4.0)
        painter.setPen(pen(colours.ink))
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, _NAME_PIXELS)
        painter.drawText(QtCore.QPointF(24.0, y + 0.5 * high + 0.32 * metrics.height()), shown)


def paint_time_legend(painter: Any, colours: Colours, font: Any) -> None:
    """Paint the colours from the start to the end of the motion."""
    metrics = QtGui.QFontMetricsF(font)
    start, end = "start", "end"
    left = 10.0 + metrics.horizontalAdvance(start) + 6.0
    wide = left + 92.0 + metrics.horizontalAdvance(end) - 6.0
    _plate(painter, QtCore.QRectF(6.0, 4.0, wide, metrics.height() + 6.0), colours)
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


_KEY_TURN = 12.0


class SpacePicture(DraggedPicture):
    """Picture with a view; subclasses handle clicks and view changes."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = View()

    def set_view(self, view: View) -> None:
        """Set the view."""
        self.view = view
        self.update()

    def dragged_by(self, event: Any, dx: float, dy: float) -> None:
        """Turn; pan with the middle button or the shift key."""
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift or event.buttons() & Qt.MouseButton.MiddleButton:
            side = min(self.width(), self.height())
            self.set_view(panned(self.view, dx / side, dy / side))
        else:
            self.set_view(orbited(self.view, dx, dy))

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Show everything again."""
        self.set_view(View())

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the mouse position."""
        turn = event.angleDelta().y()
        point = event.position()
        side = min(self.width(), self.height())
        x, y = (point.x() - 0.5 * self.width()) / side, (point.y() - 0.5 * self.height()) / side
        self.set_view(zoomed(self.view, 1.0015**turn, x, y))
        event.accept()

    def keyPressEvent(self, event: Any) -> None:
        """Arrows turn, + and - zoom, X, Y, Z look along an axis, Home shows everything."""
        keys, key = Qt.Key, event.key()
        turns = {
            keys.Key_Left: (-_KEY_TURN, 0.0),
            keys.Key_Right: (_KEY_TURN, 0.0),
            keys.Key_Up: (0.0, -_KEY_TURN),
            keys.Key_Down: (0.0, _KEY_TURN),
        }
        along = {keys.Key_X: "X", keys.Key_Y: "Y", keys.Key_Z: "Z"}
        if key in turns:
            self.set_view(orbited(self.view, *turns[key]))
        elif key in along:
            self.set_view(ALONG[along[key]])
        elif key in (keys.Key_Plus, keys.Key_Equal):
            self.set_view(zoomed(self.view, 1.2))
        elif key == keys.Key_Minus:
            self.set_view(zoomed(self.view, 1.0 / 1.2))
        elif key == keys.Key_Home:
            self.set_view(View())
        else:
            super().keyPressEvent(event)
