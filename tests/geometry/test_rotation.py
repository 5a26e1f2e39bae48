"""Quaternions, matrices, log and exp, swing and twist against slow scalar code and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry import quaternion as rotation
from tests.support import naive_rotation as naive
from tests.support.rotation_strategies import SHAPES, angles, unit_quaternions, unit_vectors

X, Y, Z = np.eye(3)
HALF = math.sqrt(0.5)

several_quaternions = SHAPES.flatmap(unit_quaternions)
two_of_a_shape = SHAPES.flatmap(lambda s: st.tuples(unit_quaternions(s), unit_quaternions(s)))
quaternion_and_vector = SHAPES.flatmap(lambda s: st.tuples(unit_quaternions(s), unit_vectors(s)))


def each(*stacks):
    """Rows of stacks of vectors, whatever their leading axes."""
    return zip(*(stack.reshape(-1, stack.shape[-1]) for stack in stacks))


def assert_same_rotation(first, second, tolerance=1e-14):
    np.testing.assert_allclose(
        rotation.matrix_from_quaternion(first),
        rotation.matrix_from_quaternion(second),
        rtol=0,
        atol=tolerance,
    )


# --- products and matrices -------------------------------------------------------------------


@given(two_of_a_shape)
def test_multiply_is_the_multiplication_table(pair):
    left, right = pair
    found = rotation.multiply(left, right)
    assert found.shape == left.shape
    for a, b, c in each(left, right, found):
        np.testing.assert_allclose(c, naive.hamilton(a, b), rtol=0, atol=1e-15)


@given(quaternion_and_vector)
def test_rotated_and_matrix_are_q_v_q_conjugate(pair):
    quaternion, vector = pair
    moved = rotation.rotated(quaternion, vector)
    matrices = rotation.matrix_from_quaternion(quaternion)
    assert moved.shape == vector.shape
    assert matrices.shape == (*quaternion.shape[:-1], 3, 3)
    for q, v, m, flat in each(quaternion, vector, moved, matrices.reshape(*vector.shape[:-1], 9)):
        np.testing.assert_allclose(m, naive.turned(q, v), rtol=0, atol=4e-15)
        np.testing.assert_allclose(flat.reshape(3, 3), naive.quaternion_matrix(q), atol=4e-15)


@given(several_quaternions)
def test_matrix_round_trip(quaternion):
    back = rotation.quaternion_from_matrix(rotation.matrix_from_quaternion(quaternion))
    assert back.shape == quaternion.shape
    np.testing.assert_allclose(rotation.angle_between(back, quaternion), 0.0, atol=4e-15)
    # The largest component is positive; of several equally large ones, one is.
    assert (back.max(axis=-1) >= np.abs(back).max(axis=-1) - 1e-12).all()


@given(quaternion_and_vector)
def test_multiply_turns_by_the_right_one_first(pair):
    second, vector = pair
    first = rotation.quaternion_from_axis_angle(X, 0.7)
    both = rotation.rotated(rotation.multiply(second, first), vector)
    one_by_one = rotation.rotated(second, rotation.rotated(first, vector))
    np.testing.assert_allclose(both, one_by_one, rtol=0, atol=4e-15)


@given(several_quaternions)
def test_conjugate_is_the_inverse(quaternion):
    both = rotation.multiply(quaternion, rotation.conjugate(quaternion))
    np.testing.assert_allclose(both, np.broadcast_to(rotation.IDENTITY, both.shape), atol=1e-15)


@pytest.mark.parametrize("axis", [X, Y, Z, (X + Y) * HALF, (X - Z) * HALF, np.full(3, 3**-0.5)])
@pytest.mark.parametrize("nudge", [0.0, 1e-16, 1e-12, -1e-12, 1e-8, 1e-5])
def test_matrix_round_trip_keeps_digits_around_half_turns(axis, nudge):
    quaternion = rotation.quaternion_from_axis_angle(axis, math.pi + nudge)
    back = rotation.quaternion_from_matrix(rotation.matrix_from_quaternion(quaternion))
    assert rotation.angle_between(back, quaternion) < 2e-15


def test_every_operation_accepts_lists_integers_and_broadcasts():
    assert rotation.multiply([0, 0, 0, 1], np.ones((4, 1, 4))).shape == (4, 1, 4)
    assert rotation.multiply(np.ones((3, 1, 4)), np.ones((5, 4))).shape == (3, 5, 4)
    assert rotation.rotated([0, 0, 1, 0], np.ones((6, 3))).shape == (6, 3)
    assert rotation.quaternion_from_axis_angle([0, 0, 1], np.zeros(7)).shape == (7, 4)
    assert rotation.quaternion_between_vectors(X, np.ones((2, 3))).shape == (2, 4)
    assert rotation.slerp([0, 0, 0, 1], [1, 0, 0, 0], np.linspace(0, 1, 9)).shape == (9, 4)


def test_inputs_are_not_written_to():
    quaternion = np.array([[-0.5, -0.5, -0.5, -0.5], [0.0, 0.0, 0.0, -1.0]])
    before = quaternion.copy()
    rotation.normalized(quaternion)
    rotation.rotation_vector_from_quaternion(quaternion)
    rotation.sign_coherent(quaternion)
    rotation.swing_twist_from_quaternion(quaternion, X)
    np.testing.assert_array_equal(quaternion, before)
    with pytest.raises(ValueError, match="read-only"):
        rotation.IDENTITY[0] = 1.0


# --- normalising -----------------------------------------------------------------------------


@given(several_quaternions, st.floats(1e-100, 1e100))
def test_normalized_forgets_the_length_only(quaternion, factor):
    np.testing.assert_allclose(rotation.normalized(factor * quaternion), quaternion, atol=1e-15)


@pytest.mark.parametrize("bad", [[0, 0, 0, 0], [np.nan, 0, 0, 1], [np.inf, 0, 0, 1]])
def test_normalized_never_makes_a_rotation_out_of_nothing(bad):
    assert np.isnan(rotation.normalized(bad)).any()
    assert np.isfinite(rotation.normalized([bad, [0, 0, 0, 2]])[1]).all()


# --- log and exp -----------------------------------------------------------------------------


@given(unit_vectors(), angles(50.0))
def test_axis_angle_and_exp_are_rodrigues(axis, angle):
    expected = naive.axis_angle_matrix(axis, angle)
    by_axis = rotation.quaternion_from_axis_angle(axis, angle)
    by_vector = rotation.quaternion_from_rotation_vector(axis * angle)
    for quaternion in (by_axis, by_vector):
        np.testing.assert_allclose(np.linalg.norm(quaternion), 1.0, rtol=0, atol=2e-14)
        np.testing.assert_allclose(
            rotation.matrix_from_quaternion(quaternion), expected, rtol=0, atol=3e-14
        )
    np.testing.assert_allclose(by_axis, by_vector, rtol=0, atol=3e-14)


@given(several_quaternions)
def test_exp_of_log_is_the_same_rotation(quaternion):
    vector = rotation.rotation_vector_from_quaternion(quaternion)
    assert vector.shape == (*quaternion.shape[:-1], 3)
    assert (np.linalg.norm(vector, axis=-1) <= math.pi + 1e-15).all()
    assert_same_rotation(rotation.quaternion_from_rotation_vector(vector), quaternion)


@given(unit_vectors(), st.floats(0, math.pi - 1e-6))
def test_log_of_exp_is_the_same_vector_below_a_half_turn(axis, angle):
    quaternion = rotation.quaternion_from_rotation_vector(axis * angle)
    for sign in (1.0, -1.0):
        back = rotation.rotation_vector_from_quaternion(sign * quaternion)
        np.testing.assert_allclose(back, axis * angle, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("angle", [0.0, -0.0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4])
def test_tiny_rotation_vectors_keep_their_relative_precision(angle):
    vector = angle * np.array([0.6, 0.0, -0.8])
    back = rotation.rotation_vector_from_quaternion(
        rotation.quaternion_from_rotation_vector(vector)
    )
    np.testing.assert_allclose(back, vector, rtol=1e-15, atol=0)


def test_log_of_what_is_too_small_to_square():
    for sign in (1.0, -1.0):
        tiny = rotation.rotation_vector_from_quaternion([1e-200, 0.0, 0.0, sign])
        assert tiny.tolist() == [sign * 2e-200, 0.0, 0.0]


def test_log_takes_the_shorter_way_round():
    quaternion = rotation.quaternion_from_axis_angle(Z, math.radians(350))
    vector = rotation.rotation_vector_from_quaternion(quaternion)
    np.testing.assert_allclose(vector, [0, 0, math.radians(-10)], atol=1e-14)


@pytest.mark.parametrize("angle", [1e3, 1e6, -1e6])
def test_huge_rotation_vectors_lose_only_what_the_float_lost(angle):
    quaternion = rotation.quaternion_from_rotation_vector(angle * Y)
    np.testing.assert_allclose(
        quaternion,
        [0, math.sin(angle / 2), 0, math.cos(angle / 2)],
        rtol=0,
        atol=1e-15 + 4e-16 * abs(angle),
    )


# --- distances and shortest arcs -------------------------------------------------------------


@given(unit_vectors(), st.floats(0, math.pi), unit_quaternions(), st.sampled_from([1.0, -1.0]))
def test_angle_between_is_the_angle_of_the_difference(axis, angle, start, sign):
    end = rotation.multiply(start, rotation.quaternion_from_axis_angle(axis, angle))
    assert abs(rotation.angle_between(start, sign * end) - angle) < 4e-15
    assert rotation.angle_between(start, start) < 1e-15


def test_angle_between_is_exact_where_an_arc_cosine_is_not():
    for angle in (1e-12, 1e-9, 1e-5):
        quaternion = rotation.quaternion_from_axis_angle(Z, angle)
        np.testing.assert_allclose(
            rotation.angle_between(rotation.IDENTITY, quaternion), angle, rtol=1e-14
        )
    almost = rotation.quaternion_from_axis_angle(Z, math.pi - 1e-9)
    assert abs(rotation.angle_between(rotation.IDENTITY, almost) - (math.pi - 1e-9)) < 1e-15


@given(SHAPES.flatmap(lambda s: st.tuples(unit_vectors(s), unit_vectors(s))))
def test_between_vectors_takes_one_to_the_other_by_the_shortest_way(pair):
    start, end = pair
    turn = rotation.quaternion_between_vectors(start, end)
    np.testing.assert_allclose(rotation.rotated(turn, start), end, rtol=0, atol=1e-11)
    np.testing.assert_allclose(np.linalg.norm(turn, axis=-1), 1.0, rtol=0, atol=1e-15)
    for a, b, q in each(start, end, turn):
        angle = math.atan2(np.linalg.norm(np.cross(a, b)), float(a @ b))
        assert abs(rotation.angle_between(rotation.IDENTITY, q) - angle) < 1e-11


@pytest.mark.parametrize("distance", [0.0, 1e-15, 1e-13, 2e-12, 1e-10, 1e-8, 1e-4])
def test_between_nearly_opposite_vectors(distance):
    start = np.array([0.48, -0.6, 0.64])
    across = np.array([0.8, 0.0, -0.6])
    end = -math.cos(distance) * start + math.sin(distance) * across
    turn = rotation.quaternion_between_vectors(start, end)
    np.testing.assert_allclose(rotation.rotated(turn, start), end, rtol=0, atol=2e-12)


def test_between_opposite_axes_is_a_half_turn():
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    turn = rotation.quaternion_between_vectors(axes, -axes)
    np.testing.assert_allclose(rotation.rotated(turn, axes), -axes, rtol=0, atol=1e-15)
    assert turn[:, 3].tolist() == [0.0] * 6


# --- sequences -------------------------------------------------------------------------------


@given(st.integers(0, 12).flatmap(lambda n: unit_quaternions((2, n))))
def test_sign_coherent_keeps_rotations_and_neighbours_together(sequence):
    coherent = rotation.sign_coherent(sequence)
    assert coherent.shape == sequence.shape
    for before, after in zip(sequence, coherent):
        for k in range(len(before)):
            same = all(a == b for a, b in zip(before[k], after[k]))
            opposite = all(a == -b for a, b in zip(before[k], after[k]))
            assert same or opposite
            if k == 0:
                assert same
            else:
                assert sum(after[k] * after[k - 1]) >= 0.0


def test_sign_coherent_undoes_random_flips_of_a_smooth_sequence():
    angle = np.linspace(0, 6 * math.pi, 400)
    smooth = rotation.quaternion_from_axis_angle(Y, angle)
    flips = np.random.default_rng(3).choice([-1.0, 1.0], size=(400, 1))
    flips[0] = 1.0
    np.testing.assert_array_equal(rotation.sign_coherent(smooth * flips), smooth)


# --- swing and twist -------------------------------------------------------------------------


@given(quaternion_and_vector)
def test_swing_times_twist_is_the_rotation(pair):
    quaternion, axis = pair
    swing, twist = rotation.swing_twist_from_quaternion(quaternion, axis)
    assert swing.shape == twist.shape == quaternion.shape
    np.testing.assert_allclose(rotation.multiply(swing, twist), quaternion, rtol=0, atol=4e-15)
    np.testing.assert_allclose(rotation.rotated(twist, axis), axis, rtol=0, atol=4e-15)
    # 1e-12 is where the twist of a half-turn swing is given up.
    np.testing.assert_allclose(np.sum(swing[..., :3] * axis, axis=-1), 0.0, atol=1.1e-12)


@given(angles(), angles(math.pi - 0.01), unit_vectors(), unit_vectors())
def test_twist_of_a_known_swing_and_twist(twist_angle, swing_angle, axis, other):
    across = np.cross(axis, other)
    if np.linalg.norm(across) < 1e-3 or abs(math.cos(swing_angle / 2)) < 1e-3:
        return
    across /= np.linalg.norm(across)
    expected_twist = rotation.quaternion_from_axis_angle(axis, twist_angle)
    expected_swing = rotation.quaternion_from_axis_angle(across, swing_angle)
    swing, twist = rotation.swing_twist_from_quaternion(
        rotation.multiply(expected_swing, expected_twist), axis
    )
    assert_same_rotation(swing, expected_swing, 1e-11)
    assert_same_rotation(twist, expected_twist, 1e-11)


def test_half_turn_swing_has_the_identity_for_twist():
    swing, twist = rotation.swing_twist_from_quaternion([0.0, 1.0, 0.0, 0.0], X)
    np.testing.assert_array_equal(twist, rotation.IDENTITY)
    np.testing.assert_array_equal(swing, [0, 1, 0, 0])


# --- interpolation ---------------------------------------------------------------------------


@given(unit_quaternions(), unit_vectors(), st.floats(0, math.pi - 1e-3), st.floats(0, 1))
def test_slerp_runs_at_constant_speed_along_the_shorter_arc(start, axis, angle, fraction):
    step = rotation.quaternion_from_axis_angle(axis, angle)
    end = -rotation.multiply(start, step)
    part = rotation.quaternion_from_axis_angle(axis, angle * fraction)
    found = rotation.slerp(start, end, fraction)
    assert_same_rotation(found, rotation.multiply(start, part), 2e-14)
    assert_same_rotation(rotation.slerp(start, end, 0.0), start)
    assert_same_rotation(rotation.slerp(start, end, 1.0), end, 2e-14)


# --- SciPy -----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_scipy_agrees_on_ten_thousand_rotations():
    spatial = pytest.importorskip("scipy.spatial.transform")
    random = np.random.default_rng(11)
    q = rotation.normalized(random.normal(size=(10_000, 4)))
    p = rotation.normalized(random.normal(size=(10_000, 4)))
    theirs, others = spatial.Rotation.from_quat(q), spatial.Rotation.from_quat(p)
    vectors = random.normal(size=(10_000, 3))
    close = {"rtol": 0, "atol": 2e-14}
    np.testing.assert_allclose(rotation.matrix_from_quaternion(q), theirs.as_matrix(), **close)
    np.testing.assert_allclose(rotation.rotated(q, vectors), theirs.apply(vectors), **close)
    np.testing.assert_allclose(
        rotation.rotation_vector_from_quaternion(q), theirs.as_rotvec(), **close
    )
    assert_same_rotation(rotation.multiply(q, p), (theirs * others).as_quat())
    assert_same_rotation(rotation.quaternion_from_matrix(theirs.as_matrix()), q)
    np.testing.assert_allclose(
        rotation.angle_between(q, p), (theirs.inv() * others).magnitude(), rtol=0, atol=1e-13
    )


# --- points ----------------------------------------------------------------------------------


def test_points_on_the_sphere_are_a_spiral_of_golden_angles():
    golden = math.pi * (3.0 - math.sqrt(5.0))
    points = rotation.sphere_points(60)
    for number, point in enumerate(points):
        height = 1.0 - (2 * number + 1) / 60
        around = -golden * (number + 0.5)
        wide = math.sqrt(1.0 - height**2)
        expected = [wide * math.cos(around), wide * math.sin(around), height]
        assert point == pytest.approx(expected, abs=1e-12)
    apart = np.linalg.norm(points[:, None] - points, axis=-1) + 9.0 * np.eye(60)
    assert apart.min() > 0.7 * math.sqrt(4.0 * math.pi / 60)


def test_points_in_a_cube_are_multiples_of_the_powers_of_one_root():
    root = max(np.roots([1, 0, 0, -1, -1]).real)
    points = rotation.cube_points(50)
    for number, point in enumerate(points):
        expected = [(0.5 + number / root**power) % 1.0 - 0.5 for power in (1, 2, 3)]
        assert point == pytest.approx(expected, abs=1e-12)
    assert np.abs(points.mean(axis=0)).max() < 0.05
