"""The field of an implicit surface against the paper's own formula."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.shapes.implicit_surface import (
    Primitives,
    field,
    field_and_gradient,
    field_hessian,
)
from tests.support.naive_implicit import naive_field


def random_primitives(seed: int, count: int = 5) -> Primitives:
    random = np.random.default_rng(seed)
    return Primitives(random.normal(size=(count, 3)), random.uniform(0.1, 0.9, count), 5.0)


@pytest.mark.thorough
@given(st.integers(0, 10**6))
def test_the_field_is_the_papers(seed):
    primitives = random_primitives(seed)
    points = np.random.default_rng(seed + 1).normal(size=(20, 3))
    wanted = [naive_field(p, primitives.centres, primitives.radii, 5.0) for p in points]
    np.testing.assert_allclose(field(points, primitives), wanted, rtol=0, atol=1e-12)


@pytest.mark.thorough
@given(st.integers(0, 10**6))
def test_gradient_and_curvature_are_differences(seed):
    primitives = random_primitives(seed)
    points = np.random.default_rng(seed + 1).normal(size=(10, 3))
    # Where the parabola starts and ends its curvature jumps; there a difference says nothing.
    r = primitives.distances(points)
    near = np.minimum(np.abs(r - primitives.radii), np.abs(r - primitives.reach))
    points = points[(near > 1e-3).all(axis=1) & (r > 1e-2).all(axis=1)]
    values, gradient = field_and_gradient(points, primitives)
    np.testing.assert_allclose(values, field(points, primitives), rtol=0, atol=1e-12)
    hessian, h = field_hessian(points, primitives), 1e-5
    for axis, way in enumerate(np.eye(3) * h):
        slope = (field(points + way, primitives) - field(points - way, primitives)) / (2 * h)
        np.testing.assert_allclose(gradient[:, axis], slope, rtol=0, atol=1e-6)
        ahead = field_and_gradient(points + way, primitives)[1]
        behind = field_and_gradient(points - way, primitives)[1]
        np.testing.assert_allclose(hessian[:, axis], (ahead - behind) / (2 * h), atol=1e-4)


def test_at_a_centre_there_is_a_value_and_no_nan():
    primitives = random_primitives(1)
    values, gradient = field_and_gradient(primitives.centres, primitives)
    assert np.isfinite(values).all()
    assert np.isfinite(gradient).all()
    assert np.isfinite(field_hessian(primitives.centres, primitives)).all()
