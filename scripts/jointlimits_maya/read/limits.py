"""Joint limits from the caller, from an estimate, or set on the joints themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.limit_set import (
    AxisLimit,
    Evidence,
    JointLimit,
    LimitSet,
    Orientation,
    RestPose,
    read_limit_set,
)
from jointlimits_core.rig.matrices import declaration_from

from ..base import host
from ..base.open_maya import om
from ..scene import estimates, plugs
from ..scene.joints import joint_names
from ..scene.record import Provenance, record_of, text_of

LimitSource = Union[LimitSet, str, "os.PathLike[str]"]
"""A limit set, the path of a limits file, or the JSON text of one."""


def limit_set_from(source: LimitSource | None, joints: Sequence[om.MDagPath]) -> LimitSet:
    """Read or look up a limit set.

    `source`: None or "" means the latest estimate for the character of `joints`. Raises SceneError
    if there is no estimate yet or Maya cannot use the limits; LimitSetError if a file or text
    cannot be read.
    """
    if isinstance(source, LimitSet):
        limit_set = source
    elif source is None or source == "":
        found = estimates.latest(joints)
        if found is None:
            raise host.SceneError(
                "there is no estimate for these joints yet; estimate them first, or give a limits "
                "file"
            )
        limit_set = found
    elif isinstance(source, str) and source.lstrip().startswith("{"):
        limit_set = LimitSet.from_json(source, "the limits that were given")
    else:
        limit_set = read_limit_set(source)
    if limit_set.mode == "paper":
        raise host.SceneError(
            "these limits are ZYZ angles from the paper mode, which do not fit Maya's rotate "
            "channels; estimate in the standard mode"
        )
    return limit_set


def applied_limits(joints: Sequence[om.MDagPath]) -> dict[str, Any]:
    """Rotation limits of joints, and what Apply recorded, by joint name.

    "limits": "min_deg" and "max_deg" of each rotate channel (None for a limit that is off).
    "record": stored when limits were applied, else None.
    """
    found = {}
    for name, joint in zip(joint_names(joints), joints):
        ends = plugs.rotation_limits(joint.node())
        limits = {
            channel: dict(zip(("min_deg", "max_deg"), pair)) for channel, pair in ends.items()
        }
        record = record_of(joint.node())
        data = None if record is None else json.loads(record.to_json())
        found[name] = {"limits": limits, "record": data}
    return found


_NOT_ESTIMATED = Evidence({}, None, 0.0, (0.0, 0.0, 0.0), 0.0, 0, "no motion")
_ANY_POSE = RestPose((0.0, 0.0, 0.0), True, 0.0)


def limits_on_joints(joints: Sequence[om.MDagPath]) -> LimitSet | None:
    """Limits set on joints by any means: on, switched off with Limits on/off, or left off by Apply.

    Use the result for checks only, not to apply: joint types, rest poses and everything else that
    joints do not store are unknown. None if there are no limits.
    """
    found, character = {}, ""
    for name, joint in zip(joint_names(joints), joints):
        limit = limit_of_joint(joint.node())
        if any(axis.state != "free" for axis in limit.limits.values()):
            found[name] = limit
            character = character or (record_of(joint.node()) or Provenance()).character
    return LimitSet(character, found) if found else None


def has_limits_or_record(node: om.MObject) -> bool:
    """Whether any rotation limit of a joint is on, or limits were once applied to it."""
    is_on = any(end is not None for pair in plugs.rotation_limits(node).values() for end in pair)
    return is_on or text_of(node) is not None


def limit_of_joint(node: om.MObject) -> JointLimit:
    """Limits set on a joint, active or switched off; type, rest pose and evidence are unknown."""
    joint, record = plugs.Attributes(node), record_of(node) or Provenance()

    def number(attribute: str, default: float) -> float:
        off = attribute in (*record.switched_off, *record.left_off)
        return 1.0 if off else joint.number(attribute, default)

    ranges = declaration_from(number, joint.is_locked).limits_deg
    limits = {
        channel: AxisLimit("limited", *ranges[channel]) if channel in ranges else AxisLimit("free")
        for channel in CHANNELS
    }
    (x, y, z), axis = (np.degrees(joint.vector(n)).tolist() for n in ("jointOrient", "rotateAxis"))
    order = joint.rotate_order
    frame = Orientation(order, (x, y, z), (axis[0], axis[1], axis[2]))
    # The type is unknown; neither checks nor mirroring depend on it.
    return JointLimit("ball", None, _NOT_ESTIMATED, frame, limits, _ANY_POSE, {}, (0.0, 0.0, 0.0))
