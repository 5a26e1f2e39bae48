"""Partner joints on opposite sides of the body, and limits mirrored to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.euler import CHANNELS
from ..motion import motion, reorient
from ..motion.mirror import ALONE, partners, signs_from_ranges
from . import limit_set, ranges, records, symmetry


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
    is_left: bool = False
    """Whether this is the partner of a left joint."""


def partners_of(data: limit_set.LimitSet, clips: Sequence[motion.Motion]) -> dict[str, Partner]:
    """Partner of every joint that has one, by joint name; `data` must not have edits.

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
            reorient.reoriented_motion(clip.keep_frames([0]), advice).skeleton
            if advice
            else clip.skeleton
        )
        record = symmetry.compare_sides(data, skeleton)[1]
    if record is not None and record.pairs:
        return partners_in(record)
    found = {}
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


def partners_in(record: records.SymmetryRecord) -> dict[str, Partner]:
    """Partners that a comparison of the sides found, by joint name."""
    found = {}
    for pair in record.pairs:
        sure = pair.signs_from != "doubtful"
        found[pair.left] = Partner(pair.right, pair.signs, sure, pair.offsets_deg, is_left=True)
        found[pair.right] = Partner(pair.left, pair.signs, sure, pair.offsets_deg)
    return found


def mirrorable(joints: Sequence[str], partner_of: Mapping[str, Partner]) -> list[str]:
    """Joints that have a partner and whose channels map one to one to the partner's."""
    return [name for name in joints if name in partner_of and partner_of[name].sure]


def check_partner(name: str, joints: Sequence[str], partner: Partner | None) -> Partner:
    """Return the partner to which a joint can be mirrored.

    `joints`: all joints that are mirrored. Raises ValueError, which says what to do, if there is no
    partner, if the partner is mirrored too, or if their channels do not match.
    """
    if partner is None:
        raise ValueError(f"{name} has no partner on the other side; select a left or right joint")
    other = partner.name
    if other in joints:
        raise ValueError(f"{name} and {other} are both selected; select only the side to copy from")
    if not partner.sure:
        raise ValueError(
            f"the channels of {name} and {other} do not map one to one; set {other} by hand, or "
            f"copy {name} and check the signs"
        )
    return partner
