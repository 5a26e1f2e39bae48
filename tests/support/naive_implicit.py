"""Implicit surfaces, one point and one primitive at a time, as the paper writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = Sequence[float]


def naive_field(point: Point, centres: Sequence[Point], radii: Sequence[float], k: float) -> float:
    """The three cases of section 4.1."""
    total = 0.0
    for centre, e in zip(centres, radii):
        r = math.dist(point, centre)
        if r <= e:
            total += -k * r + k * e + 1.0
        elif r <= e + 2.0 / k:
            total += 0.25 * (k * (r - e) - 2.0) ** 2
    return total


def naive_coherent(quaternions: Sequence[Sequence[float]]) -> list[list[float]]:
    """Each quaternion with the sign that brings it nearer to the one before."""
    coherent = [list(quaternions[0])]
    for quaternion in quaternions[1:]:
        dot = sum(a * b for a, b in zip(quaternion, coherent[-1]))
        coherent.append([value if dot >= 0.0 else -value for value in quaternion])
    return coherent
