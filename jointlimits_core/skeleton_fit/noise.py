"""White noise of tracks, and bodies that do nothing beyond it.

Bodies move smoothly, white sensor noise does not: the fourth and sixth differences of neighbouring
frames show it, and must agree. Sliding skin is slow and does not show here.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ..geometry import Booleans, Floats, conjugate, multiply, rotation_vector_from_quaternion
from .tracks import BodyTracks

ORDERS = (4, 6)
AGREE = 0.15
"""Share by which the two orders may differ for the noise to count as white."""
FEWEST_FRAMES = 60
MEDIAN_OF_NORMAL = 0.6745
"""Median of the absolute value of a standard normal number."""
STILL_TIMES = 1.05
STILL_RAD, STILL_M = float(np.radians(0.25)), 2e-3
"""Motion that counts as none: so many times the white noise, and, as optical clusters drift,
besides it a quarter of a degree and two millimetres, rms."""


def orientation_noise(tracks: BodyTracks, used: Booleans) -> Floats:
    """White noise of orientations, shape (bodies,).

    Standard deviation of each component of the rotation vector, radians; 0 where the noise is not
    white, or there are too few consecutive frames. `used` has shape (bodies, frames).
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
    first, second = (_deviation_of_order(steps, good, order) for order in ORDERS)
    return second if abs(first - second) <= AGREE * second else 0.0


def _deviation_of_order(steps: Floats, good: Booleans, order: int) -> float:
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
    deviation s is a (1 + 2 (1 - s^2) exp(-s^2 / 2)) / 3 of the identity. `noise` is in radians. 1
    without noise.
    """
    squared = np.asarray(noise, dtype=np.float64) ** 2
    return np.asarray((1.0 + 2.0 * (1.0 - squared) * np.exp(-0.5 * squared)) / 3.0)


def still_bodies(tracks: BodyTracks, used: Booleans, noise: Floats) -> Booleans:
    """Bodies that do not move in the world, such as the laboratory or a hand on a table.

    Shape (bodies,): none if no body moves, or one was seen in fewer than three frames. `used` has
    shape (bodies, frames); `noise`, shape (bodies,): of :func:`orientation_noise`.
    """
    still: Booleans = np.zeros(len(tracks), dtype=bool)
    for body, seen in enumerate(used):
        if seen.sum() < 3:
            continue
        places, turns = tracks.positions[body][seen], tracks.rotations[body][:, seen]
        # The largest share of one quaternion: 1 less a quarter of the mean squared angle.
        turned = 4.0 * (1.0 - float(np.linalg.eigvalsh(turns @ turns.T / seen.sum())[-1]))
        if not _is_still(turned, noise[body], STILL_RAD):
            continue
        moved = float(np.mean(np.sum((places - places.mean(axis=0)) ** 2, axis=1)))
        shaken = _white(np.diff(tracks.positions[body], axis=0), seen[1:] & seen[:-1])
        still[body] = _is_still(moved, shaken, STILL_M)
    return still if not still.all() else np.zeros_like(still)


def _is_still(squared: float, noise: float, least: float) -> bool:
    """Whether three components of white noise explain a mean square."""
    return squared <= 3.0 * (STILL_TIMES * noise) ** 2 + least**2
