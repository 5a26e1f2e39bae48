"""The steps of the fit of an implicit surface, each against obvious code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.geometry.quaternion import quaternion_from_rotation_vector, sphere_points
from jointlimits_core.shapes.charts import RotationVectors
from jointlimits_core.shapes.fitting import unroll
from jointlimits_core.shapes.implicit_fit import Target, optimize, with_outliers
from jointlimits_core.shapes.implicit_surface import Primitives, field
from tests.support.naive_implicit import naive_coherent

seeds = st.integers(0, 10**6)


# --- the coherent quaternion field --------------------------------------------------------------


@pytest.mark.thorough
@given(seeds)
def test_chart_coordinates_are_the_coherent_field_whatever_the_signs(seed):
    """Neighbours made to have positive dot products, seen from the centre, as section 3.3 says."""
    random = np.random.default_rng(seed)
    steps = random.normal(scale=0.15, size=(60, 3))
    # A step of 30 degrees or more is a cut to one and a neighbour to the other.
    steps *= np.minimum(1.0, 0.5 / np.linalg.norm(steps, axis=1, keepdims=True))
    track = np.cumsum(steps, axis=0) - steps[0]
    rotations = quaternion_from_rotation_vector(track)
    rotations = rotations * random.choice([-1.0, 1.0], size=(60, 1))
    coherent = np.array(naive_coherent(rotations.tolist()))[:, :3]
    coordinates = unroll(rotations, RotationVectors(np.array([0.0, 0.0, 0.0, 1.0])))
    length = np.linalg.norm(coordinates, axis=1, keepdims=True)
    vector_part = 0.5 * coordinates * np.sinc(0.5 * length / np.pi)
    # A field has two realisations, with all signs the other way round.
    side = np.sign(np.sum(vector_part * coherent))
    np.testing.assert_allclose(vector_part, side * coherent, rtol=0, atol=1e-9)


# --- least squares ------------------------------------------------------------------------------


def test_a_sphere_is_found_again():
    middle, radius = np.array([0.2, -0.1, 0.05]), 0.6
    skin = middle + radius * sphere_points(200)
    none = np.zeros((0, 3))
    start = Primitives(np.zeros((1, 3)), np.array([0.8]), 5.0)
    found = optimize(start, Target(skin, none, none))
    # The penalties pull a little.
    np.testing.assert_allclose(found.centres[0], middle, rtol=0, atol=1e-3)
    assert found.radii[0] == pytest.approx(radius, abs=1e-3)


# --- subdivision, cleaning, enclosing -----------------------------------------------------------


@given(seeds, st.sampled_from([0.0, 0.05, 0.2]))
@settings(max_examples=30)
def test_strays_bring_every_sample_inside(seed, pad):
    random = np.random.default_rng(seed)
    samples = random.normal(size=(40, 3)) * [1.0, 0.5, 0.3]
    middle = random.normal(scale=0.4, size=(1, 3))
    primitives = Primitives(middle, random.uniform(0.2, 0.8, 1), 5.0)
    found = with_outliers(samples, primitives, 1.0, pad, 0.1)
    assert (field(samples, found.grow(pad)) >= 1.0).all()
    again = with_outliers(samples, found, 1.0, pad, 0.1)
    assert len(again) == len(found)
