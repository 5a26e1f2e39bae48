"""Hinges and universal joints as shapes, and the axis that a joint twists about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import quaternion
from jointlimits_core.motion.skeleton import Skeleton, twist_axes
from jointlimits_core.shapes.coupled_limit import FitOptions
from jointlimits_core.shapes.fitting import fit_shape, shape_from_dict
from tests.support.moving_joints import AXIS, CENTRE, TIME, ball, hinge, universal
from tests.support.naive_shapes import random_rotations
from tests.support.rotation_strategies import unit_quaternions
from tests.support.shared_data import shared_path

TIGHT = FitOptions(pad_deg=0.0)
OUTER, INNER = 0.9 * np.sin(1.3 * TIME) + 0.3, 0.6 * np.cos(2.1 * TIME)
QUERIES = random_rotations(400)


# --- hinges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high"), [(-1.0, 2.0), (0.0, 0.1), (2.5, 5.5), (-3.0, 3.0)])
def test_a_hinge_is_its_interval(low, high):
    shape = fit_shape("hinge", hinge(low, high), TIGHT)
    assert shape.contains(hinge(low, high)).all()
    assert not shape.contains(hinge(low - 0.01, high + 0.01, 2)).any()
    bounds = shape.region.bounds()
    assert bounds[1][2] - bounds[0][2] == pytest.approx(high - low, abs=1e-9)
    assert abs(shape.chart.axis @ AXIS) == pytest.approx(1.0, abs=1e-12)
    wide = fit_shape("hinge", hinge(low, high), FitOptions(pad_deg=1.0))
    edge = np.radians(0.99)
    assert wide.contains(hinge(low - edge, high + edge)).all()


def test_a_hinge_takes_the_noise_away():
    noise = quaternion.quaternion_from_rotation_vector(
        np.random.default_rng(0).normal(size=(200, 3)) * np.radians(0.5)
    )
    shape = fit_shape("hinge", quaternion.multiply(hinge(-1.0, 1.0), noise))
    assert abs(shape.chart.axis @ AXIS) > np.cos(np.radians(0.5))
    beside = shape.project(quaternion.multiply(hinge(-1.0, 1.0), noise))
    assert np.degrees(quaternion.angle_between(beside, hinge(-1.0, 1.0)).max()) < 2.0
    assert np.abs(shape.chart.coordinates(beside)[:, :2]).max() < 1e-9


def test_a_hinge_all_the_way_round_lets_every_turn_through():
    shape = fit_shape("hinge", hinge(0.0, 2.0 * np.pi, 100))
    assert shape.contains(hinge(0.0, 7.0, 300)).all()
    low, high = shape.region.bounds()
    assert high[2] - low[2] <= 2.0 * np.pi + 1e-9


# --- universal joints -----------------------------------------------------------------------------


def test_a_universal_joint_holds_its_samples_and_nothing_beside_its_axes():
    samples = universal(OUTER, INNER)
    shape = fit_shape("universal", samples, TIGHT)
    assert shape.contains(samples, 1e-6).all()
    beside = quaternion.multiply(
        CENTRE, quaternion.multiply([0.0, 0.08, -0.06, np.sqrt(0.99)], [0.0, 0.0, 0.0, 1.0])
    )
    assert not shape.contains(beside, 1e-3)
    parent = quaternion.matrix_from_quaternion(CENTRE) @ [1.0, 0.0, 0.0]
    kept = quaternion.matrix_from_quaternion(shape.project(QUERIES)) @ [0.0, 0.6, 0.8]
    assert np.abs(kept @ parent).max() < 1e-6
    assert shape.freedom() == 0.0
    again = shape_from_dict(shape.to_dict())
    assert np.array_equal(again.project(QUERIES), shape.project(QUERIES))


def test_of_two_angles_it_keeps_what_they_have_to_do_with_each_other():
    """A diagonal strip of angles: far fewer than the product of two ranges."""
    samples = universal(TIME / 12.0, TIME / 12.0 + 0.1 * np.sin(5.0 * TIME))
    shape = fit_shape("universal", samples, TIGHT)
    assert shape.contains(universal(np.array([0.1, 0.9]), np.array([0.1, 0.9])), 1e-6).all()
    assert not shape.contains(universal(np.array([0.1, 0.9]), np.array([0.9, 0.1])), 1e-2).any()


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(unit_quaternions())
def test_without_ranges_the_nearest_universal_rotation_is_exact(rotation):
    full = np.linspace(-np.pi, np.pi, 120)
    outer, inner = (grid.reshape(-1) for grid in np.meshgrid(full, full))
    every = universal(outer, inner)
    shape = fit_shape("universal", every, FitOptions(pad_deg=10.0))
    least = quaternion.angle_between(rotation, every).min()
    assert shape.distance(rotation) <= least + 1e-6
    assert shape.distance(rotation) >= least - np.radians(3.5)


@pytest.mark.parametrize("kind", ["hinge", "universal"])
def test_typed_forms_of_a_ball_are_finite_and_idempotent(kind):
    shape = fit_shape(kind, ball())
    projected = shape.project(QUERIES)
    assert np.isfinite(projected).all()
    assert quaternion.angle_between(shape.project(projected), projected).max() < 1e-9


def test_a_captured_elbow_is_a_hinge():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clip = read_motion(next(folder.glob("02_01.amc")), next(folder.glob("*.asf")))
    rotations = clip.rotations[clip.skeleton.index("rradius")].T
    for kind in ("hinge", "hull"):
        shape = fit_shape(kind, rotations)
        assert shape.contains(rotations, 1e-6).all()
        assert shape.freedom() == 0.0
        assert shape.chart.kind == "swing-twist"


# --- twist axes -----------------------------------------------------------------------------------


def test_the_twist_axis_is_the_way_to_the_children():
    skeleton = Skeleton(
        names=("hips", "spine", "left", "right", "foot", "same"),
        parents=[-1, 0, 0, 0, 2, 4],
        offsets=[[5, 5, 5], [0, 2, 0], [1, -1, 0], [-1, -1, 0], [0, 0, -3], [0, 0, 0]],
    )
    wanted = {
        "left": [0, 0, -1],  # its only child
        "hips": [1, 0, 0],  # the three children cancel each other: the default
        "spine": [1, 0, 0],  # no child
        "foot": [1, 0, 0],  # a child in the same place
    }
    for joint, axis in wanted.items():
        assert np.allclose(twist_axes(skeleton)[skeleton.index(joint)], axis), joint
    assert np.allclose(np.linalg.norm(twist_axes(skeleton), axis=1), 1.0)


def test_what_stands_between_turns_the_way_to_a_child():
    between = np.eye(4)
    between[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    between[:3, 3] = [0, 0, 4]
    skeleton = Skeleton(
        names=("a", "b"), parents=[-1, 0], offsets=[[0, 0, 0], [3, 0, 0]], between={1: between}
    )
    assert np.allclose(twist_axes(skeleton)[0], [0, 0.6, 0.8])


def test_twist_axes_point_along_the_bone_in_world_space():
    skeleton = Skeleton(
        names=("a", "b", "c"),
        parents=[-1, 0, 1],
        offsets=[[0, 0, 0], [1, 2, 0], [0.5, 0, 1]],
        rest_rotations=quaternion.normalize([[0.1, 0.2, 0.3, 0.9], [0.4, 0, 0, 0.9], [0, 0, 0, 1]]),
    )
    world = skeleton.rest_world_matrices()
    for row in (0, 1):
        bone = world[row + 1, :3, 3] - world[row, :3, 3]
        turned = world[row, :3, :3] @ twist_axes(skeleton)[row]
        assert np.allclose(turned, bone / np.linalg.norm(bone))
