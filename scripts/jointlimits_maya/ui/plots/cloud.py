"""Cloud of poses in the space of rotation vectors, viewed from all sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import AnyArray, ArrayLike, Booleans, Floats, Integers
from jointlimits_core.limits.vocabulary import MINUS, degrees
from jointlimits_core.report.figures import cloud, cube
from jointlimits_core.report.figures.space import cube_around
from jointlimits_core.report.figures.view import ALONG, Stage, View, orbited, panned, zoomed

from ..toolkit.palette import Colours, clip_colours, rgb_table, time_rgb
from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets
from ..toolkit.words import counted
from .base import (
    CENTRED,
    DraggedPicture,
    image_of,
    lines,
    paint_pose_mark,
    paint_rest_mark,
    pen,
    polygon,
    tinted,
)

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
        # About a pixel, kept inside the picture.
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


TIME_STEPS = 64
SETTLE_MS = 140
FACES_OPACITY = 0.16
_HOVER_PIXELS = 7.0
_LEGEND_ROWS = 5
_WIDEST = 1.6
"""Limits that would enlarge the cube beyond this multiple of its size with samples are cut."""
_NO_LINES = np.zeros((0, 2, 3))


class RotationCloud(SpacePicture):
    """Samples as points: direction is the axis, distance from the centre the angle."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(120, 100)
        self.setAccessibleName("Poses of the motion")
        self._by = "clip"
        self._edges, self._triangles = _NO_LINES, np.zeros((0, 3, 3))
        self._axes = _NO_LINES
        self._rest: Floats | None = None
        self._pose: Floats | None = None
        self._turning, self._changing = False, False
        self._places: tuple[Any, Floats] | None = None
        self._settle = QtCore.QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._settled)
        self._data, self._shapes, self._crosses = 0, 0, 0
        self._half = 0.0
        self.set_samples(np.zeros((0, 3)))

    def sizeHint(self) -> Any:
        """Room for a few thousand points."""
        return QtCore.QSize(420, 380)

    # --- display ------------------------------------------------------------------------------

    def set_samples(
        self,
        points: ArrayLike,
        clip: ArrayLike | None = None,
        progress: ArrayLike | None = None,
        clip_names: Sequence[str] = (),
    ) -> None:
        """Set the samples of a joint: rotation vectors in degrees, shape (samples, 3).

        Per sample, both optional: the position of its clip, and its progress from 0 at the start of
        a clip to 1 at its end.
        """
        self._levels: cloud.Levels = cloud.levels_of(points)
        kept, own = self._levels.indices, self._levels.points
        self._corners = np.array([own.min(axis=0), own.max(axis=0)]) if len(own) else own
        self._clip = np.zeros(len(kept), np.int32) if clip is None else np.asarray(clip)[kept]
        share = np.zeros(len(kept)) if progress is None else np.asarray(progress)[kept]
        self._time = np.rint(np.clip(share, 0.0, 1.0) * (TIME_STEPS - 1)).astype(np.int32)
        self._names = tuple(clip_names)
        self._outside: Booleans | None = None
        self._data += 1
        self._fit()
        words = counted(self._levels.count, "{count} sample", "{count} samples")
        self.setAccessibleDescription(words)

    def colour_by(self, what: str) -> None:
        """Colour by "clip" or by "time"."""
        if what not in ("clip", "time"):
            raise ValueError(f'what must be "clip" or "time", not {what!r}')
        self._by = what
        self.update()

    def set_outside(self, outside: ArrayLike | None) -> None:
        """Set which samples are outside the limits; they are drawn as crosses.

        During changes, such as a drag, only those of the thinned cloud are drawn.
        """
        kept = self._levels.indices
        if self._outside is not None and len(self._levels.moving) < len(self._levels.still):
            self._changing = True
            self._settle.start()
        if outside is None or len(kept) == len(np.asarray(outside)):
            self._outside = None if outside is None else np.asarray(outside, dtype=bool)
        else:
            self._outside = np.asarray(outside, dtype=bool)[kept]
        self._crosses += 1
        self.update()

    @property
    def shown_samples(self) -> Integers:
        """Indices of the samples that may be drawn, in the given arrays."""
        return self._levels.indices[self._levels.still]

    def set_shape(self, edges: ArrayLike, triangles: ArrayLike = ()) -> None:
        """Set the shape of the limits: edges, (edges, 2, 3), and triangles, (triangles, 3, 3).

        If both are empty, no limits are shown.
        """
        self._edges = np.asarray(edges, dtype=np.float64).reshape(-1, 2, 3)
        self._triangles = np.asarray(triangles, dtype=np.float64).reshape(-1, 3, 3)
        self._shapes += 1
        self.update()

    def set_axes(self, axes: ArrayLike) -> None:
        """Set segments of axes, shape (axes, 2, 3): one of a hinge, two of a universal joint."""
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
        """Include the limits in the view, unless they are so wide that the samples would shrink."""
        ends = self._edges.reshape(-1, 3).astype(np.float32)
        centre, half = cube_around(np.concatenate([*self._extent(), ends]))
        if half <= _WIDEST * self._half:
            self._centre, self._half = centre, half
            self.update()

    def _fit(self) -> None:
        self._centre, self._half = cube_around(np.concatenate(self._extent()))
        self.update()

    def _extent(self) -> list[Floats]:
        rest = [] if self._rest is None else [self._rest[None].astype(np.float32)]
        return [self._corners, *rest]

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return (
            "Every pose of the motion as a point. Its direction from the centre is the rotation "
            "axis, its distance the angle. A hinge is a line, a universal joint a curved sheet, "
            "and a ball joint a volume. The blue shape is what the limits allow: where it has no "
            "points, the motion never went; crosses are poses outside. The diamond is the rest "
            "pose, the ring the current pose, the green band the axis.\n"
            "Drag to turn, Shift-drag to pan, wheel to zoom, double click to see everything. "
            "Click a point to go to its frame. X, Y and Z look along an axis, C switches the "
            "colours."
        )

    # --- painting -----------------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """The cube in the current view, in logical pixels."""
        return Stage(self.view, self.width(), self.height(), self._centre, self._half)

    @property
    def drawn(self) -> Integers:
        """Indices of the currently drawn samples, without NaN."""
        return self._levels.moving if self._turning else self._levels.still

    def paint(self, painter: Any) -> None:
        """Cube, limits at the back, points, limits in front, poses, legend."""
        stage, colours = self.stage, self.colours
        small = self.small_font(0.85)
        cube = partial(paint_cube, stage=stage, colours=colours, font=small)
        painter.drawImage(0, 0, self.layer("cube", stage, cube))
        if len(self._triangles):
            faces = partial(paint_faces, stage=stage, triangles=self._triangles, colours=colours)
            image = self.layer("faces", (stage, self._shapes), faces)
            painter.setOpacity(FACES_OPACITY)
            painter.drawImage(0, 0, image)
            painter.setOpacity(1.0)
        paint_edges(painter, stage, self._edges, colours, in_front=False)
        paint_axes(painter, stage, self._axes, colours)
        if self._levels.count:
            painter.drawImage(0, 0, self._points_image())
            if self._outside is not None:
                painter.drawImage(0, 0, self._crosses_image(self._outside))
        paint_axes_before(painter, stage, self._axes, colours)
        paint_edges(painter, stage, self._edges, colours, in_front=True)
        if self._rest is not None:
            paint_rest_mark(painter, stage.project(self._rest), colours)
        if self._pose is not None:
            paint_pose(painter, stage, self._pose, colours)
        if self._by == "time" and self._levels.count:
            paint_time_legend(painter, colours, small)
        elif len(self._names) > 1:
            own = list(zip(clip_colours(len(self._names), colours), self._names))
            more = len(own) - _LEGEND_ROWS
            words = counted(more, "{count} more clip", "{count} more clips")
            rows = own[:_LEGEND_ROWS] + ([(colours.other_clip, words)] if more > 0 else [])
            paint_clip_legend(painter, rows, colours, small)
        paint_note(painter, self.drawn_words(), self.width() - 8.0, colours, small)

    def _points_image(self) -> Any:
        """The points, cached until view, data, size or colours change."""
        drawn = self.drawn
        dot = cloud.stencil(cloud.diameter_for(len(drawn), self.ratio))
        key = (self._turning, self._by, self._data)
        return self._splatted("points", key, drawn, self._point_colours, dot)

    def _crosses_image(self, outside: Booleans) -> Any:
        """Crosses on samples outside, in their own image, because a drag changes only them."""
        coarse = self._turning or self._changing
        drawn = self._levels.moving if coarse else self._levels.still
        rows = drawn[outside[drawn]]

        def red(_: Integers) -> tuple[Integers, AnyArray]:
            table = cloud.shaded(
                rgb_table([self.colours.rest]), rgb_table([self.colours.ground])[0]
            )
            return np.zeros(len(rows), dtype=np.int32), table

        key = (coarse, self._data, self._crosses)
        return self._splatted("crosses", key, rows, red, cloud.cross(7.0 * self.ratio))

    def _splatted(
        self,
        name: str,
        key: tuple[Any, ...],
        rows: Integers,
        hues: Callable[[Integers], tuple[Integers, AnyArray]],
        dot: Integers,
    ) -> Any:
        """Points as an image, cached until the key, the view, the size or the colours change."""
        stage, ratio = self.stage, self.ratio

        def splatted(width: int, height: int) -> Any:
            pixels = np.zeros((height, width), dtype=np.uint32)
            places = stage.project(self._levels.points[rows]) * np.float32(ratio)
            reach = 1.75 * stage.half * stage.pixels_per_unit * ratio
            cloud.splat(pixels, places, *hues(rows), dot, reach)
            return image_of(pixels, ratio)

        return self.cached(name, (key, stage), splatted)

    def _point_colours(self, drawn: Integers) -> tuple[Integers, AnyArray]:
        """Column of each point in a table of shaded colours, and the table."""
        colours = self.colours
        ground = rgb_table([colours.ground])[0]
        if self._by == "time":
            return self._time[drawn], cloud.shaded(
                time_rgb(np.linspace(0, 1, TIME_STEPS), colours), ground
            )
        clips = self._clip[drawn]
        count = int(clips.max(initial=0)) + 1
        return clips, cloud.shaded(rgb_table(clip_colours(count, colours)), ground)

    def drawn_words(self) -> str:
        """Number of samples drawn, and their total."""
        shown, count = len(self.drawn), self._levels.count
        if shown == count:
            return counted(count, "{count} sample", "{count} samples")
        return "{shown} of {count} samples drawn".format(shown=f"{shown:,}", count=f"{count:,}")

    # --- under the mouse ------------------------------------------------------------------------

    def sample_at(self, x: float, y: float) -> int | None:
        """Index of the drawn sample at a pixel, in the given arrays."""
        drawn = self._levels.moving
        key = (self.stage, self._data)
        if self._places is None or self._places[0] != key:
            self._places = (key, self.stage.project(self._levels.points[drawn]))
        row = cloud.nearest_on_screen(self._places[1], x, y, _HOVER_PIXELS)
        return None if row is None else int(self._levels.indices[drawn[row]])

    def words_at(self, x: float, y: float) -> str:
        """Description of the sample at a pixel: its source, and its rotation about each axis."""
        sample = self.sample_at(x, y)
        if sample is None:
            return ""
        row = int(np.searchsorted(self._levels.indices, sample))
        vector = self._levels.points[row]
        parts = [f"{name} {degrees(float(value))}" for name, value in zip("XYZ", vector)]
        total = degrees(float(np.linalg.norm(vector)))
        words = f"{total} in total, {', '.join(parts)}"
        if self._outside is not None and self._outside[row]:
            words += "; outside the limits"
        clip = int(self._clip[row])
        return f"{self._names[clip]}: {words}" if clip < len(self._names) else words

    # --- mouse and keyboard ---------------------------------------------------------------------

    def set_view(self, view: View) -> None:
        """Set the view, with fewer points until it stops moving."""
        self._turning = len(self._levels.moving) < len(self._levels.still)
        if self._turning:
            self._settle.start()
        super().set_view(view)

    def _settled(self) -> None:
        self._turning, self._changing = False, False
        self.update()

    def keyPressEvent(self, event: Any) -> None:
        """C switches the colours; the other keys change the view."""
        if event.key() == Qt.Key.Key_C:
            self.colour_by("time" if self._by == "clip" else "clip")
        else:
            super().keyPressEvent(event)
