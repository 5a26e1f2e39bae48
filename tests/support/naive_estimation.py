"""Slow and obvious estimation for the tests: one number at a time, lists and loops.

The first part is what the corrected method means; the second is the paper as it is printed, with
its equation numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.support.naive_rotation import apply, quaternion_matrix

TURN = 2.0 * math.pi


def on_circle(angle: float) -> float:
    """The same angle from 0 up to a full turn."""
    return math.fmod(math.fmod(angle, TURN) + TURN, TURN)


def distance_on_circle(first: float, second: float) -> float:
    off = on_circle(first - second)
    return min(off, TURN - off)


def gaps_on_circle(angles: Sequence[float]) -> list[tuple[float, float, float]]:
    """Every empty stretch as (size, where it begins, where it ends), largest first."""
    ordered = sorted(on_circle(angle) for angle in angles)
    gaps = []
    for place, begin in enumerate(ordered):
        end = ordered[place + 1] if place + 1 < len(ordered) else ordered[0] + TURN
        gaps.append((end - begin, begin, end))
    return sorted(gaps, reverse=True)


def covers(low: float, high: float, angle: float, tolerance: float = 1e-9) -> bool:
    """Whether the arc from low up to high holds the angle."""
    return on_circle(angle - low + tolerance) <= high - low + 2.0 * tolerance


def moment(quaternions: Sequence[Sequence[float]]) -> list[list[float]]:
    """Mean of q q^T."""
    result = [[0.0] * 4 for _ in range(4)]
    for q in quaternions:
        for row in range(4):
            for column in range(4):
                result[row][column] += q[row] * q[column] / len(quaternions)
    return result


def angle_off_hinge(
    quaternion: Sequence[float], parent_axis: Sequence[float], child_axis: Sequence[float]
) -> float:
    """Angle between the axis in the parent and the axis that the child carries along."""
    carried = apply(quaternion_matrix(quaternion), child_axis)
    x, y, z = parent_axis
    u, v, w = carried
    cross = math.hypot(math.hypot(y * w - z * v, z * u - x * w), x * v - y * u)
    return math.atan2(cross, x * u + y * v + z * w)


def covariance(quaternions: Sequence[Sequence[float]]) -> list[list[float]]:
    """Equations 4 to 6: not divided by the number of samples."""
    count = len(quaternions)
    centre = [sum(q[axis] for q in quaternions) / count for axis in range(3)]
    result = [[0.0] * 3 for _ in range(3)]
    for q in quaternions:
        for row in range(3):
            for column in range(3):
                result[row][column] += (q[row] - centre[row]) * (q[column] - centre[column])
    return result


def angle_of_equation_12(quaternion: Sequence[float]) -> float:
    """The arguments of the arc tangent the wrong way round, as printed."""
    x, y, z, w = quaternion
    return 2.0 * math.atan2(w, math.sqrt(x * x + y * y + z * z))


def zyz_of_the_appendix(quaternion: Sequence[float], threshold: float) -> tuple[float, ...]:
    """Equations 26 to 36 with rotation matrices in place of quaternion products."""
    matrix = quaternion_matrix(quaternion)
    u = [row[2] for row in matrix]
    psi = math.acos(max(-1.0, min(1.0, u[2])))
    if psi < threshold:
        return math.atan2(matrix[1][0], matrix[0][0]), 0.0, 0.0
    phi = math.atan2(u[1], u[0])
    # The third turn, about z: where Rz(phi) Ry(psi) would leave the x axis, and where Q takes it.
    c, s = math.cos(phi), math.sin(phi)
    x_axis = [c * math.cos(psi), s * math.cos(psi), -math.sin(psi)]
    y_axis = [-s, c, 0.0]
    turned = [row[0] for row in matrix]
    along_x = sum(a * b for a, b in zip(x_axis, turned))
    along_y = sum(a * b for a, b in zip(y_axis, turned))
    return phi, psi, math.atan2(along_y, along_x)
