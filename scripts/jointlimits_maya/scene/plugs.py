"""Node plugs: lookup, reading, setting through an edit, and obstacles to setting them.

Numbers are in Maya's internal units, centimetres and radians.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.rig import limit_plan, matrices

from ..base.open_maya import om
from .edit import Angle, SceneEdit

AXES = "XYZ"
_SHEAR = ("shearXY", "shearXZ", "shearYZ")


class Attributes:
    """Reader of one node's attributes."""

    def __init__(self, node: om.MObject) -> None:
        self.node = node
        function = om.MFnDependencyNode(node)
        self._find, self.has = function.findPlug, function.hasAttribute

    def plug(self, attribute: str) -> om.MPlug:
        """Plug of an attribute by its long name."""
        return self._find(attribute, False)

    def plugs(self, compound: str) -> list[om.MPlug]:
        """The three child plugs of a compound."""
        names = _SHEAR if compound == "shear" else [compound + axis for axis in AXES]
        return [self.plug(name) for name in names]

    def is_on(self, attribute: str) -> bool:
        """Value of a boolean attribute."""
        return bool(self.plug(attribute).asBool())

    def number(self, attribute: str, default: float = 0.0) -> float:
        """Value of a single attribute, or the default if there is none; booleans are 0 and 1."""
        if not self.has(attribute):
            return default
        if is_switch(attribute):
            return float(self.is_on(attribute))
        return float(self.plug(attribute).asDouble())

    def vector(self, compound: str) -> Floats:
        """Values of the three children of a compound, shape (3,); 0 if there is none.

        Controls, for example, have no jointOrient.
        """
        if not self.has(compound):
            return np.zeros(3)
        return np.array([plug.asDouble() for plug in self.plugs(compound)])

    @property
    def rotate_order(self) -> str:
        """Name of the rotate order, such as "xyz"."""
        return matrices.rotate_order_name(self.plug("rotateOrder").asInt())

    def is_locked(self, channel: str) -> bool:
        """Whether a channel, or its compound, is locked."""
        plug = self.plug(channel)
        return bool(plug.isLocked or plug.parent().isLocked)


def type_of(node: om.MObject) -> str:
    """Type name of a node."""
    return str(om.MFnDependencyNode(node).typeName)


def matrix_of(plug: om.MPlug) -> Floats:
    """Value of a matrix plug, for column vectors, shape (4, 4)."""
    data = om.MFnMatrixData(plug.asMObject())
    return matrices.stored_matrix(np.array(list(data.matrix()), dtype=np.float64))


def matrix_or_none(plug: om.MPlug) -> Floats | None:
    """Value of a matrix plug, as from :func:`matrix_of`; None if it was never set."""
    # live check: bind-pose-never-stored (no data, or a null object)
    try:
        return matrix_of(plug)
    except (RuntimeError, ValueError, TypeError):
        return None


def existing_element(array: om.MPlug, index: int) -> om.MPlug | None:
    """Existing element of an array, else None; reading a missing element could create it."""
    # live check: read-makes-element
    if index not in set(array.getExistingArrayAttributeIndices()):
        return None
    return array.elementByLogicalIndex(index)


def connected_elements(array: om.MPlug) -> Iterator[tuple[int, om.MPlug]]:
    """Index and source of each connected element of an array."""
    for index in array.getExistingArrayAttributeIndices():
        element = array.elementByLogicalIndex(index)
        if element.isDestination:
            yield int(index), element.sourceWithConversion()


def source_of(plug: om.MPlug) -> om.MPlug | None:
    """Plug that drives another plug, directly or through its compound; None if nothing does.

    A unit conversion in between counts as the source: its output is in the driven plug's unit.
    One that drives a whole compound, and a ``choice``, have one output without children: that
    output is the source, and :func:`readable` finds the plug to read.
    """
    # live check: value-behind-a-conversion
    source: om.MPlug | None = None
    if plug.isDestination:
        source = plug.sourceWithConversion()
    # live check: children-of-connected-compounds
    elif plug.isChild and plug.parent().isDestination:
        compound, whole = plug.parent(), plug.parent().sourceWithConversion()
        # live check: conversion-of-a-compound
        if not whole.isCompound:
            return whole
        for place in range(compound.numChildren()):
            if compound.child(place) == plug:
                source = whole.child(place)
    return source


def readable(plug: om.MPlug, source: om.MPlug) -> om.MPlug:
    """Plug with the value of a driven plug's source.

    The source itself, unless it holds three values in one output: then the driven plug, whose
    limits must be bypassed.
    """
    return source if plug.isDestination or source.isChild else plug


STIFFNESS = tuple(f"stiffness{axis}" for axis in AXES)
DAMP_RANGES = tuple(f"{end}RotateDampRange{axis}" for end in ("min", "max") for axis in AXES)
DAMP_STRENGTHS = tuple(f"{end}RotateDampStrength{axis}" for end in ("min", "max") for axis in AXES)
"""Maya's attributes for stiffness near the limits, written only on request."""

ENABLES = tuple(f"{end}Rot{axis}LimitEnable" for axis in AXES for end in ("min", "max"))
"""Attributes that enable each end of the rotation limits."""


def find_plug(node: om.MObject, name: str) -> om.MPlug:
    """Plug of an attribute by its long name, or of an array element such as ``matrixIn[1]``.

    Raises RuntimeError if there is none.
    """
    name, _, index = name.partition("[")
    plug = om.MFnDependencyNode(node).findPlug(name, False)
    return plug.elementByLogicalIndex(int(index[:-1])) if index else plug


def obstacle(plug: om.MPlug) -> limit_plan.PlugObstacle | None:
    """Reason why a plug must not be set; None if it may be.

    A plug driven by a curve counts as connected: it would not keep a new value.
    """
    whole = [plug] + ([plug.parent()] if plug.isChild else [])
    if any(one.isLocked for one in whole):
        return limit_plan.LOCKED
    if any(one.isDestination for one in whole):
        return limit_plan.CONNECTED
    # live check: locked-reference-is-not-free
    if plug.isFreeToChange() != om.MPlug.kFreeToChange:
        is_referenced = plug.isFromReferencedFile
        return limit_plan.IN_LOCKED_REFERENCE if is_referenced else limit_plan.LOCKED
    return None


def states_of(node: om.MObject) -> limit_plan.PlugStates:
    """States of all attributes that limits are written to; values in degrees, or 0 or 1.

    A control has only those for limits.
    """
    states = limit_plan.PlugStates()
    for triple in limit_plan.TRIPLES if type_of(node) == "joint" else limit_plan.LIMIT:
        state = states[triple]
        for axis in range(3):
            plug = find_plug(node, triple.name(axis))
            value = plug.asDouble() if triple.is_angle else float(plug.asBool())
            state.values[axis] = math.degrees(value) if triple.is_angle else value
            state.obstacles[axis] = obstacle(plug)
    return states


def is_switch(name: str) -> bool:
    """Whether an attribute that is written for limits is a boolean."""
    return name.endswith("Enable") or name.startswith("jointType")


def is_angle(name: str) -> bool:
    """Whether an attribute that is written for limits is an angle."""
    # live check: damp-range-unit
    return name.endswith("Limit") or name.startswith("preferredAngle") or "DampRange" in name


def read(node: om.MObject, name: str) -> float | bool:
    """Value of an attribute that is written for limits: boolean, or in Maya's internal unit."""
    plug = find_plug(node, name)
    return bool(plug.asBool()) if is_switch(name) else float(plug.asDouble())


def put(edit: SceneEdit, node: om.MObject, name: str, value: float | bool) -> None:
    """Make an edit set an attribute that is written for limits."""
    plug = find_plug(node, name)
    if is_switch(name):
        edit.set(plug, bool(value))
    else:
        edit.set(plug, Angle(float(value)) if is_angle(name) else float(value))


def rotation_limits(
    node: om.MObject, also_on: Collection[str] = ()
) -> dict[str, tuple[float | None, float | None]]:
    """Joint limits by channel, always in degrees; None for a limit that is off.

    `also_on`: enable attributes to be treated as on.
    """

    def end(name: str) -> float | None:
        enable = f"{name}Enable"
        is_on = enable in also_on or find_plug(node, enable).asBool()
        return math.degrees(find_plug(node, name).asDouble()) if is_on else None

    return {f"rotate{a}": (end(f"minRot{a}Limit"), end(f"maxRot{a}Limit")) for a in AXES}
