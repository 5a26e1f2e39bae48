"""Universal joints: two axes at right angles, found again in rotations made from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import axes
from jointlimits_core.geometry.axes import fit_universal
from jointlimits_core.geometry.euler import wrapped
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    quaternion_from_axis_angle,
    rotated,
)
from tests.support import naive_estimation as naive
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
from tests.support.shared_data import shared

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
    return universal(angles, left, right), rotated(left, Z), rotated(conjugate(right), X)


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


@given(st.integers(0, 2**32 - 1))
def test_the_residual_is_the_departure_from_a_right_angle(seed):
    rng = np.random.default_rng(seed)
    rotations = ball(rng.uniform(-1, 1, (30, 3)), random_rotation(rng))
    fit = fit_universal(rotations[None])
    off = [naive.off_right_angle(q, fit.parent_axes[0], fit.child_axes[0]) for q in rotations.T]
    assert fit.residual[0] == pytest.approx(np.sqrt(np.mean(np.square(off))), abs=1e-9)
    for found in (fit.parent_axes, fit.child_axes):
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-12)
        assert found[0, np.argmax(np.abs(found[0]))] > 0.0


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
        carried = rotated(rotations.T, directions[:, None, 1])
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
    """There the sine, rounded, of some joints is beyond one."""
    rng = np.random.default_rng(17)
    along = [[0.0, -(0.5**0.5), 0.0, 0.5**0.5], [0.0, 0.5**0.5, 0.0, 0.5**0.5]]
    made = []
    for _ in range(12):
        turns = np.concatenate([universal(rng.uniform(-1.0, 1.0, (998, 2))).T, along])
        made.append(multiply(random_rotation(rng), multiply(turns, random_rotation(rng))).T)
    fit = fit_universal(np.stack(made))
    assert np.degrees(fit.residual) == pytest.approx(90.0 * np.sqrt(2 / 1000), abs=1e-4)


def test_many_samples_are_thinned_evenly():
    rng = np.random.default_rng(9)
    rotations, in_parent, _ = exact(rng, 20000)
    fit = fit_universal(rotations[None])
    assert np.degrees(fit.residual[0]) < 1e-5
    assert angle_between_lines(fit.parent_axes[0], in_parent) < 1e-3


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
    path = shared(f"data/mocap/cmu_asfamc/{clip}.amc")
    motion = read_motion(path, skeleton=path.parent / f"{path.parent.name}.asf")
    rows = [motion.joint_names.index(name) for name in EXACT_IN_STEP[clip]]
    for step in (1, 4):
        fit = fit_universal(np.ascontiguousarray(motion.rotations[rows, :, ::step]))
        assert np.degrees(fit.residual).max() <= 1e-6


# --- the steps of the search, each against its definition ------------------------------------


@pytest.fixture
def turns():
    """Rotations of two joints, (2, 4, 40)."""
    rng = np.random.default_rng(11)
    return np.stack([ball(rng.uniform(-1, 1, (40, 3))) for _ in range(2)])


@pytest.fixture
def samples(turns):
    """Matrices of two joints, (2, 40, 3, 3), and their K by definition, (2, 9, 9)."""
    matrices = axes.matrix_from_quaternion(np.swapaxes(turns, 1, 2))
    moment = [sum(np.outer(m, m) for m in own) / 40 for own in matrices]
    return matrices, np.array(moment)


def test_sums_of_products_are_numbers_of_the_matrix(turns, samples):
    u, v = np.random.default_rng(12).standard_normal((2, 2, 5, 3))
    weights = (u[..., None] * v[..., None, :]).reshape(2, 5, 9) @ axes.MATRIX_OF_PRODUCTS
    expected = np.einsum("jki,jsil,jkl->jks", u, samples[0], v)
    np.testing.assert_allclose(axes.sums_of_products(weights, turns), expected, atol=1e-14)


def test_the_moment_and_its_root(turns, samples):
    _, expected = samples
    np.testing.assert_allclose(axes._moment(turns), expected, atol=1e-14)
    root, singular = axes._root(expected)
    flat = root[0].reshape(2, 9, 9)
    np.testing.assert_allclose(np.swapaxes(flat, 1, 2) @ flat, expected, atol=1e-14)
    assert not singular.any()
    assert axes._root(axes._moment(turns[:, :, :5]))[1].all()


@pytest.mark.parametrize("largest", [2.5, 0.4])
def test_singular_is_a_ratio_of_eigenvalues(largest):
    for ratio, expected in ((0.8e-12, True), (1.2e-12, False)):
        eigenvalues = np.full(9, 0.3)
        eigenvalues[[2, 7]] = largest, ratio * largest
        assert axes._root(np.diag(eigenvalues)[None])[1].tolist() == [expected]


@pytest.mark.parametrize(
    ("smallest", "second", "left"),
    [(1e-15, 0.1, 0.0), (1e-13, 0.1, 1e-13), (1e-15, 1e-8, 1e-15), (-1e-15, 0.1, 0.0)],
)
def test_a_lone_eigenvalue_that_is_rounding_is_zero(smallest, second, left):
    eigenvalues = np.array([0.5, 2.0, smallest, 0.7, second, 0.9, 1.0, 1.1, 1.2])
    root = axes._root(np.diag(eigenvalues)[None])[0][0].reshape(9, 9)
    assert (root**2).sum(axis=1).min() == pytest.approx(left, rel=1e-9, abs=0.0)


def test_the_search_for_exact_joints_gives_the_mean_square_over_all_samples():
    rng = np.random.default_rng(16)
    turns = np.concatenate(
        [hinge(X, np.linspace(-1, 1, 520)), ball(rng.uniform(-1, 1, (80, 3)))], 1
    )
    matrices = axes.matrix_from_quaternion(turns.T)
    state = axes._search_exact(matrices[None])
    parent, child = state.axes[:, 0, 0]
    assert state.cost[0, 0] == pytest.approx(np.mean((matrices @ child @ parent) ** 2), rel=1e-6)


@pytest.mark.parametrize(
    ("costs", "steps"),
    [
        ((1e-3, 5e-4, 4e-4, 4e-4 - 1e-8, 1e-4), 3),
        ((1e-3, 0.0, 0.0, 0.0), 2),
        ((3e-18, 2.5e-18, 1e-18), 1),
        ((4e-3, 3e-3, 2e-3, 1e-3, 0.0), 4),
    ],
)
def test_steps_end_where_the_cost_hardly_falls(costs, steps, monkeypatch):
    states = [axes._State(None, None, None, np.array([[cost]])) for cost in costs]
    rest = iter(states[1:])
    monkeypatch.setattr(axes, "_newton_step", lambda root, state: next(rest))
    assert axes._refined(None, states[0], 4) is states[steps]


def moment_of_child(matrices, parent):
    """Mean of the outer products of where each rotation has the parent's axis."""
    seen = [m.T @ parent for m in matrices]
    return sum(np.outer(v, v) for v in seen) / len(seen)


def test_contractions_are_the_moments_of_the_other_axis(samples):
    matrices, moment = samples
    axis = np.array([0.6, 0.0, 0.8])
    by_parent, by_child = axes._contractions(moment)
    upper = (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)
    for joint in range(2):
        found = by_parent[joint] @ np.outer(axis, axis).ravel()
        expected = moment_of_child(matrices[joint], axis)[upper]
        np.testing.assert_allclose(found, expected, atol=1e-14)
        found = by_child[joint] @ np.outer(axis, axis).ravel()
        expected = moment_of_child(np.swapaxes(matrices[joint], 1, 2), axis)[upper]
        np.testing.assert_allclose(found, expected, atol=1e-14)


def test_directions_to_start_from_are_those_with_the_smallest_estimate(samples):
    matrices, moment = samples
    found = axes._promising(axes._contractions(moment)[0], 7)
    for joint in range(2):
        estimates = []
        for direction in axes.DIRECTIONS:
            own = np.linalg.eigvalsh(moment_of_child(matrices[joint], direction))
            estimates.append(own.prod() / (own[0] * own[1] + own[0] * own[2] + own[1] * own[2]))
        best = np.argsort(estimates, kind="stable")[:7]
        np.testing.assert_array_equal(found[joint], axes.DIRECTIONS[best])


def test_directions_are_a_spiral_over_half_a_sphere():
    golden = np.pi * (3.0 - 5.0**0.5)
    for number, (x, y, z) in enumerate(axes._half_sphere(32)):
        assert z == pytest.approx((number + 0.5) / 32)
        wide = (1.0 - z * z) ** 0.5
        assert (x, y) == pytest.approx(
            (wide * np.cos(golden * number), wide * np.sin(golden * number)), abs=1e-12
        )
    np.testing.assert_array_equal(axes.DIRECTIONS, axes._half_sphere(32))


def test_one_inverse_iteration(samples):
    matrices, moment = samples
    rng = np.random.default_rng(12)
    fixed, axis = (v / np.linalg.norm(v, axis=0) for v in rng.standard_normal((2, 3, 2, 4)))
    found = axes._nearer_to_smallest(axes._contractions(moment)[0], fixed, axis)
    for joint in range(2):
        for start in range(4):
            own = moment_of_child(matrices[joint], fixed[:, joint, start])
            moved = np.linalg.solve(own, axis[:, joint, start])
            expected = moved / np.linalg.norm(moved)
            np.testing.assert_allclose(found[:, joint, start], expected, atol=1e-9)
    # Where nothing is known, the axis stays; those of other joints move all the same.
    some = axes._contractions(moment)[0] * np.array([0.0, 1.0])[:, None, None]
    kept = axes._nearer_to_smallest(some, fixed, axis)
    np.testing.assert_array_equal(kept[:, 0], axis[:, 0])
    np.testing.assert_allclose(kept[:, 1], found[:, 1], atol=1e-12)


def test_two_unit_vectors_across_an_axis():
    rng = np.random.default_rng(13)
    many = np.concatenate([rng.standard_normal((50, 3)), np.eye(3), -np.eye(3)])
    many /= np.linalg.norm(many, axis=1, keepdims=True)
    for axis, across in zip(many, axes._tangents(many)):
        frame = np.concatenate([axis[None], across])
        np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-14)


def test_a_newton_step_solves_the_damped_equations(samples):
    """The derivative by differences, at axes whose cost is so large that the damping counts."""
    root, _ = axes._root(samples[1])
    halves = root[0].reshape(2, 9, 3, 3)
    rng = np.random.default_rng(14)
    start = rng.standard_normal((2, 2, 3, 3))
    start /= np.linalg.norm(start, axis=-1, keepdims=True)
    state = axes._state(root, start)
    moved = axes._newton_step(root, state)
    for joint, one in np.ndindex(2, 3):
        at = start[:, joint, one]
        across = axes._tangents(at)

        def rows(step, joint=joint, at=at, across=across):
            new = at + np.einsum("ak,akc->ac", step.reshape(2, 2), across)
            return np.einsum("rpc,p,c->r", halves[joint], new[0], new[1])

        np.testing.assert_allclose(state.rows[joint, one], rows(np.zeros(4)), atol=1e-14)
        cost = float(rows(np.zeros(4)) @ rows(np.zeros(4)))
        assert state.cost[joint, one] == pytest.approx(cost)
        tiny = 1e-6 * np.eye(4)
        jacobian = np.stack([(rows(d) - rows(-d)) / 2e-6 for d in tiny], axis=1)
        normal = jacobian.T @ jacobian + (1e-12 + 1e-3 * cost) * np.eye(4)
        step = -np.linalg.solve(normal, jacobian.T @ rows(np.zeros(4)))
        new = at + np.einsum("ak,akc->ac", step.reshape(2, 2), across)
        new /= np.linalg.norm(new, axis=-1, keepdims=True)
        lower = float(np.sum(np.einsum("rpc,p,c->r", halves[joint], *new) ** 2)) < cost
        np.testing.assert_allclose(moved.axes[:, joint, one], new if lower else at, atol=1e-7)


def test_the_best_starts_come_first(samples):
    root, _ = axes._root(samples[1])
    start = np.random.default_rng(15).standard_normal((2, 2, 5, 3))
    state = axes._state(root, start / np.linalg.norm(start, axis=-1, keepdims=True))
    best = axes._best(state, 2, root)
    np.testing.assert_allclose(best.cost, np.sort(state.cost, axis=1)[:, :2], rtol=1e-12)
    assert axes._best(best, 1, root).cost.shape == (2, 1)


def test_the_first_of_components_as_large_is_positive():
    third = 1.0 / 3.0**0.5
    found = axes._positive(np.array([[-third, third + 3e-10, third], [0.6, -0.8, 0.0]]))
    np.testing.assert_allclose(found, [[third, -third, -third], [-0.6, 0.8, 0.0]], atol=1e-9)


@pytest.mark.parametrize("reach", [1.0, np.pi])
def test_coordinates_are_the_angles_about_both_axes(reach):
    """All the way round, where there is no middle, too; the inner one seen from the parent."""
    outer = np.linspace(-reach, reach, 40, endpoint=False)
    inner = np.random.default_rng(17).uniform(-1.2, 0.7, 40)
    y = np.array([[0.0, 1.0, 0.0]])
    first, second = (quaternion_from_axis_angle(*one) for one in ((X, outer), (y, inner)))
    fit = axes.UniversalFit(np.array([X]), y, np.zeros(1))
    found, others, departure = axes.universal_coordinates(multiply(first, second).T[None], fit)
    for angles, expected in ((found[0], outer), (others[0], -inner)):
        apart = angles - angles[0] - (expected - expected[0])
        np.testing.assert_allclose(wrapped(apart), 0.0, atol=1e-12)
    np.testing.assert_allclose(departure, 0.0, atol=1e-12)
    assert reach > 1.0 or abs(found).max() < 1.1
