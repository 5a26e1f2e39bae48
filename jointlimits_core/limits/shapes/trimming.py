"""Which samples are outermost."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers
from ...estimation.box_volume import sphere_points

DIRECTIONS = 64


def innermost(coordinates: Floats, percent: float) -> Integers:
    """Samples that stay when the outermost ones are left out.

    How far out a sample is, is its rank: how many samples reach farther than it in the direction in
    which fewest do (Tukey's depth, over directions spread evenly). Ranks do not care how far away a
    stray sample is, and every side of the motion gives up as many as the others. Of samples with
    the same rank those farther from the middle go first, and then those that come later.

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
    rank = _least_rank(coordinates, out)
    apart = coordinates - np.median(coordinates, axis=0)
    reach = np.einsum("ij,ij->i", apart, apart)
    order = np.lexsort([-np.arange(count), -reach, rank])
    return np.sort(order[out:])


def _least_rank(coordinates: Floats, farthest: int) -> Integers:
    """Least rank over all directions, 0 for the farthest; `farthest` for whoever is never there."""
    count = len(coordinates)
    rank = np.full(count, farthest)
    for direction in sphere_points(DIRECTIONS):
        along = coordinates @ direction
        front = np.arange(count)
        if farthest < count:
            front = np.argpartition(-along, farthest - 1)[:farthest]
        ordered = np.sort(along[front])
        # Samples that reach equally far have the same rank, whichever comes first.
        beyond = len(front) - np.searchsorted(ordered, along[front], side="right")
        rank[front] = np.minimum(rank[front], beyond)
    return rank
