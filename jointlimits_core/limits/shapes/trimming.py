"""Which samples are outermost."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers
from ...sphere import sphere_points

DIRECTIONS = 64


def innermost(coordinates: Floats, percent: float) -> Integers:
    """Samples that stay when the outermost ones are left out.

    How far out a sample is, is its rank: how many samples reach farther than it in the direction in
    which fewest do (Tukey's depth, over directions spread evenly). Every side of the motion gives
    up as many as the others. Of samples with the same rank those go first that stick out most
    beyond the rest in some direction, and then those that come later.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    percent : float
        Share to leave out, 0 to 100, rounded down to whole samples.

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
    """Least rank over all directions, 0 for the farthest, and how far samples stick out.

    Only the `out` farthest of a direction count; whoever is never among them has the rank `out`.
    """
    rank, beyond = np.full(len(coordinates), out), np.zeros(len(coordinates))
    for direction in sphere_points(DIRECTIONS):
        along = coordinates @ direction
        front = np.argpartition(-along, out)
        threshold, front = along[front[out]], front[:out]
        # Samples that reach equally far have the same rank, whichever comes first.
        farther = out - np.searchsorted(np.sort(along[front]), along[front], side="right")
        rank[front] = np.minimum(rank[front], farther)
        beyond[front] = np.maximum(beyond[front], along[front] - threshold)
    return rank, beyond
