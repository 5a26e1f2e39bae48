"""Nearest points of polytopes: many at once, one by one, and in bad company."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry.quaternion import sphere_points
from jointlimits_core.scalar.regions import ScalarPolytope
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.hull import fit_hull, fit_kdop
from jointlimits_core.shapes.polytope import Polytope, hull_triangles, triangle_planes
from tests.support.naive_polytope import corners_by_trying, faces_by_trying, nearest_by_trying
from tests.support.printed_shapes import fit_exact_hull

INSIDE = 1e-9
CUBE = Polytope(np.concatenate([np.eye(3), -np.eye(3)]), np.full(6, 0.5))
SEEDS = st.integers(0, 10_000)


def cloud(seed, count=300, sizes=(0.6, 0.4, 0.2)):
    return np.random.default_rng(seed).standard_normal((count, 3)) * sizes


def everywhere(seed, count, reach=np.pi):
    random = np.random.default_rng(seed)
    ways = random.standard_normal((count, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return ways * reach * random.random((count, 1)) ** (1 / 3)


def polytopes(seed, pad_deg=3.0):
    points = cloud(seed)
    for fit in (fit_hull, fit_exact_hull, fit_kdop):
        yield fit(points, FitOptions(pad_deg=pad_deg))


# --- against trying everything -------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=10)
@given(seed=SEEDS, count=st.integers(3, 8))
def test_nearest_is_what_trying_all_meets_of_planes_finds(seed, count):
    random = np.random.default_rng(seed)
    normals = random.standard_normal((count, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.concatenate([normals, np.eye(3), -np.eye(3)])
    offsets = np.concatenate([random.uniform(0.05, 0.6, count), np.full(6, 0.8)])
    polytope = Polytope(normals, offsets)
    scalar = ScalarPolytope(normals.tolist(), offsets.tolist())
    points = everywhere(seed, 8, 2.0)
    naive = [nearest_by_trying(polytope.normals, offsets, point) for point in points]
    np.testing.assert_allclose(polytope.nearest(points), naive, atol=1e-9)
    one_by_one = [scalar.nearest(tuple(point)) for point in points.tolist()]
    np.testing.assert_allclose(one_by_one, naive, atol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_small_hulls_at_every_scale_have_the_faces_of_trying(seed):
    random = np.random.default_rng(seed)
    points = random.normal([2.0, -1.0, 0.5], 1.0, (4 + seed % 3, 3))
    normals, offsets = triangle_planes(points, hull_triangles(points))
    found = np.column_stack([normals, offsets])
    naive = faces_by_trying(points)
    apart = np.linalg.norm(found[:, None] - naive, axis=-1)
    assert apart.min(axis=1).max() < 1e-9
    assert apart.min(axis=0).max() < 1e-9
    small = points * 1e-7
    again, near = triangle_planes(small, hull_triangles(small))
    np.testing.assert_allclose(np.column_stack([again, near * 1e7]), found, atol=1e-6)


@settings(max_examples=10)
@given(seed=SEEDS)
def test_corners_are_the_allowed_meets_of_three_planes(seed):
    random = np.random.default_rng(seed)
    normals = np.concatenate([random.standard_normal((8, 3)), np.eye(3), -np.eye(3)])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    polytope = Polytope(normals, random.uniform(0.2, 0.8, 14))
    naive = corners_by_trying(polytope.normals, polytope.offsets)
    found = polytope.vertices
    apart = np.linalg.norm(found[:, None] - naive, axis=-1)
    assert apart.min(axis=0).max() < 1e-6, "a corner is missing"
    assert apart.min(axis=1).max() < 1e-6, "a corner that is none"
    np.testing.assert_allclose(polytope.bounds()[0], naive.min(axis=0), atol=1e-7)
    np.testing.assert_allclose(polytope.bounds()[1], naive.max(axis=0), atol=1e-7)


# --- what a nearest point is ---------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=10)
@given(seed=SEEDS, pad_deg=st.sampled_from([0.0, 3.0, 20.0]))
def test_a_nearest_point_is_inside_stays_and_no_allowed_point_is_nearer(seed, pad_deg):
    points = everywhere(seed, 400)
    for polytope in polytopes(seed, pad_deg):
        found = polytope.nearest(points)
        assert polytope.contains(found, INSIDE).all()
        np.testing.assert_array_equal(polytope.nearest(found), found)
        # All of a convex set lies beyond the plane through the nearest point, across the way.
        ways = points - found
        others = polytope.vertices[None] - found[:, None]
        assert np.einsum("ij,ikj->ik", ways, others).max() < 1e-8


@settings(max_examples=10)
@given(seed=SEEDS)
def test_projections_never_come_farther_apart_than_the_points_were(seed):
    first, second = everywhere(seed, 300), everywhere(seed + 1, 300)
    for polytope in polytopes(seed):
        before = np.linalg.norm(first - second, axis=1)
        after = np.linalg.norm(polytope.nearest(first) - polytope.nearest(second), axis=1)
        assert (after <= before + INSIDE).all()


def test_how_many_points_come_at_once_changes_nothing_to_speak_of():
    hull = fit_hull(cloud(2), FitOptions())
    points = everywhere(3, 12_000)
    together = hull.nearest(points)
    apart = np.concatenate([hull.nearest(points[start::7]) for start in range(7)])
    np.testing.assert_allclose(
        apart, np.concatenate([together[s::7] for s in range(7)]), atol=1e-12
    )


# --- bad company ---------------------------------------------------------------------------------


def same_twice():
    normals = np.concatenate([sphere_points(40), sphere_points(40)[:15]])
    return Polytope(normals, np.full(55, 0.5))


def all_but_parallel():
    normals = sphere_points(40)
    return Polytope(np.concatenate([normals, normals + 1e-9]), np.full(80, 0.5))


def many_through_one_corner():
    ways = np.linspace(0.0, 2.0 * np.pi, 30, endpoint=False)
    side = np.stack([np.cos(ways), np.sin(ways), np.ones(30)], axis=1) / np.sqrt(2.0)
    return Polytope(np.concatenate([side, [[0.0, 0.0, -1.0]]]), np.append(np.full(30, 0.5), 0.2))


def with_faces_that_touch_nothing():
    normals = np.concatenate([CUBE.normals, sphere_points(30)])
    return Polytope(normals, np.concatenate([np.full(6, 0.5), np.full(30, 0.87)]))


@pytest.mark.parametrize(
    "made",
    [
        same_twice,
        all_but_parallel,
        many_through_one_corner,
        lambda: fit_exact_hull(cloud(5, 500, (0.6, 0.4, 1e-5)), FitOptions(pad_deg=0.0)),
        with_faces_that_touch_nothing,
        lambda: fit_hull(cloud(6) + np.array([9.0, -4.0, 2.0]), FitOptions()),
    ],
)
def test_half_spaces_that_make_trouble(made):
    polytope = made()
    points = everywhere(11, 2000) + polytope.vertices.mean(axis=0)
    found = polytope.nearest(points)
    assert polytope.contains(found, INSIDE).all()
    assert np.abs(polytope.nearest(found) - found).max() <= INSIDE
    others = polytope.vertices[None] - found[:, None]
    assert np.einsum("ij,ikj->ik", points - found, others).max() < 1e-7


@pytest.mark.parametrize("reach", [1e-9, 50.0, 1e4])
def test_points_from_very_near_and_from_far(reach):
    hull = fit_hull(cloud(8), FitOptions())
    points = hull.vertices[:60].repeat(5, axis=0) + everywhere(9, 300, reach)
    found = hull.nearest(points)
    assert hull.contains(found, INSIDE).all()
    others = hull.vertices[None] - found[:, None]
    assert np.einsum("ij,ikj->ik", points - found, others).max() < 1e-9 * max(reach, 1.0)


def test_what_does_not_settle_is_found_on_the_surface(monkeypatch):
    hull = fit_hull(cloud(9), FitOptions())
    points = everywhere(10, 200)
    usual = hull.nearest(points)
    monkeypatch.setattr("jointlimits_core.shapes.polytope._MAX_STEPS", 1)
    np.testing.assert_allclose(hull.nearest(points), usual, atol=1e-9)


# --- one point in plain Python -------------------------------------------------------------------


@pytest.mark.parametrize(
    "made", [same_twice, all_but_parallel, many_through_one_corner, with_faces_that_touch_nothing]
)
def test_one_point_at_a_time_where_half_spaces_make_trouble(made):
    polytope = made()
    scalar = ScalarPolytope(polytope.directions.tolist(), polytope.offsets.tolist())
    points = everywhere(12, 300)
    found = np.array([scalar.nearest(tuple(point)) for point in points.tolist()])
    np.testing.assert_allclose(found, polytope.nearest(points), atol=1e-8)


# --- padding and files ---------------------------------------------------------------------------


@settings(max_examples=10)
@given(seed=SEEDS)
def test_all_within_the_padding_of_what_was_inside_is_inside(seed):
    points = everywhere(seed, 500)
    for polytope in polytopes(seed):
        distance = np.linalg.norm(points - polytope.nearest(points), axis=1)
        assert polytope.grow(0.2).contains(points[distance <= 0.2]).all()


def test_files_hold_few_digits():
    for polytope in polytopes(0):
        data = polytope.to_dict()
        numbers = [*np.ravel(data["directions"]), *data["offsets_rad"]]
        assert all(number == round(number, 7) for number in numbers)


@pytest.mark.thorough
def test_nearest_agrees_with_a_general_solver():
    minimize = pytest.importorskip("scipy.optimize").minimize
    hull = fit_hull(cloud(3), FitOptions())
    for point in everywhere(4, 12):
        bounded = {"type": "ineq", "fun": lambda x: hull.offsets - hull.normals @ x}
        found = minimize(
            lambda x, point=point: np.sum((x - point) ** 2),
            np.zeros(3),
            constraints=bounded,
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 300},
        )
        np.testing.assert_allclose(hull.nearest(point), found.x, atol=1e-5)
