"""Scenes that are written of motions are read back as the same motion."""

import re
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.formats.maya_ascii.motion_scene import motion_scene, write_motion_scene
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.geometry.quaternion import (
    angle_between,
    normalize,
    quaternion_from_rotation_vector,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.shared_data import shared


def wandering(frames=25, seed=0):
    """Six joints, one in every rotate order, that turn smoothly and far."""
    random = np.random.default_rng(seed)
    turns = np.cumsum(0.2 * random.normal(size=(frames, 6, 3)), axis=0)
    motion = Motion.from_quaternions(
        [f"|rig|c:joint {n}" for n in range(6)],
        [-1, 0, 1, 1, 3, 0],
        quaternion_from_rotation_vector(turns),
        24.0,
        offsets=random.normal(size=(6, 3)),
        rotate_orders=ROTATE_ORDERS,
        joint_orients=normalize(random.normal(size=(6, 4))),
        rotate_axes=normalize(random.normal(size=(6, 4))),
        frames=np.arange(frames) + 10.0,
    )
    return replace(motion, translations={0: np.cumsum(random.normal(size=(frames, 3)), axis=0)})


def again(motion, folder):
    write_motion_scene(motion, folder / "scene.ma")
    return read_motion(folder / "scene.ma")


@pytest.mark.parametrize("seed", range(3))
def test_rotations_places_and_frames_come_back(seed, tmp_path):
    motion = wandering(seed=seed)
    back = again(motion, tmp_path)
    first, second = np.moveaxis(motion.rotations, 1, 2), np.moveaxis(back.rotations, 1, 2)
    assert np.degrees(angle_between(first, second)).max() < 1e-6
    np.testing.assert_allclose(back.all_world_matrices(), motion.all_world_matrices(), atol=1e-6)
    np.testing.assert_array_equal(back.frames, motion.frames)
    assert back.frame_rate == 24.0
    assert back.skeleton.rotate_orders == motion.skeleton.rotate_orders
    assert np.abs(np.diff(back.rotates, axis=2)).max() < np.pi  # curves do not jump


@pytest.mark.thorough
def test_an_acclaim_clip_comes_back(tmp_path):
    folder = "data/mocap/cmu_asfamc/02"
    clip = read_motion(shared(f"{folder}/02_03.amc"), skeleton=shared(f"{folder}/02.asf"))
    some = clip.take(range(40))
    back = again(some, tmp_path)
    assert back.frame_rate == 120.0
    np.testing.assert_allclose(back.all_world_matrices(), some.all_world_matrices(), atol=1e-5)


def test_names_become_names_of_nodes():
    bones = Skeleton(('a";quit', "b|a", "c|a", "9"), [-1, 0, 0, 0])
    still = np.tile([0.0, 0.0, 0.0, 1.0], (1, 4, 1))
    text = motion_scene(Motion.from_quaternions(bones.names, bones.parents, still, 30.0))
    names = re.findall(r'createNode joint -n "([^"]*)"', text)
    assert names == ["a__quit", "a", "a_2", "_9"]
    assert len(re.findall(r"^connectAttr", text, re.M)) == 12
