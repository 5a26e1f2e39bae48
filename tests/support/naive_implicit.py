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


def naive_boundary(points: Sequence[Point], centre: Point, axes: Sequence[Point], half: float):
    """Index of the farthest point in each cone, as a set."""
    found = set()
    for axis in axes:
        best, farthest = None, 0.0
        for index, point in enumerate(points):
            apart = [p - c for p, c in zip(point, centre)]
            length = math.hypot(*apart)
            if length == 0.0:
                continue
            cosine = sum(a * b for a, b in zip(apart, axis)) / length
            if cosine >= math.cos(half) and length > farthest:
                best, farthest = index, length
        if best is not None:
            found.add(best)
    return found


def naive_voxels(points: Sequence[Point], cells: int) -> list[Point]:
    """First point of every cell that has one."""
    low = [min(point[axis] for point in points) for axis in range(3)]
    longest = max(max(point[axis] for point in points) - low[axis] for axis in range(3))
    taken, kept = set(), []
    for point in points:
        cell = tuple(
            min(int((point[axis] - low[axis]) * (cells / longest)), cells - 1) for axis in range(3)
        )
        if cell not in taken:
            taken.add(cell)
            kept.append(point)
    return kept


def naive_energy(
    centres: Sequence[Point],
    radii: Sequence[float],
    k: float,
    boundary: Sequence[Point],
    inside: Sequence[Point],
    outside: Sequence[Point],
    weights: tuple[float, float, float],
) -> float:
    """Equation 3, with points that may not be left out and places that may not be let in.

    `weights` are those of a place let in, of a squared radius and of a squared distance.
    """
    place, size, distance = weights
    total = 0.0
    for point in boundary:
        total += (naive_field(point, centres, radii, k) - 1.0) ** 2
    for point in inside:
        total += min(naive_field(point, centres, radii, k) - 1.0, 0.0) ** 2
    for point in outside:
        total += place * max(naive_field(point, centres, radii, k) - 1.0, 0.0) ** 2
    total /= len(boundary)
    for centre, e in zip(centres, radii):
        total += size * e**2 + distance * sum(value**2 for value in centre)
    return total


def naive_coherent(quaternions: Sequence[Sequence[float]]) -> list[list[float]]:
    """Each quaternion with the sign that brings it nearer to the one before."""
    coherent = [list(quaternions[0])]
    for quaternion in quaternions[1:]:
        dot = sum(a * b for a, b in zip(quaternion, coherent[-1]))
        coherent.append([value if dot >= 0.0 else -value for value in quaternion])
    return coherent
