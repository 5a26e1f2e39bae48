"""Implicit surfaces: the field of spheres, and nearest points by Newton's method along the surface.

The paper follows the gradient of the field, which is zero beyond the reach of the spheres and
elsewhere seldom leads to the nearest point. Here every search starts at the nearest of many
precomputed points on the surface. Each step slides along the tangent plane, allowing for the
curvature, and returns to the surface along the gradient. Only steps that reduce the distance are
accepted: with start points ``h`` apart and a query point ``d`` away, the result is farther than the
nearest point by at most about ``h^2 / 2 d``.

Several threads do not help to solve systems with a hundred unknowns: they are much slower on busy
cores, and the last digits depend on their number, so that a fit that subdivides the worst primitive
may take a different path. No library starts threads for blocks this small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..geometry.arrays import Booleans, Floats, product_of_rows
from ..geometry.quaternion import sphere_points
from .region import Region, in_blocks

CHUNK_POINTS = 16384
MIN_DISTANCE = 1e-12
"""Nearer to a centre than this, the field has no defined direction."""
SQUARE_ROWS = 32
BLOCK_ROWS = 8


@dataclass(frozen=True, eq=False)
class Primitives:
    """Spheres whose fields add up to one field.

    `centres`, shape (primitives, 3). `radii`, shape (primitives,): distance at which the field of a
    single sphere is 1. `stickiness`: decrease of the field per unit of length; beyond ``radius + 2
    / stickiness`` it is 0.
    """

    centres: Floats
    radii: Floats
    stickiness: float

    def __len__(self) -> int:
        return len(self.radii)

    @property
    def reach(self) -> Floats:
        """Distance at which the field of each sphere ends, shape (primitives,)."""
        return self.radii + 2.0 / self.stickiness

    def distances(self, points: Floats) -> Floats:
        """Distances from points to centres, shape (..., primitives)."""
        # One coordinate at a time: no array of differences, and no cancellation near a centre.
        x, y, z = (points[..., axis, None] - self.centres[:, axis] for axis in range(3))
        return np.asarray(np.sqrt(x * x + y * y + z * z))

    def grow(self, pad: float) -> Primitives:
        """Primitives with every radius larger by `pad`."""
        return replace(self, radii=self.radii + pad)

    def choose(self, which: Booleans) -> Primitives:
        """The primitives that a mask selects."""
        return replace(self, centres=self.centres[which], radii=self.radii[which])

    def append(self, centres: Floats, radii: Floats) -> Primitives:
        """Primitives with others appended."""
        return replace(
            self,
            centres=np.concatenate([self.centres, centres]),
            radii=np.concatenate([self.radii, radii]),
        )

    def place(self, origin: Floats, unit: float) -> Primitives:
        """Same field in coordinates ``origin + unit * point``."""
        return Primitives(origin + unit * self.centres, unit * self.radii, self.stickiness / unit)


def fall(distances: Floats, primitives: Primitives) -> tuple[Floats, Floats]:
    """Field of each primitive and its derivative along the distance, shape (..., primitives).

    Linear up to the radius, then a parabola down to zero; continuous in value and slope.
    Source: Herda and others, section 4.1.
    """
    beyond = primitives.stickiness * (distances - primitives.radii)
    rest = np.maximum(2.0 - beyond, 0.0)
    inner = beyond <= 0.0
    values = np.where(inner, 1.0 - beyond, 0.25 * rest * rest)
    slopes = np.where(inner, 1.0, 0.5 * rest) * -primitives.stickiness
    return values, slopes


def field(points: Floats, primitives: Primitives) -> Floats:
    """Sum of the fields of all primitives, (..., 3) to (...)."""

    def values(part: Floats) -> Floats:
        return np.asarray(fall(primitives.distances(part), primitives)[0].sum(axis=-1))

    return in_blocks(values, points, CHUNK_POINTS)


def field_and_gradient(points: Floats, primitives: Primitives) -> tuple[Floats, Floats]:
    """Field and its gradient, shapes (n,) and (n, 3); points of shape (n, 3)."""
    apart = points[:, None] - primitives.centres
    distances = np.sqrt(np.sum(apart * apart, axis=-1))
    values, slopes = fall(distances, primitives)
    weights = slopes / np.maximum(distances, MIN_DISTANCE)
    return values.sum(axis=-1), np.einsum("nm,nmi->ni", weights, apart)


def field_hessian(points: Floats, primitives: Primitives) -> Floats:
    """Second derivatives of the field, (n, 3) to (n, 3, 3).

    Along the line to a centre, the parabola contributes ``k^2 / 2``, with k the stickiness; across
    that line, a sphere's field contributes its slope divided by the distance.
    """
    apart = points[:, None] - primitives.centres
    distances = np.maximum(np.sqrt(np.sum(apart * apart, axis=-1)), MIN_DISTANCE)
    _, slopes = fall(distances, primitives)
    curved = (distances > primitives.radii) & (distances < primitives.reach)
    across = slopes / distances
    along = (np.where(curved, 0.5 * primitives.stickiness**2, 0.0) - across) / distances**2
    outer = np.einsum("nm,nmi,nmj->nij", along, apart, apart)
    return np.asarray(outer + across.sum(axis=-1)[:, None, None] * np.eye(3))


def square(matrix: Floats) -> Floats:
    """``matrix.T @ matrix``, summed over blocks of a few rows; (n, k) to (k, k)."""
    blocks = np.zeros((-(-len(matrix) // SQUARE_ROWS), SQUARE_ROWS, matrix.shape[1]))
    blocks.reshape(-1, matrix.shape[1])[: len(matrix)] = matrix
    return np.asarray(np.matmul(np.swapaxes(blocks, 1, 2), blocks).sum(axis=0))


def solve_in_blocks(matrix: Floats, right: Floats) -> Floats:
    """Solve a symmetric positive definite system in blocks of a few unknowns, shape (k,).

    `matrix` has shape (k, k). `right` has shape (k,).
    """
    count = len(right)
    work = np.column_stack([matrix, right])
    starts = range(0, count, BLOCK_ROWS)
    for start in starts:
        end = min(start + BLOCK_ROWS, count)
        work[start:end, end:] = np.linalg.inv(work[start:end, start:end]) @ work[start:end, end:]
        work[end:, end:] -= work[end:, start:end] @ work[start:end, end:]
    solution = work[:, count].copy()
    for start in reversed(starts):
        end = min(start + BLOCK_ROWS, count)
        solution[start:end] -= work[start:end, end:count] @ solution[end:]
    return solution


PROJECTED_POINTS = 2048
"""Points per block in a projection."""
MAX_STEPS = 30
MAX_HALVINGS = 5
CORRECTION_COUNT = 4
"""Number of Newton steps back to the surface."""
MIN_STEP_RAD = 1e-11
"""Radians; the search ends after a step shorter than this."""
INSIDE_SHARE = 1e-12
"""Share of the level by which results stay inside, so that projecting again changes nothing."""
MIN_SLOPE = 1e-12
MIN_BEND = 0.05
"""Minimum curvature that a step is divided by; at a saddle, the curvature is zero or negative."""
POINT_COUNT = 3000
"""Total number of points, spread evenly over the primitives."""
MIN_DIRECTIONS = 64
"""Minimum number of directions from each centre."""
RAY_STEP_COUNT = 48
"""Steps along a ray; a gap between two steps is missed, and the ray continues beyond it."""
RAY_HALVING_COUNT = 34


def nearest_on_surface(
    points: Floats, primitives: Primitives, level: float, starts: Floats
) -> Floats:
    """Nearest points on the surface to points outside it.

    `points` has shape (n, 3). `starts` has shape (count, 3): points on the surface, on its inner
    side. The result has shape (n, 3): all inside.
    """
    squares = np.sum(starts * starts, axis=-1)

    def nearest(part: Floats) -> Floats:
        closest = np.argmin(squares - 2.0 * product_of_rows(part, starts.T), axis=-1)
        return _descend(part, starts[closest], primitives, level)

    return in_blocks(nearest, points, PROJECTED_POINTS)


def _descend(points: Floats, starts: Floats, primitives: Primitives, level: float) -> Floats:
    """Slide from each start towards the nearest point; every step must come nearer."""
    found = starts.copy()
    going = np.arange(len(points))
    for _ in range(MAX_STEPS):
        target, here = points[going], found[going]
        step = _step_along_surface(target, here, primitives)
        there = _move_nearer(target, here, step, primitives, level)
        moved = np.linalg.norm(there - here, axis=-1)
        found[going] = there
        going = going[moved > MIN_STEP_RAD]
        if not len(going):
            break
    return found


def _step_along_surface(target: Floats, here: Floats, primitives: Primitives) -> Floats:
    """Newton's step in the tangent plane, shape (n, 3).

    Half the squared distance has the slope ``T (x - p)`` along the surface, and the curvature
    ``T (1 - m H) T``, with ``m = (x - p) . g / |g|^2`` and T the projection onto the tangent plane.
    """
    _, gradient = field_and_gradient(here, primitives)
    apart = here - target
    # Where two fields meet in a saddle there is no normal; such a start is not improved.
    length = np.maximum(np.sum(gradient * gradient, axis=-1), MIN_SLOPE)
    multiplier = np.sum(apart * gradient, axis=-1) / length
    normals = gradient / np.sqrt(length)[:, None]
    # Two unit vectors perpendicular to each normal, shape (n, 2, 3).
    first = np.cross(normals, np.eye(3)[np.argmin(np.abs(normals), axis=-1)])
    first = first / np.maximum(np.linalg.norm(first, axis=-1, keepdims=True), MIN_SLOPE)
    plane = np.stack([first, np.cross(normals, first)], axis=1)
    bent = np.eye(3) - multiplier[:, None, None] * field_hessian(here, primitives)
    curvature = plane @ bent @ np.swapaxes(plane, 1, 2)
    slope = np.einsum("nij,nj->ni", plane, apart)
    values, vectors = np.linalg.eigh(curvature)
    seen = np.einsum("nji,nj->ni", vectors, slope) / np.maximum(np.abs(values), MIN_BEND)
    return -np.asarray(np.einsum("nij,nj,nik->nk", vectors, seen, plane))


def _move_nearer(
    target: Floats, here: Floats, step: Floats, primitives: Primitives, level: float
) -> Floats:
    """Halve each step until it leads nearer to the target; stay if it never does."""
    best, result = np.linalg.norm(here - target, axis=-1), here.copy()
    waiting, share = np.arange(len(here)), 1.0
    for _ in range(MAX_HALVINGS):
        there = _back_on_surface(here[waiting] + share * step[waiting], primitives, level)
        inside = field(there, primitives) >= level
        nearer = inside & (np.linalg.norm(there - target[waiting], axis=-1) < best[waiting])
        result[waiting[nearer]] = there[nearer]
        waiting, share = waiting[~nearer], 0.5 * share
        if not len(waiting):
            break
    return result


def _back_on_surface(points: Floats, primitives: Primitives, level: float) -> Floats:
    """Newton's method on the field, along its gradient; no change where the gradient is zero."""
    wanted = level * (1.0 + INSIDE_SHARE)
    for _ in range(CORRECTION_COUNT):
        values, gradient = field_and_gradient(points, primitives)
        length = np.sum(gradient * gradient, axis=-1)
        safe = np.where(length > 0.0, length, np.inf)
        points = points + ((wanted - values) / safe)[:, None] * gradient
    return points


def surface_points(primitives: Primitives, level: float, count: int = POINT_COUNT) -> Floats:
    """Points where rays from every centre first leave the region, shape (rays, 3).

    The points are inside, less than 1e-9 of the region's size from the surface. Centres outside the
    region have no rays. `count`: approximate number of points; at least :data:`MIN_DIRECTIONS` from
    each centre.
    """
    inside = primitives.choose(field(primitives.centres, primitives) >= level)
    directions = sphere_points(max(MIN_DIRECTIONS, count // max(len(inside), 1)))
    origins = np.repeat(inside.centres, len(directions), axis=0)
    rays = np.tile(directions, (len(inside), 1))
    lowest = (primitives.centres - primitives.reach[:, None]).min(axis=0)
    highest = (primitives.centres + primitives.reach[:, None]).max(axis=0)
    step = float(np.linalg.norm(highest - lowest)) / RAY_STEP_COUNT
    low = np.zeros(len(origins))
    going = np.arange(len(origins))
    # At the last step every ray is beyond all fields.
    for number in range(1, RAY_STEP_COUNT + 2):
        there = origins[going] + number * step * rays[going]
        going = going[field(there, primitives) >= level]
        low[going] = number * step
    high = low + step
    for _ in range(RAY_HALVING_COUNT):
        middle = 0.5 * (low + high)
        stays = field(origins + middle[:, None] * rays, primitives) >= level
        low, high = np.where(stays, middle, low), np.where(stays, high, middle)
    return origins + low[:, None] * rays


@dataclass(frozen=True, eq=False)
class ImplicitSurface(Region):
    """Region where the field of spheres reaches a level; see :class:`.region.Region`.

    In rotation vectors, the nearest point is also nearly the nearest in degrees, even close to half
    a turn; in the paper's coordinates, the vector part of the quaternion, it is not.
    """

    primitives: Primitives
    level: float
    kind: str = "implicit"

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`.

        Every radius is enlarged by the tolerance. That contains all points within the tolerance of
        the surface, as no step changes the distance to a centre by more than its own length.
        """
        return np.asarray(field(points, self.primitives.grow(tolerance)) >= self.level)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`.

        The set is not convex: where two of its parts are equally near, the result jumps from one
        to the other. This module's docstring gives the accuracy.
        """
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        result = flat.copy()
        outside = ~self.contains(flat, 0.0)
        if outside.any():
            starts = self.surface_points
            result[outside] = nearest_on_surface(flat[outside], self.primitives, self.level, starts)
        return result.reshape(points.shape)

    def grow(self, pad: float) -> ImplicitSurface:
        """See :class:`.region.Region`.

        Every radius grows. A single sphere grows by exactly `pad`; where several overlap the
        surface moves at least as far.
        """
        return ImplicitSurface(self.primitives.grow(pad), self.level)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`; enlarged by the spacing of the surface points."""
        points = self.surface_points
        margin = 0.02 * np.ptp(points, axis=0)
        return points.min(axis=0) - margin, points.max(axis=0) + margin

    @cached_property
    def surface_points(self) -> Floats:
        """Points on the surface, shape (count, 3), computed on first use."""
        return surface_points(self.primitives, self.level)

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.region.Region`."""
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
        primitives = Primitives(centres, radii, float(data["stickiness_per_rad"]))
        return cls(primitives, float(data["level"]))
