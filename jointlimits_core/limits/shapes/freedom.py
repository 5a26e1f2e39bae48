"""How much freedom a shape gives: its share of all rotations, as Herda et al. propose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...arrays import Booleans, Floats
from .flat import Flat

if TYPE_CHECKING:
    from .charts import Chart
    from .region import Region
    from .shape import CoupledShape

FIRST_CELLS = 6
"""Cells along each side of the domain, to begin with."""
MOST_CELLS = 40000
HALVINGS = 6


def freedom_of(shape: CoupledShape) -> float:
    """Share of all rotations that a shape allows (Haar measure).

    The domain of the coordinates is cut into cells. Those that are farther from the region than
    their corners are dropped and the others halved, until there are enough of them. Then one
    point of each is looked at, and counts with the chart's density if it is inside; not the middle,
    as many faces are parallel to the cells. The points follow a sequence, nothing is random.

    Parameters
    ----------
    shape : CoupledShape

    Returns
    -------
    float
        0 to 1, within about 1 % of itself; 0 for what has no volume.
    """
    if isinstance(shape.region, Flat):
        return 0.0
    low, high = _domain(shape)
    size = (high - low) / FIRST_CELLS
    steps = np.arange(FIRST_CELLS) + 0.5
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    middles = low + grid * size
    for _ in range(HALVINGS):
        middles = middles[_may_touch(shape, middles, 0.5 * size)]
        if 8 * len(middles) > MOST_CELLS:
            break
        middles, size = _halved(middles, size)
    points = middles + _offsets(len(middles)) * size
    proper = points[shape.chart.is_proper(points)]
    inside = _contained(shape, proper)
    share = float(np.sum(shape.chart.density(proper[inside])) * np.prod(size))
    return min(share, 1.0)


def _domain(shape: CoupledShape) -> tuple[Floats, Floats]:
    """Box that holds one coordinate of every rotation of the shape."""
    low, high = shape.chart.domain()
    bounds = shape.region.bounds()
    if reaches_beyond(shape.chart, shape.region):
        return low, high
    return np.maximum(low, bounds[0]), np.minimum(high, bounds[1])


def reaches_beyond(chart: Chart, region: Region) -> bool:
    """Whether a region may hold coordinates that the chart never gives: past half a turn."""
    low, high = region.bounds()
    corners = np.stack(np.meshgrid(*zip(low, high), indexing="ij"), axis=-1).reshape(-1, 3)
    return not bool(chart.is_proper(corners).all())


def _may_touch(shape: CoupledShape, middles: Floats, half: Floats) -> Booleans:
    """Which cells are not surely outside, whichever coordinates of their rotations one takes."""
    reach = float(np.linalg.norm(half))
    near = np.linalg.norm(shape.region.nearest(middles) - middles, axis=1) <= reach
    if reaches_beyond(shape.chart, shape.region):
        return np.ones_like(near)
    return np.asarray(near)


def _halved(middles: Floats, size: Floats) -> tuple[Floats, Floats]:
    signs = np.stack(np.meshgrid(*[[-0.25, 0.25]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    return (middles[:, None, :] + signs * size).reshape(-1, 3), 0.5 * size


def _offsets(count: int) -> Floats:
    """Points of a cube around zero that are spread evenly however many there are, (count, 3).

    Roberts' sequence: multiples of the powers of the root of ``x^4 = x + 1``.
    """
    steps = 1.2207440846057596 ** -np.arange(1.0, 4.0)
    return np.asarray((0.5 + np.arange(count)[:, None] * steps) % 1.0 - 0.5)


def _contained(shape: CoupledShape, points: Floats) -> Booleans:
    """Which coordinates belong to rotations of the shape."""
    inside = shape.region.contains(points, 0.0)
    if reaches_beyond(shape.chart, shape.region):
        for other in shape.chart.other_coordinates(points):
            inside = inside | shape.region.contains(other, 0.0)
    return np.asarray(inside)
