"""One rotation at a time in plain Python is what batches are: Euler angles, charts, projections."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry import euler, quaternion
from jointlimits_core.geometry.euler import local_from_rotate
from jointlimits_core.scalar import rotation as scalar_euler
from jointlimits_core.scalar import rotation as scalar_rotation
from jointlimits_core.scalar.rotation import scalar_chart
from jointlimits_core.shapes.charts import RotationVectors, SwingTwist
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.hull import fit_hull
from jointlimits_core.shapes.region import Ellipsoid
from jointlimits_core.shapes.scalar_joint import (
    compact_text,
    frame_of,
    project_from_text,
    projected_rotate,
    scalar_project,
)
from jointlimits_core.shapes.shape import CoupledShape, Softening, soften
from tests.support.house_files import ROOT
from tests.support.maya_projecting import shapes

ANGLES = st.tuples(*[st.floats(-12.0, 12.0)] * 3)
ORDERS = st.integers(0, 5)


def quaternions(count, seed=0):
    return quaternion.normalize(np.random.default_rng(seed).normal(size=(count, 4)))


def plain(values):
    return tuple(float(value) for value in values)


# Rotations and Euler angles -----------------------------------------------------------------------


@given(ANGLES, ORDERS)
def test_quaternions_of_euler_angles_are_those_of_the_core(angles, order):
    expected = euler.quaternion_from_euler(angles, euler.ROTATE_ORDERS[order])
    assert np.abs(scalar_euler.quaternion_of(angles, order) - expected).max() < 1e-14


@given(ANGLES, ANGLES, ORDERS)
def test_euler_angles_are_on_the_branch_nearest_to_a_reference(angles, reference, order):
    q = scalar_euler.quaternion_of(angles, order)
    found = scalar_euler.euler_near(q, reference, order)
    back = scalar_euler.quaternion_of(found, order)
    assert scalar_rotation.angle_between(q, back) < 1e-7
    expected = euler.euler_near(q, reference, euler.ROTATE_ORDERS[order])
    off, least = (np.square(np.subtract(a, reference)).sum() for a in (found, expected))
    assert off <= least + 1e-6 * (1.0 + least)


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("end", [-1, 1, 3])
def test_at_gimbal_lock_both_outer_angles_give_way_alike(order, end):
    middle = euler.axes_of(euler.ROTATE_ORDERS[order])[1]
    angles = np.array([0.3, -1.1, 2.0])
    angles[middle] = end * np.pi / 2
    q = plain(euler.quaternion_from_euler(angles, euler.ROTATE_ORDERS[order]))
    reference = (0.5, 0.2, -0.4)
    found = scalar_euler.euler_near(q, reference, order)
    assert np.abs(found - euler.euler_near(q, reference, euler.ROTATE_ORDERS[order])).max() < 1e-9


def test_logarithm_exponential_and_product_are_those_of_the_core():
    for a, b in zip(quaternions(300), quaternions(300, 1)):
        p, q = plain(a), plain(b)
        assert np.abs(scalar_rotation.product(p, q) - quaternion.multiply(a, b)).max() < 1e-15
        vector = quaternion.rotation_vector_from_quaternion(a)
        assert np.abs(scalar_rotation.log(p) - vector).max() < 1e-14
        expected = quaternion.quaternion_from_rotation_vector(3.0 * vector)
        assert np.abs(scalar_rotation.exp(plain(3.0 * vector)) - expected).max() < 1e-14
        assert scalar_rotation.angle_between(p, q) == pytest.approx(
            float(quaternion.angle_between(a, b)), abs=1e-14
        )
    assert scalar_rotation.exp((0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0, 1.0)
    assert scalar_rotation.log((0.0, 0.0, 0.0, -1.0)) == (0.0, 0.0, 0.0)


# Charts and projections ---------------------------------------------------------------------------


def charts():
    centre = quaternions(1, 5)[0]
    axes = np.vstack([np.eye(3), -np.eye(3), quaternions(3, 8)[:, :3]])
    yield RotationVectors(centre)
    for axis in axes / np.linalg.norm(axes, axis=1, keepdims=True):
        yield SwingTwist(centre, axis)


@pytest.mark.parametrize("chart", list(charts()), ids=lambda chart: chart.kind)
def test_coordinates_are_those_of_the_chart(chart):
    scalar = scalar_chart(chart.to_dict())
    given_ = np.vstack([quaternions(200), chart.centre, -chart.centre])
    for q, expected in zip(given_, chart.coordinates(given_)):
        found = scalar.coordinates(plain(q))
        assert np.abs(found - expected).max() < 1e-7
        assert quaternion.angle_between(scalar.rotation(found), q) < 1e-7
        others = chart.other_coordinates(expected[None])[:, 0]
        assert np.abs(np.array(scalar.others(plain(expected))) - others).max() < 1e-12


def every_shape():
    """Boxes, and hulls in both coordinates; one reaches past half a turn."""
    yield from shapes().items()
    points = np.random.default_rng(0).normal(scale=(0.3, 0.4, 0.2), size=(500, 3))
    turned = shapes()["obb"].region.axes
    for name, shape in shapes().items():
        if name in ("box", "swing and twist"):
            hull = fit_hull(points, FitOptions())
            yield f"hull, {name}", CoupledShape(shape.chart, hull)
            ball = Ellipsoid(np.array([0.1, 0.0, -0.1]), turned, np.array([0.5, 0.2, 0.7]))
            yield f"ellipsoid, {name}", CoupledShape(shape.chart, ball)
            yield f"wide, {name}", CoupledShape(shape.chart, shape.region.grow(2.7))


EVERY_SHAPE = dict(every_shape())


@pytest.mark.thorough
@pytest.mark.parametrize("name", EVERY_SHAPE)
def test_projections_are_those_of_the_batch(name):
    shape = EVERY_SHAPE[name]
    project = scalar_project(shape.to_dict())
    given_ = quaternions(800, 2)
    # Some that are inside, as well.
    low, high = shape.region.bounds()
    inner = np.random.default_rng(1).uniform(low, high, size=(200, 3))
    given_ = np.vstack([given_, shape.chart.rotation(inner)])
    expected = shape.project(given_)
    found = np.array([project(plain(q)) for q in given_])
    assert quaternion.angle_between(found, expected).max() < 1e-9
    stays = np.all(expected == given_, axis=1)
    assert 50 < stays.sum() < 1000
    assert np.array_equal(found[stays], given_[stays])
    again = np.array([project(plain(q)) for q in found])
    assert quaternion.angle_between(again, found).max() < 1e-9


# A joint's channels -------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=60)
@given(ANGLES, ORDERS, st.sampled_from(sorted(shapes())))
def test_channels_are_projected_as_the_joint_is(rotate, order, name):
    shape = shapes()[name]
    orient, axis = (0.3, -0.6, 0.9), (0.1, 0.2, -0.15)
    frame = frame_of(order, orient, axis)
    new, outside = projected_rotate(scalar_project(shape.to_dict()), frame, rotate)
    orients = [euler.quaternion_from_euler(one) for one in (orient, axis)]
    local, after = (
        local_from_rotate(r, *orients, euler.ROTATE_ORDERS[order]) for r in (rotate, new)
    )
    assert quaternion.angle_between(after, shape.project(local)) < 1e-6
    assert outside == pytest.approx(float(shape.distance(local)), abs=1e-6)
    if outside == 0.0:
        assert new == rotate


def test_a_channel_that_turns_far_comes_back_on_its_own_branch():
    shape = shapes()["box"]
    project = scalar_project(shape.to_dict())
    frame = frame_of(0)
    steps = np.linspace(0.0, 6.0 * np.pi, 2000)
    turns = np.array([projected_rotate(project, frame, (s, 0.2, 0.1))[0] for s in steps])
    # It follows the turning; where the nearest side changes, it jumps by less than a turn.
    assert np.abs(turns[:, 0] - steps).max() < np.pi + 0.1
    assert turns[-1, 0] > 5.0 * np.pi


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_finite_passes(bad):
    project = scalar_project(shapes()["box"].to_dict())
    rotate, outside = projected_rotate(project, frame_of(0), (bad, 0.0, 0.0))
    assert rotate[0] is bad
    assert outside == 0.0


@pytest.mark.parametrize("name", shapes())
def test_softness_is_that_of_the_core(name):
    shape = shapes()[name]
    project, frame = scalar_project(shape.to_dict()), frame_of(4)
    rotates = np.random.default_rng(9).uniform(-3.0, 3.0, size=(200, 3))
    locals_ = np.array([frame.local(plain(rotate)) for rotate in rotates])
    expected = soften(shape, locals_, Softening(0.3, 2.0))
    found = [projected_rotate(project, frame, plain(rotate), 0.3, 2.0)[0] for rotate in rotates]
    back = np.array([frame.local(rotate) for rotate in found])
    assert quaternion.angle_between(back, expected).max() < 1e-7


# Texts --------------------------------------------------------------------------------------------


def test_the_text_of_a_shape_has_no_blanks_and_is_read_once():
    data = shapes()["obb"].to_dict()
    text = compact_text(data)
    assert " " not in text
    assert json.loads(text) == data
    assert project_from_text(text) is project_from_text(text)


def broken():
    good = shapes()["box"].to_dict()
    region, chart = good["region"], good["coordinates"]
    yield "", "not JSON"
    yield "{", "not JSON"
    yield "[1, 2]", "not a valid shape"
    yield "7", "not a valid shape"
    yield "{}", "not a valid shape"

    def with_region(**changes):
        return json.dumps({**good, "region": {**region, **changes}})

    def with_chart(**changes):
        return json.dumps({**good, "coordinates": {**chart, **changes}})

    yield json.dumps({**good, "region": {"kind": "box"}}), "not a valid shape"
    yield with_region(low=["a", 0, 0]), r"region.low\[0\]: expected a number"
    yield with_region(low=[9, 9, 9]), r"region.high\[0\]: must be at least low\[0\], 9, not 0.5"
    yield with_region(low=[0, 0]), "region.low: expected 3 items, found 2"
    yield with_chart(centre=[0, 0, 0, 0]), "coordinates.centre: must have length 1, not 0"
    yield with_chart(centre=None), "not a valid shape"
    yield with_chart(kind="polar"), "polar"
    yield (
        json.dumps({**good, "region": {**region, "low": [float("nan")] * 3}}),
        "NaN is not allowed",
    )
    yield "[" * 100_000, "nested"


@pytest.mark.parametrize(("text", "expected"), list(broken()))
def test_a_broken_text_is_refused_with_a_reason(text, expected):
    with pytest.raises(ValueError, match=expected):
        project_from_text(text)


def test_nothing_of_it_needs_numpy():
    code = f"""
import sys
sys.modules["numpy"] = None
from jointlimits_core.shapes.scalar_joint import frame_of, projected_rotate
from jointlimits_core.shapes.scalar_joint import project_from_text
project = project_from_text({compact_text(shapes()["obb"].to_dict())!r})
print(projected_rotate(project, frame_of(2), (1.5, 0.2, -0.7))[1] > 0.1)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.strip() == "True", run.stderr
