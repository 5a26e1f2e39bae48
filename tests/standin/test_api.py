"""The stand-in's maya.api: names, handles, plugs, contexts, time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.maya_standin import NotModelledError
from tests.maya_standin.graph import Plug
from tests.support.maya_arms import arms, keyed, plug


@pytest.fixture
def arm(maya):
    return arms(maya.scene)


# --- names and handles --------------------------------------------------------------------------


def test_names(om, arm):
    elbow = om.MSelectionList().add("left|rig:shoulder|rig:elbow").getDagPath(0)
    assert elbow.fullPathName() == "|left|rig:shoulder|rig:elbow"
    assert elbow.partialPathName() == "left|rig:shoulder|rig:elbow"
    function = om.MFnDagNode(elbow)
    assert function.name() == "rig:elbow"
    assert function.namespace == "rig"
    assert not function.hasUniqueName()
    assert om.MFnDagNode(function.parent(0)).name() == "rig:shoulder"
    top = om.MFnDagNode(om.MSelectionList().add("left").getDagPath(0))
    assert top.parent(0).apiType() == om.MFn.kWorld


def test_selection_lists(om, arm, maya):
    both = om.MSelectionList().add("rig:elbow")
    assert both.length() == 2
    assert both.getSelectionStrings(1) == ("right|rig:shoulder|rig:elbow",)
    assert om.MSelectionList().add("*:shoulder").length() == 2
    with pytest.raises(RuntimeError, match="nobody"):
        om.MSelectionList().add("nobody")
    with pytest.raises(IndexError):
        both.getDependNode(2)
    channel = om.MSelectionList().add("left.rx")
    assert channel.getPlug(0).name() == "left.rotateX"
    with pytest.raises(TypeError):
        both.getPlug(0)
    maya.scene.select([arm["right"]])
    assert om.MGlobal.getActiveSelectionList().getSelectionStrings() == ("right",)


def test_types(om, arm, maya):
    elbow = om.MSelectionList().add(arm["left elbow"].full_path())
    assert elbow.getDependNode(0).apiTypeStr == "kJoint"
    for kind in ("kJoint", "kTransform", "kDagNode", "kDependencyNode"):
        assert elbow.getDagPath(0).hasFn(getattr(om.MFn, kind))
    assert not elbow.getDagPath(0).hasFn(om.MFn.kAnimCurve)
    maya.scene.create_node("animCurveTA", "curve")
    curve = om.MSelectionList().add("curve")
    assert curve.getDependNode(0).hasFn(om.MFn.kAnimCurve)
    with pytest.raises(TypeError, match="DAG path"):
        curve.getDagPath(0)
    with pytest.raises(ValueError, match="incompatible with MFnTransform"):
        om.MFnTransform(curve.getDependNode(0))


def test_walks(om, arm):
    def walked(*reset):
        walk, found = om.MItDag(), []
        walk.reset(*reset)
        while not walk.isDone():
            found.append((walk.depth(), walk.partialPathName().rpartition("|")[2]))
            walk.next()
        return found

    left = om.MSelectionList().add("left").getDependNode(0)
    below = [(0, "left"), (1, "rig:shoulder"), (2, "rig:elbow")]
    assert walked(left) == below
    assert walked(left, om.MItDag.kBreadthFirst) == below
    assert walked(left, om.MItDag.kDepthFirst, om.MFn.kJoint) == below[1:]
    nodes, names = om.MItDependencyNodes(om.MFn.kJoint), []
    while not nodes.isDone():
        names.append(om.MFnDependencyNode(nodes.thisNode()).name())
        nodes.next()
    assert names == ["rig:shoulder", "rig:elbow"] * 2


def test_handles_of_deleted_nodes(om, maya):
    import maya.cmds as cmds

    maya.scene.create_node("joint", "tail")
    handle = om.MObjectHandle(om.MSelectionList().add("tail").getDependNode(0))
    assert handle.isValid()
    assert handle.isAlive()
    cmds.delete("tail")
    assert not handle.isValid()
    assert handle.isAlive(), "undo needs it"
    with pytest.raises(NotModelledError, match="deleted"):
        om.MFnDependencyNode(handle.object()).name()
    cmds.undo()
    assert handle.isValid()
    maya.new_scene()
    assert not handle.isValid()
    assert not handle.isAlive()


# --- plugs --------------------------------------------------------------------------------------


def test_find_plug_takes_two_arguments(om, arm):
    function = om.MFnDependencyNode(om.MSelectionList().add("left").getDependNode(0))
    with pytest.raises(TypeError):
        function.findPlug("rotateX")
    with pytest.raises(RuntimeError):
        function.findPlug("jointOrientX", False)
    assert not function.hasAttribute("jointOrientX")
    assert function.hasAttribute("rx")
    assert function.findPlug("rx", False) == function.findPlug("rotateX", True)
    assert function.findPlug(function.attribute("rx"), False).partialName() == "rx"


def test_compounds_and_arrays(om, arm):
    rotate = plug(om, arm["left"], "rotate")
    assert rotate.isCompound
    assert [rotate.child(axis).partialName() for axis in range(3)] == ["rx", "ry", "rz"]
    assert rotate.child(0).parent() == rotate
    world = plug(om, arm["left"], "worldMatrix")
    assert world.isArray
    assert not world.elementByLogicalIndex(0).isArray
    assert world.elementByLogicalIndex(0).array() == world
    assert world.elementByLogicalIndex(0).logicalIndex() == 0
    for wrong in (rotate.parent, rotate.array, world.logicalIndex):
        with pytest.raises(TypeError):
            wrong()


def test_values_are_internal(om, arm, maya):
    maya.scene.set_value(Plug(arm["left"], "rotateX"), math.pi / 2)
    rotate = plug(om, arm["left"], "rx")
    assert rotate.asDouble() == math.pi / 2
    assert rotate.asMAngle().asDegrees() == pytest.approx(90.0)
    assert maya.counters["calls"]["MPlug.asDouble"] == 1
    for wrong in (rotate.asBool, rotate.asString, rotate.asMTime, rotate.asMObject):
        with pytest.raises(NotModelledError, match="rotateX"):
            wrong()


def test_matrices(om, arm, maya):
    maya.scene.set_value(Plug(arm["left"], "translate"), (1.0, 2.0, 3.0))
    maya.scene.set_value(Plug(arm["left shoulder"], "translate"), (10.0, 0.0, 0.0))
    world = plug(om, arm["left shoulder"], "worldMatrix").elementByLogicalIndex(0)
    matrix = om.MFnMatrixData(world.asMObject()).matrix()
    assert list(matrix)[12:15] == [11.0, 2.0, 3.0]
    path = om.MDagPath.getAPathTo(world.node())
    assert path.inclusiveMatrix() == matrix
    assert list(path.exclusiveMatrix())[12:15] == [1.0, 2.0, 3.0]


def test_sources(om, arm, maya):
    rotate = plug(om, arm["left"], "rx")
    assert rotate.source().isNull
    assert not rotate.isDestination
    curve = keyed(maya.scene, Plug(arm["left"], "rotateX"), (0.0, 0.0), (1.0, 2.0))
    assert rotate.isDestination
    assert rotate.source().name() == f"{curve.name}.output"
    assert [end.name() for end in rotate.source().destinations()] == ["left.rotateX"]
    conversion = maya.scene.create_node("unitConversion", "uc")
    maya.scene.connect(Plug(curve, "output"), Plug(conversion, "input"))
    maya.scene.connect(Plug(conversion, "output"), Plug(arm["left"], "rotateY"))
    driven = plug(om, arm["left"], "ry")
    assert driven.source() == rotate.source()
    assert driven.sourceWithConversion().name() == "uc.output"
    ends = [end.name() for end in rotate.source().destinations()]
    assert ends == ["left.rotateX", "left.rotateY"]


def test_contexts(om, arm, maya):
    from maya.api.MDGContextGuard import MDGContextGuard

    keyed(
        maya.scene,
        Plug(arm["left"], "rotateX"),
        (0.0, 0.0),
        (1.0, 2.0),
        in_types=(2, 2),
        out_types=(2, 2),
    )
    rotate = plug(om, arm["left"], "rx")
    half = om.MDGContext(om.MTime(0.5, om.MTime.kSeconds))
    assert rotate.asDouble(half) == pytest.approx(1.0)
    with MDGContextGuard(half):
        assert half.isCurrent()
        assert rotate.asDouble() == pytest.approx(1.0)
        with MDGContextGuard(om.MDGContext(om.MTime(1.0, om.MTime.kSeconds))):
            assert rotate.asDouble() == pytest.approx(2.0)
        assert rotate.asDouble() == pytest.approx(1.0)
    guard = MDGContextGuard(half)
    assert half.isCurrent(), "from when it is made"
    guard.restore()
    assert om.MDGContext.current().isNormal()
    assert rotate.asDouble() == pytest.approx(2.0 / 24.0), "frame 1"
    assert maya.counters["dg_evaluations"] == 4
    assert maya.counters["time_changes"] == 0


def test_free_to_change(om, arm, maya):
    rotate, scene = plug(om, arm["left"], "rotate"), maya.scene
    assert rotate.isFreeToChange() == om.MPlug.kFreeToChange
    curve = keyed(scene, Plug(arm["left"], "rotateX"), (0.0, 0.0))
    assert rotate.child(0).isFreeToChange() == om.MPlug.kFreeToChange, "keys do not count"
    scene.disconnect(Plug(curve, "output"), Plug(arm["left"], "rotateX"))
    scene.connect(Plug(arm["right"], "rotateX"), Plug(arm["left"], "rotateX"))
    assert rotate.child(0).isFreeToChange() == om.MPlug.kNotFreeToChange
    assert rotate.isFreeToChange() == om.MPlug.kChildrenNotFreeToChange
    rotate.isLocked = True
    assert rotate.child(1).isLocked, "through the compound"
    with pytest.raises(RuntimeError):
        rotate.child(1).setMAngle(om.MAngle(1.0))


# --- time ---------------------------------------------------------------------------------------


def test_animation_control(om, oma, maya):
    maya.scene.units.time = "ntsc"
    oma.MAnimControl.setCurrentTime(om.MTime(15.0, om.MTime.uiUnit()))
    assert maya.scene.time == 0.5
    assert oma.MAnimControl.currentTime().value == 15.0
    assert maya.counters["time_changes"] == 1
    assert oma.MAnimControl.minTime().asUnits(om.MTime.kSeconds) == maya.scene.playback.minimum
    assert oma.MAnimControl.animationEndTime().asUnits(om.MTime.kSeconds) == maya.scene.playback.end


def test_state(om, maya):
    assert om.MGlobal.mayaState() == om.MGlobal.kInteractive
    om.MGlobal.displayWarning("careful")
    assert maya.messages[-1] == ("warning", "careful")
    with pytest.raises(AttributeError):
        om.MGlobal.executeCommand("sphere")


def test_limits_clamp_what_the_api_reads(om, arm, maya):
    keyed(maya.scene, Plug(arm["left"], "rotateX"), (0.0, 0.0), (1.0, 2.0))
    om.MFnTransform(om.MSelectionList().add("left").getDependNode(0)).setLimit(13, 0.5)
    rotate = plug(om, arm["left"], "rx")
    at_end = om.MDGContext(om.MTime(1.0, om.MTime.kSeconds))
    assert rotate.asDouble(at_end) == 0.5
    assert rotate.source().asDouble(at_end) == 2.0
    matrix = om.MFnMatrixData(plug(om, arm["left"], "matrix").asMObject(at_end)).matrix()
    turned = om.MTransformationMatrix(matrix).rotation()
    np.testing.assert_allclose(tuple(turned), (0.5, 0.0, 0.0), atol=1e-14)
