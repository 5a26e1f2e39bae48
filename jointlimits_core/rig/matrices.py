"""Matrices of transforms and joints, for column vectors, and limits declared by a joint.

Autodesk's node reference multiplies row vectors; converted to column vectors:

    transform = T * RT * RP * R * RA * RP^-1 * ST * SP * SH * S * SP^-1
    joint     = T * IS * JO * R * RA * S

A node's matrix relative to its parent is ``offsetParentMatrix * local`` (Maya 2020 and later).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..geometry.arrays import ArrayLike, Floats
from ..geometry.euler import CHANNELS, ROTATE_ORDERS, quaternion_from_euler
from ..geometry.quaternion import matrix_from_quaternion
from ..motion.skeleton import Declaration

DEFAULT_LIMIT_RAD = float(np.radians(45.0))
"""Maya's default maximum of a rotation limit; the default minimum is its negative."""
MOVING_COMPOUNDS = ("translate", "rotate", "scale", "shear")
"""Channels of a transform that are sampled at every frame."""
STILL_COMPOUNDS = (
    "rotateAxis",
    "rotatePivot",
    "rotatePivotTranslate",
    "scalePivot",
    "scalePivotTranslate",
)
"""Attributes of a transform that count as constant."""


def rotation_limits(number: Callable[[str, float], float], axis: str) -> tuple[float, float]:
    """Limits of a rotate channel in radians; infinite for a limit that is off.

    `number`: function from an attribute's long name and default to its value on the node.
    """
    low, high = (
        float(number(f"{edge}Rot{axis}Limit", sign * DEFAULT_LIMIT_RAD))
        if number(f"{edge}Rot{axis}LimitEnable", 0.0)
        else sign * np.inf
        for edge, sign in (("min", -1.0), ("max", 1.0))
    )
    return low, high


def declaration_from(
    number: Callable[[str, float], float], is_locked: Callable[[str], bool]
) -> Declaration:
    """Declaration from a joint's attributes; limits that are not enabled are left out.

    `number`: function from an attribute's long name and default to its value, in radians;
    `is_locked`: whether a rotate channel is locked.
    """
    limits: dict[str, tuple[float | None, float | None]] = {}
    for axis, channel in zip("XYZ", CHANNELS):
        ends = np.degrees(rotation_limits(number, axis)).tolist()
        low, high = (end if np.isfinite(end) else None for end in ends)
        if (low, high) != (None, None):
            limits[channel] = (low, high)
    free = tuple(c for axis, c in zip("XYZ", CHANNELS) if number(f"jointType{axis}", 1.0))
    return Declaration(
        dof=None if len(free) == len(CHANNELS) else free,
        limits_deg=limits,
        locked=frozenset(channel for channel in CHANNELS if is_locked(channel)),
    )


def rotate_order_name(number: float) -> str:
    """Name of a rotate order, given Maya's number for it; xyz for invalid numbers."""
    index = int(number)
    return ROTATE_ORDERS[index] if 0 <= index < len(ROTATE_ORDERS) else "xyz"


def translation_matrix(vector: ArrayLike) -> Floats:
    """Translation matrices, shape (..., 4, 4), from vectors, shape (..., 3)."""
    v = np.asarray(vector, dtype=np.float64)
    result = np.zeros((*v.shape[:-1], 4, 4)) + np.eye(4)
    result[..., :3, 3] = v
    return result


def linear(matrix: ArrayLike) -> Floats:
    """Matrices of shape (..., 4, 4) from rotations or scales of shape (..., 3, 3)."""
    m = np.asarray(matrix, dtype=np.float64)
    result = np.zeros((*m.shape[:-2], 4, 4)) + np.eye(4)
    result[..., :3, :3] = m
    return result


def scale_matrix(scale: ArrayLike, shear: ArrayLike = (0.0, 0.0, 0.0)) -> Floats:
    """Products of shear and scale, shape (..., 4, 4).

    `scale`: factors, `shear`: (xy, xz, yz), shapes (..., 3).
    """
    factors, h = np.asarray(scale, dtype=np.float64), np.asarray(shear, dtype=np.float64)
    shears = np.zeros((*h.shape[:-1], 3, 3)) + np.eye(3)
    shears[..., [0, 0, 1], [1, 2, 2]] = h
    return linear(shears * factors[..., None, :])


def transform_matrix(channels: Mapping[str, Floats], order: str, offset_parent: Floats) -> Floats:
    """Matrix of a transform relative to its parent, shape (..., 4, 4).

    `channels`: :data:`MOVING_COMPOUNDS` and :data:`STILL_COMPOUNDS`, shape (..., 3), radians.
    `order`: rotate order. `offset_parent`, shape (..., 4, 4): its offsetParentMatrix.
    """
    turn = linear(matrix_from_quaternion(quaternion_from_euler(channels["rotate"], order)))
    axis = linear(matrix_from_quaternion(quaternion_from_euler(channels["rotateAxis"])))
    local = (
        translation_matrix(
            channels["translate"] + channels["rotatePivotTranslate"] + channels["rotatePivot"]
        )
        @ turn
        @ axis
        @ translation_matrix(
            channels["scalePivotTranslate"] + channels["scalePivot"] - channels["rotatePivot"]
        )
        @ scale_matrix(channels["scale"], channels["shear"])
        @ translation_matrix(-channels["scalePivot"])
    )
    return np.asarray(offset_parent @ local)


def below_pivot(still: Mapping[str, Floats], scale: Floats) -> Floats:
    """Matrix from the space of a node's children to the scaled space about its rotate pivot.

    `still`: :data:`STILL_COMPOUNDS`, `scale`: shapes (..., 3).
    """
    shift = still["scalePivotTranslate"] + still["scalePivot"] - still["rotatePivot"]
    return translation_matrix(shift * inverse_scale(scale) - still["scalePivot"])


def joint_matrix(
    translation: Floats, rotation: Floats, scale: Floats, parent_scale: Floats
) -> Floats:
    """Local matrices of joints, ``T * S(1 / parent_scale) * R * S``, shape (..., 4, 4).

    `rotation`: quaternion of ``jointOrient * rotate * rotateAxis``. `parent_scale`: the parent
    joint's scale if it is compensated, else ones; zeros count as ones.
    """
    turn = matrix_from_quaternion(rotation) * scale[..., None, :]
    return np.asarray(
        translation_matrix(translation) @ linear(inverse_scale(parent_scale)[..., None] * turn)
    )


def inverse_scale(scale: Floats) -> Floats:
    """Factors that undo a scale, shape (..., 3); 1 for a scale of zero."""
    return np.asarray(1.0 / np.where(scale == 0.0, 1.0, scale))


def stored_matrix(values: Floats) -> Floats:
    """Matrix for column vectors, shape (4, 4), from sixteen numbers in a scene."""
    return np.array(values.reshape(4, 4).T)


def optional_matrix(values: Floats | None) -> Floats | None:
    """Matrix as from :func:`stored_matrix`; None unless there are sixteen numbers."""
    return None if values is None or len(values) != 16 else stored_matrix(values)
