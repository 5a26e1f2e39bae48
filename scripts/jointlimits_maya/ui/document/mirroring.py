"""Partner joints on opposite sides of the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits import limit_set, ranges, records, symmetry
from jointlimits_core.motion import motion, reorient
from jointlimits_core.motion.mirror import ALONE, partners, signs_from_ranges


@dataclass(frozen=True)
class Partner:
    """Joint on the other side."""

    name: str
    signs: records.Triple
    """+1 where the channel has the same direction on both sides, -1 where it is reversed."""
    sure: bool
    """False if the channels do not map one to one."""
    offsets_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """0 or 180 degrees per channel, added to the mirrored values."""


def partners_of(data: limit_set.LimitSet, clips: Sequence[motion.Motion]) -> dict[str, Partner]:
    """Partner of every joint that has one, by joint name; `data` must be without edits.

    Uses the pairs recorded in the limit set, or else compares the sides on the first clip's
    skeleton; if neither gives pairs, compares names and ranges.
    """
    record = data.symmetry
    if (record is None or not record.pairs) and clips:
        clip = clips[0]
        advice = {
            name: joint.advice
            for name, joint in data.joints.items()
            if joint.advice is not None and joint.orientation.kind == "advised"
        }
        skeleton = (
            reorient.reoriented_motion(clip.take([0]), advice).skeleton if advice else clip.skeleton
        )
        record = symmetry.compare_sides(data, skeleton)[1]
    found = {}
    if record is not None and record.pairs:
        for pair in record.pairs:
            sure = pair.signs_from != "doubtful"
            found[pair.left] = Partner(pair.right, pair.signs, sure, pair.offsets_deg)
            found[pair.right] = Partner(pair.left, pair.signs, sure, pair.offsets_deg)
        return found
    names = list(data.joints)
    for name, other in zip(names, partners(names).tolist()):
        own, theirs = data.joints[name], data.joints[names[other]]
        if other != ALONE and set(CHANNELS) <= set(own.limits):
            order = own.orientation.rotate_order
            here, there = (
                np.array([ranges.span_of(one.limits[c]) or (np.nan, np.nan) for c in CHANNELS])
                for one in (own, theirs)
            )
            mirror = signs_from_ranges(here, there, order)
            sure = mirror.sure and order == theirs.orientation.rotate_order
            found[name] = Partner(names[other], mirror.signs, sure, mirror.offsets_deg)
    return found


def mirrorable(joints: Sequence[str], partner_of: Mapping[str, Partner]) -> list[str]:
    """Joints that have a partner and whose channels map one to one to the partner's."""
    return [name for name in joints if name in partner_of and partner_of[name].sure]


def why_not_mirrored(
    limits: limit_set.LimitSet, joints: Sequence[str], partner_of: Mapping[str, Partner]
) -> str:
    """Reason why none of these joints can be mirrored; empty if any can."""
    if has_no_channels(limits):
        return "Limits in the paper's mode cannot be mirrored; Estimate measures them again."
    if mirrorable(joints, partner_of):
        return ""
    if any(name in partner_of for name in joints):
        return "The channels of the two sides do not map one to one."
    return "No selected joint has a partner on the other side."


def has_no_channels(limits: limit_set.LimitSet) -> bool:
    """Whether limits use the paper's angles, which have neither dials nor mirroring."""
    return limits.mode == "paper"
