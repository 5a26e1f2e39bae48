"""Shapes are fitted to whatever motion there is, or say why not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import angle_between, multiply, normalize
from jointlimits_core.shapes.coupled_limit import CoupledLimit, FitOptions
from jointlimits_core.shapes.fitting import chart_motion, fit_shape, shape_of_limit
from tests.support.moving_joints import AXIS, CENTRE, ball, hinge, past_half_a_turn
from tests.support.naive_shapes import random_rotations
from tests.support.rotation_strategies import unit_quaternions
from tests.support.shared_data import shared_path

KINDS = ("box", "obb", "ellipsoid", "hull")
COORDINATES = ("rotation-vector", "swing-twist")
SHAPES = [(kind, name) for kind in KINDS for name in COORDINATES]
QUERIES = random_rotations(300)


@pytest.mark.parametrize(("kind", "coordinates"), SHAPES)
@pytest.mark.parametrize("pad_deg", [0.0, 3.0])
def test_every_sample_is_inside_its_own_shape(kind, coordinates, pad_deg):
    options = FitOptions(pad_deg=pad_deg, coordinates=coordinates)
    shape = fit_shape(kind, ball(), options, AXIS)
    assert shape.contains(ball()).all()
    assert shape.distance(ball()).max() <= 1e-9
    assert not shape.contains(QUERIES).all()


@pytest.mark.parametrize(("kind", "coordinates"), SHAPES)
def test_signs_do_not_matter_to_the_bit(kind, coordinates):
    options = FitOptions(coordinates=coordinates)
    flips = np.where(np.arange(400) % 3 == 0, -1.0, 1.0)[:, None]
    one = fit_shape(kind, ball(), options, AXIS)
    other = fit_shape(kind, flips * ball(), options, AXIS)
    assert one.to_dict() == other.to_dict()
    assert np.array_equal(one.contains(QUERIES), one.contains(-QUERIES))
    assert angle_between(one.project(QUERIES), one.project(-QUERIES)).max() < 1e-14


@pytest.mark.parametrize("kind", KINDS)
def test_order_and_repetition_of_samples_do_not_matter(kind):
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(400), 2))
    one = fit_shape(kind, ball())
    other = fit_shape(kind, ball()[order])
    tolerance = 1e-5 if kind == "ellipsoid" else 1e-9
    assert angle_between(one.project(QUERIES), other.project(QUERIES)).max() < tolerance


@pytest.mark.parametrize("kind", ["obb", "ellipsoid"])
def test_another_frame_gives_the_same_shape_in_it(kind):
    left, right = normalize([0.1, 0.7, -0.2, 0.5]), normalize([-0.4, 0.2, 0.3, 0.8])

    def moved(rotations):
        return multiply(left, multiply(rotations, right))

    there = fit_shape(kind, moved(ball())).project(moved(QUERIES))
    here = moved(fit_shape(kind, ball()).project(QUERIES))
    assert angle_between(here, there).max() < 1e-5


def test_a_coupled_limit_is_the_shape_it_was_made_from():
    shape = fit_shape("hull", ball(1))
    data = shape.to_dict()
    coupled = CoupledLimit("hull", data["coordinates"], data["region"], 3.0, 0.1, 200)
    np.testing.assert_array_equal(shape_of_limit(coupled).project(QUERIES), shape.project(QUERIES))


# --- the centre ---------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", [0.0, 90.0, 150.0, 179.0, 180.0])
def test_where_the_motion_is_does_not_matter_to_it(angle):
    """Holden's article falls apart where motion is half a turn from the reference pose."""
    turn = np.array([*(AXIS * np.sin(np.radians(angle) / 2)), np.cos(np.radians(angle) / 2)])
    _, here = chart_motion(ball(), FitOptions())
    _, there = chart_motion(multiply(turn, ball()), FitOptions())
    assert np.allclose(here, there, atol=1e-9)


# --- motion past half a turn ----------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "coordinates"), SHAPES)
def test_motion_past_half_a_turn_is_inside(kind, coordinates):
    options = FitOptions(coordinates=coordinates)
    rotations = past_half_a_turn()
    shape = fit_shape(kind, rotations, options, [1.0, 0.0, 0.0])
    assert shape.contains(rotations).all()
    reach = np.linalg.norm(chart_motion(rotations, options, [1.0, 0.0, 0.0])[1], axis=1).max()
    assert np.pi < reach < 3.8
    projected = shape.project(QUERIES)
    assert shape.contains(projected).all()
    assert np.array_equal(shape.project(rotations), rotations)


def test_a_cut_does_not_take_the_rest_of_the_motion_to_the_other_side():
    """One clip ends at 150 degrees, the next begins at -160: 50 degrees apart, the other way."""
    first, second = hinge(-2.6, 2.6, 300), hinge(-2.7, 2.7, 300)
    wavering = np.concatenate([ball(0.1, np.array([0.0, 0.0, 0.0, 1.0]))[:300]] * 2)
    rotations = multiply(np.concatenate([first, second]), wavering)
    _, coordinates = chart_motion(rotations, FitOptions())
    assert np.linalg.norm(coordinates, axis=1).max() < 3.1


@pytest.mark.thorough
def test_motion_that_goes_round_and_round_is_held_or_named():
    wavering = np.resize(ball(0.2, np.array([0.0, 0.0, 0.0, 1.0])), (4000, 4))
    rotations = multiply(hinge(0.0, 40.0, 4000), wavering)
    for kind in KINDS:
        shape = fit_shape(kind, rotations)
        assert shape.contains(rotations).all()
        assert shape.freedom() > 0.02
    with pytest.raises(EstimationError, match="round and round"):
        fit_shape("box", rotations, FitOptions(coordinates="swing-twist"), AXIS)


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_one_sample_and_many_of_the_same_are_a_point(kind):
    for samples in (CENTRE[None], np.repeat(CENTRE[None], 50, axis=0)):
        shape = fit_shape(kind, samples)
        assert angle_between(shape.project(QUERIES), CENTRE).max() < 1e-7
        assert shape.contains(samples).all()
        assert shape.freedom() == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_flat_motion_stays_in_its_plane(kind):
    """No twist about z: quaternions with third part 0, seen from somewhere among them."""
    angle = np.linspace(0.0, 2.0 * np.pi, 60)
    vectors = np.stack([0.8 * np.cos(angle) + 0.1, 0.4 * np.sin(angle), 0.0 * angle], axis=1)
    flat = multiply(CENTRE, [[*(np.sin(0.5) * v), np.cos(0.5)] for v in vectors])
    flat = normalize(flat)
    shape = fit_shape(kind, flat)
    assert shape.contains(flat).all()
    assert np.abs(multiply(CENTRE * [-1, -1, -1, 1], shape.project(QUERIES))[:, 2]).max() < 1e-3
    assert shape.freedom() == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_half_a_turn_apart_is_an_interval(kind):
    pair = hinge(0.0, np.pi, 2)
    shape = fit_shape(kind, pair)
    assert shape.contains(pair).all()
    assert np.isfinite(shape.project(QUERIES)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_motion_all_over_the_place_is_held_or_named(kind, coordinates):
    everything = random_rotations(500, seed=3)
    options = FitOptions(coordinates=coordinates)
    if coordinates == "swing-twist":
        with pytest.raises(EstimationError, match="rotation-vector"):
            fit_shape(kind, everything, options, AXIS)
        return
    shape = fit_shape(kind, everything, options)
    assert shape.contains(everything).all()
    assert 0.3 < shape.freedom() <= 1.0


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        (np.zeros((0, 4)), "no samples"),
        (np.zeros((4, 3)), r"\(samples, 4\)"),
        (np.full((3, 4), np.nan), "3 of 3 samples are not finite, starting with sample 0"),
        (np.array([[0, 0, 0, 1.0], [0, np.inf, 0, 1]]), "starting with sample 1"),
        (np.array([[0, 0, 0, 1.0], [0, 0, 0, 0]]), "sample 1 of length 0"),
    ],
)
def test_what_is_no_motion_is_named(samples, expected):
    with pytest.raises(EstimationError, match=expected):
        fit_shape("box", samples)


@pytest.mark.parametrize(
    ("options", "axis", "expected"),
    [
        ({"pad_deg": -1.0}, None, "pad_deg"),
        ({"pad_deg": float("nan")}, None, "pad_deg"),
        ({"coordinates": "polar"}, None, "polar"),
        ({"coordinates": "swing-twist"}, None, "twist axis"),
        ({"coordinates": "swing-twist"}, [0.0, 0.0, 0.0], "twist axis"),
    ],
)
def test_options_that_make_no_sense_are_named(options, axis, expected):
    with pytest.raises(EstimationError, match=expected):
        fit_shape("box", ball(), FitOptions(**options), axis)


def test_a_shape_that_is_not_there_is_named():
    with pytest.raises(EstimationError, match=r"shape must be one of hull, .*, not 'sphere'"):
        fit_shape("sphere", ball())


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6).flatmap(lambda count: unit_quaternions((count,))), st.sampled_from(KINDS))
def test_any_few_samples_are_held_or_named(samples, kind):
    """Half turns, opposites, repetitions, nearly flat: a shape that holds them, or a sentence."""
    try:
        shape = fit_shape(kind, samples)
    except EstimationError:
        return
    assert shape.contains(samples).all()
    projected = shape.project(QUERIES[:40])
    assert np.isfinite(projected).all()
    assert shape.contains(projected).all()
    assert 0.0 <= shape.freedom() <= 1.0


# --- captured motion ------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_captured_shoulders_and_hips_are_inside(coordinates):
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clip = read_motion(next(folder.glob("02_01.amc")), next(folder.glob("*.asf")))
    for joint in ("lhumerus", "rhumerus", "lfemur", "rfemur", "thorax"):
        rotations = clip.rotations[clip.skeleton.index(joint)].T
        for kind in KINDS:
            shape = fit_shape(kind, rotations, FitOptions(coordinates=coordinates), AXIS)
            assert shape.contains(rotations).all(), (joint, kind)
            assert shape.contains(shape.project(QUERIES)).all(), (joint, kind)
