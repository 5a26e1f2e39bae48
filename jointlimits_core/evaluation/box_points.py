"""Points that fill a box of Euler angles evenly in the measure of rotations."""

from __future__ import annotations

import numpy as np

from ..arrays import ArrayLike, Floats
from ..euler import axes_of

_STEPS = 1.2207440846057596 ** -np.arange(1.0, 4.0)


def points_in_box(low: ArrayLike, high: ArrayLike, rotate_order: str, count: int) -> Floats:
    """Euler angles that fill a box; deterministic.

    Parameters
    ----------
    low, high : array-like, shape (3,)
        Radians about X, Y and Z; `high` must not be smaller.

    Returns
    -------
    array, shape (count, 3)
        Even in the measure of the rotations, ``|cos(middle)| dx dy dz``: fewer near gimbal lock.
        Rotations that the box holds twice get points for both.
    """
    begin, end = np.asarray(low, np.float64), np.asarray(high, np.float64)
    share = quasi_random(count)
    angles = np.asarray(begin + share * (end - begin))
    middle = axes_of(rotate_order)[1]
    bottom, top = _area_of_angle(begin[middle]), _area_of_angle(end[middle])
    filled = _angle_of_area(bottom + share[:, middle] * (top - bottom))
    angles[:, middle] = np.clip(filled, begin[middle], end[middle])
    return angles


def quasi_random(count: int) -> Floats:
    """Points of the unit cube without holes or clusters, shape (count, 3).

    Each coordinate advances by a power of the inverse of the real root of ``x^4 = x + 1``
    (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
    """
    return np.asarray((0.5 + np.arange(1, count + 1)[:, None] * _STEPS) % 1.0)


def _area_of_angle(angle: Floats) -> Floats:
    """Integral of ``|cos|`` from -pi/2 to `angle`."""
    half_turns = np.round(angle / np.pi)
    return np.asarray(2.0 * half_turns + 1.0 + np.sin(angle - half_turns * np.pi))


def _angle_of_area(area: Floats) -> Floats:
    """Inverse of :func:`_area_of_angle`."""
    half_turns = np.floor(0.5 * area)
    sine = np.clip(area - 2.0 * half_turns - 1.0, -1.0, 1.0)
    return np.asarray(half_turns * np.pi + np.arcsin(sine))
