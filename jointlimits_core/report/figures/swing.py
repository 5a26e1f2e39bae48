"""Swing of a bone and twist about it: outline of swings, layout of swing disc and twist strip."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...geometry import quaternion
from ...geometry.arrays import ArrayLike, Floats, Integers

AXES = "XYZ"
TWIST_BIN_DEG = 2
_STRIP_PIXELS, _MARGIN_PIXELS, _SIDE_PIXELS = 62.0, 22.0, 14.0
_RINGS_DEG = (5.0, 10.0, 15.0, 30.0, 45.0, 60.0, 90.0)
MAX_ZOOM = 20.0


def swing_axes(axis: str) -> tuple[int, int]:
    """Indices of the two axes across a bone's axis, about which the bone swings."""
    bone = AXES.index(axis)
    return (bone + 1) % 3, (bone + 2) % 3


def swing_and_twist(rotations: ArrayLike, reference: ArrayLike, axis: str) -> tuple[Floats, Floats]:
    """Split rotations, (samples, 4), into swing of the bone and twist about it.

    `reference`, shape (4,), is the centre of the disc; `axis`, "X", "Y" or "Z", is along the bone.
    Returns the swing, (samples, 2), degrees about the two axes across the bone in the order of
    :func:`swing_axes`, and the twist, (samples,), degrees in [-180, 180].
    """
    bone = np.eye(3)[AXES.index(axis)]
    turn = quaternion.multiply(quaternion.conjugate(reference), rotations)
    swing, twist = (
        np.degrees(quaternion.rotation_vector_from_quaternion(part))
        for part in quaternion.swing_twist_from_quaternion(turn, bone)
    )
    return swing[..., list(swing_axes(axis))], np.asarray(twist @ bone)


def reach_outline(swing: ArrayLike, step_deg: float = 3.0) -> Floats:
    """Closed outline, (corners, 2), of swings, (points, 2): the furthest in each direction.

    Directions are sectors of `step_deg` around the centre of the swings; empty ones are omitted.
    """
    points = np.asarray(swing, dtype=np.float64).reshape(-1, 2)
    if not len(points):
        return np.zeros((0, 2))
    x, y = (points - 0.5 * (points.min(axis=0) + points.max(axis=0))).T
    pieces = round(360.0 / step_deg)
    which = np.floor(np.degrees(np.arctan2(y, x)) / step_deg + 0.5).astype(np.int64) % pieces
    # Sorted by distance, the last point in each direction is the furthest.
    order = np.argsort(np.hypot(x, y), kind="stable")
    furthest = np.full(pieces, -1, dtype=np.int64)
    furthest[which[order]] = order
    kept = furthest[furthest >= 0]
    return np.asarray(points[np.append(kept, kept[:1])])


@dataclass(frozen=True)
class DiscView:
    """Visible part of the disc."""

    reach_deg: float = 90.0
    """Swing at the rim of the whole disc."""
    zoom: float = 1.0
    middle: tuple[float, float] = (0.0, 0.0)
    """Swing at the centre of the picture, (float, float)."""


class DiscLayout:
    """Positions of disc and strip, in pixels.

    `centre`: middle of the disc's area; `radius`: radius of the whole disc. `pixels_per_degree`:
    scale of the swing. `strip`: left, top, width and height of the twist strip.
    """

    def __init__(self, view: DiscView, width: float, height: float) -> None:
        self.view, self.width, self.height = view, width, height
        self.centre = (0.5 * width, 0.5 * (height - _STRIP_PIXELS) + 0.2 * _MARGIN_PIXELS)
        inner = min(width - 1.6 * _MARGIN_PIXELS, height - _STRIP_PIXELS)
        self.radius = max(0.5 * inner - _MARGIN_PIXELS, 10.0)
        self.pixels_per_degree = self.radius / view.reach_deg * view.zoom
        top = height - _STRIP_PIXELS + 14.0
        self.strip = (_SIDE_PIXELS, top, width - 2.0 * _SIDE_PIXELS, 26.0)

    def pixel(self, swing: ArrayLike) -> Floats:
        """Pixel positions of swings, shape (..., 2); the second swing axis points up."""
        x, y = self.centre
        away = (np.asarray(swing, dtype=np.float64) - self.view.middle) * self.pixels_per_degree
        return np.asarray(away * [1.0, -1.0] + [x, y])

    def swing(self, x: float, y: float) -> tuple[float, float]:
        """Swing at a pixel."""
        cx, cy = self.centre
        scale = self.pixels_per_degree
        return (x - cx) / scale + self.view.middle[0], (cy - y) / scale + self.view.middle[1]

    def shows(self, swing: ArrayLike) -> bool:
        """Whether a swing is on the visible part of the disc."""
        away = self.pixel(swing) - np.array(self.centre)
        return bool(np.hypot(*away) <= self.radius + 1.0)

    def twist_x(self, twist_deg: float) -> float:
        """Pixel of a twist on the strip, from -180 on the left to 180 on the right."""
        left, _, width, _ = self.strip
        return left + (twist_deg + 180.0) / 360.0 * width

    def twist(self, x: float) -> float:
        """Twist at a pixel, degrees."""
        left, _, width, _ = self.strip
        return min(max((x - left) / max(width, 1.0) * 360.0 - 180.0, -180.0), 180.0)

    def in_strip(self, y: float) -> bool:
        """Whether a pixel belongs to the strip rather than to the disc."""
        return y >= self.height - _STRIP_PIXELS


def reach_for(swing: Floats) -> float:
    """Swing at the rim of a disc that holds all swings: a round number, at most 180."""
    if not len(swing):
        return 90.0
    furthest = float(np.hypot(swing[:, 0], swing[:, 1]).max())
    step = 5.0 if furthest <= 30.0 else 15.0
    return min(max(math.ceil(1.04 * furthest / step) * step, 10.0), 180.0)


def rings_of(layout: DiscLayout) -> list[float]:
    """Swings at which rings are drawn, spaced so that rings are not too close together."""
    wide = (ring for ring in _RINGS_DEG if ring * layout.pixels_per_degree >= 24.0)
    step = next(wide, _RINGS_DEG[-1])
    count = int(layout.view.reach_deg / step + 1e-9)
    return [step * number for number in range(1, count + 1)]


def zoom_disc(layout: DiscLayout, factor: float, x: float, y: float) -> DiscView:
    """Zoom with one pixel fixed; zooming out stops at the whole disc."""
    view, (kept_x, kept_y) = layout.view, layout.swing(x, y)
    zoom = min(max(view.zoom * factor, 1.0), MAX_ZOOM)
    if zoom == 1.0:
        return replace(view, zoom=1.0, middle=(0.0, 0.0))
    (at_x, at_y), share = view.middle, view.zoom / zoom
    middle = kept_x + (at_x - kept_x) * share, kept_y + (at_y - kept_y) * share
    return replace(view, zoom=zoom, middle=middle)


def pan_disc(layout: DiscLayout, dx: float, dy: float) -> DiscView:
    """Shift by pixels, within the disc; no effect while the whole disc is visible."""
    view, scale = layout.view, layout.pixels_per_degree
    if view.zoom == 1.0:
        return view
    reach = view.reach_deg
    x, y = view.middle[0] - dx / scale, view.middle[1] + dy / scale
    return replace(view, middle=(min(max(x, -reach), reach), min(max(y, -reach), reach)))


def density(places: Floats, columns: int, rows: int) -> Integers:
    """Number of points in each cell of a grid, shape (rows, columns).

    `places`, shape (points, 2): positions in cells; points outside the grid do not count.
    """
    cell = np.floor(places).astype(np.int64)
    inside = (cell >= 0).all(axis=1) & (cell[:, 0] < columns) & (cell[:, 1] < rows)
    flat = cell[inside, 1] * columns + cell[inside, 0]
    return np.bincount(flat, minlength=rows * columns).reshape(rows, columns)


def twist_counts(twist: Floats) -> Integers:
    """Number of twists in each bin of two degrees from -180 to 180, shape (180,)."""
    which = np.floor((np.asarray(twist) + 180.0) / TWIST_BIN_DEG).astype(np.int64)
    return np.bincount(np.clip(which, 0, 179), minlength=180)
