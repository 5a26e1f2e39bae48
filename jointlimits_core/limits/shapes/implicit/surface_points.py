"""Points on an implicit surface, as starts of the search for the nearest one."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
from ....sphere import sphere_points
from .field import Primitives, field

COUNT = 3000
"""Total number of points, spread evenly over the primitives."""
FEWEST = 64
"""Minimum number of directions from each centre."""
STEPS = 48
"""Steps along a ray; a gap between two of them is missed, and the ray continues beyond it."""
HALVINGS = 34


def surface_points(primitives: Primitives, level: float, count: int = COUNT) -> Floats:
    """First exits of rays from every centre out of the region, shape (rays, 3).

    The points are inside, less than 1e-9 of the region's size from the surface. Centres that are
    outside themselves give none.

    Parameters
    ----------
    count : int
        Approximate number of points; at least :data:`FEWEST` from each centre.
    """
    inside = primitives.chosen(field(primitives.centres, primitives) >= level)
    directions = sphere_points(max(FEWEST, count // max(len(inside), 1)))
    origins = np.repeat(inside.centres, len(directions), axis=0)
    rays = np.tile(directions, (len(inside), 1))
    low, high = _bracket(origins, rays, primitives, level)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        stays = field(origins + middle[:, None] * rays, primitives) >= level
        low, high = np.where(stays, middle, low), np.where(stays, high, middle)
    return origins + low[:, None] * rays


def _bracket(
    origins: Floats, rays: Floats, primitives: Primitives, level: float
) -> tuple[Floats, Floats]:
    """Distances along rays between which each leaves the region."""
    lowest = (primitives.centres - primitives.reach[:, None]).min(axis=0)
    highest = (primitives.centres + primitives.reach[:, None]).max(axis=0)
    step = float(np.linalg.norm(highest - lowest)) / STEPS
    low = np.zeros(len(origins))
    going = np.arange(len(origins))
    # At the last step every ray is beyond all fields.
    for number in range(1, STEPS + 2):
        there = origins[going] + number * step * rays[going]
        going = going[field(there, primitives) >= level]
        low[going] = number * step
    return low, low + step
