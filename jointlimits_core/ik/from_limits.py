"""Constraints from a limit set, in the forms of Engell-Nørregård and Erleben, figure 8.

The forms are: no limits, joint types only, boxes, coupled shapes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..geometry import arrays, euler
from ..limits import layers, ranges
from ..limits.limit_set import JointLimit, LimitSet
from ..motion.name_matching import matched_joints
from ..motion.reorient import hinge_rest
from ..motion.skeleton import Skeleton
from ..shapes import coupled_limit, fitting, shape
from .constraints import FixedJoint, HingeJoint, JointConstraint, ShapeLimit, UniversalJoint
from .dependent_ranges import with_dependent_ranges
from .rotate_box import rotate_box_of

FORMS = ("none", "types", "box", "coupled")


def constraints_of(
    limit_set: LimitSet,
    skeleton: Skeleton,
    form: str,
    shapes: Mapping[str, shape.CoupledShape] | None = None,
) -> dict[int, JointConstraint]:
    """Constraints for a skeleton's joints by index, except roots, whose motion is given.

    `limit_set`: limits of rotate channels; joints are matched by name. `form`: "none"; "types"
    (fixed, hinge about its axis, universal or ball, without ranges); "box" (rotate limits, as in
    Maya); "coupled" (the shape if there is one, else the range about a hinge's axis, else the box,
    and in each case the ranges that depend on other joints).
    `shapes`: coupled limits that replace those of the limit set, by its joint names. Raises
    ValueError for an unknown form.
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, not {form!r}")
    found = matched_joints(limit_set.joints, skeleton.names)
    in_force, placing = layers.active_shapes(limit_set), skeleton.placing_joints
    constraints: dict[int, JointConstraint] = {}
    for name, index in found.items():
        if form != "none" and index not in placing and not limit_set.joints[name].is_root:
            constraints[index] = _constraint(
                limit_set.joints[name], form, (shapes or {}).get(name), in_force.get(name)
            )
    if form == "coupled":
        depending = layers.active_dependencies(limit_set)
        for name, index in found.items():
            own = [item for item in depending if item.joint == name]
            if index in constraints:
                constraints[index] = with_dependent_ranges(
                    constraints[index], limit_set, own, found
                )
    return constraints


def _constraint(
    joint: JointLimit,
    form: str,
    given: shape.CoupledShape | None,
    own: coupled_limit.CoupledLimit | None,
) -> JointConstraint:
    if form == "box":
        return rotate_box_of(joint)
    if joint.type == "fixed":
        return FixedJoint(_rotation(joint, joint.preferred_deg))
    if form == "types":
        if joint.type == "hinge":
            return hinge_of(joint, limited=False)
        if joint.type == "universal" and joint.universal is not None:
            axes = joint.universal
            return UniversalJoint(np.array(axes.axis_parent), np.array(axes.axis_child))
        return JointConstraint()
    if given is not None:
        return ShapeLimit(given)
    # The range about the axis does not include limits that an artist set.
    bounds = [bound for axis in joint.limits.values() for bound in axis.source.known]
    if joint.type == "hinge" and all(bound.kind != "artist" for bound in bounds):
        return hinge_of(joint, limited=True, pad_deg=own.pad_deg if own else 0.0)
    return rotate_box_of(joint) if own is None else ShapeLimit(fitting.shape_of_limit(own))


def hinge_of(joint: JointLimit, limited: bool, pad_deg: float = 0.0) -> JointConstraint:
    """Hinge of a joint limit, at angle zero in the rest pose; a free joint if there is no axis.

    `limited`: whether the range applies, or only the axis. `pad_deg`: degrees added to the range on
    both sides, as in the coupled limit.
    """
    hinge = joint.hinge
    if hinge is None:
        return JointConstraint()
    parent, child = np.array(hinge.axis_parent), np.array(hinge.axis_child)
    reference = hinge_rest(_rotation(joint, joint.rest.rotate_deg), parent, child)
    ends = np.radians([hinge.min_deg - pad_deg, hinge.max_deg + pad_deg])
    low, high = ends if limited else (-np.inf, np.inf)
    return HingeJoint(child, reference, float(low), float(high))


def _rotation(joint: JointLimit, rotate_deg: tuple[float, float, float]) -> arrays.Floats:
    orient, axis = ranges.orientation_of(joint.orientation)
    return euler.local_from_rotate(
        np.radians(rotate_deg), orient, axis, joint.orientation.rotate_order
    )
