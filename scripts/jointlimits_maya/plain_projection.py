"""The projection of box-like coupled limits with plain nodes of Maya, for farms without plug-ins.

A box of rotation vectors (turned or not) and a box of swing and twist are clamps of three numbers;
the rest is how a rotation gets these numbers, and back. Logarithm and exponential come from what
matrices already know: a turn about X by the whole angle, composed and taken apart again.

The frame in which it is computed is turned so that the sides of the box, or the twist axis, are X,
Y and Z. What is computed in single precision (vectorProduct, clamp, multiplyDivide) is right to
about a hundred-thousandth of a degree. A rotation inside passes as it is, to the bit; one outside
comes back on the principal Euler branch. A rotation nearly opposite to the box may be brought to
another side of it than by the node, which also looks the other way round.
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
    """A shape that plain nodes cannot hold; the message says why."""


def plain_recipe(shape: Mapping[str, Any], joint: om.MObject, softness: float = 0.0) -> Recipe:
    """Plain nodes that keep a joint inside a box.

    Parameters
    ----------
    shape : mapping
        As a shape's ``to_dict`` gives it.
    joint : MObject
        Its jointOrient and rotateAxis are taken as they are now.
    softness : float
        Has to be 0.

    Raises
    ------
    PlainFormError
        For anything but a box, or one that goes past half a turn.
    """
    if softness:
        raise PlainFormError("plain nodes know no softness")
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
    """Frame of a box as a quaternion, and its bounds along X, Y and Z of that frame."""
    kind, region = shape["coordinates"]["kind"], shape["region"]
    if region["kind"] not in ("box", "obb") or kind not in ("rotation-vector", "swing-twist"):
        raise PlainFormError(f"plain nodes can hold boxes, not a {region['kind']} of {kind}s")
    low, high = (np.asarray(region[end], dtype=np.float64) for end in ("low", "high"))
    if np.any(np.abs([low, high]) >= np.pi):
        raise PlainFormError("this box goes past half a turn, which plain nodes cannot follow")
    if kind == "swing-twist":
        if region["kind"] == "obb":
            raise PlainFormError("plain nodes can hold swing and twist, not boxes turned in them")
        chart = SwingTwist(IDENTITY, np.asarray(shape["coordinates"]["axis"], dtype=np.float64))
        axes = np.vstack([chart.axis, chart.across])
        order = [2, 0, 1]
        return quaternion_from_matrix(axes.T), low[order], high[order]
    axes = np.asarray(region["axes"], dtype=np.float64) if region["kind"] == "obb" else np.eye(3)
    if np.linalg.det(axes) < 0.0:
        # Three axes that are a mirror image are no rotation; the last one turned round is.
        axes = axes * np.array([[1.0], [1.0], [-1.0]])
        low, high = np.append(low[:2], -high[2]), np.append(high[:2], -low[2])
    return quaternion_from_matrix(axes.T), low, high


def _quaternion(attributes: Attributes, name: str) -> Floats:
    return quaternion_from_euler(attributes.vector(name))


def _matrix(quaternion: Floats) -> om.MMatrix:
    """Maya's matrix of a rotation: for row vectors."""
    whole = np.eye(4)
    whole[:3, :3] = matrix_from_quaternion(quaternion).T
    return om.MMatrix(whole.ravel().tolist())
