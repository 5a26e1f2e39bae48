"""Boundaries of shapes, as pictures draw them."""

import numpy as np
import pytest

from jointlimits_core.geometry.quaternion import (
    angle_between,
    multiply,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import FITS, fit_hinge, fit_shape, fit_universal
from jointlimits_core.shapes.mesh import surface_mesh

RNG = np.random.default_rng(2)
VECTORS = RNG.normal(size=(600, 3)) * (0.4, 0.25, 0.1)
SAMPLES = multiply(
    quaternion_from_rotation_vector([0.3, 1.0, -0.2]), quaternion_from_rotation_vector(VECTORS)
)
CONVEX = ("box", "obb", "ellipsoid", "kdop", "hull")


@pytest.mark.parametrize("kind", CONVEX)
def test_points_are_on_the_boundary(kind):
    shape = fit_shape(kind, SAMPLES)
    points = surface_mesh(shape).rotations
    assert shape.contains(points, 1e-5).all()
    inside = shape.region.nearest(0.5 * sum(shape.region.bounds()))
    outward = shape.chart.coordinates(points) - inside
    beyond = shape.chart.rotation(inside + 1.001 * outward)
    assert not shape.contains(beyond, 0.0).any()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sorted(FITS))
def test_every_shape_has_a_closed_boundary(kind):
    mesh = surface_mesh(fit_shape(kind, SAMPLES))
    assert np.isfinite(mesh.rotations).all()
    sides = np.sort(
        np.concatenate([mesh.triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1
    )
    _, counts = np.unique(sides, axis=0, return_counts=True)
    # Of a closed surface every side belongs to two triangles.
    assert (counts == 2).all()
    assert mesh.edges.max() < len(mesh.rotations)


def test_the_boundary_of_a_hinge_is_its_arc():
    angles = np.linspace(-0.5, 1.0, 60)
    shape = fit_hinge(quaternion_from_axis_angle([0.0, 0.0, 1.0], angles), FitOptions(pad_deg=0.0))
    mesh = surface_mesh(shape)
    assert len(mesh.triangles) == 0
    ends = mesh.rotations[[0, -1]]
    assert angle_between(*ends) == pytest.approx(1.5)


def test_the_boundary_of_a_universal_joint_is_a_loop():
    rotations = multiply(
        quaternion_from_axis_angle([0.0, 0.0, 1.0], RNG.uniform(-1, 1, 300)),
        quaternion_from_axis_angle([1.0, 0.0, 0.0], RNG.uniform(-0.5, 0.5, 300)),
    )
    mesh = surface_mesh(fit_universal(rotations, FitOptions()))
    assert len(mesh.edges) > 10
    assert len(mesh.triangles) == 0


def test_a_joint_that_does_not_turn_is_one_point():
    mesh = surface_mesh(fit_shape("hull", np.repeat(SAMPLES[:1], 20, axis=0)))
    assert len(mesh.rotations) == 1
    assert len(mesh.edges) == 0
