"""Limits on the joints of the open scene, as a limit set for checks."""

from __future__ import annotations

from collections.abc import Sequence

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.joint_frame import CHANNELS
from jointlimits_core.limits.limit_set import (
    AxisLimit,
    Evidence,
    Frame,
    JointLimit,
    LimitSet,
    RestPose,
)
from jointlimits_core.maya_rig.declared import declaration_from
from jointlimits_core.maya_rig.matrices import rotate_order_name

from .attributes import Attributes
from .names import joint_names
from .provenance import Provenance, record_of

_NOT_ESTIMATED = Evidence({}, None, 0.0, (0.0, 0.0, 0.0), 0.0, 0, "no motion")
_ANY_POSE = RestPose((0.0, 0.0, 0.0), True, 0.0)


def limits_there(joints: Sequence[om.MDagPath]) -> LimitSet | None:
    """Limits that are on, or were switched off with Limits on/off, from any source.

    Parameters
    ----------
    joints : sequence of MDagPath

    Returns
    -------
    LimitSet or None
        For checks only, not to apply: types, rest poses and whatever else is not on the joints are
        unknown. None if there are no limits.
    """
    found, character = {}, ""
    for name, joint in zip(joint_names(joints), joints):
        record = record_of(joint.node()) or Provenance()
        limit = _limit(Attributes(joint.node()), record)
        if limit is not None:
            found[name] = limit
            character = character or record.character
    return LimitSet(character, found) if found else None


def _limit(joint: Attributes, record: Provenance) -> JointLimit | None:
    def number(attribute: str, default: float) -> float:
        off = attribute in record.switched_off
        return 1.0 if off else joint.number(attribute, default)

    ranges = declaration_from(number, joint.is_locked).limits_deg
    if not ranges:
        return None
    limits = {
        channel: AxisLimit("limited", *ranges[channel]) if channel in ranges else AxisLimit("free")
        for channel in CHANNELS
    }
    frame = Frame(
        rotate_order_name(joint.plug("rotateOrder").asInt()),
        _degrees(joint, "jointOrient"),
        _degrees(joint, "rotateAxis"),
    )
    # The type is unknown; no check depends on it.
    return JointLimit("ball", None, _NOT_ESTIMATED, frame, limits, _ANY_POSE, {}, (0.0, 0.0, 0.0))


def _degrees(joint: Attributes, compound: str) -> tuple[float, float, float]:
    x, y, z = np.degrees(joint.vector(compound)).tolist()
    return x, y, z
