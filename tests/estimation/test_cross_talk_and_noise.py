"""What follows a joint's own angles is told from free motion, and both from noise."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.estimation import (
    Noise,
    averaged,
    hinge_coordinates,
    hinge_terms,
    mean_square,
    moment_from_rotations,
    noise_floor,
    noise_model,
    split,
    unexplained,
    universal_coordinates,
)
from jointlimits_core.geometry import fit_universal
from tests.support.made_characters import START, echoing, wander
from tests.support.made_motion import hinge, noisy, random_rotation, universal


def test_what_the_terms_explain_is_coupled_and_nothing_else():
    rng = np.random.default_rng(7)
    angle = np.stack([wander(rng, 20.0, 400) for _ in range(3)])
    terms = hinge_terms(angle, START)
    weights = rng.standard_normal((3, 2, 4))
    own = rng.standard_normal((3, 2, 400))
    echo = weights @ terms
    np.testing.assert_allclose(unexplained(echo, terms), 0.0, atol=1e-6)
    both = split(echo + own, unexplained(echo + own, terms), average=False)
    np.testing.assert_allclose(both.free, mean_square(own), rtol=0.03)
    np.testing.assert_allclose(both.free + both.coupled, mean_square(echo + own), rtol=1e-9)


def test_with_few_samples_nothing_is_explained():
    series = np.random.default_rng(8).standard_normal((2, 2, 12))
    terms = hinge_terms(series[:, 0], START)
    assert unexplained(series, terms) is series


def test_a_clip_that_begins_is_no_motion():
    steps = np.concatenate([np.linspace(0.0, 1.0, 50), np.linspace(-3.0, -2.0, 50)])[None]
    sense = hinge_terms(steps, np.array([0, 50]))[0, 3]
    assert sense[49] == sense[50] == 0.0
    np.testing.assert_allclose(sense[1:49], sense[5])
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
    assert noise_model(1.0, series[:, :, :2], np.ones(10, dtype=bool)) == Noise(1.0, 1.0, 1.0)
