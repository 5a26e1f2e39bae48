"""Twist axes of joints."""

from __future__ import annotations

import numpy as np

from ..geometry import Floats
from ..motion import Skeleton

DEFAULT: Floats = np.array([1.0, 0.0, 0.0])
"""For joints without children, or with children at their own position."""
SHORTEST = 1e-6
"""Share of the longest bone below which a sum of bones has no direction."""


def twist_axes(skeleton: Skeleton) -> Floats:
    """Unit axes from every joint to the middle of its children, in its own space.

    Holden's ``compute_twist_axes``: the sum of the children's offsets, for a single child the bone;
    children to the left and right of the body cancel out. The result has shape (joints, 3).
    """
    offsets = np.stack([offset_in_parent(skeleton, row) for row in range(len(skeleton))])
    summed = np.zeros((len(skeleton), 3))
    children = np.flatnonzero(skeleton.parents >= 0)
    np.add.at(summed, skeleton.parents[children], offsets[children])
    length = np.linalg.norm(summed, axis=1, keepdims=True)
    longest = float(np.max(np.linalg.norm(offsets, axis=1), initial=0.0))
    points = length > SHORTEST * longest
    return np.asarray(np.where(points, summed / np.where(points, length, 1.0), DEFAULT))


def offset_in_parent(skeleton: Skeleton, row: int) -> Floats:
    """Position of a joint in its parent's space, including transforms between them, shape (3,)."""
    offset = np.asarray(skeleton.offsets[row])
    between = skeleton.between.get(row)
    if between is None:
        return offset
    return np.asarray(between[:3, :3] @ offset + between[:3, 3])
