"""Selection of a given number of representative samples near the surface of a region."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers


def standing_for_all(points: Floats, depth: Floats, count: int) -> tuple[Integers, float]:
    """Choose samples so that all others are near a chosen one or deep enough inside.

    Greedy, as the centres of Gonzalez (1985): the next sample is the one whose distance from the
    chosen ones exceeds its depth the most.

    Parameters
    ----------
    points : array, shape (n, 3)
    depth : array, shape (n,)
        Allowed distance of a sample from the chosen ones, in the units of the points.
    count : int
        Maximum number; fewer if there are fewer distinct points.

    Returns
    -------
    chosen : array of int, shape (chosen,)
    excess : float
        Largest excess of a sample's distance over its depth; 0 if none.
    """
    chosen = [int(np.argmin(depth))]
    apart = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < count:
        farthest = int(np.argmax(apart - depth))
        if apart[farthest] <= 0.0:
            break
        chosen.append(farthest)
        apart = np.minimum(apart, np.linalg.norm(points - points[farthest], axis=1))
    return np.array(chosen, dtype=np.intp), max(float(np.max(apart - depth)), 0.0)
