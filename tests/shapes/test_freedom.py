"""How much freedom a shape gives, fewer samples, and limits that give a little."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.geometry.quaternion import angle_between, matrix_from_quaternion, normalize
from jointlimits_core.shapes.charts import RotationVectors, SwingTwist
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape
from jointlimits_core.shapes.region import Box, Ellipsoid, OrientedBox
from jointlimits_core.shapes.shape import CoupledShape, Softening, soften
from tests.support import naive_shapes
from tests.support.moving_joints import AXIS, CENTRE, ball, past_half_a_turn

# --- freedom --------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [0.05, 0.4, 1.2, 2.5, 3.1])
def test_turns_up_to_an_angle_have_the_share_that_is_known(radius):
    """(r - sin r) / pi of all rotations turn by no more than r."""
    ball_of_turns = Ellipsoid(np.zeros(3), np.eye(3), np.full(3, radius))
    shape = CoupledShape(RotationVectors(CENTRE), ball_of_turns)
    assert shape.freedom() == pytest.approx((radius - np.sin(radius)) / np.pi, rel=0.01)


@pytest.mark.parametrize(("swing", "twist"), [(0.3, 0.1), (1.0, 2.0), (2.0, 0.5)])
def test_thin_boxes_of_swing_have_the_share_that_is_known(swing, twist):
    """Swing about one axis only, nearly: the integral of sin s / s along it."""
    region = Box(np.array([-swing, -1e-4, -twist]), np.array([swing, 1e-4, twist]))
    shape = CoupledShape(SwingTwist(CENTRE, AXIS), region)
    s = (np.arange(20000) + 0.5) * swing / 20000
    along = 2.0 * np.sum(np.sin(s) / s) * swing / 20000
    share = along * 2e-4 * 2.0 * twist / (8.0 * np.pi**2)
    assert shape.freedom() == pytest.approx(share, rel=0.01)


ROTATIONS = naive_shapes.random_rotations(200000, seed=5)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["box", "obb", "ellipsoid", "hull"])
@pytest.mark.parametrize("coordinates", ["rotation-vector", "swing-twist"])
def test_freedom_against_drawing_rotations(kind, coordinates):
    shape = fit_shape(kind, ball(1.3), FitOptions(pad_deg=10.0, coordinates=coordinates), AXIS)
    inside = shape.contains(ROTATIONS).mean()
    error = 4.0 * np.sqrt(inside / len(ROTATIONS))
    assert shape.freedom() == pytest.approx(inside, rel=0.01, abs=error)


@pytest.mark.thorough
@pytest.mark.parametrize("coordinates", ["rotation-vector", "swing-twist"])
def test_freedom_past_half_a_turn_counts_nothing_twice(coordinates):
    options = FitOptions(coordinates=coordinates)
    shape = fit_shape("obb", past_half_a_turn(), options, [1.0, 0.0, 0.0])
    inside = shape.contains(ROTATIONS).mean()
    error = 4.0 * np.sqrt(inside / len(ROTATIONS))
    assert shape.freedom() == pytest.approx(inside, rel=0.01, abs=error)


@pytest.mark.parametrize("width", [0.01, 0.03, 0.1])
def test_freedom_of_thin_oblique_shapes(width):
    """A needle fills next to nothing of its bounds."""
    axes = matrix_from_quaternion(normalize([0.3, -0.2, 0.7, 0.5]))
    half = np.array([1.0, width, 0.1])
    shape = CoupledShape(RotationVectors(CENTRE), OrientedBox(axes, -half, half))
    points = np.random.default_rng(0).uniform(-1.0, 1.0, size=(100000, 3)) * half
    known = shape.chart.density(points @ axes).mean() * np.prod(2.0 * half)
    assert shape.freedom() == pytest.approx(known, rel=0.01)


# --- softening ------------------------------------------------------------------------------------

SHAPE = fit_shape("obb", ball())
RANDOM = naive_shapes.random_rotations(600)
SOFT = [Softening(), Softening(0.3, 0.5), Softening(0.5, 20.0), Softening(0.0, 1.0)]


@pytest.mark.parametrize("softening", SOFT)
def test_what_softening_guarantees(softening):
    soft, hard = soften(SHAPE, RANDOM, softening), SHAPE.project(RANDOM)
    kept, way = angle_between(soft, hard), angle_between(RANDOM, hard)
    assert np.all(kept <= softening.radius + 1e-9)
    assert np.all(kept <= way + 1e-9)
    # On the way: the two parts make up the whole.
    assert np.allclose(kept + angle_between(soft, RANDOM), way, atol=1e-7)
    order = np.argsort(way)
    assert np.all(np.diff(kept[order]) > -1e-9)
    assert np.all(SHAPE.distance(soft) <= softening.radius + 1e-9)


def test_softening_does_not_jump_at_the_limit():
    edge = SHAPE.project(RANDOM[~SHAPE.contains(RANDOM)][:50])
    outside = RANDOM[~SHAPE.contains(RANDOM)][:50]
    from_edge = angle_between(soften(SHAPE, edge, Softening()), edge)
    assert from_edge.max() < 1e-9
    assert SHAPE.distance(soften(SHAPE, outside, Softening())).min() > 0.0


@pytest.mark.parametrize("values", [(-0.1, 1.0), (0.1, -1.0), (float("nan"), 1.0)])
def test_softening_that_makes_no_sense_is_named(values):
    with pytest.raises(ValueError, match="must be finite and at least 0"):
        Softening(*values)
