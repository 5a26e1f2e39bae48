"""The contiguous range of every rotate channel, with the sample that reached each bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..euler import TURN
from ..limits.limit_set import AxisLimit, AxisSource, BoundSource
from .interval import Interval, contiguous_interval, into_interval, spanned_interval
from .options import EstimateOptions
from .samples import Samples

LOCKED = np.radians(0.01)
"""A channel that moves less does not move."""
NEAR_BOUND = np.radians(1.0)
LARGEST_STEP = TURN / 3.0
"""A larger step between frames may be a mirrored set of channels and no turn."""


@dataclass(frozen=True, eq=False)
class ChannelBox:
    """Ranges of the rotate channels of joints, radians.

    Parameters
    ----------
    low, high, gap : array, shape (joints, 3)
        On the branch that holds most samples.
    low_at, high_at : array of int, shape (joints, 3)
        Sample that reached each bound.
    low_clips, high_clips : array of int, shape (joints, 3)
        How many clips come within a degree of each bound.
    unlimited : array of bool, shape (joints, 3)
        The channel goes (nearly) all the way round.
    elsewhere : array of bool, shape (joints, 3)
        Some samples lie a full turn or more away from the range.
    """

    low: Floats
    high: Floats
    gap: Floats
    low_at: Integers
    high_at: Integers
    low_clips: Integers
    high_clips: Integers
    unlimited: Booleans
    elsewhere: Booleans


def channel_box(samples: Samples, unlimited_gap: float) -> ChannelBox:
    """Range of every channel.

    The source's own keys decide where they are known to be on one branch; where only rotations
    are known, or the keys span nearly a turn, the largest gap on the circle does.

    Parameters
    ----------
    samples : Samples
    unlimited_gap : float
        Radians; a channel with a smaller gap has no limit.

    Returns
    -------
    ChannelBox
    """
    plain = spanned_interval(samples.rotates)
    low, high, gap = plain.low.copy(), plain.high.copy(), plain.gap.copy()
    low_at, high_at = plain.low_at.copy(), plain.high_at.copy()
    low_clips, high_clips = _clips_near(samples.rotates, low, high, samples.clip_starts)
    # A range of less than half a turn is its own smallest arc, whatever the branch.
    wide = high - low >= 0.5 * TURN
    doubtful = high - low >= TURN - unlimited_gap if samples.from_source else wide
    elsewhere, goes_round = np.zeros((2, *wide.shape), dtype=bool)
    if wide.any():
        goes_round[wide] = _goes_round(samples.rotates[wide], samples.clip_starts)
    if doubtful.any():
        values = samples.rotates[doubtful]
        arc = _on_branch_of(values, contiguous_interval(values))
        low[doubtful], high[doubtful], gap[doubtful] = arc.low, arc.high, arc.gap
        low_at[doubtful], high_at[doubtful] = arc.low_at, arc.high_at
        placed = into_interval(values, arc.low[:, None], arc.high[:, None])
        near = _clips_near(placed, arc.low, arc.high, samples.clip_starts)
        low_clips[doubtful], high_clips[doubtful] = near
        moved = np.abs(placed - values) > 1e-9
        elsewhere[doubtful] = moved.any(axis=1) & samples.from_source
    unlimited = goes_round | (gap < unlimited_gap)
    return ChannelBox(low, high, gap, low_at, high_at, low_clips, high_clips, unlimited, elsewhere)


def _clips_near(
    values: Floats, low: Floats, high: Floats, starts: Integers
) -> tuple[Integers, Integers]:
    """Number of clips that come near to each bound; `values` is (..., samples)."""
    lowest = np.minimum.reduceat(values, starts, axis=-1)
    highest = np.maximum.reduceat(values, starts, axis=-1)
    near_low = lowest < low[..., None] + NEAR_BOUND
    near_high = highest > high[..., None] - NEAR_BOUND
    return np.count_nonzero(near_low, axis=-1), np.count_nonzero(near_high, axis=-1)


def _on_branch_of(values: Floats, arc: Interval) -> Interval:
    """Move arcs by full turns to where most of the samples are, to the one nearer 0 of equals."""
    turns = np.round((values - 0.5 * (arc.low + arc.high)[:, None]) / TURN)
    shift = TURN * np.array([_most_common(row) for row in turns])
    return Interval(arc.low + shift, arc.high + shift, arc.gap, arc.low_at, arc.high_at)


def _most_common(turns: Floats) -> float:
    numbers, counts = np.unique(turns, return_counts=True)
    often = numbers[counts == counts.max()]
    return float(often[np.argmin(np.abs(often))])


def _goes_round(values: Floats, starts: Integers) -> Booleans:
    """Tell where one clip goes through a full turn or more, step by step; (channels, samples).

    A fast wheel is seen in few places and leaves a wide gap on the circle, and still has no limit.
    """
    turning = np.unwrap(values, axis=-1)
    span = np.maximum.reduceat(turning, starts, axis=-1)
    span -= np.minimum.reduceat(turning, starts, axis=-1)
    steps = np.abs(np.diff(turning, axis=-1, prepend=turning[:, :1]))
    steps[:, starts] = 0.0
    largest = np.maximum.reduceat(steps, starts, axis=-1)
    return np.asarray(((span >= TURN) & (largest < LARGEST_STEP)).any(axis=-1))


def axis_limits(
    box: ChannelBox, samples: Samples, joint: int, joint_type: str, options: EstimateOptions
) -> list[AxisLimit]:
    """Limits of the three channels of one joint.

    Parameters
    ----------
    box : ChannelBox
    samples : Samples
    joint : int
        Position among the chosen joints.
    joint_type : str
    options : EstimateOptions

    Returns
    -------
    list of three AxisLimit
    """
    is_free_root = samples.skeleton.parents[samples.joints[joint]] < 0 and not options.limit_root
    pad = np.radians(options.pad_deg)
    limits = []
    for axis in range(3):
        low, high = float(box.low[joint, axis]), float(box.high[joint, axis])
        gap = float(np.degrees(box.gap[joint, axis]))
        padded_round = TURN - (high - low) - 2.0 * pad < np.radians(options.unlimited_gap_deg)
        if is_free_root or box.unlimited[joint, axis] or padded_round:
            limits.append(AxisLimit("free", gap_deg=gap))
            continue
        locked = joint_type == "fixed" or high - low < LOCKED
        extra = 0.0 if locked else options.pad_deg
        kind = "padded" if extra else "observed"
        source = AxisSource(
            _bound(samples, kind, low, box.low_at[joint, axis], box.low_clips[joint, axis]),
            _bound(samples, kind, high, box.high_at[joint, axis], box.high_clips[joint, axis]),
        )
        state = "locked" if locked else "limited"
        low_deg, high_deg = float(np.degrees(low)) - extra, float(np.degrees(high)) + extra
        limits.append(AxisLimit(state, low_deg, high_deg, gap, source))
    return limits


def _bound(samples: Samples, kind: str, value: float, at: int, clips: int) -> BoundSource:
    return BoundSource(
        kind=kind,
        clip=samples.clips[int(samples.clip_of[at])].name,
        frame=float(samples.frame_of[at]),
        value_deg=float(np.degrees(value)),
        clips=int(clips),
    )
