"""Single rotations and their Euler angles in plain Python, for a node of a rig.

Such a node handles one joint at one time: a single numpy call costs as much as all of this, and
nodes work where numpy is missing. Angles are (x, y, z) in radians; the rotate order is Maya's
number (0: xyz). Batches of rotations are in :mod:`jointlimits_core.geometry`.
"""

from __future__ import annotations

from math import atan2, cos, floor, hypot, pi, sin, sqrt

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
    """Angle of the turn from one unit quaternion to another, radians in [0, pi]."""
    x, y, z, w = product(inverse(a), b)
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), abs(w))


def twist_about(q: Four, axis: Three) -> Four:
    """Twist about a unit axis in ``q = swing twist``; identity where the swing is half a turn."""
    x, y, z, w = q
    along = x * axis[0] + y * axis[1] + z * axis[2]
    length = sqrt(along * along + w * w)
    if length < 1e-12:
        return (0.0, 0.0, 0.0, 1.0)
    part = along / length
    return (part * axis[0], part * axis[1], part * axis[2], w / length)


TURN = 2.0 * pi
LOCK = 1e-8
"""Radians from gimbal lock below which only the sum of the outer angles is used."""

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

    Returns the nearest of both solutions with any number of full turns. At gimbal lock, where only
    the sum or the difference of the outer angles is defined, both deviate equally from the
    reference.
    """
    j = AXES[order][1]
    own = euler_of(q, order)
    if 0.5 * pi - abs(own[j]) < LOCK:
        return _at_the_lock(own, reference, order)
    x, y, z = own
    other = [x + pi, y + pi, z + pi]
    other[j] = pi - own[j]
    first, off_first = _turned(x, y, z, reference)
    second, off_second = _turned(other[0], other[1], other[2], reference)
    return second if off_second < off_first else first


def _turned(x: float, y: float, z: float, reference: Three) -> tuple[Three, float]:
    """Angles shifted by full turns to be near their references, and their squared distance."""
    a, b, c = reference
    x -= TURN * floor((x - a) / TURN + 0.5)
    y -= TURN * floor((y - b) / TURN + 0.5)
    z -= TURN * floor((z - c) / TURN + 0.5)
    return (x, y, z), (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2


def _at_the_lock(own: Three, reference: Three, order: int) -> Three:
    """Outer angles at gimbal lock, with equal deviations from the reference."""
    i, j, k = AXES[order]
    sense = 1.0 if (own[j] > 0.0) == (order >= 3) else -1.0
    off = own[i] - reference[i] + sense * (own[k] - reference[k])
    off = 0.5 * (off - TURN * floor((off + pi) / TURN))
    found = [0.0, 0.0, 0.0]
    found[i], found[k] = reference[i] + off, reference[k] + sense * off
    found[j] = own[j] - TURN * floor((own[j] - reference[j]) / TURN + 0.5)
    return (found[0], found[1], found[2])
