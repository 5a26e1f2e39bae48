"""Ranges that depend on another joint, held by the node and by projected keys."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.evaluation.projection import project_motion
from jointlimits_core.geometry.euler import (
    ROTATE_ORDERS,
    local_from_rotate,
    quaternion_from_euler,
    rotate_from_local,
)
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.motion.joint_names import node_name
from jointlimits_core.shapes.shape import Softening
from tests.limits.test_dependency_limits import FRAME_NUMBER, TIE, TIED, bent_wrong, with_channels
from tests.support.maya_projecting import rotate_of

NUMBERS = (0, FRAME_NUMBER, 200, 350, 500)
"""Frames of the motion that the scene has keys for, at frames 1, 11, 21, ..."""
FRAMES = tuple(range(1, 10 * len(NUMBERS), 10))
WRONG = FRAMES[1]
ORIENT = {"elbow": (10.0, -25.0, 40.0), "hand": (-60.0, 15.0, 5.0)}
AXIS = {"elbow": (5.0, 30.0, -12.0), "hand": (3.0, -4.0, 50.0)}
JOINTS = ["elbow", "hand"]
NODE = "hand_jointLimits"
TOLERANCE_RAD = 1e-6
ALONE = replace(TIED, dependencies=())


def frame_of(cmds, joint):
    order = ROTATE_ORDERS[cmds.getAttr(f"{joint}.rotateOrder")]
    orient, axis = (
        quaternion_from_euler(np.radians(cmds.getAttr(f"{joint}.{name}")[0]))
        for name in ("jointOrient", "rotateAxis")
    )
    return orient, axis, order


def bent_arm(cmds, motion=None, orders=("xyz", "xyz"), turned=False, namespace=""):
    """An arm that is posed as in some frames of a motion, in joints with frames of their own."""
    motion = bent_wrong()[0] if motion is None else motion
    above = None
    for name, order in zip(("elbow", "hand"), orders):
        more = {} if above is None else {"parent": above}
        joint = cmds.createNode("joint", name=f"{namespace}{name}", **more)
        above = joint
        cmds.setAttr(f"{joint}.rotateOrder", ROTATE_ORDERS.index(order))
        if turned:
            cmds.setAttr(f"{joint}.jointOrient", *ORIENT[name], type="double3")
            cmds.setAttr(f"{joint}.rotateAxis", *AXIS[name], type="double3")
        local = motion.quaternion(name)[list(NUMBERS)]
        rotates = np.degrees(rotate_from_local(local, *frame_of(cmds, joint)))
        for frame, row in zip(FRAMES, rotates.tolist()):
            for axis, value in zip("XYZ", row):
                cmds.setKeyframe(joint, attribute=f"rotate{axis}", time=frame, value=value)
    cmds.select(clear=True)
    return motion


def locals_at_keys(cmds, joint):
    rotates = np.array([rotate_of(cmds, joint, frame) for frame in FRAMES])
    return local_from_rotate(rotates, *frame_of(cmds, joint))


def off(cmds, motion, limit_set=TIED, joint="hand"):
    """Most radians between the shown pose and that of the batch."""
    inside, _ = project_motion(limit_set, motion)
    expected = inside.quaternion(node_name(joint))[list(NUMBERS)]
    return float(angle_between(locals_at_keys(cmds, joint), expected).max())


ORDERS = [("xyz", "xyz"), *zip(ROTATE_ORDERS, ROTATE_ORDERS[1:] + ROTATE_ORDERS[:1])]
FORMS = ("project_live", "project_keys")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("orders", "turned"),
    [
        (ORDERS[0], False),
        *(pytest.param(orders, True, marks=pytest.mark.thorough) for orders in ORDERS[1:]),
    ],
)
def test_node_keys_and_batch_agree(cmds, jointlimits, form, orders, turned):
    """Whatever the rotate order, the jointOrient and the rotateAxis of both joints."""
    motion = bent_arm(cmds, orders=orders, turned=turned)
    assert off(cmds, motion) > 0.3
    result = getattr(jointlimits, form)(TIED, JOINTS)
    assert "other" in {one.joint for one in result.skipped}
    assert off(cmds, motion) < TOLERANCE_RAD
    assert off(cmds, motion, ALONE) > 0.3


@pytest.mark.parametrize("form", FORMS)
def test_the_driver_comes_first(cmds, jointlimits, form):
    """What is held is the range at the driver's projected pose, not at the one it had."""
    far = with_channels(bent_wrong()[0], "elbow", FRAME_NUMBER, (200.0, 0.0, 0.0))
    motion = bent_arm(cmds, with_channels(far, "hand", FRAME_NUMBER, (0.0, 0.0, 0.0)))
    getattr(jointlimits, form)(TIED, ["hand", "elbow"])
    assert off(cmds, motion, joint="elbow") < TOLERANCE_RAD
    assert off(cmds, motion) < TOLERANCE_RAD


@pytest.mark.parametrize("form", FORMS)
def test_softness_agrees_too(cmds, jointlimits, form):
    """The range is that at the pose which the driver gets, outside its own shape."""
    far = with_channels(bent_wrong()[0], "elbow", FRAME_NUMBER, (200.0, 0.0, 0.0))
    motion = bent_arm(cmds, with_channels(far, "hand", FRAME_NUMBER, (0.0, 0.0, 0.0)))
    getattr(jointlimits, form)(TIED, JOINTS, softness_deg=5.0)
    soft, _ = project_motion(TIED, motion, Softening(radius=math.radians(5.0)))
    for joint in JOINTS:
        expected = soft.quaternion(joint)[list(NUMBERS)]
        assert angle_between(locals_at_keys(cmds, joint), expected).max() < TOLERANCE_RAD


@pytest.mark.parametrize("form", FORMS)
def test_one_undo_takes_everything_back(maya, cmds, jointlimits, form):
    bent_arm(cmds)
    before = maya.scene_hash()
    getattr(jointlimits, form)(TIED, JOINTS)
    after, shown = maya.scene_hash(), locals_at_keys(cmds, "hand")
    cmds.undo()
    assert maya.scene_hash() == before
    cmds.redo()
    assert maya.scene_hash() == after
    assert np.array_equal(locals_at_keys(cmds, "hand"), shown)


def test_the_driver_need_not_be_selected(cmds, jointlimits):
    motion = bent_arm(cmds)
    result = jointlimits.project_live(TIED, "hand")
    assert result.projected == ("hand",)
    assert off(cmds, motion) < TOLERANCE_RAD
    assert jointlimits.project_live(TIED, "hand").unchanged == ("hand",)
    cmds.disconnectAttr("elbow.jointOrient", f"{NODE}.driverJointOrient[0]")
    assert cmds.getAttr(f"{NODE}.problem")
    assert jointlimits.project_live(TIED, "hand").projected == ("hand",)
    assert cmds.getAttr("hand_jointLimits.problem") == ""


def test_a_driver_that_is_no_number_is_left_out(maya, cmds, jointlimits):
    motion = bent_arm(cmds)
    jointlimits.project_live(TIED, "hand")
    cmds.cutKey("elbow", clear=True)
    maya.scene.scripted[maya.scene.plug("elbow.rotateX")] = lambda seconds: math.inf
    assert off(cmds, motion, ALONE) < TOLERANCE_RAD
    assert "no rotation of elbow" in cmds.getAttr(f"{NODE}.problem")


def test_the_pose_of_a_driver_without_keys_counts(cmds, jointlimits):
    bent_arm(cmds)
    jointlimits.project_live(TIED, "hand")
    cmds.currentTime(WRONG)
    cmds.cutKey("elbow", clear=True)
    shown = set()
    for angle in (0.0, 60.0, 120.0):
        cmds.setAttr("elbow.rotateX", angle)
        cmds.setAttr("elbow.rotateY", 0.0)
        cmds.setAttr("elbow.rotateZ", 0.0)
        shown.add(round(cmds.getAttr("hand.rotateX"), 6))
    assert len(shown) > 1


def test_a_range_within_one_joint(cmds, jointlimits):
    """The channel that the range depends on is that of the given pose."""
    own = replace(TIE, on_joint="hand", on_channel="rotateY")
    joints = {name: replace(joint, coupled=None) for name, joint in TIED.joints.items()}
    within = replace(TIED, joints=joints, dependencies=(own,))
    motion = bent_arm(cmds)
    before = locals_at_keys(cmds, "hand")
    assert jointlimits.project_live(within, "hand").projected == ("hand",)
    assert off(cmds, motion, within) < TOLERANCE_RAD
    assert angle_between(locals_at_keys(cmds, "hand"), before).max() > 0.1
    assert cmds.getAttr(f"{NODE}.problem") == ""


def test_no_shape_but_a_range(cmds, jointlimits):
    joints = {name: replace(joint, coupled=None) for name, joint in TIED.joints.items()}
    bare = replace(TIED, joints=joints)
    motion = bent_arm(cmds)
    result = jointlimits.project_live(bare, JOINTS)
    assert result.projected == ("hand",)
    assert off(cmds, motion, bare) < TOLERANCE_RAD


# --- files ----------------------------------------------------------------------------------------


def save(cmds, path):
    cmds.file(rename=str(path))
    cmds.file(save=True, force=True, type="mayaAscii")


def test_a_saved_scene_opens_with_it(cmds, jointlimits, tmp_path):
    motion = bent_arm(cmds, turned=True)
    jointlimits.project_live(TIED, JOINTS)
    save(cmds, tmp_path / "kept.ma")
    text = (tmp_path / "kept.ma").read_text(encoding="utf-8")
    assert f'connectAttr "elbow.r" "{NODE}.dr[0]"' in text
    cmds.file(newFile=True, force=True)
    cmds.file(str(tmp_path / "kept.ma"), open=True, force=True)
    assert off(cmds, motion) < TOLERANCE_RAD
    assert jointlimits.project_live(TIED, JOINTS).unchanged == ("elbow", "hand")


@pytest.mark.parametrize("form", FORMS[:1])
def test_joints_of_a_reference(cmds, jointlimits, tmp_path, form):
    motion = bent_arm(cmds)
    save(cmds, tmp_path / "rig.ma")
    cmds.file(newFile=True, force=True)
    cmds.file(str(tmp_path / "rig.ma"), reference=True, namespace="rig")
    result = getattr(jointlimits, form)(TIED, "rig:hand")
    assert result.projected == ("rig:hand",)
    assert off(cmds, motion, joint="rig:hand") < TOLERANCE_RAD
    save(cmds, tmp_path / "shot.ma")
    cmds.file(newFile=True, force=True)
    cmds.file(str(tmp_path / "shot.ma"), open=True, force=True)
    assert off(cmds, motion, joint="rig:hand") < TOLERANCE_RAD


def test_of_two_characters_each_has_its_own_driver(cmds, jointlimits):
    cmds.namespace(addNamespace="a")
    cmds.namespace(addNamespace="b")
    motion = bent_arm(cmds, namespace="a:")
    bent_arm(cmds, CLIP, namespace="b:")
    jointlimits.project_live(TIED, "a:hand")
    assert off(cmds, motion, joint="a:hand") < TOLERANCE_RAD
    assert cmds.listConnections(f"a_{NODE}.driverRotate[0]", source=True) == ["a:elbow"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", ["b:", ""])
def test_two_characters_at_once_leave_no_joint_without_a_word(cmds, jointlimits, form, other):
    for namespace in ("a:", other):
        cmds.namespace(addNamespace=namespace.strip(":")) if namespace else None
        bent_arm(cmds, namespace=namespace)
    result = getattr(jointlimits, form)(TIED, ["a:hand", f"{other}hand"])
    twins = {one.joint for one in result.skipped if "several of this name" in one.reason}
    assert twins == ({"a:hand", "b:hand"} if other else {"a:hand"})
    assert "hand" not in {one.joint for one in result.skipped if one.reason == "not selected"}


CLIP = with_channels(bent_wrong()[0], "hand", FRAME_NUMBER, (0.0, 0.0, 0.0))


# --- drivers that are missing or circular ---------------------------------------------------------


def test_without_its_driver_a_joint_keeps_to_its_shape_and_says_so(maya, cmds, jointlimits):
    motion = bent_arm(cmds)
    cmds.parent("hand", world=True, relative=True)
    jointlimits.project_live(TIED, JOINTS)
    assert off(cmds, motion) < TOLERANCE_RAD
    cmds.delete("elbow")
    assert off(cmds, motion, ALONE) < TOLERANCE_RAD
    problem = "no rotation of elbow, which its ranges depend on"
    assert cmds.getAttr(f"{NODE}.problem") == problem
    maya.run_deferred()
    assert ("warning", f"{NODE}: {problem}") in maya.messages
    cmds.undo()
    assert cmds.getAttr(f"{NODE}.problem") == ""
    assert off(cmds, motion) < TOLERANCE_RAD


@pytest.mark.parametrize("form", FORMS)
def test_a_driver_that_is_not_there_is_named(cmds, jointlimits, form):
    motion = bent_arm(cmds)
    cmds.rename("elbow", "upper")
    result = getattr(jointlimits, form)(TIED, "hand")
    (why,) = [one for one in result.skipped if one.joint == "hand"]
    assert why.attribute == TIE.channel
    assert why.reason == "its range depends on elbow, which was not found in this character"
    assert off(cmds, motion, ALONE) < TOLERANCE_RAD


def drive_by_the_hand(cmds):
    cmds.cutKey("elbow", clear=True)
    cmds.connectAttr("hand.rotateX", "elbow.rotateX")


def put_below_the_hand(cmds):
    cmds.parent("hand", world=True, relative=True)
    cmds.parent("elbow", "hand", relative=True)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("make", [drive_by_the_hand, put_below_the_hand])
def test_a_cycle_is_refused_by_name(cmds, jointlimits, make, form):
    bent_arm(cmds)
    make(cmds)
    result = getattr(jointlimits, form)(TIED, "hand")
    (why,) = [one for one in result.skipped if one.joint == "hand"]
    assert why.reason == "its range depends on elbow, which depends on this joint itself"
    assert form == "project_keys" or "hand" in result.projected
    assert not (cmds.ls(NODE) and cmds.listConnections(f"{NODE}.driverRotate[0]", source=True))


def test_two_joints_that_depend_on_one_another(cmds, jointlimits):
    back = replace(TIE, joint="elbow", on_joint="hand")
    both = replace(TIED, dependencies=(TIE, back))
    bent_arm(cmds)
    result = jointlimits.project_live(both, JOINTS)
    assert result.projected == ("elbow", "hand")
    assert [(one.joint, one.reason) for one in result.skipped if "depends" in one.reason] == [
        ("elbow", "its range depends on hand, which depends on this joint itself")
    ]
    assert cmds.listConnections(f"{NODE}.driverRotate[0]", source=True) == ["elbow"]


def test_plain_nodes_say_that_they_hold_none(cmds, jointlimits):
    bent_arm(cmds)
    result = jointlimits.project_live(TIED, "hand", plain_nodes=True)
    assert result.projected == ()
    (why,) = [one for one in result.skipped if one.joint == "hand"]
    assert why.reason == "plain nodes support no range that depends on another joint"


def test_where_the_driver_turns_between_the_keys_of_a_joint_is_reported(cmds, jointlimits):
    motion = bent_wrong()[0]
    bend = motion.rotate_deg("elbow")[:, 0]
    most = float(motion.rotate_deg("hand")[:, 0].max())
    bent_arm(cmds, motion)
    cmds.cutKey(*JOINTS, clear=True)
    for frame, angle in ((1, bend.max()), (20, bend.min()), (40, bend.max())):
        cmds.setKeyframe("elbow", attribute="rotateX", time=frame, value=float(angle))
    for frame, angle in ((1, most + 30.0), (40, most)):
        for axis, value in zip("XYZ", (angle, 0.0, 0.0)):
            cmds.setKeyframe("hand", attribute=f"rotate{axis}", time=frame, value=value)
    (moved,) = jointlimits.project_keys(TIED, JOINTS).moved
    assert (moved.joint, moved.frames) == ("hand", (1.0,))
    assert moved.outside_between > 15
    assert moved.between_deg > 30.0


# --- duplicated characters ------------------------------------------------------------------------


def character(cmds, name, motion=None):
    """An arm below a group of its own, which is below a group of all characters."""
    cmds.createNode("transform", name=name, parent="characters")
    made = bent_arm(cmds, motion, namespace="copied_")
    cmds.parent("copied_elbow", f"|characters|{name}", relative=True)
    for joint in JOINTS[::-1]:
        cmds.rename(f"copied_{joint}", joint)
    return made


def test_of_duplicates_in_one_group_each_has_its_own_driver(cmds, jointlimits):
    cmds.createNode("transform", name="characters")
    character(cmds, "first", CLIP)
    motion = character(cmds, "second")
    joint = "|characters|second|elbow|hand"
    result = jointlimits.project_live(TIED, joint)
    assert TIE.channel not in {one.attribute for one in result.skipped}
    assert off(cmds, motion, joint=joint) < TOLERANCE_RAD
    assert cmds.listConnections(f"{NODE}.driverRotate[0]", source=True) == ["second|elbow"]


@pytest.mark.parametrize("form", FORMS)
def test_a_duplicate_without_its_driver_takes_none_of_another(cmds, jointlimits, form):
    cmds.createNode("transform", name="characters")
    character(cmds, "first", CLIP)
    character(cmds, "second")
    cmds.rename("|characters|second|elbow", "upper")
    result = getattr(jointlimits, form)(TIED, "|characters|second|upper|hand")
    why = next(one for one in result.skipped if one.attribute)
    assert why.reason == "its range depends on elbow, which was not found in this character"


def test_of_drivers_with_one_name_in_a_character_it_is_the_nearest(cmds, jointlimits):
    """A second skeleton below the same group has the same names."""
    motion = bent_arm(cmds)
    cmds.createNode("transform", name="character")
    cmds.parent("elbow", "character", relative=True)
    cmds.createNode("transform", name="second", parent="character")
    cmds.createNode("joint", name="elbow", parent="second")
    jointlimits.project_live(TIED, "hand")
    assert cmds.listConnections(f"{NODE}.driverRotate[0]", source=True) == ["character|elbow"]
    assert off(cmds, motion) < TOLERANCE_RAD
