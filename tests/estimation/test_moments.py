"""The 4x4 moment of rotations and its spreads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.estimation.moment import moment_from_rotations
from tests.support import naive_estimation as naive
from tests.support.made_motion import (
    ball,
    hinge,
    noisy,
    random_direction,
    random_rotation,
    universal,
)

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.thorough
@given(SEEDS)
def test_as_a_sum_term_by_term(seed):
    rng = np.random.default_rng(seed)
    rotations = np.stack(
        [
            noisy(hinge([1, 0, 0], np.zeros(7)), 0.1, rng),
            hinge(random_direction(rng), rng.uniform(-2.0, 2.5, 7)),
            universal(rng.uniform(-1.2, 1.0, (7, 2))),
            ball(rng.uniform(-1, 1, (7, 3))),
        ]
    )
    found = moment_from_rotations(rotations)
    for joint in range(4):
        expected = np.array(naive.moment(rotations[joint].T.tolist()))
        values, vectors = found.values[joint], found.vectors[joint]
        np.testing.assert_allclose(vectors.T * values @ vectors, expected, atol=1e-14)
        np.testing.assert_allclose(vectors @ vectors.T, np.eye(4), atol=1e-13)
        assert list(values) == sorted(values, reverse=True)
    np.testing.assert_allclose(found.values.sum(axis=1), 1.0, atol=1e-13)


def test_spreads_are_standard_deviations_in_radians():
    rng = np.random.default_rng(6)
    sizes = np.array([0.20, 0.05, 0.01])
    rotations = ball(rng.standard_normal((20000, 3)) * sizes, random_rotation(rng))
    spreads = moment_from_rotations(rotations[None]).spreads[0]
    np.testing.assert_allclose(spreads, sizes, rtol=0.04)


def test_the_motion_of_a_small_joint_is_not_lost_in_rounding():
    rotations = hinge([1, 0, 0], np.radians(np.linspace(-1e-4, 1e-4, 100)))
    assert np.degrees(moment_from_rotations(rotations[None]).spreads[0, 0]) == pytest.approx(
        2e-4 / np.sqrt(12), rel=0.05
    )
