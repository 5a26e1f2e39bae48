"""Removal of the outermost samples."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers
from ...sphere import sphere_points

DIRECTIONS = 64


def innermost(coordinates: Floats, percent: float) -> Integers:
    """Samples that remain without the outermost ones.

    Samples are ranked by Tukey depth: the number of samples that reach farther in the direction in
    which the fewest do, over directions spread evenly, so that every side of the motion gives up
    equally many. Among samples of the same rank those that stick out most are removed first, and
    then the later ones.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    percent : float
        Share to remove, 0 to 100, rounded down to whole samples.

    Returns
    -------
    array of int, shape (kept,)
        Increasing; never empty.
    """
    count = len(coordinates)
    out = min(int(np.floor(count * percent / 100.0 + 1e-9)), count - 1)
    if out == 0:
        return np.arange(count)
    rank, beyond = _outlying(coordinates, out)
    order = np.lexsort([-np.arange(count), -beyond, rank])
    return np.sort(order[out:])


def _outlying(coordinates: Floats, out: int) -> tuple[Integers, Floats]:
    """Smallest rank over all directions, 0 for the farthest, and how far samples stick out.

    Only the `out` farthest in a direction are ranked; all other samples have rank `out`.
    """
    rank, beyond = np.full(len(coordinates), out), np.zeros(len(coordinates))
    for direction in sphere_points(DIRECTIONS):
        along = coordinates @ direction
        front = np.argpartition(-along, out)
        threshold, front = along[front[out]], front[:out]
        # Samples that reach equally far have the same rank.
        farther = out - np.searchsorted(np.sort(along[front]), along[front], side="right")
        rank[front] = np.minimum(rank[front], farther)
        beyond[front] = np.maximum(beyond[front], along[front] - threshold)
    return rank, beyond
