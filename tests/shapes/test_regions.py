"""Boxes, ellipsoids and flat regions against slow and obvious ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jointlimits_core.geometry.quaternion import matrix_from_quaternion, normalize
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.flat import convex_polygon, flat_around, nearest_in_polygon
from jointlimits_core.shapes.region import (
    Box,
    Ellipsoid,
    OrientedBox,
    fit_box,
    fit_ellipsoid,
    fit_oriented_box,
    onto_ellipsoid,
    smallest_ellipsoid,
)
from tests.support import naive_shapes

TIGHT = FitOptions(pad_deg=0.0)
AXES = matrix_from_quaternion(normalize([0.3, -0.2, 0.7, 0.5]))
RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(500, 3)) * [0.8, 0.3, 0.1] @ AXES + [0.1, -0.2, 0.3]
POINTS = RNG.normal(size=(200, 3))

coordinates = st.floats(-7.0, 7.0, allow_subnormal=False)
points = arrays(np.float64, (4, 3), elements=coordinates)


@pytest.mark.thorough
@given(points)
def test_boxes_against_the_naive_ones(queries):
    box = Box(np.array([-0.5, -1.0, 0.1]), np.array([0.7, -0.2, 0.1]))
    naive = [naive_shapes.nearest_in_box(p, box.low, box.high) for p in queries]
    assert np.array_equal(box.nearest(queries), naive)
    box = OrientedBox(AXES, np.array([-0.5, -1.0, 0.1]), np.array([0.7, -0.2, 0.3]))
    naive = [naive_shapes.nearest_in_oriented_box(p, AXES, box.low, box.high) for p in queries]
    assert np.allclose(box.nearest(queries), naive, atol=1e-13)


# --- ellipsoids -----------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=200)
@given(
    arrays(np.float64, 3, elements=coordinates),
    arrays(np.float64, 3, elements=st.sampled_from([1e-6, 1e-3, 0.05, 0.4, 0.4, 1.0, 3.0])),
)
def test_nearest_point_of_an_ellipsoid_against_bisection(point, radii):
    if np.sum((point / radii) ** 2) <= 1.0:
        return
    naive = naive_shapes.nearest_on_ellipsoid(point, radii)
    found = onto_ellipsoid(point[None], radii)[0]
    assert np.allclose(found, naive, atol=1e-12, rtol=1e-9)
    assert abs(np.sum((found / radii) ** 2) - 1.0) < 1e-9


def test_the_least_ellipsoid_of_known_ones():
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    middle, _, radii = smallest_ellipsoid(corners * [1.0, 0.5, 0.2] @ AXES + [3.0, -1.0, 2.0])
    assert np.allclose(middle, [3.0, -1.0, 2.0], atol=1e-3)
    assert np.allclose(radii, np.sqrt(3.0) * np.array([1.0, 0.5, 0.2]), rtol=2e-3)
    # A regular simplex has its circumscribed sphere.
    simplex = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(3.0)
    assert np.allclose(smallest_ellipsoid(simplex)[2], 1.0, rtol=1e-3)


@pytest.mark.thorough
def test_the_least_ellipsoid_fulfils_the_conditions_of_the_least():
    """John: weights on touching points with mean at the middle and the ellipsoid's own spread."""
    optimize = pytest.importorskip("scipy.optimize")
    ellipsoid = fit_ellipsoid(CLOUD, TIGHT)
    unit = (CLOUD - ellipsoid.middle) @ ellipsoid.axes.T / ellipsoid.radii
    touching = unit[np.sum(unit * unit, axis=1) > 1.0 - 5e-3]
    upper = np.triu_indices(3)
    squares = np.einsum("ni,nj->nij", touching, touching)[:, upper[0], upper[1]]
    wanted = np.concatenate([np.zeros(3), np.eye(3)[upper] / 3.0, [1.0]])
    rows = np.concatenate([touching, squares, np.ones((len(touching), 1))], axis=1).T
    _, residual = optimize.nnls(rows, wanted)
    assert residual < 0.02
    assert np.sum(unit * unit, axis=1).max() <= 1.0 + 1e-12


@pytest.mark.parametrize("shape", [[1, 1, 1], [1, 1, 1e-3], [1, 1e-2, 1e-4], [1e-3, 1e-3, 1e-3]])
def test_ellipsoids_hold_their_samples(shape):
    cloud = POINTS * shape
    ellipsoid = fit_ellipsoid(cloud, TIGHT)
    assert ellipsoid.contains(cloud).all()
    assert np.array_equal(ellipsoid.nearest(ellipsoid.middle[None]), ellipsoid.middle[None])


@pytest.mark.parametrize("fit", [fit_box, fit_oriented_box, fit_ellipsoid])
def test_growing_grows_by_no_more_than_the_pad(fit):
    region = fit(CLOUD, TIGHT)
    grown = region.grow(0.2)
    surface = grown.nearest(20.0 * normalize(RNG.normal(size=(2000, 3))))
    reached = np.linalg.norm(surface - region.nearest(surface), axis=1)
    assert reached.min() > 0.0
    corner = 1.0 if fit is fit_ellipsoid else np.sqrt(3.0)
    assert reached.max() <= 0.2 * corner + 1e-9
    assert region.grow(0.2).grow(-0.2).contains(CLOUD, 1e-6).all()
    low, high = grown.bounds()
    assert np.all(surface >= low - 1e-9)
    assert np.all(surface <= high + 1e-9)


def test_an_ellipsoid_bounds_itself_tightly():
    ellipsoid = Ellipsoid(np.array([0.1, 0.2, 0.3]), AXES, np.array([1.0, 0.5, 0.2]))
    sphere = normalize(RNG.normal(size=(200000, 3)))
    surface = ellipsoid.middle + (sphere * ellipsoid.radii) @ ellipsoid.axes
    low, high = ellipsoid.bounds()
    assert np.allclose(low, surface.min(axis=0), atol=1e-3)
    assert np.allclose(high, surface.max(axis=0), atol=1e-3)


# --- polygons and flat regions --------------------------------------------------------------------

GRID = st.integers(-3, 3).map(float)


@pytest.mark.thorough
@given(st.lists(st.tuples(GRID, GRID), min_size=3, max_size=12))
def test_polygon_against_the_naive_one(flat):
    corners = {tuple(corner) for corner in convex_polygon(np.array(flat))}
    assert corners <= set(flat)
    naive = naive_shapes.hull_corners(list(set(flat)))
    # Points amid an edge end an edge in the naive one and are no corners of ours.
    assert corners <= naive or len(set(flat)) == 1
    found = np.array(list(corners))
    for point in naive:
        if len(found) > 2:
            inside = nearest_in_polygon(np.array([point]), convex_polygon(np.array(flat)))
            assert np.allclose(inside, point, atol=1e-12)


@pytest.mark.parametrize("dimension", [0, 1, 2])
@pytest.mark.parametrize("pad", [0.0, 0.3])
def test_flat_regions_hold_their_samples_and_nothing_beside(dimension, pad):
    origin, axes = np.array([0.1, -0.3, 0.2]), AXES[:dimension]
    spread = RNG.normal(size=(60, dimension))
    cloud = origin + spread @ axes
    flat = flat_around(cloud)
    assert flat is not None
    assert flat.axes.shape == (dimension, 3)
    region = flat.grow(pad)
    assert region.contains(cloud).all()
    assert np.array_equal(region.nearest(cloud), cloud)
    found = region.nearest(POINTS * 3.0)
    assert region.contains(found).all()
    across = AXES[dimension:]
    assert np.abs((found - origin) @ across.T).max() < 1e-9
    low, high = region.bounds()
    assert np.all(found >= low - 1e-9)
    assert np.all(found <= high + 1e-9)
    reached = np.linalg.norm(found - flat.nearest(found), axis=1).max()
    assert reached == pytest.approx(pad if dimension else 0.0, abs=1e-9)


@pytest.mark.thorough
def test_no_point_of_an_ellipsoid_is_nearer():
    ellipsoid = fit_ellipsoid(CLOUD, TIGHT)
    sphere = normalize(RNG.normal(size=(40000, 3)))
    surface = ellipsoid.middle + (sphere * ellipsoid.radii) @ ellipsoid.axes
    outside = POINTS[~ellipsoid.contains(POINTS)]
    found = np.linalg.norm(ellipsoid.nearest(outside) - outside, axis=1)
    for point, distance in zip(outside, found):
        assert distance <= np.linalg.norm(surface - point, axis=1).min() + 1e-12
