"""Poses as a cloud of rotation vectors that can be viewed from any side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import AnyArray, ArrayLike, Booleans, Floats, Integers
from jointlimits_core.limits.vocabulary import MINUS, degrees
from jointlimits_core.report.figures import space
from jointlimits_core.report.figures.view import ALONG, Stage, View, orbit, pan, zoom_at

from ..toolkit.palette import clip_colours, rgb_table, time_rgb
from ..toolkit.qt import Qt, QtCore, QtGui
from ..toolkit.words import counted
from . import base, cloud_layout
from .base import CENTRED, lines, pen, polygon, polygons, text_plate, tint

NAME_PIXELS, ROOMY_PIXELS, HOVER_PIXELS = 120.0, 420.0, 7.0
AXIS_BEYOND_SHARE = 0.25
"""Extra length at each end of an axis, as a share of the length of its band."""
KEY_TURN_PIXELS = 12.0
TIME_COLOUR_COUNT = 64
FACES_OPACITY_SHARE, PLATE_OPACITY = 0.16, 0.7
LEGEND_ROWS = 5
MAX_WIDER = 1.6
"""Limits may enlarge the cube around the samples by at most this factor."""
_NO_LINES = np.zeros((0, 2, 3))


class RotationCloud(base.DraggedPicture):
    """Samples as points: the direction from the centre is the axis, the distance is the angle."""

    what = (
        "Every pose of the motion is a point: its direction from the centre is the rotation "
        "axis, its distance is the angle. A hinge gives a line, a universal joint a curved "
        "sheet, and a ball joint a volume. The blue shape is what the limits allow; where it "
        "has no points, the motion never went. Crosses are poses outside the limits. The "
        "diamond is the rest pose, the ring the current pose, and the green band the joint's "
        "axis.\nDrag to turn, Shift-drag to pan, wheel to zoom, double click to see everything. "
        "Click a point to go to its frame. X, Y and Z look along an axis, C switches the "
        "colours."
    )
    usual_size, min_size = (420, 380), (120, 100)
    title = "Poses of the motion"

    def __init__(self) -> None:
        super().__init__()
        self.view = View()
        self._by, self._half = "clip", 0.0
        self.set_samples(np.zeros((0, 3)))

    def set_samples(
        self,
        points: ArrayLike,
        clip: ArrayLike | None = None,
        progress: ArrayLike | None = None,
        clip_names: Sequence[str] = (),
    ) -> None:
        """Set the samples of a joint: rotation vectors in degrees, shape (samples, 3).

        `clip`, `progress`, shape (samples,): index of each sample's clip, and progress from 0 at
        the clip's start to 1 at its end. If there are very many samples, only some are drawn.
        Removes limits and poses until they are set again.
        """
        given = np.asarray(points, dtype=np.float32).reshape(-1, 3)
        finite = np.flatnonzero(np.isfinite(given).all(axis=1))
        kept = finite[cloud_layout.thin_out(given[finite])]
        self._count = len(finite)
        self._points: AnyArray = given[kept]
        self.shown_samples: Integers = kept
        """Indices of the drawn samples in the given arrays."""
        own = self._points
        self._corners = np.array([own.min(axis=0), own.max(axis=0)]) if len(own) else own
        self._clip = np.zeros(len(kept), np.int32) if clip is None else np.asarray(clip)[kept]
        share = np.zeros(len(kept)) if progress is None else np.asarray(progress)[kept]
        self._time = np.rint(np.clip(share, 0.0, 1.0) * (TIME_COLOUR_COUNT - 1)).astype(np.int32)
        self._names = tuple(clip_names)
        self._outside: Booleans | None = None
        self._edges, self._triangles = _NO_LINES, np.zeros((0, 3, 3))
        self._axes = _NO_LINES
        self._rest: Floats | None = None
        self._pose: Floats | None = None
        self._fit()
        self.setAccessibleDescription(counted(self._count, "sample"))

    def colour_by(self, what: str) -> None:
        """Colour the samples by "clip" or by "time"."""
        self._by = what
        self._layers.clear()
        self.update()

    def set_limits(
        self, edges: ArrayLike, triangles: ArrayLike = (), outside: ArrayLike | None = None
    ) -> None:
        """Set the shape of the limits: edges, (edges, 2, 3), and triangles, (triangles, 3, 3).

        If both are empty, no limits are shown. `outside`: mask of samples to draw as crosses.
        """
        self._edges = np.asarray(edges, dtype=np.float64).reshape(-1, 2, 3)
        self._triangles = np.asarray(triangles, dtype=np.float64).reshape(-1, 3, 3)
        if outside is not None:
            self._outside = np.asarray(outside, dtype=bool)[self.shown_samples]
        self.update()

    def set_axes(self, axes: ArrayLike) -> None:
        """Set segments of axes, shape (axes, 2, 3): one for a hinge, two for a universal joint."""
        self._axes = np.asarray(axes, dtype=np.float64).reshape(-1, 2, 3)
        self.update()

    def set_rest(self, rest: ArrayLike | None) -> None:
        """Set the rest pose, a rotation vector."""
        self._rest = None if rest is None else np.asarray(rest, dtype=np.float64)
        self._fit()

    def set_pose(self, pose: ArrayLike | None) -> None:
        """Set the current pose, a rotation vector; the view does not change."""
        self._pose = None if pose is None else np.asarray(pose, dtype=np.float64)
        self.update()

    def fit_shape(self) -> None:
        """Enlarge the view to include the limits, unless the samples would become too small."""
        ends = self._edges.reshape(-1, 3).astype(np.float32)
        centre, half = space.cube_around(np.concatenate([*self._extent(), ends]))
        if half <= MAX_WIDER * self._half:
            self._centre, self._half = centre, half
            self.update()

    def _fit(self) -> None:
        self._layers.clear()
        self._centre, self._half = space.cube_around(np.concatenate(self._extent()))
        self.update()

    def _extent(self) -> list[AnyArray]:
        rest = [] if self._rest is None else [self._rest[None].astype(np.float32)]
        return [self._corners, *rest]

    @property
    def stage(self) -> Stage:
        """The cube in the current view, in logical pixels."""
        return Stage(self.view, self.width(), self.height(), self._centre, self._half)

    def paint(self, painter: Any) -> None:
        """Paint in this order: cube, limits behind, points, limits in front, poses, legend."""
        stage, colours = self.stage, self.colours
        painter.setFont(self.small_font(0.85))
        self._paint_cube(painter, stage)
        if len(self._triangles):
            painter.setOpacity(FACES_OPACITY_SHARE)
            painter.drawImage(0, 0, self._faces(stage))
            painter.setOpacity(1.0)
        self._paint_edges(painter, stage, in_front=False)
        rounded, axes = Qt.PenCapStyle.RoundCap, lines(stage.project(self._axes))
        painter.setPen(pen(colours.gap, 8.0, cap=rounded))
        painter.drawLines(axes)
        if self._count:
            painter.drawImage(0, 0, self.cached_image("points", stage, lambda *_: self._dots()))
            if self._outside is not None:
                points, table = self._points[self._outside], rgb_table([colours.rest])
                hues, mark = (
                    np.zeros(len(points), dtype=np.int32),
                    cloud_layout.cross(7.0 * self.ratio),
                )
                painter.drawImage(0, 0, self._draw_dots(points, hues, table, mark))
        # Both ends of each axis extend beyond its band, so that they stay visible.
        run = AXIS_BEYOND_SHARE * (self._axes[:, 1:] - self._axes[:, :1])
        ends = self._axes[:, :, None] + np.array([[[0.0], [-1.0]], [[0.0], [1.0]]]) * run[:, None]
        for colour, width in ((colours.ground, 5.0), (colours.gap, 3.0)):
            painter.setPen(pen(colour, width, cap=rounded))
            painter.drawLines(lines(stage.project(ends.reshape(-1, 2, 3))))
        self._paint_edges(painter, stage, in_front=True)
        if self._rest is not None:
            base.paint_rest_mark(painter, stage.project(self._rest), colours)
        if self._pose is not None:  # with a line down to the floor
            floor = np.array([self._pose[0], self._centre[1] - self._half, self._pose[2]])
            places = stage.project(np.stack([self._pose, floor]))
            painter.setPen(pen(colours.pose, 1.0, (2.0, 2.0)))
            painter.drawLines(lines(places[None]))
            base.paint_pose_mark(painter, places[0], colours)
        if self._by == "time" and self._count:
            self._paint_time_legend(painter)
        elif len(self._names) > 1:
            self._paint_clip_legend(painter)
        metrics, words = QtGui.QFontMetricsF(painter.font()), self.drawn_words()
        wide = metrics.horizontalAdvance(words) + 8.0
        box = QtCore.QRectF(self.width() - 8.0 - wide, 6.0, wide, metrics.height() + 2.0)
        text_plate(painter, box, tint(colours.ground, PLATE_OPACITY), colours.faint, words)

    def _paint_cube(self, painter: Any, stage: Stage) -> None:
        colours, metrics = self.colours, QtGui.QFontMetricsF(painter.font())
        painter.setPen(pen(colours.line))
        painter.setBrush(QtGui.QColor(colours.plate))
        for corners in cloud_layout.panes(stage):
            painter.drawPolygon(polygon(corners))
        painter.setPen(pen(colours.line, 0.8))
        painter.drawLines(lines(cloud_layout.grid(stage)))
        is_roomy = min(stage.width, stage.height) >= ROOMY_PIXELS
        for label in cloud_layout.labels(stage):
            name = f"about {'XYZ'[label.axis]}" if is_roomy else "XYZ"[label.axis]
            words = name if label.value is None else f"{label.value:g}°".replace("-", MINUS)
            painter.setPen(pen(colours.faint if label.value is not None else colours.ink))
            # Centred on a pixel, but kept inside the widget.
            half, high = 0.5 * metrics.horizontalAdvance(words) + 2.0, 10.0
            across, along = (high, half) if label.upright else (half, high)
            painter.save()
            painter.translate(
                min(max(label.x, across), stage.width - across),
                min(max(label.y, along), stage.height - along),
            )
            painter.rotate(-90.0 if label.upright else 0.0)
            painter.drawText(QtCore.QRectF(-half, -high, 2 * half, 2 * high), CENTRED, words)
            painter.restore()

    def _faces(self, stage: Stage) -> Any:
        """Image of the limits' faces as one flat, opaque area, for blending over the plot.

        Triangles are painted singly without antialiasing: one path takes twenty times as long.
        """
        image = QtGui.QImage(self.size() * self.ratio, QtGui.QImage.Format.Format_ARGB32)
        image.setDevicePixelRatio(self.ratio)
        image.fill(Qt.GlobalColor.transparent)
        with base.painter_on(image) as painter:
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QtGui.QColor(self.colours.interval))
            for triangle in polygons(stage.project(self._triangles)):
                painter.drawPolygon(triangle)
        return image

    def _paint_edges(self, painter: Any, stage: Stage, in_front: bool) -> None:
        """Paint the edges of the limits in front of the centre, or dashed edges behind it."""
        at, colour = stage.project(self._edges), self.colours.interval
        painter.setPen(pen(colour, 1.2, (3.0, 2.0)))
        if in_front:
            painter.setPen(pen(colour, 1.8, cap=Qt.PenCapStyle.RoundCap))
        painter.drawLines(lines(at[(at[:, :, 2].mean(axis=1) >= 0.0) == in_front]))

    def _paint_clip_legend(self, painter: Any) -> None:
        own = list(zip(clip_colours(len(self._names), self.colours), self._names))
        rows, more = own[:LEGEND_ROWS], len(own) - LEGEND_ROWS
        if more > 0:
            words = counted(more, "more clip")
            rows.append((self.colours.other_clip, words))
        metrics = QtGui.QFontMetricsF(painter.font())
        high = metrics.height() + 2.0
        wide = min(max(metrics.horizontalAdvance(name) for _, name in rows), NAME_PIXELS)
        box = QtCore.QRectF(6.0, 6.0, wide + 24.0, len(rows) * high + 4.0)
        text_plate(painter, box, tint(self.colours.ground, PLATE_OPACITY))
        for row, (colour, name) in enumerate(rows):
            y = 8.0 + (row + 0.5) * high
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QtGui.QColor(colour))
            painter.drawEllipse(QtCore.QPointF(14.0, y), 4.0, 4.0)
            painter.setPen(pen(self.colours.ink))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, NAME_PIXELS)
            painter.drawText(QtCore.QPointF(24.0, y + 0.32 * metrics.height()), shown)

    def _paint_time_legend(self, painter: Any) -> None:
        metrics = QtGui.QFontMetricsF(painter.font())
        left = 16.0 + metrics.horizontalAdvance("start")
        wide = left + 86.0 + metrics.horizontalAdvance("end")
        box = QtCore.QRectF(6.0, 4.0, wide, metrics.height() + 6.0)
        text_plate(painter, box, tint(self.colours.ground, PLATE_OPACITY))
        ramp = QtGui.QLinearGradient(left, 0.0, left + 80.0, 0.0)
        for share in np.linspace(0.0, 1.0, 9):
            colour = (int(value) for value in time_rgb(share, self.colours))
            ramp.setColorAt(float(share), QtGui.QColor(*colour))
        painter.fillRect(QtCore.QRectF(left, 10.0, 80.0, 8.0), QtGui.QBrush(ramp))
        painter.setPen(pen(self.colours.ink))
        base = 14.0 + 0.32 * metrics.height()
        painter.drawText(QtCore.QPointF(10.0, base), "start")
        painter.drawText(QtCore.QPointF(left + 86.0, base), "end")

    def _dots(self) -> Any:
        """Image of the points; the more points there are, the smaller they are drawn."""
        if self._by == "time":
            hues, table = self._time, time_rgb(np.linspace(0, 1, TIME_COLOUR_COUNT), self.colours)
        else:
            hues, count = self._clip, int(self._clip.max(initial=0)) + 1
            table = rgb_table(clip_colours(count, self.colours))
        count = len(self._points)
        logical = 4.0 if count < 400 else 3.0 if count < 20_000 else 2.0
        dot = cloud_layout.stencil(max(round(logical * self.ratio), 1.0))
        return self._draw_dots(self._points, hues, table, dot)

    def _draw_dots(self, points: AnyArray, hues: Integers, table: AnyArray, dot: Integers) -> Any:
        """Image of points with colours from a table; distant points are paler."""
        stage, ratio = self.stage, self.ratio
        size = [max(round(side * ratio), 1) for side in (self.height(), self.width())]
        pixels = np.zeros(size, dtype=np.uint32)
        shades = cloud_layout.shades_of(table, rgb_table([self.colours.ground])[0])
        reach = 1.75 * stage.half * stage.pixels_per_unit * ratio
        places = stage.project(points) * np.float32(ratio)
        cloud_layout.splat(pixels, places, hues, shades, dot, reach)
        return base.image_of(pixels, ratio)

    def drawn_words(self) -> str:
        """Number of samples drawn, and the total if it differs."""
        shown, count = len(self._points), self._count
        if shown == count:
            return counted(count, "sample")
        return f"{shown:,} of {count:,} samples drawn"

    def sample_at(self, x: float, y: float) -> int | None:
        """Index (into the given arrays) of the drawn sample at a pixel; None if there is none."""
        row = self._row_at(x, y)
        return None if row is None else int(self.shown_samples[row])

    def _row_at(self, x: float, y: float) -> int | None:
        return cloud_layout.nearest_on_screen(self.stage.project(self._points), x, y, HOVER_PIXELS)

    def words_at(self, x: float, y: float) -> str:
        """Description of the sample at a pixel: its clip, and its rotation about each axis."""
        row = self._row_at(x, y)
        if row is None:
            return ""
        vector = self._points[row]
        parts = [f"{name} {degrees(float(value))}" for name, value in zip("XYZ", vector)]
        words = f"{degrees(float(np.linalg.norm(vector)))} in total, {', '.join(parts)}"
        if self._outside is not None and self._outside[row]:
            words += "; outside the limits"
        clip = int(self._clip[row])
        return f"{self._names[clip]}: {words}" if clip < len(self._names) else words

    def drag_by(self, event: Any, dx: float, dy: float) -> None:
        """Orbit, or pan with the middle button or with Shift."""
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift or event.buttons() & Qt.MouseButton.MiddleButton:
            side = min(self.width(), self.height())
            self.look(pan(self.view, dx / side, dy / side))
        else:
            self.look(orbit(self.view, dx, dy))

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Reset the view to show everything."""
        self.look(View())

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the mouse position."""
        self.look(zoom_at(self.view, *self.wheel_zoom(event)))
        event.accept()

    def keyPressEvent(self, event: Any) -> None:
        """Arrows turn; + and - zoom; X, Y and Z look along an axis; Home shows all; C recolours."""
        keys, key = Qt.Key, event.key()
        turns = {
            keys.Key_Left: (-KEY_TURN_PIXELS, 0.0),
            keys.Key_Right: (KEY_TURN_PIXELS, 0.0),
            keys.Key_Up: (0.0, -KEY_TURN_PIXELS),
            keys.Key_Down: (0.0, KEY_TURN_PIXELS),
        }
        along = {keys.Key_X: "X", keys.Key_Y: "Y", keys.Key_Z: "Z"}
        if key in turns:
            self.look(orbit(self.view, *turns[key]))
        elif key in along:
            self.look(ALONG[along[key]])
        elif key in (keys.Key_Plus, keys.Key_Equal, keys.Key_Minus):
            self.look(zoom_at(self.view, 1.0 / 1.2 if key == keys.Key_Minus else 1.2))
        elif key == keys.Key_Home:
            self.look(View())
        elif key == keys.Key_C:
            self.colour_by("time" if self._by == "clip" else "clip")
        else:
            super().keyPressEvent(event)
