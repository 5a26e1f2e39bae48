"""From the nearest coordinates to the nearest rotation."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.nearest_rotation import least_angle
from jointlimits_core.geometry.quaternion import angle_between, normalize
from jointlimits_core.shapes.charts import RotationVectors, SwingTwist
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.hull import fit_hull
from jointlimits_core.shapes.shape import CoupledShape, nearer_points
from tests.shapes.test_polytope import cloud

CENTRE = normalize([0.3, -0.2, 0.5, 0.7])
CHARTS = [RotationVectors(CENTRE), SwingTwist(CENTRE, normalize([1.0, 0.4, -0.2]))]


def random_rotations(seed, count):
    return normalize(np.random.default_rng(seed).standard_normal((count, 4)))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("chart", "enough"),
    [(chart, chart.steps_to_nearest) for chart in CHARTS],
    ids=["rotation vectors", "swing and twist"],
)
def test_random_rotations_come_to_within_a_tenth_of_a_degree_of_the_nearest(chart, enough):
    region = fit_hull(cloud(1, 500, (0.4, 0.3, 0.2)), FitOptions())
    shape = CoupledShape(chart, region)
    rotations = random_rotations(1, 150)
    start = region.nearest(chart.coordinates(rotations))
    starts = region.nearest(chart.coordinates(random_rotations(2, 1000)))
    least = least_angle(shape, rotations, starts)
    beyond = []
    for steps in (0, enough, 2 * enough):
        found = nearer_points(chart, region, rotations, start, steps)
        assert region.contains(found).all()
        beyond.append(np.degrees(angle_between(rotations, chart.rotation(found)) - least))
    assert (beyond[1] <= beyond[0] + 1e-9).all()
    assert (beyond[2] <= beyond[1] + 1e-9).all()
    assert np.percentile(beyond[0], 95) > 0.3, "there was nothing to do"
    assert np.percentile(beyond[1], 95) < 0.1
    assert np.percentile(beyond[2], 95) < 0.01


@pytest.mark.parametrize("chart", CHARTS, ids=["rotation vectors", "swing and twist"])
def test_the_nearest_rotation_is_inside_and_no_farther_than_the_projection(chart):
    shape = CoupledShape(chart, fit_hull(cloud(3, 500, (0.4, 0.3, 0.2)), FitOptions()))
    rotations = random_rotations(3, 40).reshape(8, 5, 4)
    nearest, projected = shape.nearest(rotations), shape.project(rotations)
    assert nearest.shape == rotations.shape
    assert shape.contains(nearest).all()
    gain = angle_between(rotations, projected) - angle_between(rotations, nearest)
    assert gain.min() > -1e-9
    assert gain.max() > 1e-3
    np.testing.assert_array_equal(shape.nearest(nearest), nearest)
    far = angle_between(rotations, projected)
    np.testing.assert_allclose(shape.distance(rotations), far, atol=1e-12)
    assert shape.pad(0.1).contains(rotations).sum() >= shape.contains(rotations).sum()
