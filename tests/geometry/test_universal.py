"""Universal joints: two axes at right angles, recovered from rotations about them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import axes
from jointlimits_core.geometry.axes import fit_universal
from jointlimits_core.geometry.euler import wrap_angle
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    quaternion_from_axis_angle,
    rotate,
)
from tests.support.made_characters import wander
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
from tests.support.shared_data import shared_path

EXACT_IN_STEP = {
    "03/03_02": ("rfoot", "lhand", "lthumb"),
    "49/49_18": ("rfoot",),
    "49/49_19": ("rfoot", "lhand"),
    "49/49_20": ("rfoot",),
}


def exact(rng, samples=150):
    """Rotations of a universal joint in random frames, and its two axes."""
    left, right = random_rotation(rng), random_rotation(rng)
    sizes, middles = rng.uniform(0.3, 1.4, 2), rng.uniform(-1.0, 1.0, 2)
    angles = middles + sizes * rng.uniform(-1.0, 1.0, (samples, 2))
    return universal(angles, left, right), rotate(left, Z), rotate(conjugate(right), X)


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
        carried = rotate(rotations.T, directions[:, None, 1])
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


def test_samples_with_one_axis_along_the_other_are_a_quarter_turn_off():
    """There, rounding makes the sine of some joints exceed one."""
    rng = np.random.default_rng(17)
    along = [[0.0, -(0.5**0.5), 0.0, 0.5**0.5], [0.0, 0.5**0.5, 0.0, 0.5**0.5]]
    made = []
    for _ in range(12):
        turns = np.concatenate([universal(rng.uniform(-1.0, 1.0, (998, 2))).T, along])
        made.append(multiply(random_rotation(rng), multiply(turns, random_rotation(rng))).T)
    fit = fit_universal(np.stack(made))
    assert np.degrees(fit.residual) == pytest.approx(90.0 * np.sqrt(2 / 1000), abs=1e-4)


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


def in_step(rng, angle):
    """A second angle (samples) that follows the first, radians: a polynomial, bump or echo."""
    x = angle / np.abs(angle).max()
    size = np.radians(10.0 ** rng.uniform(-1.0, 1.7))
    curves = (
        np.polyval(rng.uniform(-1.0, 1.0, rng.integers(2, 6)), x),
        np.sin(rng.uniform(0.5, 4.0) * x + rng.uniform(0.0, 6.0)),
        x + 0.02 * wander(rng, 40.0, len(x)),
        np.tanh(3.0 * x),
    )
    return size * curves[rng.integers(len(curves))]


def smooth(rng, samples):
    """Angles (samples, 2) of smooth motion, from a tenth of a degree up, free or in step."""
    first, second = (wander(rng, 10.0 ** rng.uniform(-1.0, 1.7), samples) for _ in range(2))
    if rng.random() < 0.7:
        second = in_step(rng, first)
    return rng.uniform(-3.0, 3.0, 2) + np.stack([first, second], axis=1)


@pytest.mark.thorough
@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([9, 40, 200]))
def test_small_motion_and_motion_in_step_have_no_false_minimum(seed, samples):
    rng = np.random.default_rng(seed)
    made = [
        universal(smooth(rng, samples), random_rotation(rng), random_rotation(rng))
        for _ in range(10)
    ]
    assert np.degrees(fit_universal(np.stack(made)).residual).max() <= 1e-6


def test_an_exact_joint_is_found_among_others_and_changes_none_of_them(monkeypatch):
    searched, search = [], axes._search_exact
    monkeypatch.setattr(axes, "_search_exact", lambda m: (searched.append(len(m)), search(m))[1])
    rng = np.random.default_rng(6)
    first = wander(rng, 20.0, 200)
    follows = universal(np.stack([first, 0.4 * first + first**2], axis=1), random_rotation(rng))
    free, in_parent, in_child = exact(rng, 200)
    others = [noisy(exact(rng, 200)[0], 2.0, rng), ball(rng.uniform(-1, 1, (200, 3))), free]
    fit = fit_universal(np.stack([others[0], follows, *others[1:]]))
    alone = fit_universal(np.stack(others))
    assert searched == [1]  # the moment of the one that moves freely tells its axes
    assert np.degrees(fit.residual[[1, 3]]).max() <= 1e-6
    for found, made in ((fit.parent_axes, in_parent), (fit.child_axes, in_child)):
        assert angle_between_lines(found[3], made) < 1e-9
    np.testing.assert_allclose(fit.residual[[0, 2]], alone.residual[:2], rtol=1e-12)


@pytest.mark.parametrize("clip", EXACT_IN_STEP)
def test_captured_joints_in_step_are_exact(clip):
    path = shared_path(f"data/mocap/cmu_asfamc/{clip}.amc")
    motion = read_motion(path, skeleton=path.parent / f"{path.parent.name}.asf")
    rows = [motion.joint_names.index(name) for name in EXACT_IN_STEP[clip]]
    for step in (1, 4):
        fit = fit_universal(np.ascontiguousarray(motion.rotations[rows, :, ::step]))
        assert np.degrees(fit.residual).max() <= 1e-6


# --- the steps of the search, each against its definition ------------------------------------


@pytest.mark.parametrize("reach", [1.0, np.pi])
def test_coordinates_are_the_angles_about_both_axes(reach):
    """Also for full turns, which have no mean; the inner angle is seen from the parent."""
    outer = np.linspace(-reach, reach, 40, endpoint=False)
    inner = np.random.default_rng(17).uniform(-1.2, 0.7, 40)
    y = np.array([[0.0, 1.0, 0.0]])
    first, second = (quaternion_from_axis_angle(*one) for one in ((X, outer), (y, inner)))
    fit = axes.UniversalFit(np.array([X]), y, np.zeros(1))
    found, others, departure = axes.universal_coordinates(multiply(first, second).T[None], fit)
    for angles, expected in ((found[0], outer), (others[0], -inner)):
        apart = angles - angles[0] - (expected - expected[0])
        np.testing.assert_allclose(wrap_angle(apart), 0.0, atol=1e-12)
    np.testing.assert_allclose(departure, 0.0, atol=1e-12)
    assert reach > 1.0 or abs(found).max() < 1.1
