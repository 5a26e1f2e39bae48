"""Nearest point of a region to one point, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .scalar_polytope import ScalarPolytope
from .scalar_rotation import Three

Nearest = Callable[[Three], Three]
"""Gives a point inside back as the same object."""

POLYTOPES = ("polytope", "hull", "kdop")
FAR = 1e6
WIDER = 1e-4
"""Radians; more than what the outermost point is missed by from that far."""


def scalar_nearest(data: Mapping[str, Any]) -> Nearest | None:
    """Nearest points of a region of one of the kinds that have a scalar form; else None.

    Parameters
    ----------
    data : mapping
        As a region's ``to_dict`` gives it.
    """
    if data["kind"] == "box":
        return box_nearest(data["low"], data["high"])
    if data["kind"] == "obb":
        return oriented_box_nearest(data["axes"], data["low"], data["high"])
    if data["kind"] in POLYTOPES and "offsets_rad" in data:
        return ScalarPolytope(data["directions"], data["offsets_rad"]).nearest
    return None


def box_nearest(low: Any, high: Any) -> Nearest:
    """Clamp every coordinate."""
    a, b, c = (float(value) for value in low)
    d, e, f = (float(value) for value in high)
    if not (a <= d and b <= e and c <= f):
        raise ValueError("a box reaches from low to high")

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


def bounds_of(nearest: Nearest) -> tuple[Three, Three]:
    """Bounds of a region, a little too wide: from afar, its nearest point is its outermost one."""
    low, high = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for axis in range(3):
        for ends, way in ((high, FAR), (low, -FAR)):
            place = [0.0, 0.0, 0.0]
            place[axis] = way
            found = nearest((place[0], place[1], place[2]))[axis]
            ends[axis] = found + (WIDER if way > 0.0 else -WIDER)
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])
