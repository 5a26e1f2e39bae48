"""Clamping preview against forward kinematics one frame at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.alignment import align
from jointlimits_core.evaluation.clamping_preview import clamping_preview_of
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from tests.support.evaluation_examples import box, chain, limits, without_rotates
from tests.support.made_motion import rotate
from tests.support.shared_data import shared_path

LOCKED = (0.0, 0.0)


def clamping_preview(limit_set, motion, branch="main"):
    return clamping_preview_of(align(limit_set, motion, branch, every_joint=True))


def turn(axis, degrees):
    """3x3 rotation about X, Y or Z."""
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def tip_of(angles_deg, orders, length=10.0):
    """Place of the end of a chain along X; `angles_deg` is one triple per joint."""
    place, frame = np.zeros(3), np.eye(3)
    for angles, order in zip(angles_deg, orders):
        for letter in reversed(order):
            axis = "xyz".index(letter)
            frame = frame @ turn(axis, angles[axis])
        place = place + frame @ np.array([length, 0.0, 0.0])
    return place


def test_a_hinge_that_goes_too_far():
    """A stick of length 10 that is turned back by 30 degrees moves by 2 * 10 * sin 15."""
    motion = chain({"elbow": rotate(z=[0, 30, 60, 90, 45])})
    found = clamping_preview(limits({"elbow": box(LOCKED, LOCKED, (0, 60), kind="hinge")}), motion)
    assert found.frames_clipped == 1
    (end,) = found.effectors
    assert (end.joint, end.frame) == ("tip", 4.0)
    assert end.distance == pytest.approx(20.0 * np.sin(np.radians(15.0)))


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), order=st.sampled_from(ROTATE_ORDERS))
def test_the_same_as_one_frame_at_a_time(seed, order):
    rng = np.random.default_rng(seed)
    curves = {name: rng.uniform(-80.0, 80.0, (12, 3)) for name in "abc"}
    motion = chain(curves, rotate_orders=(order,) * 4)
    ends = {name: np.sort(rng.uniform(-70.0, 70.0, (3, 2)), axis=1) for name in "abc"}
    limit_set = limits({name: box(*map(tuple, ends[name]), order=order) for name in "abc"})
    found = clamping_preview(limit_set, motion, branch="keys")
    moved = []
    for frame in range(12):
        before = [curves[name][frame] for name in "abc"]
        after = [np.clip(curves[name][frame], *ends[name].T) for name in "abc"]
        moved.append(np.linalg.norm(tip_of(after, [order] * 3) - tip_of(before, [order] * 3)))
    assert found.effectors[0].distance == pytest.approx(max(moved), abs=1e-9)
    assert found.effectors[0].frame == np.argmax(moved) + 1.0
    clipped = [(np.clip(curves[name], *ends[name].T) != curves[name]).any(axis=1) for name in "abc"]
    assert found.frames_clipped == np.any(clipped, axis=0).sum()


def test_a_twist_of_the_last_bone_changes_a_frame_and_moves_no_end():
    motion = chain({"a": rotate(x=[0, 50, 10])})
    found = clamping_preview(limits({"a": box((0, 20), LOCKED, LOCKED)}), motion)
    assert found.frames_clipped == 1
    assert all(end.distance < 1e-12 for end in found.effectors)


def test_rotations_without_keys_and_skeletons_with_scales():
    motion = chain({"a": rotate(z=[0, 90, 10])}, scales=np.array([[2.0, 2, 2], [1, 1, 1]]))
    limit_set = limits({"a": box(LOCKED, LOCKED, (0, 30))})
    found = clamping_preview(limit_set, without_rotates(motion))
    # The joint's own scale makes the bone twice as long.
    assert found.effectors[0].distance == pytest.approx(2 * 20.0 * np.sin(np.radians(30.0)))


def test_flipped_keys_are_clamped_only_if_that_is_asked():
    motion = chain({"a": rotate(z=[0, 20, 380, 400, 10])})
    limit_set = limits({"a": box(LOCKED, LOCKED, (0, 60))})
    assert clamping_preview(limit_set, motion).frames_clipped == 0
    as_maya = clamping_preview(limit_set, motion, branch="keys")
    # 380 is clamped to 60, a turn of 40 degrees; 400 by 20.
    assert as_maya.frames_clipped == 2
    assert as_maya.effectors[0].frame == 3.0
    assert as_maya.effectors[0].distance == pytest.approx(20.0 * np.sin(np.radians(20.0)))


def test_the_frame_of_a_long_clip():
    z = np.linspace(0.0, 90.0, 3000)
    found = clamping_preview(
        limits({"a": box(LOCKED, LOCKED, (0, 10.0))}), chain({"a": rotate(z=z)})
    )
    assert found.effectors[0].frame == 3000.0
    assert found.effectors[0].distance == pytest.approx(20.0 * np.sin(np.radians(40.0)))
    assert found.frames_clipped == (z > 10.0).sum()


@pytest.mark.thorough
def test_subject_02_through_the_limits_of_its_walk():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clips = [read_motion(folder / f"02_0{n}.amc", skeleton=folder / "02.asf") for n in (1, 3, 5)]
    limit_set = estimate(clips[:2])
    assert clamping_preview(limit_set, clips[0]).frames_clipped == 0
    found = clamping_preview(limit_set, clips[2])
    end = found.effectors[0]
    assert 0.1 < end.distance * clips[0].skeleton.meters_per_unit < 2.0
