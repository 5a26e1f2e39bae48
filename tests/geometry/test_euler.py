"""Euler angles in all six orders and ZYZ, at and around every singular pose."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry import euler
from jointlimits_core.geometry import quaternion as rotation
from tests.support import naive_rotation as naive
from tests.support.rotation_strategies import SHAPES, angle_triples, angles, unit_quaternions

orders = st.sampled_from(euler.ROTATE_ORDERS)
every_order = pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
several_triples = SHAPES.flatmap(angle_triples)
PI = math.pi


def assert_same_rotation(first, second, tolerance=4e-15):
    np.testing.assert_allclose(rotation.angle_between(first, second), 0.0, atol=tolerance)


# --- to rotations ----------------------------------------------------------------------------


@pytest.mark.thorough
@given(several_triples, orders)
def test_rotation_is_the_product_of_three_elementary_matrices(triple, order):
    found = rotation.matrix_from_quaternion(euler.quaternion_from_euler(triple, order))
    assert found.shape == (*triple.shape[:-1], 3, 3)
    for row, matrix in zip(triple.reshape(-1, 3), found.reshape(-1, 3, 3)):
        np.testing.assert_allclose(matrix, naive.euler_matrix(row, order), rtol=0, atol=8e-15)


@pytest.mark.parametrize("name", ["", "xy", "XYZ", "xyx", "zyxx", "abc", "yzx "])
def test_unknown_rotate_order_is_named(name):
    with pytest.raises(ValueError, match="rotate order"):
        euler.axes_of(name)
    with pytest.raises(ValueError, match="rotate order"):
        euler.quaternion_from_euler([0, 0, 0], name)


def test_rotate_orders_stand_at_their_maya_numbers():
    assert euler.ROTATE_ORDERS == ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")


# --- and back --------------------------------------------------------------------------------


@pytest.mark.thorough
@given(several_triples, orders)
def test_round_trip_from_angles_through_every_gimbal(triple, order):
    quaternion = euler.quaternion_from_euler(triple, order)
    back = euler.euler_from_quaternion(quaternion, order)
    assert back.shape == triple.shape
    assert_same_rotation(euler.quaternion_from_euler(back, order), quaternion)


@pytest.mark.thorough
@given(SHAPES.flatmap(unit_quaternions), orders)
def test_round_trip_from_quaternions_and_ranges(quaternion, order):
    found = euler.euler_from_quaternion(quaternion, order)
    assert_same_rotation(euler.quaternion_from_euler(found, order), quaternion)
    first, middle, last = euler.axes_of(order)
    assert (np.abs(found[..., middle]) <= PI / 2 + 1e-15).all()
    for outer in (first, last):
        assert (np.abs(found[..., outer]) <= PI).all()
    negated = euler.euler_from_quaternion(-quaternion, order)
    assert_same_rotation(euler.quaternion_from_euler(negated, order), quaternion)


@every_order
@pytest.mark.parametrize("lock", [PI / 2, -PI / 2])
@pytest.mark.parametrize("offset", [0.0, 1e-17, 1e-12, -1e-12, 1e-9, 1e-6])
def test_exact_at_the_gimbal(order, lock, offset):
    i, j, k = euler.axes_of(order)
    outer = np.radians([-180, -90, -45, -1e-10, -0.0, 0, 30, 90, 179.999, 180])
    triples = np.empty((len(outer), len(outer), 3))
    triples[..., i], triples[..., k] = outer[:, None], outer[None, :]
    triples[..., j] = lock + offset
    quaternions = euler.quaternion_from_euler(triples, order)
    back = euler.euler_from_quaternion(quaternions, order)
    assert np.isfinite(back).all()
    assert_same_rotation(euler.quaternion_from_euler(back, order), quaternions)
    np.testing.assert_allclose(np.abs(back[..., j]), PI / 2, atol=abs(offset) + 1e-15)


# --- wrapping and branches -------------------------------------------------------------------


@pytest.mark.thorough
@given(st.one_of(angles(1e4), st.floats(-1e6, 1e6)))
def test_wrapped_differs_by_whole_turns(angle):
    found = float(euler.wrap_angle(angle))
    assert -PI - 1e-15 <= found <= PI
    turns = (angle - found) / euler.TURN
    assert abs(turns - round(turns)) < 1e-15 * (1 + abs(angle))


@pytest.mark.thorough
@given(several_triples, orders)
def test_other_euler_is_the_same_rotation(triple, order):
    other = euler.other_euler(triple, order)
    assert other.shape == triple.shape
    assert_same_rotation(
        euler.quaternion_from_euler(other, order), euler.quaternion_from_euler(triple, order), 2e-14
    )


def alternatives(triple, order):
    """All angle triples of a rotation within three turns: both solutions with all whole turns."""
    middle = "xyz".index(order[1])
    second = [a + PI for a in triple]
    second[middle] = PI - triple[middle]
    for solution in (list(triple), second):
        for turns in itertools.product(range(-4, 5), repeat=3):
            yield [a + 2 * PI * n for a, n in zip(solution, turns)]


@pytest.mark.thorough
@given(angle_triples(), angle_triples(), orders)
def test_nearest_euler_is_the_nearest_of_all_and_the_same_rotation(triple, reference, order):
    found = euler.nearest_euler(triple, reference, order)
    assert_same_rotation(
        euler.quaternion_from_euler(found, order), euler.quaternion_from_euler(triple, order), 2e-14
    )
    distance = sum((a - b) ** 2 for a, b in zip(found, reference))
    best = min(
        sum((a - b) ** 2 for a, b in zip(candidate, reference))
        for candidate in alternatives(triple, order)
    )
    assert distance <= best + 1e-9


@pytest.mark.thorough
@given(angle_triples(), orders)
def test_nearest_euler_leaves_angles_that_are_their_own_reference(triple, order):
    np.testing.assert_allclose(euler.nearest_euler(triple, triple, order), triple, atol=1e-14)


@every_order
def test_nearest_euler_follows_a_path_over_the_gimbal_and_many_turns(order):
    middle = euler.axes_of(order)[1]
    path = np.linspace(0, 1, 500)[:, None] * np.array([3.0, 3.0, 3.0])
    path[:, middle] *= 3.0
    principal = euler.euler_from_quaternion(euler.quaternion_from_euler(path, order), order)
    np.testing.assert_allclose(euler.nearest_euler(principal, path, order), path, atol=1e-12)


@every_order
@pytest.mark.parametrize("lock", [PI / 2, -PI / 2])
def test_at_the_lock_both_outer_angles_differ_equally_from_the_reference(order, lock):
    i, j, k = euler.axes_of(order)
    angles, reference = np.empty(3), np.array([0.25, 0.0, 0.1])
    angles[[i, j, k]] = 0.7, lock, -0.2
    turned = euler.quaternion_from_euler(angles, order)
    found = euler.euler_near(turned, reference, order)
    assert_same_rotation(euler.quaternion_from_euler(found, order), turned, 1e-7)
    off = np.abs(found - reference)
    assert off[i] == pytest.approx(off[k], abs=1e-7)
    assert off[i] < 0.7
    angles[j] = 0.4
    turned = euler.quaternion_from_euler(angles, order)
    assert euler.euler_near(turned, angles, order) == pytest.approx(angles, abs=1e-9)


@every_order
def test_only_frames_at_the_lock_are_split(order):
    i, j, k = euler.axes_of(order)
    angles = np.tile([0.7, 0.8, -0.2], (3, 1))
    angles[1, j] = PI / 2
    angles[2, j] = -1.2
    turned = euler.quaternion_from_euler(angles, order)
    found = euler.euler_near(turned, np.zeros(3), order)
    assert_same_rotation(euler.quaternion_from_euler(found, order), turned, 1e-7)
    np.testing.assert_allclose(found[[0, 2]], angles[[0, 2]], atol=1e-12)
    assert abs(found[1, i]) == pytest.approx(abs(found[1, k]), abs=1e-7)


# --- gimbal margin ---------------------------------------------------------------------------


@pytest.mark.thorough
def test_scipy_agrees_in_every_order():
    spatial = pytest.importorskip("scipy.spatial.transform")
    quaternions = rotation.normalize(np.random.default_rng(5).normal(size=(5000, 4)))
    for order in euler.ROTATE_ORDERS:
        columns = list(euler.axes_of(order))
        found = euler.euler_from_quaternion(quaternions, order)
        # SciPy's lower-case sequences turn about fixed axes in the order of their letters.
        theirs = spatial.Rotation.from_quat(quaternions).as_euler(order)
        np.testing.assert_allclose(found[:, columns], theirs, rtol=0, atol=1e-11)
        rebuilt = spatial.Rotation.from_euler(order, found[:, columns]).as_quat()
        assert_same_rotation(rebuilt, quaternions)
