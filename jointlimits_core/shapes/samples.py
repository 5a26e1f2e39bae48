"""Thinned samples, and the twist axes of joints."""

from __future__ import annotations

import numpy as np

from ..geometry import Floats, Integers
from ..motion import Skeleton

DISTANCE = 0.05
"""Radians; from Holden's article."""
WIDTH = 1.0 + 1e-9
"""Width of a grid cell in distances; with rounding, near points are at most one cell apart."""
DEFAULT: Floats = np.array([1.0, 0.0, 0.0])
"""For joints without children, or with children at their own position."""
SHORTEST = 1e-6
"""Share of the longest bone below which a sum of bones has no direction."""


def subsample(points: Floats, distance: float = DISTANCE) -> Integers:
    """Indices of the points kept by a greedy pass in order.

    Keeps the first of the points, shape (n, 3), and every later one that is at least `distance`
    from all points kept before it: the result of Holden's ``subsample_naive``, from a grid as wide
    as the distance. Raises ValueError for a distance that is not positive, or points that are not
    finite.
    """
    if not distance > 0.0:
        raise ValueError(f"distance must be positive, not {distance!r}")
    if not np.isfinite(points).all():
        raise ValueError("points must be finite")
    if len(points) == 0:
        return np.zeros(0, dtype=np.int64)
    keys, columns = _cells(points, distance * WIDTH)
    order = np.argsort(keys, kind="stable")
    in_order, ordered = points[order], keys[order]
    struck = bytearray(len(points))
    flags = np.frombuffer(struck, dtype=np.uint8)
    kept = []
    # Marks are set through the array and read through the bytes, which is faster one by one.
    for row in range(len(points)):
        if struck[row]:
            continue
        kept.append(row)
        around = keys[row] + columns
        starts = np.searchsorted(ordered, around - 1, side="left")
        ends = np.searchsorted(ordered, around + 1, side="right")
        near = np.concatenate([np.arange(s, e) for s, e in zip(starts, ends)])
        apart = in_order[near] - points[row]
        flags[order[near[np.sqrt(_squares(apart)) < distance]]] = 1
    return np.asarray(kept, dtype=np.int64)


def _cells(points: Floats, width: float) -> tuple[Integers, Integers]:
    """Key of each point's cell, (n,), and key offsets of the nine columns around it, (9,).

    Cells above each other have consecutive keys. Keys at the border also have false neighbours,
    which the distance test rejects.
    """
    cells = np.floor((points - points.min(axis=0)) / width).astype(np.int64)
    across, deep = (int(value) + 2 for value in cells.max(axis=0)[1:])
    sides = np.array([-1, 0, 1])
    columns = ((sides[:, None] * across + sides) * deep).reshape(-1)
    return (cells[:, 0] * across + cells[:, 1]) * deep + cells[:, 2], columns


def _squares(vectors: Floats) -> Floats:
    x, y, z = vectors.T
    return np.asarray(x * x + y * y + z * z)


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


def twist_axis(skeleton: Skeleton, joint: str) -> Floats:
    """Axis of one joint, by name, shape (3,). Raises KeyError naming the closest matches."""
    return np.asarray(twist_axes(skeleton)[skeleton.index(joint)])


def offset_in_parent(skeleton: Skeleton, row: int) -> Floats:
    """Position of a joint in its parent's space, including transforms between them, shape (3,)."""
    offset = np.asarray(skeleton.offsets[row])
    between = skeleton.between.get(row)
    if between is None:
        return offset
    return np.asarray(between[:3, :3] @ offset + between[:3, 3])
