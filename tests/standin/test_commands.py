"""The stand-in's maya.cmds: flags, nodes, attributes, undo."""

from __future__ import annotations

import ast
import inspect
import math

import pytest

from tests.maya_standin import NotModelledError, NotModelledNameError
from tests.maya_standin.nodes import Plug


@pytest.fixture
def knee(cmds):
    """A knee below a hip, five units apart."""
    cmds.joint(name="hip", position=(0, 10, 0))
    cmds.joint(name="knee", position=(0, 5, 0))
    return "knee"


# --- what is not modelled ---------------------------------------------------------------------


def test_a_command_that_is_not_modelled_raises_and_is_not_there(cmds):
    assert not hasattr(cmds, "polySphere")
    with pytest.raises(NotModelledNameError, match=r"maya\.cmds\.polySphere"):
        cmds.polySphere()


def test_a_flag_that_is_not_modelled_raises(cmds):
    with pytest.raises(NotModelledError, match=r"getAttr.*expandEnvironmentVariables"):
        cmds.getAttr("persp.tx", expandEnvironmentVariables=True)


def test_short_names_of_flags_are_refused(cmds):
    with pytest.raises(NotModelledError, match=r"ls\(sl="):
        cmds.ls(sl=True)


def test_a_flag_of_a_wrong_type_raises_as_maya_does(cmds):
    with pytest.raises(TypeError, match=r"arguments for flag 'long'\. Expected bool, got str"):
        cmds.ls(long="yes")
    with pytest.raises(TypeError, match="flag 'limitX'"):
        cmds.joint(limitX=(1, 2, 3))


# Flags that only say which mode it is, how something looks, or what Maya does here anyway.
WITHOUT_EFFECT = {
    "edit", "replace", "children", "absolute", "definition", "noContext", "prompt",
    "messageAlign", "defaultButton", "cancelButton", "icon", "parent", "position", "fade",
    "fadeStayTime", "fadeInTime", "fadeOutTime", "force", "currentView", "allowOptionBoxes",
    "dividerLabel", "tearOff", "commandRepeatable", "enableCommandRepeat", "flat", "width",
    "height", "simulation",
}  # fmt: skip


def test_no_flag_is_taken_and_then_forgotten(cmds):
    from tests.maya_standin.commands.registry import COMMANDS

    for name, command in COMMANDS.items():
        (function,) = ast.parse(inspect.getsource(inspect.unwrap(command.function))).body
        read = {node.id for part in function.body for node in ast.walk(part) if is_name(node)}
        forgotten = set(command.flags) - read - WITHOUT_EFFECT
        assert not forgotten, f"{name}: {forgotten}"


def is_name(node):
    return isinstance(node, ast.Name)


def test_calls_are_counted(maya, cmds):
    cmds.ls()
    cmds.ls()
    assert maya.counters["calls"]["cmds.ls"] == 2


# --- nodes and names --------------------------------------------------------------------------


def test_names_that_are_taken_get_numbers_and_made_nodes_are_selected(cmds):
    assert cmds.createNode("transform", name="hand") == "hand"
    assert cmds.createNode("transform", name="hand") == "hand1"
    assert cmds.ls(selection=True) == ["hand1"]
    cmds.createNode("network", name="note", skipSelect=True)
    assert cmds.ls(selection=True) == ["hand1"]


def test_ls_gives_the_shortest_names_that_are_their_own(cmds, knee):
    cmds.createNode("transform", name="rig")
    cmds.createNode("joint", name="knee", parent="rig")
    assert cmds.ls("*knee", type="joint") == ["hip|knee", "rig|knee"]
    assert cmds.ls("rig|knee", long=True) == ["|rig|knee"]
    assert cmds.ls("nothing") == []


def test_patterns_stay_in_their_namespace_unless_asked_to_recurse(cmds):
    cmds.namespace(addNamespace="hero")
    cmds.createNode("joint", name="hero:hip")
    assert cmds.ls("hip") == []
    assert cmds.ls("hip", recursive=True) == ["hero:hip"]
    assert cmds.ls("hero:*", type="joint") == ["hero:hip"]
    assert cmds.namespaceInfo(listOnlyNamespaces=True) == ["UI", "shared", "hero"]


def test_the_current_namespace_is_where_new_nodes_are(cmds):
    cmds.namespace(addNamespace="hero")
    cmds.namespace(setNamespace="hero")
    assert cmds.createNode("joint", name="hip") == "hero:hip"
    with pytest.raises(RuntimeError, match="not empty"):
        cmds.namespace(removeNamespace="hero")


def test_relatives(cmds, knee):
    cmds.joint(name="ankle", position=(0, 0, 0))
    assert cmds.listRelatives("hip", allDescendents=True) == ["ankle", "knee"]
    assert cmds.listRelatives("knee", parent=True, fullPath=True) == ["|hip"]
    assert cmds.listRelatives("ankle") is None
    assert cmds.nodeType("knee", inherited=True)[-2:] == ["transform", "joint"]


def test_deleting_takes_what_is_below_and_its_curves_and_can_be_undone(cmds, knee):
    cmds.setKeyframe(knee, attribute="rotateZ", time=[1, 5], value=10)
    cmds.delete("hip")
    assert not cmds.objExists("knee")
    assert not cmds.objExists("knee_rotateZ")
    cmds.undo()
    assert cmds.listConnections("knee.rotateZ") == ["knee_rotateZ"]


def test_renaming_parenting_and_grouping(cmds, knee):
    assert cmds.rename("knee", "shin") == "shin"
    assert cmds.group("hip", name="rig") == "rig"
    assert cmds.ls("shin", long=True) == ["|rig|hip|shin"]
    cmds.parent("shin", world=True, relative=True)
    assert cmds.ls("shin", long=True) == ["|shin"]
    with pytest.raises(NotModelledError, match="keeps world positions"):
        cmds.parent("shin", "hip")


# --- attributes -------------------------------------------------------------------------------


def test_values_go_in_and_out_in_units_of_the_user(maya, cmds, knee):
    cmds.setAttr("knee.rotateX", 90)
    assert maya.scene.node("knee").values["rotateX"] == math.radians(90)
    assert cmds.getAttr("knee.rotate") == [(90.0, 0.0, 0.0)]
    cmds.currentUnit(angle="rad", linear="m")
    assert cmds.getAttr("knee.rx") == math.radians(90)
    assert cmds.getAttr("knee.ty") == pytest.approx(-0.05)


def test_compounds_matrices_and_strings(cmds, knee):
    cmds.setAttr("knee.jointOrient", 1, 2, 3, type="double3")
    assert cmds.getAttr("knee.jointOrient")[0] == pytest.approx((1, 2, 3))
    cmds.addAttr(knee, longName="note", dataType="string")
    cmds.setAttr("knee.note", "{}", type="string")
    assert cmds.getAttr("knee.note") == "{}"
    with pytest.raises(RuntimeError, match="type='string'"):
        cmds.setAttr("knee.note", "{}")
    assert cmds.getAttr("knee.worldMatrix[0]")[12:15] == [0, 5, 0]


def test_a_wrong_number_of_values_is_refused(cmds, knee):
    with pytest.raises(RuntimeError, match="data element"):
        cmds.setAttr("knee.rotate", 1, 2)
    with pytest.raises(RuntimeError, match="data element"):
        cmds.setAttr("knee.rotateX", "far")


def test_locked_and_driven_attributes_cannot_be_set(cmds, knee):
    cmds.setAttr("knee.rotateX", lock=True)
    assert cmds.getAttr("knee.rotateX", lock=True)
    assert not cmds.getAttr("knee.rotateX", settable=True)
    with pytest.raises(RuntimeError, match="locked or connected"):
        cmds.setAttr("knee.rotateX", 1)
    cmds.setAttr("knee.rotateX", 1, lock=False)
    assert cmds.getAttr("knee.rotateX") == 1
    cmds.connectAttr("hip.rotateX", "knee.rotateX")
    with pytest.raises(RuntimeError, match="locked or connected"):
        cmds.setAttr("knee.rotateX", 1)


def test_added_attributes_come_and_go(cmds, knee):
    cmds.addAttr(knee, longName="jointLimits", dataType="string", hidden=True)
    assert cmds.listAttr(knee, userDefined=True) == ["jointLimits"]
    assert cmds.attributeQuery("jointLimits", node=knee, exists=True)
    with pytest.raises(RuntimeError, match="existing"):
        cmds.addAttr(knee, longName="jointLimits", dataType="string")
    cmds.deleteAttr(knee, attribute="jointLimits")
    assert not cmds.objExists("knee.jointLimits")
    with pytest.raises(RuntimeError, match="static"):
        cmds.deleteAttr("knee.rotateX")


def test_connections_are_made_forced_listed_and_broken(cmds, knee):
    cmds.createNode("transform", name="ctl")
    cmds.connectAttr("ctl.rotateX", "knee.rotateX")
    with pytest.raises(RuntimeError, match="already has an incoming connection"):
        cmds.connectAttr("ctl.rotateY", "knee.rotateX")
    cmds.connectAttr("ctl.rotateY", "knee.rotateX", force=True)
    assert cmds.listConnections("knee.rotateX", plugs=True, destination=False) == ["ctl.rotateY"]
    assert cmds.listConnections("ctl", type="joint") == ["knee"]
    cmds.disconnectAttr("ctl.rotateY", "knee.rotateX")
    assert cmds.listConnections("knee.rotateX") is None


def test_a_locked_node_keeps_its_attributes(cmds, knee):
    cmds.lockNode(knee)
    assert cmds.lockNode(knee, query=True) == [True]
    with pytest.raises(RuntimeError, match="locked"):
        cmds.addAttr(knee, longName="note", dataType="string")
    with pytest.raises(RuntimeError, match="locked"):
        cmds.delete(knee)


# --- undo -------------------------------------------------------------------------------------


def test_a_chunk_is_one_undo(cmds, knee):
    cmds.undoInfo(openChunk=True, chunkName="pose")
    cmds.setAttr("knee.rotateX", 10)
    cmds.setAttr("knee.rotateY", 20)
    cmds.undoInfo(closeChunk=True)
    assert cmds.undoInfo(query=True, undoName=True) == "pose"
    cmds.undo()
    assert cmds.getAttr("knee.rotate") == [(0, 0, 0)]
    cmds.redo()
    assert cmds.getAttr("knee.rotateY") == pytest.approx(20)


def test_queries_and_failures_leave_no_item(cmds, knee):
    cmds.flushUndo()
    cmds.ls()
    cmds.joint(knee, query=True, degreeOfFreedom=True)
    cmds.setAttr("knee.rotateX", lock=True)
    cmds.flushUndo()
    with pytest.raises(RuntimeError):
        cmds.setAttr("knee.rotateX", 3)
    assert cmds.undoInfo(query=True, undoQueueEmpty=True)
    with pytest.raises(RuntimeError, match="no more commands"):
        cmds.undo()


def test_without_state_nothing_is_recorded_and_only_one_way_flushes(cmds, knee):
    cmds.undoInfo(stateWithoutFlush=False)
    cmds.setAttr("knee.rotateX", 10)
    cmds.undoInfo(stateWithoutFlush=True)
    assert cmds.undoInfo(query=True, undoName=True) == "joint"
    cmds.undoInfo(state=False)
    assert cmds.undoInfo(query=True, undoQueueEmpty=True)


def test_the_selection_is_undoable_and_sets_stand_for_their_members(maya, cmds, knee):
    cmds.select("hip", hierarchy=True)
    assert cmds.ls(selection=True) == ["hip", "knee"]
    cmds.select("knee", deselect=True)
    cmds.undo()
    assert cmds.ls(selection=True) == ["hip", "knee"]
    cmds.createNode("objectSet", name="legs", skipSelect=True)
    scene = maya.scene
    scene.connect(
        Plug(scene.node("knee"), "instObjGroups[0]"), Plug(scene.node("legs"), "dagSetMembers[0]")
    )
    cmds.select("legs")
    assert cmds.ls(selection=True) == ["knee"]
    cmds.select("legs", noExpand=True)
    assert cmds.ls(selection=True) == ["legs"]
    cmds.select(clear=True)
    assert cmds.ls(selection=True) == []
