"""Principal axes of points."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats


def principal_axes(points: Floats) -> Floats:
    """Directions from the largest to the smallest spread, rows, shape (3, 3).

    Computed as a symmetric eigenvalue problem, which keeps the axes perpendicular for any samples;
    the power iteration of Holden's article does not. Each axis has a positive largest component.

    Parameters
    ----------
    points : array, shape (samples, 3)
    """
    apart = points - points.mean(axis=0)
    axes: Floats = np.linalg.eigh(apart.T @ apart)[1].T[::-1]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    return np.asarray(axes * np.where(largest < 0.0, -1.0, 1.0))
