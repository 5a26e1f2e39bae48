"""Thinning of samples to one per grid cell, so that held poses do not count more."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats

CELLS = 25
"""Number of cells along the longest side."""


def one_in_each_voxel(points: Floats, cells: int = CELLS) -> Floats:
    """First point in each cell of a grid, in the original order.

    Parameters
    ----------
    points : array, shape (samples, 3)
    cells : int
        Number along the longest side of the points' bounding box.

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
