"""The allowed rotation that is nearest by angle, for those who can wait for it.

A shape projects in its own coordinates, in one step and without jumps where its region is convex.
Coordinates stretch what is far from the centre, so the rotation that comes out is not quite the one
at the least angle; this finds that one, and so says how much the other misses.
"""

from __future__ import annotations

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike, Floats
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.shapes.shape import CoupledShape

MAX_STEPS = 150
NUDGE_RAD = 1e-6
"""Radians; for differences."""


def nearest_by_angle(shape: CoupledShape, rotation: ArrayLike) -> Floats:
    """Allowed rotations at the least angle, as far as descent from several starts finds them.

    From the projection, and from the projection of every other coordinate, steps down the angle's
    slope, each brought back into the region; a step that does not help is halved.

    Parameters
    ----------
    shape : CoupledShape
    rotation : array-like, shape (..., 4)
        Unit quaternions, finite.

    Returns
    -------
    array, shape (..., 4)
        Never farther than what ``shape.project`` gives.
    """
    given = np.asarray(rotation, dtype=np.float64)
    flat = given.reshape(-1, 4)
    best = shape.project(flat)
    least = angle_between(flat, best)
    points = shape.chart.coordinates(flat)
    starts = [points, *shape.chart.other_coordinates(points), shape.chart.coordinates(best)]
    for start in starts:
        found = shape.chart.rotation(_descend(shape, flat, start))
        angle = angle_between(flat, found)
        nearer = angle < least
        best, least = np.where(nearer[:, None], found, best), np.where(nearer, angle, least)
    return best.reshape(given.shape)


def _descend(shape: CoupledShape, rotation: Floats, start: Floats) -> Floats:
    points = shape.region.nearest(start)
    angle = angle_between(rotation, shape.chart.rotation(points))
    step = np.full(len(points), 0.3)
    for _ in range(MAX_STEPS):
        tried = shape.region.nearest(points - step[:, None] * _slope(shape, rotation, points))
        reached = angle_between(rotation, shape.chart.rotation(tried))
        better = reached < angle
        points, angle = np.where(better[:, None], tried, points), np.minimum(angle, reached)
        step = step * np.where(better, 1.3, 0.5)
        if np.all(step < NUDGE_RAD):
            break
    return points


def _slope(shape: CoupledShape, rotation: Floats, points: Floats) -> Floats:
    """Change of the angle with each coordinate, (n, 3)."""
    sides = [
        angle_between(rotation, shape.chart.rotation(points + sign * NUDGE_RAD * unit))
        for unit in np.eye(3)
        for sign in (1.0, -1.0)
    ]
    return np.stack([sides[2 * k] - sides[2 * k + 1] for k in range(3)], axis=1) / (2.0 * NUDGE_RAD)
