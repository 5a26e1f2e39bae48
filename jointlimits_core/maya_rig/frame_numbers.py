"""Default frames to sample from keyed joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import ArrayLike, Floats
from ..formats.read_limits import DEFAULT_LIMITS, ReadLimits

FRAMES_PER_KEY = 10
"""Frames per key that are always read between sparse keys."""

_NEAR_A_FRAME = 1e-6


@dataclass(frozen=True)
class FrameNumbers:
    """Frames to sample.

    Parameters
    ----------
    frames : array, shape (frames,)
        Increasing.
    sparse : bool
        True if only the frames with keys were chosen, as there were too many whole frames.
    """

    frames: Floats
    sparse: bool = False


def snapped(key_frames: ArrayLike) -> Floats:
    """Distinct key times, increasing, rounded to whole frames where within rounding error.

    Parameters
    ----------
    key_frames : array-like, shape (keys,)
        Times that may have been converted between time units.

    Returns
    -------
    array, shape (distinct keys,)
    """
    times = np.unique(np.asarray(key_frames, dtype=np.float64))
    whole = np.round(times)
    return np.unique(np.where(np.abs(times - whole) < _NEAR_A_FRAME, whole, times))


def frames_from_keys(
    key_frames: ArrayLike, joints: int, limits: ReadLimits = DEFAULT_LIMITS
) -> FrameNumbers:
    """Whole frames from the first key to the last, and all key times.

    Parameters
    ----------
    key_frames : array-like, shape (keys,)
        In any order.
    joints : int
        Number of joints to be sampled.
    limits : ReadLimits
        Beyond `max_samples`, or `max_unkeyed_samples` between sparse keys (one stray key can cause
        millions), only the key times are chosen.

    Returns
    -------
    FrameNumbers
        Frame 0 if there are no keys.
    """
    times = snapped(key_frames)
    if not len(times):
        return FrameNumbers(np.zeros(1))
    first, last = np.ceil(times[0]), np.floor(times[-1])
    between = last - first - len(times)
    too_many = (last - first + len(times)) * joints > limits.max_samples
    unkeyed = between * joints > limits.max_unkeyed_samples
    stray = between > FRAMES_PER_KEY * len(times) and unkeyed
    if too_many or stray:
        return FrameNumbers(times, sparse=True)
    return FrameNumbers(np.unique(np.concatenate([times, np.arange(first, last + 1.0)])))
