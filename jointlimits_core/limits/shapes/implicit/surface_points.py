"""Points on an implicit surface, from which the search for the nearest one starts."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
from ....sphere import sphere_points
from .field import Primitives, field

COUNT = 3000
"""Points in all, spread evenly over the primitives."""
FEWEST = 64
"""Directions from each centre."""
STEPS = 48
"""Along a ray; a gap between two of them is not seen, and what lies behind it is surface too."""
HALVINGS = 34


def surface_points(primitives: Primitives, level: float, count: int = COUNT) -> Floats:
    """Where rays from every centre leave the region first, shape (rays, 3).

    The points lie inside, less than 1e-9 of the region's size from the surface. Centres that are
    themselves outside give none.

    Parameters
    ----------
    count : int
        How many points, about; at least :data:`FEWEST` from each centre.
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
