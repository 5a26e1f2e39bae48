"""Euler boxes around rotations: their share of all rotations, and off-axis rotation in them.

The share uses the invariant (Haar) measure, ``|cos(middle)| dx dy dz`` in Euler angles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Floats, Integers
from ..geometry.circle import contiguous_interval
from ..geometry.euler import TURN, axes_of, euler_from_quaternion, quaternion_from_euler
from ..motion.reorient import JointOrientation

ALL_ROTATIONS = 8.0 * np.pi**2
"""Haar measure of all rotations, in the coordinates above."""
GRID_POINTS = 7
"""Number of poses per channel of a box, including the ends."""


class EulerBox(NamedTuple):
    """Boxes around the Euler angles of samples, radians.

    `low` and `high` have shape (..., 3): ranges about X, Y and Z. The middle channel of the order
    is in [-pi/2, pi/2]; the outer ranges are the smallest arcs that contain all samples. `margin`
    has shape (...): smallest distance of the middle channel from gimbal lock.
    """

    low: Floats
    high: Floats
    margin: Floats
    rotate_order: str

    def share(self, pad: float = 0.0) -> Floats:
        """Share of all rotations inside the box, widened by `pad` radians on every side."""
        return haar_share(self.low - pad, self.high + pad, self.rotate_order)


def haar_share(low: ArrayLike, high: ArrayLike, rotate_order: str) -> Floats:
    """Share (0 to 1) of all rotations in an Euler box, radians, shape (..., 3).

    Exact if the middle channel stays within a quarter turn of zero; in a larger box, rotations that
    occur twice are counted twice.
    """
    ends = np.array([low, high], dtype=np.float64)
    first, middle, last = axes_of(rotate_order)
    widths = np.minimum(ends[1] - ends[0], TURN)
    half_turns = np.round(ends[..., middle] / np.pi)
    # Integrals of |cos| from zero to both ends.
    below, above = 2.0 * half_turns + np.sin(ends[..., middle] - half_turns * np.pi)
    share = widths[..., first] * widths[..., last] * (above - below) / ALL_ROTATIONS
    return np.asarray(np.clip(share, 0.0, 1.0))


def euler_box(turns: ArrayLike, rotate_order: str) -> EulerBox:
    """Boxes around the Euler angles of rotations R, unit quaternions, (..., 4, samples)."""
    samples = np.swapaxes(np.asarray(turns, dtype=np.float64), -1, -2)
    angles = np.swapaxes(euler_from_quaternion(samples, rotate_order), -1, -2)
    low, high = angles.min(axis=-1), angles.max(axis=-1)
    middle = axes_of(rotate_order)[1]
    margin = 0.5 * np.pi - np.maximum(-low[..., middle], high[..., middle])
    for outer in axes_of(rotate_order)[::2]:
        arc = contiguous_interval(angles[..., outer, :])
        low[..., outer], high[..., outer] = arc.low, arc.high
    return EulerBox(low, high, np.asarray(margin), rotate_order)


def representatives(rotations: Floats, directions: int = 96, even: int = 160) -> Integers:
    """Indices of the outermost samples in several directions, and of evenly spaced samples."""
    leading, count = rotations.shape[:-2], rotations.shape[-1]
    if count <= directions + even:
        return np.broadcast_to(np.arange(count), (*leading, count))
    samples = np.swapaxes(rotations, -1, -2)
    sides = np.sum(samples * samples[..., :1, :], axis=-1, keepdims=True)
    middle = quaternion.normalize(
        (samples * np.where(sides < 0.0, -1.0, 1.0)).mean(axis=-2, keepdims=True)
    )
    seen = quaternion.multiply(quaternion.conjugate(middle), samples)
    vectors = np.swapaxes(seen[..., :3] * np.where(seen[..., 3:] < 0.0, -1.0, 1.0), -1, -2)
    outermost = np.argmax(
        quaternion.sphere_points(directions) @ np.ascontiguousarray(vectors), axis=-1
    )
    spread = np.linspace(0, count - 1, even).astype(np.int64)
    return np.concatenate([outermost, np.broadcast_to(spread, (*leading, even))], axis=-1)


def off_hinge(rotations: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Smallest rotation of quaternions, (..., 4), onto a hinge, radians; accurate even if tiny."""
    child = np.asarray(axis_child, dtype=np.float64)
    first = quaternion.quaternion_between_vectors(child, axis_parent)
    one = np.cross(child, np.eye(3)[np.argmin(np.abs(child))])
    one = one / np.linalg.norm(one)
    # Half turns of the joint about its axis and about two axes perpendicular to it.
    turns = np.pad([child, one, np.cross(child, one)], ((0, 0), (0, 1)))
    second, *across = quaternion.multiply(first, turns)
    on = np.hypot(rotations @ first, rotations @ second)
    off = np.linalg.norm(rotations @ np.transpose(across), axis=-1)
    return np.asarray(2.0 * np.arctan2(off, on))


def off_universal(rotations: Floats, axis_parent: ArrayLike, axis_child: ArrayLike) -> Floats:
    """Deviation of a universal joint's axes from a right angle, radians, shape (...)."""
    cosine = quaternion.rotate(rotations, axis_child) @ np.asarray(axis_parent, dtype=np.float64)
    return np.asarray(np.abs(np.arcsin(np.clip(cosine, -1.0, 1.0))))


def box_poses(low: Floats, high: Floats, orientation: JointOrientation) -> tuple[Floats, Floats]:
    """Local rotations on a regular grid in a box, and the weight of each by Haar measure."""
    axes = [np.linspace(a, b, GRID_POINTS) for a, b in zip(low, high)]
    angles = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    ends = np.ones(GRID_POINTS)
    ends[[0, -1]] = 0.5
    cells = np.einsum("i,j,k->ijk", ends, ends, ends).reshape(-1)
    weights = cells * np.abs(np.cos(angles[:, axes_of(orientation.rotate_order)[1]]))
    turns = quaternion_from_euler(angles, orientation.rotate_order)
    rotations = quaternion.multiply(
        orientation.joint_orient, quaternion.multiply(turns, orientation.rotate_axis)
    )
    total = float(weights.sum())
    return rotations, weights / total if total > 0.0 else np.full(len(cells), 1.0 / len(cells))
