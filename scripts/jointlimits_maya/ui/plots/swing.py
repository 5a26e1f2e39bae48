"""Swing and twist of a ball joint: bone direction on a disc, twist on a strip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike, Floats
from jointlimits_core.limits.vocabulary import MINUS, degrees
from jointlimits_core.report.figures import swing as figure

from ..toolkit.palette import rgb
from ..toolkit.qt import Qt, QtCore, QtGui
from ..toolkit.words import counted
from . import base
from .base import fill, pen, polygon, stroke, text_at, tint

CELL_PIXELS = 2.0
MIN_OPACITY = 0.28
_HOVER_PIXELS = 9.0
MAX_REST_RATIO = 1.6
"""Maximum distance of a rest pose that the view includes, in multiples of the samples' extent."""


class SwingDisc(base.DraggedPicture):
    """Swing on a disc, seen along the bone, with the twist below."""

    what = (
        "A ball joint seen along its bone. On the disc, every pose is the direction of the "
        "bone: further from the centre means more swing, darker means more poses. The blue "
        "outline is what the limits allow. The strip below is the twist, the rotation of the "
        "bone about its long axis, with its range in blue. The diamond is the rest pose, the ring "
        "and the vertical line are the current pose.\n"
        "Wheel to zoom, drag to pan, double click to see everything; click to go to the frame "
        "of the nearest pose."
    )
    usual_size, min_size = (330, 390), (120, 100)
    title = "Swing and twist"

    def __init__(self) -> None:
        super().__init__()
        self.set_samples(np.zeros((0, 2)), np.zeros(0))

    def set_samples(
        self, swing: ArrayLike, twist: ArrayLike, names: tuple[str, str, str] = ("X", "Y", "Z")
    ) -> None:
        """Set the swing, (samples, 2), and the twist, (samples,), of all samples, in degrees.

        See :func:`jointlimits_core.report.figures.swing.swing_and_twist`. `names`: axis along the
        bone, and the two axes that it swings about. Removes limits and poses until they are set
        again.
        """
        self._names = names
        self._outlines: tuple[Floats, ...] = ()
        self._limits: tuple[float, float] | None = None
        self._rest: tuple[float, float, float] | None = None
        self._pose: tuple[float, float, float] | None = None
        both = np.column_stack([np.asarray(swing, dtype=np.float64).reshape(-1, 2), twist])
        self._indices = np.flatnonzero(np.isfinite(both).all(axis=1))
        kept = both[self._indices]
        self._swing, self._twist = kept[:, :2], kept[:, 2]
        self._counts = figure.twist_counts(self._twist)
        self._layers.clear()
        self.view = figure.DiscView(figure.reach_for(self._swing))
        count = len(self._swing)
        self.setAccessibleDescription(counted(count, "sample"))
        self.update()

    def set_limits(
        self, outlines: Sequence[ArrayLike], twist_range: tuple[float, float] | None
    ) -> None:
        """Set the limits: closed outlines of the swing, each (corners, 2), and a twist range."""
        self._outlines = tuple(np.asarray(one, dtype=np.float64) for one in outlines)
        self._limits = twist_range
        self.update()

    def set_rest(self, x: float | None, y: float = 0.0, twist: float = 0.0) -> None:
        """Set the rest pose: swing about both axes, and twist; None if there is none."""
        self._rest = None if x is None else (x, y, twist)
        reach = figure.reach_for(self._swing)
        if x is not None and math.hypot(x, y) <= MAX_REST_RATIO * reach:
            reach = max(reach, figure.reach_for(np.array([[x, y]])))
        self.view = figure.DiscView(reach)
        self.update()

    def set_pose(self, x: float | None, y: float = 0.0, twist: float = 0.0) -> None:
        """Set the current pose: swing about both axes, and twist; None if there is none."""
        self._pose = None if x is None else (x, y, twist)
        self.update()

    @property
    def layout_now(self) -> figure.DiscLayout:
        """Layout at the current size."""
        return figure.DiscLayout(self.view, self.width(), self.height())

    def paint(self, painter: Any) -> None:
        """Paint rings and samples, the limits, the poses, and the twist."""
        layout, colours = self.layout_now, self.colours
        # The part of the disc that is inside its area.
        path, window = QtGui.QPainterPath(), QtGui.QPainterPath()
        radius, side = layout.view.reach_deg * layout.pixels_per_degree, layout.radius + 1.0
        path.addEllipse(QtCore.QPointF(*layout.pixel((0.0, 0.0))), radius, radius)
        window.addEllipse(QtCore.QPointF(*layout.centre), side, side)
        path = path.intersected(window)
        painter.setFont(self.small_font(0.85))
        self._paint_rings(painter, layout, path)
        painter.save()
        painter.setClipPath(path)
        painter.drawImage(0, 0, self.cached_image("samples", self.view, self._density))
        self._paint_ring_numbers(painter, layout, path)
        painter.setPen(pen(colours.interval, 2.0))
        painter.setBrush(tint(colours.interval, 0.14))
        for outline in self._outlines:
            painter.drawPolygon(polygon(layout.pixel(outline)))
        painter.restore()
        # Marks are not cut off at the rim, but left out if their centre is beyond it.
        marks = (self._rest, base.paint_rest_mark), (self._pose, base.paint_pose_mark)
        for at, paint_mark in marks:
            if at is not None and layout.shows(at[:2]):
                paint_mark(painter, layout.pixel(at[:2]), colours)
        self._paint_twist(painter, layout)

    def _paint_rings(self, painter: Any, layout: figure.DiscLayout, path: Any) -> None:
        colours, middle = self.colours, QtCore.QPointF(*layout.pixel((0.0, 0.0)))
        painter.setPen(pen(colours.line))
        painter.setBrush(QtGui.QColor(colours.plate))
        painter.drawPath(path)
        painter.save()
        painter.setClipPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(colours.line, 0.9))
        for ring in figure.rings_of(layout):
            radius = ring * layout.pixels_per_degree
            painter.drawEllipse(middle, radius, radius)
        reach = layout.view.reach_deg * layout.pixels_per_degree
        for end in (QtCore.QPointF(reach, 0), QtCore.QPointF(0, reach)):
            painter.drawLine(middle - end, middle + end)
        painter.restore()
        (x, y), beside = layout.centre, layout.radius + 11.0
        for sign, words in ((1.0, "+"), (-1.0, MINUS)):
            text_at(painter, colours.ink, x + sign * beside, y, f"{words}{self._names[1]}")
            text_at(painter, colours.ink, x, y - sign * beside, f"{words}{self._names[2]}")

    def _paint_ring_numbers(self, painter: Any, layout: figure.DiscLayout, path: Any) -> None:
        metrics = QtGui.QFontMetricsF(painter.font())
        for ring in figure.rings_of(layout):
            x, y = (float(value) for value in layout.pixel(np.full(2, math.sqrt(0.5) * ring)))
            words = f"{ring:g}°"
            half = 0.5 * metrics.horizontalAdvance(words) + 2.0
            box = QtCore.QRectF(x - half, y - 0.5 * metrics.height(), 2 * half, metrics.height())
            if path.contains(box):
                plate = tint(self.colours.plate, 0.75)
                base.text_plate(painter, box, plate, self.colours.faint, words)

    def _density(self, width: int, height: int) -> Any:
        """Image of the sample density: more samples are darker, or lighter in dark windows."""
        layout, ratio = self.layout_now, self.ratio
        cell = max(round(CELL_PIXELS * ratio), 1)
        places = layout.pixel(self._swing) * ratio / cell
        counts = figure.density(places, width // cell + 1, height // cell + 1)
        share = np.log1p(counts) / max(np.log1p(counts.max(initial=0)), 1e-9)
        opacity = np.where(counts > 0, MIN_OPACITY + (1.0 - MIN_OPACITY) * share, 0.0)
        ink = [*rgb(self.colours.ink), 255.0]
        red, green, blue, alpha = np.rint(opacity * np.reshape(ink, (4, 1, 1))).astype(np.uint32)
        pixels = (alpha << 24) | (red << 16) | (green << 8) | blue
        return base.image_of(pixels.repeat(cell, axis=0).repeat(cell, axis=1), ratio)

    def _paint_twist(self, painter: Any, layout: figure.DiscLayout) -> None:
        colours, (left, top, width, height) = self.colours, layout.strip
        foot, wide = top + height, width * figure.TWIST_BIN_DEG / 360.0
        fill(painter, colours.plate, left, top, width, height)
        most = max(int(self._counts.max(initial=0)), 1)
        for piece in np.flatnonzero(self._counts):
            x = layout.twist_x(float(piece) * figure.TWIST_BIN_DEG - 180.0)
            tall = max(float(np.cbrt(self._counts[piece] / most)) * (height - 2.0), 3.0)
            fill(painter, colours.samples, x, foot - tall, max(wide - 0.4, 1.0), tall)
        fill(painter, colours.line, left, foot, width, 2.0)
        if self._limits is not None:
            a, b = (layout.twist_x(min(max(end, -180.0), 180.0)) for end in self._limits)
            fill(painter, tint(colours.interval, 0.14), a, top, max(b - a, 1.0), height)
            fill(painter, colours.interval, a, foot - 1.0, b - a, 4.0)
            for x in (a, b):
                stroke(painter, colours.interval, 2.0, x, top - 3.0, x, foot + 4.0)
        for tick in (-180, -90, 0, 90, 180):
            x = layout.twist_x(tick)
            stroke(painter, colours.line, 1.0, x, top, x, foot + 5.0)
            inner = min(max(x, left + 12.0), left + width - 14.0)
            text_at(painter, colours.faint, inner, foot + 12.0, f"{tick}°".replace("-", MINUS))
        painter.setPen(pen(colours.ink))
        painter.drawText(QtCore.QPointF(left, top - 4.0), f"twist about {self._names[0]}")
        if self._rest is not None:
            base.paint_rest_mark(painter, (layout.twist_x(self._rest[2]), foot), colours, 6.0, 1.2)
        if self._pose is not None:
            x = layout.twist_x(self._pose[2])
            stroke(painter, colours.pose, 2.0, x, top - 5.0, x, foot)

    def sample_at(self, x: float, y: float) -> int | None:
        """Index (into the given arrays) of the nearest sample within a few pixels."""
        layout = self.layout_now
        if not len(self._swing):
            return None
        if layout.in_strip(y):
            away = np.abs(self._twist - layout.twist(x)) / figure.TWIST_BIN_DEG
            near = 1.0
        else:
            here = layout.swing(x, y)
            away = np.hypot(self._swing[:, 0] - here[0], self._swing[:, 1] - here[1])
            near = _HOVER_PIXELS / layout.pixels_per_degree
        best = int(away.argmin())
        return int(self._indices[best]) if away[best] <= near else None

    def words_at(self, x: float, y: float) -> str:
        """Description of the swing or twist at a pixel, with the number of samples there."""
        layout = self.layout_now
        if layout.in_strip(y):
            twist = layout.twist(x)
            count = int(self._counts[min(int((twist + 180.0) / figure.TWIST_BIN_DEG), 179)])
            samples = counted(count, "sample")
            return f"twist {degrees(twist)}: {samples}"
        first, second = layout.swing(x, y)
        total = float(np.hypot(first, second))
        if total > layout.view.reach_deg:
            return ""
        names = self._names
        swing = f"{names[1]} {degrees(first)}, {names[2]} {degrees(second)}"
        return f"swing {degrees(total)}: {swing}"

    def drag_by(self, event: Any, dx: float, dy: float) -> None:
        """Pan the view."""
        self.look(figure.pan_disc(self.layout_now, dx, dy))

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Reset the view to show everything."""
        self.look(figure.DiscView(self.view.reach_deg))

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the mouse position."""
        point = event.position()
        factor = 1.0015 ** event.angleDelta().y()
        self.look(figure.zoom_disc(self.layout_now, factor, point.x(), point.y()))
        event.accept()

    def keyPressEvent(self, event: Any) -> None:
        """+ and - zoom, arrows pan, Home shows everything."""
        keys, key, layout = Qt.Key, event.key(), self.layout_now
        shifts = {
            keys.Key_Left: (20.0, 0.0),
            keys.Key_Right: (-20.0, 0.0),
            keys.Key_Up: (0.0, 20.0),
            keys.Key_Down: (0.0, -20.0),
        }
        if key in shifts:
            self.look(figure.pan_disc(layout, *shifts[key]))
        elif key in (keys.Key_Plus, keys.Key_Equal, keys.Key_Minus):
            factor = 0.8 if key == keys.Key_Minus else 1.25
            self.look(figure.zoom_disc(layout, factor, *layout.centre))
        elif key == keys.Key_Home:
            self.look(figure.DiscView(self.view.reach_deg))
        else:
            super().keyPressEvent(event)
