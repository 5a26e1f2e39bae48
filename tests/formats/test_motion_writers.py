"""Motions that are written as files are read back as the same motion."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.bvh import bvh_text
from jointlimits_core.formats.maya_ascii.motion_scene import motion_scene
from jointlimits_core.formats.registry import read_motion, write_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.geometry.quaternion import (
    angle_between,
    normalize,
    quaternion_from_rotation_vector,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.maya_standin.commands.ui_values import RATES
from tests.support.house_files import ROOT
from tests.support.shared_data import shared_path

both_formats = pytest.mark.parametrize("ending", [".bvh", ".ma"])


def write_and_read(motion: Motion, folder: Path, ending: str) -> Motion:
    write_motion(motion, folder / f"again{ending}")
    return read_motion(folder / f"again{ending}")


def assert_same(one: Motion, other: Motion, degrees: float = 2e-6, length: float = 1e-5) -> None:
    """Rotations and places of joints are the same, whatever their order."""
    rows = [other.skeleton.index(name) for name in one.joint_names]
    first, second = np.moveaxis(one.rotations, 1, 2), np.moveaxis(other.rotations[rows], 1, 2)
    assert np.degrees(angle_between(first, second)).max() < degrees
    places = (one.all_world_matrices(), other.all_world_matrices()[:, rows])
    np.testing.assert_allclose(*(world[..., :3, 3] for world in places), rtol=0.0, atol=length)


@pytest.mark.thorough
@both_formats
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 12))
def test_any_tree_with_any_frames_comes_back(tmp_path_factory, ending, seed, joints, frames):
    random = np.random.default_rng(seed)
    skeleton = Skeleton(
        tuple(f"joint{n}" for n in range(joints)),
        [-1, *(int(random.integers(n)) for n in range(1, joints))],
        random.normal(size=(joints, 3)),
        rotate_orders=tuple(ROTATE_ORDERS[int(random.integers(6))] for _ in range(joints)),
        joint_orients=normalize(random.normal(size=(joints, 4))),
        rotate_axes=normalize(random.normal(size=(joints, 4))),
    )
    turns = np.cumsum(0.4 * random.normal(size=(joints, frames, 3)), axis=1)
    rotations = np.swapaxes(quaternion_from_rotation_vector(turns), 1, 2)
    places = {0: np.cumsum(random.normal(size=(frames, 3)), axis=0)}
    motion = Motion(skeleton, rotations, np.arange(frames) + 10.0, 24.0, translations=places)
    back = write_and_read(motion, tmp_path_factory.mktemp("again"), ending)
    assert_same(motion, back)
    assert back.frame_rate == pytest.approx(24.0)
    assert np.abs(np.diff(back.rotates, axis=2)).max(initial=0.0) < np.pi  # curves do not jump
    if ending == ".ma":
        np.testing.assert_array_equal(back.frames, motion.frames)
        orders = dict(zip(back.joint_names, back.skeleton.rotate_orders))
        assert orders == dict(zip(skeleton.names, skeleton.rotate_orders))


@pytest.mark.thorough
@both_formats
def test_an_acclaim_clip_comes_back(tmp_path, ending):
    folder = "data/mocap/cmu_asfamc/02"
    clip = read_motion(shared_path(f"{folder}/02_03.amc"), skeleton=shared_path(f"{folder}/02.asf"))
    motion = clip.keep_frames(range(40))
    back = write_and_read(motion, tmp_path, ending)
    assert back.frame_rate == pytest.approx(120.0)
    assert_same(motion, back)


def test_a_maya_scene_with_groups_and_scales_comes_back(tmp_path):
    made = read_motion(ROOT / "examples" / "humanoid_rom.ma")
    turn = np.eye(4)
    turn[:3, :3], turn[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1.0, 2.0, 3.0]
    scales = np.full((len(made.skeleton), 3), 1.1)
    skeleton = replace(made.skeleton, between={1: turn}, scales=scales)
    motion = replace(made, skeleton=skeleton).keep_frames(range(0, made.frame_count, 97))
    assert_same(motion, write_and_read(motion, tmp_path, ".bvh"), degrees=360.0, length=1e-4)


@both_formats
def test_rotations_do_not_jump_between_frames(tmp_path, ending):
    """A steady turn through 180 degrees stays one rising curve."""
    angles = np.radians(np.linspace(0.0, 350.0, 40))
    quaternions = np.zeros((40, 1, 4))
    quaternions[:, 0, 2], quaternions[:, 0, 3] = np.sin(angles / 2), np.cos(angles / 2)
    motion = Motion.from_quaternions(["root"], [-1], quaternions, 30.0)
    back = write_and_read(motion, tmp_path, ending)
    assert np.all(np.diff(back.rotate_deg("root")[:, 2]) > 0.0)


def turning(frame_rate: float, first: float = -3.0) -> Motion:
    """One joint that turns over six frames."""
    turns = np.zeros((6, 1, 3))
    turns[:, 0, 0] = np.linspace(0.0, 1.0, 6)
    rotations = np.swapaxes(quaternion_from_rotation_vector(turns), 0, 1).swapaxes(1, 2)
    return Motion(Skeleton(("a",), [-1]), rotations, np.arange(6) + first, frame_rate)


@pytest.mark.parametrize(
    ("rate", "unit", "plays"),
    [
        (24.0, "film", None),
        (24.0000001, "film", None),
        (23.976, "23.976fps", None),
        (30000.0 / 1001.0, "29.97fps", None),
        (60000.0 / 1001.0, "59.94fps", None),
        (120.0, "120fps", None),
        (120.0048, "120fps", None),  # a frame time of 0.008333 s
        (59.9988, "ntscf", None),
        (1.0, "sec", None),
        (1000.0, "millisec", None),
        (48000.0, "48000fps", None),
        (119.88, "120fps", "0.10 % faster"),
        (100.7, "100fps", "0.70 % slower"),
        (7.5, "8fps", "6.67 % faster"),
        (0.5, "sec", "100.00 % faster"),
        (8000.0, "6000fps", "25.00 % slower"),
        (1e5, "48000fps", "52.00 % slower"),
    ],
)
def test_a_scene_has_the_nearest_time_unit_of_maya(tmp_path, rate, unit, plays):
    path = tmp_path / "a.ma"
    found = write_motion(turning(rate), path)
    assert f" -t {unit};" in path.read_text("utf-8")
    messages = [finding.message for finding in found]
    assert messages == [
        f"Maya has no time unit for {rate:.9g} fps, so the scene uses {RATES[unit]:g} fps; "
        f"frame numbers are unchanged, but the motion plays {plays}"
    ] * (plays is not None)
    assert write_motion(turning(rate), tmp_path / "a.bvh") == ()


@settings(max_examples=60, deadline=None)
@given(st.floats(-4.0, 6.0).map(lambda power: 10.0**power), st.integers(-1000, 100_000))
def test_frames_come_back_equal_at_any_rate(tmp_path_factory, rate, first):
    motion = turning(rate, first)
    folder = tmp_path_factory.mktemp("rate")
    back = write_and_read(motion, folder, ".ma")
    np.testing.assert_array_equal(back.frames, motion.frames)
    assert_same(motion, back)
    unit = re.search(r" -t ([^;]+);", (folder / "again.ma").read_text("utf-8"))[1]
    assert back.frame_rate == pytest.approx(RATES[unit], rel=2e-6)
    ratios = np.abs(np.log(np.array(list(RATES.values())) / rate))
    assert abs(np.log(RATES[unit] / rate)) <= ratios.min() + 2e-6


def test_names_are_one_line_of_printable_text():
    motion = Motion.from_quaternions(["a\n}\nJOINT b"], [-1], [[[0, 0, 0, 1.0]]], 30.0)
    assert sum(line.startswith("ROOT") for line in bvh_text(motion).splitlines()) == 1
    assert "\nJOINT" not in bvh_text(motion)


def test_a_name_that_grows_when_it_is_made_printable_is_read_again(tmp_path):
    name = "arm" + 400 * "\x06"  # 3 + 4 * 400 characters when it is printed
    motion = Motion.from_quaternions([name], [-1], [[[0, 0, 0, 1.0]]], 30.0)
    back = write_and_read(motion, tmp_path, ".bvh")
    assert back.skeleton.names[0].startswith(r"arm\x06\x06")


def test_names_become_names_of_nodes():
    names = ['a";quit', "|rig|b|a", "c|x:a", "9"]
    still = np.tile([0.0, 0.0, 0.0, 1.0], (1, 4, 1))
    text = motion_scene(Motion.from_quaternions(names, [-1, 0, 0, 0], still, 30.0))
    found = re.findall(r'createNode joint -n "([^"]*)"', text)
    assert found == ["a__quit", "a", "a_2", "_9"]
    assert len(re.findall(r"^connectAttr", text, re.M)) == 12
