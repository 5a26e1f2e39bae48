"""Limits of joints carried over to the controls that drive them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from jointlimits_core.base.errors import OptionText
from jointlimits_core.base.progress import Progress
from jointlimits_core.limits.carry_over import FROM_KEYS, CarryOverError, carried_limit
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.limits.ranges import unmoved_joints
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.rig.limit_plan import Skipped, changes_from_limit_set

from ..base.host import SceneError
from ..base.open_maya import om
from ..read.control_links import ControlLink, ControlLinks
from ..scene.edit import SceneEdit
from ..scene.joints import all_controls, joint_names, node_of
from ..scene.record import text_of
from ..scene.results import WriteResult
from ..write.limits import WriteOptions, plan_limits


class ControlLimits(NamedTuple):
    """Limits of controls.

    `limits`: by control; findings name the joint that they come from. `paths`: the controls.
    `skipped`: joints whose limits cannot be carried over, with the reasons.
    """

    limits: LimitSet
    paths: tuple[om.MDagPath, ...]
    skipped: tuple[Skipped, ...]


def carry_over(
    limit_set: LimitSet, joints: Sequence[om.MDagPath], progress: Progress | None = None
) -> ControlLimits:
    """Limits for the controls of joints, from the rotations of both over the clip.

    `limit_set`: its joints are matched by name, as in Apply. Changes nothing in the scene.
    """
    names, search, still = joint_names(joints), ControlLinks(), unmoved_joints(limit_set)
    links: dict[str, ControlLink] = {}
    refused: dict[str, CarryOverError] = {}
    for name, place in matched_joints(limit_set.joints, names).items():
        try:
            link = search.link_of(str(joints[place].fullPathName()))
            if name in still:
                raise CarryOverError("it never moves, so it has no range", "no action needed")
            links[name] = link
        except CarryOverError as error:
            refused[name] = error
    motion_of = search.read(links, progress)
    made: dict[str, JointLimit] = {}
    paths: dict[str, str] = {}
    for name, link in links.items():
        limit = limit_set.joints[name]
        (control,) = joint_names([om.MDagPath.getAPathTo(node_of(link.control))])
        try:
            motion = motion_of(link, limit)
            if control in made:
                raise CarryOverError(
                    f"{control} has the limits of another joint that it drives",
                    "select this joint alone to carry its limits over instead",
                )
            made[control] = carried_limit(limit, motion, name, paths.get(limit.parent or ""))
            paths[name] = control
        except CarryOverError as error:
            refused[name] = error
    options = {**limit_set.options, "controls": True}
    found = replace(
        limit_set, joints=made, options=options, edits=(), symmetry=None, dependencies=()
    )
    nodes = [node_of(links[name].control) for name in paths]
    driven_first = sorted(refused.items(), key=lambda item: item[1].advice != FROM_KEYS)
    skipped = [Skipped(name, "", one.reason, one.advice) for name, one in driven_first]
    return ControlLimits(found, tuple(map(om.MDagPath.getAPathTo, nodes)), tuple(skipped))


def controls_with_limits_of(joints: Sequence[om.MDagPath]) -> list[om.MDagPath]:
    """Controls that drive joints and to which limits were once applied."""
    if not any(text_of(one.node()) is not None for one in all_controls()):
        return []
    search, found = ControlLinks(), dict[str, om.MDagPath]()
    for joint in joints:
        with suppress(CarryOverError):
            control = search.link_of(str(joint.fullPathName())).control
            path = om.MDagPath.getAPathTo(node_of(control))
            if text_of(path.node()) is not None:
                found[control] = path
    return list(found.values())


def plan_on_controls(
    limit_set: LimitSet,
    joints: Sequence[om.MDagPath],
    options: WriteOptions,
    progress: Progress | None = None,
) -> tuple[SceneEdit, WriteResult]:
    """Plan writing joints' limits to the controls that drive them, as Apply does for joints."""
    if limit_set.of_controls:
        reason = f"limits of {limit_set.character} are those of controls already"
        raise SceneError(OptionText(f"{reason}; apply them without ", "to_controls"))
    found = carry_over(limit_set, joints, progress)
    changes = changes_from_limit_set(found.limits, lock_unmoved=True)
    edit, result = plan_limits(found.limits, found.paths, options, progress, changes)
    return edit, replace(result, skipped=(*result.skipped, *found.skipped))
