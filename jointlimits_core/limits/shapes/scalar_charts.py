"""Coordinates of one rotation in plain Python: what :mod:`.charts` does in batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import atan2
from typing import Any

from .scalar_rotation import Four, Three, exp, inverse, log, product, twist_about

Coordinates = Callable[[Four], Three]
Rotation = Callable[[Three], Four]


def scalar_chart(data: Mapping[str, Any]) -> tuple[Coordinates, Rotation]:
    """Way to coordinates and back.

    Parameters
    ----------
    data : mapping
        As a chart's ``to_dict`` gives it.

    Returns
    -------
    coordinates, rotation : callable

    Raises
    ------
    ValueError
        For coordinates that have no scalar form.
    """
    if data["kind"] == "rotation-vector":
        return _rotation_vectors(_four(data["centre"]))
    if data["kind"] == "swing-twist":
        return _swing_twist(_four(data["centre"]), _three(data["axis"]))
    raise ValueError(f"coordinates {data['kind']!r} have no scalar form")


def _rotation_vectors(centre: Four) -> tuple[Coordinates, Rotation]:
    back = inverse(centre)

    def coordinates(q: Four) -> Three:
        return log(one_sign(product(back, q)))

    def rotation(v: Three) -> Four:
        return product(centre, exp(v))

    return coordinates, rotation


def _swing_twist(centre: Four, axis: Three) -> tuple[Coordinates, Rotation]:
    back = inverse(centre)
    first, second = across(axis)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = axis, first, second

    def coordinates(q: Four) -> Three:
        seen = one_sign(product(back, q))
        twist = one_sign(twist_about(seen, axis))
        x, y, z = log(product(seen, inverse(twist)))
        turn, w = twist[0] * ax + twist[1] * ay + twist[2] * az, twist[3]
        angle = 2.0 * (atan2(-turn, -w) if w < 0.0 else atan2(turn, w))
        return (x * bx + y * by + z * bz, x * cx + y * cy + z * cz, angle)

    def rotation(v: Three) -> Four:
        a, b, angle = v
        swing = exp((a * bx + b * cx, a * by + b * cy, a * bz + b * cz))
        return product(centre, product(swing, exp((angle * ax, angle * ay, angle * az))))

    return coordinates, rotation


def across(axis: Three) -> tuple[Three, Three]:
    """Two unit vectors at right angles to a unit axis and to each other, as the chart has them."""
    x, y, z = axis
    smallest = min(range(3), key=lambda n: abs(axis[n]))
    first = ((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0))[smallest]
    length = (first[0] ** 2 + first[1] ** 2 + first[2] ** 2) ** 0.5
    a, b, c = (value / length for value in first)
    return (a, b, c), (y * c - z * b, z * a - x * c, x * b - y * a)


def one_sign(q: Four) -> Four:
    """Of ``q`` and ``-q`` the same one half a turn away, where the logarithm has two values."""
    if q[3] != 0.0:
        return q
    lead = q[2] or q[1] or q[0]
    return (-q[0], -q[1], -q[2], -q[3]) if lead < 0.0 else q


def _three(values: Any) -> Three:
    x, y, z = (float(value) for value in values)
    return (x, y, z)


def _four(values: Any) -> Four:
    x, y, z, w = (float(value) for value in values)
    return (x, y, z, w)
