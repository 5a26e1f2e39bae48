"""Contiguous range of every rotate channel, with the samples at its ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats
from ..euler import TURN
from .interval import Interval, contiguous_interval, into_interval, spanned_interval
from .samples import Samples

LOCKED = np.radians(0.01)
"""Smallest range, radians, of a channel that moves."""


@dataclass(frozen=True, eq=False)
class ChannelBox(Interval):
    """Ranges of the rotate channels of joints, each on the branch with most samples.

    Parameters
    ----------
    low, high, gap, low_at, high_at
        As in :class:`Interval`, shape (joints, 3).
    unlimited : array of bool, shape (joints, 3)
        The channel turns (nearly) all the way round.
    elsewhere : array of bool, shape (joints, 3)
        Some samples lie a full turn or more away from the range.
    """

    unlimited: Booleans
    elsewhere: Booleans


def channel_box(samples: Samples, unlimited_gap: float) -> ChannelBox:
    """Range of every channel.

    The source's own keys decide where they are known to be on one branch; where only rotations
    are known, or the keys span nearly a turn, the largest gap on the circle does.

    Parameters
    ----------
    unlimited_gap : float
        Radians; a channel with a smaller gap has no limit.
    """
    plain = spanned_interval(samples.rotates)
    low, high, gap = plain.low.copy(), plain.high.copy(), plain.gap.copy()
    low_at, high_at = plain.low_at.copy(), plain.high_at.copy()
    # A range of less than half a turn is its own smallest arc, whatever the branch.
    limit = TURN - unlimited_gap if samples.from_source else 0.5 * TURN
    doubtful = high - low >= limit
    elsewhere = np.zeros(doubtful.shape, dtype=bool)
    if doubtful.any():
        values = samples.rotates[doubtful]
        arc = _on_branch_of(values, contiguous_interval(values))
        low[doubtful], high[doubtful], gap[doubtful] = arc.low, arc.high, arc.gap
        low_at[doubtful], high_at[doubtful] = arc.low_at, arc.high_at
        placed = into_interval(values, arc.low[:, None], arc.high[:, None])
        moved = np.abs(placed - values) > 1e-9
        elsewhere[doubtful] = moved.any(axis=1) & samples.from_source
    unlimited = samples.goes_round | (gap < unlimited_gap)
    return ChannelBox(low, high, gap, low_at, high_at, unlimited, elsewhere)


def _on_branch_of(values: Floats, arc: Interval) -> Interval:
    """Move arcs by full turns to the branch with most samples; ties go to the one nearer 0."""
    turns = np.round((values - 0.5 * (arc.low + arc.high)[:, None]) / TURN)
    shift = TURN * np.array([_most_common(row) for row in turns])
    return Interval(arc.low + shift, arc.high + shift, arc.gap, arc.low_at, arc.high_at)


def _most_common(turns: Floats) -> float:
    numbers, counts = np.unique(turns, return_counts=True)
    often = numbers[counts == counts.max()]
    return float(often[np.argmin(np.abs(often))])
