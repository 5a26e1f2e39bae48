"""The 4x4 moment: what it must not notice, and what it must show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.estimation.hinges import child_axes, hinge_angles, parent_axes
from jointlimits_core.estimation.joint_type import decide_types
from jointlimits_core.estimation.moment import moment_from_rotations
from jointlimits_core.geometry.circle import contiguous_interval
from jointlimits_core.geometry.quaternion import angle_between, multiply, rotated
from tests.support import naive_estimation as naive
from tests.support.made_motion import (
    angle_between_lines,
    ball,
    hinge,
    noisy,
    random_direction,
    random_rotation,
    universal,
)

SEEDS = st.integers(0, 2**32 - 1)


def joints_of_all_types(rng, samples=40):
    """Four joints, (4, 4, samples)."""
    angles = rng.uniform(-1.2, 1.0, (samples, 2))
    return np.stack(
        [
            noisy(hinge([1, 0, 0], np.zeros(samples)), 0.1, rng),
            hinge(random_direction(rng), rng.uniform(-2.0, 2.5, samples)),
            universal(angles),
            ball(rng.uniform(-1, 1, (samples, 3))),
        ]
    )


@pytest.mark.thorough
@given(SEEDS)
def test_as_a_sum_term_by_term(seed):
    rng = np.random.default_rng(seed)
    rotations = joints_of_all_types(rng, 7)
    found = moment_from_rotations(rotations)
    for joint in range(4):
        expected = np.array(naive.moment(rotations[joint].T.tolist()))
        values, vectors = found.values[joint], found.vectors[joint]
        np.testing.assert_allclose(vectors.T * values @ vectors, expected, atol=1e-14)
        np.testing.assert_allclose(vectors @ vectors.T, np.eye(4), atol=1e-13)
        assert list(values) == sorted(values, reverse=True)
    np.testing.assert_allclose(found.values.sum(axis=1), 1.0, atol=1e-13)


@pytest.mark.thorough
@given(SEEDS)
def test_the_spectrum_knows_neither_signs_nor_order_nor_repeats_nor_frames(seed):
    rng = np.random.default_rng(seed)
    rotations = joints_of_all_types(rng)
    expected = moment_from_rotations(rotations).values
    signs = rng.choice([-1.0, 1.0], rotations.shape[2])
    shuffled = rng.permutation(rotations.shape[2])
    left, right = random_rotation(rng), random_rotation(rng)
    turned = np.moveaxis(multiply(left, multiply(np.moveaxis(rotations, 1, 2), right)), 2, 1)
    for other in (
        rotations * signs,
        rotations[:, :, shuffled],
        np.concatenate([rotations] * 3, axis=2),
        turned,
        turned[:, :, shuffled] * signs,
    ):
        np.testing.assert_allclose(moment_from_rotations(other).values, expected, atol=1e-12)


@pytest.mark.thorough
@given(SEEDS)
def test_the_hinge_turns_with_the_frames_and_its_range_does_not(seed):
    rng = np.random.default_rng(seed)
    axis, angles = random_direction(rng), rng.uniform(-1.5, 1.0, 60)
    left, right = random_rotation(rng), random_rotation(rng)
    plain = moment_from_rotations(hinge(axis, angles)[None])
    framed = moment_from_rotations(hinge(axis, angles, left, right)[None])
    one, two = plain.vectors[:, :2], framed.vectors[:, :2]
    assert angle_between_lines(parent_axes(one)[0], axis) < 1e-6
    assert angle_between_lines(parent_axes(two)[0], rotated(left, axis)) < 1e-6
    back = rotated(np.array([-1, -1, -1, 1]) * right, axis)
    assert angle_between_lines(child_axes(two)[0], back) < 1e-6
    widths = []
    for vectors, rotations in ((one, hinge(axis, angles)), (two, hinge(axis, angles, left, right))):
        arc = contiguous_interval(hinge_angles(rotations[None], vectors))
        widths.append(arc.high[0] - arc.low[0])
    assert widths == pytest.approx([np.ptp(angles)] * 2, abs=1e-9)


@pytest.mark.thorough
@given(SEEDS)
def test_types_do_not_depend_on_the_frames(seed):
    rng = np.random.default_rng(seed)
    rotations = joints_of_all_types(rng, 80)
    left, right = random_rotation(rng), random_rotation(rng)
    turned = np.moveaxis(multiply(left, multiply(np.moveaxis(rotations, 1, 2), right)), 2, 1)
    types = [
        decide_types(q, moment_from_rotations(q), noise=0.0).types for q in (rotations, -turned)
    ]
    assert types[0] == types[1]


def test_rank_and_residuals():
    rng = np.random.default_rng(5)
    left, right = random_rotation(rng), random_rotation(rng)
    still = hinge([0, 0, 1], np.full(50, 0.4), left, right)
    swinging = hinge([0, 0.6, 0.8], np.linspace(-1.0, 2.0, 50), left, right)
    moment = moment_from_rotations(np.stack([still, swinging]))
    assert moment.residual_fixed[0] < 1e-7
    assert moment.residual_hinge[1] < 1e-7
    assert moment.residual_fixed[1] == pytest.approx(2 * np.sqrt(1 - moment.values[1, 0]))
    assert moment.spreads[1, 0] == pytest.approx(moment.residual_fixed[1])


def test_spreads_are_standard_deviations_in_radians():
    rng = np.random.default_rng(6)
    sizes = np.array([0.20, 0.05, 0.01])
    rotations = ball(rng.standard_normal((20000, 3)) * sizes, random_rotation(rng))
    spreads = moment_from_rotations(rotations[None]).spreads[0]
    np.testing.assert_allclose(spreads, sizes, rtol=0.04)


def test_the_mean_rotation_is_the_middle():
    middle = random_rotation(np.random.default_rng(7))
    rotations = hinge([0, 1, 0], np.linspace(-1.4, 1.4, 41), middle)
    found = moment_from_rotations(rotations[None]).mean_rotation[0]
    assert angle_between(found, middle) < 1e-12


def test_the_motion_of_a_small_joint_is_not_lost_in_rounding():
    rotations = hinge([1, 0, 0], np.radians(np.linspace(-1e-4, 1e-4, 100)))
    assert np.degrees(moment_from_rotations(rotations[None]).spreads[0, 0]) == pytest.approx(
        2e-4 / np.sqrt(12), rel=0.05
    )


def test_one_sample():
    moment = moment_from_rotations(random_rotation(np.random.default_rng(8))[None, :, None])
    np.testing.assert_allclose(moment.values, [[1, 0, 0, 0]], atol=1e-15)


def test_nothing_at_all_to_do():
    assert moment_from_rotations(np.zeros((0, 4, 5))).values.shape == (0, 4)
