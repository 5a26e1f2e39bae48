"""Swing of a bone and twist about it, and the outline of swings."""

from __future__ import annotations

import numpy as np

from ...geometry import (
    ArrayLike,
    Floats,
    conjugate,
    multiply,
    rotation_vector_from_quaternion,
    swing_twist_from_quaternion,
)

AXES = "XYZ"


def across(axis: str) -> tuple[int, int]:
    """Positions of the two axes across a bone's axis, which it swings about."""
    bone = AXES.index(axis)
    return (bone + 1) % 3, (bone + 2) % 3


def swing_and_twist(rotations: ArrayLike, reference: ArrayLike, axis: str) -> tuple[Floats, Floats]:
    """Split rotations into swing of the bone and twist about it.

    `rotations` has shape (samples, 4). `reference` has shape (4,): rotation at the centre of the
    disc. `axis`: "X", "Y" or "Z", the joint's axis along the bone. Returns the swing, shape
    (samples, 2): degrees about the two axes across the bone, in the order of :func:`across`; and
    the twist, shape (samples,): degrees in [-180, 180].
    """
    bone = np.eye(3)[AXES.index(axis)]
    turn = multiply(conjugate(reference), np.asarray(rotations, dtype=np.float64))
    swings, twists = swing_twist_from_quaternion(turn, bone)
    swing = np.degrees(rotation_vector_from_quaternion(swings))
    twist = np.degrees(rotation_vector_from_quaternion(twists)) @ bone
    return swing[..., list(across(axis))], np.asarray(twist)


def reach_outline(swing: ArrayLike, step_deg: float = 3.0) -> Floats:
    """Closed outline of swings around their centre: the furthest in every direction.

    `swing` has shape (points, 2): samples of a shape, such as the surface of a box of channels.
    `step_deg`: width of a direction; directions without points are omitted. The result has
    shape (corners, 2).
    """
    points = np.asarray(swing, dtype=np.float64).reshape(-1, 2)
    if not len(points):
        return np.zeros((0, 2))
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    away = points - middle
    pieces = round(360.0 / step_deg)
    turn = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
    which = np.floor(turn / step_deg + 0.5).astype(np.int64) % pieces
    radius = np.hypot(away[:, 0], away[:, 1])
    # With growing distance, the last of each direction is the furthest.
    order = np.argsort(radius, kind="stable")
    furthest = np.full(pieces, -1, dtype=np.int64)
    furthest[which[order]] = order
    kept = furthest[furthest >= 0]
    return np.asarray(points[np.append(kept, kept[:1])])
