"""Contiguous range of angles on a circle.

The paper sorts the angles and takes the complement of the largest gap between neighbours
(section 2.3). As printed, equal angles count as a gap of a full turn (equation 16) and a single
value gets a full turn as its range (equation 19); here the gaps are plain differences and a range
may have zero width.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import AnyArray, ArrayLike, Floats, Integers
from .euler import TURN, wrapped


@dataclass(frozen=True, eq=False)
class Interval:
    """Ranges of angles, radians; every array has the leading shape of the samples.

    Parameters
    ----------
    low, high : array
        ``low`` in [-pi, pi) for ranges on the circle; ``high - low`` is in [0, 2 pi).
    gap : array
        Largest empty arc of the circle.
    low_at, high_at : array of int
        Samples at the ends.
    """

    low: Floats
    high: Floats
    gap: Floats
    low_at: Integers
    high_at: Integers


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
