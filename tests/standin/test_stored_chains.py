"""IK of the stand-in against the rotations that Maya stored below IK handles in public scenes.

Chains and their joints are in oracle/maya_numbers/ik_chains.json in the shared data.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from tests.maya_standin import NotModelledError, ik
from tests.maya_standin.nodes import Plug
from tests.support.shared_data import shared

NO_AXIS, ONE_AXIS, SEVERAL_AXES = "zero", "about one axis", "about several axes"


@cache
def chains(solver):
    document = json.loads(shared("oracle/maya_numbers/ik_chains.json").read_text())
    return [one for one in document["chains"] if one["usable"] and one["solver"] == solver]


class Chain:
    """A stored chain in the stand-in's terms: radians, in the space of the start joint's parent."""

    def __init__(self, stored):
        into = np.linalg.inv(np.array(stored["start_joint_parent_world"]))
        space = np.array(stored["handle_parent_world"])[:3, :3] @ into[:3, :3]
        self.name = stored["id"]
        self.joints = [self.joint(one) for one in stored["joints"]]
        self.rotates = [tuple(np.radians(one["rotate"])) for one in stored["joints"]]
        self.effector = stored["effector_translate"]
        self.handle = (np.array(stored["handle_world"]) @ into)[3, :3]
        self.pole = np.array(stored["pole_vector"]) @ space

    @staticmethod
    def joint(stored):
        angles = ("joint_orient", "rotate_axis", "preferred_angle")
        orient, axis, preferred = (tuple(np.radians(stored[name])) for name in angles)
        order = stored["rotate_order"]
        return ik.Joint(tuple(stored["translate"]), orient, axis, order, preferred)

    @property
    def preferred(self):
        """About how many axes the middle joint's preferred angle is."""
        count = np.count_nonzero(np.abs(self.joints[1].preferred_angle) > 1e-9)
        return (NO_AXIS, ONE_AXIS, SEVERAL_AXES, SEVERAL_AXES)[count]

    @property
    def bones(self):
        return np.array(self.joints[1].translate), np.array(self.effector)

    def solved(self, **options):
        return ik.two_bones(*self.joints, self.effector, self.handle, self.pole, **options)

    def bend_deg(self, rotate):
        """Angle between the two bones."""
        upper, lower = self.bones[0], self.bones[1] @ self.joints[1].turned(tuple(rotate))
        return np.degrees(np.arctan2(np.linalg.norm(np.cross(upper, lower)), upper @ lower))

    def straight(self):
        """Point nearest to straight of the line from the preferred angle through the stored one."""
        preferred, line = self.joints[1].preferred_angle, self.rotates[1]
        line = np.subtract(line, preferred)
        low, high = 0.5, 1.5
        for _ in range(80):
            one, two = low + (high - low) / 3.0, high - (high - low) / 3.0
            nearer = self.bend_deg(preferred + one * line) < self.bend_deg(preferred + two * line)
            low, high = (low, two) if nearer else (one, high)
        return preferred + low * line


def two_bone_chains(*preferred):
    return [one for one in map(Chain, chains("ikRPsolver")) if one.preferred in preferred]


def off_deg(found, stored):
    return np.degrees(np.abs(np.subtract(found, stored)).max())


def test_chains_with_a_preferred_angle_about_at_most_one_axis_are_stored_so():
    """Preferred angle zero: k001, k002 and k059, which is the worst; about one axis: seven."""
    found = two_bone_chains(NO_AXIS, ONE_AXIS)
    assert [one.preferred for one in found].count(NO_AXIS) == 3
    assert len(found) == 10
    worst = {}
    for one in found:
        worst[one.name] = max(off_deg(*both) for both in zip(one.solved(), one.rotates))
    assert max(worst.values()) < 1e-3, worst
    del worst["k059"]  # its effector is 4.5e-6 of the chain's length away from its handle
    assert max(worst.values()) < 1e-4, worst


def test_the_start_joint_follows_from_the_preferred_plane_and_the_middle_joint():
    """In every chain, also where the middle joint has left that plane by degrees."""
    found = two_bone_chains(NO_AXIS, ONE_AXIS, SEVERAL_AXES)
    assert len(found) == 22
    for one in found:
        (start, middle), (upper, lower) = one.joints, one.bones
        normal = np.cross(upper, lower @ middle.turned(middle.preferred_angle))
        reach = upper + lower @ middle.turned(one.rotates[1])
        solved = ik.aimed(start, reach, normal, one.handle, one.pole)
        assert off_deg(solved, one.rotates[0]) < 2e-6, one.name


@pytest.mark.thorough
def test_other_preferred_angles_are_near_in_the_plane_and_nearer_on_the_line():
    """The line from the preferred angle through the stored pose ends in a straight pose.

    Near it a chain's effector, a millionth of its length off the handle, is seen in the angles.
    """
    found = two_bone_chains(SEVERAL_AXES)
    assert len(found) == 12
    for one in found:
        start, middle = (off_deg(*both) for both in zip(one.solved(), one.rotates))
        assert start < 0.16
        assert 0.7 < middle < 3.41
        straight = one.straight()
        assert one.bend_deg(straight) < 0.01
        start, middle = (off_deg(*both) for both in zip(one.solved(straight=straight), one.rotates))
        assert start < 4e-3, one.name
        assert middle < 6e-3, one.name


def test_single_bones_point_at_their_handles():
    found = [Chain(one) for one in chains("ikSCsolver")]
    assert len(found) == 7
    for one in found:
        (joint,) = one.joints
        solved = ik.one_bone(joint, one.effector, one.handle, ik.NO_ANGLES)
        assert off_deg(solved, one.rotates[0]) < 2e-6, one.name


# --- in a scene -----------------------------------------------------------------------------------


@pytest.fixture
def leg(maya, cmds):
    """Hip, knee and ankle in the plane x = 0 with a handle, which the joints follow."""
    for name, place in (("hip", (0, 10, 0)), ("knee", (0, 5, 1)), ("ankle", (0, 0, 0))):
        cmds.joint(name=name, position=place)
    scene = maya.scene
    effector = scene.create_node("ikEffector", "effector", scene.node("knee"))
    handle = scene.create_node("ikHandle", "handle")
    for axis, value in zip("XYZ", (0, -5, -1)):
        cmds.setAttr(f"effector.translate{axis}", value)
    cmds.setAttr("handle.poleVectorZ", 1)
    scene.connect(Plug(scene.node("hip"), "message"), Plug(handle, "startJoint"))
    scene.connect(Plug(effector, "handlePath[0]"), Plug(handle, "endEffector"))
    ik.follow(scene, handle)
    return cmds


@pytest.mark.parametrize("place", [(0, 0, 0), (1, 2, 3), (-2, 4, 0.5), (0, 12, 3)])
def test_joints_in_a_scene_follow_their_handle(leg, place):
    leg.setAttr("handle.translate", *place)
    ankle, knee = (leg.getAttr(f"{name}.worldMatrix[0]")[12:15] for name in ("ankle", "knee"))
    np.testing.assert_allclose(ankle, place, atol=1e-9)
    line = np.subtract(place, (0, 10, 0))
    across = np.cross(line, (0, 0, 1))
    assert abs(np.dot(across, np.subtract(knee, (0, 10, 0)))) < 1e-9
    assert np.dot(np.cross(across, line), np.subtract(knee, (0, 10, 0))) > 0.0


def test_a_chain_without_a_plane_and_longer_chains_are_refused(leg, maya):
    scene = maya.scene
    with pytest.raises(NotModelledError, match="plane"):
        ik.two_bones(ik.Joint((0, 0, 0)), ik.Joint((1, 0, 0)), (1, 0, 0), (1, 1, 0), (0, 1, 0))
    handle = scene.create_node("ikHandle", "other")
    effector = scene.create_node("ikEffector", "tip", scene.node("ankle"))
    scene.connect(Plug(scene.node("hip"), "message"), Plug(handle, "startJoint"))
    scene.connect(Plug(effector, "handlePath[0]"), Plug(handle, "endEffector"))
    with pytest.raises(NotModelledError, match="two bones"):
        ik.follow(scene, handle)
