"""Coordinates of a single rotation in plain Python; batches are in :mod:`.charts`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atan2, sqrt
from typing import Any

from .rotation import TURN, Four, Three, exp, inverse, log, product, twist_about


@dataclass(frozen=True)
class ScalarChart:
    """Coordinates of a single rotation, and back."""

    coordinates: Callable[[Four], Three]
    """Of a unit quaternion."""
    rotation: Callable[[Three], Four]
    others: Callable[[Three], tuple[Three, ...]]
    """Coordinates of the same rotation, reached the other way round."""


def scalar_chart(data: Mapping[str, Any]) -> ScalarChart | None:
    """Scalar form of a chart; None for a kind that has none.

    `data`: a chart's ``to_dict``, already validated by :mod:`.shape_data`.
    """
    if data["kind"] == "rotation-vector":
        return _rotation_vectors(_four(data["centre"]))
    if data["kind"] == "swing-twist":
        return _swing_twist(_four(data["centre"]), _three(data["axis"]))
    return None


def _rotation_vectors(centre: Four) -> ScalarChart:
    back = inverse(centre)

    def coordinates(q: Four) -> Three:
        return log(one_sign(product(back, q)))

    def rotation(v: Three) -> Four:
        return product(centre, exp(v))

    def others(v: Three) -> tuple[Three, ...]:
        x, y, z = v
        scale = _other_way(x * x + y * y + z * z)
        return ((x * scale, y * scale, z * scale),)

    return ScalarChart(coordinates, rotation, others)


def _swing_twist(centre: Four, axis: Three) -> ScalarChart:
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

    def others(v: Three) -> tuple[Three, ...]:
        a, b, angle = v
        twisted = angle - (-TURN if angle < 0.0 else TURN)
        scale = _other_way(a * a + b * b)
        return ((a, b, twisted), (a * scale, b * scale, angle), (a * scale, b * scale, twisted))

    return ScalarChart(coordinates, rotation, others)


def _other_way(square: float) -> float:
    """Factor that makes a turn go the other way round, from the square of its length."""
    return 1.0 - TURN / sqrt(square) if square > 0.0 else 1.0


def across(axis: Three) -> tuple[Three, Three]:
    """Two unit vectors perpendicular to a unit axis and to each other, as in the chart."""
    x, y, z = axis
    smallest = min(range(3), key=lambda n: abs(axis[n]))
    first = ((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0))[smallest]
    length = (first[0] ** 2 + first[1] ** 2 + first[2] ** 2) ** 0.5
    a, b, c = (value / length for value in first)
    return (a, b, c), (y * c - z * b, z * a - x * c, x * b - y * a)


def one_sign(q: Four) -> Four:
    """One of ``q`` and ``-q``, the same half a turn away, where the logarithm is ambiguous."""
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
