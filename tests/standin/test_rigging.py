"""The stand-in's maya.cmds: joints, limits, keys, constraints, layers, poses."""

from __future__ import annotations

import pytest

from tests.maya_standin import NotModelledError


@pytest.fixture
def knee(cmds):
    """A knee below a hip, five units apart."""
    cmds.joint(name="hip", position=(0, 10, 0))
    cmds.joint(name="knee", position=(0, 5, 0))
    return "knee"


# --- joints and limits ------------------------------------------------------------------------


def test_the_joint_command_and_the_node_have_different_limits_none_of_them_on(cmds, knee):
    cmds.createNode("joint", name="raw")
    assert cmds.transformLimits("raw", query=True, rotationX=True) == pytest.approx([-45, 45])
    assert cmds.transformLimits(knee, query=True, rotationX=True) == pytest.approx([-360, 360])
    assert cmds.transformLimits(knee, query=True, enableRotationX=True) == [False, False]


def test_removing_a_freedom_locks_its_channel_and_a_plug_does_not(cmds, knee):
    cmds.joint(knee, edit=True, degreeOfFreedom="z")
    assert cmds.joint(knee, query=True, degreeOfFreedom=True) == "z"
    assert [cmds.getAttr(f"knee.r{axis}", lock=True) for axis in "xyz"] == [True, True, False]
    cmds.joint(knee, edit=True, degreeOfFreedom="xz")
    assert not cmds.getAttr("knee.rx", lock=True)
    cmds.setAttr("hip.jointTypeX", False)
    assert not cmds.getAttr("hip.rx", lock=True)


def test_limits_of_the_joint_command_turn_themselves_on_and_clamp(cmds, knee):
    cmds.joint(knee, edit=True, limitX=(-10, 20))
    assert cmds.joint(knee, query=True, limitSwitchX=True) is True
    cmds.setAttr("knee.rotateX", 50)
    assert cmds.getAttr("knee.rotateX") == pytest.approx(20)
    cmds.transformLimits(knee, enableRotationX=(True, False))
    cmds.setAttr("knee.rotateX", 50)
    assert cmds.getAttr("knee.rotateX") == pytest.approx(50)
    cmds.transformLimits(knee, remove=True)
    assert cmds.transformLimits(knee, query=True, rotationX=True) == pytest.approx([-45, 45])


def test_keys_beyond_a_limit_show_clamped_and_stay_as_they_are(cmds, knee):
    cmds.setKeyframe(knee, attribute="rotateX", time=[1, 10], value=80)
    cmds.transformLimits(knee, rotationX=(0, 30), enableRotationX=(True, True))
    assert cmds.getAttr("knee.rotateX", time=5) == pytest.approx(30)
    values = cmds.keyframe("knee.rotateX", query=True, eval=True, time=[(1, 1), (5, 5)])
    assert values == pytest.approx([80, 80])


def test_joints_are_made_below_each_other_with_scale_connected(cmds, knee):
    assert cmds.getAttr("knee.translate") == [(0, -5, 0)]
    assert cmds.listConnections("knee.inverseScale", plugs=True) == ["hip.scale"]
    cmds.joint(knee, edit=True, orientation=(10, 0, 0), rotationOrder="zxy", stiffnessX=2)
    assert cmds.joint(knee, query=True, rotationOrder=True) == "zxy"
    assert cmds.getAttr("knee.rotateOrder") == 2
    assert cmds.joint(knee, query=True, orientation=True) == pytest.approx([10, 0, 0])
    cmds.setAttr("knee.rotateY", 15)
    cmds.joint(knee, edit=True, setPreferredAngles=True)
    assert cmds.getAttr("knee.preferredAngle")[0] == pytest.approx((0, 15, 0))


# --- animation --------------------------------------------------------------------------------


def test_keys_are_set_asked_and_cut(cmds, knee):
    assert cmds.setKeyframe(knee, attribute="rotateZ", time=[1, 5, 9], value=30) == 3
    assert cmds.nodeType("knee_rotateZ") == "animCurveTA"
    assert cmds.keyframe("knee_rotateZ", query=True, timeChange=True) == pytest.approx([1, 5, 9])
    assert cmds.keyframe(knee, query=True, keyframeCount=True) == 3
    assert cmds.keyframe("knee.rotateZ", query=True, time=(2, 6), valueChange=True) == (
        pytest.approx([30])
    )
    assert cmds.cutKey(knee, attribute="rotateZ", time=(1, 5), clear=True) == 2
    assert cmds.keyframe(knee, query=True, timeChange=True) == pytest.approx([9])
    cmds.cutKey(knee, clear=True)
    assert not cmds.objExists("knee_rotateZ")


def test_the_default_rate_is_24_and_another_leaves_keys_in_their_seconds(maya, cmds, knee):
    assert cmds.currentUnit(query=True, time=True) == "film"
    cmds.setKeyframe(knee, attribute="rotateZ", time=24, value=1)
    cmds.currentUnit(time="ntsc")
    assert cmds.keyframe(knee, query=True, timeChange=True) == pytest.approx([30])
    with pytest.raises(RuntimeError, match="Invalid time unit"):
        cmds.currentUnit(time="often")


def test_time_moves_what_is_keyed_and_is_an_item_of_the_undo_queue(maya, cmds, knee):
    for time, value in ((1, 0), (11, 100)):
        cmds.setKeyframe(
            knee, attribute="rotateZ", time=time, value=value,
            inTangentType="linear", outTangentType="linear",
        )  # fmt: skip
    cmds.currentTime(6)
    assert cmds.getAttr("knee.rotateZ") == pytest.approx(50)
    assert maya.counters["time_changes"] == 1
    assert cmds.undoInfo(query=True, undoName=True) == "currentTime"
    cmds.undo()
    assert cmds.currentTime(query=True) == pytest.approx(1)


def test_the_inner_range_stays_in_the_outer_one(cmds):
    cmds.playbackOptions(minTime=-10, maxTime=500)
    assert cmds.playbackOptions(query=True, animationStartTime=True) == pytest.approx(-10)
    assert cmds.playbackOptions(query=True, animationEndTime=True) == pytest.approx(500)


def test_baking_keys_what_shows_so_that_limits_that_are_on_stay_in_the_curve(cmds, knee):
    cmds.setKeyframe(knee, attribute="rotateX", time=[1, 10], value=80)
    cmds.joint(knee, edit=True, limitX=(0, 30))
    assert cmds.bakeResults(knee, attribute=["rotateX", "rotateY"], time=(1, 10)) == 2
    cmds.transformLimits(knee, enableRotationX=(False, False))
    assert cmds.keyframe("knee.rotateX", query=True, keyframeCount=True) == 10
    assert cmds.getAttr("knee.rotateX", time=5) == pytest.approx(30)
    cmds.undo()
    cmds.undo()
    assert cmds.keyframe("knee.rotateX", query=True, valueChange=True) == pytest.approx([80, 80])


def test_constraints_drive_and_can_keep_an_offset(cmds, knee):
    cmds.createNode("transform", name="ctl")
    cmds.setAttr("knee.rotate", 0, 0, 40)
    (made,) = cmds.orientConstraint("ctl", knee, maintainOffset=True)
    assert made == "knee_orientConstraint1"
    assert cmds.getAttr("knee.rotateZ") == pytest.approx(40)
    cmds.setAttr("ctl.rotateZ", 5)
    assert cmds.getAttr("knee.rotateZ") == pytest.approx(45)
    with pytest.raises(RuntimeError, match="locked or connected"):
        cmds.setAttr("knee.rotateZ", 0)
    cmds.delete(knee, constraints=True)
    cmds.setAttr("knee.rotateZ", 0)


def test_a_parent_constraint_follows_its_target(cmds, knee):
    cmds.createNode("transform", name="ctl")
    cmds.parentConstraint("ctl", knee, maintainOffset=True)
    cmds.setAttr("ctl.translate", 1, 2, 3)
    assert cmds.getAttr("knee.worldMatrix[0]")[12:15] == pytest.approx([1, 7, 3])


def test_a_layer_adds_its_own_curve_to_the_base(cmds, knee):
    cmds.setKeyframe(knee, attribute="rotateX", time=[1, 10], value=20)
    cmds.animLayer("polish", attribute=["knee.rotate"])
    cmds.setKeyframe("knee_rotate_polish.inputBX", time=1, value=7)
    assert cmds.getAttr("knee.rotateX") == pytest.approx(27)
    assert cmds.listConnections("knee.rotateX", destination=False) == ["knee_rotate_polish"]
    with pytest.raises(NotModelledError, match="animBlendNodeAdditiveRotation"):
        cmds.keyframe("knee.rotateX", query=True, timeChange=True)
    cmds.animLayer("polish", edit=True, mute=True)
    assert cmds.getAttr("knee.rotateX") == pytest.approx(20)


def test_poses_are_kept_and_given_back(cmds, knee):
    cmds.setAttr("knee.rotate", 10, 20, 30)
    (pose,) = cmds.dagPose("hip", knee, save=True, bindPose=True)
    assert cmds.dagPose(knee, query=True, bindPose=True) == [pose]
    assert cmds.dagPose(pose, query=True, members=True) == ["hip", "knee"]
    assert cmds.getAttr(f"{pose}.xformMatrix[1]") == pytest.approx(cmds.getAttr("knee.matrix"))
    cmds.setAttr("knee.rotate", 0, 0, 0)
    cmds.dagPose(knee, restore=True, bindPose=True)
    assert cmds.getAttr("knee.rotate")[0] == pytest.approx((10, 20, 30))


def test_the_record_of_a_pose_says_all_that_the_matrix_does(cmds, knee):
    cmds.setAttr("hip.scale", 2, 1, 0.5)
    cmds.setAttr("knee.rotate", 10, 20, 30)
    cmds.setAttr("knee.jointOrient", -40, 50, 60)
    cmds.setAttr("knee.rotateAxis", 15, -25, 35)
    cmds.setAttr("knee.rotateOrder", 3)
    (pose,) = cmds.dagPose("hip", knee, save=True)
    expected = cmds.getAttr("knee.matrix")
    assert cmds.getAttr(f"{pose}.xformMatrix[1]") == pytest.approx(expected)


def test_a_layer_keeps_what_was_not_keyed(cmds, knee):
    cmds.setAttr("knee.rotateY", 33)
    cmds.animLayer("polish", attribute=["knee.rotate"])
    assert cmds.getAttr("knee.rotateY") == pytest.approx(33)
    cmds.undo()
    assert cmds.getAttr("knee.rotateY") == pytest.approx(33)
    assert not cmds.objExists("knee_rotate_polish")


def test_axes_that_a_constraint_skips_stay_free(cmds, knee):
    cmds.createNode("transform", name="ctl")
    cmds.orientConstraint("ctl", knee, skip=["x", "y"])
    cmds.setAttr("knee.rotateX", 5)
    with pytest.raises(RuntimeError, match="locked or connected"):
        cmds.setAttr("knee.rotateZ", 5)


def test_setting_a_keyed_channel_while_auto_key_is_on_is_not_modelled(cmds, knee):
    cmds.setKeyframe(knee, attribute="rotateX", time=1, value=0)
    cmds.autoKeyframe(state=True)
    cmds.setAttr("knee.rotateY", 5)
    with pytest.raises(NotModelledError, match="auto key"):
        cmds.setAttr("knee.rotateX", 5)
