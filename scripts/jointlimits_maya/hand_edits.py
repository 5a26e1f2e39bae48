"""Protection of limits that were changed by hand since they were applied."""

from __future__ import annotations

from collections.abc import Sequence

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_attributes import (
    MAXIMUM,
    MAXIMUM_ON,
    MINIMUM,
    MINIMUM_ON,
    Triple,
)
from jointlimits_core.applying.joint_plan import JointPlan, Skipped
from jointlimits_core.joint_frame import CHANNELS

from .plugs import find_plug, read
from .provenance import Provenance

LIMIT = (MINIMUM, MAXIMUM, MINIMUM_ON, MAXIMUM_ON)
"""All attributes of a limit, for every axis."""
REPLACE = "use the option replace"


def leave_hand_edits(plan: JointPlan, joint: str, node: om.MObject, record: Provenance) -> None:
    """Drop channels from a plan whose limits, or switches, differ from what was applied.

    Parameters
    ----------
    plan : JointPlan
        Changed in place.
    joint : str
        For messages.
    node : MObject
    """
    for axis, channel in enumerate(CHANNELS):
        names = [triple.name(axis) for triple in LIMIT]
        if not any(_is_changed(node, name, record) for name in names):
            continue
        if take_out(plan, axis, LIMIT):
            reason = "limits changed by hand"
            plan.skipped.append(Skipped(joint, channel, reason, f"{REPLACE} to overwrite them"))


def _is_changed(node: om.MObject, name: str, record: Provenance) -> bool:
    if name not in record.written or name in record.switched_off:
        return False
    return bool(read(find_plug(node, name), name) != record.written[name])


def take_out(plan: JointPlan, axis: int, triples: Sequence[Triple]) -> bool:
    """Drop attributes of an axis from a plan; whether any would have changed."""
    wanted = [plan.wanted[triple] for triple in triples if triple in plan.wanted]
    changes = any(values[axis] is not None for values in wanted)
    for values in wanted:
        values[axis] = None
    return changes
