"""The steps of the fit of an implicit surface, each against obvious code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry.quaternion import quaternion_from_rotation_vector, sphere_points
from jointlimits_core.shapes import implicit_fit as energies
from jointlimits_core.shapes import implicit_surface
from jointlimits_core.shapes.charts import RotationVectors
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import unrolled
from jointlimits_core.shapes.hull import fit_hull
from jointlimits_core.shapes.implicit_fit import (
    FARTHEST_CENTRE,
    LARGEST_RADIUS,
    NEAR,
    SHARES,
    Target,
    boundary_samples,
    cleaned,
    empty_places,
    enclosing_level,
    energy,
    fitted,
    local_energies,
    normal_equations,
    one_in_each_voxel,
    subdivided,
    with_outliers,
    worth_keeping,
)
from jointlimits_core.shapes.implicit_surface import (
    ImplicitSurface,
    Primitives,
    field,
    solved,
    square,
)
from tests.support.naive_implicit import (
    naive_boundary,
    naive_coherent,
    naive_energy,
    naive_field,
    naive_voxels,
)

seeds = st.integers(0, 10**6)


def cloud(seed: int, count: int = 60) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 3)) * [1.0, 0.5, 0.3]


def some_target(seed: int) -> Target:
    points = cloud(seed)
    return Target(points[:20], points[:40], cloud(seed + 1, 30) * 2.0)


def some_primitives(seed: int, count: int = 3) -> Primitives:
    random = np.random.default_rng(seed + 2)
    return Primitives(
        random.normal(scale=0.4, size=(count, 3)), random.uniform(0.2, 0.8, count), 5.0
    )


def parameters(primitives: Primitives) -> np.ndarray:
    return np.concatenate([primitives.centres, primitives.radii[:, None]], axis=1).ravel()


def from_parameters(values: np.ndarray) -> Primitives:
    rows = values.reshape(-1, 4)
    return Primitives(rows[:, :3], rows[:, 3], 5.0)


# --- the coherent quaternion field --------------------------------------------------------------


@pytest.mark.thorough
@given(seeds)
def test_chart_coordinates_are_the_coherent_field_whatever_the_signs(seed):
    """Neighbours made to have positive dot products, seen from the centre, as section 3.3 says."""
    random = np.random.default_rng(seed)
    steps = random.normal(scale=0.15, size=(60, 3))
    # A step of 30 degrees or more is a cut to one and a neighbour to the other.
    steps *= np.minimum(1.0, 0.5 / np.linalg.norm(steps, axis=1, keepdims=True))
    track = np.cumsum(steps, axis=0) - steps[0]
    rotations = quaternion_from_rotation_vector(track)
    rotations = rotations * random.choice([-1.0, 1.0], size=(60, 1))
    coherent = np.array(naive_coherent(rotations.tolist()))[:, :3]
    coordinates = unrolled(rotations, RotationVectors(np.array([0.0, 0.0, 0.0, 1.0])))
    length = np.linalg.norm(coordinates, axis=1, keepdims=True)
    vector_part = 0.5 * coordinates * np.sinc(0.5 * length / np.pi)
    # A field has two realisations, with all signs the other way round.
    side = np.sign(np.sum(vector_part * coherent))
    np.testing.assert_allclose(vector_part, side * coherent, rtol=0, atol=1e-9)


# --- voxels and boundary ------------------------------------------------------------------------


@pytest.mark.thorough
@given(seeds, st.integers(2, 12))
def test_one_sample_in_each_voxel(seed, cells):
    points = cloud(seed)
    np.testing.assert_array_equal(one_in_each_voxel(points, cells), naive_voxels(points, cells))


def test_identical_samples_are_one():
    assert one_in_each_voxel(np.ones((50, 3))).tolist() == [[1.0, 1.0, 1.0]]


@pytest.mark.thorough
@given(seeds, st.integers(5, 40), st.floats(0.1, 0.8))
def test_boundary_is_the_farthest_in_each_cone(seed, cones, half):
    points, centre = cloud(seed), np.array([0.1, 0.0, -0.1])
    found = boundary_samples(points, centre, cones, half)
    assert set(found.tolist()) == naive_boundary(points, centre, sphere_points(cones), half)


def test_a_ball_has_its_skin_as_boundary():
    skin = sphere_points(400)
    points = np.concatenate([0.5 * skin, skin, np.zeros((1, 3))])
    found = boundary_samples(points, np.zeros(3))
    assert found.min() >= 400
    assert found.max() < 800
    assert len(found) > 150


@pytest.mark.thorough
@given(seeds)
def test_empty_places_are_outside_the_support_planes(seed):
    points = cloud(seed)
    half = sphere_points(80)[:40]
    planes = np.concatenate([half, -half])
    beyond = np.max(
        empty_places(points, 500) @ planes.T - np.max(points @ planes.T, axis=0), axis=1
    )
    assert (beyond > NEAR).all()
    assert len(beyond) > 50


# --- energy and least squares -------------------------------------------------------------------


@pytest.mark.thorough
@given(seeds)
def test_energy_has_every_term(seed):
    target, primitives = some_target(seed), some_primitives(seed)
    weights = (energies.OUTSIDE_WEIGHT, energies.SIZE_PENALTY, energies.DISTANCE_PENALTY)
    wanted = naive_energy(
        primitives.centres,
        primitives.radii,
        5.0,
        target.boundary,
        target.inside,
        target.outside,
        weights,
    )
    assert energy(primitives, target) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.thorough
@given(seeds)
def test_gradient_of_the_energy_is_its_difference(seed):
    target, primitives = some_target(seed), some_primitives(seed)
    gradient, matrix = normal_equations(primitives, target)
    values, h = parameters(primitives), 1e-6
    for index in range(len(values)):
        step = np.zeros(len(values))
        step[index] = h
        ahead = energy(from_parameters(values + step), target)
        behind = energy(from_parameters(values - step), target)
        assert 2.0 * gradient[index] == pytest.approx((ahead - behind) / (2.0 * h), abs=2e-4)
    np.testing.assert_allclose(matrix, matrix.T, rtol=0, atol=1e-12)
    assert np.linalg.eigvalsh(matrix).min() > 0.0


@pytest.mark.thorough
@given(seeds)
@settings(max_examples=20)
def test_a_fit_never_raises_the_energy(seed):
    target, primitives = some_target(seed), some_primitives(seed)
    assert energy(fitted(primitives, target), target) <= energy(primitives, target)


def test_a_sphere_is_found_again():
    middle, radius = np.array([0.2, -0.1, 0.05]), 0.6
    skin = middle + radius * sphere_points(200)
    none = np.zeros((0, 3))
    start = Primitives(np.zeros((1, 3)), np.array([0.8]), 5.0)
    found = fitted(start, Target(skin, none, none))
    # The penalties pull a little.
    np.testing.assert_allclose(found.centres[0], middle, rtol=0, atol=1e-3)
    assert found.radii[0] == pytest.approx(radius, abs=1e-3)


@given(seeds, st.integers(1, 40))
def test_small_systems_are_solved(seed, count):
    tall = np.random.default_rng(seed).normal(size=(90, count))
    matrix = square(tall)
    np.testing.assert_allclose(matrix, np.einsum("ni,nj->ij", tall, tall), rtol=0, atol=1e-10)
    right = tall[0]
    np.testing.assert_allclose(matrix @ solved(matrix, right), right, rtol=0, atol=1e-9)


# --- subdivision, cleaning, enclosing -----------------------------------------------------------


@pytest.mark.thorough
@given(seeds)
def test_local_energy_counts_the_points_within_reach(seed):
    target, primitives = some_target(seed), some_primitives(seed)
    none = Target(target.boundary, np.zeros((0, 3)), np.zeros((0, 3)))
    for found, centre, radius in zip(
        local_energies(primitives, none), primitives.centres, primitives.radii
    ):
        wanted = 0.0
        for point in target.boundary:
            if np.linalg.norm(point - centre) < radius + 2.0 / 5.0:
                value = naive_field(point, primitives.centres, primitives.radii, 5.0)
                wanted += (value - 1.0) ** 2 / len(target.boundary)
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_six_take_the_place_of_one_in_pairs_along_the_axes():
    before = some_primitives(0)
    after = subdivided(before, 1)
    assert len(after) == len(before) + 5
    children = after.centres[-6:] - before.centres[1]
    np.testing.assert_allclose(children.sum(axis=0), 0.0, atol=1e-12)
    assert sorted(np.argmax(np.abs(children), axis=1)) == [0, 0, 1, 1, 2, 2]
    assert (after.radii[-6:] < before.radii[1]).all()
    np.testing.assert_array_equal(after.centres[:2], before.centres[[0, 2]])


def test_cleaning_takes_the_large_the_far_and_the_idle():
    points = 0.5 * sphere_points(100)
    centres = np.array([[0.0, 0, 0], [0, 0, 0], [FARTHEST_CENTRE + 0.1, 0, 0], [0, 0, 1.6]])
    radii = np.array([0.5, LARGEST_RADIUS + 0.1, 1.3, 0.1])
    primitives = Primitives(centres, radii, 5.0)
    assert worth_keeping(primitives, points).tolist() == [True, False, False, False]
    assert len(cleaned(primitives, points)) == 1
    useless = primitives.chosen(np.array([False, True, True, False]))
    assert len(cleaned(useless, points)) == 2


@given(seeds)
def test_the_level_encloses_its_share(seed):
    samples, primitives = cloud(seed, 500), some_primitives(seed, 6)
    level = enclosing_level(samples, primitives, SHARES[0])
    values = field(samples, primitives)
    assert 0.0 < level <= 1.0
    felt = float(np.mean(values > 0.0))
    assert np.mean(values >= level) >= min(SHARES[0], felt) - 1e-12


@given(seeds, st.sampled_from([0.0, 0.05, 0.2]))
@settings(max_examples=30)
def test_strays_bring_every_sample_inside(seed, pad):
    samples, primitives = cloud(seed, 40), some_primitives(seed, 1)
    found = with_outliers(samples, primitives, 1.0, pad, 0.1)
    assert (field(samples, found.grown(pad)) >= 1.0).all()
    again = with_outliers(samples, found, 1.0, pad, 0.1)
    assert len(again) == len(found)


def test_strays_that_are_more_than_the_rounds_stay_outside(monkeypatch):
    monkeypatch.setattr(energies, "MOST_STRAYS", 1)
    samples = np.array([[3.0, 0.0, 0.0], [-3.0, 0.0, 0.0]])
    one = Primitives(np.zeros((1, 3)), np.array([0.1]), 5.0)
    assert len(with_outliers(samples, one, 1.0, 0.0, 0.1).radii) == 2


def test_a_surface_that_stays_too_large_has_the_smallest_share(monkeypatch):
    fits = []
    for large in (np.inf, 0.0):
        monkeypatch.setattr(energies, "LARGE", large)
        points = cloud(3)
        fits.append(energies.fit_implicit(points, FitOptions(), fit_hull(points, FitOptions())))
    assert fits[0].level < fits[1].level
    assert all(fit.contains(points, 1e-9).all() for fit in fits)
    assert len(SHARES) > 1


def test_subdividing_ends_with_its_rounds_or_with_a_good_fit(monkeypatch):
    target = some_target(1)
    many = energies.fitted_primitives(target)
    monkeypatch.setattr(energies, "GOOD_MISFIT", np.inf)
    assert len(energies.fitted_primitives(target).radii) == 1
    assert len(many.radii) > 1


def test_points_that_slide_one_step_come_nearer(monkeypatch):
    one = Primitives(np.zeros((1, 3)), np.array([1.0]), 5.0)
    surface = ImplicitSurface(one, 1.0)
    point = np.array([[2.0, 0.3, 0.1]])
    apart = np.linalg.norm(surface.nearest(point) - point)
    monkeypatch.setattr(implicit_surface, "MOST_STEPS", 1)
    start = np.array([[0.0, 1.0, 0.0]])
    slid = implicit_surface._descend(point, start, one, 1.0)
    assert apart - 1e-6 <= np.linalg.norm(slid - point) <= np.linalg.norm(start - point)
    inside = np.array([[0.1, 0.0, 0.0]])
    assert np.array_equal(surface.nearest(inside), inside)
