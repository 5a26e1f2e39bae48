"""Hulls and discrete oriented polytopes: what they enclose, and how tightly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.ball_joints import BALLS, SUBJECTS, ball_joints
from benchmarks.nearest_rotation import least_angle
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.geometry.quaternion import normalize
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.hull import fit_hull, fit_kdop
from jointlimits_core.shapes.polytope import hull_triangles, triangle_planes
from tests.shapes.test_polytope import SEEDS, cloud, everywhere
from tests.support.naive_polytope import faces_by_trying
from tests.support.printed_shapes import fit_exact_hull
from tests.support.shared_data import shared_path

BARE = FitOptions(pad_deg=0.0)


def volume_of(points):
    """Of the convex hull: tetrahedra from the middle to its triangles."""
    corners = points[hull_triangles(points)]
    return np.linalg.det(corners - points.mean(axis=0)).sum() / 6.0


# --- the convex hull of points -------------------------------------------------------------------


def test_points_in_rows_and_planes_have_a_hull():
    grid = np.stack(np.meshgrid(*[np.arange(4) * 0.1] * 3), axis=-1).reshape(-1, 3)
    normals, offsets = triangle_planes(grid, hull_triangles(grid))
    faces = np.unique(np.round(np.column_stack([normals, offsets]), 6) + 0.0, axis=0)
    wanted = [[*row, 0.3 if sum(row) > 0 else 0.0] for row in [*np.eye(3), *-np.eye(3)]]
    np.testing.assert_allclose(faces, np.unique(np.array(wanted) + 0.0, axis=0), atol=1e-6)


def test_points_in_one_plane_are_refused_by_name():
    flat = cloud(4) * [1.0, 1.0, 0.0]
    for points in (flat, np.zeros((10, 3)), flat[:2]):
        with pytest.raises(EstimationError, match="one plane"):
            hull_triangles(points)


# --- fits ----------------------------------------------------------------------------------------

FITS = (fit_hull, fit_exact_hull, fit_kdop)


@settings(max_examples=15)
@given(seed=SEEDS, pad_deg=st.sampled_from([0.0, 3.0]), count=st.integers(5, 400))
def test_own_samples_are_inside_with_room_for_the_padding(seed, pad_deg, count):
    points = cloud(seed, count)
    for fit in FITS:
        region = fit(points, FitOptions(pad_deg=pad_deg))
        assert region.contains(points, 0.0).all()
        around = points[:, None] + np.radians(pad_deg) * np.concatenate([np.eye(3), -np.eye(3)])
        assert region.contains(around, 1e-12).all()


@pytest.mark.thorough
def test_the_exact_hull_is_the_least_and_forty_directions_come_near():
    points = cloud(6, 5000)
    truth = volume_of(points)
    volumes = {fit: volume_of(fit(points, BARE).vertices) / truth for fit in FITS}
    assert 1.0 <= volumes[fit_exact_hull] < 1.005
    assert 1.0 < volumes[fit_hull] < 1.25
    assert volumes[fit_hull] < volumes[fit_kdop]


@pytest.mark.parametrize("fit", [fit_hull, fit_exact_hull, fit_kdop])
def test_very_thin_samples_have_a_region_that_is_bounded(fit):
    region = fit(cloud(8, 500, (0.6, 0.4, 1e-6)), BARE)
    low, high = region.bounds()
    assert (np.abs([low, high]) < 3.0).all()
    found = region.nearest(everywhere(8, 500))
    assert np.isfinite(found).all()
    assert region.contains(found).all()


# --- captured motion -----------------------------------------------------------------------------


def captured():
    for folders in SUBJECTS.values():
        for folder in folders:
            shared_path(f"data/mocap/cmu_asfamc/{folder}")
    return [joint for joint in ball_joints(True) if joint.name.endswith(BALLS[3:5])]


@pytest.mark.thorough
def test_no_allowed_rotation_is_much_nearer_than_the_projection():
    random = np.random.default_rng(2)
    for joint in captured():
        shape = fit_shape("hull", joint.fitted)
        rotations = shape.chart.rotation(everywhere(3, 4000))
        near = rotations[shape.distance(rotations) < np.radians(15.0)][:100]
        starts = shape.chart.coordinates(shape.project(normalize(random.standard_normal((500, 4)))))
        farther = shape.distance(near) - least_angle(shape, near, starts)
        assert np.degrees(np.percentile(farther, 95)) < 0.1


@pytest.mark.thorough
def test_own_samples_and_projections_of_captured_joints_are_inside():
    random = np.random.default_rng(1)
    rotations = normalize(random.standard_normal((500, 4)))
    for joint in captured():
        for kind in ("hull", "kdop"):
            shape = fit_shape(kind, joint.fitted)
            assert shape.contains(joint.fitted, 0.0).all()
            projected = shape.project(rotations)
            assert shape.contains(projected).all()
            np.testing.assert_array_equal(shape.project(projected), projected)


@settings(max_examples=10)
@given(seed=SEEDS, count=st.integers(4, 12))
def test_faces_are_those_that_have_all_points_behind_them(seed, count):
    points = cloud(seed, count)
    naive = faces_by_trying(points)
    normals, offsets = triangle_planes(points, hull_triangles(points))
    found = np.column_stack([normals, offsets])
    assert len(found) == len(naive)
    np.testing.assert_allclose(np.abs(found[:, None] - naive).max(axis=2).min(axis=0), 0, atol=1e-7)
