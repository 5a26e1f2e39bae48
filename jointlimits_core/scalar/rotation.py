"""Single rotations, their Euler angles and chart coordinates in plain Python, for a rig node.

Such a node evaluates a single joint. A single numpy call would cost as much as all code here,
and the node also works without numpy. Angles are (x, y, z) in radians; the rotate order is Maya's
number (0: xyz). Functions for arrays of rotations are in :mod:`jointlimits_core.geometry`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atan2, cos, floor, hypot, inf, pi, sin, sqrt
from typing import Any

Three = tuple[float, float, float]
Four = tuple[float, float, float, float]


def product(a: Four, b: Four) -> Four:
    """Hamilton product: rotates by `b` first, then by `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def inverse(q: Four) -> Four:
    """Inverse of a unit quaternion."""
    return (-q[0], -q[1], -q[2], q[3])


def log(q: Four) -> Three:
    """Rotation vector of a unit quaternion of either sign, at most half a turn long."""
    x, y, z, w = q
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    sine = sqrt(x * x + y * y + z * z)
    scale = 2.0 * atan2(sine, w) / sine if sine > 1e-150 else 2.0
    return (x * scale, y * scale, z * scale)


def exp(v: Three) -> Four:
    """Unit quaternion of a rotation vector of any length."""
    x, y, z = v
    angle = sqrt(x * x + y * y + z * z)
    half = 0.5 * angle
    scale = sin(half) / angle if angle > 1e-150 else 0.5
    return (x * scale, y * scale, z * scale, cos(half))


def angle_between(a: Four, b: Four) -> float:
    """Angle of the rotation from one unit quaternion to another, in radians, [0, pi]."""
    x, y, z, w = product(inverse(a), b)
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), abs(w))


def twist_about(q: Four, axis: Three) -> Four:
    """Twist about a unit axis in ``q = swing twist``; the identity if the swing is half a turn."""
    x, y, z, w = q
    along = x * axis[0] + y * axis[1] + z * axis[2]
    length = sqrt(along * along + w * w)
    if length < 1e-12:
        return (0.0, 0.0, 0.0, 1.0)
    part = along / length
    return (part * axis[0], part * axis[1], part * axis[2], w / length)


TURN = 2.0 * pi
LOCK_RAD = 1e-8
"""Distance from gimbal lock below which only the sum of the outer angles is used."""

AXES = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0))
"""Components in order of application, by rotate order: xyz, yzx, zxy, xzy, yxz, zyx."""


def quaternion_of(angles: Three, order: int) -> Four:
    """Unit quaternion of Euler angles."""
    i, j, k = AXES[order]
    sign = 1.0 if order < 3 else -1.0
    a, b, c = 0.5 * angles[i], 0.5 * angles[j], 0.5 * sign * angles[k]
    si, ci, sj, cj, sk, ck = sin(a), cos(a), sin(b), cos(b), sin(c), cos(c)
    q = [0.0, 0.0, 0.0, ck * cj * ci + sk * sj * si]
    q[i] = ck * cj * si - sk * sj * ci
    q[j] = ck * sj * ci + sk * cj * si
    q[k] = sign * (sk * cj * ci - ck * sj * si)
    return (q[0], q[1], q[2], q[3])


def euler_of(q: Four, order: int) -> Three:
    """Euler angles of a unit quaternion, the middle one in [-pi/2, pi/2]."""
    i, j, k = AXES[order]
    sign = 1.0 if order < 3 else -1.0
    qi, qj, qk, w = q[i], q[j], sign * q[k], q[3]
    a, b, c, d = w - qj, qi + qk, w + qj, qk - qi
    half_sum, half_difference = atan2(b, a), atan2(d, c)
    found = [0.0, 0.0, 0.0]
    found[i] = half_sum - half_difference
    found[j] = 2.0 * atan2(hypot(c, d), hypot(a, b)) - 0.5 * pi
    found[k] = sign * (half_sum + half_difference)
    return (found[0], found[1], found[2])


def euler_near(q: Four, reference: Three, order: int) -> Three:
    """Euler angles of a unit quaternion on the branch nearest to a reference.

    The result is the nearest of all solutions: both sets, each with any number of full turns. At
    gimbal lock, where only the sum or the difference of the outer angles is defined, both deviate
    equally from the reference.
    """
    j = AXES[order][1]
    own = euler_of(q, order)
    if 0.5 * pi - abs(own[j]) < LOCK_RAD:
        return _angles_at_lock(own, reference, order)
    other = [own[0] + pi, own[1] + pi, own[2] + pi]
    other[j] = pi - own[j]
    best, least = own, inf
    for x, y, z in (own, other):
        a, b, c = reference
        x -= TURN * floor((x - a) / TURN + 0.5)
        y -= TURN * floor((y - b) / TURN + 0.5)
        z -= TURN * floor((z - c) / TURN + 0.5)
        off = (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2
        if off < least:
            best, least = (x, y, z), off
    return best


def _angles_at_lock(own: Three, reference: Three, order: int) -> Three:
    """Outer angles at gimbal lock that deviate equally from the reference."""
    i, j, k = AXES[order]
    sense = 1.0 if (own[j] > 0.0) == (order >= 3) else -1.0
    off = own[i] - reference[i] + sense * (own[k] - reference[k])
    off = 0.5 * (off - TURN * floor((off + pi) / TURN))
    found = [0.0, 0.0, 0.0]
    found[i], found[k] = reference[i] + off, reference[k] + sense * off
    found[j] = own[j] - TURN * floor((own[j] - reference[j]) / TURN + 0.5)
    return (found[0], found[1], found[2])


@dataclass(frozen=True)
class ScalarChart:
    """Conversion between single rotations and their coordinates."""

    coordinates: Callable[[Four], Three]
    """Returns the coordinates of a unit quaternion."""
    rotation: Callable[[Three], Four]
    """Returns the unit quaternion for given coordinates."""
    others: Callable[[Three], tuple[Three, ...]]
    """Returns other coordinates of the same rotation, reached by turning the opposite way."""


def scalar_chart(data: Mapping[str, Any]) -> ScalarChart | None:
    """Scalar form of a chart; None if its kind has no scalar form.

    `data`: a chart's ``to_dict``, already validated by :mod:`.validation`.
    """
    if data["kind"] == "rotation-vector":
        return _rotation_vectors(_four(data["centre"]))
    if data["kind"] == "swing-twist":
        x, y, z = (float(value) for value in data["axis"])
        return _swing_twist(_four(data["centre"]), (x, y, z))
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
    first, second = perpendicular_axes(axis)
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
    """Factor that makes a rotation vector turn the opposite way, from its squared length."""
    return 1.0 - TURN / sqrt(square) if square > 0.0 else 1.0


def perpendicular_axes(axis: Three) -> tuple[Three, Three]:
    """Two unit vectors perpendicular to a unit axis and to each other, chosen as in the chart."""
    x, y, z = axis
    smallest = min(range(3), key=lambda n: abs(axis[n]))
    first = ((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0))[smallest]
    length = (first[0] ** 2 + first[1] ** 2 + first[2] ** 2) ** 0.5
    a, b, c = (value / length for value in first)
    return (a, b, c), (y * c - z * b, z * a - x * c, x * b - y * a)


def one_sign(q: Four) -> Four:
    """Quaternion with a defined sign for a half turn, where the logarithm is ambiguous."""
    if q[3] != 0.0:
        return q
    lead = q[2] or q[1] or q[0]
    return (-q[0], -q[1], -q[2], -q[3]) if lead < 0.0 else q


def _four(values: Any) -> Four:
    x, y, z, w = (float(value) for value in values)
    return (x, y, z, w)
