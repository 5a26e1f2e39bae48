"""Mirroring of the limits on joints to the joints on the other side of the body.

Partners and the map between their channels are those of the window. The limits are written as
Apply writes them: on the Euler branch of the partner's values, and only where no pose changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from jointlimits_core.base.errors import OptionText
from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.geometry.quaternion import multiply
from jointlimits_core.limits.limit_set import ClipRecord, JointLimit, LimitSet
from jointlimits_core.limits.partners import Partner, check_partner, mirrorable, partners_of
from jointlimits_core.limits.symmetry import mirrored_limit
from jointlimits_core.motion.mirror import possible_partners
from jointlimits_core.motion.motion import Motion
from jointlimits_core.rig.limit_plan import JointChange, Skipped

from ..base.host import SceneError
from ..base.open_maya import om
from ..read.limits import limit_of_joint
from ..read.motion import motion_from_scene
from ..read.rest_pose import STORED
from ..scene.edit import SceneEdit
from ..scene.joints import all_like, is_control, is_joint, joint_names
from ..scene.plugs import Attributes
from ..scene.record import Provenance, record_of
from ..scene.results import WriteResult
from ..scene.time import TimeChoice, current_frame
from .limits import WriteOptions, plan_limits


def plan_mirror(
    chosen: Sequence[om.MDagPath],
    side: str | None,
    may_move: bool,
    progress: Progress | None = None,
) -> tuple[SceneEdit, WriteResult]:
    """Plan limits for the partners of joints; limits that the partners have are replaced.

    `chosen`: joints of one character, whose partners are looked for below the same top joints.
    `side`: "left" or "right" to copy from; None copies from all chosen joints. Raises ValueError,
    which says what to do, if no joint can be mirrored.
    """
    joints = _character(chosen)
    paths = dict(zip(joint_names(joints), joints))
    limits = {name: limit_of_joint(path.node()) for name, path in paths.items()}
    partners = partners_of(LimitSet("", limits), [_rest_motion(joints)])
    names = [
        name
        for name in joint_names(chosen)
        if any(axis.state != "free" for axis in limits[name].limits.values())
    ]
    if side is not None:
        there = {name for name, one in partners.items() if one.is_left == (side == "left")}
        names = [name for name in names if name in there]
    if not names:
        where = "" if side is None else f" on the {side} side"
        raise SceneError(f"none of these joints{where} has limits; select joints with limits")
    able = mirrorable(names, partners)
    for name in able or names[:1]:
        _check(name, able, partners, list(paths))
    skipped = list(_left_out(names, able, partners))
    records = {name: record_of(paths[name].node()) or Provenance() for name in able}
    changes = {}
    for name in able:
        if records[name].switched_off:
            reason = "its limits are switched off"
            skipped.append(Skipped(name, "", reason, "switch them on, then mirror them"))
        else:
            image = _mirrored_change(paths[name], limits[name], partners[name])
            changes[partners[name].name] = image
    others = [partners[name].name for name in able]
    clips = dict.fromkeys(clip for record in records.values() for clip in record.clips)
    found = LimitSet(
        next((one.character for one in records.values() if one.character), ""),
        {other: limits[other] for other in others},
        # A joint's record holds only the names of clips.
        clips=tuple(ClipRecord(name, None, None, 0, 0.0, 0.0, 0.0) for name in clips),
    )
    options = WriteOptions(replace=True, may_move=may_move)
    targets = [paths[other] for other in others]
    edit, result = plan_limits(found, targets, options, progress, changes)
    edit.label = "Mirror Joint Limits"
    return edit, replace(result, skipped=(*result.skipped, *skipped))


def _character(chosen: Sequence[om.MDagPath]) -> list[om.MDagPath]:
    """All joints below the top joints of the chosen ones, or controls below their top groups."""
    tops = set()
    for joint in chosen:
        node, top = om.MDagPath(joint), joint.fullPathName()
        while node.length() > 1:
            node.pop()
            if is_joint(node) or is_control(joint):
                top = node.fullPathName()
        tops.add(f"{top}|")
    every = all_like(chosen[0])
    return [one for one in every if f"{one.fullPathName()}|".startswith(tuple(tops))]


def _rest_motion(joints: Sequence[om.MDagPath]) -> Motion:
    """Motion of the current frame; without a stored rest pose, all rotations at rest are 0."""
    now = current_frame()
    motion = motion_from_scene(joints, TimeChoice("ranges", ((now, now),)))
    skeleton = motion.skeleton
    if skeleton.rest_source in STORED:
        return motion
    zero = multiply(skeleton.joint_orients, skeleton.rotate_axes)
    return replace(motion, skeleton=replace(skeleton, rest_rotations=zero))


def _check(
    name: str, able: Sequence[str], partners: Mapping[str, Partner], every: Sequence[str]
) -> None:
    """Raise ValueError if a joint cannot be mirrored."""
    partner = partners.get(name)
    possible = [every[place] for place in possible_partners(every, every.index(name))]
    if partner is None and len(possible) > 1:
        raise SceneError(
            f"{' and '.join(possible)} could both be the partner of {name}; rename all but one"
        )
    if partner is not None and partner.name in able:
        both = f"{name} and {partner.name} are both selected; select one side, or give "
        raise ValueError(OptionText(both, "from_side"))
    check_partner(name, able, partner)


def _left_out(
    names: Sequence[str], able: Sequence[str], partners: Mapping[str, Partner]
) -> Iterator[Skipped]:
    """Joints that are not mirrored, with the reasons."""
    for name in names:
        if name not in partners:
            yield Skipped(name, "", "no partner on the other side", "no action needed")
        elif name not in able:
            other = partners[name].name
            reason = f"its channels do not map one to one to those of {other}"
            yield Skipped(name, "", reason, f"set {other} by hand")


def _mirrored_change(path: om.MDagPath, limit: JointLimit, partner: Partner) -> JointChange:
    """Mirrored limits and, for joints, mirrored types and preferred angles."""
    joint = Attributes(path.node())
    image = mirrored_limit(limit, partner.signs, partner.offsets_deg)
    ends = {channel: (axis.min_deg, axis.max_deg) for channel, axis in image.items()}
    if is_control(path):
        return JointChange(ends, of_controls=True)
    preferred = np.degrees(joint.vector("preferredAngle")).tolist()
    free = {f"jointType{c[-1]}": bool(joint.number(f"jointType{c[-1]}")) for c in CHANNELS}
    x, y, z = (
        sign * angle + offset
        for sign, angle, offset in zip(partner.signs, preferred, partner.offsets_deg)
    )
    return JointChange(ends, free, (x, y, z))
