"""Rotate channels on one branch: the rotations stay, and so does the most frequent branch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.geometry import branches, euler
from jointlimits_core.geometry.quaternion import angle_between

SEEDS = st.integers(0, 2**32 - 1)
ORDERS = st.sampled_from(euler.ROTATE_ORDERS)


def smooth(rng, order, frames=120, reach=70.0):
    """A clean curve (3, frames) far from gimbal lock, in radians."""
    t = np.linspace(0.0, 2.0 * np.pi, frames)
    sizes, paces = rng.uniform(5.0, reach, (3, 1)), rng.integers(1, 4, (3, 1))
    middles = rng.uniform(-150.0, 150.0, (3, 1))
    middles[euler.axes_of(order)[1]] = 0.0
    return np.radians(middles + sizes * np.sin(paces * t + rng.uniform(0, 6, (3, 1))))


def on_other_branches(curve, order, rng, pieces=4, most=0.4):
    """The same rotations, with some stretches of frames on other branches."""
    result = curve.copy()
    frames = curve.shape[1]
    taken = np.zeros(frames, dtype=bool)
    for _ in range(pieces):
        start = int(rng.integers(0, frames - 5))
        stop = int(rng.integers(start + 1, min(start + frames // 8, frames) + 1))
        if taken[start:stop].any() or taken.mean() > most:
            continue
        taken[start:stop] = True
        piece = result[:, start:stop].T
        if rng.random() < 0.5:
            piece = euler.other_euler(piece, order)
        result[:, start:stop] = (piece + 2 * np.pi * rng.integers(-1, 2, 3)).T
    return result, taken


def largest_turn(one, two, order):
    q, r = (euler.quaternion_from_euler(angles.T, order) for angles in (one, two))
    return angle_between(q, r).max()


@given(SEEDS, ORDERS)
def test_a_clean_curve_comes_back_as_it_is(seed, order):
    curve = smooth(np.random.default_rng(seed), order)
    found, changed = branches.continuous_rotates(curve, order)
    assert found is curve
    assert not changed.any()


@given(SEEDS, ORDERS)
def test_other_branches_are_undone_and_the_main_one_stays_to_the_bit(seed, order):
    rng = np.random.default_rng(seed)
    curve = smooth(rng, order)
    broken, _ = on_other_branches(curve, order, rng)
    before = broken.copy()
    found, changed = branches.continuous_rotates(broken, order)
    np.testing.assert_array_equal(broken, before)
    assert largest_turn(found, broken, order) < 1e-9
    np.testing.assert_array_equal(found[:, ~changed], broken[:, ~changed])
    np.testing.assert_allclose(found, curve, atol=1e-9)


@pytest.mark.thorough
@given(SEEDS, ORDERS)
def test_no_rotation_ever_changes_and_no_range_grows(seed, order):
    rng = np.random.default_rng(seed)
    wild = rng.uniform(-8.0, 8.0, (3, 40))
    found, changed = branches.continuous_rotates(wild, order)
    assert largest_turn(found, wild, order) < 1e-9
    assert np.ptp(found, axis=1).sum() <= np.ptp(wild, axis=1).sum() + 1e-9
    np.testing.assert_array_equal(found[:, ~changed], wild[:, ~changed])


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_full_turns(order):
    x = np.radians(np.linspace(100.0, 260.0, 81))
    curve = np.stack([x, 0.1 * x, np.zeros(81)])
    folded = euler.wrap_angle(curve)
    found, changed = branches.continuous_rotates(folded, order)
    assert np.ptp(found, axis=1) == pytest.approx(np.ptp(curve, axis=1))
    # 41 frames at or above 180 degrees were read as negative: more than the 40 below.
    assert list(np.flatnonzero(changed)) == list(range(40))


def test_a_mirrored_set_at_gimbal_lock():
    curve = np.tile(np.radians([[20.0], [90.0], [-30.0]]), 30)
    mirrored = curve.copy()
    mirrored[:, 20:] = [[curve[0, 0] + np.pi], [curve[1, 0]], [curve[2, 0] + np.pi]]
    found, changed = branches.continuous_rotates(mirrored, "xyz")
    np.testing.assert_allclose(found, curve, atol=1e-12)
    assert list(np.flatnonzero(changed)) == list(range(20, 30))


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_the_branch_of_most_frames_wins_whichever_comes_first(order):
    curve = np.tile(np.radians([[10.0], [20.0], [30.0]]), 50) + np.linspace(0, 0.2, 50)
    curve[:, 10:] += 2 * np.pi
    found, changed = branches.continuous_rotates(curve, order)
    assert list(np.flatnonzero(changed)) == list(range(10))
    np.testing.assert_array_equal(found[:, 10:], curve[:, 10:])
    assert np.degrees(found[0]).min() == pytest.approx(370.0)


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_a_real_step_on_another_branch_ends_nothing(order):
    """Two branch changes with a real step between them."""
    middle = euler.axes_of(order)[1]
    curve = np.zeros((3, 60))
    curve[(middle + 1) % 3] = np.linspace(0.0, 0.5, 60)
    curve[(middle + 1) % 3, 40:] += np.radians(100.0)
    wild = curve.copy()
    wild[(middle + 2) % 3, 35:45] += 2 * np.pi
    found, changed = branches.continuous_rotates(wild, order)
    np.testing.assert_allclose(found, curve, atol=1e-12)
    assert list(np.flatnonzero(changed)) == list(range(35, 45))


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_a_passage_through_gimbal_lock_is_not_made_worse(order):
    """The middle angle passes 90 degrees, but its keys are folded back, as from converters."""
    middle = euler.axes_of(order)[1]
    clean = np.zeros((3, 101))
    clean[middle] = np.radians(90.0 + 40.0 * np.sin(np.linspace(0, 6 * np.pi, 101)))
    clean[(middle + 1) % 3] = np.radians(15.0)
    folded = euler.euler_from_quaternion(euler.quaternion_from_euler(clean.T, order), order).T
    found, _ = branches.continuous_rotates(folded, order)
    assert largest_turn(found, clean, order) < 1e-7
    assert np.ptp(found, axis=1).sum() <= np.ptp(folded, axis=1).sum() + 1e-9


@pytest.mark.parametrize("step", [(120.0, 0.0, 0.0), (120.0, 20.0, 120.0)])
def test_a_real_step_is_no_change_of_branch(step):
    """The second step is 60, 0 and 60 degrees on the mirrored set: not a quarter turn less."""
    curve = np.tile(np.radians([[0.0], [80.0], [0.0]]), 20)
    curve[:, 10:] += np.radians(step)[:, None]
    found, changed = branches.continuous_rotates(curve, "xyz")
    assert found is curve
    assert not changed.any()


def test_a_wheel_that_turns_fast_keeps_its_turns():
    curve = np.zeros((3, 40))
    curve[0] = np.radians(100.0) * np.arange(40)
    found, changed = branches.continuous_rotates(curve, "xyz")
    np.testing.assert_array_equal(found, curve)
    assert not changed.any()


@pytest.mark.parametrize("frames", [0, 1])
def test_hardly_any_frames(frames):
    curve = np.ones((3, frames))
    found, changed = branches.continuous_rotates(curve, "xyz")
    assert found.shape == (3, frames)
    assert changed.shape == (frames,)
