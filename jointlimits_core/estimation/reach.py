"""Reach: how often a clip came to the ends of its ranges, and whether it stopped there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..geometry import Booleans, Floats, Integers

NEAR = np.radians(1.0)
"""Distance from an extreme, radians, that counts as reaching it."""
HELD_SECONDS = 0.1
"""Shortest stay that counts as held rather than turning around."""
BLOCKS = 16
"""Stretches of a clip; the scatter of their extremes measures their reliability."""
STILL = np.radians(0.01)
"""Step between frames, radians, below which a channel is still."""
STEADY_FRAMES = 3
"""Frames an extreme must be held not to be an outlier."""

CUT, TURNED, HELD = 0, 1, 2
STOPS = ("cut", "turned", "held")
"""The clip starts or ends there; the motion turns around there; it stays there."""


@dataclass(frozen=True, eq=False)
class Reach:
    """One end of the ranges of all joints in one clip; shapes (joints, 3).

    Parameters
    ----------
    value : array
        Extreme, radians.
    visits : array of int
        Number of times the channel came within a degree of it.
    stop : array of int
        :data:`CUT`, :data:`TURNED` or :data:`HELD`.
    steady : array
        Most extreme value held for :data:`STEADY_FRAMES` frames.
    steady_frame : array
        Frame with this value.
    blocks : array, shape (joints, 3, BLOCKS)
        Extreme of each stretch of the clip; stretches of short clips share frames.
    """

    value: Floats
    visits: Integers
    stop: Integers
    steady: Floats
    steady_frame: Floats
    blocks: Floats

    def of(self, joints: Integers) -> Reach:
        """Reach of chosen joints, in the given order."""
        return Reach(*(getattr(self, field.name)[joints] for field in fields(self)))

    def replaced(self, joints: Integers, others: Reach) -> Reach:
        """Copy with the values of some joints taken from `others`."""
        arrays = []
        for field in fields(self):
            array = getattr(self, field.name).copy()
            array[joints] = getattr(others, field.name)
            arrays.append(array)
        return Reach(*arrays)

    def mirrored(self) -> Reach:
        """Reach of the negated channels: a minimum becomes a maximum."""
        return replace(self, value=-self.value, steady=-self.steady, blocks=-self.blocks)


def joined(parts: Sequence[Reach]) -> Reach:
    """Concatenate the reaches of several groups of joints."""
    if len(parts) == 1:
        return parts[0]
    names = [field.name for field in fields(Reach)]
    return Reach(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def both_reaches(rotates: Floats, frames: Floats, frame_rate: float) -> tuple[Reach, Reach]:
    """Reaches of the lower and the upper ends.

    `rotates` has shape (joints, 3, frames): radians, on one branch. `frames` has shape (frames,):
    frame numbers. `frame_rate`: frames per second.

    Returns
    -------
    lower, upper : Reach
    """
    low, high = rotates.min(axis=2), rotates.max(axis=2)
    least = max(int(np.ceil(HELD_SECONDS * frame_rate)), STEADY_FRAMES)
    # Most joints have constant channels, which are skipped.
    moving = high > low
    values = rotates[moving]
    lower = _upper_reach(-values, frames, least).mirrored()
    upper = _upper_reach(values, frames, least)
    return tuple(  # type: ignore[return-value]
        _with_still_channels(some, moving, ends, frames, least)
        for some, ends in ((lower, low), (upper, high))
    )


def _with_still_channels(
    some: Reach, moving: Booleans, ends: Floats, frames: Floats, least: int
) -> Reach:
    """Reaches of all channels, shape (joints, 3), from those that move, shape (moving,)."""
    count, shape = len(frames), moving.shape
    stop = CUT if count < 2 else HELD if count >= least else TURNED
    still = Reach(
        value=ends,
        visits=np.ones(shape, dtype=np.int64),
        stop=np.full(shape, stop, dtype=np.int64),
        steady=ends,
        steady_frame=np.full(shape, frames[0]),
        blocks=np.repeat(ends[..., None], BLOCKS, axis=-1),
    )
    arrays = []
    for field in fields(Reach):
        array = getattr(still, field.name).copy()
        array[moving] = getattr(some, field.name)
        arrays.append(array)
    return Reach(*arrays)


def _upper_reach(values: Floats, frames: Floats, least: int) -> Reach:
    """Upper ends of channels that change, shape (channels, frames)."""
    value = values.max(axis=1)
    visits, longest = _runs(values >= value[:, None] - NEAR)
    stop = np.where(longest >= least, HELD, TURNED)
    stop = np.where(_cut_off(values, value), CUT, stop)
    held = _held(values)
    at = held.argmax(axis=1)
    width = values.shape[1] - held.shape[1] + 1
    stay = np.take_along_axis(values, at[:, None] + np.arange(width), axis=1)
    frame = frames[at + stay.argmin(axis=1)]
    return Reach(value, visits, stop, stay.min(axis=1), frame, _blocks(values))


def _runs(near: Booleans) -> tuple[Integers, Integers]:
    """Number and greatest length of the runs of True along the last axis."""
    # With a False at both ends of every row, all rows can be searched as one.
    padded = np.zeros((*near.shape[:-1], near.shape[-1] + 2), dtype=bool)
    padded[..., 1:-1] = near
    flat = padded.ravel()
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    rows, size = starts // padded.shape[-1], near[..., 0].size
    longest = np.zeros(size, dtype=np.int64)
    np.maximum.at(longest, rows, lengths)
    shape = near.shape[:-1]
    return np.bincount(rows, minlength=size).reshape(shape), longest.reshape(shape)


def _cut_off(values: Floats, value: Floats) -> Booleans:
    """Whether the extreme is at the first or last frame and the channel is moving there."""
    if values.shape[-1] < 2:
        return np.ones(value.shape, dtype=bool)
    first, last = values[..., 0], values[..., -1]
    at_start = (first >= value) & (first - values[..., 1] > STILL)
    at_end = (last >= value) & (last - values[..., -2] > STILL)
    return np.asarray(at_start | at_end)


def _held(values: Floats) -> Floats:
    """Smallest value of every :data:`STEADY_FRAMES` neighbouring frames."""
    width = min(STEADY_FRAMES, values.shape[1])
    last = values.shape[1] - width + 1
    held = values[:, :last]
    for shift in range(1, width):
        held = np.minimum(held, values[:, shift : last + shift])
    return held


def _blocks(values: Floats) -> Floats:
    count = values.shape[1]
    starts = np.minimum(np.arange(BLOCKS) * count // BLOCKS, count - 1)
    return np.asarray(np.maximum.reduceat(values, starts, axis=1))
