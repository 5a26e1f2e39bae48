"""White noise of tracks, and bodies that do nothing beyond it.

Bodies move smoothly, white sensor noise does not: the fourth and sixth differences of neighbouring
frames show it, and must agree. Sliding skin is slow and does not show here.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ..geometry.arrays import Booleans, Floats, medians
from ..geometry.quaternion import conjugate, multiply, rotation_vector_from_quaternion
from .tracks import BodyTracks

ORDERS = (4, 6)
AGREE = 0.15
"""Share by which the two orders may differ for the noise to count as white."""
SCATTER = comb(4 * ORDERS[1], 2 * ORDERS[1]) / comb(2 * ORDERS[1], ORDERS[1]) ** 2 - 1.0
"""Variance of the mean square of white noise less the measured noise, as a multiple of that of the
mean square alone: measured from differences, noise scatters by more than the mean square does."""
NEGLIGIBLE = 1e-4
"""Noise, radians or metres, that is as good as none whether it is white or not."""
MIN_FRAMES = 60
MEDIAN_OF_NORMAL = 0.6745
"""Median of the absolute value of a standard normal number."""
OUTLIER = 5.0
"""Multiple of the usual difference beyond which one is a jump."""
STILL_TIMES = 1.05
STILL_RAD, STILL_M = float(np.radians(0.25)), 2e-3
"""Motion that counts as none: so many times the white noise, and, as optical clusters drift,
besides it a quarter of a degree and two millimetres, rms."""


def orientation_noise(tracks: BodyTracks, used: Booleans) -> Floats:
    """White noise of orientations, shape (bodies, 3, 3).

    Covariance of the rotation vector in the body's own axes, square radians, which differs between
    directions where markers lie nearly on a line; 0 where the noise is not white, or there are too
    few consecutive frames. `used` has shape (bodies, frames).
    """
    found = np.zeros((len(tracks), 3, 3))
    for body in range(len(tracks)):
        turns = tracks.rotations[body].T
        steps = rotation_vector_from_quaternion(multiply(conjugate(turns[:-1]), turns[1:]))
        # Steps are first differences of the noise already.
        found[body] = _white(steps, used[body, 1:] & used[body, :-1])
    return found


def deviations(noise: Floats) -> Floats:
    """Standard deviation of a component, of covariances of shape (..., 3, 3)."""
    return np.asarray(np.sqrt(np.trace(noise, axis1=-2, axis2=-1) / 3.0))


def _white(steps: Floats, good: Booleans) -> Floats:
    """Covariance of white noise in values whose first differences these are, shape (3, 3)."""
    low, high = ORDERS
    differences = np.diff(steps, low - 1, axis=0)
    first = _covariance(differences, good, low)
    second = _covariance(np.diff(differences, high - low, axis=0), good, high)
    size = float(deviations(second))
    agree = abs(float(deviations(first)) - size) <= AGREE * size
    return second if agree or size < NEGLIGIBLE else np.zeros((3, 3))


def _covariance(differences: Floats, good: Booleans, order: int) -> Floats:
    """The same from differences of one order; `good` are the first differences that count."""
    if len(differences) and not good.all():
        whole = np.lib.stride_tricks.sliding_window_view(good, order).all(axis=1)
        differences = differences[whole]
    if len(differences) < MIN_FRAMES:
        return np.zeros((3, 3))
    # Jumps of swapped or slipped bodies are no noise.
    sizes = np.abs(np.ascontiguousarray(differences.T))
    typical = medians(sizes)[:, None] / MEDIAN_OF_NORMAL
    kept = differences[np.logical_and.reduce(sizes <= OUTLIER * typical)]
    return np.asarray(kept.T @ kept / len(kept) / comb(2 * order, order))


def shrinkage(noise: Floats) -> Floats:
    """Factor by which noise of orientations shrinks mean rotations, shape (..., 3, 3).

    The mean of rotations that spread by a covariance Q is R S, S = exp(-(tr Q - Q) / 2). `noise`,
    shape (..., 3, 3): of :func:`orientation_noise`. The identity without noise.
    """
    values, vectors = np.linalg.eigh(noise)
    factors = np.exp(-0.5 * (values.sum(axis=-1, keepdims=True) - values))
    return np.asarray((vectors * factors[..., None, :]) @ np.swapaxes(vectors, -1, -2))


def still_bodies(tracks: BodyTracks, used: Booleans, noise: Floats) -> Booleans:
    """Bodies that do not move in the world, such as the laboratory or a hand on a table.

    Shape (bodies,): none if no body moves, or one was seen in fewer than three frames. `used` has
    shape (bodies, frames); `noise`: of :func:`orientation_noise`.
    """
    still: Booleans = np.zeros(len(tracks), dtype=bool)
    for body, seen in enumerate(used):
        if seen.sum() < 3:
            continue
        places, turns = tracks.positions[body][seen], tracks.rotations[body][:, seen]
        # The largest share of one quaternion: 1 less a quarter of the mean squared angle.
        turned = 4.0 * (1.0 - float(np.linalg.eigvalsh(turns @ turns.T / seen.sum())[-1]))
        if not _is_still(turned, deviations(noise[body]), STILL_RAD):
            continue
        moved = float(np.mean(np.sum((places - places.mean(axis=0)) ** 2, axis=1)))
        shaken = deviations(_white(np.diff(tracks.positions[body], axis=0), seen[1:] & seen[:-1]))
        still[body] = _is_still(moved, shaken, STILL_M)
    return still if not still.all() else np.zeros_like(still)


def _is_still(squared: float, noise: Floats, least: float) -> bool:
    """Whether three components of white noise explain a mean square."""
    return bool(squared <= 3.0 * (STILL_TIMES * noise) ** 2 + least**2)
