"""Orthographic view of a cube that the mouse turns: its back faces, grid and labels.

The picture's y points down. At yaw and pitch zero, X points right and Y up; the eye is at positive
depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from jointlimits_core.geometry import ArrayLike, Floats
from jointlimits_core.report.figures import angle_step_for, ticks_within

DEGREES_PER_PIXEL = 0.45
_ZOOM_LEAST, _ZOOM_MOST = 0.4, 40.0
_FILL, _ROOMY_PIXELS = 0.54, 300.0
"""Share of the picture that the cube fills; less in a small one, whose labels stay as large."""


@dataclass(frozen=True)
class View:
    """Direction from which a cube is seen."""

    yaw_deg: float = -32.0
    pitch_deg: float = 22.0
    """Rotation about Y, then about the picture's horizontal."""
    zoom: float = 1.0
    """At 1 the whole cube is visible from every side."""
    shift: tuple[float, float] = (0.0, 0.0)
    """Offset of the picture, in fractions of its smaller side, (float, float)."""

    @property
    def matrix(self) -> Floats:
        """Rows: the picture's right, its up, and towards the eye; shape (3, 3)."""
        yaw, pitch = math.radians(self.yaw_deg), math.radians(self.pitch_deg)
        cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
        return np.array([[cy, 0.0, sy], [sp * sy, cp, -sp * cy], [-cp * sy, sp, cp * cy]])


ALONG = {"X": View(-90.0, 0.0), "Y": View(0.0, 90.0), "Z": View(0.0, 0.0)}
"""Views along each axis of the space, with the axis pointing at the eye."""


def orbited(view: View, dx: float, dy: float) -> View:
    """Turn by a drag in pixels: what is in front follows the mouse."""
    yaw = (view.yaw_deg + DEGREES_PER_PIXEL * dx + 180.0) % 360.0 - 180.0
    pitch = min(max(view.pitch_deg + DEGREES_PER_PIXEL * dy, -90.0), 90.0)
    return replace(view, yaw_deg=yaw, pitch_deg=pitch)


def zoomed(view: View, factor: float, x: float = 0.0, y: float = 0.0) -> View:
    """Zoom, in for a factor above 1, with one point of the picture fixed.

    The point is given from the centre, in fractions of the picture's smaller side.
    """
    zoom = min(max(view.zoom * factor, _ZOOM_LEAST), _ZOOM_MOST)
    real = zoom / view.zoom
    shift = (x - (x - view.shift[0]) * real, y - (y - view.shift[1]) * real)
    return replace(view, zoom=zoom, shift=shift)


def panned(view: View, dx: float, dy: float) -> View:
    """Shift by fractions of the picture's smaller side."""
    return replace(view, shift=(view.shift[0] + dx, view.shift[1] + dy))


@dataclass(frozen=True)
class Stage:
    """A cube seen in a picture."""

    view: View
    width: float
    height: float
    """Of the picture."""
    centre: tuple[float, float, float]
    half: float
    """Half the cube's edge."""

    @property
    def pixels_per_unit(self) -> float:
        """Pixels per unit of the space across the line of sight."""
        side = min(self.width, self.height)
        side -= 0.25 * max(_ROOMY_PIXELS - side, 0.0)
        return _FILL * side / (math.sqrt(3.0) * self.half) * self.view.zoom

    @property
    def origin(self) -> tuple[float, float]:
        """Pixel of the cube's centre."""
        side = min(self.width, self.height)
        x, y = self.view.shift
        return 0.5 * self.width + x * side, 0.5 * self.height + y * side

    def project(self, points: ArrayLike) -> Floats:
        """Pixels and depth of points, shape (..., 3).

        x, y (down) and depth, larger is nearer; in the dtype of `points`, at least single
        precision.
        """
        points = np.asarray(points)
        kind = np.float32 if points.dtype == np.float32 else np.float64
        scale = self.pixels_per_unit
        turn = self.view.matrix * np.array([[scale], [-scale], [scale]])
        x, y = self.origin
        offset = np.array([x, y, 0.0]) - turn @ np.asarray(self.centre)
        return np.asarray(points @ turn.T.astype(kind) + offset.astype(kind))


_SHORTEST_PIXELS = 34.0
_BESIDE_PIXELS = 15.0


@dataclass(frozen=True)
class TickLabel:
    """A number or axis name and its pixel; `upright` text runs from bottom to top."""

    x: float
    y: float
    axis: int
    value: float | None
    upright: bool = False


def ticks_of(stage: Stage, axis: int) -> list[float]:
    """Round numbers along an axis, except at the very corners."""
    middle, half = stage.centre[axis], stage.half
    step = angle_step_for(2.0 * half, 4)
    return ticks_within(middle - 0.97 * half, middle + 0.97 * half, step)


def back_signs(stage: Stage) -> Floats:
    """Side of the cube that is at the back along each axis, -1 or 1."""
    return np.where(stage.view.matrix[2] >= 0.0, -1.0, 1.0)


def panes(stage: Stage) -> Floats:
    """The three back faces, as pixels of their corners; shape (3, 4, 2)."""
    back = back_signs(stage)
    found = []
    for axis in range(3):
        corners = np.zeros((4, 3))
        first, second = (other for other in range(3) if other != axis)
        corners[:, axis] = back[axis]
        corners[:, first], corners[:, second] = [-1, 1, 1, -1], [-1, -1, 1, 1]
        found.append(np.asarray(stage.centre) + stage.half * corners)
    return stage.project(np.array(found))[..., :2]


def grid(stage: Stage) -> Floats:
    """Grid lines on the back faces, as pixels; shape (lines, 2, 2)."""
    back, centre = back_signs(stage), np.asarray(stage.centre)
    lines = [np.zeros((0, 2, 3))]
    for axis in range(3):
        for first, second in _others(axis):
            for tick in ticks_of(stage, first):
                line = np.tile(centre, (2, 1))
                line[:, axis] += back[axis] * stage.half
                line[:, first] = tick
                line[:, second] += np.array([-1.0, 1.0]) * stage.half
                lines.append(line[None])
    return stage.project(np.concatenate(lines))[..., :2]


def _others(axis: int) -> tuple[tuple[int, int], tuple[int, int]]:
    first, second = (other for other in range(3) if other != axis)
    return (first, second), (second, first)


def label_edge(stage: Stage, axis: int) -> Floats:
    """Ends, in the space, of the edge that carries the labels of an axis; shape (2, 3).

    An edge on the outline of the cube: the lower one, or the left one for an axis that is vertical
    in the picture.
    """
    back, centre = back_signs(stage), np.asarray(stage.centre)
    (first, second), _ = _others(axis)
    found = []
    # On the outline, exactly one of the two faces that meet is at the back.
    for a, b in ((back[first], -back[second]), (-back[first], back[second])):
        edge = np.tile(centre, (2, 1))
        edge[:, axis] += np.array([-1.0, 1.0]) * stage.half
        edge[:, first] += a * stage.half
        edge[:, second] += b * stage.half
        found.append(edge)
    pixels = [stage.project(edge) for edge in found]
    run = np.abs(pixels[0][1] - pixels[0][0])
    if run[1] > run[0]:
        return found[int(pixels[1][:, 0].mean() < pixels[0][:, 0].mean())]
    return found[int(pixels[1][:, 1].mean() > pixels[0][:, 1].mean())]


def _between_ticks(stage: Stage, axis: int) -> float:
    """Midpoint between two numbers near the centre of an axis, where its name has room."""
    ticks, middle = ticks_of(stage, axis), float(stage.centre[axis])
    halfway = [0.5 * (low + high) for low, high in zip(ticks, ticks[1:])]
    return min(halfway, key=lambda value: abs(value - middle), default=middle)


def labels(stage: Stage) -> list[TickLabel]:
    """Numbers and names of the axes beside the cube; none for an axis that points at the eye."""
    middle = stage.project(np.asarray(stage.centre))
    found = []
    for axis in range(3):
        edge = label_edge(stage, axis)
        ends = stage.project(edge)
        along = ends[1, :2] - ends[0, :2]
        length = float(np.hypot(*along))
        if length < _SHORTEST_PIXELS:
            continue
        across = np.array([-along[1], along[0]]) / length
        outward = across if across @ (ends[:, :2].mean(axis=0) - middle[:2]) > 0 else -across
        for tick in ticks_of(stage, axis):
            place = edge[0].copy()
            place[axis] = tick
            x, y = stage.project(place)[:2] + _BESIDE_PIXELS * outward
            found.append(TickLabel(float(x), float(y), axis, tick))
        place = edge[0].copy()
        place[axis] = _between_ticks(stage, axis)
        x, y = stage.project(place)[:2] + 2.0 * _BESIDE_PIXELS * outward
        upright = bool(abs(along[1]) > abs(along[0]))
        found.append(TickLabel(float(x), float(y), axis, None, upright))
    return found
