"""Limits of one kind, stacked to be evaluated for all their joints at once.

A figure has few joints and a step needs little of each, so call overhead would dominate. Boxes of
one rotate order and hinges are stacked; all other limits stay separate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Integers
from .joint_constraint import FreeJoint, HingeJoint, JointConstraint
from .rotate_box import RotateBox


@dataclass(frozen=True, eq=False)
class LimitGroup:
    """A constraint, and the columns of its turning joints.

    Parameters
    ----------
    columns : array of int, shape (joints,)
    constraint : JointConstraint
        Takes rotations of shape (..., joints, 4).
    """

    columns: Integers
    constraint: JointConstraint


def grouped(
    joints: Sequence[int], constraints: Mapping[int, JointConstraint]
) -> tuple[LimitGroup, ...]:
    """Stack the constraints of turning joints.

    Parameters
    ----------
    joints : sequence of int
        The turning joints; a joint's index in this sequence is its column.
    constraints : mapping of joint index to JointConstraint

    Returns
    -------
    tuple of LimitGroup
        Without joints that have no limits.
    """
    boxes: dict[str, list[tuple[int, RotateBox]]] = {}
    hinges: list[tuple[int, HingeJoint]] = []
    groups: list[LimitGroup] = []
    for column, joint in enumerate(joints):
        constraint = constraints.get(joint, FreeJoint())
        if isinstance(constraint, RotateBox):
            boxes.setdefault(constraint.rotate_order, []).append((column, constraint))
        elif isinstance(constraint, HingeJoint):
            hinges.append((column, constraint))
        elif not isinstance(constraint, FreeJoint):
            groups.append(LimitGroup(np.array([column]), constraint))
    groups += [_boxes(order, some) for order, some in boxes.items()]
    if hinges:
        groups.append(_hinges(hinges))
    return tuple(groups)


def _boxes(order: str, some: Sequence[tuple[int, RotateBox]]) -> LimitGroup:
    stacked = RotateBox(
        order,
        np.stack([box.joint_orient for _, box in some]),
        np.stack([box.rotate_axis for _, box in some]),
        np.stack([box.low for _, box in some]),
        np.stack([box.high for _, box in some]),
    )
    return LimitGroup(np.array([column for column, _ in some]), stacked)


def _hinges(some: Sequence[tuple[int, HingeJoint]]) -> LimitGroup:
    stacked = HingeJoint(
        np.stack([hinge.axis for _, hinge in some]),
        np.stack([hinge.reference for _, hinge in some]),
        np.array([hinge.low for _, hinge in some], dtype=np.float64),
        np.array([hinge.high for _, hinge in some], dtype=np.float64),
    )
    return LimitGroup(np.array([column for column, _ in some]), stacked)
