"""Coupled limits: the interface of shapes, and shapes made of a chart and a region.

Refinement from the nearest coordinates to the nearest rotation.

Coordinates exaggerate angles far from their centre, so the nearest point of a region is not quite
the nearest rotation of the shape. Projected gradient steps on half the squared angle lead there:
charts never shrink angles, so to first order a whole step along the gradient never overshoots, and
every step ends at an allowed rotation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..geometry import (
    ArrayLike,
    Booleans,
    Floats,
    angle_between,
    conjugate,
    multiply,
    rotation_vector_from_quaternion,
)
from .charts import Chart
from .region import Region

_AHEAD = 1e-6
"""Step for numerical derivatives, radians."""


def nearer_points(
    chart: Chart, region: Region, rotations: Floats, points: Floats, steps: int
) -> Floats:
    """Coordinates of allowed rotations that are nearer by angle.

    `rotations` has shape (n, 4): rotations to project. `points` has shape (n, 3): start points
    inside the region. The result has shape (n, 3): points of the region, none farther from its
    rotation than its start.
    """
    best = angle_between(rotations, chart.rotation(points))
    for _ in range(steps):
        tried = region.nearest(points + _way(chart, rotations, points))
        angle = angle_between(rotations, chart.rotation(tried))
        points = np.where((angle < best)[:, None], tried, points)
        best = np.minimum(angle, best)
    return points


def _way(chart: Chart, rotations: Floats, points: Floats) -> Floats:
    """Descent direction of half the squared angle, in coordinates, (n, 3)."""
    back = conjugate(chart.rotation(points))
    missing = rotation_vector_from_quaternion(multiply(back, rotations))
    ahead = chart.rotation(points[:, None] + _AHEAD * np.eye(3))
    turns = rotation_vector_from_quaternion(multiply(back[:, None], ahead)) / _AHEAD
    return np.asarray(np.einsum("nij,nj->ni", turns, missing))


PROJECTION_TOLERANCE = 1e-9
"""Radians within which a projected rotation is inside."""


class Shape(Protocol):
    """A set of allowed rotations of one joint.

    Rotations are unit quaternions (x, y, z, w) of either sign, shape (..., 4), relative to the
    parent, with any leading axes.
    """

    @property
    def kind(self) -> str:
        """Name of the shape, as in ``--shape``."""

    def contains(self, rotation: ArrayLike, tolerance: float = ...) -> Booleans:
        """Which rotations are allowed, shape (...)."""

    def project(self, rotation: ArrayLike) -> Floats:
        """Nearest allowed rotation in the shape's own coordinates, shape (..., 4)."""

    def distance(self, rotation: ArrayLike) -> Floats:
        """Angle from each rotation to its projection, radians, shape (...); 0 inside."""

    def freedom(self) -> float:
        """Share of all rotations that is allowed (Haar measure), 0 to 1."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data; inverse of :func:`.fitting.shape_from_dict`."""


@dataclass(frozen=True, eq=False)
class CoupledShape:
    """A region in the coordinates of a chart; see :class:`Shape` for its interface.

    A rotation has several coordinates (it can also be reached the other way round), and all of them
    count: it is inside if the region contains any of them, and is projected to the point of the
    region nearest to any of them. So motion past half a turn needs no special case, and the
    projection is continuous except for rotations equally near to two points of the region. Every
    map of all rotations to a part of them has such discontinuities; with the chart centred on the
    motion they are about half a turn away from it.
    """

    chart: Chart
    region: Region

    @property
    def kind(self) -> str:
        """See :class:`Shape`."""
        return self.region.kind

    def contains(self, rotation: ArrayLike, tolerance: float = PROJECTION_TOLERANCE) -> Booleans:
        """See :class:`Shape`; False for rotations that are not finite."""
        given = np.asarray(rotation, dtype=np.float64)
        points, usable = self._points(given)
        inside = self.region.contains(points, tolerance)
        outside = np.flatnonzero(~inside)
        others = self.chart.other_coordinates(points[outside])
        near = self._to_bounds(others) <= tolerance
        for other, reached in zip(others, near):
            there = outside[reached]
            inside[there] |= self.region.contains(other[reached], tolerance)
        return np.asarray((inside & usable).reshape(given.shape[:-1]))

    def project(self, rotation: ArrayLike) -> Floats:
        """See :class:`Shape`; rotations that are inside or not finite are unchanged.

        Used for rigs, IK, keys and motions: continuous for convex regions. In rotation vectors
        95 of 100 rotations up to 15 degrees outside come within a tenth of a degree of the nearest;
        in swing and twist within three quarters of a degree.
        """
        return self._projected(rotation, 0)

    def nearest(self, rotation: ArrayLike) -> Floats:
        """Allowed rotation that is nearest by its angle, shape (..., 4).

        Refines the projection in a few steps, at four times its cost. That matters far outside:
        over all rotations, 95 of 100 projections are within two degrees of the nearest (in swing
        and twist thirty); after the steps they are within a twentieth.
        """
        return self._projected(rotation, self.chart.steps_to_nearest)

    def _projected(self, rotation: ArrayLike, steps: int) -> Floats:
        given = np.asarray(rotation, dtype=np.float64)
        points, usable = self._points(given)
        nearest, moved = self._nearest(points)
        moved &= usable
        if steps and moved.any():
            flat = given.reshape(-1, 4)[moved]
            nearest[moved] = nearer_points(self.chart, self.region, flat, nearest[moved], steps)
        result = np.array(given.reshape(-1, 4))
        result[moved] = self.chart.rotation(nearest[moved])
        return result.reshape(given.shape)

    def distance(self, rotation: ArrayLike) -> Floats:
        """See :class:`Shape`; NaN for rotations that are not finite."""
        given = np.asarray(rotation, dtype=np.float64)
        projected = self.project(given)
        return np.where(np.all(projected == given, axis=-1), 0.0, angle_between(given, projected))

    def padded(self, pad: float) -> CoupledShape:
        """Shape grown by `pad` radians."""
        return replace(self, region=self.region.grown(pad))

    def freedom(self) -> float:
        """See :class:`Shape`."""
        from .freedom import freedom_of

        return freedom_of(self)

    def to_dict(self) -> dict[str, Any]:
        """See :class:`Shape`."""
        return {
            "kind": self.kind,
            "coordinates": self.chart.to_dict(),
            "region": self.region.to_dict(),
        }

    def _points(self, given: Floats) -> tuple[Floats, Booleans]:
        """Coordinates, (n, 3), zero for rotations that are not finite, and which are, (n,)."""
        flat = given.reshape(-1, 4)
        usable: Booleans = np.asarray(np.isfinite(flat).all(axis=1))
        if not usable.all():
            flat = np.where(usable[:, None], flat, self.chart.centre)
        return self.chart.coordinates(flat), usable

    def _nearest(self, points: Floats) -> tuple[Floats, Booleans]:
        """Nearest points of the region, (n, 3), and which points move, (n,)."""
        nearest = np.array(self.region.nearest(points))
        moved = np.any(nearest != points, axis=-1)
        rows = np.flatnonzero(moved)
        distance = np.linalg.norm(nearest[rows] - points[rows], axis=-1)
        for other in self.chart.other_coordinates(points[rows]):
            # Points farther from the bounds are farther from the region.
            near = np.flatnonzero(self._to_bounds(other) < distance)
            if near.size:
                beside = self.region.nearest(other[near])
                apart = np.linalg.norm(beside - other[near], axis=-1)
                better = near[apart < distance[near]]
                nearest[rows[better]] = beside[apart < distance[near]]
                distance[better] = apart[apart < distance[near]]
        moved[rows[distance == 0.0]] = False
        return nearest, moved

    def _to_bounds(self, points: Floats) -> Floats:
        """Distance to the box around the region, shape (...)."""
        low, high = self.region.bounds()
        return np.asarray(np.linalg.norm(points - np.clip(points, low, high), axis=-1))
