"""Limits mirrored to the other side of the body, as one undo step."""

from __future__ import annotations

import json

import pytest

from tests.support.maya_open_scenes import difference, state
from tests.support.maya_scenes import connect, curve, write_scene

ORIENT = {"L": "0 0 0", "R": "180 0 0"}
"""Both sides of a mirror joint by behaviour, across YZ."""
LIMITS = (
    'setAttr ".mnrl" -type "double3" -10 -20 -30;setAttr ".mxrl" -type "double3" 40 50 60;'
    'setAttr ".mrxe" yes;setAttr ".mrye" yes;setAttr ".mrze" yes;setAttr ".xrxe" yes;'
    'setAttr ".xrye" yes;setAttr ".xrze" yes;setAttr ".pa" -type "double3" 5 6 7;'
    'setAttr ".jty" no;\n'
)
ENDS = ("minRotXLimit", "maxRotXLimit", "minRotYLimit", "maxRotYLimit", "preferredAngleY")


def joint(name, parent, x, orient="0 0 0", more=""):
    return (
        f'createNode joint -n "{name}" -p "{parent}";\n\tsetAttr ".t" -type "double3" {x} 0 0;\n'
        f'\tsetAttr ".jo" -type "double3" {orient};\n{more}'
    )


def arms(left=LIMITS, right="", more="", orient=ORIENT["R"], prefix=""):
    """A root with an arm on each side; the limits are on the left."""
    names = [f"{prefix}{name}" for name in ("root", "L_arm", "R_arm", "L_hand", "R_hand")]
    root, left_arm, right_arm, left_hand, right_hand = names
    return (
        f'createNode joint -n "{root}";\n'
        + joint(left_arm, root, 10, more=left)
        + joint(right_arm, root, -10, orient, right)
        + joint(left_hand, left_arm, 5)
        + joint(right_hand, right_arm, -5)
        + more
    )


def ends(cmds, name):
    return [round(cmds.getAttr(f"{name}.{end}"), 6) for end in ENDS]


def rejected(cmds, maya, *names, **flags):
    """Message of a command that changes nothing."""
    before = state(maya)
    with pytest.raises(RuntimeError) as caught:
        cmds.mirrorJointLimits(*names, **flags)
    assert difference(before, state(maya)) == []
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("orient", "wanted"),
    [
        # World-aligned joints turn the other way about Y, those of one behaviour about X.
        ("0 0 0", [-10.0, 40.0, -50.0, 20.0, -6.0]),
        ("180 0 0", [-10.0, 40.0, -20.0, 50.0, 6.0]),
    ],
)
def test_limits_switches_axes_and_preferred_angles_go_to_the_other_side(
    opened, maya, orient, wanted
):
    cmds = opened(arms(orient=orient))
    before = state(maya)
    answer = json.loads(cmds.mirrorJointLimits("L_arm"))
    assert list(answer["written"]) == ["R_arm"]
    assert ends(cmds, "R_arm") == wanted
    assert not cmds.getAttr("R_arm.jointTypeY")
    assert cmds.getAttr("R_arm.maxRotZLimitEnable")
    after = state(maya)
    cmds.undo()
    assert difference(before, state(maya)) == []
    cmds.redo()
    assert difference(after, state(maya)) == []
    assert not json.loads(cmds.mirrorJointLimits("L_arm"))["written"]


def test_a_whole_character_is_mirrored_from_the_side_that_is_named(opened, maya):
    cmds = opened(arms(right=LIMITS.replace("40", "25")))
    assert rejected(cmds, maya, "root").startswith("L_arm and R_arm are both selected; ")
    assert "fromSide" in rejected(cmds, maya, "root")
    assert "must be one of left, right" in rejected(cmds, maya, "root", fromSide="up")
    cmds.mirrorJointLimits("root", fromSide="right")
    assert ends(cmds, "L_arm")[:2] == [-10.0, 25.0]
    assert "none of these joints on the left side" in rejected(cmds, maya, "R_arm", fromSide="left")


def test_it_is_the_mirroring_of_the_window(opened, maya):
    """The maps come from the sides that an estimate compares."""
    from jointlimits_maya.read.limits import limits_on_joints
    from jointlimits_maya.read.motion import motion_from_scene
    from jointlimits_maya.scene.joints import chosen_joints

    from jointlimits_core.limits.partners import partners_of
    from jointlimits_core.limits.symmetry import mirrored_limit

    cmds = opened(arms(orient="0 0 0", right=LIMITS))
    joints = chosen_joints(["root"])
    found = limits_on_joints(joints)
    partner = partners_of(found, [motion_from_scene(joints)])["L_arm"]
    image = mirrored_limit(found.joints["L_arm"], partner.signs, partner.offsets_deg)
    cmds.mirrorJointLimits("L_arm")
    (low, high), *_ = ((one.min_deg, one.max_deg) for one in list(image.values())[1:])
    assert ends(cmds, "R_arm")[2:4] == pytest.approx([low, high])


def test_joints_without_a_partner_are_named(opened, maya):
    cmds = opened(arms(more=joint("tail", "root", 0, more=LIMITS)))
    assert rejected(cmds, maya, "tail").startswith("tail has no partner on the other side; ")
    cmds.select(clear=True)
    assert "nothing is selected" in rejected(cmds, maya)
    answer = json.loads(cmds.mirrorJointLimits("L_arm", "tail"))
    assert list(answer["written"]) == ["R_arm"]
    assert [one["joint"] for one in answer["skipped"]] == ["tail"]


def test_two_joints_that_could_be_the_partner_are_named(opened, maya):
    """Both are at the same place, so that neither name nor place decides."""
    cmds = opened(arms(more=joint("Right_arm", "root", -10, ORIENT["R"])))
    message = rejected(cmds, maya, "L_arm")
    assert message.startswith("R_arm and Right_arm could both be the partner of L_arm; ")


def test_sides_whose_channels_differ_are_refused_by_name(opened, maya):
    turned = arms(orient="180 0 35")
    assert "the channels of L_arm and R_arm do not map" in rejected(opened(turned), maya, "L_arm")
    order = arms(right='setAttr ".ro" 2;\n')
    assert "the channels of L_arm and R_arm do not map" in rejected(opened(order), maya, "L_arm")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("cmds.lockNode('R_arm', lock=True)", "the node is locked"),
        ("cmds.setAttr('R_arm.minRotXLimit', lock=True)", "locked"),
    ],
)
def test_partners_that_cannot_be_written_are_skipped_with_the_reason(opened, more, reason):
    cmds = opened(arms())
    exec(more, {"cmds": cmds})  # noqa: S102
    answer = json.loads(cmds.mirrorJointLimits("L_arm"))
    assert reason in {one["reason"] for one in answer["skipped"]}


def test_limits_that_are_switched_off_are_not_mirrored(opened, jointlimits):
    cmds = opened(arms())
    jointlimits.switch_limits(False, "L_arm", everybodys=True)
    result = jointlimits.mirror_limits("L_arm")
    assert not result.written
    assert [one.reason for one in result.skipped] == ["its limits are switched off"]
    assert not cmds.getAttr("R_arm.minRotXLimitEnable")


def test_the_record_names_the_clips_that_the_limits_come_from(opened, jointlimits):
    """Until the partner is estimated itself."""
    from jointlimits_maya.scene.joints import node_of
    from jointlimits_maya.scene.record import record_of

    turn = curve("turn", [(1, 0), (10, 30)]) + connect("turn.o", "L_arm.rx")
    opened(arms(left="", more=turn))
    jointlimits.apply(jointlimits.estimate("L_arm"), "L_arm")
    own = record_of(node_of("L_arm"))
    assert own.clips
    jointlimits.mirror_limits("L_arm")
    assert record_of(node_of("R_arm")).clips == own.clips


@pytest.mark.parametrize("locked", [False, True])
def test_partners_of_a_reference(opened, maya, tmp_path, locked):
    write_scene(tmp_path, arms(), "rig.ma")
    cmds = opened('createNode transform -n "own";\n')
    cmds.file(str(tmp_path / "rig.ma"), reference=True, namespace="rig")
    maya.scene.references[0].locked = locked
    maya.undo_queue.flush()
    before = state(maya)
    answer = json.loads(cmds.mirrorJointLimits("rig:L_arm"))
    if locked:
        assert [one["reason"] for one in answer["skipped"]] == ["in a locked reference"]
        assert difference(before, state(maya)) == []
        return
    assert ends(cmds, "rig:R_arm")[:2] == [-10.0, 40.0]
    cmds.undo()
    assert difference(before, state(maya)) == []


def test_names_in_a_namespace_and_a_current_one(opened, maya):
    cmds = opened(arms(prefix="rig:"))
    cmds.namespace(addNamespace="other")
    cmds.namespace(setNamespace="other")
    cmds.mirrorJointLimits("rig:L_arm")
    assert ends(cmds, "rig:R_arm")[:2] == [-10.0, 40.0]


def test_limits_that_would_change_a_pose_are_left_off_unless_it_is_asked_for(opened, jointlimits):
    cmds = opened(arms(orient="0 0 0", right='setAttr ".r" -type "double3" 80 0 0;\n'))
    result = jointlimits.mirror_limits("L_arm")
    assert [(one.joint, one.channel) for one in result.left_off] == [("R_arm", "rotateX")]
    assert not cmds.getAttr("R_arm.maxRotXLimitEnable")
    assert jointlimits.mirror_limits("L_arm", may_move=True).clips
    assert cmds.getAttr("R_arm.rotateX") == pytest.approx(40.0)
