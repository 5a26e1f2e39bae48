"""Shapes, made of a chart and a region: projection, freedom, and soft limits.

Coordinates exaggerate angles far from their centre, so the nearest point of a region is not quite
the nearest rotation. Projected gradient steps on half the squared angle lead to that rotation:
charts never shrink angles, so to first order a whole step never overshoots. Freedom is the share of
rotations that is allowed, as proposed by Herda et al. Holden's soft limits move a rotation that was
projected by ``d`` back by ``radius tanh(falloff d)``, which overshoots if ``falloff radius > 1``;
ours never do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Booleans, Floats
from .charts import Chart
from .flat import Flat
from .region import Region

_PROBE_RAD = 1e-6
"""Step for numerical derivatives, radians."""
PROJECTION_TOLERANCE = 1e-9
"""Distance, radians, up to which a rotation outside still counts as inside."""
FIRST_CELL_COUNT = 6
"""Initial number of cells along each side of the region's bounds."""
MAX_CELLS = 14000
MAX_HALVINGS = 10


def nearer_points(
    chart: Chart, region: Region, rotations: Floats, points: Floats, steps: int
) -> Floats:
    """Points of a region, (n, 3), moved closer, by angle, to their rotations, (n, 4)."""
    best = quaternion.angle_between(rotations, chart.rotation(points))
    for _ in range(steps):
        tried = region.nearest(points + _descent_steps(chart, rotations, points))
        angle = quaternion.angle_between(rotations, chart.rotation(tried))
        points = np.where((angle < best)[:, None], tried, points)
        best = np.minimum(angle, best)
    return points


def _descent_steps(chart: Chart, rotations: Floats, points: Floats) -> Floats:
    """Descent direction of half the squared angle, in coordinates, (n, 3)."""
    back = quaternion.conjugate(chart.rotation(points))
    missing = quaternion.rotation_vector_from_quaternion(quaternion.multiply(back, rotations))
    ahead = chart.rotation(points[:, None] + _PROBE_RAD * np.eye(3))
    turns = quaternion.rotation_vector_from_quaternion(quaternion.multiply(back[:, None], ahead))
    return np.asarray(np.einsum("nij,nj->ni", turns / _PROBE_RAD, missing))


@dataclass(frozen=True, eq=False)
class CoupledShape:
    """Set of allowed rotations of one joint: a region in the coordinates of a chart.

    Rotations are unit quaternions (x, y, z, w) of either sign, shape (..., 4), relative to the
    parent, with any leading axes.

    A rotation has several coordinates (it can also be reached the other way round), and all of them
    count: it is inside if the region contains any of them, and is projected to the point of the
    region nearest to any of them. So motion past half a turn needs no special case, and the
    projection is continuous, except at rotations that are equally near to two points of the region.
    Such rotations are about half a turn away from the motion.
    """

    chart: Chart
    region: Region

    @property
    def kind(self) -> str:
        """Name of the shape, as in ``--shape``."""
        return self.region.kind

    def contains(self, rotation: ArrayLike, tolerance: float = PROJECTION_TOLERANCE) -> Booleans:
        """Whether rotations are allowed, shape (...); False for rotations that are not finite."""
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
        """Nearest allowed rotation in the shape's own coordinates, shape (..., 4).

        Rotations that are inside or not finite are unchanged. Used for rigs, IK, keys and motions,
        because it is continuous for convex regions. For 95 % of rotations up to 15 degrees outside,
        the result is within a tenth of a degree of the nearest rotation in rotation vectors, and
        within three quarters of a degree in swing and twist.
        """
        return self._project(rotation, 0)

    def nearest(self, rotation: ArrayLike) -> Floats:
        """Allowed rotation that is nearest by its angle, shape (..., 4).

        Refines the projection at four times its cost. Over all rotations, 95 % of the projections
        are within two degrees of the nearest rotation (thirty in swing and twist), and 95 % of the
        refined ones within a twentieth of a degree.
        """
        return self._project(rotation, self.chart.steps_to_nearest)

    def _project(self, rotation: ArrayLike, steps: int) -> Floats:
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
        """Angle from each rotation to its projection, radians, shape (...).

        The angle is 0 inside, and NaN for rotations that are not finite.
        """
        given = np.asarray(rotation, dtype=np.float64)
        projected = self.project(given)
        angles = quaternion.angle_between(given, projected)
        return np.where(np.all(projected == given, axis=-1), 0.0, angles)

    def pad(self, pad: float) -> CoupledShape:
        """Shape grown by `pad` radians."""
        return replace(self, region=self.region.grow(pad))

    def freedom(self) -> float:
        """Share of all rotations that is allowed (Haar measure), 0 to 1.

        The bounds of the region are divided into cells. Cells that the region cannot reach are
        dropped and the others halved, until there are enough. Points of a fixed sequence in each
        cell are then weighted by the chart's density if they are inside. Rotations that a large
        region contains twice are counted once. The result is accurate to about 1 % for shapes at
        least a degree thick, and 0 for shapes without volume.
        """
        if isinstance(self.region, Flat):
            return 0.0
        middles, size = _cells(self)
        copies = max(1, MAX_CELLS // max(len(middles), 1))
        points = np.repeat(middles, copies, axis=0)
        points = points + quaternion.cube_points(len(points)) * size
        inside = points[self.region.contains(points, 0.0) & self.chart.is_within_a_turn(points)]
        # Number of times that the region contains each of the rotations.
        low, high = self.region.bounds()
        times = np.ones(len(inside))
        for other in self.chart.other_coordinates(inside):
            rows = np.flatnonzero(np.all((other >= low) & (other <= high), axis=1))
            rows = rows[self.chart.is_within_a_turn(other[rows])]
            times[rows] += self.region.contains(other[rows], 0.0)
        volume = float(np.prod(size)) / copies
        return min(float(np.sum(self.chart.density(inside) / times)) * volume, 1.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; inverse of :func:`.fitting.shape_from_dict`."""
        return {
            "kind": self.kind,
            "coordinates": self.chart.to_dict(),
            "region": self.region.to_dict(),
        }

    def _points(self, given: Floats) -> tuple[Floats, Booleans]:
        """Coordinates, (n, 3), zero if not finite, and whether each rotation is finite, (n,)."""
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
            # A point is at least as far from the region as from its bounds.
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


def _cells(shape: CoupledShape) -> tuple[Floats, Floats]:
    """Centres of the cells that may touch the region, (n, 3), and their size, (3,)."""
    low, high = shape.region.bounds()
    size = (high - low) / FIRST_CELL_COUNT
    steps = np.arange(FIRST_CELL_COUNT) + 0.5
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    middles = low + grid * size
    signs = np.stack(np.meshgrid(*[[-0.25, 0.25]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    for _ in range(MAX_HALVINGS):
        apart = np.linalg.norm(shape.region.nearest(middles) - middles, axis=1)
        middles = middles[apart <= 0.5 * np.linalg.norm(size)]
        if 8 * len(middles) > MAX_CELLS:
            break
        middles, size = (middles[:, None, :] + signs * size).reshape(-1, 3), 0.5 * size
    return middles, size


@dataclass(frozen=True)
class Softening:
    """Softness of a limit. Raises ValueError for values that are negative or not finite.

    `radius`: maximum distance beyond the limit, radians; 0 is a hard limit. `falloff`: initial
    share of the radius allowed per radian outside, 1 / radian.
    """

    radius: float = 0.1
    falloff: float = 1.0

    def __post_init__(self) -> None:
        for name, value in (("radius", self.radius), ("falloff", self.falloff)):
            if not 0.0 <= value < np.inf:
                raise ValueError(f"{name} must be finite and at least 0, not {value!r}")


def soften(shape: CoupledShape, rotation: ArrayLike, softening: Softening) -> Floats:
    """Rotations projected onto a shape with soft limits.

    With ``p`` the projection of ``q`` and ``d`` the angle between them, the result is on the
    shortest way from ``p`` to ``q``, never farther from ``p`` than the radius or ``d``; it moves
    away from ``p`` as ``q`` does. Softening twice moves rotations again, unlike projecting twice.
    """
    given = np.asarray(rotation, dtype=np.float64)
    return part_way_back(shape.project(given), given, softening)


def part_way_back(hard: Floats, given: Floats, softening: Softening) -> Floats:
    """Move from hard-limited rotations back to the given ones, as far as the softening allows.

    All have shape (..., 4); `hard` equals `given` inside the limit.
    """
    distance = quaternion.angle_between(given, hard)
    outside: Booleans = np.asarray(np.any(hard != given, axis=-1) & (distance > 0.0))
    kept = np.minimum(softening.radius * np.tanh(softening.falloff * distance), distance)
    share = kept / np.where(outside, distance, 1.0)
    return np.asarray(np.where(outside[..., None], quaternion.slerp(hard, given, share), given))
