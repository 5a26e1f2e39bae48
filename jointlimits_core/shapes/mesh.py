"""Boundary of a shape as lines and triangles, for display."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry.arrays import Floats, Integers
from .flat import Flat
from .region import Region
from .shape import CoupledShape

RINGS, SPOKES = 13, 24
"""Numbers of parallels and meridians along which the boundary is sampled."""
BISECTION_COUNT = 22
"""Bisection steps, for an accuracy of a few millionths of the region's size."""
EDGE_POINTS = 16
"""Points along each edge of a flat region."""


@dataclass(frozen=True, eq=False)
class SurfaceMesh:
    """Boundary of a shape.

    `rotations`, shape (points, 4): rotations on the boundary, relative to the parent; `edges`,
    shape (edges, 2): lines between points, along circles of latitude and longitude; `triangles`,
    shape (triangles, 3): empty for a flat region.
    """

    rotations: Floats
    edges: Integers
    triangles: Integers


def surface_mesh(shape: CoupledShape, finer: int = 1) -> SurfaceMesh:
    """Boundary of a shape, found along rays from a point inside.

    It is complete for convex regions; for others, it is the part visible from that point. `finer`:
    factor for the number of circles; flat regions ignore it.
    """
    if isinstance(shape.region, Flat):
        points, edges = _outline(shape.region)
        return SurfaceMesh(shape.chart.rotation(points), edges, np.zeros((0, 3), dtype=np.int64))
    rings, spokes = finer * RINGS, finer * SPOKES
    points = _boundary(shape.region, rings, spokes)
    # The poles are the first and the last point.
    grid = 1 + np.arange(rings * spokes).reshape(rings, spokes)
    beside, below = np.roll(grid, -1, axis=1), grid[1:]
    top, foot = np.zeros_like(grid[0]), np.full_like(grid[0], grid.size + 1)
    circles = [(grid, beside), (grid[:-1], below), (top, grid[0]), (grid[-1], foot)]
    faces = [
        (grid[:-1], below, beside[:-1]),
        (beside[:-1], below, beside[1:]),
        (top, grid[0], beside[0]),
        (foot, beside[-1], grid[-1]),
    ]
    return SurfaceMesh(
        shape.chart.rotation(points),
        np.concatenate([np.stack(ends, axis=-1).reshape(-1, 2) for ends in circles]),
        np.concatenate([np.stack(corners, axis=-1).reshape(-1, 3) for corners in faces]),
    )


def _boundary(region: Region, rings: int, spokes: int) -> Floats:
    """Boundary points seen from a point inside, poles first and last, (rings * spokes + 2, 3)."""
    heights = np.pi * np.arange(1, rings + 1) / (rings + 1)
    around = 2.0 * np.pi * np.arange(spokes) / spokes
    height, turn = np.meshgrid(heights, around, indexing="ij")
    rows = [np.sin(height) * np.cos(turn), np.sin(height) * np.sin(turn), np.cos(height)]
    ring = np.stack(rows, axis=-1).reshape(-1, 3)
    directions = np.concatenate([[[0.0, 0.0, 1.0]], ring, [[0.0, 0.0, -1.0]]])
    low, high = region.bounds()
    inside = region.nearest(0.5 * (low + high))
    near, far = np.zeros(len(directions)), np.full(len(directions), np.linalg.norm(high - low))
    for _ in range(BISECTION_COUNT):
        middle = 0.5 * (near + far)
        held = region.contains(inside + middle[:, None] * directions)
        near, far = np.where(held, middle, near), np.where(held, far, middle)
    return np.asarray(inside + near[:, None] * directions)


def _outline(region: Flat) -> tuple[Floats, Integers]:
    """Points along the edges of a flat region, and the lines between them."""
    corners = region.origin + region.corners @ region.axes
    ends = np.roll(corners, -1, axis=0) if len(corners) > 2 else corners[1:]
    share = np.linspace(0.0, 1.0, EDGE_POINTS)[:, None]
    lines = [start + share * (end - start) for start, end in zip(corners, ends)]
    if not lines:
        return corners, np.zeros((0, 2), dtype=np.int64)
    numbers = np.arange(len(lines) * EDGE_POINTS).reshape(len(lines), EDGE_POINTS)
    edges = np.stack([numbers[:, :-1], numbers[:, 1:]], axis=-1).reshape(-1, 2)
    return np.concatenate(lines), edges
