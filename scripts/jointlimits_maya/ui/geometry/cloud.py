"""Point clouds: thinned versions that look the same, and the cube around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.arrays import AnyArray, ArrayLike, Booleans, Floats, Integers

SMALLEST_EDGE_DEG = 8.0
MOVING, STILL = 60_000, 1_500_000
"""Points drawn while the view turns, and at rest."""
_MARGIN = 0.08
_DIRECTIONS = 96
_FINEST = 160


def cube_around(points: AnyArray) -> tuple[tuple[float, float, float], float]:
    """Centre and half edge of the cube that holds some points, with a small margin.

    Parameters
    ----------
    points : array, shape (points, 3)
        Without points, the smallest cube about zero.
    """
    if not len(points):
        return (0.0, 0.0, 0.0), 0.5 * SMALLEST_EDGE_DEG
    low, high = points.min(axis=0), points.max(axis=0)
    edge = max(float((high - low).max()) * (1.0 + 2.0 * _MARGIN), SMALLEST_EDGE_DEG)
    x, y, z = (float(value) for value in 0.5 * (low + high))
    return (x, y, z), 0.5 * edge


def directions(count: int = _DIRECTIONS) -> Floats:
    """Unit vectors spread evenly over the sphere, plus the six along the axes.

    Returns
    -------
    array, shape (count + 6, 3)
    """
    step = np.arange(count) + 0.5
    z = 1.0 - 2.0 * step / count
    turn = np.pi * (1.0 + 5.0**0.5) * step
    across = np.sqrt(1.0 - z * z)
    spiral = np.stack([across * np.cos(turn), across * np.sin(turn), z], axis=1)
    return np.concatenate([spiral, np.eye(3), -np.eye(3)])


def furthest(points: AnyArray) -> Integers:
    """Indices of the extreme points in each of many directions, increasing.

    They span the cloud's hull as closely as that number of directions can.
    """
    if not len(points):
        return np.zeros(0, dtype=np.int64)
    reach = directions().astype(points.dtype) @ points.T
    return np.unique(reach.argmax(axis=1))


def thinned(points: AnyArray, most: int) -> Integers:
    """Indices of representative points: one for each occupied cell of a fine grid.

    Unlike every n-th point, this keeps isolated samples and thins dense areas, so the outline,
    holes and stray points look the same. The extreme points are always included.

    Parameters
    ----------
    points : array, shape (points, 3)
    most : int
        Maximum number, not counting the extreme points.

    Returns
    -------
    array of int
        Increasing; all points if there are at most `most`.
    """
    count = len(points)
    if count <= most:
        return np.arange(count)
    low = points.min(axis=0)
    edge = max(float((points.max(axis=0) - low).max()), 1e-9)
    # From a grid with certainly few enough cells to finer ones, while few are occupied.
    cells = max(int(most ** (1.0 / 3.0)), 1)
    kept = _one_a_cell(points, low, edge, cells)
    while cells < _FINEST:
        # Occupied cells grow at most with the cube of the grid's resolution.
        finer = max(int(cells * (most / len(kept)) ** (1.0 / 3.0)), cells + 1)
        cells = min(finer, _FINEST)
        more = _one_a_cell(points, low, edge, cells)
        if len(more) > most:
            break
        kept = more
    # On a line or a sheet few cells are occupied: fill up with evenly spaced samples.
    spaced = np.linspace(0, count - 1, most - len(kept)).astype(np.int64)
    return np.unique(np.concatenate([kept, spaced, _rim(points)]))


def _rim(points: AnyArray) -> Integers:
    """Extreme points; for very large clouds, first the extremes of blocks."""
    if len(points) <= 50_000:
        return furthest(points)
    blocks = [
        start + furthest(points[start : start + 50_000]) for start in range(0, len(points), 50_000)
    ]
    candidates = np.concatenate(blocks)
    return candidates[furthest(points[candidates])]


def _one_a_cell(points: AnyArray, low: AnyArray, edge: float, cells: int) -> Integers:
    """Index of the first point of each occupied cell, increasing."""
    places = ((points - low) * np.float32((cells - 1e-3) / edge)).astype(np.int32)
    cell = (places[:, 0] * cells + places[:, 1]) * np.int32(cells) + places[:, 2]
    first = np.full(cells**3, -1, dtype=np.int32)
    backwards = np.arange(len(points) - 1, -1, -1, dtype=np.int32)
    first[cell[::-1]] = backwards
    return np.sort(first[first >= 0]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Levels:
    """A cloud with its thinned versions.

    Parameters
    ----------
    points : array, shape (samples, 3), single precision
        Finite ones only.
    indices : array of int, shape (samples,)
        Position of each among the given samples.
    still, moving : array of int
        Indices of `points` drawn at rest, and while the view turns.
    """

    points: AnyArray
    indices: Integers
    still: Integers
    moving: Integers

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.points)


def levels_of(points: ArrayLike, still: int = STILL, moving: int = MOVING) -> Levels:
    """Thin a cloud once, for all later drawing.

    Parameters
    ----------
    points : array, shape (samples, 3)
        Samples with NaN are left out.
    still, moving : int
        Maximum number of points of each level.
    """
    given = np.asarray(points, dtype=np.float32).reshape(-1, 3)
    finite: Booleans = np.asarray(np.isfinite(given).all(axis=1))
    indices = np.flatnonzero(finite)
    kept = given if len(indices) == len(given) else given[indices]
    at_rest = thinned(kept, still)
    turning = at_rest[thinned(kept[at_rest], moving)]
    return Levels(kept, indices, at_rest, turning)


def nearest_on_screen(places: AnyArray, x: float, y: float, within: float) -> int | None:
    """Row of the point nearest to a pixel; of equally near ones, the one in front.

    Parameters
    ----------
    places : array, shape (points, 3)
        Pixels and depth.
    within : float
        Pixels.
    """
    if not len(places):
        return None
    away = np.hypot(places[:, 0] - x, places[:, 1] - y)
    close = np.flatnonzero(away <= within)
    if not len(close):
        return None
    # One pixel nearer on the screen counts as much as two pixels nearer to the eye.
    best = close[(2.0 * away[close] - np.clip(places[close, 2], -1e6, 1e6) * 0.02).argmin()]
    return int(best)
