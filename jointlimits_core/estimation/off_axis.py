"""Off-axis rotation: allowed by limits on the wrong channels, and lost by a strict joint."""

from __future__ import annotations

import numpy as np

from ..arrays import ArrayLike, Floats
from ..euler import axes_of, quaternion_from_euler
from ..reframe import JointFrame
from ..rotation import multiply, quaternion_between_vectors, rotated

STEPS = 7
"""Poses per channel of a box, ends included."""


def off_hinge(rotations: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Smallest rotation that brings each rotation onto a hinge.

    Parameters
    ----------
    rotations : array, shape (..., 4)
        Local rotations.
    axis_parent, axis_child : array-like, shape (3,)

    Returns
    -------
    array, shape (...)
        Radians from 0 to pi; exact for tiny ones.
    """
    child = np.asarray(axis_child, dtype=np.float64)
    first = quaternion_between_vectors(child, axis_parent)
    second = multiply(first, np.append(child, 0.0))
    on = np.hypot(rotations @ first, rotations @ second)
    across = np.stack([multiply(first, np.append(side, 0.0)) for side in _sides(child)])
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(rotations @ across.T, axis=-1), on))


def off_universal(rotations: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Deviation of a universal joint's axes from the right angle, radians, shape (...)."""
    cosine = rotated(rotations, axis_child) @ np.asarray(axis_parent, dtype=np.float64)
    return np.asarray(np.abs(np.arcsin(np.clip(cosine, -1.0, 1.0))))


def _sides(axis: Floats) -> Floats:
    """Two unit vectors that make a right-handed frame with an axis, shape (2, 3)."""
    one = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    one = one / np.linalg.norm(one)
    return np.stack([one, np.cross(axis, one)])


def box_poses(low: Floats, high: Floats, frame: JointFrame) -> tuple[Floats, Floats]:
    """Grid of poses in a box of rotate channels.

    Parameters
    ----------
    low, high : array, shape (3,)
        Radians.

    Returns
    -------
    rotations : array, shape (poses, 4)
        Local rotations on an even grid, the corners included.
    weights : array, shape (poses,)
        Share of the box per pose (Haar measure, ends of the grid halved); sum 1.
    """
    ways = [np.linspace(a, b, STEPS) for a, b in zip(low, high)]
    angles = np.stack(np.meshgrid(*ways, indexing="ij"), axis=-1).reshape(-1, 3)
    ends = np.ones(STEPS)
    ends[[0, -1]] = 0.5
    cells = np.einsum("i,j,k->ijk", ends, ends, ends).reshape(-1)
    weights = cells * np.abs(np.cos(angles[:, axes_of(frame.rotate_order)[1]]))
    turns = quaternion_from_euler(angles, frame.rotate_order)
    rotations = multiply(frame.joint_orient, multiply(turns, frame.rotate_axis))
    total = float(weights.sum())
    return rotations, weights / total if total > 0.0 else np.full(len(cells), 1.0 / len(cells))
