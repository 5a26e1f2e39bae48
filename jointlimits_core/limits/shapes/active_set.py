"""Nearest points of a polytope, exactly, for many points at once.

The dual active-set method of Goldfarb and Idnani (1983), written for three dimensions: a point
starts where it is and is taken to the half-space that it violates most; each further half-space
that the answer violates joins those that hold the point, at most three, and of these together with
the new one those that still hold it are kept. The way from the point gets longer with every step,
so that no set of half-spaces comes twice. All points take their steps together.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ...arrays import Booleans, Floats, Integers

INSIDE = 1e-12
"""Radians; a point that is outside by no more than this stays where it is, bit for bit."""
_BLOCK = 2048
"""Points at a time: their distances from all half-spaces stay in the cache."""
_MOST_STEPS = 100
"""Far more than any point takes; ends what rounding might keep alive."""


def nearest_points(normals: Floats, offsets: Floats, points: Floats) -> Floats:
    """Nearest points of the intersection of half-spaces ``normals @ x <= offsets``.

    Parameters
    ----------
    normals : array, shape (half-spaces, 3)
        Unit vectors.
    offsets : array, shape (half-spaces,)
    points : array, shape (..., 3)

    Returns
    -------
    array, shape (..., 3)
        Points inside, or outside by no more than :data:`INSIDE`, are given back unchanged.
    """
    # One more half-space that nothing violates stands for "no half-space" in sets of fewer than 3.
    planes = np.zeros((4, len(normals) + 1))
    planes[:3, :-1] = normals.T
    planes[3] = -1.0
    planes[3, :-1] = -offsets
    gram = planes[:3].T @ planes[:3]
    np.fill_diagonal(gram, 1.0)
    given = np.asarray(points, dtype=np.float64)
    flat = given.reshape(-1, 3)
    found = np.empty_like(flat)
    for start in range(0, len(flat), _BLOCK):
        found[start : start + _BLOCK] = _nearest(planes, gram, flat[start : start + _BLOCK])
    return found.reshape(given.shape)


def _nearest(planes: Floats, gram: Floats, points: Floats) -> Floats:
    found = np.array(points)
    normals = np.ascontiguousarray(planes[:3].T)
    beyond = _beyond(planes, points)
    rows, newest = _worst(beyond, np.arange(len(points)))
    held = np.empty((len(rows), 0), dtype=np.int64)
    for _ in range(_MOST_STEPS):
        if not len(rows):
            return found
        sets = np.concatenate([newest[:, None], held], axis=1)
        forces = _forces(gram, sets, beyond[rows[:, None], sets])
        moved = points[rows]
        for column in range(sets.shape[1]):
            moved -= forces[:, column, None] * normals[sets[:, column]]
        found[rows] = moved
        still, newest = _worst(_beyond(planes, moved), np.arange(len(rows)))
        held = _kept(sets[still], forces[still], len(normals) - 1)
        rows = rows[still]
    return found


def _beyond(planes: Floats, points: Floats) -> Floats:
    """How far points are beyond each half-space, (n, 3) to (n, half-spaces)."""
    return np.asarray(points @ planes[:3] + planes[3])


def _worst(beyond: Floats, rows: Integers) -> tuple[Integers, Integers]:
    """Rows that are outside, and the half-space that each is farthest beyond."""
    worst = np.argmax(beyond, axis=1)
    outside = beyond[rows, worst] > INSIDE
    return rows[outside], worst[outside]


def _kept(sets: Integers, forces: Floats, none: int) -> Integers:
    """The half-spaces that hold their points, at most three, `none` where there are fewer."""
    named = np.where(forces > 0.0, sets, none)
    if named.shape[1] < 4:
        return named
    order = np.argsort(named, axis=1)
    return np.take_along_axis(named, order, axis=1)[:, :3]


def _forces(gram: Floats, sets: Integers, beyond: Floats) -> Floats:
    """How far each half-space of a set pushes its point along its normal, shape of `sets`.

    The first half-space of each set is one that pushes; of the others, those that have to.
    """
    forces = np.zeros(sets.shape)
    pending = np.arange(len(sets))
    inner = gram[sets[:, :, None], sets[:, None, :]]
    for chosen in _subsets(sets.shape[1]):
        part = _solved(inner[pending][:, chosen][:, :, chosen], beyond[pending][:, chosen])
        right = _holds(inner[pending], beyond[pending], part, chosen)
        forces[pending[right][:, None], chosen] = part[right]
        pending = pending[~right]
        if not len(pending):
            break
    return forces


def _subsets(count: int) -> list[list[int]]:
    """Sets that the first of `count` is in, at most three, the largest first."""
    others = range(1, count)
    sizes = range(min(count, 3) - 1, -1, -1)
    return [[0, *rest] for size in sizes for rest in combinations(others, size)]


def _solved(inner: Floats, beyond: Floats) -> Floats:
    return np.asarray(np.linalg.solve(inner, beyond[..., None])[..., 0])


def _holds(inner: Floats, beyond: Floats, forces: Floats, chosen: list[int]) -> Booleans:
    """Whether forces push only outward-in, and the half-spaces left out are not violated."""
    left = beyond - (inner[:, :, chosen] @ forces[..., None])[..., 0]
    left[:, chosen] = 0.0
    return np.asarray((forces >= 0.0).all(axis=1) & (left <= INSIDE).all(axis=1))
