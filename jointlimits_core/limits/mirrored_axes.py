"""Axes of hinges and universal joints, mirrored from one side of the body to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..geometry import ArrayLike, rotated
from .limit_set import Hinge, JointLimit, Universal

SAME_HINGE_DEG = 20.0
"""Hinges whose mirrored axes differ by more have no range in common."""

Vector = tuple[float, float, float]


def _carried(axis: Sequence[float], turn: ArrayLike) -> Vector:
    x, y, z = rotated(turn, axis).tolist()
    return x, y, z


def _opposite(axis: Vector) -> Vector:
    return (0.0 - axis[0], 0.0 - axis[1], 0.0 - axis[2])


def carried_hinge(hinge: Hinge, parent_turn: ArrayLike, child_turn: ArrayLike) -> Hinge:
    """Hinge mirrored to the partner's side.

    `parent_turn` and `child_turn` have shape (4,): from
    :class:`jointlimits_core.motion.mirror.MirrorFrames`, or their inverses for the way back. The
    result comes with the same range: a mirrored turn about the mirrored axis has the same angle.
    """
    return replace(
        hinge,
        axis_parent=_carried(hinge.axis_parent, parent_turn),
        axis_child=_carried(hinge.axis_child, child_turn),
    )


def hinges_off_deg(first: Hinge, second: Hinge) -> float:
    """Angle between two axes in the parent's space, regardless of their signs."""
    a, b = np.array(first.axis_parent), np.array(second.axis_parent)
    sine = float(np.linalg.norm(np.cross(a, b)))
    return float(np.degrees(np.arctan2(sine, abs(float(a @ b)))))


def joined_hinge(own: Hinge, other: Hinge) -> Hinge:
    """Hinge on the own axis with the union of both ranges; unchanged where the axes disagree.

    `other`: the partner's, mirrored.
    """
    if hinges_off_deg(own, other) > SAME_HINGE_DEG:
        return own
    other = same_way(other, own)
    low, high = min(own.min_deg, other.min_deg), max(own.max_deg, other.max_deg)
    return replace(own, min_deg=low, max_deg=high)


def same_way(hinge: Hinge, like: Hinge) -> Hinge:
    """Same hinge, about the opposite axis if that is nearer to the axis of another hinge."""
    if float(np.dot(hinge.axis_parent, like.axis_parent)) >= 0.0:
        return hinge
    return replace(
        hinge,
        axis_parent=_opposite(hinge.axis_parent),
        axis_child=_opposite(hinge.axis_child),
        min_deg=0.0 - hinge.max_deg,
        max_deg=0.0 - hinge.min_deg,
    )


def with_partner_axes(
    own: JointLimit, partner: JointLimit, parent_turn: ArrayLike, child_turn: ArrayLike
) -> JointLimit:
    """Joint with the axis information of its partner.

    Two hinges get the union of their ranges. A side that did not move takes the type and the axes
    of a partner that did. `parent_turn` and `child_turn` have shape (4,): from the partner's spaces
    to the own ones.
    """
    hinge, universal = partner.hinge, partner.universal
    carried = None if hinge is None else carried_hinge(hinge, parent_turn, child_turn)
    if own.hinge is not None and carried is not None:
        return replace(own, hinge=joined_hinge(own.hinge, carried))
    if own.evidence.sure != "no motion" or partner.evidence.sure == "no motion":
        return own
    axes = None
    if universal is not None:
        axes = Universal(
            _carried(universal.axis_parent, parent_turn), _carried(universal.axis_child, child_turn)
        )
    return replace(own, type=partner.type, hinge=carried, universal=axes)
