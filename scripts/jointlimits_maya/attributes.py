"""Attributes of a node as plain numbers in Maya's internal units, centimetres and radians."""

from __future__ import annotations

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.maya_rig.matrices import stored_matrix

AXES = "XYZ"
_SHEAR = ("shearXY", "shearXZ", "shearYZ")


class Attributes:
    """Reader of one node.

    Parameters
    ----------
    node : MObject
    """

    def __init__(self, node: om.MObject) -> None:
        self.node = node
        self._find = om.MFnDependencyNode(node).findPlug

    def plug(self, attribute: str) -> om.MPlug:
        """Plug of an attribute by its long name."""
        plug: om.MPlug = self._find(attribute, False)
        return plug

    def plugs(self, compound: str) -> list[om.MPlug]:
        """Child plugs of a compound of three."""
        names = _SHEAR if compound == "shear" else [compound + axis for axis in AXES]
        return [self.plug(name) for name in names]

    def is_on(self, attribute: str) -> bool:
        """Value of a boolean attribute."""
        return bool(self.plug(attribute).asBool())

    def number(self, attribute: str, default: float = 0.0) -> float:
        """Value of a single attribute; booleans are 0 and 1.

        `default` is unused: it matches the signature of the readers of scene files.
        """
        if attribute.endswith("Enable") or attribute.startswith("jointType"):
            return float(self.is_on(attribute))
        return float(self.plug(attribute).asDouble())

    def vector(self, compound: str) -> Floats:
        """Values of the three children of a compound, shape (3,)."""
        return np.array([plug.asDouble() for plug in self.plugs(compound)])

    def is_locked(self, channel: str) -> bool:
        """Whether a channel, or its compound, is locked."""
        plug = self.plug(channel)
        return bool(plug.isLocked or plug.parent().isLocked)


def type_of(node: om.MObject) -> str:
    """Type name of a node."""
    return str(om.MFnDependencyNode(node).typeName)


def matrix_of(plug: om.MPlug) -> Floats:
    """Value of a matrix plug for column vectors, shape (4, 4)."""
    data = om.MFnMatrixData(plug.asMObject())
    return stored_matrix(np.array(list(data.matrix()), dtype=np.float64))


def source_of(plug: om.MPlug) -> om.MPlug | None:
    """Plug that drives a plug, directly or through its compound; None if nothing does.

    A unit conversion in between counts as the source: its output is in the plug's own unit.
    """
    # live check: value-behind-a-conversion
    source: om.MPlug | None = None
    if plug.isDestination:
        source = plug.sourceWithConversion()
    # live check: children-of-connected-compounds
    elif plug.isChild and plug.parent().isDestination:
        compound, whole = plug.parent(), plug.parent().sourceWithConversion()
        for place in range(compound.numChildren()):
            if compound.child(place) == plug:
                source = whole.child(place)
    return source
