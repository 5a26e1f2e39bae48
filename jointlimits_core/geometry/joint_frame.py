"""The Maya joint: rotateAxis, rotate, rotateOrder and jointOrient.

Maya multiplies row vectors, ``matrix = [S] [RO] [R] [JO] [IS] [T]`` (Autodesk, node reference
"joint"; RO is rotateAxis, R is rotate, JO is jointOrient). Only this module converts that to column
vectors: ``local = JO * R * RO``. rotateAxis and jointOrient are always composed in the order xyz,
whatever the joint's rotateOrder.

Acclaim files fit the same form: a bone with axis C rotates by ``C M C^-1``, which is jointOrient C,
rotate M and rotateAxis ``C^-1``.
"""

from __future__ import annotations

import numpy as np

from .arrays import ArrayLike, Floats
from .euler import euler_from_quaternion, quaternion_from_euler
from .quaternion import IDENTITY, conjugate, multiply

CHANNELS = ("rotateX", "rotateY", "rotateZ")
"""Rotate channels of a joint, in (x, y, z) order."""


def local_from_rotate(
    rotate: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike, rotate_order: str
) -> Floats:
    """Local rotation of a joint from its rotate channels.

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
    """Whether it is the identity; most joints have no rotateAxis."""
    return bool((np.asarray(quaternion) == IDENTITY).all())


def _is_one_identity(quaternion: ArrayLike) -> bool:
    """Whether it is a single identity, without leading axes that the result would take on."""
    return np.ndim(quaternion) == 1 and _is_identity(quaternion)


def rotate_from_local(
    local: ArrayLike, joint_orient: ArrayLike, rotate_axis: ArrayLike, rotate_order: str
) -> Floats:
    """Rotate channels that give a local rotation.

    `local` has shape (..., 4): rotation relative to the parent. `joint_orient` and `rotate_axis`
    have shape (..., 4). The result has shape (..., 3): rotateX, rotateY, rotateZ in radians, the
    middle one of the order in [-pi/2, pi/2].
    """
    return euler_from_quaternion(turn_from_local(local, joint_orient, rotate_axis), rotate_order)
