"""Cross-talk is distinguished from free motion, and both from noise."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.estimation.joint_type import decide_types
from jointlimits_core.estimation.moment import moment_from_rotations
from jointlimits_core.geometry.quaternion import IDENTITY, multiply
from tests.support.made_characters import echoing, joint_of_type, wander
from tests.support.made_motion import ball, noisy

# Cross-talk of a character, and of each clip ------------------------------------------------------


def limbs(rng, samples, echo, kinds):
    """Joints with cross-talk of their first angle, random signs, and a little noise."""
    made = []
    for kind in kinds:
        angles = np.stack([wander(rng, size, samples) for size in (20.0, 12.0, 9.0)], axis=1)
        still = joint_of_type(rng, kind, angles, IDENTITY, IDENTITY)
        made.append(noisy(echoing(still, angles[:, 0], rng.choice([-1, 1]) * echo), 0.5, rng))
    return np.stack(made)


def test_markers_put_on_anew_for_each_clip_do_not_make_balls_of_hinges():
    rng, kinds = np.random.default_rng(4), ["hinge"] * 6 + ["universal"] * 2 + ["ball"] * 2
    clips = [limbs(rng, 300, 7.0, kinds) for _ in range(4)]
    starts = np.arange(4) * 300
    joints = np.concatenate(clips, axis=2)
    decision = decide_types(joints, moment_from_rotations(joints), clip_starts=starts)
    assert list(decision.types) == kinds
    as_one = decide_types(joints, moment_from_rotations(joints))
    assert as_one.types[:6] != ("hinge",) * 6


# Small motion and noise ---------------------------------------------------------------------------


def test_small_smooth_motion_of_all_joints_is_not_noise():
    rng, joints = np.random.default_rng(6), []
    for size in np.geomspace(0.15, 6.0, 12):
        vectors = np.stack([wander(rng, s, 400) for s in (25.0, 2.0 * size, size)], axis=1)
        joints.append(noisy(ball(vectors), 0.02, rng))
    finger = np.stack([wander(rng, size, 400) for size in (3.0, 2.0, 1.0)], axis=1)
    joints = np.stack([*joints, noisy(ball(finger), 0.02, rng)])
    decision = decide_types(joints, moment_from_rotations(joints))
    assert decision.noise < 0.3
    assert "fixed" not in decision.types


def test_noise_that_reaches_all_joints_is_noise_however_smooth():
    rng, window = np.random.default_rng(8), np.hanning(15)
    joints = limbs(rng, 400, 0.0, ["fixed"] * 3 + ["hinge"] * 6 + ["ball"] * 3)
    white = rng.standard_normal((12, 414, 3))
    soft = np.apply_along_axis(np.convolve, 1, white, window / np.linalg.norm(window), "valid")
    shaken = np.stack([multiply(q.T, ball(np.radians(2.0 * v)).T).T for q, v in zip(joints, soft)])
    decision = decide_types(shaken, moment_from_rotations(shaken))
    assert decision.noise == pytest.approx(2.0, abs=0.3)
    assert decision.types[:3] == ("fixed",) * 3
