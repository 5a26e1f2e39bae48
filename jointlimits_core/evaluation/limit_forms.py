"""The forms in which limits may be kept: none, types only, boxes, coupled shapes.

They are what figure 8 of Engell-Nørregård and Erleben compares, and what `ik` may be asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..arrays import Floats
from ..euler import quaternion_from_euler
from ..joint_frame import local_from_rotate
from ..limits.limit_set import JointLimit, LimitSet
from ..limits.shapes.fitting import shape_of_limit
from ..limits.shapes.shape import Shape
from ..rotation import multiply, quaternion_between_vectors, rotated
from ..skeleton import Skeleton
from .joint_constraint import (
    FixedJoint,
    FreeJoint,
    HingeJoint,
    JointConstraint,
    ShapeLimit,
    UniversalJoint,
)
from .matching import matched_joints
from .rotate_box import rotate_box_of

FORMS = ("none", "types", "box", "coupled")


def constraints_of(
    limit_set: LimitSet,
    skeleton: Skeleton,
    form: str,
    shapes: Mapping[str, Shape] | None = None,
) -> dict[int, JointConstraint]:
    """Constraints for the joints of a skeleton.

    Parameters
    ----------
    limit_set : LimitSet
        With limits of rotate channels.
    skeleton : Skeleton
        Its joints are found by name.
    form : str
        "none"; "types" (fixed, hinge about its axis, universal, ball, no bounds); "box" (rotate
        limits, as Maya keeps them); "coupled" (a shape where there is one, else the interval about
        a hinge's axis, else the box).
    shapes : mapping of joint name to Shape, optional
        Coupled limits, by the names in the limit set, to be used instead of its own.

    Returns
    -------
    dict of joint index to JointConstraint
        Roots have none: where they are is given.

    Raises
    ------
    ValueError
        For another form.
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, not {form!r}")
    found = matched_joints(limit_set.joints, skeleton.names)
    constraints: dict[int, JointConstraint] = {}
    for name, index in found.items():
        if form != "none" and not skeleton.is_root(index):
            shape = (shapes or {}).get(name)
            constraints[index] = _constraint(limit_set.joints[name], form, shape)
    return constraints


def _constraint(joint: JointLimit, form: str, shape: Shape | None) -> JointConstraint:
    if form == "box":
        return rotate_box_of(joint)
    if form == "types":
        return _type_only(joint)
    if joint.type == "fixed":
        return FixedJoint(_rotation(joint, joint.preferred_deg))
    if joint.type == "hinge":
        return hinge_of(joint, limited=True)
    own = shape or _shape_of(joint)
    return rotate_box_of(joint) if own is None else ShapeLimit(own)


def _shape_of(joint: JointLimit) -> Shape | None:
    return None if joint.coupled is None else shape_of_limit(joint.coupled)


def _type_only(joint: JointLimit) -> JointConstraint:
    if joint.type == "fixed":
        return FixedJoint(_rotation(joint, joint.preferred_deg))
    if joint.type == "hinge":
        return hinge_of(joint, limited=False)
    if joint.type == "universal" and joint.universal is not None:
        axes = joint.universal
        return UniversalJoint(np.array(axes.axis_parent), np.array(axes.axis_child))
    return FreeJoint()


def hinge_of(joint: JointLimit, limited: bool) -> JointConstraint:
    """Hinge of a joint limit, its angle zero at the rest pose.

    Parameters
    ----------
    joint : JointLimit
    limited : bool
        Whether it keeps to the interval, or to the axis alone.

    Returns
    -------
    JointConstraint
        A free joint where the limit has no axis.
    """
    hinge = joint.hinge
    if hinge is None:
        return FreeJoint()
    parent, child = np.array(hinge.axis_parent), np.array(hinge.axis_child)
    rest = _rotation(joint, joint.rest.rotate_deg)
    # The rotation on the hinge that is nearest to the rest pose: the axes on each other.
    reference = multiply(quaternion_between_vectors(rotated(rest, child), parent), rest)
    low, high = np.radians([hinge.min_deg, hinge.max_deg]) if limited else (-np.inf, np.inf)
    return HingeJoint(child, reference, float(low), float(high))


def _rotation(joint: JointLimit, rotate_deg: tuple[float, float, float]) -> Floats:
    frame = joint.frame
    orient, axis = quaternion_from_euler(
        np.radians([frame.joint_orient_deg, frame.rotate_axis_deg])
    )
    return local_from_rotate(np.radians(rotate_deg), orient, axis, frame.rotate_order)
