"""Audit of one file: poses outside its own limits, and limits that contradict each other.

A fault is certainly wrong: a rest pose, a keyframe or a stored pose that the file's own limits do
not allow, or a range with minimum and maximum swapped. A note may report what was intended: a skin
may be bound in a pose that the character never takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.findings import ROUTINE_RULES, Finding
from ..base.text import all_findings, frames_words, number, plural
from ..evaluation.violations import TOLERANCE_DEG, violations
from ..geometry.euler import CHANNELS, axes_of
from ..limits.limit_set import LimitSet
from ..limits.ranges import ends_of
from ..limits.vocabulary import range_words
from ..motion.mirror import partners
from ..motion.motion import Motion
from ..rig.rest_pose import SOURCES as SCENE_RESTS
from .declared import DECLARED, is_declared

KEY_OUTSIDE = "key-outside"
FAULTS = ("rest-outside", KEY_OUTSIDE, "exchanged-bounds", "other-branch")
"""Rules of findings that are faults."""
RIGHT_ANGLE_DEG = 90.0
RADIANS_SPAN_DEG, TURNS_SPAN_DEG = 7.0, 720.0
"""Ranges all narrower than the first or mostly wider than the second probably use another unit."""
MIN_RANGES = 4
MAX_SIDE_DIFFERENCE_DEG = 0.5
"""Largest ignored difference between left and right ranges, since files round angles."""


@dataclass(frozen=True)
class Audit:
    """Faults and notes about the limits of a file. `limited`: number of channels with a range."""

    file: str
    joints: int
    limited: int
    faults: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    noun: str = "joint"
    """Word for a node with limits."""

    @property
    def passed(self) -> bool:
        """Whether there are no faults."""
        return not self.faults

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "format": "jointlimits.audit",
            "version": 1,
            "file": self.file,
            "joints": self.joints,
            "limited_channels": self.limited,
            "faults": [one.to_dict() for one in self.faults],
            "notes": [one.to_dict() for one in self.notes],
        }


def audit(
    limit_set: LimitSet,
    motion: Motion | None = None,
    tolerance_deg: float = TOLERANCE_DEG,
    file: str = "",
) -> Audit:
    """Audit limits, and the motion of the same file if it has one.

    `tolerance_deg`: largest excess that is ignored. `file`: name of the file in the result. Raises
    ValueError for a negative tolerance.
    """
    found = [one for one in all_findings(limit_set) if one.rule != DECLARED]
    # A stored bind pose may be outside the limits; current channel values are checked as motion.
    are_bound = motion is not None and limit_set.rest_source in SCENE_RESTS
    rule, pose = ("bind-pose-outside", "bind") if are_bound else ("rest-outside", "rest")
    own = "" if are_bound else "own "
    for name, joint in limit_set.joints.items():
        beyond = joint.rest.outside_deg
        if not joint.rest.feasible and beyond > tolerance_deg:
            text = f"its {pose} pose is outside its {own}limits by {number(beyond)} degrees"
            found.append(Finding(rule, text, name, degrees=beyond))
    found += _keys(limit_set, motion, tolerance_deg) if motion is not None else []
    found += _middle_channels(limit_set)
    if is_declared(limit_set):
        found += [*_units(limit_set), *_sides(limit_set)]
    found = [one for one in found if one.degrees is None or one.degrees > tolerance_deg]
    channels = [axis for joint in limit_set.joints.values() for axis in joint.limits.values()]
    limited = sum(axis.state == "limited" for axis in channels)
    return Audit(
        file or limit_set.character,
        len(limit_set.joints),
        limited,
        tuple(one for one in found if one.rule in FAULTS),
        tuple(one for one in found if one.rule not in FAULTS),
        limit_set.noun,
    )


def _keys(limit_set: LimitSet, motion: Motion, tolerance_deg: float) -> Iterator[Finding]:
    """Findings about frames that the file's own limits do not allow."""
    joints = dict(limit_set.joints)
    # In Maya, a disabled degree of freedom stops IK and the rotate tool, but only limits clamp
    # keys: a locked channel that also has limits may be anywhere inside them.
    for name, declared in motion.skeleton.declarations.items():
        limits = dict(joints[name].limits) if name in joints else {}
        for channel, (low, high) in declared.limits_deg.items():
            axis = limits.get(channel)
            if axis is not None and axis.state == "locked" and None not in (low, high):
                limits[channel] = replace(axis, min_deg=low, max_deg=high)
        if limits:
            joints[name] = replace(joints[name], limits=limits)
    found = violations(replace(limit_set, joints=joints), motion, tolerance_deg, "keys")
    for one in found.bounds:
        text = (
            f"{one.label()} is exceeded by {number(one.worst_deg)} degrees in "
            f"{plural(one.frames, 'frame')} of the file's own motion, most at "
            f"{frames_words([(one.worst_frame, one.worst_frame)])}"
        )
        yield Finding(
            *(KEY_OUTSIDE, text, one.joint, motion.name, one.frame_ranges),
            channel=one.channel,
            side=one.side,
            degrees=one.worst_deg,
        )
    notes = dict.fromkeys((*motion.findings, *found.findings))
    yield from (one for one in notes if one.rule not in ROUTINE_RULES)


def _middle_channels(limit_set: LimitSet) -> Iterator[Finding]:
    """Notes about middle channels beyond a right angle, where channels become ambiguous."""
    for name, joint in limit_set.joints.items():
        channel = CHANNELS[axes_of(joint.orientation.rotate_order)[1]]
        axis, states = joint.limits[channel], {one.state for one in joint.limits.values()}
        ends = [abs(end) for end in (axis.min_deg, axis.max_deg) if end is not None]
        furthest = max(ends, default=0.0)
        if axis.state != "limited" or furthest <= RIGHT_ANGLE_DEG or "locked" in states:
            continue
        text = (
            f"rotate order {joint.orientation.rotate_order} has {channel} in the middle, which "
            f"may reach {number(furthest)}; beyond 90 degrees, every pose has a second set of "
            "angles, possibly outside the limits; choose an order in which it comes first"
        )
        yield Finding("middle-beyond-90", text, name, channel=channel, degrees=furthest)


def _units(limit_set: LimitSet) -> Iterator[Finding]:
    """Note if the ranges were probably written in another unit."""
    spans = [
        axis.max_deg - axis.min_deg
        for joint in limit_set.joints.values()
        for axis in joint.limits.values()
        if axis.state == "limited" and axis.min_deg is not None and axis.max_deg is not None
    ]
    if len(spans) < MIN_RANGES:
        return
    if max(spans) < RADIANS_SPAN_DEG:
        words = f"no range is wider than {number(max(spans))} degrees; the file may be in radians"
    elif float(np.median(spans)) > TURNS_SPAN_DEG:
        words = "most ranges are wider than two turns; the file may be in degrees"
    else:
        return
    yield Finding("unit", words)


def _sides(limit_set: LimitSet) -> Iterator[Finding]:
    """Notes about left joints whose ranges neither equal nor mirror those of the right joints.

    Left and right channels of a model may turn the same way or opposite ways; both are valid.
    """
    names = list(limit_set.joints)
    for left, right in enumerate(partners(names)):
        if right < left:
            continue
        other = limit_set.joints[names[right]].limits
        for channel, axis in limit_set.joints[names[left]].limits.items():
            low, high = ends_of(other[channel])
            if not any(
                np.allclose(ends_of(axis), ends, rtol=0.0, atol=MAX_SIDE_DIFFERENCE_DEG)
                for ends in ((low, high), (-high, -low))
            ):
                text = (
                    f"its {channel} {range_words(axis)} neither equals nor mirrors "
                    f"{range_words(other[channel])} of {names[right]}"
                )
                yield Finding("sides-differ", text, names[left], channel=channel)
