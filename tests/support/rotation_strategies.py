"""Hypothesis strategies for angles, rotations and leading axes, singular ones included."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

SPECIAL_ANGLES = [
    *(math.radians(d) for d in (0, 90, -90, 180, -180, 270, 360, -360, 540, 45, 60)),
    -0.0,
    1e-12,
    -1e-12,
    1e-160,
    math.pi / 2 - 1e-9,
    math.pi / 2 + 1e-15,
    math.pi - 1e-12,
    -math.pi + 1e-8,
]

SHAPES = st.sampled_from([(), (1,), (5,), (0,), (2, 3), (2, 0, 3), (1, 2, 1, 2)])


def angles(limit: float = 4 * math.pi) -> st.SearchStrategy[float]:
    """Ordinary and singular angles in radians."""
    return st.one_of(st.sampled_from(SPECIAL_ANGLES), st.floats(-limit, limit))


def angle_triples(shape: tuple[int, ...] = ()) -> st.SearchStrategy[Any]:
    """Arrays (..., 3) of angles."""
    return arrays(np.float64, (*shape, 3), elements=angles())


def _unit(values: np.ndarray) -> np.ndarray:
    # A vector that is too short to have a direction becomes the last unit vector.
    length = np.linalg.norm(values, axis=-1, keepdims=True)
    fallback = np.eye(values.shape[-1])[-1]
    return np.where(length > 1e-3, values / np.where(length > 1e-3, length, 1.0), fallback)


COMPONENTS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-12, -1e-9, math.sqrt(0.5)]),
    st.floats(-1, 1),
)


def unit_vectors(shape: tuple[int, ...] = ()) -> st.SearchStrategy[Any]:
    """Arrays (..., 3) of unit length."""
    return arrays(np.float64, (*shape, 3), elements=COMPONENTS).map(_unit)


def unit_quaternions(shape: tuple[int, ...] = ()) -> st.SearchStrategy[Any]:
    """Arrays (..., 4) of unit length, with half turns, identities and both signs."""
    return arrays(np.float64, (*shape, 4), elements=COMPONENTS).map(_unit)
