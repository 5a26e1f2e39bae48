"""Slow and obvious shapes for the tests: one point at a time, loops, no linear algebra."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np

Point = Sequence[float]


def distance(a: Point, b: Point) -> float:
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def nearest_in_box(point: Point, low: Point, high: Point) -> list[float]:
    result = []
    for value, least, most in zip(point, low, high):
        if value < least:
            value = least
        if value > most:
            value = most
        result.append(float(value))
    return result


def nearest_in_oriented_box(
    point: Point, axes: Sequence[Point], low: Point, high: Point
) -> list[float]:
    along = [sum(axis[k] * point[k] for k in range(3)) for axis in axes]
    clamped = nearest_in_box(along, low, high)
    return [sum(clamped[i] * axes[i][k] for i in range(3)) for k in range(3)]


def nearest_on_ellipsoid(point: Point, radii: Point) -> list[float]:
    """Bisection for the multiplier; for points outside an ellipsoid along the axes."""

    def level(h: float) -> float:
        return sum((r * p / (r * r + h)) ** 2 for r, p in zip(radii, point))

    low, high = 0.0, 1.0
    while level(high) > 1.0:
        high *= 2.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if level(middle) > 1.0 else (low, middle)
    return [p * r * r / (r * r + high) for r, p in zip(radii, point)]


def hull_corners(points: Sequence[Point]) -> set[tuple[float, ...]]:
    """Points of a plane that end an edge with everything on one side of it."""
    corners = set()
    for a, b in permutations([tuple(p) for p in points], 2):
        edge = (b[0] - a[0], b[1] - a[1])
        sides = [edge[0] * (p[1] - a[1]) - edge[1] * (p[0] - a[0]) for p in points]
        if a != b and min(sides) >= 0.0:
            corners |= {a, b}
    return corners


def quaternion(vector: Point) -> list[float]:
    angle = math.sqrt(sum(x * x for x in vector))
    scale = math.sin(angle / 2.0) / angle if angle > 0.0 else 0.5
    return [x * scale for x in vector] + [math.cos(angle / 2.0)]


def angle_between(a: Point, b: Point) -> float:
    cosine = abs(sum(x * y for x, y in zip(a, b)))
    return 2.0 * math.acos(min(1.0, cosine))


def random_rotations(count: int, seed: int = 1) -> np.ndarray:
    """Rotations spread evenly over all there are: every quaternion is as likely."""
    values = np.random.default_rng(seed).normal(size=(count, 4))
    return values / np.linalg.norm(values, axis=1, keepdims=True)
