"""Where joints stand relative to their parents, for formats that know turns and places only.

Maya places a joint as ``world(parent) B T S(1 / parent scale) R S`` (see :mod:`..kinematics`).
Scales that are the same in all directions, mirrored groups too, become lengths: minus the identity
commutes with every rotation, so a mirrored joint turns by the same rotations as one that is not,
and only the places below it are taken from the other side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..rotation import IDENTITY, multiply, quaternion_from_matrix
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
    before, after : array, shape (joints, 4)
        Rotations that stand before jointOrient and after rotateAxis.
    mirrored : tuple of int
        Joints that are mirrored in the source: their axes point the other way.
    sheared : tuple of int
        Joints below scales that differ by direction: their places hold in the rest pose only.
    """

    places: Floats
    before: Floats
    after: Floats
    mirrored: tuple[int, ...]
    sheared: tuple[int, ...]


def rigid_bones(skeleton: Skeleton) -> RigidBones:
    """Split what places the joints into turns, places and lengths.

    Parameters
    ----------
    skeleton : Skeleton

    Returns
    -------
    RigidBones
    """
    count = len(skeleton)
    factors = np.ones(count)
    uneven = np.zeros(count, dtype=bool)
    places = np.zeros((count, 3))
    before, after = np.tile(IDENTITY, (2, count, 1))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        between = skeleton.between.get(joint, np.eye(4))
        undone = np.eye(3)
        if parent >= 0 and skeleton.compensates_scale[joint]:
            with np.errstate(divide="ignore"):
                undone = np.diag(1.0 / skeleton.scales[parent])
        above = 1.0 if parent < 0 else factors[parent]
        turns, lengths, bad = zip(
            *map(_polar, (between[:3, :3], undone, np.diag(skeleton.scales[joint])))
        )
        places[joint] = above * (between[:3, 3] + between[:3, :3] @ skeleton.offsets[joint])
        before[joint], after[joint] = multiply(turns[0], turns[1]), turns[2]
        factors[joint] = above * np.prod(lengths)
        uneven[joint] = any(bad) or (parent >= 0 and uneven[parent])
    return RigidBones(
        places,
        before,
        after,
        tuple(np.flatnonzero(factors < 0.0).tolist()),
        tuple(np.flatnonzero(uneven).tolist()),
    )


def _polar(matrix: Floats) -> tuple[Floats, float, bool]:
    """Nearest turn (quaternion), signed length, and whether there is more than those two."""
    if np.array_equal(matrix, np.eye(3)):
        return IDENTITY, 1.0, False
    if not np.isfinite(matrix).all() or not matrix.any():
        # A scale of zero, or what takes it back: nothing of it can be kept.
        return IDENTITY, 1.0, True
    left, stretches, right = np.linalg.svd(matrix)
    turn = left @ right
    sign = 1.0 if np.linalg.det(turn) > 0.0 else -1.0
    uneven = bool(np.ptp(stretches) > ROUND * stretches.max())
    return quaternion_from_matrix(sign * turn), float(sign * stretches.mean()), uneven
