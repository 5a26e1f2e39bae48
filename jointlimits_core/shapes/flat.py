"""Regions with fewer than three dimensions: a point, a line segment, or a convex polygon."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.arrays import Floats, product_of_rows
from .region import Region

MAX_FLAT_RAD = float(np.radians(0.01))
"""Radians; samples with a smaller extent in a direction are flat in that direction."""


def convex_polygon(points: Floats) -> Floats:
    """Corners of the convex hull of points, counterclockwise, shape (corners, dimension).

    Found by Andrew's monotone chain; in one dimension the corners are the two ends, in zero
    dimensions the only point. `points` has shape (n, dimension).
    """
    if points.shape[1] == 0:
        return np.zeros((1, 0))
    if points.shape[1] == 1:
        return np.array([points.min(axis=0), points.max(axis=0)])
    ordered = np.unique(_outside_of_extremes(points), axis=0)
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered.tolist()), _chain(ordered[::-1].tolist())
    return np.array(lower[:-1] + upper[:-1])


def nearest_in_polygon(points: Floats, corners: Floats) -> Floats:
    """Nearest points in a convex polygon; points inside are unchanged, shape (..., dimension).

    `points` has shape (..., dimension). `corners` has shape (corners, dimension).
    """
    if points.shape[-1] < 2:
        return np.asarray(np.clip(points, corners.min(axis=0), corners.max(axis=0)))
    outside = _depth(points, corners) < 0.0
    given = points[outside]
    best, least = given.copy(), np.full(len(given), np.inf)
    for start, end in zip(corners, np.roll(corners, -1, axis=0)):
        edge, apart = end - start, given - start
        length, along = float(edge @ edge), edge[0] * apart[:, 0] + edge[1] * apart[:, 1]
        share = np.clip(along / length, 0.0, 1.0) if length > 0.0 else 0.0 * along
        on_edge = start + share[:, None] * edge
        distance = np.sum((given - on_edge) ** 2, axis=-1)
        nearer = distance < least
        best[nearer], least[nearer] = on_edge[nearer], distance[nearer]
    result = np.array(points)
    result[outside] = best
    return result


def _depth(points: Floats, corners: Floats) -> Floats:
    """Depth, shape (...): positive inside a polygon, 0 on its outline, negative outside."""
    depth = np.full(points.shape[:-1], np.inf if len(corners) > 2 else -np.inf)
    for start, end in zip(corners, np.roll(corners, -1, axis=0)):
        edge, apart = end - start, points - start
        np.minimum(depth, edge[0] * apart[..., 1] - edge[1] * apart[..., 0], out=depth)
    return depth


def _outside_of_extremes(points: Floats) -> Floats:
    """Points not inside the polygon of the extremes in 16 directions; these include all corners."""
    if len(points) <= 128:
        return points
    angle = 2.0 * np.pi * np.arange(16) / 16
    at = np.argmax(product_of_rows(points, np.stack([np.cos(angle), np.sin(angle)])), axis=0)
    return np.asarray(points[_depth(points, convex_polygon(points[at])) <= 0.0])


def _chain(ordered: list[list[float]]) -> list[list[float]]:
    chain: list[list[float]] = []
    for x, y in ordered:
        while len(chain) > 1:
            (x0, y0), (x1, y1) = chain[-2:]
            if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0.0:
                break
            chain.pop()
        chain.append([x, y])
    return chain


@dataclass(frozen=True, eq=False)
class Flat(Region):
    """A convex polygon in a plane, with a rounded margin; see :class:`.region.Region`.

    Two corners form a line segment, which the margin extends; one corner is a point, without a
    margin. `axes` has shape (dimension, 3): 0, 1 or 2 perpendicular unit vectors that span the
    region from `origin`. `corners` has shape (corners, dimension): in order around the polygon.
    `radius`: width of the margin along the axes, radians. `slack`: tolerance across the axes,
    radians, equal to the samples' largest deviation.
    """

    origin: Floats
    axes: Floats
    corners: Floats
    radius: float = 0.0
    slack: float = 0.0
    kind: str = "flat"

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`; found separately along and across the axes."""
        apart = points - self.origin
        along = apart @ self.axes.T
        across = apart - along @ self.axes
        inner = _draw_in(along, nearest_in_polygon(along, self.corners), self.radius)
        outer = _draw_in(across, np.zeros(3), self.slack)
        inside = np.all(inner == along, axis=-1) & np.all(outer == across, axis=-1)
        moved = self.origin + inner @ self.axes + outer
        return np.asarray(np.where(inside[..., None], points, moved))

    def grow(self, pad: float) -> Flat:
        """See :class:`.region.Region`; the slack does not grow."""
        if len(self.axes) == 0:
            return self
        return replace(self, radius=max(self.radius + pad, 0.0))

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        corners = self.origin + self.corners @ self.axes
        spread = self.radius * np.linalg.norm(self.axes, axis=0)
        across = self.slack * np.sqrt(np.maximum(1.0 - np.sum(self.axes**2, axis=0), 0.0))
        return corners.min(axis=0) - spread - across, corners.max(axis=0) + spread + across


def flat_around(coordinates: Floats) -> Flat | None:
    """Flat region around samples, shape (samples, 3); None if they are flat in no direction."""
    # The mean lies in the plane of flat samples; the middle of their box need not.
    origin = coordinates.mean(axis=0)
    apart = coordinates - origin
    axes = np.linalg.eigh(apart.T @ apart)[1].T[::-1]
    extended = np.ptp(apart @ axes.T, axis=0) > MAX_FLAT_RAD
    return None if extended.all() else flat_region(coordinates, origin, axes[extended])


def flat_region(coordinates: Floats, origin: Floats, axes: Floats) -> Flat:
    """Smallest flat region around samples, given its plane or line.

    `coordinates` has shape (samples, 3). `origin` has shape (3,). `axes` has shape (dimension, 3).
    """
    apart = coordinates - origin
    along = apart @ axes.T
    slack = float(np.max(np.linalg.norm(apart - along @ axes, axis=1)))
    # Slightly enlarged for rounding, so that the farthest sample is inside.
    return Flat(origin, axes, convex_polygon(along), 0.0, slack * (1.0 + 1e-12) + 1e-15)


def _draw_in(points: Floats, core: Floats, radius: float) -> Floats:
    """Points moved to within `radius` of their core points; nearer ones are unchanged."""
    apart = points - core
    length = np.linalg.norm(apart, axis=-1, keepdims=True)
    share = radius / np.where(length > radius, length, 1.0)
    return np.asarray(np.where(length > radius, core + share * apart, points))
