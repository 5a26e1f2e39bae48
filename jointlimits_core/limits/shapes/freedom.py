"""How much freedom a shape gives: its share of all rotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...arrays import Floats

if TYPE_CHECKING:
    from .shape import CoupledShape


def freedom_of(shape: CoupledShape, points: int = 24) -> float:
    """Share of all rotations that a shape holds (first version: a plain grid)."""
    low, high = shape.chart.domain()
    bounds = shape.region.bounds()
    if np.all(bounds[0] >= low) and np.all(bounds[1] <= high):
        low, high = bounds
    grid: Floats = np.stack(
        np.meshgrid(*[(np.arange(points) + 0.5) / points] * 3, indexing="ij"), axis=-1
    ).reshape(-1, 3)
    grid = low + grid * (high - low)
    grid = grid[shape.chart.is_proper(grid)]
    inside = shape.contains(shape.chart.rotation(grid))
    cell = float(np.prod((high - low) / points))
    return float(np.sum(shape.chart.density(grid[inside])) * cell)
