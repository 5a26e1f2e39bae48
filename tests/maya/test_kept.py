"""Which estimate the buttons take: of the whole, of a part, after renaming, or what is there."""

from __future__ import annotations

import math

import pytest

from tests.maya_standin.graph import Plug
from tests.support import maya_characters as characters


@pytest.fixture
def maya(maya_with_plug_in):
    return maya_with_plug_in


@pytest.fixture
def leg(maya):
    characters.leg(maya, 40)
    return maya


@pytest.fixture
def buttons(leg):
    from jointlimits_maya import interactive

    return interactive


def press_for(button, *names):
    from maya import cmds

    cmds.select(*names)
    return button()


def last(session):
    return session.messages[-1][1]


def latest(*names):
    from jointlimits_maya.scene.estimates import latest
    from jointlimits_maya.scene.joints import chosen_joints

    return latest(chosen_joints(names))


def forget_all():
    from jointlimits_maya.scene import estimates

    estimates._memory.clear()


@pytest.mark.parametrize("again", [lambda: None, forget_all], ids=["at once", "after a restart"])
def test_a_part_does_not_replace_the_whole(leg, buttons, again):
    press_for(buttons.estimate, "pelvis")
    press_for(buttons.estimate, "ankle")
    again()
    assert set(latest("pelvis").joints) == {"pelvis", "hip", "knee", "ankle", "toe"}
    assert set(latest("ankle").joints) == {"ankle", "toe"}
    # What was not estimated by itself is of the nearest whole above it.
    assert set(latest("toe").joints) == {"ankle", "toe"}
    assert len(latest("knee").joints) == 5


def test_an_estimate_of_some_joints_is_found_for_those_above(leg, buttons):
    press_for(buttons.estimate, "ankle")
    assert press_for(buttons.apply, "pelvis")
    assert "Limits written on 1 joint" in last(leg)


def test_a_pattern_does_not_replace_the_whole(leg, jointlimits):
    whole = jointlimits.estimate(["hip"])
    some = jointlimits.estimate(["hip"], pattern="hip")
    assert list(some.joints) == ["hip"]
    assert latest("hip") == whole


def test_several_estimates_are_not_mixed(leg, buttons, cmds):
    press_for(buttons.estimate, "ankle")
    press_for(buttons.estimate, "knee")
    assert len(latest("knee").joints) == 3
    cmds.select("pelvis")
    assert not buttons.apply()
    assert "select a single part or character" in last(leg)


def test_a_part_of_a_character_has_no_root(leg, jointlimits):
    part, whole = jointlimits.estimate(["hip"]), jointlimits.estimate(["pelvis"])
    assert part.joints["hip"].limits == whole.joints["hip"].limits
    assert "part-of-a-character" in [one.rule for one in part.joints["hip"].findings]
    assert {limit.state for limit in whole.joints["pelvis"].limits.values()} == {"free"}
    assert not [f for joint in whole.joints.values() for f in joint.findings if "part" in f.rule]


def test_it_is_found_after_renaming_and_saving_under_another_name(leg, buttons, tmp_path, cmds):
    press_for(buttons.estimate, "pelvis")
    cmds.rename("pelvis", "bottom")
    cmds.file(rename=str(tmp_path / "other.ma"))
    cmds.file(save=True, type="mayaAscii")
    assert len(latest("bottom").joints) == 5
    third = tmp_path / "third.ma"
    third.write_bytes((tmp_path / "other.ma").read_bytes())
    cmds.file(str(third), open=True, force=True)
    assert latest("bottom") is None


@pytest.mark.thorough
def test_without_an_estimate_a_pose_is_held_against_the_limits_of_the_joints(
    leg, buttons, jointlimits
):
    jointlimits.apply(jointlimits.estimate(["pelvis"]), ["pelvis"])
    forget_all()
    assert press_for(buttons.check_pose, "pelvis")
    assert last(leg) == "Joint Limits: Every pose is inside the limits."
    knee = leg.scene.node("knee")
    leg.scene.set_value(Plug(knee, "maxRotZLimit"), math.radians(50.0))
    found = jointlimits.check(joints=["pelvis"])
    assert found.limits == "those on the joints"
    (bound,) = found.clips[0].violations.bounds
    assert (bound.joint, bound.channel) == ("knee", "rotateZ")
    assert bound.worst_deg == pytest.approx(60.0, abs=0.1)
    # Switched off for a while they are limits all the same.
    jointlimits.switch_limits(False, ["pelvis"])
    assert jointlimits.check(joints=["pelvis"]).clips[0].violations.bounds == (bound,)
    jointlimits.clear(["pelvis"])
    assert not press_for(buttons.check_pose, "pelvis")
    assert "no estimate for these joints yet" in last(leg)
