"""Limits of joints carried over to the controls that drive them: 24 made rigs.

The expected ranges of single channels are those of the control's keys; those of balls come from
plain matrices, sampled densely. ``pytest -s`` prints the table.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.maya_standin.state import lines_but_modified
from tests.support.controlled_rigs import FROM_KEYS, RIGS, X, Y, Z, triple
from tests.support.driven_rigs import chain, control, keyed, keys, node, orient
from tests.support.maya_reading import opened_text
from tests.support.maya_scenes import connect, curve

CHANNELS = ("rotateX", "rotateY", "rotateZ")


def turn(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)]["xyz".index(axis)]
    found = np.eye(3)
    found[i, i] = found[j, j] = c
    found[i, j], found[j, i] = -s, s
    return found


def matrix(degrees, order="xyz"):
    found = np.eye(3)
    for axis in order:
        found = turn(axis, np.radians(degrees["xyz".index(axis)])) @ found
    return found


def angles_zxy(m):
    """Angles of Ry Rx Rz, with X between -90 and 90 degrees."""
    x = np.arcsin(-m[1, 2])
    y, z = np.arctan2(m[0, 2], m[2, 2]), np.arctan2(m[1, 0], m[1, 1])
    return np.degrees([x, y, z])


def naive_box(limits, rig, steps=18):
    """Box of the control's angles over the joint's own box, by brute force."""
    before, found = np.linalg.inv(matrix(rig.before)), []
    grid = [np.linspace(limits[c].min_deg, limits[c].max_deg, steps) for c in CHANNELS]
    for x in grid[0]:
        for y in grid[1]:
            for z in grid[2]:
                if any(v in (g[0], g[-1]) for v, g in zip((x, y, z), grid)):
                    # The constraint's offset is zero: the control's world rotation is the joint's.
                    found.append(angles_zxy(before @ matrix((x, y, z))))
    return np.min(found, axis=0), np.max(found, axis=0)


def carried(maya, jointlimits, tmp_path, rig):
    """Limits of the joints, and of the arm's control; a rig that is refused may have others."""
    opened_text(maya, tmp_path, RIGS["direct connection"].body if rig.reason else rig.body)
    limits = jointlimits.estimate("hip", limit_root=True)
    if rig.reason:
        opened_text(maya, tmp_path, rig.body)
    return limits, jointlimits.limits_on_controls(limits, "arm")


def worst_off(found, limits, rig):
    """Largest difference in degrees from the expected ranges, and how much a box may be wider."""
    ranges = {c: axis for c, axis in found.limits.items() if axis.state != "locked"}
    if rig.limits is not None:
        assert set(ranges) == set(rig.limits)
        return max(
            abs(a - b)
            for c, ends in rig.limits.items()
            for a, b in zip((ranges[c].min_deg, ranges[c].max_deg), ends)
        )
    low, high = naive_box(limits.joints["arm"].limits, rig)
    own = np.array([[found.limits[c].min_deg, found.limits[c].max_deg] for c in CHANNELS])
    assert (own[:, 0] <= low + 1e-6).all()
    assert (own[:, 1] >= high - 1e-6).all()
    return max(np.abs(own[:, 0] - low).max(), np.abs(own[:, 1] - high).max())


@pytest.mark.parametrize("name", RIGS)
def test_limits_are_carried_over_or_refused_by_name(maya, cmds, jointlimits, tmp_path, name):
    rig = RIGS[name]
    limits, found = carried(maya, jointlimits, tmp_path, rig)
    before = lines_but_modified(maya.scene)
    if rig.reason:
        assert not found.limits.joints
        (skipped,) = (one for one in found.skipped if one.joint == "arm")
        assert rig.reason in skipped.reason
        assert skipped.advice == FROM_KEYS
        print(f"{name:36} refused: {skipped.reason}")
        return
    ((control, limit),) = found.limits.joints.items()
    assert control == rig.control
    off = worst_off(limit, limits, rig)
    assert off < (0.01 if rig.limits else 0.2)
    assert "arm" in limit.findings[0].message
    print(f"{name:36} {dict(limit.limits)}; off by {off:.1e}; {limit.findings[0].message}")
    assert lines_but_modified(maya.scene) == before
    # Limits of the control measured from its keys agree with those carried over from its joint.
    if rig.limits:
        assert off < 1e-6
    assert type(found.limits).from_json(found.limits.to_json()) == found.limits


def test_apply_writes_them_as_one_undo_step(maya, cmds, jointlimits, tmp_path):
    opened_text(maya, tmp_path, RIGS["orient constraint"].body)
    limits = jointlimits.estimate("hip")
    before = lines_but_modified(maya.scene)
    done = jointlimits.apply(limits, "hip", to_controls=True)
    assert list(done.written) == ["ctl"]
    assert [one.joint for one in done.skipped] == ["hip", "hand"]
    assert not done.clips
    assert not done.left_off
    assert cmds.getAttr("ctl.maxRotZLimit") == pytest.approx(60.0, abs=1e-6)
    assert cmds.getAttr("ctl.maxRotZLimitEnable")
    assert not cmds.getAttr("arm.maxRotZLimitEnable")
    after = lines_but_modified(maya.scene)
    again = jointlimits.apply(limits, "hip", to_controls=True)
    assert not again.written
    assert again.unchanged == ("ctl",)
    assert lines_but_modified(maya.scene) == after
    cmds.setAttr("ctl.maxRotZLimit", 30.0)  # by hand, so that Maya clamps the control
    assert list(jointlimits.limits_on_controls(limits, "hip").limits.joints) == ["ctl"]
    cmds.undo()
    cmds.undo()
    assert lines_but_modified(maya.scene) == before


def ranges_of(limit):
    return {c: (axis.min_deg, axis.max_deg) for c, axis in limit.limits.items()}


@pytest.mark.parametrize("case", ["hinge", "ball", "a joint in between"])
def test_limits_of_the_control_itself_are_the_same(maya, cmds, jointlimits, tmp_path, case):
    """A control that is a joint with a curve shape, which can be estimated from its own keys."""
    fk = node("joint", "fk") + node("nurbsCurve", "fkShape", "fk")
    body = chain() + fk + (keyed("fk") if case != "ball" else keys("fk", x=X, y=Y, z=Z))
    if case == "a joint in between":
        body += node("joint", "mid") + orient("fk", "mid", "mc") + orient("mid")
    else:
        body += orient("fk")
    opened_text(maya, tmp_path, body)
    limits = jointlimits.estimate("hip", limit_root=True)
    own = jointlimits.estimate("fk", limit_root=True).joints["fk"]
    found = jointlimits.limits_on_controls(limits, "hip").limits.joints["fk"]
    for channel, pair in ranges_of(own).items():
        assert ranges_of(found)[channel] == pytest.approx(pair, abs=1e-6)


@pytest.mark.parametrize("name", ["orient constraint", "direct connection", "matrix nodes"])
def test_motion_about_one_axis_suffices_where_the_structure_is_known(
    maya, cmds, jointlimits, tmp_path, name
):
    """Limits of a ball joint from another clip, in a scene where only one channel moves."""
    opened_text(maya, tmp_path, RIGS["a ball with the same axes"].body)
    ball = jointlimits.estimate("hip", limit_root=True)
    opened_text(maya, tmp_path, RIGS[name].body)
    found = jointlimits.limits_on_controls(ball, "hip")
    if name == "matrix nodes":
        (skipped,) = (one for one in found.skipped if one.joint == "arm")
        assert "where its link to the control is unknown" in skipped.reason
    else:
        expected = ranges_of(ball.joints["arm"])
        for channel, pair in ranges_of(found.limits.joints["ctl"]).items():
            assert pair == pytest.approx(expected[channel], abs=1e-6)


WARP = (
    curve("warp", [(1, 24), (24, 1)], "animCurveTT")
    + 'select -ne :time1;\n\tsetAttr ".o" 1;\n\tsetAttr ".etw" yes;\n'
    + connect("warp.o", ":time1.tw")
)


@pytest.mark.parametrize("name", ["orient constraint", "matrix nodes", "a ball in another order"])
def test_a_time_warp_of_the_scene_changes_no_limit(maya, cmds, jointlimits, tmp_path, name):
    """It plays the clip backwards, so curves alone differ from what joints show."""
    limits, found = carried(maya, jointlimits, tmp_path, RIGS[name])
    opened_text(maya, tmp_path, RIGS[name].body + WARP)
    warped = jointlimits.limits_on_controls(limits, "hip")
    ((control, limit),) = warped.limits.joints.items()
    for channel, pair in ranges_of(limit).items():
        assert pair == pytest.approx(ranges_of(found.limits.joints[control])[channel], abs=1e-6)


def test_a_warp_of_one_curve_is_part_of_the_motion(maya, cmds, jointlimits, tmp_path):
    warp = curve("own", [(1, 24), (24, 1)], "animCurveTT") + connect("own.o", "ctl_z.i")
    limits, _ = carried(maya, jointlimits, tmp_path, RIGS["orient constraint"])
    opened_text(maya, tmp_path, RIGS["orient constraint"].body + warp)
    warped = jointlimits.limits_on_controls(limits, "hip").limits.joints["ctl"]
    assert ranges_of(warped)["rotateZ"] == pytest.approx((-20.0, 60.0), abs=1e-6)


@pytest.mark.parametrize("axes", [(20, 30, 40), (0, 70, 0), (-50, 10, 5)])
def test_limits_in_a_suggested_orientation_are_carried_over(
    maya, cmds, jointlimits, tmp_path, axes
):
    """The joint itself keeps its orientation; the control gets the range of its own keys."""
    body = chain(triple("jo", *axes)) + control() + keyed("ctl") + orient("ctl")
    opened_text(maya, tmp_path, body)
    limits = jointlimits.estimate("hip", limit_root=True, orientation="advised")
    arm = limits.joints["arm"]
    assert arm.orientation.kind == "advised"
    found = jointlimits.limits_on_controls(limits, "hip").limits.joints["ctl"]
    expected = {"rotateX": (0.0, 0.0), "rotateY": (0.0, 0.0), "rotateZ": (-20.0, 60.0)}
    for channel, pair in ranges_of(found).items():
        assert pair == pytest.approx(expected[channel], abs=1e-3)


def test_of_two_joints_of_one_control_the_first_counts(maya, cmds, jointlimits, tmp_path):
    body = chain() + control() + keyed("ctl") + orient("ctl") + orient("ctl", "hand", "hc")
    opened_text(maya, tmp_path, body)
    limits = jointlimits.estimate("hip", limit_root=True)
    found = jointlimits.limits_on_controls(limits, "hip")
    assert "arm" in found.limits.joints["ctl"].findings[0].message
    reasons = {one.joint: one.reason for one in found.skipped}
    assert set(reasons) == {"hip", "hand"}


def test_an_animated_rotate_order_is_refused(maya, cmds, jointlimits, tmp_path):
    order = curve("ro", [(1, 0), (12, 5)], "animCurveTU", 5) + connect("ro.o", "ctl.ro")
    limits, _ = carried(maya, jointlimits, tmp_path, RIGS["orient constraint"])
    opened_text(maya, tmp_path, RIGS["orient constraint"].body + order)
    (skipped,) = (
        one for one in jointlimits.limits_on_controls(limits, "hip").skipped if one.joint == "arm"
    )
    assert skipped.reason == "ctl.rotateOrder is animated"


def test_the_menu_item_writes_them_and_refuses_limits_of_controls(maya, cmds, tmp_path):
    from jointlimits_maya import interactive

    opened_text(maya, tmp_path, RIGS["orient constraint"].body)
    cmds.select("hip")
    interactive.estimate()
    interactive.apply_to_controls()
    assert "Limits written on 1 control; 2 items skipped" in maya.messages[-1][1]
    assert cmds.getAttr("ctl.maxRotZLimitEnable")
    cmds.select("ctl")
    interactive.estimate()
    assert interactive.apply_to_controls() is False
    assert "are those of controls already; apply them without" in maya.messages[-1][1]


def test_the_command_says_what_is_skipped(maya_with_plug_in, tmp_path):
    from maya import cmds

    opened_text(maya_with_plug_in, tmp_path, RIGS["FK/IK blend"].body)
    cmds.estimateJointLimits("hip", limitRoot=True)
    before = lines_but_modified(maya_with_plug_in.scene)
    data = json.loads(cmds.applyJointLimits("hip", toControls=True))
    assert not data["written"]
    assert {one["joint"]: one["advice"] for one in data["skipped"]}["arm"] == FROM_KEYS
    assert "a blend or switch, mix (pairBlend), drives it" in maya_with_plug_in.messages[-1][1]
    assert lines_but_modified(maya_with_plug_in.scene) == before
