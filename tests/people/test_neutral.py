"""Neutral form: the same angles of the same motion, whatever the skeleton."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.made_figures import SCHEMES, dressed, role_names
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_axis_angle
from jointlimits_core.motion.motion import Motion
from jointlimits_core.people.bones import find_figure
from jointlimits_core.people.neutral import (
    PARTS,
    WAYS,
    neutral_reaches,
    neutral_turns,
    standard_pose,
    way_count,
)
from tests.support.house_files import ROOT
from tests.support.human_rigs import body, skeleton


@pytest.fixture(scope="module")
def human():
    return read_motion(ROOT / "examples" / "humanoid_rom.bvh").keep_frames(range(0, 1821, 12))


def reaches_of(motion):
    standard = standard_pose(find_figure(motion.skeleton), [motion])
    return neutral_reaches(standard, neutral_turns(standard, motion))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("arms_deg", [0.0, 30.0])
def test_other_names_axes_and_rest_poses_give_the_same_angles(human, scheme, arms_deg):
    names = role_names(find_figure(human.skeleton), scheme)
    known = reaches_of(human)
    other = reaches_of(dressed(human, names, 3, arms_deg))
    assert set(other) == set(known)
    assert len(known) == 2 + 2 * 7
    for key, values in known.items():
        # Rest poses that are lowered out of the plane of the figure differ a little in twist.
        np.testing.assert_allclose(other[key], values, atol=3.0 if arms_deg else 1e-3)


def posed(**turns):
    """One frame of the made body, joints turned: name=(axis, degrees)."""
    bones = skeleton(body())
    local = np.tile([0.0, 0.0, 0.0, 1.0], (1, len(bones), 1))
    for name, (axis, degrees) in turns.items():
        local[0, bones.index(name)] = quaternion_from_axis_angle(
            np.eye(3)["xyz".index(axis)], np.radians(degrees)
        )
    return Motion.from_quaternions(bones.names, bones.parents, local, 30.0, offsets=bones.offsets)


@pytest.mark.parametrize("degrees", [-20.0, 0.0, 15.0, 90.0])
def test_bends_are_signed(degrees):
    reaches = reaches_of(
        posed(l_forearm=("y", -degrees), r_forearm=("y", degrees), l_calf=("x", degrees))
    )
    for part, side in (("elbow", "left"), ("elbow", "right"), ("knee", "left")):
        np.testing.assert_allclose(reaches[part, side], [[degrees, -degrees]], atol=1e-6)


def test_directions_grow_towards_where_the_bone_goes():
    raised = reaches_of(posed(l_upperarm=("z", 90.0), r_upperarm=("z", -90.0)))
    up = WAYS @ [0.0, 1.0, 0.0]
    for side in ("left", "right"):
        directions = raised["shoulder", side][0, : len(WAYS)]
        assert WAYS[np.argmax(directions)] @ [0, 1, 0] == up.max()
        np.testing.assert_allclose(directions.max(), 180 - np.degrees(np.arccos(up.max())))


@pytest.mark.parametrize(
    ("joint", "part", "side"), [("l_thigh", "hip", "left"), ("spine", "spine", "")]
)
def test_twists_are_about_the_bone(joint, part, side):
    values = reaches_of(posed(**{joint: ("y", 25.0)}))[part, side]
    still = reaches_of(posed())[part, side]
    assert abs(values - still)[0, -2:] == pytest.approx([25.0, 25.0], abs=1e-6)
    np.testing.assert_allclose(values[0, :-2], still[0, :-2], atol=1e-6)


def test_the_twist_of_a_straight_arm_is_unknown():
    straight = reaches_of(posed())["shoulder", "left"]
    bent = reaches_of(posed(l_forearm=("y", -60.0)))["shoulder", "left"]
    assert np.isnan(straight[0, -2:]).all()
    assert not np.isnan(bent).any()


def test_a_rest_pose_of_zeros_carries_limbs_only(human):
    """The bones of some libraries all point along one axis; hinges show how limbs are twisted."""
    names = {name: name for name in human.joint_names}
    turned = dressed(human, names, 5)
    bones = turned.skeleton
    rest = bones.rest_rotations.copy()
    for name in ("LeftHip", "RightHip"):
        row = bones.index(name)
        across = np.cross(bones.offsets[row + 1], [1.0, 2.0, 3.0])
        flip = quaternion_from_axis_angle(across / np.linalg.norm(across), np.pi)
        rest[row] = multiply(rest[row], flip)
    motion = Motion.from_quaternions(
        turned.joint_names,
        bones.parents,
        np.moveaxis(turned.rotations, 2, 0),
        turned.frame_rate,
        offsets=bones.offsets,
        rest_rotations=rest,
    )
    standard = standard_pose(find_figure(motion.skeleton), [motion])
    carried = {part for part, _ in neutral_turns(standard, motion)}
    assert carried == {"spine", "shoulder", "elbow", "hip", "knee"}
    assert "head" in standard.left_out


def test_every_part_has_its_ways():
    assert [way_count(part) for part in PARTS] == [82, 82, 82, 2, 82, 82, 2, 82, 2]
