"""Limits and apply records of joints in the open scene."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import maya.api.OpenMaya as om

from .names import joint_names
from .provenance import record_of

AXES = ("X", "Y", "Z")


def applied_limits(joints: Sequence[om.MDagPath]) -> dict[str, Any]:
    """Rotation limits and records of joints.

    Parameters
    ----------
    joints : sequence of MDagPath

    Returns
    -------
    dict
        By joint name: "limits" with "min_deg" and "max_deg" of each rotate channel (None for a
        limit that is off), and "record", stored when limits were applied, or None.
    """
    return {
        name: {"limits": _limits(joint), "record": _record(joint)}
        for name, joint in zip(joint_names(joints), joints)
    }


def _limits(joint: om.MDagPath) -> dict[str, dict[str, float | None]]:
    node = om.MFnDependencyNode(joint.node())
    return {
        f"rotate{axis}": {
            "min_deg": _bound(node, f"minRot{axis}Limit"),
            "max_deg": _bound(node, f"maxRot{axis}Limit"),
        }
        for axis in AXES
    }


def _bound(node: om.MFnDependencyNode, name: str) -> float | None:
    """Limit in degrees; the plug itself is in radians, whatever the scene's angle unit."""
    if not node.findPlug(f"{name}Enable", False).asBool():
        return None
    return math.degrees(node.findPlug(name, False).asDouble())


def _record(joint: om.MDagPath) -> Any:
    record = record_of(joint.node())
    return None if record is None else json.loads(record.to_json())
