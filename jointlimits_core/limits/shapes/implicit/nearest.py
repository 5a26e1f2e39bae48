"""Nearest point of an implicit surface, by Newton's method along the surface.

The paper follows the gradient of the field, which is zero beyond the reach of the spheres and
elsewhere seldom leads to the nearest point. Here every search starts on the surface itself, at the
nearest of many precomputed points. Each step slides along the surface to where its tangent plane,
bent by its curvature, is nearest, and returns to the surface along the gradient. Only steps that
bring the point nearer are taken, so the result is never farther than the start: with start points
`h` apart, at a distance `d`, by at most about ``h^2 / 2 d`` more than the true distance.
"""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
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


def nearest_on_surface(
    points: Floats, primitives: Primitives, level: float, starts: Floats
) -> Floats:
    """Nearest points on the surface to points outside it.

    Parameters
    ----------
    points : array, shape (n, 3)
    starts : array, shape (count, 3)
        Points on the surface, on its inner side.

    Returns
    -------
    array, shape (n, 3)
        All inside.
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
