"""Joints that move in ways that shapes are fitted to."""

from __future__ import annotations

import numpy as np

from jointlimits_core.geometry.quaternion import (
    multiply,
    normalize,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)

CENTRE = normalize([0.3, -0.5, 0.6, -0.4])
AXIS = np.array([2.0, -1.0, 2.0]) / 3.0
TIME = np.linspace(0.0, 12.0, 400)


def ball(reach: float = 1.0, centre: np.ndarray = CENTRE) -> np.ndarray:
    """A shoulder: smooth, wide, and more on one side than on the other, (400, 4)."""
    vectors = np.stack(
        [
            0.9 * np.sin(1.3 * TIME) + 0.2,
            0.5 * np.sin(2.1 * TIME + 1.0) * np.cos(TIME),
            0.35 * np.cos(0.7 * TIME) + 0.1 * np.sin(5.0 * TIME),
        ],
        axis=1,
    )
    return multiply(centre, quaternion_from_rotation_vector(reach * vectors))


def hinge(low: float, high: float, count: int = 200) -> np.ndarray:
    """Turns about one axis, at an offset, (count, 4)."""
    return multiply(CENTRE, quaternion_from_axis_angle(AXIS, np.linspace(low, high, count)))


def universal(outer: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Turns about an axis of the parent and one of the joint, at right angles, (n, 4)."""
    child = np.array([0.0, 0.6, 0.8])
    first = quaternion_from_axis_angle(np.array([1.0, 0.0, 0.0]), outer)
    second = quaternion_from_axis_angle(child, inner)
    return multiply(CENTRE, multiply(first, second))


def past_half_a_turn() -> np.ndarray:
    """Turns 400 degrees in small steps, wavering, (400, 4)."""
    vectors = np.stack(
        [np.linspace(-3.5, 3.5, 400), 0.3 * np.sin(0.8 * TIME), 0.2 * np.cos(0.6 * TIME)], axis=1
    )
    return multiply(CENTRE, quaternion_from_rotation_vector(vectors))
