"""Orthographic view of a scene that the mouse can orbit, pan and zoom.

The picture's y points down. At yaw and pitch zero, X points right and Y up; the eye is at positive
depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...geometry.arrays import ArrayLike, Floats

DEGREES_PER_PIXEL = 0.45
_ZOOM_LEAST, _ZOOM_MOST = 0.4, 40.0
_FILL, _ROOMY_PIXELS = 0.54, 300.0
"""Share of the picture that the cube fills; less in a small picture, as labels do not shrink."""


@dataclass(frozen=True)
class View:
    """Direction from which a scene is seen."""

    yaw_deg: float = -32.0
    pitch_deg: float = 22.0
    """Rotation about Y, then about the picture's horizontal."""
    zoom: float = 1.0
    """At 1 the whole scene is visible from every side."""
    shift: tuple[float, float] = (0.0, 0.0)
    """Offset of the picture, in fractions of its smaller side, (float, float)."""

    @property
    def matrix(self) -> Floats:
        """Rotation to picture axes, shape (3, 3); rows point right, up and towards the eye."""
        yaw, pitch = math.radians(self.yaw_deg), math.radians(self.pitch_deg)
        cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
        return np.array([[cy, 0.0, sy], [sp * sy, cp, -sp * cy], [-cp * sy, sp, cp * cy]])


ALONG = {"X": View(-90.0, 0.0), "Y": View(0.0, 90.0), "Z": View(0.0, 0.0)}
"""Views along each axis of the space, with the axis pointing at the eye."""


def orbit(view: View, dx: float, dy: float) -> View:
    """Orbit by a mouse drag in pixels; the near side follows the mouse."""
    yaw = (view.yaw_deg + DEGREES_PER_PIXEL * dx + 180.0) % 360.0 - 180.0
    pitch = min(max(view.pitch_deg + DEGREES_PER_PIXEL * dy, -90.0), 90.0)
    return replace(view, yaw_deg=yaw, pitch_deg=pitch)


def zoom_at(view: View, factor: float, x: float = 0.0, y: float = 0.0) -> View:
    """Zoom with one point of the picture fixed; a factor above 1 zooms in.

    The point is relative to the centre, in fractions of the picture's smaller side.
    """
    zoom = min(max(view.zoom * factor, _ZOOM_LEAST), _ZOOM_MOST)
    real = zoom / view.zoom
    shift = (x - (x - view.shift[0]) * real, y - (y - view.shift[1]) * real)
    return replace(view, zoom=zoom, shift=shift)


def pan(view: View, dx: float, dy: float) -> View:
    """Shift by fractions of the picture's smaller side."""
    return replace(view, shift=(view.shift[0] + dx, view.shift[1] + dy))


@dataclass(frozen=True)
class Stage:
    """Projection of a cube, and of what is inside it, into a picture."""

    view: View
    width: float
    height: float
    """Size of the picture in pixels, with `width`."""
    centre: tuple[float, float, float]
    half: float
    """Half the cube's edge."""

    @property
    def pixels_per_unit(self) -> float:
        """Pixels per unit length, measured across the line of sight."""
        return _cube_pixels(self.width, self.height) / self.half * self.view.zoom

    @property
    def origin(self) -> tuple[float, float]:
        """Pixel of the cube's centre."""
        side = min(self.width, self.height)
        x, y = self.view.shift
        return 0.5 * self.width + x * side, 0.5 * self.height + y * side

    def project(self, points: ArrayLike) -> Floats:
        """Project points, shape (..., 3), to pixels and depth.

        Returns x, y (down) and depth (larger is nearer): float32 for float32 points, else float64.
        """
        points = np.asarray(points)
        kind = np.float32 if points.dtype == np.float32 else np.float64
        scale = self.pixels_per_unit
        turn = self.view.matrix * np.array([[scale], [-scale], [scale]])
        x, y = self.origin
        offset = np.array([x, y, 0.0]) - turn @ np.asarray(self.centre)
        return np.asarray(points @ turn.T.astype(kind) + offset.astype(kind))


def _cube_pixels(width: float, height: float) -> float:
    """Pixels of half the cube's edge in a picture, at zoom 1."""
    side = min(width, height)
    side -= 0.25 * max(_ROOMY_PIXELS - side, 0.0)
    return _FILL * side / math.sqrt(3.0)


def half_that_fits(
    size: tuple[float, float], margin: tuple[float, float], wide: float, tall: float
) -> float:
    """Half the edge of the cube at which a figure fills a picture, at zoom 1.

    `size`, `margin`: width and height of the picture, and room at its sides, in pixels. `wide`,
    `tall`: how far the figure extends from the picture's middle, in its unit of length.
    """
    ends = zip(size, margin, (wide, tall))
    scale = min(max(0.5 * side - room, 1.0) / max(end, 1e-9) for side, room, end in ends)
    return _cube_pixels(*size) / scale
