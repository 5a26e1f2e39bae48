"""Which frames of keyed joints are looked at where nobody says so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import ArrayLike, Floats
from ..formats.read_limits import DEFAULT_LIMITS, ReadLimits

FRAMES_PER_KEY = 10
"""Frames between keys, for every key that there is, that are read however many they are."""

_NEAR_A_FRAME = 1e-6


@dataclass(frozen=True)
class FrameNumbers:
    """Frames to look at.

    Parameters
    ----------
    frames : array, shape (frames,)
        Increasing.
    sparse : bool
        True if there were too many whole frames, and only those that have keys were taken.
    """

    frames: Floats
    sparse: bool = False


def snapped(key_frames: ArrayLike) -> Floats:
    """Distinct key times, increasing; those a hair off a whole frame are put on it.

    Parameters
    ----------
    key_frames : array-like, shape (keys,)
        Times that may have gone through another unit of time.

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
        How many joints will be looked at.
    limits : ReadLimits
        With more samples than these, or more of them between sparse keys, as one stray key makes
        millions of, only the key times are taken.

    Returns
    -------
    FrameNumbers
        Frame 0 where there are no keys.
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
