"""Freedom of a shape: its share of all rotations, as proposed by Herda et al."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..geometry import Floats
from .flat import Flat

if TYPE_CHECKING:
    from .shape import CoupledShape

FIRST_CELLS = 6
"""Initial number of cells along each side of the region's bounds."""
MOST_CELLS = 14000
HALVINGS = 10


def freedom_of(shape: CoupledShape) -> float:
    """Share of all rotations that a shape allows (Haar measure).

    The bounds of the region are divided into cells. Cells farther from the region than their
    corners are dropped and the others halved, until there are enough. Points in each cell then
    count with the chart's density if they are inside. They are not the cell centres, as many faces
    are parallel to the cells, but follow a fixed sequence, without randomness. Rotations that a
    region beyond half a turn contains twice count once. The result is 0 to 1, accurate to about 1 %
    for shapes at least a degree thick; 0 without volume.
    """
    if isinstance(shape.region, Flat):
        return 0.0
    middles, size = _cells(shape)
    copies = max(1, MOST_CELLS // max(len(middles), 1))
    points = np.repeat(middles, copies, axis=0)
    points = points + _offsets(len(points)) * size
    inside = points[shape.region.contains(points, 0.0) & shape.chart.is_within_a_turn(points)]
    volume = float(np.prod(size)) / copies
    share = float(np.sum(shape.chart.density(inside) / _times(shape, inside))) * volume
    return min(share, 1.0)


def _cells(shape: CoupledShape) -> tuple[Floats, Floats]:
    """Centres of the cells that may touch the region, (n, 3), and their size, (3,)."""
    low, high = shape.region.bounds()
    size = (high - low) / FIRST_CELLS
    steps = np.arange(FIRST_CELLS) + 0.5
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    middles = low + grid * size
    signs = np.stack(np.meshgrid(*[[-0.25, 0.25]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    for _ in range(HALVINGS):
        apart = np.linalg.norm(shape.region.nearest(middles) - middles, axis=1)
        middles = middles[apart <= 0.5 * np.linalg.norm(size)]
        if 8 * len(middles) > MOST_CELLS:
            break
        middles, size = (middles[:, None, :] + signs * size).reshape(-1, 3), 0.5 * size
    return middles, size


def _times(shape: CoupledShape, points: Floats) -> Floats:
    """Number of coordinates of each rotation inside a region, (n,), for points inside."""
    low, high = shape.region.bounds()
    times = np.ones(len(points))
    for other in shape.chart.other_coordinates(points):
        rows = np.flatnonzero(np.all((other >= low) & (other <= high), axis=1))
        rows = rows[shape.chart.is_within_a_turn(other[rows])]
        times[rows] += shape.region.contains(other[rows], 0.0)
    return times


def _offsets(count: int) -> Floats:
    """Points spread evenly over a cube around zero, for any count, (count, 3).

    Roberts' sequence: multiples of the powers of the root of ``x^4 = x + 1``.
    """
    steps = 1.2207440846057596 ** -np.arange(1.0, 4.0)
    return np.asarray((0.5 + np.arange(count)[:, None] * steps) % 1.0 - 0.5)
