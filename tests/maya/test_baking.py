"""Joints baked with their limits off: one undo, and no pose changes."""

from __future__ import annotations

import json
import math

import pytest

from tests.maya.test_mirroring import joint
from tests.support.maya_open_scenes import difference, state
from tests.support.maya_scenes import connect, curve, write_scene

LIMITED = 'setAttr ".mrxe" yes;setAttr ".xrxe" yes;setAttr ".mnrl" -type "double3" -5 0 0;\n'
ARM = (
    'createNode transform -n "control";\ncreateNode joint -n "root";\n'
    + joint("arm", "root", 10, more=LIMITED + 'setAttr ".xrxl" 20;\n')
    + joint("hand", "arm", 5)
    + curve("control_rotateX", [(1, 0), (6, 60), (10, -30)])
    + connect("control_rotateX.o", "control.rx")
    + connect("control.rx", "arm.rx")
)


SWITCH = 'createNode blendColors -n "switch";\nsetAttr ".b" 1;\n' + connect(
    "control.r", "switch.c1"
)
HANDLE = (
    'createNode ikEffector -n "eff" -p "arm";\ncreateNode ikHandle -n "ik";\n'
    + connect("arm.msg", "ik.hsj")
    + connect("eff.hp", "ik.hee")
)


@pytest.fixture
def arm(opened):
    """A limited arm that a control turns, further than the limits allow."""
    return opened(ARM)


def values(cmds, attribute, frames=range(1, 11)):
    return [cmds.getAttr(attribute, time=frame) for frame in frames]


def rejected(cmds, maya, *names, **flags):
    before = state(maya)
    with pytest.raises(RuntimeError) as caught:
        cmds.bakeJointLimits(*names, **flags)
    assert difference(before, state(maya)) == []
    return str(caught.value)


def test_the_control_s_motion_is_baked_although_limits_clamp_it(arm, maya):
    before, seen = state(maya), values(arm, "arm.rotateX")
    wanted = values(arm, "control.rotateX")
    answer = json.loads(arm.bakeJointLimits("root", timeRange="1:10"))
    assert (answer["baked"], answer["limited"]) == (["arm"], ["arm"])
    assert answer["channels"] == ["rotateX"]
    (keyed,) = arm.listConnections("arm.rotateX", source=True, destination=False)
    assert arm.nodeType(keyed) == "animCurveTA"
    assert arm.keyframe(keyed, query=True, valueChange=True) == pytest.approx(wanted)
    assert values(arm, "arm.rotateX") == pytest.approx(seen)
    assert arm.getAttr("arm.maxRotXLimitEnable")
    assert maya.messages[-1][1].endswith("the limits of 1 were temporarily off; no pose changed.")
    after = state(maya)
    arm.undo()
    assert difference(before, state(maya)) == []
    arm.redo()
    assert difference(after, state(maya)) == []


def test_a_compound_that_is_connected_as_a_whole(opened, maya):
    cmds = opened(ARM.replace(connect("control.rx", "arm.rx"), connect("control.r", "arm.r")))
    before, seen = state(maya), values(cmds, "arm.rotateX")
    answer = json.loads(cmds.bakeJointLimits("root", timeRange="1:10"))
    assert answer["channels"] == ["rotateX", "rotateY", "rotateZ"]
    (keyed,) = cmds.listConnections("arm.rotateX", source=True, destination=False)
    assert cmds.keyframe(keyed, query=True, keyframeCount=True) == 10
    assert values(cmds, "arm.rotateX") == pytest.approx(seen)
    after = state(maya)
    cmds.undo()
    assert difference(before, state(maya)) == []
    cmds.redo()
    assert difference(after, state(maya)) == []


def test_a_channel_that_maya_leaves_driven_is_named_and_nothing_is_baked(opened, maya):
    """The whole output of a blend has no channels behind its unit conversion."""
    cmds = opened(ARM.replace(connect("control.rx", "arm.rx"), SWITCH))
    cmds.connectAttr("switch.output", "arm.rotate")
    maya.undo_queue.flush()
    message = rejected(cmds, maya, "root", timeRange="1:10")
    assert "arm.rotateX: Maya does not bake this channel" in message
    assert "\n" not in message


def test_a_joint_in_ik_is_baked_by_playing(opened, maya):
    cmds = opened(ARM.replace(connect("control.rx", "arm.rx"), HANDLE))
    scene = maya.scene
    scene.scripted[scene.plug("arm.rx")] = lambda seconds: seconds * 24 * 0.1
    answer = json.loads(cmds.bakeJointLimits("root", timeRange="1:10"))
    assert answer["baked"] == ["arm"]
    (keyed,) = cmds.listConnections("arm.rotateX", source=True, destination=False)
    found = cmds.keyframe(keyed, query=True, valueChange=True)
    assert found[-1] - found[0] == pytest.approx(math.degrees(0.9))


@pytest.mark.parametrize("with_driver", [True, False])
def test_joints_of_a_reference(opened, maya, tmp_path, with_driver):
    """What a referenced file connects stays; what the scene connects may be baked."""
    body = ARM if with_driver else ARM.replace(connect("control.rx", "arm.rx"), "")
    write_scene(tmp_path, body, "rig.ma")
    cmds = opened('createNode transform -n "own";\n')
    cmds.file(str(tmp_path / "rig.ma"), reference=True, namespace="rig")
    if not with_driver:
        cmds.setKeyframe("own", attribute="rotateX", time=1, value=0)
        cmds.setKeyframe("own", attribute="rotateX", time=10, value=9)
        cmds.connectAttr("own.rotateX", "rig:arm.rotateX")
    maya.undo_queue.flush()
    if with_driver:
        message = rejected(cmds, maya, "rig:root", timeRange="1:10")
        assert message.startswith("rig:arm.rotateX: referenced together with what drives it; ")
    else:
        assert json.loads(cmds.bakeJointLimits("rig:root", timeRange="1:10"))["baked"]


def test_a_bake_that_changes_a_pose_is_taken_back(arm, maya, monkeypatch):
    from tests.maya_standin.commands import baking

    replace = baking._replace
    monkeypatch.setattr(
        baking,
        "_replace",
        lambda scene, plug, times, found: replace(scene, plug, times, [0.5 * one for one in found]),
    )
    message = rejected(arm, maya, "root", timeRange="1:10")
    assert "the scene was restored: arm: baking would change its poses" in message


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("cmds.select(clear=True)", "nothing is selected"),
        ("cmds.lockNode('arm', lock=True)", "arm: the node is locked"),
        ("cmds.setAttr('arm.rotateX', lock=True)", "arm.rotateX: locked"),
        ("cmds.setAttr('arm.maxRotXLimitEnable', lock=True)", "arm.maxRotXLimitEnable: locked"),
    ],
)
def test_what_cannot_be_baked_is_named(arm, maya, line, reason):
    exec(line, {"cmds": arm})  # noqa: S102
    names = () if "select" in line else ("root",)
    message = rejected(arm, maya, *names, timeRange="1:10")
    assert message.startswith(reason)
    assert "\n" not in message


def test_there_has_to_be_something_to_bake(arm, maya):
    assert rejected(arm, maya, "hand").startswith("nothing drives these joints")
    assert "a single range" in rejected(arm, maya, "root", timeRange="1:3,5:9")
    assert "only one frame" in rejected(arm, maya, "root", timeRange="4:4")


def test_in_another_namespace_and_from_python(arm, jointlimits):
    arm.namespace(addNamespace="other")
    arm.namespace(setNamespace="other")
    result = jointlimits.bake("root", time="2:5")
    assert result.frames == (2.0, 5.0)
    assert result.is_complete


def test_the_menu_bakes_the_playback_range_and_mirrors_limits(arm, maya):
    from jointlimits_maya import interactive

    arm.playbackOptions(minTime=2, maxTime=5)
    arm.select("root")
    assert interactive.bake_joints()
    assert "1 joint baked, frames 2 to 5" in maya.messages[-1][1]
    assert not interactive.mirror_limits()
    assert "arm has no partner on the other side" in maya.messages[-1][1]
