"""Data of a script for Maya, its losses, and the switches of a fixed program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..base.text import unique_names
from ..geometry.euler import CHANNELS, ROTATE_ORDERS
from ..limits.limit_set import LimitSet
from ..rig.limit_plan import advice_to_follow, changes_from_limit_set
from .formats import ExportOptions
from .losses import PREFERRED, Loss, common_losses, losses_of, only_in_json

Bounds = tuple["float | None", "float | None"]
Three = tuple[float, float, float]


@dataclass(frozen=True)
class ScriptJoint:
    """Data written on one joint.

    `rotate_order`: Maya's number for it. `joint_orient_deg`, `rotate_axis_deg`: orientation in
    which the limits hold. `limits_deg`: low and high of each channel, None for an end without
    limit. `moves`: which channels are degrees of freedom.
    """

    rotate_order: int
    joint_orient_deg: Three
    rotate_axis_deg: Three
    limits_deg: tuple[Bounds, Bounds, Bounds]
    moves: tuple[bool, bool, bool]
    preferred_deg: Three


def script_joints(
    limit_set: LimitSet, options: ExportOptions
) -> tuple[Mapping[str, ScriptJoint], tuple[Loss, ...]]:
    """Joints by the names that Maya can give them, and the losses.

    `limit_set`: in standard mode. Joints are by name, parents first.
    """
    changes = changes_from_limit_set(limit_set, options.lock_unmoved)
    names = dict(zip(changes, unique_names(changes, maya_name)))
    joints = {names[name]: _joint(limit_set, name) for name in changes}
    return joints, tuple(_losses(limit_set, names))


def _joint(limit_set: LimitSet, name: str) -> ScriptJoint:
    joint = limit_set.joints[name]
    x, y, z = (joint.limits[channel] for channel in CHANNELS)
    return ScriptJoint(
        ROTATE_ORDERS.index(joint.frame.rotate_order),
        joint.frame.joint_orient_deg,
        joint.frame.rotate_axis_deg,
        ((x.min_deg, x.max_deg), (y.min_deg, y.max_deg), (z.min_deg, z.max_deg)),
        (x.state != "locked", y.state != "locked", z.state != "locked"),
        joint.preferred_deg,
    )


def maya_name(name: str) -> str:
    """Maya's name of such a node: invalid characters are ``_``; paths and namespaces stay."""
    parts = (re.sub(r"[^\w:]", "_", part, flags=re.ASCII) for part in name.split("|"))
    return "|".join(f"_{part}" if part[:1].isdigit() else part for part in parts)


_MESSAGES = {
    "unmoved": "the joint does not move in the source, so it is not in the script "
    "(--lock-unmoved includes it)",
    "other-name": "the name is not valid in Maya; the script looks for it with _ in place of "
    "invalid characters",
    "advised-frame": "the limits use the orientation that the estimate advises; the script does "
    "not re-orient joints, and skips the joint unless it has that orientation (in Maya, "
    "applyJointLimits -reorient changes it)",
}


def _losses(limit_set: LimitSet, names: Mapping[str, str]) -> Iterator[Loss]:
    yield from common_losses(limit_set, "a joint of Maya", names)
    joints = limit_set.joints
    free = [n for n, one in joints.items() if all(a.state == "free" for a in one.limits.values())]
    found = {
        "unmoved": [n for n in joints if n not in names and n not in free],
        "other-name": [name for name, written in names.items() if name != written],
        "advised-frame": [name for name in names if advice_to_follow(joints[name])],
    }
    yield from losses_of(_MESSAGES, found)
    yield Loss(
        "keys-only",
        "the script leaves off limits that would clamp keys, values between them, the playback "
        "range or the current pose, and those of joints that IK handles turn; the plug-in plays "
        "the scene to check these",
    )
    yield from only_in_json(limit_set, (PREFERRED,))


Switches = Mapping[str, tuple[str, str]]
"""By option: text of a program that switches it off, and the one that switches it on."""


def switched(program: str, switches: Switches, options: ExportOptions) -> str:
    """A program with the switches of options that are set."""
    for name, switch in switches.items():
        program = program.replace(*switch, 1) if getattr(options, name) else program
    return program
