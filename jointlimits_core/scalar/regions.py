"""Nearest point of a region to a given point, in plain Python, for a rig node.

Polytopes use the active-set method, as in the numpy version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import hypot
from typing import Any

from .rotation import Three

Face = tuple[float, float, float, float]
"""Unit normal and distance from the origin."""

_INSIDE_TOLERANCE = 1e-12
_MAX_POLYTOPE_STEPS = 40
_PARALLEL_TOLERANCE = 1e-15
"""Same values as the constants in :mod:`.polytope`."""


class ScalarPolytope:
    """Bounded set of all points x with ``direction . x <= offset``.

    `directions`: of approximately unit length; see :class:`.polytope.Polytope`. `offsets`: radians
    along the unit directions.
    """

    def __init__(self, directions: Iterable[Sequence[float]], offsets: Iterable[float]) -> None:
        self._faces: list[Face] = []
        for direction, offset in zip(directions, offsets):
            a, b, c = (float(part) for part in direction)
            long = hypot(hypot(a, b), c)
            self._faces.append((a / long, b / long, c / long, float(offset)))

    def nearest(self, point: Three) -> Three:
        """Nearest point; a point that is already inside is returned as the same object."""
        x, y, z = found = point
        # Rounding over a very long distance is not a violation.
        slack = _INSIDE_TOLERANCE * max(0.1 * (abs(x) + abs(y) + abs(z)), 1.0)
        held: list[int] = []
        for _ in range(_MAX_POLYTOPE_STEPS):
            farthest, newest = slack, -1
            for index, (a, b, c, d) in enumerate(self._faces):
                beyond = a * x + b * y + c * z - d
                if beyond > farthest:
                    farthest, newest = beyond, index
            if newest < 0 or newest in held:
                break
            held = [newest, *held]
            pushes = self._pushes(held, point)
            x, y, z = point
            for index, push in zip(held, pushes):
                a, b, c, _ = self._faces[index]
                x, y, z = x - push * a, y - push * b, z - push * c
            found = (x, y, z)
            held = [index for index, push in zip(held, pushes) if push > 0.0]
        return found

    def _pushes(self, held: list[int], point: Three) -> list[float]:
        """Distances by which one to four half-spaces push a point; the first always pushes."""
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


def _pushes_within(planes: list[Face]) -> list[float]:
    """Distances by which one to three half-planes with normals of any length push; at most two."""
    if len(planes) == 1:
        a, b, c, beyond = planes[0]
        return [max(beyond, 0.0) / max(a * a + b * b + c * c, _PARALLEL_TOLERANCE)]
    if len(planes) == 2:
        return list(_two_pushes(planes[0], planes[1]))
    for first, second, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        one, two = _two_pushes(planes[first], planes[second])
        a, b, c, _ = planes[first]
        e, f, g, _ = planes[second]
        i, j, k, beyond = planes[other]
        left = beyond - one * (a * i + b * j + c * k) - two * (e * i + f * j + g * k)
        if left <= _INSIDE_TOLERANCE:
            pushes = [0.0, 0.0, 0.0]
            pushes[first], pushes[second] = one, two
            return pushes
    return [0.0, 0.0, 0.0]


def _two_pushes(first: Face, second: Face) -> tuple[float, float]:
    a, b, c, one = first
    e, f, g, two = second
    size_one, size_two = a * a + b * b + c * c, e * e + f * f + g * g
    size_one, size_two = max(size_one, _PARALLEL_TOLERANCE), max(size_two, _PARALLEL_TOLERANCE)
    along = a * e + b * f + c * g
    area = max(size_one * size_two - along * along, _PARALLEL_TOLERANCE * _PARALLEL_TOLERANCE)
    both_one = (one * size_two - two * along) / area
    both_two = (two * size_one - one * along) / area
    if both_one >= 0.0 and both_two >= 0.0:
        return both_one, both_two
    alone = max(one, 0.0) / size_one
    if two <= along * alone:
        return alone, 0.0
    return 0.0, max(two, 0.0) / size_two


Nearest = Callable[[Three], Three]
"""Function that returns the nearest point in a region; if inside, the same object."""

POLYTOPES = ("hull", "kdop")
MAX_NEWTON_STEPS = 60
FAR_RAD = 1e6
MARGIN_RAD = 1e-4
"""Margin that exceeds the error of an outermost point found from :data:`FAR_RAD`."""


def scalar_nearest(data: Mapping[str, Any]) -> Nearest | None:
    """Nearest-point function of a region, or None if its kind has no scalar form.

    `data`: a region's ``to_dict``, already validated by :mod:`.validation`.
    """
    if data["kind"] == "box":
        return box_nearest(data["low"], data["high"])
    if data["kind"] == "obb":
        return oriented_box_nearest(data["axes"], data["low"], data["high"])
    if data["kind"] == "ellipsoid":
        return ellipsoid_nearest(data["middle"], data["axes"], data["radii"])
    if data["kind"] in POLYTOPES:
        return ScalarPolytope(data["directions"], data["offsets_rad"]).nearest
    return None


def box_nearest(low: Any, high: Any) -> Nearest:
    """Clamp every coordinate."""
    a, b, c = (float(value) for value in low)
    d, e, f = (float(value) for value in high)

    def nearest(p: Three) -> Three:
        x, y, z = p
        clamped = (min(max(x, a), d), min(max(y, b), e), min(max(z, c), f))
        return p if clamped == p else clamped

    return nearest


def oriented_box_nearest(axes: Any, low: Any, high: Any) -> Nearest:
    """Clamp along each axis."""
    matrix, inner = _numbers(axes), box_nearest(low, high)
    columns = list(zip(*matrix))

    def nearest(p: Three) -> Three:
        along = _product(matrix, p)
        clamped = inner(along)
        return p if clamped is along else _product(columns, clamped)

    return nearest


def ellipsoid_nearest(middle: Any, axes: Any, radii: Any) -> Nearest:
    """Exact nearest point, with the same steps as :func:`.onto_ellipsoid`."""
    (u, v, w), (r, s, t) = _numbers((middle, radii))
    matrix, squares = _numbers(axes), (r * r, s * s, t * t)
    columns = list(zip(*matrix))

    def nearest(p: Three) -> Three:
        along = _product(matrix, (p[0] - u, p[1] - v, p[2] - w))
        a, b, c = along
        if (a / r) ** 2 + (b / s) ** 2 + (c / t) ** 2 <= 1.0:
            return p
        h = _push(along, (r, s, t), squares)
        a, b, c = (value * q / (q + h) for value, q in zip(along, squares))
        level = max(hypot(hypot(a / r, b / s), c / t), 1.0)
        x, y, z = _product(columns, (a / level, b / level, c / level))
        return (u + x, v + y, w + z)

    return nearest


def _numbers(rows: Any) -> list[Three]:
    """Rows of three plain floats."""
    return [(float(x), float(y), float(z)) for x, y, z in rows]


def _product(matrix: Sequence[Three], p: Three) -> Three:
    """Product of a 3x3 matrix and a vector."""
    x, y, z = p
    a, b, c = (row[0] * x + row[1] * y + row[2] * z for row in matrix)
    return (a, b, c)


def _push(along: Three, radii: Three, squares: Three) -> float:
    """Positive root h of ``sum (p r / (r^2 + h))^2 = 1``, by Newton steps from below."""
    scaled = [value * radius for value, radius in zip(along, radii)]
    h = max(0.0, *(abs(value) - q for value, q in zip(scaled, squares)))
    for _ in range(MAX_NEWTON_STEPS):
        level, fall = 0.0, 0.0
        for value, q in zip(scaled, squares):
            term = (value / (q + h)) ** 2
            level += term
            fall += 2.0 * term / (q + h)
        step = (level - 1.0) / fall
        if step <= 1e-15 * (h + min(squares)):
            break
        h += step
    return h


def bounds_of(nearest: Nearest) -> tuple[Three, Three]:
    """Slightly enlarged bounds of a region, from its points nearest to distant points."""

    def ends(far: float, margin: float) -> Three:
        x, y, z = nearest((far, 0.0, 0.0)), nearest((0.0, far, 0.0)), nearest((0.0, 0.0, far))
        return (x[0] + margin, y[1] + margin, z[2] + margin)

    return ends(-FAR_RAD, -MARGIN_RAD), ends(FAR_RAD, MARGIN_RAD)
