"""Hinges: axis, signed angle and residual of rotations that were made from known hinges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.estimation import hinges
from jointlimits_core.estimation.moment import moment_from_rotations
from jointlimits_core.geometry.euler import wrap_angle
from jointlimits_core.geometry.quaternion import (
    IDENTITY,
    angle_between,
    conjugate,
    multiply,
    rotate,
    swing_twist_from_quaternion,
)
from tests.support import naive_estimation as naive
from tests.support.made_motion import (
    angle_between_lines,
    ball,
    hinge,
    noisy,
    random_direction,
    random_rotation,
)

SEEDS = st.integers(0, 2**32 - 1)


def circle_of(rotations, rotate_axis=IDENTITY):
    return hinges.hinge_circles(
        moment_from_rotations(rotations[None]), np.asarray(rotate_axis)[None]
    )[0]


@pytest.mark.thorough
@given(SEEDS, st.floats(0.01, 6.0), st.floats(-3.0, 3.0))
def test_axis_and_signed_angle_are_those_it_was_made_of(seed, width, middle):
    rng = np.random.default_rng(seed)
    axis, left, right = random_direction(rng), random_rotation(rng), random_rotation(rng)
    angles = middle + width * (rng.uniform(-0.5, 0.5, 50))
    rotations = hinge(axis, angles, left, right)
    circle = circle_of(rotations)
    in_parent, in_child = rotate(left, axis), rotate(conjugate(right), axis)
    assert angle_between_lines(hinges.parent_axes(circle)[0], in_parent) < 1e-5
    assert angle_between_lines(hinges.child_axes(circle)[0], in_child) < 1e-5
    # Angles and axis change sign together.
    sense = np.sign(hinges.child_axes(circle)[0] @ in_child)
    found = hinges.hinge_angles(rotations[None], circle)[0]
    assert np.abs(found).max() <= np.pi
    off = wrap_angle(sense * (found - found[0]) - (angles - angles[0]))
    assert np.abs(off).max() < 1e-7


@given(SEEDS)
def test_the_angle_and_the_axis_give_the_data_back(seed):
    rng = np.random.default_rng(seed)
    rotations = hinge(
        random_direction(rng), rng.uniform(-3, 3, 40), random_rotation(rng), random_rotation(rng)
    )
    rotations = rotations * rng.choice([-1, 1], 40)
    circle = circle_of(rotations)
    half = 0.5 * hinges.hinge_angles(rotations[None], circle)[0][:, None]
    rebuilt = np.cos(half) * circle[0, 0] + np.sin(half) * circle[0, 1]
    assert angle_between(rebuilt, rotations.T).max() < 1e-7
    turn = multiply(
        np.concatenate([np.sin(half) * hinges.parent_axes(circle)[0], np.cos(half)], axis=1),
        circle[0, 0],
    )
    assert angle_between(turn, rotations.T).max() < 1e-7


@pytest.mark.thorough
@given(SEEDS)
def test_off_the_hinge_is_the_swing_about_its_axis(seed):
    rng = np.random.default_rng(seed)
    rotations = ball(rng.uniform(-1.5, 1.5, (40, 3)), random_rotation(rng), random_rotation(rng))
    circle = circle_of(rotations)
    found = hinges.off_hinge_angles(rotations[None], circle)[0]
    in_parent, in_child = hinges.parent_axes(circle)[0], hinges.child_axes(circle)[0]
    expected = [naive.angle_off_hinge(q, in_parent, in_child) for q in rotations.T]
    np.testing.assert_allclose(found, expected, atol=1e-7)
    from_first = multiply(conjugate(circle[0, 0]), rotations.T)
    swing, _ = swing_twist_from_quaternion(from_first, in_child)
    np.testing.assert_allclose(found, angle_between(IDENTITY, swing), atol=1e-12)
    # No rotation of the hinge is nearer.
    half = np.linspace(-np.pi / 2, np.pi / 2, 721)[:, None]
    on = np.cos(half) * circle[0, 0] + np.sin(half) * circle[0, 1]
    nearest = angle_between(on[:, None], rotations.T).min(axis=0)
    assert (found <= nearest + 1e-9).all()
    assert (found >= nearest - 0.01).all()


@pytest.mark.parametrize(("low", "high"), [(0, 120), (-30, 30), (-100, 100)])
def test_two_degrees_of_noise(low, high):
    worst = 0.0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        axis, left = random_direction(rng), random_rotation(rng)
        rotations = noisy(hinge(axis, np.radians(np.linspace(low, high, 500)), left), 2.0, rng)
        circle = circle_of(rotations)
        worst = max(worst, angle_between_lines(hinges.child_axes(circle)[0], axis))
        rms = np.degrees(moment_from_rotations(rotations[None]).residual_hinge[0])
        assert rms == pytest.approx(2.0 * np.sqrt(2.0), rel=0.1)
    print(f"range {low}..{high}, noise 2 degrees: axis off by up to {worst:.2f} degrees")
    assert worst < 1.0
