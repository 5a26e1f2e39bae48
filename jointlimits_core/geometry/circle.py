"""Angles on a circle: their contiguous range, and their position relative to limits.

The paper sorts the angles and takes the complement of the largest gap between neighbours
(section 2.3). As printed, equal angles have a gap of a full turn (equation 16), and the range of a
single value is a full turn (equation 19). Here the gaps are plain differences, and a range may have
zero width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple, TypeVar

import numpy as np

from .arrays import ArrayLike, Booleans, Floats, Integers, values_at
from .euler import TURN, other_euler, wrap_angle

SAME_ANGLE_RAD = 1e-12
"""Largest difference, due to rounding, between equal angles."""
_Record = TypeVar("_Record", bound="_Arrays")


class _Arrays:
    """Record of arrays whose first axes have the same length."""

    def select(self: _Record, chosen: Booleans | Integers | slice) -> _Record:
        """Record with the chosen rows of all arrays."""
        return type(self)(*(values[chosen] for values in vars(self).values()))

    @classmethod
    def concatenate(cls: type[_Record], parts: Sequence[_Record]) -> _Record:
        """Concatenate records."""
        return cls(*map(np.concatenate, zip(*(vars(part).values() for part in parts))))


@dataclass(frozen=True, eq=False)
class Interval(_Arrays):
    """Ranges of angles, radians; every array has the leading shape of the samples."""

    low: Floats
    high: Floats
    """``low`` in [-pi, pi) for ranges on the circle; ``high - low`` is in [0, 2 pi)."""
    gap: Floats
    """Largest empty arc of the circle."""
    low_at: Integers
    high_at: Integers
    """Indices of the samples at the ends."""


def contiguous_interval(angles: ArrayLike) -> Interval:
    """Smallest arc that contains all angles.

    `angles` has shape (..., samples): radians on any branch, finite, at least one sample. The
    arrays of the result have shape (...).
    """
    on_circle = wrap_angle(angles)
    found = spanned_interval(on_circle)
    # If all angles are within half a turn, the largest gap is the arc outside them.
    wide = np.asarray(found.high - found.low >= 0.5 * TURN)
    if wide.any():
        rows = on_circle[wide]
        order = np.argsort(rows, axis=-1, kind="stable")
        ordered = np.take_along_axis(rows, order, axis=-1)
        around = ordered[..., :1] + TURN - ordered[..., -1:]
        gaps = np.concatenate([np.diff(ordered, axis=-1), around], axis=-1)
        before = gaps.argmax(axis=-1)
        after = (before + 1) % gaps.shape[-1]
        # The ends come from the samples, not from the gap, because a limit is a measured value.
        begin, end = values_at(ordered, after), values_at(ordered, before)
        end = np.where(end < begin, end + TURN, end)
        at = values_at(order, after), values_at(order, before)
        for item, values in zip(fields(Interval), (begin, end, values_at(gaps, before), *at)):
            getattr(found, item.name)[wide] = values
    return found


def spanned_interval(angles: Floats) -> Interval:
    """Plain range of angles that are known to be on one branch.

    `angles` has shape (..., samples), the arrays of the result have shape (...). The gap is the
    rest of a turn, at least 0. The first sample that equals an end, apart from rounding, is used.
    """
    low, high = np.asarray(angles.min(axis=-1)), np.asarray(angles.max(axis=-1))
    low_at = np.asarray((angles <= low[..., None] + SAME_ANGLE_RAD).argmax(axis=-1))
    high_at = np.asarray((angles >= high[..., None] - SAME_ANGLE_RAD).argmax(axis=-1))
    gap = np.asarray(np.maximum(TURN - (high - low), 0.0))
    return Interval(low, high, gap, low_at, high_at)


END_TOLERANCE_RAD = 1e-9
"""Angles this close to an interval count as inside, to allow for rounding."""


def into_interval(angle: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Angles moved by the fewest full turns into an interval, or as close to it as possible.

    `angle`, `low` and `high`: radians, with shapes that broadcast. The result is inside ``[low,
    high]`` if some number of turns puts it there; an angle that is already inside does not change.
    """
    a, lo, hi = (np.asarray(item, dtype=np.float64) for item in (angle, low, high))
    outside = ~((lo - END_TOLERANCE_RAD <= a) & (a <= hi + END_TOLERANCE_RAD))
    result = np.array(np.broadcast_to(a, outside.shape))
    if outside.any():
        a, lo, hi = (np.broadcast_to(item, outside.shape)[outside] for item in (a, lo, hi))
        lowest = lo + np.mod(a - lo, TURN)
        # An angle above the interval gets the highest turn that fits.
        turns = np.floor((hi + END_TOLERANCE_RAD - lowest) / TURN)
        above = lowest + TURN * np.where(a > hi, np.maximum(turns, 0.0), 0.0)
        # An angle that rounding put just below `low` is now almost a turn above it.
        below = above - TURN
        nearer = np.maximum(above - hi, 0.0) > np.maximum(lo - below, 0.0)
        result[outside] = np.where(nearer, below, above)
    return result


def into_box(angle: ArrayLike, low: Floats, high: Floats) -> Floats:
    """Angles moved by :func:`into_interval`; unchanged where a limit is infinite."""
    closed = np.isfinite(low) & np.isfinite(high)
    begin, end = np.where(closed, low, 0.0), np.where(closed, high, 0.0)
    return np.where(closed, into_interval(angle, begin, end), angle)


def outside_box(values: Floats, low: Floats, high: Floats) -> Floats:
    """Distance of values from the range between two limits (possibly infinite); 0 inside."""
    return np.asarray(np.maximum(np.maximum(low - values, values - high), 0.0))


def middle_of_box(low: Floats, high: Floats) -> Floats:
    """Middle between two limits; if one is infinite, the allowed value nearest to zero."""
    closed = np.isfinite(low) & np.isfinite(high)
    middle = 0.5 * (np.where(closed, low, 0.0) + np.where(closed, high, 0.0))
    return np.clip(middle, low, high)


def euler_in_box(angles: Floats, low: Floats, high: Floats, rotate_order: str) -> Floats:
    """Euler angles of the same rotations, shape (..., 3), that are nearest to the limits.

    `low` and `high` have shape (3,) or the shape of `angles`: radians, infinite for no limit.
    """
    first = into_box(angles, low, high)
    off_first = outside_box(first, low, high).max(axis=-1)
    if off_first.max(initial=0.0) <= END_TOLERANCE_RAD:
        return first
    second = into_box(other_euler(angles, rotate_order), low, high)
    off_second = outside_box(second, low, high).max(axis=-1)
    return np.where((off_second < off_first)[..., None], second, first)


MIN_GAP_RAD = np.radians(5.0)
"""Minimum gap between arcs; a smaller gap counts as part of the adjacent arcs. The largest gap of a
free channel may be far larger."""


@dataclass(frozen=True, eq=False)
class OccupiedArcs(_Arrays):
    """Arcs that rotate channels cover; all arrays have shape (arcs,)."""

    channel: Integers
    """Three times the joint index, plus 0, 1 or 2 for X, Y or Z; never decreases."""
    start: Floats
    """First angle, radians in [-pi, pi)."""
    end: Floats
    """Last angle, also in [-pi, pi); a full turn after the start if there is no gap."""
    start_frame: Floats
    end_frame: Floats

    def __len__(self) -> int:
        return len(self.channel)

    def of_channel(self, channel: int) -> OccupiedArcs:
        """Arcs of one channel."""
        first, last = np.searchsorted(self.channel, [channel, channel + 1])
        return self.select(slice(int(first), int(last)))

    def replace_joints(self, joints: Integers, others: OccupiedArcs) -> OccupiedArcs:
        """Arcs with those of some joints replaced by those in `others`."""
        kept, new = np.isin(self.channel // 3, joints), np.isin(others.channel // 3, joints)
        arcs = OccupiedArcs.concatenate([self.select(~kept), others.select(new)])
        return arcs.select(np.argsort(arcs.channel, kind="stable"))

    def reorder(self, order: Integers) -> OccupiedArcs:
        """Arcs renumbered so that joint ``order[n]`` becomes joint ``n``."""
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        channel = 3 * place[self.channel // 3] + self.channel % 3
        by_channel = np.argsort(channel, kind="stable")
        return replace(self.select(by_channel), channel=channel[by_channel])


NO_ARCS = OccupiedArcs(np.zeros(0, dtype=np.int64), *[np.zeros(0)] * 4)
"""No arcs, as for a clip without excluded frames."""


def occupied_arcs(
    rotates: Floats, frames: Floats, first_joint: int = 0, span: Interval | None = None
) -> OccupiedArcs:
    """Arcs of the channels of a clip that leave gaps within their range, or go all the way round.

    `rotates` has shape (joints, 3, frames): radians on any branch. `frames` has shape (frames,):
    frame numbers. `first_joint`: index of the first joint. `span`: ranges of the channels, if
    known.
    """
    span = span or spanned_interval(rotates)
    values = rotates.reshape(-1, rotates.shape[-1])
    widths, found = (span.high - span.low).ravel(), [NO_ARCS]
    for row in np.flatnonzero(widths > MIN_GAP_RAD).tolist():
        parts = _arcs(row + 3 * first_joint, wrap_angle(values[row]), frames)
        found += [parts] if len(parts) > 1 or widths[row] >= TURN - MIN_GAP_RAD else []
    return OccupiedArcs.concatenate(found)


def _arcs(channel: int, on_circle: Floats, frames: Floats) -> OccupiedArcs:
    """Arcs of one channel between its gaps; the whole circle if there are no gaps."""
    order = np.argsort(on_circle, kind="stable")
    angles, frames = on_circle[order], frames[order]
    gaps = np.append(np.diff(angles), angles[0] + TURN - angles[-1])
    before = np.flatnonzero(gaps > MIN_GAP_RAD)
    if not len(before):
        ends = angles[:1], angles[:1] + TURN, frames[:1], frames[:1]
        return OccupiedArcs(np.full(1, channel), *ends)
    # An arc reaches from a gap to the next one, around the circle.
    starts, stops = (before + 1) % len(angles), np.roll(before, -1)
    return OccupiedArcs(
        np.full(len(before), channel), angles[starts], angles[stops], frames[starts], frames[stops]
    )


class WidestGap(NamedTuple):
    """Largest gap that the arcs of several clips leave on the circle, radians."""

    gap: float
    """Width of the gap; 0 if there is none."""
    low: float
    """Angle after the gap, where the range starts."""
    high: float
    """Angle before the gap, at most a turn after `low`."""
    low_at: tuple[int, float]
    high_at: tuple[int, float]
    """Clip and frame at each end."""


def widest_gap(arcs: OccupiedArcs, clips: Integers) -> WidestGap:
    """Largest gap between one or more arcs of a channel; `clips`: clip of each arc, (arcs,)."""
    # An arc that crosses half a turn is split, so that all arcs can be sorted.
    across = arcs.end < arcs.start
    full = arcs.end >= np.pi
    starts = np.append(np.where(full, -np.pi, arcs.start), np.full(int(across.sum()), -np.pi))
    ends = np.append(np.where(across | full, np.pi, arcs.end), arcs.end[across])
    source = np.concatenate([np.arange(len(arcs)), np.flatnonzero(across)])
    order = np.argsort(starts, kind="stable")
    starts, ends, source = starts[order], ends[order], source[order]
    reach = np.maximum.accumulate(ends)
    gaps = np.append(starts[1:] - reach[:-1], starts[0] + TURN - reach[-1])
    before = int(np.argmax(gaps))
    after = (before + 1) % len(gaps)
    first, last = source[after], source[int(np.argmax(ends == reach[before]))]
    low_at = int(clips[first]), float(arcs.start_frame[first])
    high_at = int(clips[last]), float(arcs.end_frame[last])
    if gaps[before] <= 0.0:
        return WidestGap(0.0, -np.pi, np.pi, low_at, high_at)
    low, high = float(starts[after]), float(reach[before])
    return WidestGap(float(gaps[before]), low, high + TURN if high < low else high, low_at, high_at)
