"""Cone of directions that the bone of a joint can reach, whatever its twist.

A spherical joint of USD keeps an axis of the child inside a cone. Over a box of Euler angles, the
axis moves on a circle in each angle alone, so its largest distance from the middle along one angle
has a closed form; the maximum over the whole box is found by optimizing one angle after the other
from every point of a grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from ..arrays import Floats
from ..euler import quaternion_from_euler
from ..rotation import normalized, rotated
from ..sphere import sphere_points

_PER_CHANNEL = 7
_AROUND = 400
"""Directions tried as the middle, first over the whole sphere and then ever closer."""
_WIDEST, _NARROWER, _STEPS = 0.3, 0.7, 40
_ROUNDS = 12
FLAT = np.pi
"""Half opening angle that excludes nothing."""


@dataclass(frozen=True, eq=False)
class ConeRange:
    """Directions that the bone of a joint can reach.

    Parameters
    ----------
    middle : array, shape (3,)
        Unit vector, in coordinates before the rotate channels.
    radius : float
        Half opening angle in radians, up to pi; pi means no limit.
    """

    middle: Floats
    radius: float


def cone_range(low: Floats, high: Floats, rotate_order: str, bone: Floats) -> ConeRange:
    """Small cone that contains every direction of a bone over a box of rotate channels.

    Parameters
    ----------
    low, high : array, shape (3,)
        Limits of rotateX, rotateY, rotateZ in radians, finite, ``low <= high``.
    bone : array, shape (3,)
        Unit direction that the channels rotate.

    Returns
    -------
    ConeRange
        Contains the whole box up to rounding.
    """
    steps = [np.linspace(a, b, _PER_CHANNEL) for a, b in zip(low, high)]
    grid = np.array(list(product(*steps)))
    directions = rotated(quaternion_from_euler(grid, rotate_order), bone)
    middle = _middle(directions)
    least = min(_least_cosine(grid, low, high, rotate_order, bone, middle), 1.0)
    radius = float(np.arccos(max(least, -1.0)))
    return ConeRange(middle, radius)


def _middle(directions: Floats) -> Floats:
    """Middle of a small cap around directions: the best of many, refined step by step.

    The cap may be wider than half the sphere, where the middle of an enclosing ball is
    meaningless, so the whole sphere is searched first.
    """
    near = sphere_points(_AROUND)
    middle = directions[0]
    for spread in (np.inf, *(_WIDEST * _NARROWER**step for step in range(_STEPS))):
        tried = near if np.isinf(spread) else normalized(middle + spread * near)
        tried = np.concatenate([middle[None], tried])
        middle = tried[int(np.argmax((tried @ directions.T).min(axis=1)))]
    return np.asarray(middle)


def _least_cosine(
    grid: Floats, low: Floats, high: Floats, order: str, bone: Floats, middle: Floats
) -> float:
    """Smallest cosine of the angle to the middle over the box."""
    points, axes = grid.copy(), np.flatnonzero(high > low).tolist()
    for _ in range(_ROUNDS):
        for axis in axes:
            points[:, axis] = _furthest_along(points, axis, low, high, order, bone, middle)
    turned = rotated(normalized(quaternion_from_euler(points, order)), bone)
    return float((turned @ middle).min())


def _furthest_along(
    points: Floats,
    axis: int,
    low: Floats,
    high: Floats,
    order: str,
    bone: Floats,
    middle: Floats,
) -> Floats:
    """Value of one angle, the others fixed, at which the bone is furthest from the middle.

    The cosine of the angle between them is ``A cos(angle) + B sin(angle) + C``: three samples
    determine A and B, and the minimum is at an end or at the trough.
    """
    at = []
    for value in (0.0, 0.5 * np.pi, np.pi):
        probe = points.copy()
        probe[:, axis] = value
        at.append(rotated(quaternion_from_euler(probe, order), bone) @ middle)
    cosine, sine = 0.5 * (at[0] - at[2]), at[1] - 0.5 * (at[0] + at[2])
    trough = np.arctan2(-sine, -cosine)
    trough += 2.0 * np.pi * np.ceil((low[axis] - trough) / (2.0 * np.pi))
    ends = np.stack(
        [np.full_like(trough, low[axis]), np.full_like(trough, high[axis]), trough], axis=-1
    )
    heights = cosine[:, None] * np.cos(ends) + sine[:, None] * np.sin(ends)
    heights[trough > high[axis], 2] = np.inf
    best = np.argmin(heights, axis=1)
    return np.asarray(np.take_along_axis(ends, best[:, None], axis=1)[:, 0])
