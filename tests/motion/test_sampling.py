"""Even samples: the ends, the speed between frames, and the branch of the channels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry import euler
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.motion.motion import Motion, resample
from tests.support.made_motion import clip, rotate, waves


def elbow(count=50, **fields):
    x, y, z = waves((0, 120), (-40, 30), (-20, 60), frames=count)
    return clip({"elbow": rotate(x, y, z)}, **fields)


@pytest.mark.thorough
@given(st.integers(2, 200), st.integers(2, 60))
def test_evenly_from_the_first_frame_to_the_last(count, frames):
    motion = elbow(frames, frames=np.arange(frames) * 2.0 + 7.0)
    even = resample(motion, count)
    assert even.frame_count == count
    assert even.frames[0] == motion.frames[0]
    assert even.frames[-1] == motion.frames[-1]
    np.testing.assert_allclose(np.diff(even.frames, 2), 0.0, atol=1e-10)
    for at in (0, -1):
        ends = even.quaternion("elbow")[at], motion.quaternion("elbow")[at]
        assert angle_between(*ends) < 1e-12
        np.testing.assert_allclose(even.rotate_deg("elbow")[at], motion.rotate_deg("elbow")[at])


def test_as_many_samples_as_frames_give_the_frames():
    motion = elbow(31)
    same = resample(motion, 31)
    np.testing.assert_allclose(same.rotations, motion.rotations, atol=1e-12)
    np.testing.assert_allclose(same.rotates, motion.rotates, atol=1e-12)


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_constant_speed_along_the_shorter_arc(order):
    motion = elbow(9, orders=order)
    tight = resample(motion, 8 * 5 + 1)
    q, keys = tight.quaternion("elbow"), motion.quaternion("elbow")
    steps = angle_between(q[1:], q[:-1]).reshape(8, 5)
    whole = angle_between(keys[1:], keys[:-1])[:, None]
    np.testing.assert_allclose(steps, np.repeat(whole / 5, 5, axis=1), atol=1e-9)
    np.testing.assert_allclose(angle_between(q[::5], keys), 0.0, atol=1e-9)


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_the_channels_show_the_rotations_on_the_branch_of_the_line(order):
    rng = np.random.default_rng(3)
    frame = {
        "joint_orients": euler.quaternion_from_euler(rng.uniform(-3, 3, (2, 3))),
        "rotate_axes": euler.quaternion_from_euler(rng.uniform(-3, 3, (2, 3))),
    }
    x, y, z = waves((150, 260), (-40, 30), (-400, -330), frames=40)
    motion = clip({"elbow": rotate(x, y, z)}, orders=order, **frame)
    even = resample(motion, 137)
    local = euler.local_from_rotate(
        even.rotates[1].T, frame["joint_orients"][1], frame["rotate_axes"][1], order
    )
    np.testing.assert_allclose(angle_between(local, even.quaternion("elbow")), 0.0, atol=1e-9)
    line = np.stack([np.interp(even.frames, motion.frames, v) for v in motion.rotates[1]])
    assert np.degrees(np.abs(even.rotates[1] - line)).max() < 3.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_held_exactly_in_gimbal_lock(order, sign):
    """Only a sum of the outer channels is defined there; the source's own share is kept."""
    pose = np.array([30.0, 50.0, 70.0])
    pose["xyz".index(order[1])] = 90.0 * sign
    motion = clip({"arm": np.tile(pose, (5, 1))}, orders=order)
    np.testing.assert_allclose(
        resample(motion, 13).rotate_deg("arm"), np.tile(pose, (13, 1)), atol=1e-6
    )


def test_what_moves_the_joints_besides_keeps_the_frame_before():
    motion = elbow(3)
    moved = Motion(
        motion.skeleton,
        motion.rotations,
        motion.frames,
        30.0,
        translations={0: np.arange(9.0).reshape(3, 3)},
        scales={1: np.arange(9.0).reshape(3, 3)},
        between={1: np.arange(48.0).reshape(3, 4, 4)},
    )
    even = resample(moved, 5)
    assert list(even.translations[0][:, 0]) == [0, 0, 3, 3, 3]
    assert list(even.scales[1][:, 0]) == [0, 0, 3, 3, 3]
    assert list(even.between[1][:, 0, 0]) == [0, 0, 16, 16, 16]


@pytest.mark.thorough
@given(
    st.sampled_from(euler.ROTATE_ORDERS),
    st.sampled_from([90.0, -90.0]),
    st.lists(st.floats(-300, 300), min_size=4, max_size=4),
    st.integers(-2, 2),
)
def test_nearest_angles_in_gimbal_lock(order, lock, outer, turns):
    """Among all sets of a rotation in the lock none is nearer to the reference."""
    i, j, k = ("xyz".index(letter) for letter in order)
    angles, reference = np.zeros(3), np.zeros(3)
    angles[[i, j, k]] = np.radians([outer[0], lock, outer[1]])
    reference[[i, j, k]] = np.radians([outer[2], lock + 360.0 * turns, outer[3]])
    q = euler.quaternion_from_euler(angles, order)
    found = euler.euler_near(q, reference, order)
    assert angle_between(euler.quaternion_from_euler(found, order), q) < 1e-7
    assert found[j] == pytest.approx(reference[j], abs=1e-6)
    off = np.abs(found - reference)
    assert off[i] == pytest.approx(off[k], abs=1e-9)
    assert off[i] <= 0.5 * np.pi + 1e-9
