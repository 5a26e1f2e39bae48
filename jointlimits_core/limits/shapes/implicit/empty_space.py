"""Points around a cloud that a surface around it must leave outside."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
from ....sphere import sphere_points

PLACES = 3000
AXES = 40
NEAR, FAR = 0.1, 0.8
"""Distances of the points beyond the cloud's support planes, in units of the fit."""


def empty_places(points: Floats, count: int = PLACES) -> Floats:
    """Grid points outside the support planes of a cloud, but near them.

    The paper keeps primitives small and near, but they still bulge between samples, where nothing
    constrains them. These points do.

    Parameters
    ----------
    points : array, shape (samples, 3)
    count : int
        Approximate number of points in the whole grid.

    Returns
    -------
    array, shape (places, 3)
    """
    low, high = points.min(axis=0) - FAR, points.max(axis=0) + FAR
    spacing = float(np.prod(high - low) / count) ** (1.0 / 3.0)
    sides = [np.arange(low[axis], high[axis] + spacing, spacing) for axis in range(3)]
    grid = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 3)
    half = sphere_points(2 * AXES)[:AXES]
    planes = np.concatenate([half, -half])
    beyond = np.max(grid @ planes.T - np.max(points @ planes.T, axis=0), axis=1)
    return np.asarray(grid[(beyond > NEAR) & (beyond < NEAR + 2.5 * spacing)])
