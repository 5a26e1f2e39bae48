"""Union, intersection and mirror image of ranges, and comparison of their orientations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, inf, isfinite
from typing import Optional

import numpy as np

from ..base.findings import UNEXPLAINED
from ..geometry import arrays, euler, quaternion
from .limit_set import (
    AxisLimit,
    AxisSource,
    BoundSource,
    JointLimit,
    LimitSet,
    Orientation,
    RestPose,
    preferred_pose,
)
from .records import BOUNDS

SAME_FRAME_DEG = 1e-6
_Span = tuple[float, float]
_Bound = tuple[float, Optional[BoundSource]]
MAX_LOCKED_DEG = 0.01
"""A channel wider than this is limited instead of locked."""
TURN_DEG = 360.0
TOLERANCE_DEG = 0.1
MAX_FLAT_DEG = 1e-6
"""Widest range, degrees, of keys that count as constant: rounding, not motion."""


def same_orientation(
    first: Orientation, second: Orientation, tolerance_deg: float = SAME_FRAME_DEG
) -> bool:
    """Whether two orientations have the same rotate order and agree within the tolerance.

    They are compared as rotations, so 180 degrees about all three axes equals no rotation.
    """
    if first == second or first.rotate_order != second.rotate_order:
        return first == second
    a, b = orientation_of(first), orientation_of(second)
    return bool(quaternion.angle_between(a, b).max() <= np.radians(tolerance_deg))


def orientation_of(frame: Orientation) -> arrays.Floats:
    """Quaternions of jointOrient and rotateAxis, shape (2, 4)."""
    return euler.quaternion_from_euler(np.radians([frame.joint_orient_deg, frame.rotate_axis_deg]))


def span_of(axis: AxisLimit) -> tuple[float, float] | None:
    """Minimum and maximum in degrees; None if the channel is free or open at one end."""
    if axis.state == "free" or axis.min_deg is None or axis.max_deg is None:
        return None
    return axis.min_deg, axis.max_deg


def ends_of(axis: AxisLimit) -> tuple[float, float]:
    """Minimum and maximum in degrees; infinite if missing."""
    if axis.state == "free":
        return -inf, inf
    low, high = axis.min_deg, axis.max_deg
    return (-inf if low is None else low), (inf if high is None else high)


def make_range(
    like: Sequence[AxisLimit], low: float, high: float, source: AxisSource, locked: bool
) -> AxisLimit:
    """Range with these ends; reuses one of `like` that has the same ends, state and source.

    `locked`: lock the range if it is no wider than :data:`MAX_LOCKED_DEG` or the widest locked
    range in `like`. One of the ends may be infinite.
    """
    width = max([MAX_LOCKED_DEG, *(axis.width_deg for axis in like if axis.state == "locked")])
    state = "locked" if locked and high - low <= width else "limited"
    made = AxisLimit(
        state,
        min_deg=low if isfinite(low) else None,
        max_deg=high if isfinite(high) else None,
        gap_deg=max(TURN_DEG - (high - low), 0.0) if isfinite(high - low) else None,
        source=source,
    )
    same = (axis for axis in like if replace(axis, gap_deg=made.gap_deg) == made)
    # The gap of a measured range need not be the rest of the turn.
    return next(same, made)


def union_of(*axes: AxisLimit, rank: int = 1) -> AxisLimit:
    """Smallest range that contains all ranges; free, or open at one end, if any of them is.

    Each end keeps the source of the limit that reaches furthest. The order does not matter. The
    result is locked if all ranges are locked and one of them contains the others. `rank`: number of
    ranges that must reach an end, if any angle is reached by that many.
    """
    ends = [ends_of(axis) for axis in axes]
    lows = [(end[0], axis.source.min) for end, axis in zip(ends, axes)]
    highs = [(end[1], axis.source.max) for end, axis in zip(ends, axes)]
    low, low_source = _furthest(-1.0, *lows, rank=rank)
    high, high_source = _furthest(1.0, *highs, rank=rank)
    if low > high:
        return union_of(*axes)
    if low == -inf and high == inf:
        return _free_of(axes)
    locked = all(axis.state == "locked" for axis in axes)
    return make_range(axes, low, high, AxisSource(low_source, high_source), locked)


def intersection_of(*axes: AxisLimit) -> AxisLimit | None:
    """Largest range inside all ranges; None if there is none, free if all are free."""
    held = [axis for axis in axes if axis.state != "free"]
    if not held:
        return _free_of(axes)
    ends = [ends_of(axis) for axis in held]
    low, low_source = _furthest(1.0, *((e[0], a.source.min) for e, a in zip(ends, held)))
    high, high_source = _furthest(-1.0, *((e[1], a.source.max) for e, a in zip(ends, held)))
    if low > high:
        return None
    locked = any(axis.state == "locked" for axis in held)
    return make_range(held, low, high, AxisSource(low_source, high_source), locked)


def move_range(axis: AxisLimit, degrees: float, sign: float = 1.0) -> AxisLimit:
    """Range with each value, also in its sources, mapped to ``degrees + sign * value``.

    `sign`: -1 mirrors the range, which swaps its ends; 1 only shifts it.
    """
    if axis.state == "free" or (degrees == 0.0 and sign > 0.0):
        return axis
    ends = [None if end is None else degrees + sign * end for end in (axis.min_deg, axis.max_deg)]
    sources = [_move_source(end, degrees, sign) for end in (axis.source.min, axis.source.max)]
    (low, high), (of_low, of_high) = (ends, sources) if sign > 0.0 else (ends[::-1], sources[::-1])
    return replace(axis, min_deg=low, max_deg=high, source=AxisSource(of_low, of_high))


def turns_between(axis: AxisLimit, target: AxisLimit) -> float:
    """Full turns, in degrees, that bring the middle of a range nearest to that of `target`."""
    a, b = span_of(axis), span_of(target)
    if a is None or b is None:
        return 0.0
    return TURN_DEG * round((sum(b) - sum(a)) / (2.0 * TURN_DEG))


def other_set(limits: Mapping[str, AxisLimit], rotate_order: str) -> dict[str, AxisLimit]:
    """The same ranges of rotate channels, as the second set of Euler angles."""
    middle = euler.CHANNELS[euler.axes_of(rotate_order)[1]]
    return {
        channel: move_range(axis, 0.5 * TURN_DEG, -1.0 if channel == middle else 1.0)
        for channel, axis in limits.items()
    }


def on_branch_of(
    limits: Mapping[str, AxisLimit], target: Mapping[str, AxisLimit], rotate_order: str
) -> tuple[dict[str, AxisLimit], bool]:
    """Ranges of rotate channels on the Euler branch (set and turns) nearest to `target`.

    Returns the ranges, and whether they belong to the second set of angles.
    """
    found = []
    for ranges in (limits, other_set(limits, rotate_order)):
        near = {c: move_range(axis, turns_between(axis, target[c])) for c, axis in ranges.items()}
        spans = [(span_of(axis), span_of(target[c])) for c, axis in near.items()]
        apart = sum(abs(x - y) for a, b in spans if a and b for x, y in zip(a, b))
        found.append((apart, near))
    (plain, own), (mirror, other) = found
    is_other = mirror < plain - TOLERANCE_DEG
    return (other if is_other else own), is_other


def with_limits(joint: JointLimit, limits: Mapping[str, AxisLimit]) -> JointLimit:
    """Joint with new ranges, and with its rest pose and remedies checked against them.

    `limits`: mapping of channel to AxisLimit. The remedy "middle" moves with the ranges; the other
    poses stay. In paper mode, whose angles are not rotate channels, only the ranges change.
    """
    if tuple(limits) != euler.CHANNELS:
        return replace(joint, limits=dict(limits))
    spans = [ends_of(axis) for axis in limits.values()]
    x, y, z = (0.5 * sum(span) if all(map(isfinite, span)) else 0.0 for span in spans)
    remedies = {
        name: None
        if pose is None
        else _check_pose((x, y, z) if name == "middle" else pose.rotate_deg, spans)
        for name, pose in joint.remedies.items()
    }
    rest = _check_pose(joint.rest.rotate_deg, spans)
    return replace(
        joint,
        limits=dict(limits),
        rest=rest,
        remedies=remedies,
        preferred_deg=preferred_pose(rest, remedies),
    )


def _check_pose(rotate_deg: tuple[float, float, float], spans: Sequence[_Span]) -> RestPose:
    """Pose moved to the turn of the ranges, with its distance from them."""
    x, y, z = (
        _on_turn_of(value, span) if all(map(isfinite, span)) else value
        for value, span in zip(rotate_deg, spans)
    )
    beyond = [max(low - value, value - high) for value, (low, high) in zip((x, y, z), spans)]
    outside = max(beyond) if max(beyond) > TOLERANCE_DEG else 0.0
    return RestPose((x, y, z), outside == 0.0, outside)


def _on_turn_of(value: float, span: _Span) -> float:
    """Angle shifted by full turns to be nearest to a range; unchanged if it is inside."""
    low, high = span
    if low <= value <= high:
        return value
    below = ceil((low - value) / TURN_DEG) - 1 if value < low else -ceil((value - high) / TURN_DEG)
    ends = (value + TURN_DEG * below, value + TURN_DEG * (below + 1))
    return min(ends, key=lambda end: max(low - end, end - high))


def _free_of(axes: Sequence[AxisLimit]) -> AxisLimit:
    gaps = [axis.gap_deg for axis in axes if span_of(axis) is None and axis.gap_deg is not None]
    return AxisLimit("free", gap_deg=min(gaps, default=None))


def _furthest(sign: float, *bounds: _Bound, rank: int = 1) -> _Bound:
    """Value furthest in a direction; ties go to the source with the most clips, then by name.

    `rank`: 2 for the second furthest.
    """

    def key(bound: _Bound) -> tuple[float, int, str]:
        angle, source = bound
        return (sign * angle, *((-1, "") if source is None else (source.clips, repr(source))))

    return sorted(bounds, key=key, reverse=True)[rank - 1]


def _move_source(bound: BoundSource | None, degrees: float, sign: float) -> BoundSource | None:
    if bound is None:
        return None
    value, band = bound.value_deg, bound.band_deg
    if band is not None:
        low, high = sorted(degrees + sign * end for end in band)
        band = low, high
    return replace(
        bound, value_deg=None if value is None else degrees + sign * value, band_deg=band
    )


def unmoved_joints(limit_set: LimitSet) -> frozenset[str]:
    """Joints that nothing animates, or whose keys never change and that no artist edited.

    One pose says nothing about a range, and locks would freeze the joint in that pose.
    """
    edited = {edit.joint for edit in limit_set.edits if edit.target in ("state", *BOUNDS)}
    unmoved = set()
    for name, joint in limit_set.joints.items():
        # All channels were measured, at one value each.
        measured = joint.evidence.sure == "no motion" and joint.evidence.samples > 0
        axes = joint.limits.values()
        flat = all(axis.state == "locked" and axis.width_deg <= MAX_FLAT_DEG for axis in axes)
        ends = [end for axis in axes for end in (axis.source.min, axis.source.max)]
        observed = all(end is not None and end.kind == "observed" for end in ends)
        never_changes = measured and flat and observed
        if not joint.animated or (never_changes and name not in edited):
            unmoved.add(name)
    return frozenset(unmoved)


def is_unexplained(joint: JointLimit) -> bool:
    """Whether a joint has no limits because its rotate channels do not explain its rotation."""
    named = any(item.rule in UNEXPLAINED for item in joint.findings)
    return named and all(axis.state == "free" for axis in joint.limits.values())
