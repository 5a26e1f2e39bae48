"""Limits that would clamp animation: never silently, whatever branch or range it is on."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.maya.test_filter_keys import FRAMES, flip, keyed_leg
from tests.maya_standin.graph import Plug
from tests.maya_standin.state import lines_but_modified, state_lines
from tests.support import maya_characters as characters
from tests.support.budgets import budget
from tests.support.limit_set_examples import joint, limit_set, span


@pytest.fixture
def maya(maya_with_plug_in):
    return maya_with_plug_in


@pytest.fixture
def shot(maya):
    return keyed_leg(maya)


def shown_rotates(session, name="hip"):
    """What a joint shows at every frame, degrees, (3, frames)."""
    from maya import cmds

    frames = range(1, FRAMES + 1)
    return np.array(
        [[cmds.getAttr(f"{name}.rotate{axis}", time=f) for f in frames] for axis in "XYZ"]
    )


def everything_shown(session):
    return {name: shown_rotates(session, name) for name in characters.LEG}


def is_same(before, after):
    return all(np.abs(before[name] - after[name]).max() < 1e-3 for name in before)


def enabled_ends(name):
    from maya import cmds

    return {
        f"{end}{axis}"
        for end in ("min", "max")
        for axis in "XYZ"
        if cmds.getAttr(f"{name}.{end}Rot{axis}LimitEnable")
    }


def apply_limits(*names, **options):
    from maya import cmds

    return json.loads(cmds.applyJointLimits(*names, **options))


def reasons(result, name):
    return {one["attribute"]: one["reason"] for one in result["skipped"] if one["joint"] == name}


def channels_left_off(result, name):
    return {one["channel"]: one for one in result["left_off"] if one["joint"] == name}


def last(session):
    return session.interface.in_view[-1]


@pytest.fixture
def flipped_shot(shot):
    flip(shot)
    return shot


# Never silently -----------------------------------------------------------------------------------


def test_keys_on_another_branch_are_not_clamped(flipped_shot, cmds):
    before = everything_shown(flipped_shot)
    cmds.estimateJointLimits()
    result = apply_limits()
    assert is_same(before, everything_shown(flipped_shot))
    found = channels_left_off(result, "hip")
    assert set(found) == {"rotateX", "rotateY", "rotateZ"}
    assert all(one["flips"] == 3 for one in found.values())
    assert all([21.0, 23.0] in one["frame_ranges"] for one in found.values())
    assert enabled_ends("hip") == set()
    assert enabled_ends("knee")
    assert "hip" not in result["written"] or not any(
        name.startswith("jointType") for name in result["written"]["hip"]
    )
    assert result["clips"] == []


def test_with_may_move_what_is_clamped_is_reported(flipped_shot, cmds):
    before = shown_rotates(flipped_shot)
    cmds.estimateJointLimits()
    result = apply_limits(mayMove=True)
    after = shown_rotates(flipped_shot)
    assert len(enabled_ends("hip")) == 6
    moved = np.abs(after - before)
    assert {one["joint"] for one in result["clips"]} == {"hip"}
    for one in result["clips"]:
        own = moved["XYZ".index(one["channel"][-1])]
        assert one["frames"] == one["flips"] == np.count_nonzero(own > 1e-3) == 3
        assert one["worst_deg"] == pytest.approx(own.max(), abs=1e-6)
        assert one["worst_frame"] == 1 + own.argmax()
    worst = [one["worst_deg"] for one in result["clips"]]
    assert worst == sorted(worst, reverse=True)
    assert not reasons(result, "hip")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "options", [{"timeRange": "18:22"}, {"strictness": "robust"}], ids=["range", "robust"]
)
def test_limits_of_less_than_the_animation(shot, options, cmds):
    cmds.currentTime(20)
    before = everything_shown(shot)
    cmds.estimateJointLimits(**options)
    result = apply_limits()
    assert is_same(before, everything_shown(shot))
    reported = result["left_off"]
    assert reported
    moved = apply_limits(mayMove=True)["clips"]
    assert {(one["joint"], one["channel"]) for one in moved} == {
        (one["joint"], one["channel"]) for one in reported
    }
    after = everything_shown(shot)
    for name in before:
        for axis, channel in enumerate(("rotateX", "rotateY", "rotateZ")):
            count = np.count_nonzero(np.abs(after[name] - before[name])[axis] > 1e-3)
            reported_frames = [
                o["frames"] for o in moved if (o["joint"], o["channel"]) == (name, channel)
            ]
            assert reported_frames == ([count] if count else [])


def test_degrees_of_freedom_stay_on_channels_that_are_refused(shot, cmds):
    """From one frame every channel looks fixed; on those that move nothing is written."""
    cmds.currentTime(5)
    limits = json.loads(cmds.estimateJointLimits())
    for name, one in limits["joints"].items():
        for channel, limit in one["limits"].items():
            now = cmds.getAttr(f"{name}.{channel}")
            limit.update(state="locked", min_deg=now, max_deg=now)
    result = apply_limits(limits=json.dumps(limits))
    assert cmds.getAttr("knee.jointTypeZ")
    assert not cmds.getAttr("knee.jointTypeX")
    assert "rotateZ" in channels_left_off(result, "knee")
    assert cmds.getAttr("hip.jointTypeX")


@pytest.mark.thorough
def test_what_layers_make_of_the_keys_counts(shot, cmds):
    hip = shot.scene.node("hip")
    cmds.estimateJointLimits()
    characters.add_layer(shot, [hip], swing_deg=6.0, frames=FRAMES)
    before = shown_rotates(shot)
    result = apply_limits()
    assert set(channels_left_off(result, "hip")) == {"rotateX"}
    assert np.array_equal(before, shown_rotates(shot))


def test_the_pose_that_stands_and_is_not_keyed(shot, cmds):
    cmds.estimateJointLimits()
    cmds.setAttr("hip.rotateZ", 60.0)
    result = apply_limits()
    (found,) = channels_left_off(result, "hip").values()
    assert (found["channel"], found["frames"]) == ("rotateZ", 0)
    assert found["worst_deg"] == pytest.approx(45.0)
    assert cmds.getAttr("hip.rotateZ") == pytest.approx(60.0)


def test_what_limits_hold_back_already_is_seen(shot, cmds):
    """The joint shows 10 degrees, its keys go to 110: limits to 20 clamp them as well."""

    def knee(high):
        one = joint("hinge", ((span(0.0, 0.0)), span(0.0, 0.0), span(0.0, high)))
        return limit_set(joints={"knee": one}).to_json()

    apply_limits("knee", limits=knee(10.0), mayMove=True)
    assert shown_rotates(shot, "knee")[2].max() == pytest.approx(10.0)
    before = lines_but_modified(shot.scene)
    result = apply_limits("knee", limits=knee(20.0))
    assert "rotateZ" in channels_left_off(result, "knee")
    assert lines_but_modified(shot.scene) == before
    released = apply_limits("knee", limits=knee(111.0))
    assert not released["skipped"]
    assert not released["left_off"]
    assert [one["channel"] for one in released["clips"]] == ["rotateZ"]
    assert shown_rotates(shot, "knee")[2].max() == pytest.approx(110.0)
    assert cmds.getAttr("knee.maxRotZLimit") == pytest.approx(111.0)


def test_planning_leaves_the_scene_and_reads_it_once(shot, monkeypatch, cmds):
    from jointlimits_maya.limits import api
    from jointlimits_maya.write import filter_keys as writing

    cmds.estimateJointLimits()
    before = state_lines(shot.scene)
    read = []
    original = writing.held_rotates
    monkeypatch.setattr(writing, "held_rotates", lambda *a: read.append(a) or original(*a))

    assert api.apply.plan(None, (), may_move=True).result.written
    assert state_lines(shot.scene) == before
    assert len(read) == 1
    apply_limits()
    assert len(read) == 2


# The buttons --------------------------------------------------------------------------------------


@pytest.fixture
def buttons(flipped_shot):
    from jointlimits_maya import interactive

    assert interactive.estimate()
    return interactive


@pytest.mark.thorough
def test_apply_asks_and_applies_all(flipped_shot, buttons):
    every = "Apply all: 3 frames change"
    flipped_shot.answer(every)
    assert buttons.apply()
    (dialog,) = flipped_shot.interface.dialogs
    assert dialog["buttons"] == ["Apply the ones that change nothing", every, "Cancel"]
    first, _, *lines = dialog["message"].splitlines()
    assert first == "Limits would change poses on 3 channels of 1 joint, 3 frames:"
    assert lines[0].startswith("hip.rotate")
    assert ": 3 frames, by up to " in lines[0]
    assert "Filter keys" in lines[-1]
    assert "poses change on 3 channels of 1 joint, 3 frames, worst at hip.rot" in last(flipped_shot)
    assert flipped_shot.messages[-1][0] == "warning"
    assert len(enabled_ends("hip")) == 6


@pytest.mark.thorough
def test_apply_asks_and_leaves_those_out(flipped_shot, buttons, capsys):
    before = everything_shown(flipped_shot)
    flipped_shot.answer("Apply the ones that change nothing")
    assert buttons.apply()
    assert "left off 3 channels of 1 joint" in last(flipped_shot)
    printed = capsys.readouterr().out
    assert "left off: hip.rotateX: would change 3 frames, by up to " in printed
    assert "filter its keys" in printed
    assert is_same(before, everything_shown(flipped_shot))
    assert enabled_ends("hip") == set()
    assert enabled_ends("knee")


def test_apply_asks_and_does_nothing(flipped_shot, buttons):
    before = state_lines(flipped_shot.scene)
    flipped_shot.answer("Cancel")
    assert not buttons.apply()
    assert last(flipped_shot) == "Stopped; nothing was changed."
    assert state_lines(flipped_shot.scene) == before


def test_apply_asks_nothing_where_nothing_is_clamped(shot):
    from jointlimits_maya import interactive

    interactive.estimate()
    assert interactive.apply()
    assert not shot.interface.dialogs
    assert shot.messages[-1][0] == "info"


@pytest.mark.thorough
def test_checks_judge_by_the_keys_and_explain_flips(flipped_shot, buttons, cmds):
    assert buttons.check_animation()
    assert last(flipped_shot).startswith("1 joint outside the limits, worst at hip: ")
    assert "another Euler branch" in last(flipped_shot)
    assert "Euler filter" in last(flipped_shot)
    cmds.currentTime(22)
    assert buttons.check_pose()
    assert "another Euler branch" in last(flipped_shot)
    cmds.currentTime(5)
    assert buttons.check_pose()
    assert last(flipped_shot) == "Every pose is inside the limits."


def test_a_pose_inside_but_for_the_tolerance_is_reported(shot, cmds):
    from jointlimits_maya import interactive

    interactive.estimate()
    cmds.setAttr("hip.rotateZ", 15.05)
    interactive.check_pose()
    assert last(shot) == "Every pose is inside the limits, to within 0.1 degrees."


@pytest.mark.thorough
def test_limits_that_go_on_again_tell_what_they_clip(shot, cmds):
    from jointlimits_maya import interactive

    interactive.estimate()
    interactive.apply()
    interactive.toggle_limits()
    cmds.undoInfo(stateWithoutFlush=True)
    flip(shot)
    assert interactive.toggle_limits()
    assert "poses change on 3 channels of 1 joint" in last(shot)
    assert ": 3 frames, by up to " in last(shot)
    assert shot.messages[-1][0] == "warning"


# Off, and changed by hand -------------------------------------------------------------------------


@pytest.mark.thorough
def test_limits_left_off_can_be_switched_on_and_cleared(shot, cmds):
    from jointlimits_maya import interactive

    start = lines_but_modified(shot.scene)
    cmds.estimateJointLimits()
    apply_limits(enable=False)
    off = lines_but_modified(shot.scene)
    assert enabled_ends("hip") == set()
    apply_limits(enable=False)
    assert lines_but_modified(shot.scene) == off
    assert interactive.toggle_limits()
    assert last(shot).startswith("Limits switched on on ")
    assert len(enabled_ends("hip")) == 6
    assert interactive.toggle_limits()
    assert lines_but_modified(shot.scene) == off
    apply_limits()
    on = lines_but_modified(shot.scene)
    result = apply_limits(enable=False)
    assert "minRotXLimitEnable" in result["written"]["hip"]
    assert enabled_ends("hip") == set()
    assert interactive.toggle_limits()
    assert lines_but_modified(shot.scene) == on
    apply_limits(enable=False)
    interactive.clear()
    assert lines_but_modified(shot.scene) == start


def test_enable_off_leaves_limits_of_others(shot, cmds):
    cmds.estimateJointLimits()
    shot.scene.set_value(Plug(shot.scene.node("hip"), "minRotXLimitEnable"), True)
    apply_limits(enable=False)
    assert enabled_ends("hip") == {"minX"}


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["end", "switch", "all off"])
def test_hand_edits_stay_without_replace(shot, how, cmds):
    from jointlimits_maya import interactive

    cmds.estimateJointLimits()
    apply_limits()
    if how == "end":
        interactive.toggle_limits()
        cmds.setAttr("hip.maxRotXLimit", 50.0)
    elif how == "switch":
        cmds.setAttr("hip.maxRotXLimitEnable", False)
    else:
        for end in ("min", "max"):
            cmds.setAttr(f"hip.{end}RotXLimitEnable", False)
    now = {n: cmds.getAttr(f"hip.{n}") for n in ("maxRotXLimit", "maxRotXLimitEnable")}
    result = apply_limits()
    assert {n: cmds.getAttr(f"hip.{n}") for n in now} == now
    assert "rotateX" in reasons(result, "hip")
    advice = next(one["advice"] for one in result["skipped"] if one["joint"] == "hip")
    assert "replace" in advice
    assert not apply_limits(replace=True)["skipped"]
    assert cmds.getAttr("hip.maxRotXLimitEnable")
    assert cmds.getAttr("hip.maxRotXLimit") == pytest.approx(35.0)


@pytest.mark.thorough
def test_what_cannot_be_switched_is_reported_in_the_same_order(shot, cmds):
    from jointlimits_maya.limits import api

    cmds.estimateJointLimits()
    apply_limits()
    names = [f"{end}Rot{axis}LimitEnable" for axis in "XYZ" for end in ("min", "max")]
    for name in names:
        cmds.setAttr(f"hip.{name}", lock=True)
    result = api.switch_limits.plan(False, ("hip",)).result
    assert [one.attribute for one in result.skipped if one.joint == "hip"] == names


@pytest.mark.thorough
@pytest.mark.parametrize("samples", [10, 1_000_000])
def test_what_follows_the_keys_counts_however_long_the_time_slider_is(
    shot, monkeypatch, samples, cmds
):
    from jointlimits_maya.scene import time as time_choice

    curve = shot.scene.connections[shot.scene.plug("hip.rotateX")].node
    further = [*curve.keys.values[:-1], curve.keys.values[-1] + 0.01]
    shot.scene.set_keys(curve, replace(curve.keys, values=further, post=4))
    cmds.estimateJointLimits()
    cmds.playbackOptions(maxTime=9_000.0)
    monkeypatch.setattr(time_choice, "LIMITS", budget(max_unkeyed_samples=samples))
    before = cmds.getAttr("hip.rotateX", time=9_000)
    assert "rotateX" in channels_left_off(apply_limits(), "hip")
    assert cmds.getAttr("hip.rotateX", time=9_000) == before


def test_limits_that_were_on_and_clamp_are_named(shot, cmds):
    """They stay, and the result is not a tick."""
    cmds.setAttr("hip.minRotXLimit", 0.0)
    cmds.setAttr("hip.maxRotXLimit", 0.5)
    cmds.setAttr("hip.minRotXLimitEnable", True)
    cmds.setAttr("hip.maxRotXLimitEnable", True)
    before = everything_shown(shot)
    from jointlimits_maya.limits import api

    result = api.apply(api.estimate(["pelvis"]), ["pelvis"])
    assert [(one.joint, one.channel) for one in result.still_clamped] == [("hip", "rotateX")]
    assert result.still_clamped[0].frames > 10
    assert not result.is_complete
    assert is_same(before, everything_shown(shot))
