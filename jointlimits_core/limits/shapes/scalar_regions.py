"""Nearest point of a region to a single point, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import hypot
from typing import Any

from .scalar_polytope import ScalarPolytope
from .scalar_rotation import Three

Nearest = Callable[[Three], Three]
"""Returns a point inside as the same object."""

POLYTOPES = ("hull", "kdop")
MOST_STEPS = 60
FAR = 1e6
WIDER = 1e-4
"""Radians; more than the error of the outermost point found from that distance."""


def scalar_nearest(data: Mapping[str, Any]) -> Nearest | None:
    """Nearest-point function of a region, or None for a kind without a scalar form.

    Parameters
    ----------
    data : mapping
        A region's ``to_dict``, already validated by :mod:`.shape_data`.
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
        if a <= x <= d and b <= y <= e and c <= z <= f:
            return p
        return (
            a if x < a else d if x > d else x,
            b if y < b else e if y > e else y,
            c if z < c else f if z > f else z,
        )

    return nearest


def oriented_box_nearest(axes: Any, low: Any, high: Any) -> Nearest:
    """Clamp along each axis."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = ([float(v) for v in axis] for axis in axes)
    inner = box_nearest(low, high)

    def nearest(p: Three) -> Three:
        x, y, z = p
        along = (ax * x + ay * y + az * z, bx * x + by * y + bz * z, cx * x + cy * y + cz * z)
        clamped = inner(along)
        if clamped is along:
            return p
        a, b, c = clamped
        return (a * ax + b * bx + c * cx, a * ay + b * by + c * cy, a * az + b * bz + c * cz)

    return nearest


def ellipsoid_nearest(middle: Any, axes: Any, radii: Any) -> Nearest:
    """Exact nearest point, with the steps of :func:`.ellipsoid.onto_ellipsoid`."""
    u, v, w = (float(value) for value in middle)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = ([float(v) for v in axis] for axis in axes)
    r, s, t = (float(value) for value in radii)
    squares = (r * r, s * s, t * t)

    def nearest(p: Three) -> Three:
        x, y, z = p[0] - u, p[1] - v, p[2] - w
        along = (ax * x + ay * y + az * z, bx * x + by * y + bz * z, cx * x + cy * y + cz * z)
        a, b, c = along
        if (a / r) ** 2 + (b / s) ** 2 + (c / t) ** 2 <= 1.0:
            return p
        h = _push(along, (r, s, t), squares)
        a, b, c = (value * q / (q + h) for value, q in zip(along, squares))
        level = max(hypot(hypot(a / r, b / s), c / t), 1.0)
        a, b, c = a / level, b / level, c / level
        return (
            u + a * ax + b * bx + c * cx,
            v + a * ay + b * by + c * cy,
            w + a * az + b * bz + c * cz,
        )

    return nearest


def _push(along: Three, radii: Three, squares: Three) -> float:
    """Positive root h of ``sum (p r / (r^2 + h))^2 = 1``, by Newton's steps from below."""
    scaled = [value * radius for value, radius in zip(along, radii)]
    h = max(0.0, *(abs(value) - q for value, q in zip(scaled, squares)))
    for _ in range(MOST_STEPS):
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
    """Slightly enlarged bounds of a region: the nearest point to a distant one is outermost."""
    low, high = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for axis in range(3):
        for ends, way in ((high, FAR), (low, -FAR)):
            place = [0.0, 0.0, 0.0]
            place[axis] = way
            found = nearest((place[0], place[1], place[2]))[axis]
            ends[axis] = found + (WIDER if way > 0.0 else -WIDER)
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])
