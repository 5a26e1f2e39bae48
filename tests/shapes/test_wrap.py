"""Wraps: nearer to the samples than to the outside of their hull."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import quaternion_from_rotation_vector
from jointlimits_core.shapes import hull
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape, shape_from_dict
from jointlimits_core.shapes.polytope import Polytope
from jointlimits_core.shapes.wrap import Wrap, fit_wrap
from tests.support.shared_data import shared_path

ARCS = st.tuples(
    st.floats(0.2, 1.5), st.floats(0.5, 4.0), st.floats(0.05, 0.5), st.integers(30, 600)
)
PADS = st.floats(0.0, 20.0)


def arc(radius: float, turn: float, thickness: float, count: int) -> Floats:
    """Samples along a bent band, which no convex set holds without much else."""
    along = np.linspace(-0.5, 0.5, count) * turn
    across = thickness * np.sin(7.3 * along), thickness * np.cos(11.1 * along)
    return np.stack(
        [radius * np.cos(along) + across[0], radius * np.sin(along), across[1]], axis=-1
    )


def around(points: Floats, count: int) -> Floats:
    """Points in and about the box of others, always the same ones."""
    low, high = points.min(axis=0) - 0.6, points.max(axis=0) + 0.6
    return np.random.default_rng(4).uniform(low, high, (count, 3))


def naive_distance(wrap: Wrap, point: Floats) -> float:
    """Least distance to any cell, each found by a general solver."""
    optimize = pytest.importorskip("scipy.optimize")
    least = np.inf
    for sample in wrap.samples:
        room, target = wrap.enlarged_offsets - wrap.normals @ sample, point - sample

        def left(x: Floats, room: Floats = room) -> Floats:
            return np.asarray(room - np.linalg.norm(x) - wrap.normals @ x)

        inside = {
            "type": "ineq",
            "fun": left,
            "jac": lambda x: -(x / np.linalg.norm(x))[None] - wrap.normals,
        }
        found = optimize.minimize(
            lambda x, target=target: 0.5 * np.sum((x - target) ** 2),
            0.01 * target,
            jac=lambda x, target=target: x - target,
            constraints=[inside],
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 200},
        )
        if left(found.x).min() > -1e-7:
            least = min(least, float(np.linalg.norm(found.x - target)))
    return least


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(ARCS, PADS)
def test_own_samples_are_inside_and_excess_is_its_definition(
    shape: tuple[float, float, float, int], pad: float
) -> None:
    points = arc(*shape)
    wrap = fit_wrap(points, FitOptions(pad_deg=pad))
    assert wrap.contains(points, 0.0).all()
    assert np.array_equal(wrap.nearest(points), points)
    asked = around(points, 40)
    for point, found in zip(asked, wrap.excess(asked)):  # one sample and one face after the other
        depth = min(float(b - n @ point) for n, b in zip(wrap.normals, wrap.enlarged_offsets))
        apart = min(float(np.linalg.norm(point - sample)) for sample in wrap.samples)
        assert found == pytest.approx(0.5 * (apart - depth), abs=1e-12)


@pytest.mark.thorough
@settings(max_examples=10, deadline=None)
@given(ARCS, PADS)
@example((1.0, 0.5, 0.0625, 30), 0.0)  # cells that were thinner than the solver's slack
def test_nearest_is_inside_idempotent_and_no_farther_than_any_allowed_point(
    shape: tuple[float, float, float, int], pad: float
) -> None:
    points = arc(*shape)
    wrap = fit_wrap(points, FitOptions(pad_deg=pad))
    asked = around(points, 25)
    found = wrap.nearest(asked)
    assert wrap.excess(found).max() <= 1e-12
    assert np.array_equal(wrap.nearest(found), found)
    apart = np.linalg.norm(found - asked, axis=1)
    allowed = around(points, 4000)
    allowed = np.concatenate([points, allowed[wrap.contains(allowed, 0.0)]])
    best = np.linalg.norm(allowed[None] - asked[:, None], axis=2).min(axis=1)
    assert (apart <= best + 1e-9).all()
    # And never nearer than the surface can be.
    assert (apart >= wrap.excess(asked) - 1e-12).all()


@pytest.mark.thorough
def test_nearest_is_that_of_a_general_solver(monkeypatch) -> None:
    monkeypatch.setattr(hull, "DIRECTION_COUNT", 12)
    wrap = fit_wrap(arc(0.9, 3.0, 0.2, 26), FitOptions(pad_deg=4.0))
    asked = around(wrap.samples, 12)
    asked = asked[~wrap.contains(asked)]
    apart = np.linalg.norm(wrap.nearest(asked) - asked, axis=1)
    assert len(asked) >= 8
    np.testing.assert_allclose(apart, [naive_distance(wrap, p) for p in asked], atol=1e-7)


def test_wrap_is_inside_the_padded_hull_and_leaves_a_hollow_out() -> None:
    points = arc(1.0, 3.0, 0.1, 400)
    wrap = fit_wrap(points, FitOptions(pad_deg=3.0))
    hull = Polytope(wrap.directions, 0.5 * (wrap.offsets + wrap.enlarged_offsets))
    asked = around(points, 8000)
    inside = wrap.contains(asked, 0.0)
    assert hull.contains(asked[inside]).all()
    assert inside.sum() < 0.8 * hull.contains(asked).sum()
    low, high = wrap.bounds()
    assert (asked[inside] >= low).all()
    assert (asked[inside] <= high).all()


@pytest.mark.slow
def test_distance_is_continuous_where_the_nearest_point_jumps() -> None:
    wrap = fit_wrap(arc(1.0, 3.0, 0.1, 400), FitOptions(pad_deg=3.0))
    # Along the line on which both ends of the band are equally far.
    way = np.linspace(-0.3, 0.3, 151)[:, None] * np.array([0.0, 1.0, 0.0]) + [-0.3, 0.0, 0.0]
    found = wrap.nearest(way)
    step = float(np.linalg.norm(way[1] - way[0]))
    assert np.linalg.norm(np.diff(found, axis=0), axis=1).max() > 0.5
    apart = np.linalg.norm(found - way, axis=1)
    assert np.abs(np.diff(apart)).max() <= step + 2e-9


def test_growing_keeps_what_was_inside() -> None:
    wrap = fit_wrap(arc(1.0, 3.0, 0.1, 400), FitOptions(pad_deg=3.0))
    asked = around(wrap.samples, 5000)
    wider, narrower = wrap.grow(0.1), wrap.grow(-1.0)
    assert wider.contains(asked[wrap.contains(asked)]).all()
    assert wider.contains(asked).sum() > wrap.contains(asked).sum() > narrower.contains(asked).sum()
    assert narrower.contains(arc(1.0, 3.0, 0.1, 400), 0.0).all()


@pytest.mark.thorough
def test_plain_data_gives_the_same_wrap_and_stays_small() -> None:
    shape = fit_shape("wrap", quaternion_from_rotation_vector(arc(0.8, 2.0, 0.3, 3000)))
    text = json.dumps(shape.to_dict())
    again = shape_from_dict(json.loads(text))
    asked = quaternion_from_rotation_vector(around(arc(0.8, 2.0, 0.3, 50), 60))
    assert again.kind == "wrap"
    assert np.array_equal(again.project(asked), shape.project(asked))
    assert np.array_equal(shape.contains(-asked), shape.contains(asked))
    assert len(text) < 12000


@pytest.mark.thorough
@pytest.mark.parametrize("joint", ["lhumerus", "rfemur"])
def test_captured_joints(joint: str) -> None:
    folder = shared_path("data/mocap/cmu_asfamc/02")
    motion = read_motion(folder / "02_05.amc", folder / "02.asf")
    rotations = motion.rotations[motion.skeleton.index(joint)].T
    shape, hull = fit_shape("wrap", rotations), fit_shape("hull", rotations)
    assert shape.contains(rotations).all()
    asked = shape.chart.coordinates(rotations)
    points = around(asked, 20000)
    inside = shape.region.contains(points).sum()
    assert inside < 0.95 * hull.region.contains(points).sum()
    turned = shape.chart.rotation(points[:100])
    assert shape.contains(shape.project(turned)).all()
