"""Joint transforms relative to their parents, for formats with rotation and translation only.

Maya places a joint as ``world(parent) B T S(1 / parent scale) R S`` (see :mod:`..kinematics`). The
rotation of a joint is kept apart from its scale: ``world = Q D`` with a rotation Q. The next joint
then has ``D B S(1 / parent scale)`` before its own rotation. Where that is a rotation times a
length, as it is for uniform scales and for others that the child compensates, nothing is lost.
Mirrored groups are no exception: minus the identity commutes with every rotation, so a mirrored
joint has the same rotations, and only the positions below it are mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..rotation import IDENTITY, quaternion_from_matrix
from ..skeleton import Skeleton

ROUND = 1e-9
"""Largest relative difference between scales that count as uniform."""


@dataclass(frozen=True, eq=False)
class RigidBones:
    """Constant parts of every joint's transform, in the source's length unit.

    Parameters
    ----------
    places : array, shape (joints, 3)
        Relative to the parent joint, in its orientation; in the world for a root.
    before : array, shape (joints, 4)
        Rotations in front of jointOrient.
    mirrored : tuple of int
        Joints mirrored in the source: their axes are flipped.
    sheared : tuple of int
        Joints below non-uniform scales that are not compensated.
    """

    places: Floats
    before: Floats
    mirrored: tuple[int, ...]
    sheared: tuple[int, ...]


def rigid_bones(skeleton: Skeleton) -> RigidBones:
    """Split the joint transforms into rotations, positions and lengths."""
    count = len(skeleton)
    stretches = np.tile(np.eye(3), (count, 1, 1))
    uneven = np.zeros(count, dtype=bool)
    places, before = np.zeros((count, 3)), np.tile(IDENTITY, (count, 1))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        between = skeleton.between.get(joint, np.eye(4))
        above = np.eye(3) if parent < 0 else stretches[parent]
        places[joint] = above @ (between[:3, 3] + between[:3, :3] @ skeleton.offsets[joint])
        part = above @ between[:3, :3] @ _taken_back(skeleton, joint, parent)
        before[joint], length, bad = _polar(part)
        stretches[joint] = length * np.diag(skeleton.scales[joint])
        uneven[joint] = bad or (parent >= 0 and uneven[parent])
    mirrored = np.flatnonzero(np.linalg.det(stretches) < 0.0)
    return RigidBones(
        places, before, tuple(mirrored.tolist()), tuple(np.flatnonzero(uneven).tolist())
    )


def _taken_back(skeleton: Skeleton, joint: int, parent: int) -> Floats:
    """Compensation of the parent's scale by a joint; a zero scale cannot be compensated."""
    if parent < 0 or not skeleton.compensates_scale[joint]:
        return np.eye(3)
    scale = skeleton.scales[parent]
    return np.diag(1.0 / np.where(scale == 0.0, 1.0, scale))


def _polar(matrix: Floats) -> tuple[Floats, float, bool]:
    """Nearest rotation (quaternion), signed length, and whether anything else remains."""
    if np.array_equal(matrix, np.eye(3)):
        return IDENTITY, 1.0, False
    if not np.isfinite(matrix).all() or not matrix.any():
        # A zero scale: nothing of it can be kept.
        return IDENTITY, 1.0, True
    left, stretches, right = np.linalg.svd(matrix)
    turn = left @ right
    sign = 1.0 if np.linalg.det(turn) > 0.0 else -1.0
    uneven = bool(np.ptp(stretches) > ROUND * stretches.max())
    return quaternion_from_matrix(sign * turn), float(sign * stretches.mean()), uneven
