"""Cross-talk is distinguished from free motion, and both from noise."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.estimation.joint_type import decide_types
from jointlimits_core.estimation.moment import (
    Noise,
    averaged,
    cross_talk_of,
    hinge_coordinates,
    hinge_terms,
    mean_square,
    moment_from_rotations,
    noise_floor,
    noise_model,
    split,
    unexplained,
    without_cross_talk,
)
from jointlimits_core.geometry.axes import fit_universal, universal_coordinates
from jointlimits_core.geometry.quaternion import IDENTITY, multiply
from tests.support.made_characters import START, echoing, joint_of_type, wander
from tests.support.made_motion import ball, hinge, noisy, random_rotation, universal


def test_what_the_terms_explain_is_coupled_and_nothing_else():
    rng = np.random.default_rng(7)
    angle = np.stack([wander(rng, 20.0, 400) for _ in range(3)])
    terms = hinge_terms(angle, START)
    weights = rng.standard_normal((3, 2, 4))
    own = rng.standard_normal((3, 2, 400))
    echo = weights @ terms
    np.testing.assert_allclose(unexplained(echo, terms), 0.0, atol=1e-6)
    both = split(echo + own, echo + own, unexplained(echo + own, terms), average=False)
    np.testing.assert_allclose(both.free, mean_square(own), rtol=0.03)
    np.testing.assert_allclose(both.free + both.coupled, mean_square(echo + own), rtol=1e-9)


def test_with_few_samples_nothing_is_explained():
    series = np.random.default_rng(8).standard_normal((2, 2, 12))
    terms = hinge_terms(series[:, 0], START)
    assert unexplained(series, terms) is series


def test_a_clip_that_begins_is_no_motion():
    steps = np.concatenate([np.linspace(0.0, 1.0, 50), np.linspace(-3.0, -2.0, 50)])[None]
    sense = hinge_terms(steps, np.array([0, 50]))[0, 3]
    assert (sense[48:52] == 0.0).all()
    np.testing.assert_allclose(sense[2:48], sense[5])
    assert hinge_terms(steps, START)[0, 3, 49] != 0.0


def test_coordinates_of_a_universal_joint():
    rng = np.random.default_rng(9)
    angles = np.stack([wander(rng, 25.0, 200), wander(rng, 15.0, 200)], axis=1)
    rotations = universal(angles, random_rotation(rng), random_rotation(rng))[None]
    outer, inner, departure = universal_coordinates(rotations, fit_universal(rotations))
    np.testing.assert_allclose(departure, 0.0, atol=1e-5)
    for found, given_ in ((outer[0], angles[:, 0]), (inner[0], angles[:, 1])):
        sign = np.sign(np.corrcoef(found, given_)[0, 1])
        np.testing.assert_allclose(sign * (found - found[0]), given_ - given_[0], atol=1e-6)


def test_coordinates_of_a_hinge_do_not_see_signs():
    rng = np.random.default_rng(10)
    rotations = noisy(hinge([0, 1, 0], wander(rng, 20.0, 100)), 1.0, rng)[None]
    moment = moment_from_rotations(rotations)
    for one, other in zip(
        hinge_coordinates(rotations, moment), hinge_coordinates(-rotations, moment)
    ):
        np.testing.assert_array_equal(one, other)


def test_the_floor_is_found_beneath_cross_talk():
    rng = np.random.default_rng(11)
    bends = [wander(rng, 20.0, 600) for _ in range(8)]
    knees = np.stack(
        [noisy(echoing(hinge([1, 0, 0], bend), bend, 8.0), 1.0, rng) for bend in bends]
    )
    moment = moment_from_rotations(knees)
    angle, off = hinge_coordinates(knees, moment)
    rest = mean_square(unexplained(off, hinge_terms(angle, START)))
    moving = np.ones(8, dtype=bool)
    with_echo, without = noise_floor(moment, moving), noise_floor(moment, moving, rest)
    assert 1.0 < without < 2.0 < with_echo


def test_white_noise_is_averaged_away_and_soft_noise_is_not():
    rng = np.random.default_rng(13)
    white = rng.standard_normal((10, 2, 2000))
    window = np.hanning(31) / np.linalg.norm(np.hanning(31))
    soft = np.apply_along_axis(np.convolve, 2, white, window, "valid")
    moving = np.ones(10, dtype=bool)
    on_white, on_soft = (noise_model(1.0, series, moving) for series in (white, soft))
    assert on_white.left == pytest.approx(1.0 / np.sqrt(3.0), rel=0.05)
    assert on_soft.left == pytest.approx(1.0, rel=0.05)
    assert on_white.averages


@pytest.mark.parametrize("width", [1, 15])
def test_the_scatter_is_that_of_measured_powers(width):
    rng = np.random.default_rng(14)
    window = np.hanning(width + 2) / np.linalg.norm(np.hanning(width + 2))
    white = rng.standard_normal((400, 2, 300 + width + 1))
    series = np.apply_along_axis(np.convolve, 2, white, window, "valid")
    calm = averaged(series - series.mean(axis=2, keepdims=True))
    powers = np.mean(calm**2, axis=2)
    scatter = noise_model(1.0, series, np.ones(400, dtype=bool)).scatter
    assert scatter == pytest.approx(powers.std() / powers.mean(), rel=0.15)


def test_copies_of_samples_do_not_make_noise_surer():
    series = np.repeat(np.random.default_rng(15).standard_normal((10, 2, 500)), 6, axis=2)
    noise = noise_model(1.0, series, np.ones(10, dtype=bool))
    assert noise.scatter == pytest.approx(np.sqrt(2.0 / 500.0), rel=0.15)
    assert noise.left == pytest.approx(1.0, abs=0.15)


def test_without_noise_nothing_is_averaged():
    series = np.random.default_rng(16).standard_normal((10, 2, 50))
    assert not noise_model(0.0, series, np.ones(10, dtype=bool)).averages
    assert not noise_model(1.0, series, np.arange(10) < 3).averages
    assert noise_model(1.0, series[:, :, :2], np.ones(10, dtype=bool)) == Noise(
        1.0, 1.0, 1.0, samples=2
    )


# Cross-talk of a character, and of each clip ------------------------------------------------------


def limbs(rng, samples, echo, kinds):
    """Joints with cross-talk of their first angle, signs drawn anew, and a little noise."""
    made = []
    for kind in kinds:
        angles = np.stack([wander(rng, size, samples) for size in (20.0, 12.0, 9.0)], axis=1)
        still = joint_of_type(rng, kind, angles, IDENTITY, IDENTITY)
        made.append(noisy(echoing(still, angles[:, 0], rng.choice([-1, 1]) * echo), 0.5, rng))
    return np.stack(made)


def test_cross_talk_is_what_the_hinges_show():
    for echo in (0.0, 4.0, 8.0):
        joints = limbs(np.random.default_rng(3), 400, echo, ["hinge"] * 6 + ["ball"] * 2)
        moment = moment_from_rotations(joints)
        angle, off = hinge_coordinates(joints, moment)
        own, rest = without_cross_talk(off, [angle], hinge_terms, START)
        noise = noise_model(0.5, rest, np.ones(8, dtype=bool))
        motion = np.degrees(moment.spreads[:, 0])
        beyond = split(off, own, rest, True).beyond(noise, axes=2, terms=4, own_terms=2)
        found = cross_talk_of(beyond, motion, np.arange(8) < 6)
        assert found.measured
        assert (found.coupled > 0.02) == (echo > 0.0)
        assert found.between == 0.0
    too_few = cross_talk_of(beyond, motion, np.arange(8) < 4)
    assert not too_few.measured


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
