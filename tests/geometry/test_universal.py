"""Universal joints: two axes at right angles, found again in rotations made from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry import conjugate, fit_universal, rotated
from tests.support import naive_estimation as naive
from tests.support.made_motion import (
    X,
    Z,
    angle_between_lines,
    ball,
    hinge,
    noisy,
    random_rotation,
    universal,
)


def exact(rng, samples=150):
    """Rotations of a universal joint in random frames, and its two axes."""
    left, right = random_rotation(rng), random_rotation(rng)
    sizes, middles = rng.uniform(0.3, 1.4, 2), rng.uniform(-1.0, 1.0, 2)
    angles = middles + sizes * rng.uniform(-1.0, 1.0, (samples, 2))
    return universal(angles, left, right), rotated(left, Z), rotated(conjugate(right), X)


@pytest.mark.thorough
@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_exact_joints_are_found(seed):
    rng = np.random.default_rng(seed)
    made = [exact(rng) for _ in range(3)]
    fit = fit_universal(np.stack([rotations for rotations, _, _ in made]))
    assert np.degrees(fit.residual).max() < 1e-5
    for joint, (_, in_parent, in_child) in enumerate(made):
        assert angle_between_lines(fit.parent_axes[joint], in_parent) < 1e-3
        assert angle_between_lines(fit.child_axes[joint], in_child) < 1e-3


@given(st.integers(0, 2**32 - 1))
def test_the_residual_is_the_departure_from_a_right_angle(seed):
    rng = np.random.default_rng(seed)
    rotations = ball(rng.uniform(-1, 1, (30, 3)), random_rotation(rng))
    fit = fit_universal(rotations[None])
    off = [naive.off_right_angle(q, fit.parent_axes[0], fit.child_axes[0]) for q in rotations.T]
    assert fit.residual[0] == pytest.approx(np.sqrt(np.mean(np.square(off))), abs=1e-9)
    for axes in (fit.parent_axes, fit.child_axes):
        np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1.0, atol=1e-12)
        assert axes[0, np.argmax(np.abs(axes[0]))] > 0.0


def test_a_ball_is_far_from_it():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rotations = ball(rng.uniform(-0.8, 0.8, (300, 3)), random_rotation(rng))
        assert np.degrees(fit_universal(rotations[None]).residual[0]) > 10.0


@pytest.mark.thorough
def test_no_pair_of_axes_from_a_fine_search_is_better():
    rng = np.random.default_rng(4)
    directions = rng.standard_normal((4000, 2, 3))
    directions /= np.linalg.norm(directions, axis=2, keepdims=True)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        rotations = noisy(exact(rng)[0], 5.0, rng)
        best = fit_universal(rotations[None]).residual[0]
        carried = rotated(rotations.T, directions[:, None, 1])
        sine = np.sum(carried * directions[:, None, 0], axis=2)
        assert best <= np.sqrt((np.arcsin(sine) ** 2).mean(axis=1)).min() * 1.001


def test_noise_is_all_that_is_left_over():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        rotations, in_parent, in_child = exact(rng, 800)
        fit = fit_universal(noisy(rotations, 2.0, rng)[None])
        assert np.degrees(fit.residual[0]) == pytest.approx(2.0, rel=0.12)
        assert angle_between_lines(fit.parent_axes[0], in_parent) < 4.0
        assert angle_between_lines(fit.child_axes[0], in_child) < 4.0


def test_many_samples_are_thinned_evenly():
    rng = np.random.default_rng(9)
    rotations, in_parent, _ = exact(rng, 20000)
    fit = fit_universal(rotations[None])
    assert np.degrees(fit.residual[0]) < 1e-5
    assert angle_between_lines(fit.parent_axes[0], in_parent) < 1e-3


@pytest.mark.parametrize("samples", [1, 2, 3])
def test_so_few_samples_that_everything_fits(samples):
    rng = np.random.default_rng(samples)
    fit = fit_universal(ball(rng.uniform(-1, 1, (samples, 3)))[None])
    assert np.degrees(fit.residual[0]) < 0.01


def test_a_hinge_and_a_joint_at_rest_fit_too():
    rotations = np.stack([hinge(X, np.linspace(-1, 1, 60)), hinge(X, np.zeros(60))])
    fit = fit_universal(rotations)
    assert np.degrees(fit.residual).max() < 1e-5
    assert np.isfinite(fit.parent_axes).all()
    assert np.isfinite(fit.child_axes).all()
