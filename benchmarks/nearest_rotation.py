"""The true nearest allowed rotation, by search: slow, but too simple to be wrong."""

from __future__ import annotations

from itertools import product

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import angle_between
from jointlimits_core.shapes.shape import CoupledShape

WAYS = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])
FIRST_STEP = 0.5
LAST_STEP = 5e-5
"""Radians."""


def least_angle(shape: CoupledShape, rotations: Floats, starts: Floats) -> Floats:
    """Smallest angle to an allowed rotation that a pattern search over the region finds.

    Each rotation starts from the nearest of `starts` and from the shape's own projection. From
    there every step tries the 26 neighbours at a distance, brought into the region, goes to the
    one that is nearest on the sphere of quaternions, and halves the distance where none is nearer.

    Parameters
    ----------
    shape : CoupledShape
    rotations : array, shape (n, 4)
    starts : array, shape (places, 3)
        Coordinates of allowed rotations all over the region.

    Returns
    -------
    array, shape (n,)
        Radians.
    """
    chart, region = shape.chart, shape.region
    apart = np.abs(rotations @ chart.rotation(starts).T)
    own = region.nearest(chart.coordinates(rotations))
    found = [_searched(shape, rotations, at) for at in (starts[apart.argmax(axis=1)], own)]
    return np.minimum(*found)


def _searched(shape: CoupledShape, rotations: Floats, places: Floats) -> Floats:
    best = angle_between(rotations, shape.chart.rotation(places))
    steps = np.full(len(rotations), FIRST_STEP)
    while (steps > LAST_STEP).any():
        tried = shape.region.nearest(places[:, None] + steps[:, None, None] * WAYS)
        angles = angle_between(rotations[:, None], shape.chart.rotation(tried))
        way = angles.argmin(axis=1)
        rows = np.arange(len(rotations))
        nearer = angles[rows, way] < best
        places = np.where(nearer[:, None], tried[rows, way], places)
        best = np.where(nearer, angles[rows, way], best)
        steps = np.where(nearer, steps, 0.5 * steps)
    return best
