"""Original curves and matrices, kept in the scene until they are restored.

A curve that is set aside keeps its keys, tangents and other connections but no longer drives the
channel; its message is connected to a hidden attribute of the node. A matrix is copied to a hidden
attribute in its own form, as numbers or as a record of channels.
"""

from __future__ import annotations

from collections.abc import Callable

import maya.api.OpenMaya as om

from .plugs import find_plug
from .scene_edit import SceneEdit

CURVES, CURVES_SHORT = "jointLimitsOldCurves", "jloc"
MATRICES, MATRICES_SHORT = "jointLimitsOldMatrices", "jlom"
CHANNELS = tuple(f"{compound}{axis}" for compound in ("rotate", "translate") for axis in "XYZ")
"""Positions in this tuple are the indices of the curves."""


def put_aside(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Disconnect a curve from a channel and keep it."""
    # live check: curves-kept-by-message
    node, function = plug.node(), om.MFnDependencyNode(curve)
    place = CHANNELS.index(_long_name(plug))
    edit.disconnect(function.findPlug("output", False), plug)
    edit.modify(
        lambda m: m.connect(function.findPlug("message", False), _element(node, CURVES, place)),
        when_reached=True,
    )


def curve_aside(node: om.MObject, channel: str) -> om.MObject | None:
    """Curve that was set aside for a channel; None if it is gone."""
    if not om.MFnDependencyNode(node).hasAttribute(CURVES):
        return None
    plug = _element(node, CURVES, CHANNELS.index(channel))
    if not plug.isDestination:
        return None
    curve: om.MObject = plug.source().node()
    return curve


def bring_back(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Reconnect its curve to a channel that nothing drives."""
    function = om.MFnDependencyNode(curve)
    kept = _element(plug.node(), CURVES, CHANNELS.index(_long_name(plug)))
    edit.disconnect(function.findPlug("message", False), kept)
    edit.modify(lambda m: m.connect(function.findPlug("output", False), plug), when_reached=True)


def copy_matrix(edit: SceneEdit, node: om.MObject, place: int, source: om.MPlug) -> None:
    """Copy a matrix to the hidden attribute."""
    # live check: matrix-data-keeps-record
    edit.modify(
        lambda m: m.newPlugValue(_element(node, MATRICES, place), source.asMObject()),
        when_reached=True,
    )


def matrix_back(edit: SceneEdit, node: om.MObject, place: int, target: om.MPlug) -> None:
    """Restore a matrix to where it was."""
    kept = _element(node, MATRICES, place)
    edit.modify(lambda m: m.newPlugValue(target, kept.asMObject()), when_reached=True)


def add_places(edit: SceneEdit, node: om.MObject, curves: bool, matrices: bool) -> None:
    """Add the hidden attributes that a node needs but lacks."""
    function = om.MFnDependencyNode(node)
    if curves and not function.hasAttribute(CURVES):
        messages = om.MFnMessageAttribute()
        attribute = messages.create(CURVES, CURVES_SHORT)
        messages.array = messages.hidden = True
        edit.add_attribute(node, attribute)
    if matrices and not function.hasAttribute(MATRICES):
        numbers = om.MFnMatrixAttribute()
        attribute = numbers.create(MATRICES, MATRICES_SHORT)
        numbers.array = numbers.hidden = True
        edit.add_attribute(node, attribute)


def remove_places(edit: SceneEdit, node: om.MObject) -> None:
    """Remove the hidden attributes."""
    function = om.MFnDependencyNode(node)
    for name in (CURVES, MATRICES):
        if function.hasAttribute(name):
            attribute = function.attribute(name)
            edit.modify(_removal(node, attribute), when_reached=True)


def _removal(node: om.MObject, attribute: om.MObject) -> Callable[[om.MDGModifier], object]:
    return lambda modifier: modifier.removeAttribute(node, attribute)


def _element(node: om.MObject, name: str, place: int) -> om.MPlug:
    element: om.MPlug = find_plug(node, name).elementByLogicalIndex(place)
    return element


def _long_name(plug: om.MPlug) -> str:
    return str(plug.partialName(useLongNames=True)).rpartition(".")[2]
