"""Angles on a circle: their contiguous range, and their place relative to limits.

The paper sorts the angles and takes the complement of the largest gap between neighbours
(section 2.3). As printed, equal angles count as a gap of a full turn (equation 16) and a single
value gets a full turn as its range (equation 19); here the gaps are plain differences and a range
may have zero width.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import AnyArray, ArrayLike, Floats, Integers
from .euler import TURN, other_euler, wrapped


@dataclass(frozen=True, eq=False)
class Interval:
    """Ranges of angles, radians; every array has the leading shape of the samples."""

    low: Floats
    high: Floats
    """``low`` in [-pi, pi) for ranges on the circle; ``high - low`` is in [0, 2 pi)."""
    gap: Floats
    """Largest empty arc of the circle."""
    low_at: Integers
    high_at: Integers
    """Samples at the ends."""


def contiguous_interval(angles: ArrayLike) -> Interval:
    """Smallest arc that contains all angles.

    `angles` has shape (..., samples): radians, any branch, at least one sample, finite. The result
    has arrays of shape (...).
    """
    on_circle = wrapped(angles)
    order = np.argsort(on_circle, axis=-1, kind="stable")
    ordered = np.take_along_axis(on_circle, order, axis=-1)
    around = ordered[..., :1] + TURN - ordered[..., -1:]
    gaps = np.concatenate([np.diff(ordered, axis=-1), around], axis=-1)
    before = np.argmax(gaps, axis=-1)[..., None]
    after = (before + 1) % gaps.shape[-1]

    def pick(values: AnyArray, at: Integers) -> AnyArray:
        return np.asarray(np.take_along_axis(values, at, axis=-1)[..., 0])

    gap = pick(gaps, before)
    low = pick(ordered, after)
    # From the samples, not from the gap: a limit is a measured value.
    high = pick(ordered, before)
    high = np.where(high < low, high + TURN, high)
    return Interval(low, high, gap, pick(order, after), pick(order, before))


def spanned_interval(angles: Floats) -> Interval:
    """Plain range of angles that are known to be on one branch.

    `angles` has shape (..., samples). The result has arrays of shape (...); the gap is the rest of
    a turn, at least 0.
    """
    low_at, high_at = np.argmin(angles, axis=-1), np.argmax(angles, axis=-1)
    low = np.take_along_axis(angles, low_at[..., None], axis=-1)[..., 0]
    high = np.take_along_axis(angles, high_at[..., None], axis=-1)[..., 0]
    return Interval(low, high, np.maximum(TURN - (high - low), 0.0), low_at, high_at)


def into_interval(angle: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Angles moved by full turns into an interval, or as close to it as possible.

    `angle`, `low` and `high`, array-like: radians; shapes broadcast. The result is inside ``[low,
    high]`` where the interval holds the angle on the circle.
    """
    a, lo, hi = (np.asarray(item, dtype=np.float64) for item in (angle, low, high))
    above = lo + np.mod(a - lo, TURN)
    # A rounding error below `low` comes out almost a turn above it.
    below = above - TURN
    return np.where(above - hi > lo - below, below, above)


def into_box(angle: ArrayLike, low: Floats, high: Floats) -> Floats:
    """Angles moved as by :func:`into_interval`; unchanged where a limit is infinite."""
    closed = np.isfinite(low) & np.isfinite(high)
    begin, end = np.where(closed, low, 0.0), np.where(closed, high, 0.0)
    return np.where(closed, into_interval(angle, begin, end), angle)


def outside_box(values: Floats, low: Floats, high: Floats) -> Floats:
    """How far values are outside limits, which may be infinite; 0 inside."""
    return np.asarray(np.maximum(np.maximum(low - values, values - high), 0.0))


def middle_of_box(low: Floats, high: Floats) -> Floats:
    """Middle between two limits; the allowed value nearest to zero where one is infinite."""
    closed = np.isfinite(low) & np.isfinite(high)
    middle = 0.5 * (np.where(closed, low, 0.0) + np.where(closed, high, 0.0))
    return np.clip(middle, low, high)


def euler_in_box(angles: Floats, low: Floats, high: Floats, rotate_order: str) -> Floats:
    """Euler angles of the same rotations, shape (..., 3), that are nearest to the limits.

    `low` and `high` have shape (3,) or that of `angles`: radians; infinite where there is none.
    """
    first = into_box(angles, low, high)
    second = into_box(other_euler(angles, rotate_order), low, high)
    off_first, off_second = (outside_box(a, low, high).max(axis=-1) for a in (first, second))
    return np.where((off_second < off_first)[..., None], second, first)
