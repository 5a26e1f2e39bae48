"""Subsampling with a minimum distance between samples."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers

DISTANCE = 0.05
"""Radians; from Holden's article."""
WIDTH = 1.0 + 1e-9
"""Width of a grid cell in distances; with rounding, near points are at most one cell apart."""


def subsample(points: Floats, distance: float = DISTANCE) -> Integers:
    """Indices of the points kept by a greedy pass in order.

    Keeps the first point, and every later one that is at least `distance` from all points kept
    before it: the result of Holden's ``subsample_naive``. Each kept point searches only the
    neighbouring cells of a grid as wide as the distance, and removes points that are too near.

    Parameters
    ----------
    points : array, shape (n, 3)
    distance : float
        Positive; in the units of the points.

    Returns
    -------
    array of int, shape (kept,)
        Increasing.

    Raises
    ------
    ValueError
        For a distance that is not positive, or points that are not finite.
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
