"""Nearest point of a polytope to a single point, in plain Python, for a node of a rig.

Uses the method of :mod:`.active_set`. After the first step only some half-spaces are tested: a
point in the plane of a face that is behind the face's neighbours is on the face, and so inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot, sqrt

from .scalar_rotation import Three

Face = tuple[float, float, float, float]
"""Unit normal and distance from the origin."""

_INSIDE = 1e-12
_MOST_STEPS = 40
_PARALLEL = 1e-15
"""As in :mod:`.active_set`."""
_SHORT = 1e-6
"""Radians; edges near this length are uncertain, so their faces count as neighbours."""


class ScalarPolytope:
    """All points x with ``direction . x <= offset``, bounded.

    Parameters
    ----------
    directions : sequence of three numbers each
        Of approximately unit length; see :class:`.polytope.Polytope`.
    offsets : sequence of numbers
        Radians along the unit directions.
    """

    def __init__(self, directions: Iterable[Sequence[float]], offsets: Iterable[float]) -> None:
        self._faces = [_face(way, offset) for way, offset in zip(directions, offsets)]
        self._around: list[list[tuple[int, Face]] | None] = [None] * len(self._faces)

    def nearest(self, point: Three) -> Three:
        """Nearest point; a point inside is returned as the same object."""
        x, y, z = point
        farthest, newest = _INSIDE, -1
        for index, (a, b, c, d) in enumerate(self._faces):
            beyond = a * x + b * y + c * z - d
            if beyond > farthest:
                farthest, newest = beyond, index
        if newest < 0:
            return point
        # Rounding over a very long distance is not a violation.
        slack = _INSIDE * max(0.1 * (abs(x) + abs(y) + abs(z)), 1.0)
        held: list[int] = []
        found = point
        for _ in range(_MOST_STEPS):
            held = [newest, *held]
            pushes = self._pushes(held, point)
            found = self._moved(point, held, pushes)
            following = self._farthest(newest, found, slack)
            if following < 0:
                break
            held = [index for index, push in zip(held, pushes) if push > 0.0]
            newest = following
        return found

    def _farthest(self, face: int, point: Three, slack: float) -> int:
        """Neighbour of a face that a point in its plane is farthest beyond, or -1."""
        x, y, z = point
        found = -1
        for index, (a, b, c, d) in self._around[face] or self._neighbours(face):
            beyond = a * x + b * y + c * z - d
            if beyond > slack:
                slack, found = beyond, index
        return found

    def _moved(self, point: Three, held: list[int], pushes: list[float]) -> Three:
        x, y, z = point
        for index, push in zip(held, pushes):
            a, b, c, _ = self._faces[index]
            x, y, z = x - push * a, y - push * b, z - push * c
        return (x, y, z)

    def _pushes(self, held: list[int], point: Three) -> list[float]:
        """Pushes of one to four half-spaces, the first of which must push."""
        x, y, z = point
        a, b, c, d = self._faces[held[0]]
        first = a * x + b * y + c * z - d
        if len(held) == 1:
            return [first]
        cosines, within = [], []
        for index in held[1:]:
            e, f, g, h = self._faces[index]
            cosine = a * e + b * f + c * g
            beyond = e * x + f * y + g * z - h - cosine * first
            cosines.append(cosine)
            within.append((e - cosine * a, f - cosine * b, g - cosine * c, beyond))
        pushes = _pushes_within(within)
        for cosine, push in zip(cosines, pushes):
            first -= cosine * push
        return [first, *pushes]

    def _neighbours(self, face: int) -> list[tuple[int, Face]]:
        """Half-spaces that share an edge with a face; all others for a degenerate face."""
        others = [(index, plane) for index, plane in enumerate(self._faces) if index != face]
        lengths = [self._edge(face, index) for index, _ in others]
        near = [other for other, length in zip(others, lengths) if length > -_SHORT]
        self._around[face] = near if sum(length > _SHORT for length in lengths) > 2 else others
        return self._around[face] or others

    def _edge(self, first: int, second: int) -> float:
        """Length of the edge between two faces, negative if there is none."""
        a, b, c, d = self._faces[first]
        e, f, g, h = self._faces[second]
        u, v, w = b * g - c * f, c * e - a * g, a * f - b * e
        sine = u * u + v * v + w * w
        if sine <= _PARALLEL:
            return -1.0
        cosine = a * e + b * f + c * g
        one, two = (d - cosine * h) / sine, (h - cosine * d) / sine
        x, y, z = one * a + two * e, one * b + two * f, one * c + two * g
        low, high, long = -1e9, 1e9, sqrt(sine)
        for index, (i, j, k, m) in enumerate(self._faces):
            if index in (first, second):
                continue
            slope, room = (i * u + j * v + k * w) / long, m - i * x - j * y - k * z
            if slope > 1e-12:
                high = min(high, room / slope)
            elif slope < -1e-12:
                low = max(low, room / slope)
            elif room < -_SHORT:
                return -1.0
            if high - low < -_SHORT:
                return -1.0
        return high - low


def _face(direction: Sequence[float], offset: float) -> Face:
    a, b, c = (float(part) for part in direction)
    long = hypot(hypot(a, b), c)
    return (a / long, b / long, c / long, float(offset))


def _pushes_within(planes: list[Face]) -> list[float]:
    """Pushes of one to three half-planes, normals of any length; at most two push."""
    if len(planes) == 1:
        a, b, c, beyond = planes[0]
        return [max(beyond, 0.0) / max(a * a + b * b + c * c, _PARALLEL)]
    if len(planes) == 2:
        return list(_two_pushes(planes[0], planes[1]))
    for first, second, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        one, two = _two_pushes(planes[first], planes[second])
        a, b, c, _ = planes[first]
        e, f, g, _ = planes[second]
        i, j, k, beyond = planes[other]
        left = beyond - one * (a * i + b * j + c * k) - two * (e * i + f * j + g * k)
        if left <= _INSIDE:
            pushes = [0.0, 0.0, 0.0]
            pushes[first], pushes[second] = one, two
            return pushes
    return [0.0, 0.0, 0.0]


def _two_pushes(first: Face, second: Face) -> tuple[float, float]:
    a, b, c, one = first
    e, f, g, two = second
    size_one, size_two = a * a + b * b + c * c, e * e + f * f + g * g
    size_one, size_two = max(size_one, _PARALLEL), max(size_two, _PARALLEL)
    along = a * e + b * f + c * g
    area = max(size_one * size_two - along * along, _PARALLEL * _PARALLEL)
    both_one, both_two = (
        (one * size_two - two * along) / area,
        (two * size_one - one * along) / area,
    )
    if both_one >= 0.0 and both_two >= 0.0:
        return both_one, both_two
    alone = max(one, 0.0) / size_one
    if two <= along * alone:
        return alone, 0.0
    return 0.0, max(two, 0.0) / size_two
