"""Estimate of white noise in tracks.

Bodies move smoothly, sensor noise does not: the fourth difference of neighbouring frames is almost
zero for motion and large for noise. The sixth difference must agree for the noise to be white, as
motion leaves much less in it. Sliding skin is slow and does not show here.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ..arrays import Booleans, Floats
from ..rotation import conjugate, multiply, rotation_vector_from_quaternion
from .tracks import BodyTracks

ORDERS = (4, 6)
AGREE = 0.15
"""Share by which the two orders may differ for the noise to count as white."""
FEWEST_FRAMES = 60
INDEPENDENT_SHARE = 0.5
"""Required share of the gap that orientation noise must open, as the noise is an estimate."""
MEDIAN_OF_NORMAL = 0.6745
"""Median of the absolute value of a standard normal number."""


def orientation_noise(tracks: BodyTracks, used: Booleans) -> Floats:
    """White noise of orientations.

    Parameters
    ----------
    used : array of bool, shape (bodies, frames)

    Returns
    -------
    array, shape (bodies,)
        Standard deviation of each component of the rotation vector, radians; 0 where the noise
        is not white, or there are too few consecutive frames.
    """
    found = np.zeros(len(tracks))
    for body in range(len(tracks)):
        turns = tracks.rotations[body].T
        steps = rotation_vector_from_quaternion(multiply(conjugate(turns[:-1]), turns[1:]))
        # Steps are first differences of the noise already.
        good: Booleans = used[body, 1:] & used[body, :-1]
        found[body] = _white(steps, good)
    return found


def _white(steps: Floats, good: Booleans) -> float:
    """Standard deviation of white noise in values whose first differences these are."""
    first, second = (_deviation(steps, good, order) for order in ORDERS)
    return second if abs(first - second) <= AGREE * second else 0.0


def _deviation(steps: Floats, good: Booleans, order: int) -> float:
    """The same from differences of one order."""
    more = order - 1
    differences = np.diff(steps, more, axis=0)
    if len(differences) and not good.all():
        whole = np.lib.stride_tricks.sliding_window_view(good, more + 1).all(axis=1)
        differences = differences[whole]
    if len(differences) < FEWEST_FRAMES:
        return 0.0
    # The median is robust against jumps of swapped or slipped bodies.
    typical = float(np.median(np.abs(differences)))
    return typical / MEDIAN_OF_NORMAL / float(np.sqrt(comb(2 * order, order)))


def shrinkage(noise: Floats) -> Floats:
    """Factor by which noise of orientations shrinks mean rotations.

    The mean of the rotations by a vector of three independent normal components of standard
    deviation s is a (1 + 2 (1 - s^2) exp(-s^2 / 2)) / 3 of the identity.

    Parameters
    ----------
    noise : array
        Radians.

    Returns
    -------
    array
        1 without noise.
    """
    squared = np.asarray(noise, dtype=np.float64) ** 2
    return np.asarray((1.0 + 2.0 * (1.0 - squared) * np.exp(-0.5 * squared)) / 3.0)


def is_independent(
    residual_m: Floats, in_child: Floats, in_parent: Floats, noise: Floats
) -> Booleans:
    """Whether orientation noise is independent of position noise, pair by pair.

    Orientation noise that leaves the position unchanged swings every other point of the body: at a
    lever c it adds a mean squared gap of 2 s^2 |c|^2, wherever the joint is. Where gaps are
    smaller, bodies were rotated about their joints, as in a solved skeleton, and what looks like
    noise is motion.

    Parameters
    ----------
    residual_m : array, shape (pairs,)
        Root mean square gap of any joint of the pair, metres.
    in_child, in_parent : array, shape (pairs, 3)
        That joint in both bodies' own coordinates, metres.
    noise : array, shape (pairs, 2)
        Of :func:`orientation_noise`, of child and parent.

    Returns
    -------
    array of bool, shape (pairs,)
    """
    levers = np.stack([np.sum(in_child**2, axis=1), np.sum(in_parent**2, axis=1)], axis=1)
    opened = 2.0 * np.sum(noise**2 * levers, axis=1)
    return np.asarray(residual_m**2 >= INDEPENDENT_SHARE * opened)
