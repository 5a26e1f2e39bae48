"""Matrices, bind poses, and values at other times."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import maya.api.OpenMaya as om
import numpy as np
from maya import cmds

from tests.maya_live.kit import NotHere, check, look
from tests.maya_live.limits import plug
from tests.maya_live.scenes import chain, keyed_joint


def matrix_of(name):
    return om.MFnMatrixData(plug(name).asMObject()).matrix()


def is_near(one, other, within=1e-9):
    return max(abs(a - b) for a, b in zip(one, other)) < within


@check("parent-matrix-has-offset", "high", "Chad Vernon's article; case joint-opm-world")
def parent_matrix_has_offset():
    """parentMatrix contains the node's own offsetParentMatrix: world = matrix * parentMatrix."""
    top = cmds.createNode("transform", name="top")
    node = cmds.createNode("transform", name="node", parent=top)
    cmds.setAttr(f"{top}.translate", 1, 2, 3)
    cmds.setAttr(f"{node}.rotate", 10, 20, 30)
    shift = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]
    cmds.setAttr(f"{node}.offsetParentMatrix", shift, type="matrix")
    parent = matrix_of(f"{node}.parentMatrix[0]")
    assert is_near(parent, om.MMatrix(shift) * matrix_of(f"{top}.worldMatrix[0]")), list(parent)
    assert is_near(matrix_of(f"{node}.worldMatrix[0]"), matrix_of(f"{node}.matrix") * parent)


@check("offset-without-inheriting", "medium", "none")
def offset_without_inheriting():
    """With inheritsTransform off, a node still uses its offsetParentMatrix."""
    top = cmds.createNode("transform", name="top")
    node = cmds.createNode("transform", name="node", parent=top)
    cmds.setAttr(f"{top}.translate", 1, 2, 3)
    shift = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]
    cmds.setAttr(f"{node}.offsetParentMatrix", shift, type="matrix")
    cmds.setAttr(f"{node}.inheritsTransform", False)
    world = matrix_of(f"{node}.worldMatrix[0]")
    assert is_near(world, om.MMatrix(shift)), list(world)


@check("limit-over-set-value", "medium", "rockingTransformCheck, in part")
def limit_over_set_value():
    """A value set before its limit is switched on shows clamped, and unclamped once it is off."""
    joint = keyed_joint(frames=())
    cmds.setAttr(f"{joint}.rotateX", 90)
    cmds.transformLimits(joint, rotationX=(0, 45), enableRotationX=(True, True))
    shown = cmds.getAttr(f"{joint}.rotateX")
    assert abs(shown - 45) < 1e-6, f"{shown} while the limit is on"
    cmds.transformLimits(joint, enableRotationX=(False, False))
    shown = cmds.getAttr(f"{joint}.rotateX")
    assert abs(shown - 90) < 1e-6, f"{shown} when it is off again"


def constrain_joint(target_rotate):
    """Angles of a joint that an orient constraint turns like a locator with this rotation."""
    joint = keyed_joint(frames=())
    target = cmds.createNode("transform", name="target")
    constraint = cmds.orientConstraint(target, joint)[0]
    cmds.setAttr(f"{target}.rotate", *target_rotate)
    return joint, constraint


@check("constraint-euler-branch", "settled", "67 public scenes: 943 of 948 triples")
def constraint_euler_branch():
    """Of all angles of its rotation, a constraint first gives those nearest to zero."""
    joint, _ = constrain_joint((10, 100, 10))
    found = cmds.getAttr(f"{joint}.rotate")[0]
    assert max(abs(a - b) for a, b in zip(found, (10, 100, 10))) < 1e-4, found
    cmds.setAttr("target.rotate", 190, 0, 0)
    return f"190 after that comes out as {cmds.getAttr(f'{joint}.rotateX'):g}"


@check("constraint-offset", "medium", "none; stored .lr is before it")
def constraint_offset():
    """The offset of an orient constraint is applied before the target's rotation."""
    joint, constraint = constrain_joint((0, 0, 90))
    cmds.setAttr(f"{constraint}.offset", 90, 0, 0)
    offset = om.MEulerRotation(math.radians(90), 0, 0).asMatrix()
    target = om.MEulerRotation(0, 0, math.radians(90)).asMatrix()
    found = matrix_of(f"{joint}.matrix")
    assert is_near(found, offset * target, 1e-6), list(found)


@check(
    "layer-accumulation",
    "medium",
    "ufbx/ufbx:data/maya_anim_layers_acc_7500_ascii.fbx, full weight",
)
def layer_accumulation():
    """An additive layer that accumulates by layer is applied first; half weight, half the turn."""
    below, layer = (20.0, 30.0, 40.0), (0.0, 0.0, 50.0)
    for weight in (1.0, 0.5):
        turn = om.MEulerRotation(0.0, 0.0, math.radians(50.0 * weight)).asQuaternion()
        found = add_layer(below, layer, weight, override=False)
        assert angle_between(found, turn * quaternion(below)) < 1e-3, (weight, found)


@check("layer-override", "settled", "ufbx/ufbx:test/test_animation.h, within 1e-4 degrees")
def layer_override():
    """An override layer that accumulates by layer is a slerp of xyz angles, in any rotate order."""
    below, layer = (20.0, 30.0, 40.0), (-50.0, 60.0, 10.0)
    found = add_layer(below, layer, 0.5, override=True, rotate_order=2)
    wanted = om.MQuaternion.slerp(quaternion(below), quaternion(layer), 0.5)
    assert angle_between(found, wanted) < 1e-3, found


def add_layer(below, layer, weight, *, override, rotate_order=0):
    """Angles in a joint's channels, with keys below and on a layer that accumulates by layer."""
    cmds.file(newFile=True, force=True)
    joint = keyed_joint(frames=())
    cmds.setAttr(f"{joint}.rotateOrder", rotate_order)
    for axis, value in zip("XYZ", below):
        cmds.setKeyframe(joint, attribute=f"rotate{axis}", time=1, value=value)
    name = cmds.animLayer("twist", override=override)
    cmds.animLayer(name, edit=True, attribute=f"{joint}.rotate")
    cmds.setAttr(f"{name}.rotationAccumulationMode", 1)
    for axis, value in zip("XYZ", layer):
        place = {"attribute": f"rotate{axis}", "time": 1, "animLayer": name}
        cmds.setKeyframe(joint, value=value, **place)
    cmds.setAttr(f"{name}.weight", weight)
    cmds.currentTime(1)
    return cmds.getAttr(f"{joint}.rotate")[0]


def quaternion(angles_deg):
    """Rotation of angles read in order xyz."""
    return om.MEulerRotation(*map(math.radians, angles_deg)).asQuaternion()


def angle_between(angles_deg, turn):
    """Degrees between angles read in order xyz and a rotation."""
    found = quaternion(angles_deg)
    cosine = abs(sum(a * b for a, b in zip(found, turn)))
    return math.degrees(2.0 * math.acos(min(1.0, cosine)))


def bind_pose():
    """A stored bind pose of the chain below the hip; its name."""
    made = cmds.dagPose("hip", "knee", "ankle", save=True, bindPose=True, name="bindPose1")
    return made if isinstance(made, str) else made[0]


@check("dag-pose-xform-as-matrix", "high", "getAttr in public code")
def dag_pose_xform_as_matrix():
    """dagPose.xformMatrix gives a joint's whole local matrix, jointOrient included."""
    joint = chain()[1]
    cmds.setAttr(f"{joint}.jointOrient", 10, 20, 30)
    pose = bind_pose()
    members = cmds.dagPose(pose, query=True, members=True)
    place = members.index(joint)
    found = matrix_of(f"{pose}.xformMatrix[{place}]")
    assert is_near(found, matrix_of(f"{joint}.matrix"), 1e-6), list(found)


@check("dag-pose-world-matrix-is-fed", "high", ".ma files of Maya")
def dag_pose_world_matrix_is_fed():
    """dagPose.worldMatrix of a joint is connected from joint.bindPose."""
    joint = chain()[0]
    pose = bind_pose()
    found = cmds.listConnections(f"{pose}.worldMatrix[0]", source=True, plugs=True) or []
    assert f"{joint}.bindPose" in found, found


@check("dag-pose-plain-matrix", "medium", "scenes have both")
def dag_pose_plain_matrix():
    """A dagPose whose record is replaced by a plain matrix restores the same pose."""
    joint = chain()[1]
    pose = bind_pose()
    before = list(matrix_of(f"{joint}.matrix"))
    members = cmds.dagPose(pose, query=True, members=True)
    place = members.index(joint)
    cmds.setAttr(f"{pose}.xformMatrix[{place}]", before, type="matrix")
    for one in ("hip", "knee", "ankle"):
        cmds.cutKey(one, attribute="rotateX", clear=True)
    cmds.setAttr(f"{joint}.rotate", 33, 22, 11)
    try:
        cmds.dagPose(pose, restore=True)
    except RuntimeError as error:
        raise NotHere(f"dagPose cannot be restored: {error}") from None
    after = matrix_of(f"{joint}.matrix")
    assert is_near(after, before, 1e-6), list(after)


@check("matrix-data-keeps-record", "medium", "MFnMatrixData has transformation()")
def matrix_data_keeps_record():
    """Matrix data read from a dagPose and set on another matrix attribute stays a record."""
    joint = chain()[1]
    pose = bind_pose()
    place = cmds.dagPose(pose, query=True, members=True).index(joint)
    stored = plug(f"{pose}.xformMatrix[{place}]")
    is_record = om.MFnMatrixData(stored.asMObject()).isTransformation()
    modifier = om.MDGModifier()
    numbers = om.MFnMatrixAttribute()
    attribute = numbers.create("liveKept", "lvk")
    numbers.array = numbers.hidden = True
    modifier.addAttribute(plug(f"{joint}.rotateX").node(), attribute)
    modifier.doIt()
    kept = plug(f"{joint}.liveKept[0]")
    modifier.newPlugValue(kept, stored.asMObject())
    modifier.newPlugValue(stored, om.MFnMatrixData().create(om.MMatrix()))
    modifier.doIt()
    modifier.newPlugValue(stored, kept.asMObject())
    modifier.doIt()
    found = om.MFnMatrixData(stored.asMObject()).isTransformation()
    assert is_record, "dagPose has no record to begin with"
    assert found, "it became plain numbers"


@check("bind-pose-never-stored", "medium", "public code; case err-matrix-data-null")
def bind_pose_never_stored():
    """joint.bindPose is the identity, or has no data, if no bind pose was ever stored."""
    joint = chain()[1]
    try:
        found = matrix_of(f"{joint}.bindPose")
    except (RuntimeError, TypeError, ValueError) as error:
        return f"nothing, {type(error).__name__}: {error}"
    assert is_near(found, om.MMatrix()), list(found)
    return "the identity"


@look("reorient-bind-pose", "medium", "all of them turn alike")
def reorient_bind_pose():
    """After -reorient C dagPose -restore works.

    On a skinned character: `applyJointLimits -reorient C`, then `dagPose -restore`: neither
    the skin nor a joint moves, and the channel box shows the new axes.
    """


@look("reoriented-limits-clamp", "high", "limits hold for rotate")
def reoriented_limits_clamp():
    """Limits on a re-oriented joint clamp as before.

    On a re-oriented joint, turn rotateX beyond its limit by hand: it stops at the limit.
    """


@look("between-frames-linear", "medium", "geometry of three channels")
def between_frames_linear():
    """With linear tangents, a re-oriented joint looks the same between frames.

    Render or play a re-oriented shot with motion blur, or at half frames: nothing jumps.
    """


@look("solvers-in-other-contexts", "high", "mottosso/maya-test pull request 1")
def solvers_in_other_contexts():
    """An IK solver writes rotate without a connection, only at the current time.

    Estimate a leg with an ikHandle whose handle is keyed: the limits match the motion as it plays,
    not only the pose at the current time.
    """


@look("played-node-types", "medium", "public tools play such characters")
def played_node_types():
    """Only dynamics, HumanIK, clips and some expressions need playing.

    Estimate characters driven by HumanIK, dynamics and expressions; then bake copies of them
    and estimate those: the limits are the same. Name the node types for which they differ.
    """


@look("clips-and-character-sets", "medium", "public scenes; none for the Time Editor")
def clips_and_character_sets():
    """Character sets, Trax and Time Editor drive channels through nodes of their own.

    Estimate a joint that a Trax clip drives, and one that a Time Editor clip drives, both
    moved in time; bake copies and estimate those: the limits are the same. Name the types of
    the nodes that drive the joint.
    """


@check("contexts-beside-playing", "high", "API reference")
def contexts_beside_playing():
    """Reading in contexts and by playing gives the same values; the record has both times."""
    from jointlimits_maya.read import evaluation
    from jointlimits_maya.read.drivers import Drivers

    source, follower = keyed_joint(), cmds.createNode("joint")
    cmds.orientConstraint(source, follower)
    driver = Drivers().driver_of(plug(f"{follower}.rotateX"))
    frames, seen = np.arange(1.0, 201.0), {}
    for played in (False, True):
        start = time.perf_counter()
        found = evaluation.evaluate([replace(driver, played=played)], frames)
        seen[played] = next(iter(found.values())), time.perf_counter() - start
    apart = float(np.abs(np.subtract(seen[False][0], seen[True][0])).max())
    assert apart < 1e-9, f"{apart} radians apart"
    return f"contexts {seen[False][1]:.3f} s, playing {seen[True][1]:.3f} s for 200 frames"
