"""Nearest points of cells: the points nearer to a focus than to every plane around it.

With a plane as directrix and the point as focus, each pair bounds a paraboloid; a cell is the
intersection of several paraboloids with one focus. It is convex, so its nearest point is the one
that fulfils the Karush-Kuhn-Tucker conditions. Given multipliers m of the faces n, the point
relative to the focus is known: ``v = y - m n``, shortened by the sum of the multipliers (the
proximal point of a length). The few multipliers that maximize the dual function are found by
Newton's method, with steps that never lower it, so no set of faces repeats.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Booleans, Floats, Integers

SLACK = 1e-11
"""Radians by which a face may be crossed before it joins those that hold the point."""
_MOST_STEPS = 120
"""Tens are usual; cells about as thin as their slack take more."""
_SLOTS = 5
"""Faces that may hold a point: three in the end, more on the way and where faces meet."""
_SHARES = 0.4 ** np.arange(10)
"""Shares of a step; the first that raises the dual function is used."""
_RIDGE = 1e-13
_SMALLEST = 1e-300


def nearest_in_cells(points: Floats, normals: Floats, room: Floats) -> Floats:
    """Nearest points of cells around the origin, one cell per point.

    Parameters
    ----------
    points : array, shape (n, 3)
        Relative to the focus.
    normals : array, shape (planes, 3)
        Outward unit vectors.
    room : array, shape (n, planes)
        Distance from the focus to each plane; must be positive.

    Returns
    -------
    array, shape (n, 3)
        Inside; for points that did not converge, on the line from their last position to the focus.
    """
    state = _Held(len(points), normals)
    found = np.array(points)
    open_rows = np.arange(len(points))
    for _ in range(_MOST_STEPS):
        found[open_rows] = state.points(points, open_rows)
        crossed = _crossed(found[open_rows], normals, room[open_rows])
        worst = np.argmax(crossed, axis=1)
        most = crossed[np.arange(len(worst)), worst]
        settled = (most <= SLACK) & (state.off(crossed, open_rows) <= SLACK)
        open_rows, worst, most = open_rows[~settled], worst[~settled], most[~settled]
        if not len(open_rows):
            break
        joins = most > np.maximum(SLACK, 1e3 * state.off(crossed[~settled], open_rows))
        state.add(open_rows[joins], worst[joins])
        state.step(points, room, open_rows)
    return pulled_in(found, normals, room)


def pulled_in(points: Floats, normals: Floats, room: Floats) -> Floats:
    """Points moved straight towards the focus until they are inside, (n, 3)."""
    length = np.linalg.norm(points, axis=1, keepdims=True)
    share = np.max((length + points @ normals.T) / room, axis=1)
    return np.asarray(points / np.maximum(share, 1.0)[:, None])


def _crossed(points: Floats, normals: Floats, room: Floats) -> Floats:
    length = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(length + points @ normals.T - room)


class _Held:
    """Faces that hold each point, and their pushes."""

    def __init__(self, count: int, normals: Floats) -> None:
        self._normals = normals
        self._faces: Integers = np.full((count, _SLOTS), -1, dtype=np.intp)
        self._push: Floats = np.zeros((count, _SLOTS))

    def points(self, given: Floats, rows: Integers) -> Floats:
        """Positions of the points after the pushes, (rows, 3)."""
        moved, left = _shortened(given[rows], self._directions(rows), self._push[rows])
        length = np.maximum(np.linalg.norm(moved, axis=1), _SMALLEST)
        return np.asarray(moved * (np.maximum(left, 1e-9 * length) / length)[:, None])

    def off(self, crossed: Floats, rows: Integers) -> Floats:
        """Largest distance of each point from the faces that hold it, (rows,)."""
        at = np.take_along_axis(crossed, np.maximum(self._faces[rows], 0), axis=1)
        return np.asarray(np.max(np.where(self._faces[rows] < 0, 0.0, np.abs(at)), axis=1))

    def add(self, rows: Integers, faces: Integers) -> None:
        """Add a face, replacing the one that pushes least if all slots are used."""
        known = np.any(self._faces[rows] == faces[:, None], axis=1)
        rows, faces = rows[~known], faces[~known]
        order = np.where(self._faces[rows] < 0, -1.0, self._push[rows])
        slot = np.argmin(order, axis=1)
        self._faces[rows, slot], self._push[rows, slot] = faces, 0.0

    def step(self, given: Floats, room: Floats, rows: Integers) -> None:
        """One Newton step; the first face that would pull is released."""
        held, push, normals = self._faces[rows] >= 0, self._push[rows], self._directions(rows)
        room_of = np.take_along_axis(room[rows], np.maximum(self._faces[rows], 0), axis=1)
        change = _newton_change(self.points(given, rows), normals, push, room_of, held)
        yields = held & (change < 0.0)
        until = np.where(yields, push / np.where(yields, -change, 1.0), np.inf)
        longest = np.minimum(until.min(axis=1), 1.0)
        tried = push + (longest * _SHARES[:, None])[:, :, None] * change
        heights = _dual(given[rows], normals, tried, room_of)
        before = _dual(given[rows], normals, push[None], room_of)[0]
        raised = heights >= before
        first = np.where(raised.any(axis=0), np.argmax(raised, axis=0), len(_SHARES) - 1)
        taken = np.maximum(tried[first, np.arange(len(rows))], 0.0)
        released = yields & (until <= longest[:, None]) & (first == 0)[:, None]
        self._push[rows] = np.where(released, 0.0, taken)
        self._faces[rows] = np.where(released, -1, self._faces[rows])

    def _directions(self, rows: Integers) -> Floats:
        faces = self._faces[rows]
        return np.asarray(np.where(faces[:, :, None] >= 0, self._normals[faces], 0.0))


def _shortened(given: Floats, normals: Floats, push: Floats) -> tuple[Floats, Floats]:
    """Points moved by the pushes, (..., 3), and their remaining lengths, (...)."""
    moved = given - np.einsum("...k,...ki->...i", push, normals)
    return moved, np.linalg.norm(moved, axis=-1) - push.sum(axis=-1)


def _dual(given: Floats, normals: Floats, push: Floats, room: Floats) -> Floats:
    """Dual function without its constant part, for pushes of shape (tries, n, slots)."""
    _, left = _shortened(given, normals, push)
    return np.asarray(-0.5 * np.square(np.maximum(left, 0.0)) - np.sum(push * room, axis=-1))


def _newton_change(
    place: Floats, normals: Floats, push: Floats, room: Floats, held: Booleans
) -> Floats:
    """Change of the pushes that would bring the points onto their faces, (n, slots)."""
    length = np.linalg.norm(place, axis=1)
    out = place / np.maximum(length, _SMALLEST)[:, None]
    slopes = np.where(held[:, :, None], out[:, None, :] + normals, 0.0)
    over = length[:, None] + np.einsum("nki,ni->nk", normals, place) - room
    softer = length / np.maximum(length + push.sum(axis=1), _SMALLEST)
    along = np.einsum("nki,ni->nk", slopes, out)
    across = slopes - along[:, :, None] * out[:, None, :]
    matrix = along[:, :, None] * along[:, None, :]
    matrix += softer[:, None, None] * np.einsum("nki,nli->nkl", across, across)
    matrix += np.where(held, _RIDGE, 1.0)[:, :, None] * np.eye(_SLOTS)
    return np.asarray(np.linalg.solve(matrix, np.where(held, over, 0.0)[:, :, None])[:, :, 0])
