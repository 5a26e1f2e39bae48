"""A script for Blender: Limit Rotation and IK limits for pose bones, about their own axes.

A Blender bone has its own axes (Y along it), which are only known in the open armature. So the
script holds each joint's rest pose and channel orientation in the source, and derives the ranges
from the bones' rest matrices: see `for_blender/apply_limits.py`. Blender's rotation orders list
axes as Maya's do: XYZ turns about X first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..geometry import euler, quaternion
from ..limits.limit_set import LimitSet
from ..motion.skeleton import Skeleton
from . import formats, python
from .figure import figure_of
from .losses import Exported, Loss, common_losses, losses_of, only_in_json

PROGRAM = Path(__file__).parent / "for_blender" / "apply_limits.py"
_MESSAGES = {
    "one-sided": "Blender has no one-sided ranges; half a turn was written for the missing limit",
    "root-limits": "a root is placed by the animator; its limits were still written",
}


def export(
    limit_set: LimitSet, skeleton: Skeleton | None, options: formats.ExportOptions
) -> Exported:
    """Write a script."""
    assert skeleton is not None
    figure = figure_of(limit_set, skeleton)
    joints = blender_joints(limit_set, skeleton)
    text = python.script_text(PROGRAM, options, limit_set.character, joints, "run")
    limited = [joint for joint in figure.joints if joint.is_limited]
    found = {
        "one-sided": [joint.name for joint in limited if joint.is_one_sided],
        "root-limits": [joint.name for joint in limited if joint.is_root],
    }
    bone_axes = Loss(
        "bone-axes",
        "ranges are exact for bones with the joint's axes; other bones, which the script lists, "
        "get wider ranges (estimating in Blender gives ranges about the bones' own axes)",
    )
    losses = (
        *figure.losses,
        *common_losses(limit_set, "Blender", figure.limited_names()),
        *losses_of(_MESSAGES, found),
        bone_axes,
        *only_in_json(limit_set),
    )
    count = sum(joint["limits"] is not None for joint in joints.values())
    return Exported(text, losses, (f"limits for {count} joints",))


def blender_joints(limit_set: LimitSet, skeleton: Skeleton) -> dict[str, dict[str, Any]]:
    """Script data for every joint, by joint name, parents first.

    `place`, `turn`: rest position and rotation in the source; quaternions are (w, x, y, z).
    `above`, `after`: constant rotations between the parent and the channels, and after the
    channels. `limits`: degrees, None for an end without a limit or a joint without limits.
    """
    figure = figure_of(limit_set, skeleton)
    bones = figure.skeleton
    turns, places = np.tile(quaternion.IDENTITY, (len(bones), 1)), np.zeros((len(bones), 3))
    found: dict[str, dict[str, Any]] = {}
    for joint in figure.joints:
        at, above = joint.index, joint.parent
        parent_turn = turns[above] if above >= 0 else quaternion.IDENTITY
        start = places[above] if above >= 0 else np.zeros(3)
        places[at] = start + quaternion.rotate(parent_turn, joint.place)
        local = quaternion.multiply(joint.before, bones.rest_rotations[at])
        turns[at] = quaternion.multiply(parent_turn, local)
        if joint.limit is None or not joint.is_limited:
            limits = None
        else:
            axes = (joint.limit.limits[channel] for channel in euler.CHANNELS)
            limits = tuple((axis.min_deg, axis.max_deg) for axis in axes)
        found[joint.name] = {
            "parent": bones.names[above] if above >= 0 else "",
            "place": tuple(places[at].tolist()),
            "turn": quaternion.w_first(turns[at]),
            "above": quaternion.w_first(quaternion.multiply(joint.before, joint.box.joint_orient)),
            "after": quaternion.w_first(joint.box.rotate_axis),
            "order": joint.box.rotate_order.upper(),
            "limits": limits,
        }
    return found
