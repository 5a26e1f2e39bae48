"""The example: reproduced to the byte, small, true to its own truth, equal in both formats."""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache

import numpy as np
import pytest

from examples.bvh_clip import bvh_motion
from examples.exercise import maya_motion
from examples.humanoid import JOINTS, maya_skeleton, rest_frames
from examples.make_humanoid import documents, main
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import quaternion
from jointlimits_core.geometry.euler import gimbal_margin
from tests.support.house_files import ROOT

EXAMPLES = ROOT / "examples"
FILES = ("humanoid_rom.ma", "humanoid_rom.bvh", "humanoid_truth.json")
TRUTH = json.loads((EXAMPLES / "humanoid_truth.json").read_text())["files"]
NAMES = tuple(joint.name for joint in JOINTS)


@pytest.fixture(scope="module")
def maya():
    return maya_motion(maya_skeleton())


@pytest.fixture(scope="module")
def bvh(maya):
    return bvh_motion(maya)


@pytest.fixture(scope="module")
def both(maya, bvh):
    return {"humanoid_rom.ma": maya, "humanoid_rom.bvh": bvh}


# --- the files -------------------------------------------------------------------------------


def test_the_generator_reproduces_the_committed_bytes(tmp_path, capsys):
    main(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)
    for name in FILES:
        committed = (EXAMPLES / name).read_bytes()
        assert (tmp_path / name).read_bytes() == committed, f"{name}: run examples.make_humanoid"
        assert len(committed) < 300_000
    assert capsys.readouterr().out.count("bytes") == 3


@pytest.mark.thorough
def test_the_generator_gives_the_same_text_twice():
    assert documents() == documents()


def test_every_connection_of_the_scene_joins_nodes_that_it_creates():
    scene = (EXAMPLES / "humanoid_rom.ma").read_text()
    nodes = re.findall(r'createNode \w+ -n "(\w+)"', scene)
    uuids = re.findall(r'rename -uid "([0-9A-F-]{36})"', scene)
    assert len(nodes) == len(set(nodes)) == len(uuids) == len(set(uuids))
    ends = re.findall(r'connectAttr "(\w+)\.\S+" "(\w+)\.\S+";', scene)
    assert len(ends) == scene.count("connectAttr ")
    assert {node for pair in ends for node in pair} == set(nodes)
    statements = [line for line in scene.splitlines() if not line.startswith(("//", "\t"))]
    assert all(
        line.startswith(("createNode", "connectAttr", "requires", "currentUnit", "fileInfo"))
        for line in statements
    )


# --- the exercise ----------------------------------------------------------------------------


def test_types_and_sides():
    kinds = {joint.name: joint.kind for joint in JOINTS}
    assert {n for n, kind in kinds.items() if kind == "fixed"} == {"Chest", "Head"}
    assert {n[4:] for n, kind in kinds.items() if kind == "hinge" and n.startswith("Left")} == {
        *("Elbow", "Knee", "Toe")
    }
    for name, kind in kinds.items():
        for truth in TRUTH.values():
            assert truth["joints"][name]["type"] == kind
        if name.startswith("Left"):
            assert kinds["Right" + name[4:]] == kind


@pytest.mark.parametrize("name", FILES[:2])
def test_truth_is_what_the_motion_reaches(name, both):
    for joint, truth in TRUTH[name]["joints"].items():
        degrees = both[name].rotate_deg(joint)
        for k, (low, high) in enumerate(truth["limits_deg"].values()):
            assert abs(degrees[:, k].min() - low) < 1e-6
            assert abs(degrees[:, k].max() - high) < 1e-6


def test_scene_limits_are_those_of_the_humanoid():
    for joint in JOINTS:
        truth = TRUTH["humanoid_rom.ma"]["joints"][joint.name]
        bounds = {f"rotate{axis.upper()}": [*pair] for axis, pair in joint.bounds.items()}
        if joint.hinge_axis is not None:
            assert truth["hinge"]["angle_deg"] == next(iter(bounds.values()))
        else:
            still = {f"rotate{axis}": [0.0, 0.0] for axis in "XYZ"}
            assert truth["limits_deg"] == {**still, **bounds}


def test_every_end_is_visited_while_the_other_channels_rest(maya):
    for joint in JOINTS:
        if joint.hinge_axis is not None:
            continue
        degrees = maya.rotate_deg(joint.name)
        for axis, bounds in joint.bounds.items():
            others = np.delete(degrees, "xyz".index(axis), axis=1)
            alone = degrees[(others == 0.0).all(axis=1), "xyz".index(axis)]
            np.testing.assert_allclose([alone.min(), alone.max()], bounds, atol=1e-9)


def test_ball_joints_move_on_three_channels_at_once(maya):
    for joint in JOINTS:
        moving = (np.abs(maya.rotate_deg(joint.name)) > 5.0).sum(axis=1)
        expected = {"fixed": 0, "hinge": 1, "universal": 2, "ball": 3}[joint.kind]
        if joint.hinge_axis is None:
            assert moving.max() == expected
        if expected > 1:
            assert (moving == expected).sum() > 10


@pytest.mark.parametrize("name", FILES[:2])
def test_hinges_turn_about_their_axis_and_nothing_else(name, both):
    """Exact to the digits that are written: 6 decimals in the scene, 4 in the BVH."""
    motion, tolerance = both[name], {"humanoid_rom.ma": 2e-8, "humanoid_rom.bvh": 3e-6}[name]
    skeleton = motion.skeleton
    for joint, truth in TRUTH[name]["joints"].items():
        if truth["type"] != "hinge":
            continue
        rest = skeleton.joint_orients[skeleton.index(joint)]
        turn = quaternion.multiply(motion.quaternion(joint), quaternion.conjugate(rest))
        axis = np.array(truth["hinge"]["axis_in_parent"])
        swing, twist = quaternion.swing_twist_from_quaternion(turn, axis)
        assert quaternion.angle_between(swing, quaternion.IDENTITY).max() < tolerance
        angle = np.degrees(quaternion.rotation_vector_from_quaternion(twist) @ axis)
        reached = [angle.min(), angle.max()]
        np.testing.assert_allclose(reached, truth["hinge"]["angle_deg"], atol=2e-4)


def test_left_and_right_are_mirrored(maya):
    worlds = maya.all_world_matrices()[::7]
    mirror = np.diag([-1.0, 1.0, 1.0])
    for name in NAMES:
        if name.startswith("Left"):
            # In the frame of the trunk, which itself is not symmetric while it turns.
            trunk = "Hips" if name[4:] in ("Hip", "Knee", "Ankle", "Toe") else "Chest"
            base = np.linalg.inv(worlds[:, NAMES.index(trunk)])
            left = base @ worlds[:, NAMES.index(name)]
            right = base @ worlds[:, NAMES.index("Right" + name[4:])]
            np.testing.assert_allclose(left[:, :3, 3] @ mirror, right[:, :3, 3], atol=1e-6)
            expected = -mirror @ left[:, :3, :3]
            np.testing.assert_allclose(right[:, :3, :3], expected, atol=1e-7)


def test_no_channel_jumps_and_none_comes_near_its_gimbal(both):
    for motion in both.values():
        for index, name in enumerate(NAMES):
            assert np.abs(np.diff(motion.rotate_deg(name), axis=0)).max() < 25.0
            order = motion.skeleton.rotate_orders[index]
            margin = gimbal_margin(motion.rotates[index].T, order).min()
            assert math.degrees(margin) > 19.0, (motion.name, name, order)


def test_rest_pose_is_where_the_humanoid_stands():
    places = maya_skeleton().rest_world_matrices()[:, :3, 3]
    np.testing.assert_allclose(places, [joint.position for joint in JOINTS], atol=2e-6)


# --- read back -------------------------------------------------------------------------------


def assert_same_motion(scene, clip):
    """World positions to 2e-3 cm and rotations to 2e-5, which is what four decimals allow."""
    scene_worlds, clip_worlds = scene.all_world_matrices(), clip.all_world_matrices()
    rest = quaternion.matrix_from_quaternion(rest_frames(scene.skeleton))
    for name in NAMES:
        s, c = scene.skeleton.index(name), clip.skeleton.index(name)
        np.testing.assert_allclose(
            scene_worlds[:, s, :3, 3], clip_worlds[:, c, :3, 3], rtol=0, atol=2e-3, err_msg=name
        )
        aligned = scene_worlds[:, s, :3, :3] @ rest[s].T
        np.testing.assert_allclose(
            aligned, clip_worlds[:, c, :3, :3], rtol=0, atol=2e-5, err_msg=name
        )


@lru_cache
def read(name):
    return read_motion(EXAMPLES / name)


def test_both_formats_are_written_from_the_same_motion(maya, bvh):
    assert_same_motion(maya, bvh)


@pytest.mark.thorough
@pytest.mark.parametrize("name", FILES[:2])
def test_readers_give_the_motion_that_was_written(name, both):
    written, found = both[name], read(name)
    assert found.joint_names == NAMES
    assert found.frame_rate == pytest.approx(30.0, abs=1e-8)
    assert found.frame_count == written.frame_count
    np.testing.assert_array_equal(found.skeleton.parents, written.skeleton.parents)
    assert found.skeleton.rotate_orders == written.skeleton.rotate_orders
    for joint in NAMES:
        np.testing.assert_allclose(
            found.rotate_deg(joint), written.rotate_deg(joint), rtol=0, atol=1e-6, err_msg=joint
        )
    np.testing.assert_allclose(
        found.all_world_matrices(), written.all_world_matrices(), rtol=0, atol=1e-6
    )


def test_scene_rest_pose_is_the_bind_pose(maya):
    found = read("humanoid_rom.ma")
    assert found.skeleton.rest_source in ("bind", "dagPose")
    np.testing.assert_allclose(
        found.skeleton.rest_world_matrices(), maya.skeleton.rest_world_matrices(), atol=1e-6
    )


def test_both_files_hold_the_same_motion():
    assert_same_motion(read("humanoid_rom.ma"), read("humanoid_rom.bvh"))
