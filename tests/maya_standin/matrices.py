"""4x4 matrices for row vectors (p' = p M) as Maya has them: 16 floats, row by row.

Autodesk's node reference of transform and joint prints the elementary matrices (maya.md 1.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, sin, sqrt

import numpy as np

Matrix = tuple[float, ...]
Quaternion = tuple[float, ...]
"""w, x, y, z."""
Three = Sequence[float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
NO_TURN: Quaternion = (1.0, 0.0, 0.0, 0.0)
ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
"""Rotate orders as the plug `rotateOrder` numbers them: the axis named first turns first."""


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """Product a b: for row vectors, a acts first."""
    return tuple(
        a[row] * b[column]
        + a[row + 1] * b[column + 4]
        + a[row + 2] * b[column + 8]
        + a[row + 3] * b[column + 12]
        for row in (0, 4, 8, 12)
        for column in (0, 1, 2, 3)
    )


def product(*factors: Matrix) -> Matrix:
    """Product of matrices; factors that are the identity cost nothing."""
    result = IDENTITY
    for factor in factors:
        if factor is not IDENTITY:
            result = factor if result is IDENTITY else multiply(result, factor)
    return result


def inverse(matrix: Matrix) -> Matrix:
    """Inverse; numpy's LinAlgError where there is none."""
    return tuple(np.linalg.inv(np.array(matrix).reshape(4, 4)).ravel().tolist())


def translation(vector: Three) -> Matrix:
    if not any(vector):
        return IDENTITY
    return (*IDENTITY[:12], *map(float, vector), 1.0)


def scaling(factors: Three) -> Matrix:
    x, y, z = factors
    if x == y == z == 1.0:
        return IDENTITY
    return (x, 0.0, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 0.0, z, 0.0, 0.0, 0.0, 0.0, 1.0)


def shearing(amounts: Three) -> Matrix:
    """Shear by xy, xz, yz."""
    if not any(amounts):
        return IDENTITY
    xy, xz, yz = amounts
    return (1.0, 0.0, 0.0, 0.0, xy, 1.0, 0.0, 0.0, xz, yz, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def axis_rotation(axis: int, angle: float) -> Matrix:
    """AX, AY or AZ of Autodesk's transform page; axis 0, 1 or 2, angle in radians."""
    c, s = cos(angle), sin(angle)
    if axis == 0:
        return (1.0, 0.0, 0.0, 0.0, 0.0, c, s, 0.0, 0.0, -s, c, 0.0, 0.0, 0.0, 0.0, 1.0)
    if axis == 1:
        return (c, 0.0, -s, 0.0, 0.0, 1.0, 0.0, 0.0, s, 0.0, c, 0.0, 0.0, 0.0, 0.0, 1.0)
    return (c, s, 0.0, 0.0, -s, c, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def rotation(angles: Three, order: int = 0) -> Matrix:
    """Rotation from Euler angles x, y, z in radians and a rotate order of the plug (0: xyz)."""
    if not any(angles):
        return IDENTITY
    axes = ("xyz".index(letter) for letter in ORDERS[order])
    return product(*(axis_rotation(axis, angles[axis]) for axis in axes))


def euler_angles(matrix: Matrix, order: int = 0) -> tuple[float, float, float]:
    """Euler angles of a rotation matrix, the middle one within a quarter turn."""
    i, j, k = ("xyz".index(letter) for letter in ORDERS[order])
    odd = 1.0 if (j - i) % 3 == 1 else -1.0
    at = [[matrix[4 * row + column] for column in range(3)] for row in range(3)]
    flat = hypot(at[i][i], at[i][j])
    middle = atan2(-odd * at[i][k], flat)
    if flat > 1e-12:
        first = atan2(odd * at[j][k], at[k][k])
        last = atan2(odd * at[i][j], at[i][i])
    else:
        first, last = atan2(-odd * at[k][j], at[j][j]), 0.0
    angles = [0.0, 0.0, 0.0]
    angles[i], angles[j], angles[k] = first, middle, last
    return (angles[0], angles[1], angles[2])


def decompose(matrix: Matrix) -> tuple[Three, Matrix, Three]:
    """Scale, rotation matrix and translation; shear is taken out by Gram and Schmidt."""
    rows = [list(matrix[4 * row : 4 * row + 3]) for row in range(3)]
    scale: list[float] = []
    turned: list[list[float]] = []
    for row in rows:
        for other in turned:
            amount = sum(a * b for a, b in zip(row, other))
            row = [a - amount * b for a, b in zip(row, other)]
        length = sqrt(sum(a * a for a in row))
        scale.append(length)
        turned.append([a / length for a in row] if length else row)
    (a, b, c), (d, e, f), (g, h, i) = turned
    if a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g) < 0.0:
        scale = [-value for value in scale]
        turned = [[-a for a in row] for row in turned]
    flat = [number for row in turned for number in (*row, 0.0)]
    return scale, (*flat, 0.0, 0.0, 0.0, 1.0), matrix[12:15]


def quaternion(matrix: Matrix) -> Quaternion:
    """Quaternion w, x, y, z of a rotation of row vectors."""
    at = [[matrix[4 * row + column] for column in range(3)] for row in range(3)]
    squares = [
        1 + at[0][0] + at[1][1] + at[2][2],
        1 + at[0][0] - at[1][1] - at[2][2],
        1 - at[0][0] + at[1][1] - at[2][2],
        1 - at[0][0] - at[1][1] + at[2][2],
    ]
    products = {
        (0, 1): at[1][2] - at[2][1],
        (0, 2): at[2][0] - at[0][2],
        (0, 3): at[0][1] - at[1][0],
        (1, 2): at[0][1] + at[1][0],
        (1, 3): at[2][0] + at[0][2],
        (2, 3): at[1][2] + at[2][1],
    }
    largest = squares.index(max(squares))
    root = sqrt(squares[largest])
    return tuple(
        root / 2
        if index == largest
        else products[min(index, largest), max(index, largest)] / (2 * root)
        for index in range(4)
    )


def quaternion_matrix(turned: Quaternion) -> Matrix:
    """Rotation of row vectors from a quaternion."""
    w, x, y, z = turned
    return (
        *(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0.0),
        *(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0.0),
        *(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0.0),
        *(0.0, 0.0, 0.0, 1.0),
    )


def slerp(a: Quaternion, b: Quaternion, weight: float) -> Quaternion:
    """Shortest way from one rotation to the other."""
    along = sum(x * y for x, y in zip(a, b))
    if along < 0.0:
        b, along = tuple(-x for x in b), -along
    sine = hypot(*(y - along * x for x, y in zip(a, b)))
    angle = atan2(sine, along)
    if sine < 1e-12:
        return a
    one, two = sin((1 - weight) * angle) / sine, sin(weight * angle) / sine
    return tuple(one * x + two * y for x, y in zip(a, b))
