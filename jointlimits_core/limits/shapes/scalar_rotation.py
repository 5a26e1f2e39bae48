"""Single rotations in plain Python; see :mod:`jointlimits_core.rotation` for batches.

For a node of a rig, which handles one joint at one time: a single numpy call costs as much as all
of this. Nothing here imports numpy, so that nodes work without it.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

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
