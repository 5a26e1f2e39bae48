"""Wraps: regions nearer to the samples than to the outside of an enlarged hull.

A hull contains everything between the samples; balls around them contain nothing in between. With s
the distance to the nearest sample and d the depth below the faces of an enlarged hull, a wrap is
``s <= d``: it follows the hull near its faces and bends inward elsewhere; hollows deep inside stay
filled. It is a union of convex cells, one per sample, so projections jump where two cells are
equally near. A cell is an intersection of paraboloids with the sample as focus. Its nearest point
to y is ``y - m n``, shortened by the sum of m, with the normals n of its faces and their
multipliers m, which Newton's method on the dual function finds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..geometry.arrays import Booleans, Floats, Integers
from . import coupled_limit, hull, polytope, region

MAX_SAMPLES = 160
"""Maximum number of representative samples; about 9 kB of JSON with the hull."""
DIGITS = 5
"""Decimal places in files; thousandths of a degree."""
MIN_GAIN_RAD = 1e-9
"""Radians; cells that cannot improve the result by more are skipped."""
MIN_ENLARGEMENT_RAD = 2e-3
"""Radians, a tenth of a degree: minimum enlargement of the faces, so that no cell is a line."""
_BLOCK_POINTS = 2048
_INSIDE_RAD = 1e-12
MAX_CROSSING_RAD = 1e-11
"""Radians by which a point may cross a face before the face joins those that hold the point."""
_MAX_STEPS = 120
"""Maximum number of steps; a few tens are typical, and cells as thin as their slack take more."""
_SLOT_COUNT = 5
"""Maximum number of faces holding a point: three in the end, more meanwhile or at corners."""
_SHARES = 0.4 ** np.arange(10)
"""Shares of a step that are tried; the first that raises the dual function is used."""
_RIDGE = 1e-13
_MIN_LENGTH = 1e-300


def representative_samples(points: Floats, depth: Floats, count: int) -> tuple[Integers, float]:
    """Choose samples so that all others are near a chosen one or deep enough inside.

    Greedy, like the centres of Gonzalez (1985): the next sample is the one whose distance from the
    chosen ones exceeds its depth the most. `points` has shape (n, 3). `depth` has shape (n,):
    allowed distance of a sample from the chosen ones, in the units of the points. `count`: maximum
    number; fewer if there are fewer distinct points. Returns indices, and the largest excess of a
    sample's distance over its depth, 0 if none.
    """
    chosen = [int(np.argmin(depth))]
    apart = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < count:
        farthest = int(np.argmax(apart - depth))
        if apart[farthest] <= 0.0:
            break
        chosen.append(farthest)
        apart = np.minimum(apart, np.linalg.norm(points - points[farthest], axis=1))
    return np.array(chosen, dtype=np.intp), max(float(np.max(apart - depth)), 0.0)


def nearest_in_cells(points: Floats, normals: Floats, room: Floats) -> Floats:
    """Nearest points of cells around the origin, one cell per point.

    The result, shape (n, 3), is inside; for points that did not converge, it is on the line from
    their last position to the focus. `points` has shape (n, 3): relative to the focus. `normals`
    has shape (planes, 3): outward unit vectors. `room` has shape (n, planes): distance from the
    focus to each plane; must be positive.
    """
    state = _Held(len(points), normals)
    found = np.array(points)
    open_rows = np.arange(len(points))
    for _ in range(_MAX_STEPS):
        found[open_rows] = state.points(points, open_rows)
        place = found[open_rows]
        length = np.linalg.norm(place, axis=1, keepdims=True)
        crossed = length + place @ normals.T - room[open_rows]
        worst = np.argmax(crossed, axis=1)
        most = crossed[np.arange(len(worst)), worst]
        apart = state.face_distance(crossed, open_rows)
        going = np.maximum(most, apart) > MAX_CROSSING_RAD
        open_rows, worst, most, apart = open_rows[going], worst[going], most[going], apart[going]
        if not len(open_rows):
            break
        joins = most > np.maximum(MAX_CROSSING_RAD, 1e3 * apart)
        state.add(open_rows[joins], worst[joins])
        state.step(points, room, open_rows)
    return pull_in(found, normals, room)


def pull_in(points: Floats, normals: Floats, room: Floats) -> Floats:
    """Points moved straight towards the focus until they are inside, (n, 3)."""
    length = np.linalg.norm(points, axis=1, keepdims=True)
    share = np.max((length + points @ normals.T) / room, axis=1)
    return np.asarray(points / np.maximum(share, 1.0)[:, None])


class _Held:
    """Faces that hold each point in place, and the distance that each face pushes it."""

    def __init__(self, count: int, normals: Floats) -> None:
        self._normals = normals
        self._faces: Integers = np.full((count, _SLOT_COUNT), -1, dtype=np.intp)
        self._push: Floats = np.zeros((count, _SLOT_COUNT))

    def points(self, given: Floats, rows: Integers) -> Floats:
        """Positions of the points after they are pushed, (rows, 3)."""
        moved, left = _shorten(given[rows], self._directions(rows), self._push[rows])
        length = np.maximum(np.linalg.norm(moved, axis=1), _MIN_LENGTH)
        return np.asarray(moved * (np.maximum(left, 1e-9 * length) / length)[:, None])

    def face_distance(self, crossed: Floats, rows: Integers) -> Floats:
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
        """Take one Newton step; the first face that would pull instead of push is released."""
        held, push, normals = self._faces[rows] >= 0, self._push[rows], self._directions(rows)
        room_of = np.take_along_axis(room[rows], np.maximum(self._faces[rows], 0), axis=1)
        # Change of the pushes that would bring the points onto their faces, (n, slots).
        place = self.points(given, rows)
        length = np.linalg.norm(place, axis=1)
        out = place / np.maximum(length, _MIN_LENGTH)[:, None]
        slopes = np.where(held[:, :, None], out[:, None, :] + normals, 0.0)
        over = length[:, None] + np.einsum("nki,ni->nk", normals, place) - room_of
        softer = length / np.maximum(length + push.sum(axis=1), _MIN_LENGTH)
        along = np.einsum("nki,ni->nk", slopes, out)
        across = slopes - along[:, :, None] * out[:, None, :]
        matrix = along[:, :, None] * along[:, None, :]
        matrix += softer[:, None, None] * np.einsum("nki,nli->nkl", across, across)
        matrix += np.where(held, _RIDGE, 1.0)[:, :, None] * np.eye(_SLOT_COUNT)
        change = np.asarray(np.linalg.solve(matrix, np.where(held, over, 0.0)[:, :, None])[:, :, 0])
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


def _shorten(given: Floats, normals: Floats, push: Floats) -> tuple[Floats, Floats]:
    """Points moved by the pushes, (..., 3), and their remaining lengths, (...)."""
    moved = given - np.einsum("...k,...ki->...i", push, normals)
    return moved, np.linalg.norm(moved, axis=-1) - push.sum(axis=-1)


def _dual(given: Floats, normals: Floats, push: Floats, room: Floats) -> Floats:
    """Dual function without its constant part, for pushes of shape (tries, n, slots)."""
    _, left = _shorten(given, normals, push)
    return np.asarray(-0.5 * np.square(np.maximum(left, 0.0)) - np.sum(push * room, axis=-1))


@dataclass(frozen=True, eq=False)
class Wrap(region.Faced):
    """Points nearer to a sample than to the outside of the hull enlarged by twice the pad.

    `samples` has shape (samples, 3). `directions` has shape (faces, 3): outward normals of the
    hull's faces, see :class:`.region.Faced`. `offsets` has shape (faces,): the faces' distances
    from the origin, radians, before enlargement. `pad`: radians by which the wrap extends beyond a
    sample at the middle of a face. `least`: minimum enlargement, radians, that brings all samples
    of the fit inside.
    """

    samples: Floats
    directions: Floats
    offsets: Floats
    pad: float
    least: float
    kind: str = "wrap"

    @cached_property
    def enlarged_offsets(self) -> Floats:
        """Distances of the enlarged faces from the origin, shape (faces,)."""
        return np.asarray(self.offsets + max(2.0 * self.pad, self.least))

    @cached_property
    def _room(self) -> Floats:
        """Depth of each sample below each face, (samples, faces)."""
        return np.maximum(self.enlarged_offsets - self.samples @ self.normals.T, _INSIDE_RAD)

    def excess(self, points: Floats) -> Floats:
        """Half the difference of the distance to the nearest sample and the depth below the faces.

        It is never more than the distance from the wrap. `points` has shape (..., 3). The result
        has shape (...): radians, at most 0 inside.
        """
        return region.in_blocks(lambda one: self._excesses(one).min(axis=1), points, _BLOCK_POINTS)

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`."""
        return np.asarray(self.excess(points) <= tolerance)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`."""
        found = np.array(points)
        outside = self.excess(points) > _INSIDE_RAD
        found[outside] = region.in_blocks(self._nearest, points[outside], _BLOCK_POINTS)
        return found

    def grow(self, pad: float) -> Wrap:
        """See :class:`.region.Region`; always contains the samples of the fit."""
        return replace(self, pad=self.pad + pad)

    @property
    def around(self) -> polytope.Polytope:
        """Padded hull around the wrap, with the same directions.

        ``|x| + n x <= c`` and ``n x <= |x|`` give ``n x <= c / 2``: along a face's normal, a cell
        extends at most half-way from its sample to the face.
        """
        outermost = np.max(self.samples @ self.normals.T, axis=0)
        return polytope.Polytope(self.normals, 0.5 * (outermost + self.enlarged_offsets))

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`: bounds of the hull around the wrap."""
        return self.around.bounds()

    def _excesses(self, points: Floats) -> Floats:
        """Half the amount by which each sample's cell condition is violated, (n, samples).

        It is never more than the distance from the cell, as the amount changes by at most 2 per
        unit of distance.
        """
        beyond = np.max(points @ self.normals.T - self.enlarged_offsets, axis=1, keepdims=True)
        return np.asarray(0.5 * (beyond + np.linalg.norm(points[:, None] - self.samples, axis=2)))

    def _nearest(self, points: Floats) -> Floats:
        """Nearest points in the wrap to points outside it, (n, 3)."""
        least = self._excesses(points)
        best, found = np.full(len(points), np.inf), np.array(points)
        rows = np.arange(len(points))
        for _ in range(len(self.samples)):
            cells = np.argmin(least[rows], axis=1)
            going = least[rows, cells] < best[rows] - MIN_GAIN_RAD
            rows, cells = rows[going], cells[going]
            if not len(rows):
                break
            least[rows, cells] = np.inf
            centres = self.samples[cells]
            seen = points[rows] - centres
            place = centres + nearest_in_cells(seen, self.normals, self._room[cells])
            apart = np.linalg.norm(place - points[rows], axis=1)
            nearer = apart < best[rows]
            best[rows[nearer]], found[rows[nearer]] = apart[nearer], place[nearer]
        return found


def fit_wrap(points: Floats, options: coupled_limit.FitOptions) -> Wrap:
    """Build the wrap around samples.

    `points` has shape (samples, 3). `options`: uses `pad_deg`.
    """
    directions = np.round(hull.fit_hull(points, options).normals, DIGITS)
    along = points @ region.unit_rows(directions).T
    offsets = np.round(along.max(axis=0), DIGITS)
    # The wrap of the rounded samples is enlarged to contain all exact samples.
    chosen, _ = representative_samples(points, -np.max(along - offsets, axis=1), MAX_SAMPLES)
    bare = Wrap(np.round(points[chosen], DIGITS), directions, offsets, 0.0, 0.0)
    least = max(2.0 * float(bare.excess(points).max()) + _INSIDE_RAD, MIN_ENLARGEMENT_RAD)
    return replace(bare, pad=options.pad_rad, least=least)
