"""A region bounded by an implicit surface, with nearest points by Newton's method along it.

The paper follows the gradient of the field, which is zero beyond the reach of the spheres and
elsewhere seldom leads to the nearest point. Here every search starts at the nearest of many
precomputed points on the surface. Each step slides along the surface to where its tangent plane,
bent by its curvature, is nearest, and returns to the surface along the gradient. Only steps that
bring the point nearer are taken: with start points `h` apart, at a distance `d`, the result is
farther than the nearest point by at most about ``h^2 / 2 d``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any

import numpy as np

from ...geometry import Booleans, Floats, sphere_points
from .field import Primitives, field, field_and_gradient, field_hessian

CHUNK = 2048
MOST_STEPS = 30
HALVINGS = 5
CORRECTIONS = 4
"""Newton steps back to the surface."""
CLOSE = 1e-11
"""Radians; a search ends after a shorter step."""
ABOVE = 1e-12
"""Share of the level by which results are inside, so that projecting again changes nothing."""
LEAST_SLOPE = 1e-12
LEAST_BEND = 0.05
"""Minimum curvature by which a step is divided; a saddle has none or a negative one."""
COUNT = 3000
"""Total number of points, spread evenly over the primitives."""
FEWEST = 64
"""Minimum number of directions from each centre."""
STEPS = 48
"""Steps along a ray; a gap between two of them is missed, and the ray continues beyond it."""
RAY_HALVINGS = 34


def nearest_on_surface(
    points: Floats, primitives: Primitives, level: float, starts: Floats
) -> Floats:
    """Nearest points on the surface to points outside it.

    `points` has shape (n, 3). `starts` has shape (count, 3): points on the surface, on its inner
    side. The result has shape (n, 3): all inside.
    """
    result = np.empty_like(points)
    squares = np.sum(starts * starts, axis=-1)
    for first in range(0, len(points), CHUNK):
        some = points[first : first + CHUNK]
        closest = np.argmin(squares - 2.0 * (some @ starts.T), axis=-1)
        result[first : first + CHUNK] = _descend(some, starts[closest], primitives, level)
    return result


def _descend(points: Floats, starts: Floats, primitives: Primitives, level: float) -> Floats:
    """Slide from each start to the nearest point that can be reached monotonically."""
    found = starts.copy()
    going = np.arange(len(points))
    for _ in range(MOST_STEPS):
        target, here = points[going], found[going]
        step = _step_along_surface(target, here, primitives)
        there = _nearer(target, here, step, primitives, level)
        moved = np.linalg.norm(there - here, axis=-1)
        found[going] = there
        going = going[moved > CLOSE]
        if not len(going):
            break
    return found


def _step_along_surface(target: Floats, here: Floats, primitives: Primitives) -> Floats:
    """Newton's step in the tangent plane, shape (n, 3).

    The distance along the surface has the slope ``T (x - p)`` and the curvature
    ``T (1 - m H) T`` with the multiplier ``m = (x - p) . g / |g|^2``, T the tangent plane.
    """
    _, gradient = field_and_gradient(here, primitives)
    apart = here - target
    # Where two fields meet in a saddle there is no normal; such a start is not improved.
    length = np.maximum(np.sum(gradient * gradient, axis=-1), LEAST_SLOPE)
    multiplier = np.sum(apart * gradient, axis=-1) / length
    plane = _tangents(gradient / np.sqrt(length)[:, None])
    bent = np.eye(3) - multiplier[:, None, None] * field_hessian(here, primitives)
    curvature = plane @ bent @ np.swapaxes(plane, 1, 2)
    slope = np.einsum("nij,nj->ni", plane, apart)
    values, vectors = np.linalg.eigh(curvature)
    seen = np.einsum("nji,nj->ni", vectors, slope) / np.maximum(np.abs(values), LEAST_BEND)
    return -np.asarray(np.einsum("nij,nj,nik->nk", vectors, seen, plane))


def _tangents(normals: Floats) -> Floats:
    """Two unit vectors perpendicular to each normal, shape (n, 2, 3)."""
    least = np.eye(3)[np.argmin(np.abs(normals), axis=-1)]
    first = np.cross(normals, least)
    first = first / np.maximum(np.linalg.norm(first, axis=-1, keepdims=True), LEAST_SLOPE)
    return np.stack([first, np.cross(normals, first)], axis=1)


def _nearer(
    target: Floats, here: Floats, step: Floats, primitives: Primitives, level: float
) -> Floats:
    """Take the step, or a half, a quarter and so on, if the result is nearer; else stay."""
    best, result = np.linalg.norm(here - target, axis=-1), here.copy()
    waiting, share = np.arange(len(here)), 1.0
    for _ in range(HALVINGS):
        there = _back_on_surface(here[waiting] + share * step[waiting], primitives, level)
        inside = field(there, primitives) >= level
        nearer = inside & (np.linalg.norm(there - target[waiting], axis=-1) < best[waiting])
        result[waiting[nearer]] = there[nearer]
        waiting, share = waiting[~nearer], 0.5 * share
        if not len(waiting):
            break
    return result


def _back_on_surface(points: Floats, primitives: Primitives, level: float) -> Floats:
    """Newton's method on the field along its gradient; unchanged where that is zero."""
    wanted = level * (1.0 + ABOVE)
    for _ in range(CORRECTIONS):
        values, gradient = field_and_gradient(points, primitives)
        length = np.sum(gradient * gradient, axis=-1)
        safe = np.where(length > 0.0, length, np.inf)
        points = points + ((wanted - values) / safe)[:, None] * gradient
    return points


def surface_points(primitives: Primitives, level: float, count: int = COUNT) -> Floats:
    """First exits of rays from every centre out of the region, shape (rays, 3).

    The points are inside, less than 1e-9 of the region's size from the surface. Centres that are
    outside themselves give none. `count`: approximate number of points; at least :data:`FEWEST`
    from each centre.
    """
    inside = primitives.chosen(field(primitives.centres, primitives) >= level)
    directions = sphere_points(max(FEWEST, count // max(len(inside), 1)))
    origins = np.repeat(inside.centres, len(directions), axis=0)
    rays = np.tile(directions, (len(inside), 1))
    low, high = _bracket(origins, rays, primitives, level)
    for _ in range(RAY_HALVINGS):
        middle = 0.5 * (low + high)
        stays = field(origins + middle[:, None] * rays, primitives) >= level
        low, high = np.where(stays, middle, low), np.where(stays, high, middle)
    return origins + low[:, None] * rays


def _bracket(
    origins: Floats, rays: Floats, primitives: Primitives, level: float
) -> tuple[Floats, Floats]:
    """Distances along rays between which each leaves the region."""
    lowest = (primitives.centres - primitives.reach[:, None]).min(axis=0)
    highest = (primitives.centres + primitives.reach[:, None]).max(axis=0)
    step = float(np.linalg.norm(highest - lowest)) / STEPS
    low = np.zeros(len(origins))
    going = np.arange(len(origins))
    # At the last step every ray is beyond all fields.
    for number in range(1, STEPS + 2):
        there = origins[going] + number * step * rays[going]
        going = going[field(there, primitives) >= level]
        low[going] = number * step
    return low, low + step


@dataclass(frozen=True, eq=False)
class ImplicitSurface:
    """Region where the field of some spheres reaches a level; see :class:`..region.Region`.

    The coordinates are those of the region's chart, by default rotation vectors at the centre of
    the data. The paper uses the vector part of the quaternion, whose length hardly changes near
    half a turn, where a unit of length is worth many degrees. Rotation vectors preserve angles from
    the centre, so the nearest point is also nearly the nearest in degrees. `level`: greater than 0;
    the field inside is at least this.
    """

    primitives: Primitives
    level: float
    kind: str = "implicit"
    _points: list[Floats] = attribute(default_factory=list, repr=False)

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`..region.Region`.

        Tests with every radius larger by the tolerance, which contains all points within the
        tolerance of the surface: along a step no distance to a centre grows by more than the step.
        """
        return np.asarray(field(points, self.primitives.grown(tolerance)) >= self.level)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`..region.Region`.

        The set is not convex: where two of its parts are equally near, the result jumps from one
        to the other. See :mod:`.surface` for the accuracy.
        """
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        result = flat.copy()
        outside = ~self.contains(flat, 0.0)
        if outside.any():
            starts = self.surface_points
            result[outside] = nearest_on_surface(flat[outside], self.primitives, self.level, starts)
        return result.reshape(points.shape)

    def grown(self, pad: float) -> ImplicitSurface:
        """See :class:`..region.Region`.

        Every radius grows. A single sphere grows by exactly `pad`; where several overlap the
        surface moves at least as far.
        """
        return ImplicitSurface(self.primitives.grown(pad), self.level)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`..region.Region`; enlarged by the spacing of the surface points."""
        points = self.surface_points
        margin = 0.02 * np.ptp(points, axis=0)
        return points.min(axis=0) - margin, points.max(axis=0) + margin

    @property
    def surface_points(self) -> Floats:
        """Points on the surface, shape (count, 3), computed on first use."""
        if not self._points:
            self._points.append(surface_points(self.primitives, self.level))
        return self._points[0]

    def to_dict(self) -> dict[str, Any]:
        """See :class:`..region.Region`."""
        return {
            "kind": self.kind,
            "centres_rad": self.primitives.centres.tolist(),
            "radii_rad": self.primitives.radii.tolist(),
            "stickiness_per_rad": float(self.primitives.stickiness),
            "level": float(self.level),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ImplicitSurface:
        """Inverse of :meth:`to_dict`."""
        centres = np.asarray(data["centres_rad"], dtype=np.float64).reshape(-1, 3)
        radii = np.asarray(data["radii_rad"], dtype=np.float64)
        return cls(
            Primitives(centres, radii, float(data["stickiness_per_rad"])), float(data["level"])
        )
