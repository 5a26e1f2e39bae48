"""Mirroring between the sides of the body: partner joints, and their mirrored limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.limit_set import AxisLimit, LimitSet
from jointlimits_core.limits.ranges import on_branch_of, span_of
from jointlimits_core.limits.records import BOUNDS, ArtistEdit, Triple
from jointlimits_core.limits.symmetry import compared, mirrored_limit
from jointlimits_core.motion.mirror import ALONE, partners, signs_from_ranges
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.reorient import reoriented_motion

from .edits import Change, keys, together, typed

SAME_DEG = 1e-9
"""A mirrored limit closer than this to the measured one needs no edit."""


@dataclass(frozen=True)
class Partner:
    """Joint on the other side."""

    name: str
    signs: Triple
    """+1 where the channel has the same direction on both sides."""
    sure: bool
    """False if the channels do not map one to one."""
    offsets_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """0 or 180, added to the mirrored values."""


def partners_of(data: LimitSet, clips: Sequence[Motion]) -> dict[str, Partner]:
    """Partner of every joint that has one, by its name; `data` is without edits.

    The first clip supplies the skeleton. Without clips, the sides recorded in the set are used, or
    else names and ranges.
    """
    record = data.symmetry
    if (record is None or not record.pairs) and clips:
        clip = clips[0]
        advice = {
            name: joint.advice
            for name, joint in data.joints.items()
            if joint.advice is not None and joint.frame.kind == "advised"
        }
        skeleton = reoriented_motion(clip.take([0]), advice).skeleton if advice else clip.skeleton
        record = compared(data, skeleton)[1]
    if record is None or not record.pairs:
        return _by_name(data)
    found = {}
    for pair in record.pairs:
        sure = pair.signs_from != "doubtful"
        found[pair.left] = Partner(pair.right, pair.signs, sure, pair.offsets_deg)
        found[pair.right] = Partner(pair.left, pair.signs, sure, pair.offsets_deg)
    return found


def mirrored(
    data: LimitSet, limits: LimitSet, joints: Sequence[str], partner_of: Mapping[str, Partner]
) -> Change:
    """Give the partners of joints the mirror image of their limits in force.

    `data`: limits without edits. Raises ValueError for a joint without a partner, both sides at
    once, or channels that do not map.
    """
    if has_no_channels(limits):
        raise ValueError("limits of the paper's mode cannot be mirrored; Estimate "
                            "measures them again, in rotate channels")  # fmt: skip
    chosen = [(name, _partner(name, joints, partner_of)) for name in joints]
    return together(_mirror_image(data, limits, *each) for each in chosen)


def mirrorable(joints: Sequence[str], partner_of: Mapping[str, Partner]) -> list[str]:
    """The joints that have a partner whose channels map one to one."""
    return [name for name in joints if name in partner_of and partner_of[name].sure]


def why_not_mirrored(
    limits: LimitSet, joints: Sequence[str], partner_of: Mapping[str, Partner]
) -> str:
    """Reason why none of some joints can be mirrored; empty if one can."""
    if has_no_channels(limits):
        return "Limits of the paper's mode cannot be mirrored; Estimate measures them again."
    if mirrorable(joints, partner_of):
        return ""
    if any(name in partner_of for name in joints):
        return "The channels of the two sides do not map one to one."
    return "No selected joint has a partner on the other side."


def has_no_channels(limits: LimitSet) -> bool:
    """Whether limits use the paper's angles, which have neither dials nor mirroring."""
    return limits.mode == "paper"


def _partner(name: str, joints: Sequence[str], partner_of: Mapping[str, Partner]) -> Partner:
    found = partner_of.get(name)
    if found is None:
        raise ValueError(f"{name} has no partner on the other side; select a left or right joint")
    other = found.name
    if other in joints:
        raise ValueError(f"{name} and {other} are both selected; select only the side to copy from")
    if not found.sure:
        raise ValueError(
            f"the channels of {name} and {other} do not map one to one; set {other} by hand, or "
            f"copy {name} and check the signs"
        )
    return found


def _mirror_image(data: LimitSet, limits: LimitSet, name: str, partner: Partner) -> Change:
    """Type and ranges of a joint as its partner would have them, on the partner's branch."""
    there = limits.joints[partner.name]
    image = mirrored_limit(limits.joints[name], partner.signs, partner.offsets_deg)
    image = on_branch_of(image, there.limits, there.frame.rotate_order)[0]
    parts = [typed(data, partner.name, limits.joints[name].type)]
    for channel, axis in image.items():
        other = data.joints[partner.name].limits[channel]
        first, second = span_of(axis), span_of(other)
        is_same = axis.state == other.state == "free"
        if axis.state == other.state and first is not None and second is not None:
            is_same = max(abs(a - b) for a, b in zip(first, second)) < SAME_DEG
        added = () if is_same else as_edits(partner.name, channel, axis)
        parts.append(Change(added, keys(partner.name, channel)))
    return together(parts)


def as_edits(joint: str, channel: str, axis: AxisLimit) -> tuple[ArtistEdit, ...]:
    """Edits that give a channel this range."""
    ends = span_of(axis)
    if ends is None:
        return (ArtistEdit(joint, "state", channel, "free"),)
    added = tuple(ArtistEdit(joint, end, channel, value) for end, value in zip(BOUNDS, ends))
    if axis.state == "locked":
        return (ArtistEdit(joint, "state", channel, "locked"), *added)
    return added


def _by_name(data: LimitSet) -> dict[str, Partner]:
    names, found = list(data.joints), {}
    for index, other in enumerate(partners(names).tolist()):
        if other != ALONE:
            own, theirs = (data.joints[names[row]] for row in (index, other))
            if set(CHANNELS) <= set(own.limits):
                order = own.frame.rotate_order
                mirror = signs_from_ranges(_ranges(own.limits), _ranges(theirs.limits), order)
                sure = mirror.sure and order == theirs.frame.rotate_order
                found[names[index]] = Partner(names[other], mirror.signs, sure, mirror.offsets_deg)
    return found


def _ranges(limits: Mapping[str, AxisLimit]) -> Floats:
    free = (np.nan, np.nan)
    return np.array([span_of(limits[channel]) or free for channel in CHANNELS])
