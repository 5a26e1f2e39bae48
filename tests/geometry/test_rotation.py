"""Quaternions, matrices, log and exp, swing and twist, compared with scalar code and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry import quaternion as rotation
from tests.support.rotation_strategies import SHAPES, unit_quaternions, unit_vectors

X, Y, Z = np.eye(3)
HALF = math.sqrt(0.5)

quaternion_and_vector = SHAPES.flatmap(lambda s: st.tuples(unit_quaternions(s), unit_vectors(s)))


def each(*stacks):
    """Rows of stacks of vectors with any leading axes."""
    return zip(*(stack.reshape(-1, stack.shape[-1]) for stack in stacks))


def assert_same_rotation(first, second, tolerance=1e-14):
    np.testing.assert_allclose(
        rotation.matrix_from_quaternion(first),
        rotation.matrix_from_quaternion(second),
        rtol=0,
        atol=tolerance,
    )


# --- products and matrices -------------------------------------------------------------------


@pytest.mark.parametrize("axis", [X, Y, Z, (X + Y) * HALF, (X - Z) * HALF, np.full(3, 3**-0.5)])
@pytest.mark.parametrize("nudge", [0.0, 1e-16, 1e-12, -1e-12, 1e-8, 1e-5])
def test_matrix_round_trip_keeps_digits_around_half_turns(axis, nudge):
    quaternion = rotation.quaternion_from_axis_angle(axis, math.pi + nudge)
    back = rotation.quaternion_from_matrix(rotation.matrix_from_quaternion(quaternion))
    assert rotation.angle_between(back, quaternion) < 2e-15


def test_every_operation_accepts_lists_integers_and_broadcasts():
    assert rotation.multiply([0, 0, 0, 1], np.ones((4, 1, 4))).shape == (4, 1, 4)
    assert rotation.multiply(np.ones((3, 1, 4)), np.ones((5, 4))).shape == (3, 5, 4)
    assert rotation.rotate([0, 0, 1, 0], np.ones((6, 3))).shape == (6, 3)
    assert rotation.quaternion_from_axis_angle([0, 0, 1], np.zeros(7)).shape == (7, 4)
    assert rotation.quaternion_between_vectors(X, np.ones((2, 3))).shape == (2, 4)
    assert rotation.slerp([0, 0, 0, 1], [1, 0, 0, 0], np.linspace(0, 1, 9)).shape == (9, 4)


# --- normalising -----------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [[0, 0, 0, 0], [np.nan, 0, 0, 1], [np.inf, 0, 0, 1]])
def test_normalized_never_makes_a_rotation_out_of_nothing(bad):
    assert np.isnan(rotation.normalize(bad)).any()
    assert np.isfinite(rotation.normalize([bad, [0, 0, 0, 2]])[1]).all()


# --- log and exp -----------------------------------------------------------------------------


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
    np.testing.assert_allclose(rotation.rotate(turn, start), end, rtol=0, atol=1e-11)
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
    np.testing.assert_allclose(rotation.rotate(turn, start), end, rtol=0, atol=2e-12)


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


# --- swing and twist -------------------------------------------------------------------------


@given(quaternion_and_vector)
def test_swing_times_twist_is_the_rotation(pair):
    quaternion, axis = pair
    swing, twist = rotation.swing_twist_from_quaternion(quaternion, axis)
    assert swing.shape == twist.shape == quaternion.shape
    np.testing.assert_allclose(rotation.multiply(swing, twist), quaternion, rtol=0, atol=4e-15)
    np.testing.assert_allclose(rotation.rotate(twist, axis), axis, rtol=0, atol=4e-15)
    # 1e-12 is where the twist of a half-turn swing is given up.
    np.testing.assert_allclose(np.sum(swing[..., :3] * axis, axis=-1), 0.0, atol=1.1e-12)


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


def test_scipy_agrees_on_ten_thousand_rotations():
    spatial = pytest.importorskip("scipy.spatial.transform")
    random = np.random.default_rng(11)
    q = rotation.normalize(random.normal(size=(10_000, 4)))
    p = rotation.normalize(random.normal(size=(10_000, 4)))
    theirs, others = spatial.Rotation.from_quat(q), spatial.Rotation.from_quat(p)
    vectors = random.normal(size=(10_000, 3))
    close = {"rtol": 0, "atol": 2e-14}
    np.testing.assert_allclose(rotation.matrix_from_quaternion(q), theirs.as_matrix(), **close)
    np.testing.assert_allclose(rotation.rotate(q, vectors), theirs.apply(vectors), **close)
    np.testing.assert_allclose(
        rotation.rotation_vector_from_quaternion(q), theirs.as_rotvec(), **close
    )
    exp = spatial.Rotation.from_rotvec(vectors).as_quat()
    assert_same_rotation(rotation.quaternion_from_rotation_vector(vectors), exp, 2e-14)
    assert_same_rotation(rotation.multiply(q, p), (theirs * others).as_quat())
    assert_same_rotation(rotation.quaternion_from_matrix(theirs.as_matrix()), q)
    np.testing.assert_allclose(
        rotation.angle_between(q, p), (theirs.inv() * others).magnitude(), rtol=0, atol=1e-13
    )
