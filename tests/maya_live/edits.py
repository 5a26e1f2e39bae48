"""Effects of modifiers, and of undoing them."""

from __future__ import annotations

import maya.api.OpenMaya as om
from maya import cmds

from tests.maya_live.kit import check
from tests.maya_live.limits import plug
from tests.maya_live.scenes import keyed_joint


def node_of(name):
    return plug(f"{name}.message").node()


@check("reconnect-in-one-modifier", "settled", "mottosso/cmdx issue 45; case mod-reconnect-undo")
def reconnect_in_one_modifier():
    """One modifier that disconnects a plug and connects it again cannot be undone."""
    joint = keyed_joint()
    driver = cmds.createNode("joint")
    channel = plug(f"{joint}.rotateX")
    modifier = om.MDGModifier()
    modifier.disconnect(channel.sourceWithConversion(), channel)
    modifier.connect(plug(f"{driver}.rotateX"), channel)
    modifier.doIt()
    assert cmds.listConnections(f"{joint}.rotateX", source=True), "it is not connected again"
    try:
        modifier.undoIt()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("it was undone")


@check(
    "unknown-node-type",
    "settled",
    "mottosso/cmdx:cmdx.py; cases mod-unknown-type, mod-unknown-type-dg",
)
def unknown_node_type():
    """MDGModifier.createNode raises TypeError for a type that does not exist."""
    modifier = om.MDGModifier()
    try:
        modifier.createNode("jointLimitsNoSuchType")
        modifier.doIt()
    except TypeError as error:
        return str(error)
    except RuntimeError as error:
        raise AssertionError(f"RuntimeError: {error}") from None
    raise AssertionError("no error was raised")


@check(
    "read-makes-element", "low", "none; asking for the plug does not: case attr-element-of-missing"
)
def read_makes_element():
    """Reading an element of an array that does not exist creates it."""
    node = cmds.createNode("multMatrix")
    array = plug(f"{node}.matrixIn")
    array.elementByLogicalIndex(5).asMObject()
    found = list(array.getExistingArrayAttributeIndices())
    assert found == [5], f"elements {found}"


@check("removed-string-undo", "low", "none")
def removed_string_undo():
    """Undoing removeAttribute restores a string attribute without its text."""
    joint = keyed_joint()
    cmds.addAttr(joint, longName="liveText", dataType="string")
    cmds.setAttr(f"{joint}.liveText", "kept", type="string")
    node = node_of(joint)
    modifier = om.MDGModifier()
    modifier.removeAttribute(node, om.MFnDependencyNode(node).attribute("liveText"))
    modifier.doIt()
    modifier.undoIt()
    found = cmds.getAttr(f"{joint}.liveText")
    assert not found, f"the text {found!r} is back"


@check("delete-takes-neighbours", "low", "none; unitConversions do")
def delete_takes_neighbours():
    """Deleting a node also deletes a utility node that then feeds nothing."""
    first, second = (cmds.createNode("multiplyDivide") for _ in range(2))
    cmds.connectAttr(f"{first}.outputX", f"{second}.input1X")
    modifier = om.MDGModifier()
    modifier.deleteNode(node_of(second))
    modifier.doIt()
    assert not cmds.objExists(second), "it is still there"
    assert not cmds.objExists(first), "its neighbour is still there"
