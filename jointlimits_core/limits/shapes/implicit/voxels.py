"""Samples thinned to one in each cell of a grid, so that none counts for being held long."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats

CELLS = 25
"""Along the longest side."""


def one_in_each_voxel(points: Floats, cells: int = CELLS) -> Floats:
    """Thin points to the first one in each cell of a grid, in their order.

    Parameters
    ----------
    points : array, shape (samples, 3)
    cells : int
        Along the longest side of the box around the points.

    Returns
    -------
    array, shape (kept, 3)
    """
    low = points.min(axis=0)
    longest = float(np.max(points.max(axis=0) - low))
    if longest == 0.0:
        return points[:1]
    place = np.minimum((points - low) * (cells / longest), cells - 1).astype(np.int64)
    number = (place[:, 0] * cells + place[:, 1]) * cells + place[:, 2]
    return np.asarray(points[np.sort(np.unique(number, return_index=True)[1])])
