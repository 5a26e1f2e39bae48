"""Intersections of half-spaces: exact nearest points, corners, and convex hulls of points.

Nearest points are found for many points at once, by the dual active-set method of Goldfarb and
Idnani (1983) in three dimensions: a point is moved onto the half-space that it violates most. Each
half-space that the result violates then joins those that hold the point; only those that still push
are kept, at most three. Each step leads farther from the given point, so no set of half-spaces
repeats. If rounding prevents that, all triangles of the surface are searched.

Convex hulls are found by Quickhull (Barber, Dobkin and Huhdanpaa 1996) on slightly jittered points,
no four in one plane and no three on one line. Faces are then moved out to contain the exact points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..base.errors import EstimationError
from ..geometry.arrays import Booleans, Floats, Integers, product_of_rows
from ..geometry.quaternion import sphere_points
from ..scalar.regions import ScalarPolytope
from .region import Faced, in_blocks, unit_rows

MAX_OUTSIDE_RAD = 1e-12
"""Radians; a point outside by at most this is returned unchanged, bit for bit."""
_BLOCK_POINTS = 2048
_MAX_STEPS = 40
"""Maximum number of steps; only rounding can make half-spaces alternate for longer."""
_MIN_SQUARED_SINE = 1e-15
"""Minimum squared sine between normals; parallel normals are treated as having it."""
_DIGITS = 7
"""Decimal places of numbers in files."""
_MIN_PAD_RAD = 1e-6
"""Radians; keeps a polytope without padding from being flat."""
_MAX_SCALAR_POINTS = 4
"""Maximum number of points for plain Python, which is faster than numpy for so few."""
_MAX_PAIRS = 1 << 16
"""Number of points times number of triangles in a block."""
_FAR_FACTOR = 4.0
"""Distance of far points, as a multiple of the farthest face's distance."""
_JOGGLE_SHARE = 1e-6
"""Share of the points' extent by which points are jittered; closer points are merged.

Triangles are then at least this high, and rounding keeps their planes accurate
to _MIN_VISIBLE_SHARE.
"""
_MIN_VISIBLE_SHARE = 1e-9
"""A point sees a face that it is beyond by more than this share of the points' extent."""
_MIN_EXTENT_SHARE = 1e-12
"""Smallest extent of points that are not flat, as a share of their largest extent."""


class NearestInPolytope:
    """Nearest points in the intersection of half-spaces ``normals @ x <= offsets``.

    `normals`, shape (half-spaces, 3): unit vectors; `offsets`, shape (half-spaces,); `otherwise`:
    fallback that finds the nearest points, shape (n, 3), if rounding prevents convergence, with
    nearly parallel half-spaces or with points thousands of radians away.
    """

    def __init__(
        self, normals: Floats, offsets: Floats, otherwise: Callable[[Floats], Floats] | None = None
    ) -> None:
        self._otherwise = otherwise
        # An extra half-space that nothing violates stands for "none" in sets of fewer than 3.
        self._none = len(normals)
        self._planes = np.zeros((4, self._none + 1))
        self._planes[:3, :-1] = normals.T
        self._planes[3, :-1] = -offsets
        self._planes[3, -1] = -1.0

    def __call__(self, points: Floats) -> Floats:
        """Nearest points, shape (..., 3); those within :data:`MAX_OUTSIDE_RAD` are unchanged."""
        return in_blocks(self._move_inside, points, _BLOCK_POINTS)

    def _move_inside(self, given: Floats) -> Floats:
        points = np.ones((4, len(given)))
        points[:3] = given.T
        found = points.copy()
        beyond = product_of_rows(points.T, self._planes)
        rows, newest = _outside(beyond)
        held = np.empty((0, len(rows)), dtype=np.intp)
        for _ in range(_MAX_STEPS):
            if not len(rows):
                break
            sets = np.concatenate([newest[None], held])
            normals = self._planes[:3].take(sets, axis=1)
            pushes = _pushes(normals, beyond.ravel().take(sets + rows * beyond.shape[1]))
            moved = points.take(rows, axis=1)
            moved[:3] -= np.sum(normals * pushes, axis=1)
            found[:, rows] = moved
            still, newest = _outside(product_of_rows(moved.T, self._planes))
            # The half-spaces that push, at most three, padded with "none".
            pushing = pushes.take(still, axis=1) > 0.0
            held = np.where(pushing, sets.take(still, axis=1), self._none)
            if len(held) == 4:
                # The newest always pushes; of three older ones, at most two do.
                held = np.concatenate([held[:1], np.sort(held[1:], axis=0)[:2]])
            rows = rows.take(still)
        if len(rows) and self._otherwise:
            found[:3, rows] = self._otherwise(points[:3, rows].T).T
        return found[:3].T


def _outside(beyond: Floats) -> tuple[Integers, Integers]:
    """Points that are outside, and the half-space that each is farthest beyond."""
    worst = beyond.argmax(axis=1)
    rows = np.arange(len(worst))
    outside = np.flatnonzero(beyond.ravel().take(rows * beyond.shape[1] + worst) > MAX_OUTSIDE_RAD)
    return outside, worst.take(outside)


def _pushes(normals: Floats, beyond: Floats) -> Floats:
    """Pushes along normals, (3, 1 to 4, n), until none is violated; the first must push."""
    pushes = np.empty_like(beyond)
    cosines = _dot(normals[:, :1], normals[:, 1:])
    within = normals[:, 1:] - cosines * normals[:, :1]
    pushes[1:] = _pushes_within(within, beyond[1:] - cosines * beyond[0])
    pushes[0] = beyond[0] - np.sum(cosines * pushes[1:], axis=0)
    return pushes


def _pushes_within(normals: Floats, beyond: Floats) -> Floats:
    """The same in a plane, where at most two half-planes push; normals may have any length."""
    sizes = np.maximum(_dot(normals, normals), _MIN_SQUARED_SINE)
    if len(beyond) < 2:
        return np.asarray(np.maximum(beyond, 0.0) / sizes)
    pushes = np.zeros_like(beyond)
    pending = np.ones(beyond.shape[1], dtype=bool)
    for a, b, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        along = _dot(normals[:, a], normals[:, b])
        pair = _two_pushes(beyond[a], beyond[b], sizes[a], sizes[b], along)
        if len(beyond) == 2:
            return np.stack(pair)
        moved = normals[:, a] * pair[0] + normals[:, b] * pair[1]
        right = pending & (beyond[other] <= _dot(normals[:, other], moved) + MAX_OUTSIDE_RAD)
        pushes[a, right], pushes[b, right] = pair[0][right], pair[1][right]
        pending &= ~right
    return pushes


def _dot(first: Floats, second: Floats) -> Floats:
    return np.asarray(first[0] * second[0] + first[1] * second[1] + first[2] * second[2])


def _two_pushes(
    beyond_a: Floats, beyond_b: Floats, size_a: Floats, size_b: Floats, along: Floats
) -> tuple[Floats, Floats]:
    """Distances to push along two half-planes' normals until neither is violated."""
    area = np.maximum(size_a * size_b - along * along, _MIN_SQUARED_SINE * _MIN_SQUARED_SINE)
    both_a = (beyond_a * size_b - beyond_b * along) / area
    both_b = (beyond_b * size_a - beyond_a * along) / area
    both = (both_a >= 0.0) & (both_b >= 0.0)
    one_a = np.maximum(beyond_a, 0.0) / size_a
    only_a = beyond_b <= along * one_a
    one_b = np.maximum(beyond_b, 0.0) / size_b
    push_a = np.where(both, both_a, np.where(only_a, one_a, 0.0))
    return push_a, np.where(both, both_b, np.where(only_a, 0.0, one_b))


def hull_triangles(points: Floats) -> Integers:
    """Triangles of the convex hull.

    `points` has shape (points, 3): at least four, not all in one plane; duplicates are allowed. The
    result has shape (triangles, 3): point indices, counterclockwise seen from outside. Raises
    EstimationError if all points are in one plane.
    """
    return _Quickhull(points).triangles()


def triangle_planes(points: Floats, triangles: Integers) -> tuple[Floats, Floats]:
    """Unit normals and offsets of triangles, pushed out to contain all points."""
    first, second, third = (points[triangles[:, corner]] for corner in range(3))
    across = np.cross(second - first, third - first)
    area = np.linalg.norm(across, axis=1)
    proper = area > 1e-14 * np.max(area)
    normals = across[proper] / area[proper, None]
    return normals, np.max(product_of_rows(points, normals.T), axis=0)


def spread_evenly(points: Floats) -> Floats:
    """Points rotated to their principal axes and scaled to the same extent along each.

    The hull keeps the same triangles, and rounding affects flat points as little as round ones.
    Raises EstimationError if all points are in one plane.
    """
    apart = points - points.mean(axis=0)
    axes = np.linalg.eigh(apart.T @ apart)[1]
    # A reflection would turn triangles inside out.
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    turned = apart @ axes
    extents = np.ptp(turned, axis=0)
    if not extents.min() > _MIN_EXTENT_SHARE * extents.max():
        raise EstimationError("no convex hull: all points are in one plane")
    return np.asarray(turned / extents)


class _Quickhull:
    """Hull in progress: its faces, and the points still outside each of them."""

    def __init__(self, points: Floats) -> None:
        even = spread_evenly(points)
        _, apart = np.unique(np.round(even / _JOGGLE_SHARE), axis=0, return_index=True)
        self.indices = np.sort(apart)
        steps = np.arange(len(apart))[:, None] * [0.8191725134, 0.6710436067, 0.5497004779]
        self.points = even[self.indices] + _JOGGLE_SHARE * (steps % 1.0 - 0.5)
        self.faces: list[tuple[int, int, int]] = []
        self.outside: dict[int, Integers] = {}
        self.normals = np.empty((64, 3))
        self.offsets = np.empty(64)
        # Begin with a large tetrahedron.
        points = self.points
        first = int(np.argmin(points[:, 0]))
        second = int(np.argmax(np.linalg.norm(points - points[first], axis=1)))
        along = points[second] - points[first]
        away = np.cross(points - points[first], along)
        third = int(np.argmax(np.linalg.norm(away, axis=1)))
        height = (points - points[first]) @ away[third]
        fourth = int(np.argmax(np.abs(height)))
        if height[fourth] > 0.0:
            second, third = third, second
        corners = (first, second, third, fourth)
        around = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
        made = [tuple(corners[corner] for corner in face) for face in around]
        self._make(np.array(made), np.arange(len(points)))
        while self.outside:
            self._add(next(iter(self.outside)))

    def triangles(self) -> Integers:
        alive = np.flatnonzero(np.isfinite(self.offsets[: len(self.faces)]))
        faces = np.array([self.faces[face] for face in alive])
        return np.asarray(self.indices[faces])

    def _make(self, faces: Integers, candidates: Integers) -> None:
        """Add faces, and assign to each the candidates outside it."""
        first, second, third = (self.points[faces[:, corner]] for corner in range(3))
        normals = np.cross(second - first, third - first)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        offsets = np.sum(normals * first, axis=1)
        start = len(self.faces)
        while start + len(faces) > len(self.offsets):
            self.normals = np.concatenate([self.normals, np.empty_like(self.normals)])
            self.offsets = np.concatenate([self.offsets, np.empty_like(self.offsets)])
        self.normals[start : start + len(faces)] = normals
        self.offsets[start : start + len(faces)] = offsets
        self.faces += [(int(a), int(b), int(c)) for a, b, c in faces]
        beyond = product_of_rows(self.points[candidates], normals.T) - offsets
        best = np.argmax(beyond, axis=1)
        distance = beyond[np.arange(len(candidates)), best]
        for face in np.unique(best[distance > _MIN_VISIBLE_SHARE]):
            mine = np.flatnonzero((best == face) & (distance > _MIN_VISIBLE_SHARE))
            farthest_first = mine[np.argsort(-distance[mine])]
            self.outside[start + int(face)] = candidates[farthest_first]

    def _add(self, face: int) -> None:
        """Add the farthest point outside a face to the hull."""
        apex = int(self.outside[face][0])
        count = len(self.faces)
        seen = self.normals[:count] @ self.points[apex] - self.offsets[:count] > _MIN_VISIBLE_SHARE
        visible = np.flatnonzero(seen).tolist()
        left = [self.outside.pop(one) for one in visible if one in self.outside]
        edges = [
            edge
            for one in visible
            for a, b, c in [self.faces[one]]
            for edge in ((a, b), (b, c), (c, a))
        ]
        inner = set(edges)
        rim = [(a, b, apex) for a, b in edges if (b, a) not in inner]
        self.offsets[visible] = np.inf
        candidates = np.concatenate(left)
        self._make(np.array(rim), candidates[candidates != apex])


def corners_of(normals: Floats, offsets: Floats) -> Floats:
    """Corners of a bounded polytope that is not flat.

    A half-space's polar point is its normal divided by its distance from an interior point. The
    planes of the hull of these points are the polar planes of the corners. `normals` has shape
    (half-spaces, 3): outward unit vectors. `offsets` has shape (half-spaces,). The result has shape
    (corners, 3): in no particular order; a corner where more than three faces meet may be repeated.
    """
    # The mean of points from all around the surface of a convex region is inside.
    far = _FAR_FACTOR * np.max(np.abs(offsets)) * sphere_points(24)
    centre = NearestInPolytope(normals, offsets)(far).mean(axis=0)
    # Seen from a point close to a face, the others are ill-conditioned: repeat from the middle.
    return _corners_around(_corners_around(centre, normals, offsets).mean(axis=0), normals, offsets)


def _corners_around(centre: Floats, normals: Floats, offsets: Floats) -> Floats:
    polar = normals / (offsets - normals @ centre)[:, None]
    found, distances = triangle_planes(polar, hull_triangles(polar))
    return np.asarray(centre + found / distances[:, None])


def nearest_on_triangles(points: Floats, corners: Floats) -> Floats:
    """Nearest points on a triangle mesh, shape (n, 3).

    `points` has shape (n, 3). `corners` has shape (triangles, 3, 3): corners of each triangle.
    """

    def nearest(part: Floats) -> Floats:
        each = _nearest_on_each(part[:, None], corners).reshape(len(part), -1, 3)
        best = np.argmin(np.sum((each - part[:, None]) ** 2, axis=-1), axis=1)
        return np.asarray(each[np.arange(len(part)), best])

    return in_blocks(nearest, points, max(_MAX_PAIRS // len(corners), 1))


def _nearest_on_each(points: Floats, corners: Floats) -> Floats:
    """Nearest points on each triangle's sides, and on its face if the point projects onto it."""
    ends = np.roll(corners, -1, axis=1)
    sides = ends - corners
    lengths = np.maximum(np.sum(sides * sides, axis=-1), 1e-300)
    along = np.sum((points[..., None, :] - corners) * sides, axis=-1) / lengths
    on_sides = corners + np.clip(along, 0.0, 1.0)[..., None] * sides
    normals = np.cross(sides[:, 0], sides[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-300)
    height = np.sum((points - corners[:, 0]) * normals, axis=-1)
    below = points - height[..., None] * normals
    inward = np.cross(normals[:, None], sides)
    within = np.sum((below[..., None, :] - corners) * inward, axis=-1).min(axis=-1) >= 0.0
    inside = np.where(within[..., None], below, on_sides[..., 0, :])
    return np.concatenate([on_sides, inside[..., None, :]], axis=-2)


@dataclass(frozen=True, eq=False)
class Polytope(Faced):
    """Points x with ``directions @ x <= offsets``, bounded and not flat: a hull or a k-DOP.

    `directions` has shape (half-spaces, 3): outward, see :class:`.region.Faced`. `offsets` has
    shape (half-spaces,): distances of the faces from the origin along the unit directions, radians.
    """

    directions: Floats
    offsets: Floats
    kind: str = "hull"

    @cached_property
    def _solver(self) -> NearestInPolytope:
        def on_surface(points: Floats) -> Floats:
            return nearest_on_triangles(points, self.vertices[hull_triangles(self.vertices)])

        return NearestInPolytope(self.normals, self.offsets, on_surface)

    @cached_property
    def _scalar(self) -> ScalarPolytope:
        return ScalarPolytope(self.directions.tolist(), self.offsets.tolist())

    @cached_property
    def vertices(self) -> Floats:
        """Corners, shape (corners, 3), in no particular order."""
        return corners_of(self.normals, self.offsets)

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`; `tolerance` is the distance beyond each face."""
        flat = np.reshape(np.asarray(points, dtype=np.float64), (-1, 3))
        beyond = product_of_rows(flat, self.normals.T) - self.offsets
        return np.asarray((beyond <= tolerance).all(axis=-1).reshape(np.shape(points)[:-1]))

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`."""
        given = np.asarray(points, dtype=np.float64)
        if given.size > 3 * _MAX_SCALAR_POINTS:
            return self._solver(given)
        found = [self._scalar.nearest((x, y, z)) for x, y, z in given.reshape(-1, 3).tolist()]
        return np.asarray(found, dtype=np.float64).reshape(given.shape)

    def grow(self, pad: float) -> Polytope:
        """Polytope with every face moved outward by `pad` radians.

        Faces keep their directions, so corners and edges stay sharp and move by more than `pad`: a
        corner by ``pad / cos(a)``, with a the angle between its outward direction and its faces.
        """
        return replace(self, offsets=self.offsets + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)


def enclose(directions: Floats, points: Floats, pad: float) -> tuple[Floats, Floats]:
    """Tight half-spaces around points in given directions, moved outward by a padding.

    `directions` has shape (half-spaces, 3). `points` has shape (samples, 3). `pad`: radians.
    Returns directions and offsets for a :class:`Polytope`, rounded to a few decimals; offsets are
    rounded upward.
    """
    short = np.round(directions, _DIGITS)
    reach = np.max(product_of_rows(points, unit_rows(short).T), axis=0) + max(pad, _MIN_PAD_RAD)
    return short, np.asarray(np.ceil(reach * 10.0**_DIGITS) / 10.0**_DIGITS)
