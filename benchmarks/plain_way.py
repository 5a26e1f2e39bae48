"""The same work as in :mod:`benchmarks.scipy_way`, one sample at a time in plain Python.

This is how tools are written that loop over frames with one quaternion object for each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Quaternion = Sequence[float]
TURN = 2.0 * math.pi


def estimate_joint(
    samples: Sequence[Quaternion], orient: Quaternion, axis: Quaternion, rotate_order: str
) -> tuple[list[float], list[tuple[float, float]]]:
    """Spreads and the bounds of three channels of one joint, radians."""
    mean = _mean(samples)
    vectors = [_logarithm(_product(_inverse(mean), sample)) for sample in samples]
    before, after = _inverse(orient), _inverse(axis)
    angles = [_euler(_product(_product(before, sample), after), rotate_order) for sample in samples]
    return _spreads(vectors), [_interval([row[k] for row in angles]) for k in range(3)]


def _inverse(q: Quaternion) -> Quaternion:
    return (-q[0], -q[1], -q[2], q[3])


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def _mean(samples: Sequence[Quaternion]) -> Quaternion:
    """Dominant eigenvector of the sum of ``q q^T`` by power iteration."""
    moment = [[sum(q[i] * q[j] for q in samples) for j in range(4)] for i in range(4)]
    mean = list(samples[0])
    for _ in range(60):
        mean = [sum(row[j] * mean[j] for j in range(4)) for row in moment]
        length = math.sqrt(sum(part * part for part in mean))
        mean = [part / length for part in mean]
    return mean


def _logarithm(q: Quaternion) -> tuple[float, float, float]:
    x, y, z, w = q if q[3] >= 0.0 else tuple(-part for part in q)
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 1e-150 else 2.0
    return (scale * x, scale * y, scale * z)


def _euler(q: Quaternion, rotate_order: str) -> list[float]:
    i, j, k = ("xyz".index(letter) for letter in rotate_order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    qi, qj, qk, w = q[i], q[j], sign * q[k], q[3]
    a, b, c, d = w - qj, qi + qk, w + qj, qk - qi
    half_sum, half_difference = math.atan2(b, a), math.atan2(d, c)
    result = [0.0, 0.0, 0.0]
    result[i] = half_sum - half_difference
    result[j] = 2.0 * math.atan2(math.hypot(c, d), math.hypot(a, b)) - 0.5 * math.pi
    result[k] = sign * (half_sum + half_difference)
    return result


def _spreads(vectors: Sequence[Sequence[float]]) -> list[float]:
    """Square roots of the eigenvalues of the covariance, largest first (Smith, 1961)."""
    count = len(vectors)
    c = [[sum(v[i] * v[j] for v in vectors) / count for j in range(3)] for i in range(3)]
    mean = (c[0][0] + c[1][1] + c[2][2]) / 3.0
    off = c[0][1] ** 2 + c[0][2] ** 2 + c[1][2] ** 2
    size = math.sqrt((sum((c[i][i] - mean) ** 2 for i in range(3)) + 2.0 * off) / 6.0)
    if size < 1e-300:
        return [math.sqrt(max(mean, 0.0))] * 3
    b = [[(c[i][j] - mean * (i == j)) / size for j in range(3)] for i in range(3)]
    determinant = (
        b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1])
        - b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0])
        + b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0])
    )
    angle = math.acos(max(-1.0, min(1.0, 0.5 * determinant))) / 3.0
    values = [mean + 2.0 * size * math.cos(angle + shift) for shift in (0.0, -TURN / 3, TURN / 3)]
    return [math.sqrt(max(value, 0.0)) for value in sorted(values, reverse=True)]


def _interval(angles: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(angle % TURN for angle in angles)
    following = [*ordered[1:], ordered[0] + TURN]
    gap, at = max(
        (after - before, at) for at, (before, after) in enumerate(zip(ordered, following))
    )
    low = ordered[(at + 1) % len(ordered)]
    return low, low + TURN - gap
