"""The stand-in's maya.api: handles, plugs, function sets, modifiers and curves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.maya_standin import NotModelledError
from tests.maya_standin.curves import Keys
from tests.maya_standin.graph import Plug, Reference


@pytest.fixture
def om(maya):
    import maya.api.OpenMaya as om

    return om


@pytest.fixture
def oma(maya):
    import maya.api.OpenMayaAnim as oma

    return oma


@pytest.fixture
def arm(maya):
    """Two arms, each a group with two joints of the same names."""
    scene = maya.scene
    nodes = {}
    for side in ("left", "right"):
        above = scene.create_node("transform", side)
        nodes[side] = above
        for name in ("rig:shoulder", "rig:elbow"):
            above = nodes[f"{side} {name[4:]}"] = scene.create_node("joint", name, above)
    return nodes


def plug(om, node, attribute):
    name = node.full_path() if node.is_dag else node.name
    found = om.MSelectionList().add(name).getDependNode(0)
    return om.MFnDependencyNode(found).findPlug(attribute, False)


def keyed(scene, channel, *keys, **options):
    times, values = zip(*keys)
    kind = {"rotateX": "animCurveTA", "translateX": "animCurveTL"}[channel.path]
    curve = scene.create_node(kind, f"{channel.node.short_name}_{channel.path}")
    scene.set_keys(curve, Keys(times, values, **options))
    scene.connect(Plug(curve, "output"), channel)
    return curve


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


# --- transforms ---------------------------------------------------------------------------------


def test_limits(om, arm):
    transform = om.MFnTransform(om.MSelectionList().add("left").getDependNode(0))
    assert transform.limitValue(om.MFnTransform.kRotateMaxY) == math.radians(45.0)
    assert not transform.isLimited(om.MFnTransform.kRotateMaxY)
    transform.setLimit(om.MFnTransform.kRotateMaxY, 0.5)
    assert transform.isLimited(om.MFnTransform.kRotateMaxY), "setLimit enables"
    assert plug(om, arm["left"], "maxRotYLimit").asDouble() == 0.5
    assert not transform.isLimited(om.MFnTransform.kRotateMinY)
    transform.enableLimit(om.MFnTransform.kRotateMaxY, False)
    assert transform.limitValue(om.MFnTransform.kRotateMaxY) == 0.5


def test_setters_of_transforms_are_not_undoable(om, arm, maya):
    transform = om.MFnTransform(om.MSelectionList().add("left").getDependNode(0))
    with maya.undo_queue.command("outer"):
        transform.setLimit(om.MFnTransform.kTranslateMinX, -3.0)
    assert not maya.undo_queue.done
    assert transform.limitValue(om.MFnTransform.kTranslateMinX) == -3.0


def test_rotation_leaves_out_what_is_around_it(om, arm, maya):
    joint = arm["left elbow"]
    values = {"rotate": (0.1, 0.2, 0.3), "rotateAxis": (0.4, 0, 0), "jointOrient": (0, 0.5, 0)}
    for path, value in values.items():
        maya.scene.set_value(Plug(joint, path), value)
    maya.scene.set_value(Plug(joint, "rotateOrder"), 4)
    transform = om.MFnTransform(om.MSelectionList().add(joint.full_path()).getDagPath(0))
    assert transform.rotationOrder() == 5, "1-based; the plug is 0-based"
    assert plug(om, joint, "rotateOrder").asShort() == 4
    assert tuple(transform.rotation()) == values["rotate"]
    assert transform.rotation().order == om.MEulerRotation.kYXZ
    factors = [om.MEulerRotation(*values["rotateAxis"]).asMatrix()]
    factors += [transform.rotation().asMatrix()]
    factors += [om.MEulerRotation(*values["jointOrient"]).asMatrix()]
    folded = factors[0] * factors[1] * factors[2]
    assert transform.transformation().asRotateMatrix().isEquivalent(folded, 1e-14)


# --- modifiers ----------------------------------------------------------------------------------


def test_modifier_waits_and_goes_back_and_forth(om, arm):
    rotate = plug(om, arm["left"], "rotate")
    modifier = om.MDGModifier()
    modifier.newPlugValueMAngle(rotate.child(0), om.MAngle(1.0))
    assert rotate.child(0).asDouble() == 0.0
    modifier.doIt()
    rotate.child(0).setDouble(7.0)
    modifier.newPlugValueMAngle(rotate.child(1), om.MAngle(2.0)).doIt()
    assert rotate.child(0).asDouble() == 7.0, "only what was added since"
    assert rotate.child(1).asDouble() == 2.0
    modifier.undoIt()
    assert [rotate.child(axis).asDouble() for axis in range(2)] == [0.0, 0.0]
    modifier.doIt()
    assert [rotate.child(axis).asDouble() for axis in range(2)] == [1.0, 2.0]


def test_modifier_that_fails_can_be_undone(om, arm):
    rotate = plug(om, arm["left"], "rotate")
    rotate.child(1).isLocked = True
    modifier = om.MDGModifier()
    for axis in range(2):
        modifier.newPlugValueMAngle(rotate.child(axis), om.MAngle(1.0))
    with pytest.raises(RuntimeError, match="locked or connected"):
        modifier.doIt()
    assert rotate.child(0).asDouble() == 1.0
    modifier.undoIt()
    assert rotate.child(0).asDouble() == 0.0


def test_modifier_checks_kinds(om, arm):
    rotate, modifier = plug(om, arm["left"], "rx"), om.MDGModifier()
    with pytest.raises(TypeError):
        modifier.newPlugValueMAngle(rotate, 1.0)
    with pytest.raises(NotModelledError):
        modifier.newPlugValueBool(rotate, True)


def test_modifier_is_not_on_the_undo_queue(om, arm, maya):
    om.MDGModifier().newPlugValueDouble(plug(om, arm["left"], "rx"), 1.0).doIt()
    assert not maya.undo_queue.done


def test_connections_of_different_units(om, arm, maya):
    maya.scene.create_node("animCurveTU", "plain")
    plain = om.MFnDependencyNode(om.MSelectionList().add("plain").getDependNode(0))
    output, rotate = plain.findPlug("output", False), plug(om, arm["left"], "rx")
    with pytest.raises(NotModelledError, match="unitConversion"):
        om.MDGModifier().connect(output, rotate).doIt()
    scale = plug(om, arm["left"], "sx")
    modifier = om.MDGModifier().connect(output, scale)
    modifier.doIt()
    assert scale.source() == output
    modifier.undoIt()
    assert scale.source().isNull


def test_parents(om, arm):
    elbow, right = (
        om.MSelectionList().add(arm[name].full_path()) for name in ("left elbow", "right")
    )
    modifier = om.MDagModifier()
    modifier.reparentNode(elbow.getDependNode(0), right.getDependNode(0))
    modifier.doIt()
    assert arm["left elbow"].full_path() == "|right|rig:elbow"
    modifier.undoIt()
    assert arm["left elbow"].full_path() == "|left|rig:shoulder|rig:elbow"
    arm["left elbow"].is_locked = True
    with pytest.raises(RuntimeError, match="locked"):
        om.MDagModifier().reparentNode(elbow.getDependNode(0)).doIt()


def test_attributes_are_added_and_removed(om, arm, maya):
    joint = om.MSelectionList().add("left").getDependNode(0)
    typed = om.MFnTypedAttribute()
    made = typed.create("jointLimitsInfo", "jli", om.MFnData.kString)
    typed.hidden = True
    before = maya.scene_hash()
    modifier = om.MDGModifier().addAttribute(joint, made)
    modifier.doIt()
    found = om.MFnDependencyNode(joint).findPlug("jli", False)
    assert found.isDynamic
    assert om.MFnAttribute(found.attribute()).hidden
    modifier.newPlugValueString(found, '{"a":1}').doIt()
    assert found.asString() == '{"a":1}'
    modifier.undoIt()
    assert not om.MFnDependencyNode(joint).hasAttribute("jli")
    assert maya.scene_hash() == before
    modifier.doIt()
    found = om.MFnDependencyNode(joint).findPlug("jointLimitsInfo", False)
    assert found.asString() == '{"a":1}'
    om.MDGModifier().removeAttribute(joint, found.attribute()).doIt()
    assert not om.MFnDependencyNode(joint).hasAttribute("jli")


def test_nodes_come_with_do_it(om, oma, maya):
    maya.scene.modified = True
    before = maya.scene_hash()
    modifier = om.MDGModifier()
    curve = modifier.createNode("animCurveTA")
    with pytest.raises(NotModelledError):
        om.MFnDependencyNode(curve).name()
    modifier.doIt()
    assert om.MFnDependencyNode(curve).typeName == "animCurveTA"
    modifier.renameNode(curve, "hip_rotateX").doIt()
    assert om.MFnDependencyNode(curve).name() == "hip_rotateX"
    modifier.undoIt()
    assert maya.scene_hash() == before
    modifier.doIt()
    assert om.MObjectHandle(curve).isValid()
    assert om.MFnDependencyNode(curve).name() == "hip_rotateX"
    with pytest.raises(TypeError):
        om.MDGModifier().createNode("joint")


# --- references ---------------------------------------------------------------------------------


def test_references(om, maya):
    scene = maya.scene
    node = scene.create_node("reference", "rigRN")
    reference = Reference(node, "/a/b/rig.ma", "rig")
    scene.add_reference(reference)
    joint = scene.create_node("joint", "rig:hip", reference=reference)
    function = om.MFnReference(om.MSelectionList().add("rigRN").getDependNode(0))
    assert function.fileName(True, False, False) == "rig.ma"
    assert function.associatedNamespace(False) == "rig"
    assert function.containsNode(om.MSelectionList().add("rig:hip").getDependNode(0))
    rotate = plug(om, joint, "rx")
    assert rotate.isFromReferencedFile
    om.MDGModifier().newPlugValueMAngle(rotate, om.MAngle(1.0)).doIt()
    assert list(reference.edits) == [("setAttr", joint, "rotateX")]
    function.setIgnoreReferenceEdits(True)
    assert function.ignoreReferenceEdits()
    om.MDGModifier().newPlugValueMAngle(plug(om, joint, "ry"), om.MAngle(1.0)).doIt()
    assert len(reference.edits) == 1
    function.setIgnoreReferenceEdits(False)
    reference.locked = True
    with pytest.raises(RuntimeError):
        om.MDGModifier().newPlugValueMAngle(rotate, om.MAngle(2.0)).doIt()
    with pytest.raises(RuntimeError):
        om.MDGModifier().deleteNode(om.MSelectionList().add("rig:hip").getDependNode(0)).doIt()


# --- curves -------------------------------------------------------------------------------------


@pytest.fixture
def curve(om, oma, arm, maya):
    """Three keys, the middle one with a tangent of its own."""
    node = keyed(
        maya.scene,
        Plug(arm["left"], "rotateX"),
        (0.0, 0.0),
        (1.0, 2.0),
        (2.0, 1.0),
        in_types=(18, 1, 2),
        out_types=(5, 9, 16),
        in_tangents=(None, (1.0, 0.5), None),
    )
    return oma.MFnAnimCurve(om.MSelectionList().add(node.name).getDependNode(0))


def test_curves(om, oma, maya, curve):
    assert curve.numKeys == 3
    assert curve.animCurveType == oma.MFnAnimCurve.kAnimCurveTA
    assert curve.isTimeInput
    assert [curve.input(key).value for key in range(3)] == [0.0, 24.0, 48.0]
    assert curve.value(1) == 2.0
    assert curve.evaluate(om.MTime(24.0)) == 2.0
    assert curve.evaluate(om.MTime(12.0)) == 0.0, "stepped"
    with pytest.raises(TypeError):
        curve.evaluate(24.0)
    assert maya.counters["dg_evaluations"] == 0
    assert maya.counters["curve_evaluations"] == 2
    assert maya.counters["calls"]["MFnAnimCurve.evaluate"] == 3


def test_tangent_types_are_numbered_differently_in_files(oma, curve):
    kinds = oma.MFnAnimCurve
    assert curve.inTangentType(0) == kinds.kTangentAuto
    assert curve.outTangentType(0) == kinds.kTangentStep
    assert curve.outTangentType(1) == kinds.kTangentSmooth, "spline"
    assert curve.outTangentType(2) == kinds.kTangentPlateau
    assert curve.inTangentType(1) == kinds.kTangentFixed
    assert curve.getTangentXY(1, True) == (1.0, 0.5)


def test_changes_of_curves(om, oma, maya, curve):
    before = maya.scene_hash()
    change = oma.MAnimCurveChange()
    times = om.MTimeArray([om.MTime(float(frame)) for frame in (-1, 10, 48)])
    linear = curve.kTangentLinear
    curve.addKeys(times, om.MDoubleArray([1.0, 2.0, 3.0]), linear, linear, False, change)
    curve.setPreInfinityType(curve.kCycle, change)
    curve.setValue(0, -1.0, change)
    after = maya.scene_hash()
    assert [curve.value(key) for key in range(3)] == [-1.0, 2.0, 3.0]
    assert curve.outTangentType(0) == linear
    assert after != before
    change.undoIt()
    assert maya.scene_hash() == before
    change.redoIt()
    assert maya.scene_hash() == after
    curve.setValue(0, 5.0)
    assert not maya.undo_queue.done


def test_keys_outside_of_new_ones(om, curve):
    times = om.MTimeArray([om.MTime(1.0), om.MTime(48.0)])
    with pytest.raises(NotModelledError):
        curve.addKeys(times, om.MDoubleArray([1.0, 2.0]), 2, 2, False)


def test_locked_curves(om, maya, curve):
    node = maya.scene.node(curve.name())
    maya.scene.set_locked(Plug(node, "keyTimeValue"), True)
    with pytest.raises(RuntimeError):
        curve.setValue(0, 1.0)


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
