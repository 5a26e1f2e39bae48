"""Convex hulls of points in pure numpy.

Quickhull (Barber, Dobkin and Huhdanpaa 1996) on slightly jittered points, so that no four lie in
one plane and no three on one line. The resulting faces are then pushed out until they contain the
original points.
"""

from __future__ import annotations

import numpy as np

from ..base import EstimationError
from ..geometry import Floats, Integers

_JOGGLE = 1e-6
"""Share of the points' extent by which points are jittered; closer points are merged.

Triangles are then at least this high, and rounding keeps their planes accurate to _VISIBLE.
"""
_VISIBLE = 1e-9
"""Share of the points' extent beyond a face from which a point sees it."""
_PIECE = 1 << 17
"""Multiplications per matrix product, as in :mod:`.polytope`."""
_FLAT = 1e-12
"""Share of the points' largest extent."""


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
    return normals, farthest_along(normals, points)


def farthest_along(directions: Floats, points: Floats) -> Floats:
    """Extent of points along each direction, shapes (k, 3) and (n, 3) to (k,)."""
    step = max(_PIECE // directions.size, 1)
    pieces = range(0, len(points), step)
    each = [np.max(directions @ points[start : start + step].T, axis=1) for start in pieces]
    return np.asarray(np.max(each, axis=0))


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
    if not extents.min() > _FLAT * extents.max():
        raise EstimationError("no convex hull: all points are in one plane")
    return np.asarray(turned / extents)


class _Quickhull:
    """Faces so far, and the points still outside of each."""

    def __init__(self, points: Floats) -> None:
        even = spread_evenly(points)
        _, apart = np.unique(np.round(even / _JOGGLE), axis=0, return_index=True)
        self.indices = np.sort(apart)
        steps = np.arange(len(apart))[:, None] * [0.8191725134, 0.6710436067, 0.5497004779]
        self.points = even[self.indices] + _JOGGLE * (steps % 1.0 - 0.5)
        self.faces: list[tuple[int, int, int]] = []
        self.outside: dict[int, Integers] = {}
        self.normals = np.empty((64, 3))
        self.offsets = np.empty(64)
        self._start()
        while self.outside:
            self._add(next(iter(self.outside)))

    def triangles(self) -> Integers:
        alive = np.flatnonzero(np.isfinite(self.offsets[: len(self.faces)]))
        faces = np.array([self.faces[face] for face in alive])
        return np.asarray(self.indices[faces])

    def _start(self) -> None:
        """Make a large tetrahedron from the points."""
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

    def _make(self, faces: Integers, candidates: Integers) -> None:
        """Add faces, and assign each the candidates outside it."""
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
        beyond = self.points[candidates] @ normals.T - offsets
        best = np.argmax(beyond, axis=1)
        distance = beyond[np.arange(len(candidates)), best]
        for face in np.unique(best[distance > _VISIBLE]):
            mine = np.flatnonzero((best == face) & (distance > _VISIBLE))
            farthest_first = mine[np.argsort(-distance[mine])]
            self.outside[start + int(face)] = candidates[farthest_first]

    def _add(self, face: int) -> None:
        """Add the farthest point outside a face to the hull."""
        apex = int(self.outside[face][0])
        count = len(self.faces)
        seen = self.normals[:count] @ self.points[apex] - self.offsets[:count] > _VISIBLE
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
