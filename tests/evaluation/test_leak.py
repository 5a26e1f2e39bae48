"""The share of a box that no sample supports."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation import estimate
from jointlimits_core.evaluation import RUN, is_near, leak, points_in_box, quasi_random
from jointlimits_core.formats import read_motion
from jointlimits_core.geometry import (
    ROTATE_ORDERS,
    angle_between,
    axes_of,
    normalized,
    quaternion_from_euler,
    quaternion_from_rotation_vector,
)
from tests.support.evaluation_examples import box, limits
from tests.support.made_motion import clip, rotate
from tests.support.shared_data import shared

LOCKED = (0.0, 0.0)


def naive_near(points, samples, radius):
    return np.array([any(angle_between(p, s) <= radius for s in samples) for p in points])


# Points


@pytest.mark.thorough
@given(
    st.sampled_from(ROTATE_ORDERS),
    st.lists(st.tuples(st.floats(-4.0, 4.0), st.floats(0.0, 3.0)), min_size=3, max_size=3),
)
def test_points_stay_in_their_box(order, sides):
    low = np.array([start for start, _ in sides])
    high = low + [width for _, width in sides]
    points = points_in_box(low, high, order, 200)
    assert (points >= low - 1e-12).all()
    assert (points <= high + 1e-12).all()


@pytest.mark.parametrize("order", ROTATE_ORDERS)
def test_points_are_even_in_the_measure_of_the_rotations(order):
    """Shares of the middle channel go with the sine; of the outer ones with the angle."""
    low, high = np.array([-1.0, -1.0, -1.0]), np.array([1.4, 1.4, 1.4])
    points = points_in_box(low, high, order, 4096)
    for axis in range(3):
        scale = np.sin if axis == axes_of(order)[1] else np.asarray
        for cut in (-0.5, 0.3, 1.1):
            expected = (scale(cut) - scale(-1.0)) / (scale(1.4) - scale(-1.0))
            assert np.mean(points[:, axis] < cut) == pytest.approx(expected, abs=3e-3)


def test_points_beyond_a_right_angle():
    """Where the middle channel passes gimbal lock the measure goes with |cos|."""
    points = points_in_box(np.zeros(3), np.array([1.0, np.pi, 1.0]), "xyz", 4096)
    assert np.mean(points[:, 1] < np.pi / 2) == pytest.approx(0.5, abs=2e-3)
    assert np.mean(np.abs(points[:, 1] - np.pi / 2) < 0.2) == pytest.approx(
        1.0 - np.cos(0.2), abs=2e-3
    )


def test_points_of_the_cube_are_the_same_every_time_and_even():
    points = quasi_random(1024)
    assert (points == quasi_random(1024)).all()
    assert points.min() >= 0.0
    assert points.max() < 1.0
    counts, _ = np.histogramdd(points, bins=(4, 4, 4), range=[(0, 1)] * 3)
    # 16 each on average; 1024 random points would come as low as 6 and as high as 28.
    assert counts.min() >= 12
    assert counts.max() <= 20


# Neighbours


@pytest.mark.thorough
@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(1, 3 * RUN),
    step=st.sampled_from([0.0, 0.01, 0.3, 3.0]),
    radius=st.sampled_from([0.02, 0.1, 0.5, 3.0]),
)
def test_near_samples_are_found_exactly(seed, count, step, radius):
    rng = np.random.default_rng(seed)
    walk = np.cumsum(rng.normal(0.0, step, (count, 3)), axis=0)
    samples = quaternion_from_rotation_vector(walk) * rng.choice([-1.0, 1.0], (count, 1))
    around = rng.choice(count, 40)
    offsets = rng.normal(0.0, radius, (40, 3))
    points = np.concatenate(
        [
            quaternion_from_rotation_vector(walk[around] + offsets),
            normalized(rng.normal(size=(5, 4))),
        ]
    )
    expected = naive_near(points, samples, radius)
    assert (is_near(points, samples, radius) == expected).all()


def test_many_points_and_samples_in_pieces(monkeypatch):
    rng = np.random.default_rng(0)
    samples = quaternion_from_rotation_vector(np.cumsum(rng.normal(0, 0.02, (500, 3)), axis=0))
    points = normalized(samples[rng.choice(500, 300)] + rng.normal(0, 0.05, (300, 4)))
    whole = is_near(points, samples, 0.1)
    assert 50 < whole.sum() < 290
    monkeypatch.setattr(sys.modules[is_near.__module__], "BLOCK", 500)
    assert (is_near(points, samples, 0.1) == whole).all()


# The leak


def test_a_ball_of_samples_in_a_box_has_the_volume_of_the_ball():
    """One sample in the middle of a box: the ball's share is (r - sin r) / pi of all."""
    half = 20.0
    limit_set = limits({"a": box((-half, half), (-half, half), (-half, half))})
    motion = clip({"a": rotate(x=np.zeros(3))})
    (found,) = leak(limit_set, motion, points=40_000)
    r = np.radians(6.0)
    assert found.supported_volume == pytest.approx((r - np.sin(r)) / np.pi, rel=0.05)
    side = np.radians(2.0 * half)
    volume = side * side * 2.0 * np.sin(np.radians(half)) / (8.0 * np.pi**2)
    assert found.box_volume == pytest.approx(volume)
    assert found.leak == pytest.approx(1.0 - found.supported_volume / volume)
    assert found.error == pytest.approx(np.sqrt(found.leak * (1 - found.leak) / 40_000))
    assert abs((1.0 - found.leak) - (r - np.sin(r)) / np.pi / volume) < 3.0 * found.error
    assert found.samples == 3


def test_a_full_box_leaks_nothing_and_a_diagonal_leaks_most():
    grid = np.stack(np.meshgrid(*[np.arange(-15.0, 16.0, 5.0)] * 3), axis=-1).reshape(-1, 3)
    limit_set = limits({"a": box((-15, 15), (-15, 15), (-15, 15))})
    (full,) = leak(limit_set, clip({"a": grid}))
    assert full.leak < 0.01
    line = np.linspace(-15.0, 15.0, 200)
    (diagonal,) = leak(limit_set, clip({"a": rotate(line, line, line)}))
    assert diagonal.leak > 0.7
    assert full.box_volume == diagonal.box_volume


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["xyz", "yxz"])
def test_the_same_as_every_point_against_every_sample(order):
    rng = np.random.default_rng(5)
    curves = np.cumsum(rng.normal(0.0, 3.0, (80, 3)), axis=0)
    motion = clip({"a": curves}, orders=order)
    low, high = curves.min(axis=0), curves.max(axis=0)
    limit_set = limits({"a": box(*zip(low, high), order=order)})
    (found,) = leak(limit_set, motion, points=300)
    points = points_in_box(np.radians(low), np.radians(high), order, 300)
    samples = quaternion_from_euler(np.radians(curves), order)
    near = naive_near(quaternion_from_euler(points, order), samples, np.radians(6.0))
    assert found.leak == pytest.approx(1.0 - near.mean(), abs=1e-12)


def test_flat_boxes_and_open_channels():
    """A locked channel leaves an area; its volume is nothing but its share is not."""
    x, y = np.meshgrid(np.linspace(0, 40, 21), np.linspace(0, 40, 21))
    half = x + y < 40.0
    motion = clip({"a": rotate(x[half], y[half], 0.0)})
    flat = limits({"a": box((0, 40), (0, 40), LOCKED, kind="universal")})
    (found,) = leak(flat, motion)
    assert found.box_volume == found.supported_volume == 0.0
    # Half of the square is a triangle, and six degrees more along its long side.
    assert 0.2 < found.leak < 0.5
    (open_,) = leak(limits({"a": box((0, 40), (0, 40), None)}), motion)
    assert open_.leak > 0.9


def test_only_joints_with_two_axes_and_more_that_have_limits():
    motion = clip({"a": rotate(x=[0, 5]), "b": rotate(x=[0, 5]), "c": rotate(x=[0, 5])})
    joints = {
        "a": box((0, 5), LOCKED, LOCKED, kind="hinge"),
        "b": box(None, None, None),
        "c": box((0, 5), LOCKED, LOCKED),
        "not there": box((0, 5), LOCKED, LOCKED),
    }
    assert [item.joint for item in leak(limits(joints), motion)] == ["c"]


def test_all_clips_support():
    one, other = clip({"a": rotate(x=[0, 1])}), clip({"a": rotate(x=[30, 31])})
    limit_set = limits({"a": box((0, 31), LOCKED, LOCKED)})
    (alone,), (both,) = leak(limit_set, one), leak(limit_set, [one, other])
    # Seven degrees of 31, and twice seven.
    assert alone.leak == pytest.approx(24 / 31, abs=0.01)
    assert both.leak == pytest.approx(17 / 31, abs=0.01)


def test_arguments_that_make_no_sense():
    limit_set = limits({"a": box((0, 5), LOCKED, LOCKED)})
    motion = clip({"a": rotate(x=[0, 5])})
    with pytest.raises(ValueError, match="radius"):
        leak(limit_set, motion, radius_deg=0.0)
    with pytest.raises(ValueError, match="points"):
        leak(limit_set, motion, points=0)


@pytest.mark.thorough
def test_shoulders_of_subject_02_leak_more_than_the_lower_back():
    folder = shared("data/mocap/cmu_asfamc/02")
    clips = [read_motion(folder / f"02_0{n}.amc", skeleton=folder / "02.asf") for n in (1, 3)]
    found = {item.joint: item for item in leak(estimate(clips), clips)}
    for side in "lr":
        assert found[f"{side}humerus"].leak > 0.7
        assert found[f"{side}humerus"].leak > found["lowerback"].leak
