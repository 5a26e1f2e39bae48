"""Frames to sample: the frames of keys, and the times at which curves are evaluated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..geometry.arrays import Floats, distinct
from ..io.input import DEFAULT_LIMITS, ReadLimits

MAX_FRAMES_PER_KEY = 10
"""Maximum frames per key for which all frames are always read, however many there are."""

MAX_KEY_OFFSET_FRAMES = 0.01
"""A key this close to a whole frame counts as on it, since programs round times differently."""
_ROUNDING_FRAMES = 1e-6
"""Largest error of key times that were converted between units of time."""


class FrameNumbers(NamedTuple):
    """Frames to sample, increasing; only those of keys if `sparse`, as all would be too many."""

    frames: Floats
    sparse: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Finding about frames that are not read because they have no keys."""
        span = f"the keys span frames {self.frames[0]:g} to {self.frames[-1]:g}"
        text = f"{span}, too many to read; only frames with keys are read"
        return (Finding("sparse-keys", text),) if self.sparse else ()


def frames_of_keys(curves: Iterable[Floats]) -> Floats:
    """Distinct frames of the keys of curves, increasing.

    `curves`: key times of each curve, in frames, increasing, shape (keys,). A key within 0.01
    frames of a whole frame counts as on it; if a curve has several such keys, only the nearest
    does, so that both sides of a step remain.
    """
    found = [np.zeros(0)]
    last: Floats | None = None
    for times in curves:
        # Channels that were keyed together share their times.
        if last is None or not np.array_equal(times, last):
            found.append(own_frames(times))
        last = times
    return distinct(np.concatenate(found))


def own_frames(times: Floats) -> Floats:
    """Frame of each key of one curve, shape (keys,); times as for :func:`frames_of_keys`."""
    whole = np.round(times)
    offsets = np.abs(times - whole)
    near = offsets <= MAX_KEY_OFFSET_FRAMES + _ROUNDING_FRAMES
    same, later = whole[1:] == whole[:-1], offsets[1:] <= offsets[:-1]
    near[:-1] &= ~(same & later)
    near[1:] &= ~(same & ~later)
    return np.where(near, whole, times)


def at_own_keys(frames: Floats, key_times: Floats) -> Floats:
    """Times at which to evaluate a curve for frames, shape (frames,), in frames.

    A frame that counts as the frame of a key gets the exact time of this key, so that a limit
    equals the value of the key.
    """
    own = own_frames(key_times)
    moved = np.abs(own - key_times) > _ROUNDING_FRAMES
    if not moved.any():
        return frames
    own, times = own[moved], key_times[moved]
    at = np.minimum(np.searchsorted(own, frames), len(own) - 1)
    return np.where(own[at] == frames, times[at], frames)


def frames_from_keys(
    key_frames: Floats, joints: int, limits: ReadLimits = DEFAULT_LIMITS
) -> FrameNumbers:
    """All frames of keys, and whole frames between them; just frame 0 if there are no keys.

    `key_frames`: from :func:`frames_of_keys`. `joints`: number of joints to be sampled. If there
    would be more samples than `max_samples`, or more than `max_unkeyed_samples` between sparse keys
    (one stray key can cause millions), only the frames of keys are chosen.
    """
    times = key_frames
    if not len(times):
        return FrameNumbers(np.zeros(1))
    first, last = np.ceil(times[0]), np.floor(times[-1])
    between = last - first - len(times)
    too_many = (last - first + len(times)) * joints > limits.max_samples
    unkeyed = between * joints > limits.max_unkeyed_samples
    stray = between > MAX_FRAMES_PER_KEY * len(times) and unkeyed
    if too_many or stray:
        return FrameNumbers(times, sparse=True)
    return FrameNumbers(distinct(np.concatenate([times, np.arange(first, last + 1.0)])))
