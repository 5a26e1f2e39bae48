"""Projection onto box-shaped coupled limits with standard Maya nodes, for farms without plug-ins.

A box of rotation vectors (oriented or not) and a box of swing and twist clamp three numbers; the
other nodes convert a rotation to these numbers and back. Logarithm and exponential come from matrix
nodes: a rotation about X by the whole angle, composed and decomposed again.

The computation is in axes aligned with the box, or with X as the twist axis. Nodes in single
precision (vectorProduct, clamp, multiplyDivide) are accurate to about 1e-5 degrees. A rotation
inside passes through bit for bit; one outside comes back on the principal Euler branch. A rotation
nearly opposite the box may end on another side of it than with the plug-in's node, which also tries
the other way around.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.euler import quaternion_from_euler
from jointlimits_core.limits.shapes.charts import SwingTwist
from jointlimits_core.rotation import (
    IDENTITY,
    conjugate,
    matrix_from_quaternion,
    multiply,
    quaternion_from_matrix,
)

from .attributes import Attributes
from .plain_nodes import BACK, CLAMPED, ROTATION_VECTOR, SWING_TWIST, Part, put_together
from .projection_recipe import Recipe


class PlainFormError(ValueError):
    """A shape that standard nodes cannot represent; the message says why."""


def plain_recipe(shape: Mapping[str, Any], joint: om.MObject, softness: float = 0.0) -> Recipe:
    """Standard nodes that keep a joint inside a box.

    Parameters
    ----------
    shape : mapping
        As from a shape's ``to_dict``.
    joint : MObject
        Its current jointOrient and rotateAxis are used.
    softness : float
        Must be 0.

    Raises
    ------
    PlainFormError
        For anything but a box, or a box that reaches beyond 180 degrees.
    """
    if softness:
        raise PlainFormError("plain nodes have no softness")
    frame, low, high = _box(shape)
    attributes = Attributes(joint)
    orient, axis = (_quaternion(attributes, name) for name in ("jointOrient", "rotateAxis"))
    centre = np.asarray(shape["coordinates"]["centre"], dtype=np.float64)
    before = multiply(axis, frame)
    after = multiply(conjugate(frame), multiply(conjugate(centre), orient))
    twists = shape["coordinates"]["kind"] == "swing-twist"
    parts: list[Part] = [*(SWING_TWIST if twists else ROTATION_VECTOR), *CLAMPED, *BACK]
    recipe = put_together(parts, twists)
    recipe.values.extend(
        [
            ("seen.matrixIn[0]", _matrix(before)),
            ("seen.matrixIn[2]", _matrix(after)),
            ("back.matrixIn[0]", _matrix(conjugate(before))),
            ("back.matrixIn[3]", _matrix(conjugate(after))),
            *((f"hold.min{c}", float(value)) for c, value in zip("RGB", low)),
            *((f"hold.max{c}", float(value)) for c, value in zip("RGB", high)),
        ]
    )
    return recipe


def _box(shape: Mapping[str, Any]) -> tuple[Floats, Floats, Floats]:
    """Orientation of a box as a quaternion, and its low and high ends along X, Y and Z of it."""
    kind, region = shape["coordinates"]["kind"], shape["region"]
    if region["kind"] not in ("box", "obb") or kind not in ("rotation-vector", "swing-twist"):
        raise PlainFormError(f"plain nodes support boxes only, not a {region['kind']} of {kind}s")
    low, high = (np.asarray(region[end], dtype=np.float64) for end in ("low", "high"))
    if np.any(np.abs([low, high]) >= np.pi):
        raise PlainFormError("plain nodes do not support a box that reaches beyond 180 degrees")
    if kind == "swing-twist":
        if region["kind"] == "obb":
            raise PlainFormError("plain nodes do not support oriented boxes of swing and twist")
        chart = SwingTwist(IDENTITY, np.asarray(shape["coordinates"]["axis"], dtype=np.float64))
        axes = np.vstack([chart.axis, chart.across])
        order = [2, 0, 1]
        return quaternion_from_matrix(axes.T), low[order], high[order]
    axes = np.asarray(region["axes"], dtype=np.float64) if region["kind"] == "obb" else np.eye(3)
    if np.linalg.det(axes) < 0.0:
        # Left-handed axes are no rotation; flipping the last axis makes them right-handed.
        axes = axes * np.array([[1.0], [1.0], [-1.0]])
        low, high = np.append(low[:2], -high[2]), np.append(high[:2], -low[2])
    return quaternion_from_matrix(axes.T), low, high


def _quaternion(attributes: Attributes, name: str) -> Floats:
    return quaternion_from_euler(attributes.vector(name))


def _matrix(quaternion: Floats) -> om.MMatrix:
    """Maya's matrix of a rotation, for row vectors."""
    whole = np.eye(4)
    whole[:3, :3] = matrix_from_quaternion(quaternion).T
    return om.MMatrix(whole.ravel().tolist())
