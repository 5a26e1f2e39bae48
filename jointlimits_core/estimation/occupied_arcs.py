"""Parts of the circle that the rotate channels of a clip pass through, from all of its frames.

The kept poses of a long clip leave gaps that the other frames fill, so the largest gap of a nearly
full circle cannot be measured on them. The arcs between the gaps of all frames need little memory,
and every gap that several clips have in common is found from the arcs of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..geometry import TURN, Booleans, Floats, Integers, wrapped

SMALLEST_GAP = np.radians(1.0)
"""Smaller gaps, radians, belong to the arcs on either side of them."""
BINS = 900
"""Parts of the circle, so narrow that a larger gap leaves at least one of them empty."""


@dataclass(frozen=True, eq=False)
class OccupiedArcs:
    """Arcs of rotate channels; all arrays have shape (arcs,)."""

    channel: Integers
    """Three times the joint, plus 0, 1 or 2 for X, Y or Z; never decreases."""
    start: Floats
    """First angle, radians in [-pi, pi)."""
    end: Floats
    """Last angle, in [-pi, pi) as well; a full turn after the start where there is no gap."""
    start_frame: Floats
    end_frame: Floats
    """Frame numbers."""

    def __len__(self) -> int:
        return len(self.channel)

    def where(self, chosen: Booleans | Integers | slice) -> OccupiedArcs:
        """Chosen arcs."""
        return OccupiedArcs(*(getattr(self, item.name)[chosen] for item in fields(self)))

    def of_channel(self, channel: int) -> OccupiedArcs:
        """Arcs of one channel."""
        first, last = np.searchsorted(self.channel, [channel, channel + 1])
        return self.where(slice(int(first), int(last)))

    def without(self, joints: Sequence[int]) -> OccupiedArcs:
        """Arcs of all other joints."""
        return self.where(~np.isin(self.channel // 3, np.asarray(joints, dtype=np.int64)))

    def reordered(self, order: Integers) -> OccupiedArcs:
        """Arcs after joint ``order[n]`` became joint ``n``."""
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        channel = 3 * place[self.channel // 3] + self.channel % 3
        by_channel = np.argsort(channel, kind="stable")
        return replace(self.where(by_channel), channel=channel[by_channel])


_EMPTY = np.zeros(0)
NO_ARCS = OccupiedArcs(np.zeros(0, dtype=np.int64), _EMPTY, _EMPTY, _EMPTY, _EMPTY)
"""The kept poses are all that is known."""


def joined_arcs(parts: Sequence[OccupiedArcs]) -> OccupiedArcs:
    """Concatenate the arcs of several groups of channels."""
    names = [item.name for item in fields(OccupiedArcs)]
    return OccupiedArcs(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


def occupied_arcs(rotates: Floats, frames: Floats, first_joint: int = 0) -> OccupiedArcs:
    """Arcs of every channel of a clip.

    `rotates` has shape (joints, 3, frames): radians, any branch. `frames` has shape (frames,):
    frame numbers. `first_joint`: number of the first of the joints.
    """
    values = rotates.reshape(-1, rotates.shape[-1])
    steps = np.abs(np.diff(values, axis=1)).max(axis=1, initial=0.0)
    # Without a larger step, nothing between the two ends is left out.
    whole = (steps <= SMALLEST_GAP) & (np.ptp(values, axis=1) < TURN - SMALLEST_GAP)
    return joined_arcs(
        [
            _arc_between_ends(row, frames, channel) if one else _arcs(row, frames, channel)
            for channel, (row, one) in enumerate(zip(values, whole), 3 * first_joint)
        ]
    )


def _arc_between_ends(values: Floats, frames: Floats, channel: int) -> OccupiedArcs:
    at = np.array([values.argmin(), values.argmax()])
    ends = wrapped(values[at])
    return OccupiedArcs(np.array([channel]), ends[:1], ends[1:], frames[at[:1]], frames[at[1:]])


def _arcs(values: Floats, frames: Floats, channel: int) -> OccupiedArcs:
    """Arcs of a channel between the gaps of its sorted angles."""
    on_circle = wrapped(values)
    order, is_gap = _beside_gaps(on_circle)
    ordered = on_circle[order]
    gaps = np.append(np.diff(ordered), ordered[0] + TURN - ordered[-1])
    before = np.flatnonzero((gaps > SMALLEST_GAP) & is_gap)
    if not len(before):
        at, start = frames[order[:1]], ordered[:1]
        return OccupiedArcs(np.array([channel]), start, start + TURN, at, at)
    starts, ends = (before + 1) % len(ordered), np.roll(before, -1)
    return OccupiedArcs(
        np.full(len(before), channel),
        ordered[starts],
        ordered[ends],
        frames[order[starts]],
        frames[order[ends]],
    )


def _beside_gaps(on_circle: Floats) -> tuple[Integers, Booleans]:
    """Frames in order of their angles, without most that have neighbours on both sides.

    Also whether nothing lies between each and the next, which is true between the last and the
    first. Sorting all frames takes ten times as long.
    """
    bins = ((on_circle + np.pi) * (BINS / TURN)).astype(np.intp)
    np.clip(bins, 0, BINS - 1, out=bins)
    empty = np.bincount(bins, minlength=BINS) == 0
    beside = np.ones(BINS, dtype=bool)
    beside[1:-1] = empty[2:] | empty[:-2]
    # Angles in the first and the last part that has any are beside the gap between these.
    occupied = np.flatnonzero(~empty)
    beside[occupied[[0, -1]]] = True
    some = np.flatnonzero(beside[bins])
    order = some[np.argsort(on_circle[some], kind="stable")]
    gaps_below = np.cumsum(empty)[bins[order]]
    return order, np.append(gaps_below[1:] > gaps_below[:-1], True)


@dataclass(frozen=True)
class WidestGap:
    """Largest gap that the arcs of several clips leave on the circle, radians."""

    gap: float
    """0 where there is none."""
    low: float
    """Angle after the gap, where the range starts."""
    high: float
    """Angle before it, at most a turn after `low`."""
    low_at: tuple[int, float]
    high_at: tuple[int, float]
    """Clip and frame at the ends."""


def widest_gap(arcs: OccupiedArcs, clips: Integers) -> WidestGap:
    """Largest gap between arcs of one channel, at least one.

    `clips` has shape (arcs,): clip of each arc.
    """
    # An arc across half a turn becomes two, so that all can be sorted.
    across = arcs.end < arcs.start
    full = arcs.end - arcs.start >= TURN
    starts = np.where(full, -np.pi, arcs.start)
    starts = np.concatenate([starts, np.full(int(across.sum()), -np.pi)])
    ends = np.where(across | full, np.pi, arcs.end)
    ends = np.concatenate([ends, arcs.end[across]])
    source = np.concatenate([np.arange(len(arcs)), np.flatnonzero(across)])
    order = np.argsort(starts, kind="stable")
    starts, ends, source = starts[order], ends[order], source[order]
    reach = np.maximum.accumulate(ends)
    gaps = np.append(starts[1:] - reach[:-1], starts[0] + TURN - reach[-1])
    before = int(np.argmax(gaps))
    after = (before + 1) % len(gaps)
    low_of, high_of = source[after], source[int(np.argmax(ends == reach[before]))]
    if gaps[before] <= 0.0:
        return WidestGap(0.0, -np.pi, np.pi, *_sources(arcs, clips, low_of, high_of))
    low, high = float(starts[after]), float(reach[before])
    high = high + TURN if high < low else high
    return WidestGap(float(gaps[before]), low, high, *_sources(arcs, clips, low_of, high_of))


def _sources(
    arcs: OccupiedArcs, clips: Integers, low: int, high: int
) -> tuple[tuple[int, float], tuple[int, float]]:
    """Clip and frame at the start of one arc and at the end of another."""
    return (
        (int(clips[low]), float(arcs.start_frame[low])),
        (int(clips[high]), float(arcs.end_frame[high])),
    )
