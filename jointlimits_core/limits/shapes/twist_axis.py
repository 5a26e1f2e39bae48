"""The axis that a joint twists about: the way to its children."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats
from ...skeleton import Skeleton

DEFAULT: Floats = np.array([1.0, 0.0, 0.0])
"""Of joints without children, and of those whose children are where they are themselves."""
SHORTEST = 1e-6
"""Of the longest bone; shorter sums of bones have no direction."""


def twist_axes(skeleton: Skeleton) -> Floats:
    """Unit axes from every joint to the middle of its children, in its own frame.

    After Holden's article, ``compute_twist_axes``: the sum of the children's offsets, which for a
    single child is the bone. Children that are left and right of the body cancel each other and
    leave the spine.

    Returns
    -------
    array, shape (joints, 3)
    """
    offsets = np.stack([offset_in_parent(skeleton, row) for row in range(len(skeleton))])
    summed = np.zeros((len(skeleton), 3))
    children = np.flatnonzero(skeleton.parents >= 0)
    np.add.at(summed, skeleton.parents[children], offsets[children])
    length = np.linalg.norm(summed, axis=1, keepdims=True)
    longest = float(np.max(np.linalg.norm(offsets, axis=1), initial=0.0))
    points = length > SHORTEST * longest
    return np.asarray(np.where(points, summed / np.where(points, length, 1.0), DEFAULT))


def twist_axis(skeleton: Skeleton, joint: str) -> Floats:
    """Axis of one joint, by name, shape (3,).

    Raises
    ------
    KeyError
        With the names that come closest.
    """
    return np.asarray(twist_axes(skeleton)[skeleton.index(joint)])


def offset_in_parent(skeleton: Skeleton, row: int) -> Floats:
    """Where a joint is in its parent joint's frame, with what stands between them, shape (3,)."""
    offset = np.asarray(skeleton.offsets[row])
    between = skeleton.between.get(row)
    if between is None:
        return offset
    return np.asarray(between[:3, :3] @ offset + between[:3, 3])
