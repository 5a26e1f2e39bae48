"""Plugs of a joint that limits are written to: lookup, reading, and obstacles to setting them."""

from __future__ import annotations

import math

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_attributes import TRIPLES, PlugStates

from .scene_edit import SceneEdit

#: Maya's attributes for stiffness near the limits, written only on request.
STIFFNESS = tuple(f"stiffness{axis}" for axis in "XYZ")
DAMP_RANGES = tuple(f"{end}RotateDampRange{axis}" for end in ("min", "max") for axis in "XYZ")
DAMP_STRENGTHS = tuple(f"{end}RotateDampStrength{axis}" for end in ("min", "max") for axis in "XYZ")


def find_plug(node: om.MObject, name: str) -> om.MPlug:
    """Plug of an attribute by its long name.

    Raises
    ------
    RuntimeError
        If there is none.
    """
    plug: om.MPlug = om.MFnDependencyNode(node).findPlug(name, False)
    return plug


def obstacle(plug: om.MPlug) -> str | None:
    """Why a plug must not be set: "locked", "connected", "in a locked reference", or None.

    A plug driven by a curve counts as connected: it would not keep a new value.
    """
    whole = [plug] + ([plug.parent()] if plug.isChild else [])
    if any(one.isLocked for one in whole):
        return "locked"
    if any(one.isDestination for one in whole):
        return "connected"
    # live check: locked-reference-is-not-free
    if plug.isFreeToChange() != om.MPlug.kFreeToChange:
        return "in a locked reference" if plug.isFromReferencedFile else "locked"
    return None


def states_of(node: om.MObject) -> PlugStates:
    """States of all joint attributes that limits are written to, in degrees or 0 and 1."""
    states = PlugStates()
    for triple in TRIPLES:
        state = states[triple]
        for axis in range(3):
            plug = find_plug(node, triple.name(axis))
            value = plug.asDouble() if triple.is_angle else float(plug.asBool())
            state.values[axis] = math.degrees(value) if triple.is_angle else value
            why = obstacle(plug)
            state.locked[axis] = why == "locked"
            state.connected[axis] = why == "connected"
            state.in_locked_reference[axis] = why == "in a locked reference"
    return states


def is_switch(name: str) -> bool:
    """Whether a written attribute is a boolean."""
    return name.endswith("Enable") or name.startswith("jointType")


def is_angle(name: str) -> bool:
    """Whether a written attribute is an angle."""
    # live check: damp-range-unit
    return name.endswith("Limit") or name.startswith("preferredAngle") or "DampRange" in name


def read(plug: om.MPlug, name: str) -> float | bool:
    """Value of a written attribute: a boolean, or a number in Maya's internal unit."""
    return bool(plug.asBool()) if is_switch(name) else float(plug.asDouble())


def put(edit: SceneEdit, plug: om.MPlug, name: str, value: float | bool) -> None:
    """Add the setting of a written attribute to an edit."""
    if is_switch(name):
        edit.set_bool(plug, bool(value))
    elif is_angle(name):
        edit.set_angle(plug, float(value))
    else:
        edit.set_double(plug, float(value))
