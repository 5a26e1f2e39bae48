"""Joints of the open scene that get other frames: nothing moves, all of it can be undone."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import euler_from_quaternion
from jointlimits_core.geometry.quaternion import matrix_from_quaternion
from jointlimits_core.motion.reorient import OrientAdvice
from tests.support.maya_open_scenes import (
    difference,
    joints,
    open_changed,
    set_value,
    state,
    stored_deg,
    value,
    world_matrices,
)
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.reoriented_arm import ARM, ARM_KEYS, ARM_LINKS, EXAMPLE, TURNED, random_advice
from tests.support.shared_data import shared_path

SAME = 1e-9
NAMES = ("upper", "lower", "hand")
SKIN = (
    'createNode skinCluster -n "skin";\n'
    '\tsetAttr ".pm[2]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 -11 -2 -3 1;\n'
    'createNode dagPose -n "bindPose1";\n'
    '\tsetAttr -s 2 ".wm";\n'
    '\tsetAttr ".wm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1;\n'
    '\tsetAttr ".xm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1;\n'
    '\tsetAttr ".xm[1]" -type "matrix" 0 1 0 0 -1 0 0 0 0 0 1 0 10 0 0 1;\n'
)
SKIN_LINKS = (
    connect("lower.wm", "skin.ma[2]")
    + connect("upper.msg", "bindPose1.m[0]")
    + connect("lower.msg", "bindPose1.m[1]")
    + connect("bindPose1.m[0]", "bindPose1.p[1]")
    + connect("upper.bps", "bindPose1.wm[0]")
)


def arm_file(folder, more="", links=""):
    return write_scene(folder, ARM + ARM_KEYS + more + ARM_LINKS + links)


@pytest.fixture
def arm(maya, tmp_path):
    open_changed(maya, arm_file(tmp_path, SKIN, SKIN_LINKS))
    return maya


def plan_frames(advice, mode, **options):
    from jointlimits_maya.write.reorient import plan_reorient

    return plan_reorient(advice, joints(), mode, **options)


def reorient_and_back(session, times, advice, mode):
    """Re-orient joints, see that nothing moves, undo and redo; returns the plan."""
    before, poses = state(session), world_matrices(session, times)
    plan = plan_frames(advice, mode)
    assert state(session) == before
    plan.edit.do()
    after = state(session)
    assert_nothing_moved(poses, world_matrices(session, times), advice, plan.result)
    plan.edit.undo()
    assert difference(before, state(session)) == []
    plan.edit.do()
    assert difference(after, state(session)) == []
    return plan


def assert_nothing_moved(before, after, advice, result):
    for path, matrices in before.items():
        name = path.rpartition("|")[2]
        turn = np.eye(4)
        if name in result.joints:
            turn[:3, :3] = matrix_from_quaternion(advice[name].in_mode(result.mode).frame_turn)
        assert np.abs(turn.T @ matrices - after[path]).max() < SAME, path


# Nothing moves ----------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_moves_and_all_of_it_can_be_undone(arm, mode, seed):
    plan = reorient_and_back(arm, np.arange(-2, 16) / 24.0, random_advice(NAMES, seed), mode)
    assert set(plan.result.joints) == set(NAMES)
    assert plan.result.keys == {"upper": 1, "lower": 13, "hand": 1}


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
def test_the_example_of_the_project(maya, mode):
    from jointlimits_maya.scene.joints import joint_names

    open_changed(maya, EXAMPLE)
    rate = {"film": 24.0, "ntsc": 30.0}[maya.scene.units.time]
    advice = random_advice(joint_names(joints()), 5)
    plan = reorient_and_back(maya, np.arange(0, 222, 20) / rate, advice, mode)
    assert len(plan.result.joints) == len(advice)


def test_skins_stay_where_they_are(arm):
    """What a skin sees of a joint, its inverse bind matrix times its world matrix."""
    advice = {"lower": TURNED}

    def skinned():
        bound = np.reshape(value(arm, "skin.bindPreMatrix[2]"), (4, 4))
        return bound @ np.reshape(value(arm, "lower.worldMatrix[0]"), (4, 4))

    before = skinned()
    plan = plan_frames(advice, "C")
    plan.edit.do()
    assert np.abs(skinned() - before).max() < SAME
    turn = matrix_from_quaternion(TURNED.in_mode("C").frame_turn)
    assert not np.allclose(turn, np.eye(3))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("tangent", "more", "times"),
    [
        (2, '\tsetAttr ".pre" 3;\n\tsetAttr ".pst" 3;\n', np.arange(-9, 30)),
        (5, "", np.arange(0, 10, 0.25)),
    ],
    ids=["repeating", "stepped"],
)
def test_new_curves_repeat_and_step_as_the_old_ones_did(maya, tmp_path, tangent, more, times):
    keys = curve("lower_rotateX", [(1, 0), (5, 60), (9, -20)], tangent=tangent, more=more)
    open_changed(maya, write_scene(tmp_path, ARM + keys + connect("lower_rotateX.o", "lower.rx")))
    reorient_and_back(maya, times / 24.0, random_advice(NAMES, 2), "R")


# What stands in the way -------------------------------------------------------------------------


def skipped_joints(arm, mode="R", names=NAMES, **options):
    before = state(arm)
    plan = plan_frames(random_advice(names, 1), mode, **options)
    assert state(arm) == before
    return {one.joint: one for one in plan.result.skipped}


def test_locked_attributes_are_named_as_in_files(arm):
    arm.scene.set_locked(arm.scene.plug("lower.rotateAxisX"), True)
    arm.scene.set_locked(arm.scene.plug("hand.rotate"), True)
    found = skipped_joints(arm)
    assert (found["lower"].reason, found["lower"].attribute) == ("locked", "rotateAxisX")
    assert found["hand"].reason == "locked"
    assert found["lower"].advice == "unlock the attribute in Maya"


def test_locked_nodes_and_curves(arm):
    arm.scene.set_node_locked(arm.scene.node("hand"), True)
    arm.scene.set_locked(arm.scene.plug("lower_rotateX.keyTimeValue"), True)
    found = skipped_joints(arm)
    assert found["hand"].reason == "the joint is a locked node"
    assert "lockNode" in found["hand"].advice
    assert "lower_rotateX" in found["lower"].reason


SCALED = 'select -ne "upper";\n\tsetAttr ".s" -type "double3" 1 2 1 ;\n'
NOT_UNIFORM = "its scale is not uniform, or unknown"
OBSTACLES = [
    ('orientConstraint -n "aim" -p "hand"', ("aim.crx", "hand.rx"), "RC", "hand", "constrained: "),
    ('pairBlend -n "blend"', ("blend.orx", "upper.rx"), "RC", "upper", "blended"),
    ('transform -n "dial"', ("hand.ry", "dial.tx"), "RC", "hand", "its rotation also feeds"),
    ('decomposeMatrix -n "m"', ("lower.wm", "m.imat"), "C", "lower", "its matrix also feeds"),
    ('mesh -n "bone" -p "hand"', None, "C", "hand", "'bone' below it cannot follow: it is a mesh"),
    (f'transform -n "other";\n{SCALED}', None, "C", "upper", NOT_UNIFORM),
    ('multiplyDivide -n "twice"', ("twice.ox", "upper.sx"), "C", "upper", NOT_UNIFORM),
]
"""A node that is made, its link, the modes that it is in the way of, the joint, and the reason."""


@pytest.mark.parametrize(("made", "link", "modes", "joint", "reason"), OBSTACLES)
def test_what_is_in_the_way(maya, tmp_path, made, link, modes, joint, reason):
    links = connect(*link) if link else ""
    open_changed(maya, arm_file(tmp_path, f"createNode {made};\n", links))
    for mode in "RC":
        found = skipped_joints(maya, mode)
        assert set(found) == ({joint} if mode in modes else set())
        assert all(one.reason.startswith(reason) and one.advice for one in found.values())


def test_limits_that_hold_in_the_old_frame(arm):
    set_value(arm, "lower.maxRotXLimitEnable", True)
    found = skipped_joints(arm)
    assert found["lower"].reason.startswith("has limits already")
    assert not skipped_joints(arm, replaces_limits=frozenset({"lower"}))


def test_solved_joints(maya, tmp_path):
    more = 'createNode ikEffector -n "effector" -p "lower";\ncreateNode ikHandle -n "handle";\n'
    links = connect("upper.msg", "handle.hsj") + connect("effector.hp", "handle.hee")
    open_changed(maya, arm_file(tmp_path, more, links))
    found = skipped_joints(maya)
    assert set(found) == {"upper", "lower"}
    assert "IK handle 'handle'" in found["upper"].reason


def test_referenced_curves(maya, tmp_path):
    arm_file(tmp_path)
    line = 'file -r -ns "rig" -rfn "rigRN" -typ "mayaAscii" "scene.ma";\n'
    open_changed(maya, write_scene(tmp_path, line, "shot.ma"))
    found = skipped_joints(maya, names=("rig:upper", "rig:lower", "rig:hand"))
    assert set(found) == {"rig:lower"}
    assert "belongs to a referenced file" in found["rig:lower"].reason


def test_names_that_are_not_there(arm):
    assert skipped_joints(arm, names=("wing",))["wing"].reason == "joint not in scene"


def test_advice_that_changes_nothing(arm):
    advice = {"hand": OrientAdvice("none", "xyz", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))}
    plan = plan_frames(advice, "R")
    assert plan.edit.is_empty
    assert plan.result.unchanged == ("hand",)


# With limits ------------------------------------------------------------------------------------

TILTED = (
    'createNode joint -n "hips";\n'
    'createNode joint -n "knee" -p "hips";\n'
    '\tsetAttr ".t" -type "double3" 0 -40 0 ;\n'
    'createNode joint -n "ankle" -p "knee";\n'
    '\tsetAttr ".t" -type "double3" 0 -38 2 ;\n'
)


@pytest.fixture
def tilted_knee(maya, tmp_path):
    """A knee that turns about an axis that is none of its channels."""
    path = write_scene(tmp_path, TILTED + tilted_keys())
    options = EstimateOptions(advise=True, orientation="advised")
    limits = estimate(read_motion(path), options)
    open_changed(maya, path)
    return maya, limits


def tilted_keys():
    axis = np.array([0.8, 0.36, 0.48])
    angles = np.radians(np.linspace(0.0, 110.0, 40))
    turns = np.column_stack([np.sin(angles / 2)[:, None] * axis, np.cos(angles / 2)])
    rotates = np.degrees(np.unwrap(euler_from_quaternion(turns), axis=0))
    text = "".join(
        curve(f"knee_rotate{name}", [(n + 1, repr(v)) for n, v in enumerate(column.tolist())])
        for name, column in zip("XYZ", rotates.T)
    )
    return text + "".join(connect(f"knee_rotate{n}.o", f"knee.r{n.lower()}") for n in "XYZ")


def write(limits, **options):
    from jointlimits_maya.write.limits import WriteOptions, plan_limits

    return plan_limits(limits, joints(), WriteOptions(**options))


@pytest.mark.thorough
def test_limits_of_another_frame_need_to_be_asked_for(tilted_knee):
    session, limits = tilted_knee
    before = state(session)
    edit, result = write(limits)
    assert [(one.joint, one.reason) for one in result.skipped] == [
        ("knee", "its limits need another orientation")
    ]
    assert "knee" not in result.written
    assert edit.is_empty
    assert state(session) == before


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
def test_frames_and_limits_in_one_edit_and_never_twice(tilted_knee, mode):
    session, limits = tilted_knee
    times = np.arange(0, 42) / 24.0
    before, poses = state(session), world_matrices(session, times)
    edit, result = write(limits, reorient=mode)
    assert result.frames.joints.keys() == {"knee"}
    assert "knee" in result.written
    edit.do()
    after = state(session)
    advice = {"knee": limits.joints["knee"].advice}
    assert_nothing_moved(poses, world_matrices(session, times), advice, result.frames)
    moved = [c for c in "XYZ" if limits.joints["knee"].limits[f"rotate{c}"].state == "limited"]
    assert len(moved) == 1
    low = stored_deg(session, f"knee.minRot{moved[0]}Limit")
    high = stored_deg(session, f"knee.maxRot{moved[0]}Limit")
    assert high - low == pytest.approx(110.0, abs=1e-3)
    again, second = write(limits, reorient=mode)
    assert again.is_empty
    assert not second.skipped
    edit.undo()
    assert difference(before, state(session)) == []
    edit.do()
    assert difference(after, state(session)) == []


@pytest.mark.parametrize("mode", ["R", "C"])
def test_estimating_again_after_it_changes_nothing(tilted_knee, mode):
    from jointlimits_maya.read.motion import motion_from_scene

    session, limits = tilted_knee
    write(limits, reorient=mode)[0].do()
    again = estimate(
        motion_from_scene(joints()), EstimateOptions(advise=True, orientation="advised")
    )
    edit, result = write(again, reorient=mode)
    before = state(session)
    edit.do()
    assert difference(before, state(session)) == [], result


@pytest.mark.thorough
def test_records_have_the_frame_that_was_there_before(tilted_knee):
    session, limits = tilted_knee
    write(limits, reorient="R")[0].do()
    record = json.loads(value(session, "knee.jointLimitsProvenance"))
    assert record["frame"]["before"] == {
        "jointOrient": [0.0, 0.0, 0.0],
        "rotateAxis": [0.0, 0.0, 0.0],
        "rotateOrder": 0,
    }


@pytest.mark.thorough
def test_the_same_limits_turn_a_joint_only_once_that_keeps_its_frame(tilted_knee):
    from jointlimits_maya.write.clear import plan_clear

    session, limits = tilted_knee
    write(limits, reorient="C")[0].do()
    ankle = value(session, "ankle.jointOrient")[0]
    set_value(session, "ankle.jointOrientX", ankle + 0.1)
    edit, result = plan_clear(joints())
    edit.do()
    assert result.frames_kept == ("knee",)
    assert not any(
        value(session, f"knee.{end}Rot{axis}LimitEnable")
        for end in ("min", "max")
        for axis in "XYZ"
    )
    # The frame is still on record, so that the same limits do not turn the joint once more.
    again, written = write(limits, reorient="C")
    assert written.frames is None
    again.do()
    assert plan_clear(joints())[1].frames_kept == ("knee",)


def test_a_joint_whose_frame_cannot_change_gets_no_limits(tilted_knee):
    session, limits = tilted_knee
    session.scene.set_locked(session.scene.plug("knee.rotateAxisX"), True)
    before = state(session)
    edit, result = write(limits, reorient="R")
    edit.do()
    assert "knee" not in result.written
    assert [one.reason for one in result.skipped] == ["locked"]
    assert state(session) == before


def test_limits_that_would_clip_the_joint_in_its_new_frame(tilted_knee):
    _, limits = tilted_knee
    joint = limits.joints["knee"]
    used = next(c for c, one in joint.limits.items() if one.state == "limited")
    tight = replace(joint.limits[used], min_deg=joint.limits[used].max_deg - 1.0)
    limits.joints["knee"] = replace(joint, limits={**joint.limits, used: tight})
    _, result = write(limits, reorient="R")
    (found,) = [one for one in result.left_off if one.channel == used]
    assert found.words() == "39 frames, by up to 109 degrees at frame 1"


# Scenes of others -------------------------------------------------------------------------------

STRANGERS = [
    "maya2gltf/SegmentScaleCompensationTest0.ma",
    "maya2gltf/ScaledRegressionTestAnim1.ma",
    "mayausd/UsdExportSkeletonBindPoseSparseIndices.ma",
    "mayausd/UsdExportSkeletonSegfaultTest.ma",
    "mayausd/blendShapesExport.ma",
    "mgear/MOCAP_interface_01.ma",
    "red9/MetaRig_baseTests.ma",
    "vtool/vtool_simple_cross_platform.ma",
]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["R", "C"])
@pytest.mark.parametrize("name", STRANGERS)
def test_scenes_of_others(maya, name, mode):
    """Nothing moves, and all of it can be undone."""
    from jointlimits_maya.scene.joints import joint_names

    open_changed(maya, shared_path(f"data/maya/{name}"))
    advice = random_advice(joint_names(joints()), 3)
    plan = reorient_and_back(maya, np.array([0.0, 1.0, 6.0]) / 24.0, advice, mode)
    assert plan.result.joints or plan.result.skipped
