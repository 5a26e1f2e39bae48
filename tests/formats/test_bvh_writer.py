"""BVH files that are written are read back as the same motion."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.bvh import bvh_text, write_bvh
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.geometry.quaternion import angle_between, normalize
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.shared_data import shared

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def turned_by(one: Motion, other: Motion) -> float:
    rows = [other.skeleton.index(name) for name in one.joint_names]
    first, second = np.moveaxis(one.rotations, 1, 2), np.moveaxis(other.rotations[rows], 1, 2)
    return float(np.degrees(angle_between(first, second)).max())


def moved_by(one: Motion, other: Motion) -> float:
    rows = [other.skeleton.index(name) for name in one.joint_names]
    places = (one.all_world_matrices(), other.all_world_matrices()[:, rows])
    first, second = (world[..., :3, 3] for world in places)
    return float(np.abs(first - second).max())


def again(motion: Motion, folder: Path) -> Motion:
    write_bvh(motion, folder / "again.bvh")
    return read_motion(folder / "again.bvh")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 5))
def test_any_tree_with_any_frames_comes_back(tmp_path_factory, seed, joints, frames):
    random = np.random.default_rng(seed)
    skeleton = Skeleton(
        tuple(f"joint {n}" for n in range(joints)),
        [-1, *(int(random.integers(n)) for n in range(1, joints))],
        random.normal(size=(joints, 3)),
        rotate_orders=tuple(ROTATE_ORDERS[int(random.integers(6))] for _ in range(joints)),
        joint_orients=normalize(random.normal(size=(joints, 4))),
        rotate_axes=normalize(random.normal(size=(joints, 4))),
    )
    rotations = normalize(random.normal(size=(joints, frames, 4)))
    motion = Motion(
        skeleton,
        np.ascontiguousarray(np.swapaxes(rotations, 1, 2)),
        np.arange(frames),
        30.0,
        translations={0: random.normal(size=(frames, 3))},
    )
    back = again(motion, tmp_path_factory.mktemp("bvh"))
    assert turned_by(motion, back) < 2e-6
    assert moved_by(motion, back) < 1e-5
    assert back.frame_rate == pytest.approx(30.0)


def test_an_acclaim_clip_comes_back(tmp_path):
    clip = read_motion(
        shared("data/mocap/cmu_asfamc/02/02_03.amc"),
        skeleton=shared("data/mocap/cmu_asfamc/02/02.asf"),
    )
    back = again(clip, tmp_path)
    assert turned_by(clip, back) < 2e-6
    assert moved_by(clip, back) < 1e-5


def test_a_maya_scene_with_groups_and_scales_comes_back(tmp_path):
    made = read_motion(EXAMPLES / "humanoid_rom.ma")
    turn = np.eye(4)
    turn[:3, :3], turn[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1.0, 2.0, 3.0]

    skeleton = replace(
        made.skeleton, between={1: turn}, scales=np.full((len(made.skeleton), 3), 1.1)
    )
    motion = replace(made, skeleton=skeleton).take(range(0, made.frame_count, 97))
    back = again(motion, tmp_path)
    assert moved_by(motion, back) < 1e-4


def test_rotations_do_not_jump_between_frames(tmp_path):
    """A steady turn through 180 degrees stays one rising curve."""
    angles = np.radians(np.linspace(0.0, 350.0, 40))
    quaternions = np.zeros((40, 1, 4))
    quaternions[:, 0, 2], quaternions[:, 0, 3] = np.sin(angles / 2), np.cos(angles / 2)
    back = again(Motion.from_quaternions(["root"], [-1], quaternions, 30.0), tmp_path)
    assert np.all(np.diff(back.rotate_deg("root")[:, 2]) > 0.0)


def test_names_are_one_line_of_printable_text():
    motion = Motion.from_quaternions(["a\n}\nJOINT b"], [-1], [[[0, 0, 0, 1.0]]], 30.0)
    assert sum(line.startswith("ROOT") for line in bvh_text(motion).splitlines()) == 1
    assert "\nJOINT" not in bvh_text(motion)


def test_a_name_that_grows_when_it_is_made_printable_is_read_again(tmp_path):
    name = "arm" + 400 * "\x06"  # 3 + 4 * 400 characters when it is printed
    motion = Motion.from_quaternions([name], [-1], [[[0, 0, 0, 1.0]]], 30.0)
    assert again(motion, tmp_path).skeleton.names[0].startswith(r"arm\x06\x06")
