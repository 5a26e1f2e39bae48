"""Frames and keys that were there before come back to the bit when limits are cleared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.limits.limit_set import Orientation
from tests.maya.test_reorient_live import NAMES, SAME, SKIN, SKIN_LINKS, STRANGERS, arm_file
from tests.maya_standin.ma_writer import write_scene as saved
from tests.support.limit_set_examples import FREE, joint, limit_set, lock, span
from tests.support.maya_open_scenes import clear_limits as clear
from tests.support.maya_open_scenes import (
    difference,
    joints,
    open_changed,
    set_value,
    state,
    value,
    world_matrices,
)
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.reoriented_arm import ARM, EXAMPLE, random_advice
from tests.support.shared_data import shared_path

RECORDS = SKIN.replace(
    '\tsetAttr ".xm[0]" -type "matrix" 1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1;\n',
    '\tsetAttr ".xm[0]" -type "matrix" "xform" 1 1 1 0.1 0.2 0.3 0 1 2 3'
    + " 0" * 15
    + " 0 0 0 1 0 0 0 1 1 1 1 yes;\n",
)
HAND = (
    'createNode animCurveTA -n "swing";\n\tsetAttr ".tan" 1;\n\tsetAttr ".wgt" yes;\n'
    '\tsetAttr -s 3 ".ktv[0:2]"  1 0 5 33.3 11 -7;\n'
    '\tsetAttr -s 3 ".kit[0:2]"  1 9 1;\n\tsetAttr -s 3 ".kot[0:2]"  1 1 18;\n'
    '\tsetAttr -s 3 ".kix[0:2]"  0.1 0.15 0.2;\n\tsetAttr -s 3 ".kiy[0:2]"  0.3 -0.1 0.7;\n'
    '\tsetAttr -s 3 ".kox[0:2]"  0.2 0.05 0.1;\n\tsetAttr -s 3 ".koy[0:2]"  -0.4 0.2 0.1;\n'
)
OLD_LIMITS = (
    'select -ne "lower";\n\tsetAttr ".mnrl" -type "double3" -200 -201 -202 ;\n'
    '\tsetAttr ".mrxe" yes;\n\tsetAttr ".xrye" yes;\n'
)
TIMES = np.arange(0, 14, 0.5) / 24.0


@pytest.fixture
def arm(maya, tmp_path):
    more = RECORDS + HAND + OLD_LIMITS
    open_changed(maya, arm_file(tmp_path, more, SKIN_LINKS + connect("swing.o", "hand.ry")))
    assert value(maya, "lower.minRotXLimitEnable")
    assert value(maya, "lower.maxRotYLimitEnable")
    return maya


def limits_in_other_frames(seed=3, names=NAMES):
    """Limits of joints of the arm that hold in any frames at all."""
    wide = (span(-350.0, 350.0), FREE, span(-340.0, 355.0))
    frame = Orientation("xyz", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), "advised")
    advice = random_advice(names, seed)
    made = {
        name: joint("ball", wide, None, orientation=frame, advice=advice[name]) for name in names
    }
    return limit_set(joints=made)


def apply(mode, limits=None, names=(), **options):
    from jointlimits_maya.write.limits import WriteOptions, plan_limits

    given = WriteOptions(reorient=mode, replace=True, may_move=True, **options)
    edit, result = plan_limits(limits or limits_in_other_frames(), joints(*names), given)
    assert not result.skipped
    edit.do()
    return result


def assert_poses(session, poses, times):
    for path, matrices in world_matrices(session, times).items():
        assert np.abs(matrices - poses[path]).max() < SAME


# As it was --------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
@pytest.mark.parametrize("seed", range(4))
def test_everything_is_as_it_was(arm, mode, seed, undo):
    from jointlimits_maya.write.clear import plan_clear

    before = state(arm)
    written = apply(mode, limits_in_other_frames(seed), lock_channels=True)
    assert set(written.frames.joints) == set(NAMES)
    after = state(arm)
    assert len(difference(before, after)) > 50
    edit, result = plan_clear(joints())
    undo.run(edit)
    assert difference(before, state(arm)) == []
    arm.undo_queue.undo()
    assert difference(after, state(arm)) == []
    arm.undo_queue.redo()
    assert difference(before, state(arm)) == []
    assert set(result.frames_restored) == set(NAMES)
    assert not result.frames_kept
    assert not result.skipped
    assert {"jointOrientX", "maxRotXLimit"} <= set(result.restored["hand"])
    assert apply(mode, limits_in_other_frames(seed)).frames is not None


@pytest.mark.parametrize("mode", ["R", "C"])
def test_locks_of_ours_are_no_obstacle(arm, mode):
    before = state(arm)
    limits = limits_in_other_frames(names=("upper",))
    upper = limits.joints["upper"]
    axes = {**upper.limits, "rotateY": lock(1.0)}
    limits.joints["upper"] = replace(upper, limits=axes)
    apply(mode, limits, lock_channels=True)
    assert arm.scene.is_locked(arm.scene.plug("upper.rotateY"))
    result = clear()
    assert result.frames_restored == ("upper",)
    assert difference(before, state(arm)) == []


@pytest.mark.thorough
def test_artists_get_a_message(arm):
    from jointlimits_maya.commands.base import FOR_BUTTONS
    from jointlimits_maya.commands.limits import ClearCommand

    apply("C")
    assert ClearCommand.message(clear(), FOR_BUTTONS)[0] == (
        "3 joints restored to the state before Apply, 3 with their old orientation."
    )


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["R", "C"])
def test_nothing_happens_if_maya_rejects_a_part(arm, mode, monkeypatch):
    from jointlimits_maya.write.clear import plan_clear

    apply(mode)
    before = state(arm)
    kind, calls = type(arm.scene), []
    original = kind.remove_attribute

    def refuse_late(scene, plug):
        calls.append(plug)
        if len(calls) == 3:
            raise RuntimeError("refused")
        original(scene, plug)

    edit, _ = plan_clear(joints())
    monkeypatch.setattr(kind, "remove_attribute", refuse_late)
    with pytest.raises(RuntimeError, match="refused"):
        edit.do()
    assert difference(before, state(arm)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("modes", ["RR", "RC", "CR", "CC"])
def test_the_first_frames_come_back_after_several(arm, modes):
    before = state(arm)
    for seed, mode in enumerate(modes):
        assert apply(mode, limits_in_other_frames(seed)).frames.joints
    assert clear().frames_restored
    assert difference(before, state(arm)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("first", NAMES)
def test_joints_of_mode_r_come_back_one_by_one(arm, first):
    before = state(arm)
    apply("R")
    assert clear(first).frames_restored == (first,)
    assert set(clear().frames_restored) == set(NAMES) - {first}
    assert difference(before, state(arm)) == []


@pytest.mark.thorough
def test_joints_of_mode_c_come_back_together(arm):
    before = state(arm)
    apply("C")
    poses = world_matrices(arm, TIMES)
    result = clear("lower")
    assert result.frames_kept == ("lower",)
    assert result.skipped[0].advice == "select that joint as well"
    assert_poses(arm, poses, TIMES)
    assert set(clear().frames_restored) == set(NAMES)
    assert difference(before, state(arm)) == []


def test_what_is_below_comes_back_without_being_chosen(arm):
    before = state(arm)
    apply("C", limits_in_other_frames(names=("lower",)))
    assert value(arm, "hand.jointLimitsProvenance")
    assert clear("lower").frames_restored == ("lower",)
    assert difference(before, state(arm)) == []


@pytest.mark.thorough
def test_after_the_scene_was_saved_and_opened(arm, tmp_path):
    times = np.arange(0, 14) / 24.0
    poses = world_matrices(arm, times)
    orients = {name: value(arm, f"{name}.jointOrient") for name in NAMES}
    keys = arm.scene.node("swing").keys
    apply("C")
    saved(arm, str(tmp_path / "limited.ma"))
    open_changed(arm, tmp_path / "limited.ma")
    assert set(clear().frames_restored) == set(NAMES)
    for name, orient in orients.items():
        assert value(arm, f"{name}.jointOrient") == pytest.approx(orient, abs=1e-14)
    assert_poses(arm, poses, times)
    assert arm.scene.node("swing").keys.in_types == keys.in_types
    assert arm.scene.node("swing").keys.in_tangents == keys.in_tangents


def test_a_referenced_character(maya, tmp_path):
    write_scene(tmp_path, ARM + RECORDS + connect("upper.s", "lower.is") + SKIN_LINKS, "arm.ma")
    line = 'file -r -ns "rig" -rfn "rigRN" -typ "mayaAscii" "arm.ma";\n'
    open_changed(maya, write_scene(tmp_path, line, "shot.ma"))
    names = [f"rig:{name}" for name in NAMES]
    before = without_edits(maya)
    assert set(apply("C", limits_in_other_frames(names=names)).frames.joints) == set(names)
    assert set(clear().frames_restored) == set(names)
    # Maya keeps a record of what was set on referenced nodes, even where it is what it was.
    assert difference(before, without_edits(maya)) == []


def without_edits(session):
    return [line for line in state(session) if not line.startswith("  edit")]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["R", "C"])
@pytest.mark.parametrize("scene", [None, *STRANGERS])
def test_scenes_of_others(maya, scene, mode):
    """Whatever can be re-oriented there is as it was afterwards, and the rest, too."""
    from jointlimits_maya.scene.joints import joint_names
    from jointlimits_maya.write.clear import plan_clear
    from jointlimits_maya.write.limits import WriteOptions, plan_limits

    open_changed(maya, EXAMPLE if scene is None else shared_path(f"data/maya/{scene}"))
    before = without_edits(maya)
    limits = limits_in_other_frames(names=joint_names(joints()))
    given = WriteOptions(reorient=mode, replace=True, may_move=True)
    edit, written = plan_limits(limits, joints(), given)
    edit.do()
    edit, result = plan_clear(joints())
    edit.do()
    assert set(result.frames_restored) == set(written.frames.joints)
    assert difference(before, without_edits(maya)) == []


# What somebody else did in between --------------------------------------------------------------


def other_user_moved(session, plug, more):
    set_value(session, plug, value(session, plug) + more)


def other_user_keyed(session, name):
    node = session.scene.node(name)
    values = [*node.keys.values[:-1], node.keys.values[-1] + 1e-4]
    session.scene.set_keys(node, replace(node.keys, values=values))


def other_user_put_below(session):
    session.scene.create_node("transform", "cup", parent=session.scene.node("lower"))


def other_user_bound(session):
    scene = session.scene
    scene.create_node("skinCluster", "sleeve")
    scene.connect(scene.plug("lower.worldMatrix[0]"), scene.plug("sleeve.matrix[0]"))


def other_user_deleted_old_keys(session):
    session.scene.delete_node(session.scene.node("swing_beforeJointLimits"))


def other_user_constrained(session):
    scene = session.scene
    scene.create_node("orientConstraint", "aim", parent=scene.node("hand"))
    scene.disconnect(scene.plug("swing.output"), scene.plug("hand.rotateY"))
    scene.connect(scene.plug("aim.constraintRotateY"), scene.plug("hand.rotateY"))


CHANGES = {
    "frame": (lambda s: other_user_moved(s, "lower.jointOrientX", 1e-6), "jointOrientX"),
    "child": (lambda s: other_user_moved(s, "prop.rotateX", 1e-6), "rotateX of 'prop'"),
    "key": (lambda s: other_user_keyed(s, "swing"), "rotateY of 'hand'"),
    "below": (other_user_put_below, "'cup' has since been parented below"),
    "bound": (other_user_bound, "since been stored in sleeve.matrix[0]"),
    "old keys": (other_user_deleted_old_keys, "old keys of 'hand'"),
    "locked": (
        lambda s: s.scene.set_locked(s.scene.plug("hand.jointOrientX"), True),
        "jointOrient is locked",
    ),
    "constraint": (other_user_constrained, "constrained"),
    "limit locked": (
        lambda s: s.scene.set_locked(s.scene.plug("hand.maxRotXLimit"), True),
        "locked",
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("change", CHANGES)
def test_what_others_changed_is_not_overwritten(arm, change):
    apply("C")
    do, expected = CHANGES[change]
    do(arm)
    poses = world_matrices(arm, TIMES)
    orient, old = value(arm, "lower.jointOrient"), value(arm, "upper.jointOrient")
    result = clear()
    assert set(result.frames_kept) == set(NAMES)
    assert not result.frames_restored
    reasons = [one for one in result.skipped if one.reason.startswith("keeps its new orientation")]
    assert {one.joint for one in reasons} == set(NAMES)
    assert all(expected in one.reason and one.advice for one in reasons), reasons
    assert (value(arm, "lower.jointOrient"), value(arm, "upper.jointOrient")) == (orient, old)
    assert_poses(arm, poses, TIMES)
    off = ("minRotXLimitEnable", "maxRotYLimitEnable")
    assert not any(value(arm, f"lower.{name}") for name in off)


@pytest.mark.thorough
def test_once_the_change_is_undone_it_comes_back_with_its_limits(arm):
    before = state(arm)
    apply("C")
    set_value(arm, "prop.rotateX", value(arm, "prop.rotateX") + 0.5)
    moved = value(arm, "prop.rotateX")
    assert clear().frames_kept
    again = state(arm)
    assert clear().frames_kept
    assert difference(again, state(arm)) == []
    set_value(arm, "prop.rotateX", moved - 0.5)
    assert set(clear().frames_restored) == set(NAMES)
    assert [line for line in difference(before, state(arm)) if "rotateX" not in line] == []


@pytest.mark.thorough
def test_limits_of_others_in_the_new_frame_keep_it(arm):
    apply("C")
    prop = value(arm, "prop.rotateX")
    set_value(arm, "prop.rotateX", prop + 0.5)
    clear()
    set_value(arm, "hand.maxRotYLimitEnable", True)
    set_value(arm, "prop.rotateX", prop)
    result = clear()
    assert set(result.frames_kept) == set(NAMES)
    assert "hand.maxRotYLimitEnable has been switched on" in result.skipped[0].reason
    assert value(arm, "hand.maxRotYLimitEnable")


@pytest.mark.thorough
def test_a_change_before_the_next_frame_is_not_forgotten(arm):
    apply("R")
    other_user_keyed(arm, "swing")
    apply("R", limits_in_other_frames(8))
    result = clear()
    assert result.frames_kept == ("hand",)
    assert "something of 'hand' has since been changed" in result.skipped[0].reason


# Which keys are the same ------------------------------------------------------------------------


def test_prints_tell_keys_apart_but_not_roundings(maya):
    from jointlimits_maya.scene.record import is_same, key_fingerprint

    random = np.random.default_rng(4)
    times, values = np.arange(2000) / 24.0, random.normal(size=2000) * 3.0
    steps = [False] * 2000
    given = key_fingerprint(times, values, steps, (0, 0))
    assert is_same(key_fingerprint(times, np.nextafter(values, 9.0), steps, (0, 0)), given)
    other = values.copy()
    other[[700, 701]] = other[[701, 700]]
    assert not is_same(key_fingerprint(times, other, steps, (0, 0)), given)
    assert not is_same(key_fingerprint(times, values, [True, *steps[1:]], (0, 0)), given)
    assert not is_same(key_fingerprint(times[1:], values[1:], steps[1:], (0, 0)), given)
    assert not is_same(key_fingerprint(times, values, steps, (0, 3)), given)
    assert not is_same(0.0, given)


def test_a_curve_that_was_not_there_is_gone(maya, tmp_path):
    keys = curve("upper_rotateX", [(1, 0), (9, 50)])
    open_changed(maya, arm_file(tmp_path, keys, connect("upper_rotateX.o", "upper.rx")))
    before, curves = state(maya), set(maya.scene.of_type("animCurveTA"))
    apply("R", limits_in_other_frames(names=("upper",)))
    assert len(set(maya.scene.of_type("animCurveTA")) - curves) == 3
    clear()
    assert difference(before, state(maya)) == []
