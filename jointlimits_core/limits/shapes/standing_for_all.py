"""A given number of samples that stand for all, chosen near the surface of what holds them."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers


def standing_for_all(points: Floats, depth: Floats, count: int) -> tuple[Integers, float]:
    """Choose samples so that each is near to a chosen one, or deep enough not to need one.

    Greedy, as the centres of Gonzalez (1985): next comes always the sample whose distance from the
    chosen ones exceeds its depth the most.

    Parameters
    ----------
    points : array, shape (n, 3)
    depth : array, shape (n,)
        Distance that a sample may be from the chosen ones, in the units of the points.
    count : int
        At most so many; fewer where there are fewer different points.

    Returns
    -------
    chosen : array of int, shape (chosen,)
    excess : float
        By how much the worst sample is farther than its depth; 0 if none is.
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
