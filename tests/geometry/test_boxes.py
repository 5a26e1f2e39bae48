"""Euler angles in boxes of limits, some of which are infinite."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry.circle import euler_in_box, into_box, middle_of_box, outside_box
from jointlimits_core.geometry.euler import other_euler, quaternion_from_euler
from tests.support.naive_estimation import TURN

INF = np.inf
ANGLES = st.floats(-9.0, 9.0)


def test_into_a_box_with_open_sides():
    low = np.array([-1.0, -INF, 2.0, -INF])
    high = np.array([1.0, 0.5, INF, INF])
    angle = np.array([TURN + 0.25, 7.0, -7.0, 9.0])
    assert into_box(angle, low, high) == pytest.approx([0.25, 7.0, -7.0, 9.0], abs=1e-12)


def test_distance_outside_and_the_middle():
    low, high = np.array([-1.0, -INF, 2.0, -INF, 0.2]), np.array([3.0, -0.5, INF, INF, 0.4])
    values = np.array([-1.5, 0.25, 2.0, 9.0, 0.9])
    assert outside_box(values, low, high) == pytest.approx([0.5, 0.75, 0.0, 0.0, 0.5])
    assert outside_box(np.array([3.0]), low[:1], high[:1]) == 0.0
    assert middle_of_box(low, high) == pytest.approx([1.0, -0.5, 2.0, 0.0, 0.3])


@given(st.tuples(ANGLES, ANGLES, ANGLES), st.sampled_from(["xyz", "zxy", "yzx"]))
def test_the_nearer_of_the_two_solutions_is_taken(angles, order):
    low, high = np.array([-0.5, -INF, -2.0]), np.array([0.5, INF, 2.5])
    found = euler_in_box(np.array(angles), low, high, order)
    dot = np.dot(
        quaternion_from_euler(found, order), quaternion_from_euler(np.array(angles), order)
    )
    assert abs(dot) == pytest.approx(1.0, abs=1e-12)
    off = outside_box(found, low, high).max()
    for solution in (np.array(angles), other_euler(np.array(angles), order)):
        for turn_x in (-TURN, 0.0, TURN):
            for turn_z in (-TURN, 0.0, TURN):
                other = into_box(solution, low, high) + np.array([turn_x, 0.0, turn_z])
                assert off <= outside_box(other, low, high).max() + 1e-9


def test_a_solution_inside_stays():
    low, high = np.full(3, -1.0), np.full(3, 1.0)
    many = np.random.default_rng(3).uniform(-1.0, 1.0, (40, 3))
    assert euler_in_box(many, low, high, "xyz") == pytest.approx(many, abs=1e-12)
    wide = np.full(3, 9.0)
    assert euler_in_box(many, -wide, wide, "xyz").tolist() == into_box(many, -wide, wide).tolist()
