"""Euler angles in Maya's six rotate orders, and the channels of a joint.

Angles are always ``(x, y, z)`` components. A rotate order names the axes in the order of
application: "xyz" rotates about X first, ``Rz @ Ry @ Rx`` for column vectors (Autodesk, node
reference "transform", attribute rotateOrder). The half-angle formulas are also exact at gimbal
lock. A rotation has infinitely many sets of Euler angles: full turns may be added to each channel,
and the outer channels may change by half a turn while the middle channel is mirrored.
"""

from __future__ import annotations

import numpy as np

from .arrays import ArrayLike, Floats
from .quaternion import IDENTITY, conjugate, multiply

ROTATE_ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
"""Maya's names; the index is the value of the ``rotateOrder`` attribute."""

_AXES = {"xyz": (0, 1, 2), "yzx": (1, 2, 0), "zxy": (2, 0, 1)}
_AXES.update({order[::-1]: axes[::-1] for order, axes in _AXES.items()})
TURN = 2.0 * np.pi
MAX_LOCK_RAD = 1e-8
"""Distance from gimbal lock below which only rounding decides how the outer angles share a turn."""


def axes_of(rotate_order: str) -> tuple[int, int, int]:
    """Component indices (0 = x) in the order of application.

    Raises ValueError if `rotate_order` is not one of :data:`ROTATE_ORDERS`.
    """
    if rotate_order not in _AXES:
        raise ValueError(f"rotate order {rotate_order!r} is not one of {', '.join(ROTATE_ORDERS)}")
    return _AXES[rotate_order]


def _parity(i: int, j: int) -> float:
    """1 for a cyclic order, such as x, y, z; otherwise -1."""
    return 1.0 if (j - i) % 3 == 1 else -1.0


def wrap_angle(angle: ArrayLike) -> Floats:
    """Angles wrapped to [-pi, pi)."""
    a = np.asarray(angle, dtype=np.float64)
    # The largest angle below pi rounds up to a whole turn and would become less than -pi.
    return np.asarray(np.maximum(a - TURN * np.floor((a + np.pi) / TURN), -np.pi))


def quaternion_from_euler(angles: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Quaternions from Euler angles.

    `angles` has shape (..., 3): angles about X, Y and Z in radians, any size. `rotate_order`: one
    of :data:`ROTATE_ORDERS`. The result has shape (..., 4): unit quaternions; the sign follows the
    angles continuously.
    """
    i, j, k = axes_of(rotate_order)
    sign = _parity(i, j)
    half = 0.5 * np.asarray(angles, dtype=np.float64)
    sines, cosines = np.sin(half), np.cos(half)
    a, b, c = (sines[..., axis] for axis in (i, j, k))
    u, v, w = (cosines[..., axis] for axis in (i, j, k))
    # Product of the turns about the axes i, j and k.
    result = np.empty((*half.shape[:-1], 4))
    result[..., i] = a * v * w - sign * (u * b * c)
    result[..., j] = u * b * w + sign * (a * v * c)
    result[..., k] = u * v * c - sign * (a * b * w)
    result[..., 3] = u * v * w + sign * (a * b * c)
    return result


def euler_from_quaternion(quaternion: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Euler angles of rotations, also exact at gimbal lock.

    `quaternion` has shape (..., 4): unit quaternions of either sign. `rotate_order`: one of
    :data:`ROTATE_ORDERS`. The result has shape (..., 3): angles about X, Y and Z in radians. The
    middle angle of the order is in [-pi/2, pi/2], the outer angles are in [-pi, pi). The other
    solution is :func:`other_euler`. Source: Bernardes and Viollet (2022).
    """
    i, j, k = axes_of(rotate_order)
    sign = _parity(i, j)
    q = np.asarray(quaternion, dtype=np.float64)
    w, qi, qj, qk = q[..., 3], q[..., i], q[..., j], sign * q[..., k]
    # Half the sum and the difference of the outer angles, as directions (a, b) and (c, d).
    a, b, c, d = w - qj, qk + qi, w + qj, qk - qi
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    result = np.empty((*q.shape[:-1], 3))
    result[..., i] = wrap_angle(half_sum - half_difference)
    # np.hypot takes a dozen times as long, and its last digits depend on the platform.
    middle = np.arctan2(np.sqrt(c * c + d * d), np.sqrt(a * a + b * b))
    result[..., j] = 2.0 * middle - 0.5 * np.pi
    result[..., k] = wrap_angle(sign * (half_sum + half_difference))
    return result


def other_euler(angles: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Second set of Euler angles of the same rotation: outer angles + pi, pi - middle angle.

    `angles` has shape (..., 3). The result has shape (..., 3): not wrapped.
    """
    middle = axes_of(rotate_order)[1]
    result = np.asarray(angles, dtype=np.float64) + np.pi
    result[..., middle] = TURN - result[..., middle]
    return np.asarray(result)


def nearest_euler(angles: ArrayLike, reference: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Move angles to the branch nearest to a reference, keeping the rotation.

    `angles` and `reference` have shape (..., 3): radians; leading axes broadcast. The result has
    shape (..., 3): of all solutions (both sets, any number of full turns), the one with the
    smallest sum of squared differences from `reference`.
    """
    here = np.asarray(angles, dtype=np.float64)
    target = np.asarray(reference, dtype=np.float64)
    best = here - TURN * np.round((here - target) / TURN)
    other = other_euler(here, rotate_order)
    other = other - TURN * np.round((other - target) / TURN)
    nearer = np.sum((other - target) ** 2, -1) < np.sum((best - target) ** 2, -1)
    return np.where(nearer[..., None], other, best)


def euler_near(quaternion: ArrayLike, reference: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Euler angles of rotations, as close to a reference as possible, also at gimbal lock.

    `quaternion` has shape (..., 4): unit quaternions of either sign. `reference` has shape (...,
    3): radians; broadcast to the leading axes of `quaternion`. The result has shape (..., 3), as
    from :func:`nearest_euler`. At gimbal lock, where only the sum or the difference of the outer
    angles is defined, both deviate equally from the reference.
    """
    i, j, k = axes_of(rotate_order)
    own = euler_from_quaternion(quaternion, rotate_order)
    target = np.broadcast_to(np.asarray(reference, dtype=np.float64), own.shape)
    result = nearest_euler(own, target, rotate_order)
    locked = 0.5 * np.pi - np.abs(own[..., j]) < MAX_LOCK_RAD
    if not locked.any():
        return result
    # The sign of the middle angle decides whether the sum or the difference is defined.
    sense = -_parity(i, j) * np.sign(own[..., j])
    off = own[..., i] - target[..., i] + sense * (own[..., k] - target[..., k])
    off = 0.5 * wrap_angle(off)
    result[..., i] = np.where(locked, target[..., i] + off, result[..., i])
    result[..., k] = np.where(locked, target[..., k] + sense * off, result[..., k])
    return result


def gimbal_margin(angles: ArrayLike, rotate_order: str = "xyz") -> Floats:
    """Distance of the middle angle from gimbal lock, where two axes coincide.

    `angles` has shape (..., 3): radians. The result has shape (...): radians in [0, pi/2].
    """
    middle = np.asarray(angles, dtype=np.float64)[..., axes_of(rotate_order)[1]]
    return np.asarray(np.abs(wrap_angle(2.0 * middle)) * -0.5 + 0.5 * np.pi)


MIN_FLIP_RAD = 0.5 * np.pi
"""Smallest step between frames that can be a branch change, radians."""
CHANNELS = ("rotateX", "rotateY", "rotateZ")
"""Rotate channels of a joint, in (x, y, z) order."""


def local_from_rotate(
    rotate: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike, rotate_order: str
) -> Floats:
    """Local rotation of a Maya joint from its rotate channels, ``JO * R * RO`` for columns.

    Maya multiplies row vectors, ``matrix = [S] [RO] [R] [JO] [IS] [T]`` (Autodesk, node reference
    "joint"; RO is rotateAxis, R is rotate, JO is jointOrient); only this function converts
    to columns. Both rotateAxis and jointOrient are always composed in the order xyz. Acclaim
    files fit the same form: a bone with axis C rotates by ``C M C^-1``, so jointOrient is C, rotate
    is M and rotateAxis is ``C^-1``.

    `rotate` has shape (..., 3): rotateX, rotateY, rotateZ in radians. `joint_orient` and
    `rotate_axis` have shape (..., 4): quaternions; leading axes broadcast. `rotate_order`: one of
    :data:`jointlimits_core.geometry.euler.ROTATE_ORDERS`. The result has shape (..., 4): rotation
    relative to the parent, ``JO * R * RO``.
    """
    turn = quaternion_from_euler(rotate, rotate_order)
    inner = turn if _is_one_identity(rotate_axis) else multiply(turn, rotate_axis)
    return inner if _is_one_identity(joint_orient) else multiply(joint_orient, inner)


def turn_from_local(local: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike) -> Floats:
    """Rotation R between jointOrient and rotateAxis: ``JO^-1 * local * RO^-1``, shape (..., 4)."""
    inner = local if _is_identity(rotate_axis) else multiply(local, conjugate(rotate_axis))
    outer = inner if _is_identity(joint_orient) else multiply(conjugate(joint_orient), inner)
    return np.asarray(outer, dtype=np.float64)


def _is_identity(quaternion: ArrayLike) -> bool:
    """Whether all quaternions are the identity; most joints have no rotateAxis."""
    return bool((np.asarray(quaternion) == IDENTITY).all())


def _is_one_identity(quaternion: ArrayLike) -> bool:
    """Whether the quaternion is a single identity, without leading axes that would broadcast."""
    return np.ndim(quaternion) == 1 and _is_identity(quaternion)


def rotate_from_local(
    local: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike, rotate_order: str
) -> Floats:
    """Rotate channels that give a local rotation.

    `local` has shape (..., 4): rotation relative to the parent. `joint_orient` and `rotate_axis`
    have shape (..., 4). The result has shape (..., 3): rotateX, rotateY, rotateZ in radians, the
    middle channel of the order in [-pi/2, pi/2].
    """
    return euler_from_quaternion(turn_from_local(local, joint_orient, rotate_axis), rotate_order)
