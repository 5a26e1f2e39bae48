"""Slow and obvious rotations for the tests: one number at a time, lists and loops, no numpy.

Nothing here shares a formula with the modules under test: an Euler rotation is the product of three
elementary matrices, a quaternion acts by its multiplication table, an axis and angle by Rodrigues.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Matrix = list[list[float]]
Vector = list[float]

IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]

# What i*i, i*j, ... give: (which of x, y, z, w; sign).
TIMES = [
    [(3, -1), (2, 1), (1, -1), (0, 1)],
    [(2, -1), (3, -1), (0, 1), (1, 1)],
    [(1, 1), (0, -1), (3, -1), (2, 1)],
    [(0, 1), (1, 1), (2, 1), (3, 1)],
]


def product(left: Matrix, right: Matrix) -> Matrix:
    """Matrix product of square matrices of any size."""
    size = len(left)
    result = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(size):
            for k in range(size):
                result[row][column] += left[row][k] * right[k][column]
    return result


def transpose(matrix: Matrix) -> Matrix:
    return [[matrix[row][column] for row in range(len(matrix))] for column in range(len(matrix))]


def apply(matrix: Matrix, vector: Sequence[float]) -> Vector:
    return [sum(row[k] * vector[k] for k in range(len(vector))) for row in matrix]


def turn_about(axis: int, angle: float) -> Matrix:
    """Column-vector rotation about X (0), Y (1) or Z (2)."""
    c, s = math.cos(angle), math.sin(angle)
    if axis == 0:
        return [[1, 0, 0], [0, c, -s], [0, s, c]]
    if axis == 1:
        return [[c, 0, s], [0, 1, 0], [-s, 0, c]]
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]]


def euler_matrix(angles: Sequence[float], order: str) -> Matrix:
    """The axis that is named first turns first: it stands rightmost."""
    result = IDENTITY
    for letter in order:
        axis = "xyz".index(letter)
        result = product(turn_about(axis, angles[axis]), result)
    return result


def hamilton(left: Sequence[float], right: Sequence[float]) -> Vector:
    """Quaternion product, (x, y, z, w), term by term from the multiplication table."""
    result = [0.0] * 4
    for i in range(4):
        for j in range(4):
            component, sign = TIMES[i][j]
            result[component] += sign * left[i] * right[j]
    return result


def rotate(quaternion: Sequence[float], vector: Sequence[float]) -> Vector:
    """q v q*, by two products."""
    x, y, z, w = quaternion
    return hamilton(hamilton(quaternion, [*vector, 0.0]), [-x, -y, -z, w])[:3]


def quaternion_matrix(quaternion: Sequence[float]) -> Matrix:
    """Columns are the turned unit vectors."""
    return transpose([rotate(quaternion, axis) for axis in IDENTITY])


def affine(rotation: Matrix, translation: Sequence[float]) -> Matrix:
    """4x4 for column vectors."""
    rows = [[*rotation[i], translation[i]] for i in range(3)]
    return [*rows, [0.0, 0.0, 0.0, 1.0]]


def scaling(factors: Sequence[float]) -> Matrix:
    diagonal = [*factors, 1.0]
    return [[diagonal[i] if i == j else 0.0 for j in range(4)] for i in range(4)]
