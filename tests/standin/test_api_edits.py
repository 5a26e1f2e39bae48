"""The stand-in's maya.api: transforms, modifiers, references and curves."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.maya_standin import NotModelledError
from tests.maya_standin.graph import Plug, Reference
from tests.support.maya_arms import arms, keyed, plug


@pytest.fixture
def arm(maya):
    return arms(maya.scene)


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


@pytest.mark.parametrize("short", [False, True])
def test_changes_of_curves(om, oma, maya, curve, short):
    maya.quirks = replace(maya.quirks, replacing_keys_undo_short=short)
    before, count = maya.scene_hash(), curve.numKeys
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
    assert (maya.scene_hash() == before) is not short
    assert curve.numKeys == count - short
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
