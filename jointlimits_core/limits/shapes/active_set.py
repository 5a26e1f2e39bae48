"""Nearest points of a polytope, exactly, for many points at once.

The dual active-set method of Goldfarb and Idnani (1983), written for three dimensions: a point
starts where it is and is taken to the half-space that it violates most; each further half-space
that the answer violates joins those that hold the point, at most three, and of these together with
the new one those that still push are kept. The way from the point gets longer with every step, so
that no set of half-spaces comes twice. All points take their steps together; arrays have the points
along their last axis.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers

INSIDE = 1e-12
"""Radians; a point that is outside by no more than this stays where it is, bit for bit."""
_BLOCK = 2048
"""Points at a time: their distances from all half-spaces stay in the cache."""
_MOST_STEPS = 200
"""Far more than any point takes; ends what rounding might keep alive."""
_PARALLEL = 1e-15
"""Stands for the squared sine between normals that are the same."""


class NearestInPolytope:
    """Nearest points of the intersection of half-spaces ``normals @ x <= offsets``.

    Parameters
    ----------
    normals : array, shape (half-spaces, 3)
        Unit vectors.
    offsets : array, shape (half-spaces,)
    """

    def __init__(self, normals: Floats, offsets: Floats) -> None:
        # One more half-space, which nothing violates, stands for "none" in sets of fewer than 3.
        self._none = len(normals)
        self._planes = np.zeros((4, self._none + 1))
        self._planes[:3, :-1] = normals.T
        self._planes[3, :-1] = -offsets
        self._planes[3, -1] = -1.0
        self._cosines = (self._planes[:3].T @ self._planes[:3]).ravel()

    def __call__(self, points: Floats) -> Floats:
        """Nearest points, shape (..., 3); what is inside within :data:`INSIDE` is unchanged."""
        given = np.asarray(points, dtype=np.float64)
        flat = given.reshape(-1, 3)
        found = np.empty_like(flat)
        for start in range(0, len(flat), _BLOCK):
            block = flat[start : start + _BLOCK]
            columns = np.ones((4, len(block)))
            columns[:3] = block.T
            found[start : start + _BLOCK] = self._moved(columns)[:3].T
        return found.reshape(given.shape)

    def _moved(self, points: Floats) -> Floats:
        found = points.copy()
        beyond = points.T @ self._planes
        rows, newest = _outside(beyond)
        held = np.empty((0, len(rows)), dtype=np.intp)
        for _ in range(_MOST_STEPS):
            if not len(rows):
                break
            sets = np.concatenate([newest[None], held])
            pushes = self._pushes(sets, beyond.ravel().take(sets + rows * beyond.shape[1]))
            moved = points.take(rows, axis=1)
            for half_spaces, push in zip(sets, pushes):
                moved[:3] -= self._planes[:3].take(half_spaces, axis=1) * push
            found[:, rows] = moved
            still, newest = _outside(moved.T @ self._planes)
            held = self._kept(sets.take(still, axis=1), pushes.take(still, axis=1))
            rows = rows[still]
        return found

    def _kept(self, sets: Integers, pushes: Floats) -> Integers:
        """The half-spaces that push, at most three of them, and :attr:`_none` beside them."""
        named = np.where(pushes > 0.0, sets, self._none)
        # The new one always pushes; of three older ones no more than two do.
        return (
            named if len(named) < 4 else np.concatenate([named[:1], np.sort(named[1:], axis=0)[:2]])
        )

    def _pushes(self, sets: Integers, beyond: Floats) -> Floats:
        """How far half-spaces push points along their normals, so that none is violated.

        Parameters
        ----------
        sets : array of int, shape (1 to 4, n)
            The first half-space of each set is known to push.
        beyond : array, shape of `sets`
            How far the points are beyond them at the start.

        Returns
        -------
        array, shape of `sets`
        """
        first, rest = sets[0], sets[1:]
        to_first = self._cosines.take(rest * (self._none + 1) + first)
        pushes = np.empty(sets.shape)
        pushes[1:] = self._pushes_within(rest, to_first, beyond[1:] - to_first * beyond[0])
        pushes[0] = beyond[0] - np.sum(to_first * pushes[1:], axis=0)
        return pushes

    def _pushes_within(self, sets: Integers, to_first: Floats, beyond: Floats) -> Floats:
        """The same within the first half-space's plane, where no more than two push."""
        sizes = np.maximum(1.0 - to_first * to_first, _PARALLEL)
        if len(sets) < 2:
            return np.asarray(np.maximum(beyond, 0.0) / sizes)
        pushes = np.zeros(sets.shape)
        pending = np.ones(sets.shape[1], dtype=bool)
        for a, b, left_out in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
            along = self._along(sets, to_first, a, b)
            pair = _two_pushes(beyond[a], beyond[b], sizes[a], sizes[b], along)
            if len(sets) == 2:
                return np.stack(pair)
            left = beyond[left_out] - sum(
                self._along(sets, to_first, left_out, one) * push for one, push in zip((a, b), pair)
            )
            right = pending & (left <= INSIDE)
            pushes[a, right], pushes[b, right] = pair[0][right], pair[1][right]
            pending &= ~right
        return pushes

    def _along(self, sets: Integers, to_first: Floats, a: int, b: int) -> Floats:
        cosines = self._cosines.take(sets[a] * (self._none + 1) + sets[b])
        return np.asarray(cosines - to_first[a] * to_first[b])


def _outside(beyond: Floats) -> tuple[Integers, Integers]:
    """Points that are outside, and the half-space that each is farthest beyond."""
    worst = beyond.argmax(axis=1)
    rows = np.arange(len(worst))
    outside = np.flatnonzero(beyond.ravel().take(rows * beyond.shape[1] + worst) > INSIDE)
    return outside, worst.take(outside)


def _two_pushes(
    beyond_a: Floats, beyond_b: Floats, size_a: Floats, size_b: Floats, along: Floats
) -> tuple[Floats, Floats]:
    """How far each of two half-planes pushes, so that neither is violated."""
    area = np.maximum(size_a * size_b - along * along, _PARALLEL * _PARALLEL)
    both_a = (beyond_a * size_b - beyond_b * along) / area
    both_b = (beyond_b * size_a - beyond_a * along) / area
    both = (both_a >= 0.0) & (both_b >= 0.0)
    one_a = np.maximum(beyond_a, 0.0) / size_a
    only_a = beyond_b <= along * one_a
    one_b = np.maximum(beyond_b, 0.0) / size_b
    push_a = np.where(both, both_a, np.where(only_a, one_a, 0.0))
    return push_a, np.where(both, both_b, np.where(only_a, 0.0, one_b))
