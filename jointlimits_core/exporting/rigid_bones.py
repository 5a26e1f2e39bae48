"""Where joints stand relative to their parents, for formats that know turns and places only.

Maya places a joint as ``world(parent) B T S(1 / parent scale) R S`` (see :mod:`..kinematics`). What
turns a joint's frame is kept apart from what stretches it: ``world = Q D`` with a rotation Q. The
next joint then has ``D B S(1 / parent scale)`` before its own rotation. Where that is a turn and a
length, and it is for scales that are the same in all directions, and for others that the child
takes back, the child's frame is a rotation again and nothing is lost. Mirrored groups are no
exception: minus the identity commutes with every rotation, so a mirrored joint turns by the same
rotations as one that is not, and only the places below it are taken from the other side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..rotation import IDENTITY, quaternion_from_matrix
from ..skeleton import Skeleton

ROUND = 1e-9
"""Scales that differ by a smaller share are the same in all directions."""


@dataclass(frozen=True, eq=False)
class RigidBones:
    """Constant parts of every joint's place, in the source's length unit.

    Parameters
    ----------
    places : array, shape (joints, 3)
        Relative to the parent joint, in its turned frame; in the world for a root.
    before : array, shape (joints, 4)
        Rotations that stand before jointOrient.
    mirrored : tuple of int
        Joints that are mirrored in the source: their axes point the other way.
    sheared : tuple of int
        Joints below scales that differ by direction and are not taken back.
    """

    places: Floats
    before: Floats
    mirrored: tuple[int, ...]
    sheared: tuple[int, ...]


def rigid_bones(skeleton: Skeleton) -> RigidBones:
    """Split what places the joints into turns, places and lengths."""
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
    """What a joint undoes of its parent's scale; a scale of zero cannot be undone."""
    if parent < 0 or not skeleton.compensates_scale[joint]:
        return np.eye(3)
    scale = skeleton.scales[parent]
    return np.diag(1.0 / np.where(scale == 0.0, 1.0, scale))


def _polar(matrix: Floats) -> tuple[Floats, float, bool]:
    """Nearest turn (quaternion), signed length, and whether there is more than those two."""
    if np.array_equal(matrix, np.eye(3)):
        return IDENTITY, 1.0, False
    if not np.isfinite(matrix).all() or not matrix.any():
        # A scale of zero: nothing of it can be kept.
        return IDENTITY, 1.0, True
    left, stretches, right = np.linalg.svd(matrix)
    turn = left @ right
    sign = 1.0 if np.linalg.det(turn) > 0.0 else -1.0
    uneven = bool(np.ptp(stretches) > ROUND * stretches.max())
    return quaternion_from_matrix(sign * turn), float(sign * stretches.mean()), uneven
