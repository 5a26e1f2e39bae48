"""What projecting onto a shape promises, whatever the shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry.quaternion import (
    angle_between,
    multiply,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.shapes.charts import RotationVectors, SwingTwist, TwoAxes
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.region import Box
from jointlimits_core.shapes.shape import CoupledShape
from tests.support.moving_joints import AXIS, CENTRE, ball, hinge, past_half_a_turn, universal
from tests.support.naive_shapes import random_rotations
from tests.support.nearest_by_angle import nearest_by_angle
from tests.support.rotation_strategies import unit_quaternions

COORDINATES = ("rotation-vector", "swing-twist")
SHAPES = {
    f"{kind} {name}": fit_shape(kind, ball(), FitOptions(coordinates=name), AXIS)
    for kind in ("box", "obb", "ellipsoid", "hull")
    for name in COORDINATES
}
SHAPES["box past half a turn"] = fit_shape("obb", past_half_a_turn())
SHAPES["hinge"] = fit_shape("hinge", hinge(-1.0, 1.5))
SHAPES["universal"] = fit_shape("universal", universal(ball()[:, 0], ball()[:, 1]))
SHAPES["point"] = fit_shape("box", CENTRE[None])
EVERY = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
ALL_AROUND = random_rotations(4000)


def allowed(shape: CoupledShape, count: int = 30000) -> np.ndarray:
    """Coordinates of many allowed rotations: random points of the bounds, brought inside."""
    low, high = shape.region.bounds()
    spread = np.random.default_rng(0).random((count, 3))
    return shape.region.nearest(low + spread * (high - low))


@pytest.mark.thorough
@EVERY
def test_inside_afterwards_and_again_the_same(shape):
    projected = shape.project(ALL_AROUND)
    assert np.allclose(np.linalg.norm(projected, axis=1), 1.0, atol=1e-12)
    assert shape.contains(projected).all()
    assert angle_between(shape.project(projected), projected).max() < 1e-9
    assert shape.distance(projected).max() < 1e-9


@EVERY
def test_inside_nothing_changes_to_the_bit(shape):
    inside = ALL_AROUND[shape.contains(ALL_AROUND, 0.0)]
    inside = np.concatenate([inside, -inside])
    assert np.array_equal(shape.project(inside), inside)
    assert np.array_equal(shape.distance(inside), np.zeros(len(inside)))
    outside = ALL_AROUND[~shape.contains(ALL_AROUND)]
    assert len(outside)
    assert shape.distance(outside).min() > 0.0


@pytest.mark.thorough
@EVERY
def test_no_allowed_point_is_nearer_in_the_coordinates(shape):
    queries = ALL_AROUND[:60]
    points = shape.chart.coordinates(queries)
    ways = np.concatenate([points[None], shape.chart.other_coordinates(points)])
    landed = shape.chart.coordinates(shape.project(queries))
    landings = np.concatenate([landed[None], shape.chart.other_coordinates(landed)])
    apart = np.linalg.norm(ways[:, None] - landings, axis=-1)
    reached = np.where(shape.region.contains(landings, 1e-8), apart, np.inf).min(axis=(0, 1))
    everywhere = allowed(shape)
    for row in range(len(queries)):
        least = min(np.linalg.norm(everywhere - way[row], axis=1).min() for way in ways)
        assert reached[row] <= least + 1e-9


@EVERY
def test_what_is_not_finite_stays_so_and_is_not_inside(shape):
    broken = np.array([[np.nan, 0, 0, 1], [0, 0, 0, 1], [0, np.inf, 0, 0]])
    projected = shape.project(broken)
    assert np.array_equal(projected[[0, 2]], broken[[0, 2]], equal_nan=True)
    assert angle_between(projected[1], shape.project(broken[1])) < 1e-12
    assert not shape.contains(broken)[[0, 2]].any()


@pytest.mark.parametrize("kind", ["box", "obb", "ellipsoid", "hull"])
def test_convex_shapes_do_not_jump_on_their_side(kind):
    """In the coordinates of the centre nothing moves by more than it was moved."""
    shape = SHAPES[f"{kind} rotation-vector"]
    rng = np.random.default_rng(0)
    points = rng.normal(size=(2000, 3)) * 0.8
    shifted = points + 1e-4 * rng.normal(size=points.shape)
    moved = shape.region.nearest(points) - shape.region.nearest(shifted)
    given_apart = np.linalg.norm(points - shifted, axis=1)
    assert np.all(np.linalg.norm(moved, axis=1) <= given_apart * (1.0 + 1e-9) + 1e-12)


def test_the_nearer_side_is_taken_beyond_half_a_turn():
    """At 190 degrees an interval of -60 to 150 is 40 degrees away, not the 110 at its other end."""
    region = Box(np.radians([-1.0, -1.0, -60.0]), np.radians([1.0, 1.0, 150.0]))
    for chart in (RotationVectors(CENTRE), SwingTwist(CENTRE, np.array([0.0, 0.0, 1.0]))):
        shape = CoupledShape(chart, region)
        query = chart.rotation(np.array([0.0, 0.0, np.radians(190.0)]))
        assert np.degrees(shape.distance(query)) == pytest.approx(40.0, abs=1e-9)


@pytest.mark.parametrize("name", COORDINATES)
def test_a_region_past_half_a_turn_holds_a_rotation_by_any_coordinates(name):
    region = Box(np.radians([-5.0, -5.0, 100.0]), np.radians([5.0, 5.0, 250.0]))
    axis = np.array([0.0, 0.0, 1.0])
    charts = {"rotation-vector": RotationVectors(CENTRE), "swing-twist": SwingTwist(CENTRE, axis)}
    shape = CoupledShape(charts[name], region)

    def turned(angle_deg):
        return multiply(CENTRE, quaternion_from_axis_angle(axis, np.radians(angle_deg)))

    assert shape.contains(turned(np.array([101.0, 179.0, 181.0, 249.0, -111.0]))).all()
    assert not shape.contains(turned(np.array([0.0, 99.0, 251.0, -100.0]))).any()
    assert np.degrees(shape.distance(turned(-100.0))) == pytest.approx(10.0, abs=1e-9)


@EVERY
def test_coordinates_and_back(shape):
    chart = shape.chart
    points = chart.coordinates(ALL_AROUND)
    assert chart.is_within_a_turn(points).all()
    assert np.abs(points).max() <= np.pi
    assert angle_between(chart.rotation(points), ALL_AROUND).max() < 1e-9
    for other in chart.other_coordinates(points):
        assert angle_between(chart.rotation(other), ALL_AROUND).max() < 1e-9
        assert np.linalg.norm(other - points, axis=1).min() > 1.0


@pytest.mark.parametrize(
    "chart",
    [
        RotationVectors(CENTRE),
        SwingTwist(CENTRE, AXIS),
        TwoAxes(CENTRE, np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.6, 0.8])),
    ],
    ids=lambda chart: chart.kind,
)
def test_the_density_is_the_volume_of_what_a_step_covers(chart):
    """Three small steps span a volume of rotations; all rotations have 8 pi^2 of it."""
    points = np.random.default_rng(0).uniform(-1.3, 1.3, size=(50, 3))
    step = 1e-5
    here = chart.rotation(points)
    sides = [
        2.0 * multiply(here * [-1, -1, -1, 1], chart.rotation(points + step * unit))[:, :3]
        for unit in np.eye(3)
    ]
    sides = [side * np.sign(np.sum(side * side, axis=1))[:, None] / step for side in sides]
    volume = np.abs(np.einsum("ij,ij->i", sides[0], np.cross(sides[1], sides[2])))
    assert np.allclose(chart.density(points), volume / (8.0 * np.pi**2), rtol=1e-3)


# --- the true nearest rotation --------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["box", "obb", "ellipsoid", "hull"])
def test_projecting_misses_the_nearest_rotation_by_little(kind):
    shape = SHAPES[f"{kind} rotation-vector"]
    rng = np.random.default_rng(2)
    axes = rng.normal(size=(300, 3))
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    turns = np.radians(rng.uniform(0.0, 60.0, size=(300, 1)))
    queries = multiply(ball()[:300], quaternion_from_rotation_vector(turns * axes))
    nearest = angle_between(queries, nearest_by_angle(shape, queries))
    missed = np.degrees(shape.distance(queries) - nearest)
    assert missed.min() >= -1e-9
    assert np.percentile(missed, 95) < 0.2
    everywhere = shape.chart.rotation(allowed(shape))
    for query, angle in zip(queries[:40], nearest):
        assert angle <= angle_between(query, everywhere).min() + 1e-6


@pytest.mark.thorough
@settings(max_examples=30, deadline=None)
@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), unit_quaternions())
def test_on_a_hinge_the_nearest_rotation_is_exact(low, high, rotation):
    shape = fit_shape("hinge", hinge(*sorted((low, high + 1e-3))), FitOptions(pad_deg=0.0))
    low, high = shape.region.bounds()[0][2], shape.region.bounds()[1][2]
    on_it = np.zeros((20001, 3))
    on_it[:, 2] = np.linspace(low, high, 20001)
    least = angle_between(rotation, shape.chart.rotation(on_it)).min()
    assert shape.distance(rotation) == pytest.approx(least, abs=2e-7 + 2e-4 * (high - low))
