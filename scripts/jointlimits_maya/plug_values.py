"""Plug values of all types, set by a modifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

import maya.api.OpenMaya as om


@dataclass(frozen=True)
class Angle:
    """A value in radians for an angle attribute."""

    radians: float


@dataclass(frozen=True)
class Length:
    """A value in centimetres for a length attribute."""

    centimeters: float


Value = Union[bool, int, float, str, Angle, Length, om.MMatrix]


def put_value(modifier: om.MDGModifier, plug: om.MPlug, value: Value) -> None:
    """Add the setting of a plug value to a modifier.

    Parameters
    ----------
    modifier : MDGModifier
    plug : MPlug
    value : bool, int, float, str, Angle, Length or MMatrix
    """
    if isinstance(value, Angle):
        modifier.newPlugValueMAngle(plug, om.MAngle(value.radians, om.MAngle.kRadians))
    elif isinstance(value, Length):
        length = om.MDistance(value.centimeters, om.MDistance.kCentimeters)
        modifier.newPlugValueMDistance(plug, length)
    elif isinstance(value, om.MMatrix):
        modifier.newPlugValue(plug, om.MFnMatrixData().create(value))
    elif isinstance(value, bool):
        modifier.newPlugValueBool(plug, value)
    elif isinstance(value, str):
        modifier.newPlugValueString(plug, value)
    elif isinstance(value, int):
        modifier.newPlugValueInt(plug, value)
    else:
        modifier.newPlugValueDouble(plug, value)
