"""The kept poses of a clip: few, and sufficient for every limit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.clip_summary import EVEN_FRAMES, clip_summary
from jointlimits_core.estimation.moment import moment_from_rotations
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.geometry import arrays
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.geometry.quaternion import quaternion_from_axis_angle
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.screening.rules import screen
from tests.support.made_motion import clip, noisy, random_direction, rotate, waves
from tests.support.unscreened import without_rules


def summed(motion):
    return clip_summary(screen(motion, skip_rules=["spike"]), motion)


def wandering(rng, frames=3000, joints=3, step=0.5, limit=70.0):
    """Random walks within bounds, with single extremes that evenly spaced frames would miss."""
    curves = {}
    for joint in range(joints):
        walk = np.cumsum(rng.normal(0.0, step, (frames, 3)), axis=0)
        walk = limit * np.sin(walk / limit)
        for axis in range(3):
            low, high = rng.choice(frames, 2, replace=False)
            walk[low, axis], walk[high, axis] = walk[:, axis].min() - 2, walk[:, axis].max() + 2
        curves[f"joint{joint}"] = walk
    return clip(curves)


# Which frames -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_extremes_of_every_channel_are_kept(seed):
    motion = wandering(np.random.default_rng(seed))
    kept = summed(motion)
    assert kept.count == motion.frame_count == 3000
    np.testing.assert_array_equal(kept.rotates.min(axis=2), motion.rotates.min(axis=2))
    np.testing.assert_array_equal(kept.rotates.max(axis=2), motion.rotates.max(axis=2))
    numbers = set(kept.frames.tolist())
    for channel in motion.rotates.reshape(-1, 3000):
        assert {float(channel.argmin()), float(channel.argmax())} <= numbers
    # Two ends of three channels and of the hinge angle, and of the arc, of each joint.
    joints = len(motion.skeleton)
    assert len(kept.frames) <= EVEN_FRAMES + joints * (2 * 3 + 2 + 2 * 3)
    at = np.searchsorted(motion.frames, kept.frames)
    np.testing.assert_array_equal(kept.rotations, motion.rotations[:, :, at])
    np.testing.assert_array_equal(kept.rotates, motion.rotates[:, :, at])


def door(seed, noise):
    """A joint that turns about a slanting axis, and its angle."""
    rng = np.random.default_rng(seed)
    angles = np.radians(60.0 * np.sin(np.cumsum(rng.normal(0.0, 0.05, 2000))))
    turn = noisy(quaternion_from_axis_angle(random_direction(rng), angles).T, noise, rng)
    return Motion.from_quaternions(["door"], [-1], turn.T[:, None], 30.0), angles


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_extremes_of_the_hinge_angle_are_kept(seed):
    """With noise, these frames are not extremes of any channel."""
    motion, _ = door(seed, 6.0)
    cosine, sine = moment_from_rotations(motion.rotations).vectors[0, :2] @ motion.rotations[0]
    # Half the angle from the mean rotation, whatever the sign of the quaternion.
    seen = np.arctan(sine / cosine)
    assert {float(seen.argmin()), float(seen.argmax())} <= set(summed(motion).frames.tolist())


@pytest.mark.parametrize("seed", range(4))
def test_the_range_of_a_hinge_is_that_of_all_frames(seed):
    motion, angles = door(seed, 0.0)
    hinge = estimate(motion, EstimateOptions(limit_root=True)).joints["door"].hinge
    assert np.radians(hinge.max_deg - hinge.min_deg) == pytest.approx(np.ptp(angles), abs=1e-9)


@pytest.mark.thorough
def test_joints_that_are_looked_at_in_several_goes(monkeypatch):
    motion = wandering(np.random.default_rng(2), frames=40_000, joints=3, step=0.1)
    monkeypatch.setattr(arrays, "BLOCK_BYTES", 3 * 8 * motion.frame_count)
    kept = summed(motion)
    for row, name in enumerate(motion.joint_names):
        bone = type(motion.skeleton)(
            (name,), [-1], rotate_orders=[motion.skeleton.rotate_orders[row]]
        )
        channels = motion.rotations[[row]], motion.frames, 30.0, motion.name, motion.rotates[[row]]
        alone = summed(Motion(bone, *channels))
        np.testing.assert_array_equal(kept.second[row], alone.second[0])
        np.testing.assert_array_equal(kept.lower.value[row], alone.lower.value[0])
        np.testing.assert_array_equal(kept.upper.steady[row], alone.upper.steady[0])
        np.testing.assert_array_equal(kept.goes_round[row], alone.goes_round[0])
        assert np.isin(alone.frames, kept.frames).all(), name


# Bounds -------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("from_source", [True, False])
def test_bounds_of_long_clips_are_those_of_all_frames(seed, from_source):
    rng = np.random.default_rng(seed)
    clips = [replace(wandering(rng, frames=n), name=f"clip{n}") for n in (400, 1500, 4000)]
    if not from_source:
        clips = [replace(motion, rotates=None) for motion in clips]
    found = estimate(clips, EstimateOptions(limit_root=True)).joints
    every = np.concatenate([np.degrees(screen(motion).rotates) for motion in clips], axis=2)
    for row, name in enumerate(clips[0].joint_names):
        for axis, channel in enumerate(CHANNELS):
            limit = found[name].limits[channel]
            seen = every[row, axis]
            assert (limit.min_deg, limit.max_deg) == pytest.approx((seen.min(), seen.max()))
            if name != "root":
                for bound in (limit.source.min, limit.source.max):
                    motion = next(item for item in clips if item.name == bound.clip)
                    at = int(np.searchsorted(motion.frames, bound.frame))
                    value = np.degrees(screen(motion).rotates[row, axis, at])
                    assert bound.value_deg == pytest.approx(value)


@pytest.mark.thorough
@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.floats(20.0, 300.0), st.floats(-180.0, 180.0))
def test_on_the_circle_on_both_sides_of_180_degrees(seed, width, middle):
    """Without channels, the angles may be in two pieces or on any turn."""
    rng = np.random.default_rng(seed)
    curve = 0.5 * width * np.sin(np.cumsum(rng.normal(0.0, 0.03, 2000))) + middle
    low, high = rng.choice(2000, 2, replace=False)
    curve[low], curve[high] = curve.min() - 1.0, curve.max() + 1.0
    motion = clip({"arm": rotate(x=curve)}, from_source=False)
    # The two single frames may pass for spikes.
    options = EstimateOptions(leave_out=("non-finite",))
    limit = estimate(motion, options).joints["arm"].limits["rotateX"]
    assert limit.state == "limited"
    assert limit.max_deg - limit.min_deg == pytest.approx(np.ptp(curve), abs=1e-6)
    turns = (limit.min_deg - curve.min()) / 360.0
    assert turns == pytest.approx(round(turns), abs=1e-6)


def test_keys_on_both_sides_of_180_degrees_that_are_not_brought_to_one_branch():
    (curve,) = waves((150, 215), frames=2000)
    curve[777], curve[1234] = 149.0, 216.0
    wrapped = (curve + 180.0) % 360.0 - 180.0
    # The other channels move as far, so that no hinge goes along with this one.
    motion = clip({"arm": rotate(wrapped, *waves((-60, 60), (-50, 70), frames=2000))})
    with without_rules("euler-flip", "spike"):
        limit = estimate(motion).joints["arm"].limits["rotateX"]
    assert limit.max_deg - limit.min_deg == pytest.approx(67.0)
    assert limit.min_deg % 360.0 == pytest.approx(149.0)
    assert (limit.source.min.frame, limit.source.max.frame) == (777.0, 1234.0)
