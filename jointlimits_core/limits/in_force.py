"""Which coupled limits count: not those of joints whose ranges or type an artist decided.

A shape says what the motion did. Where an artist has said otherwise her ranges hold alone, narrower
or wider, until a shape is fitted again or the edits are taken back. So do they where the range of a
channel depends on another channel.
"""

from __future__ import annotations

from .coupled_limit import CoupledLimit
from .dependency import Dependency
from .limit_set import LimitSet

DECIDES = ("min", "max", "state", "type")
"""Targets of edits that say what a joint may do."""
BY_ARTIST = "an artist's ranges hold there"
BY_SHAPE = "the joint's shape holds that already"
NO_LIMIT = "the joint has no limits"
CIRCULAR = "of two joints only the first can drive the other; fit again"
"""Which versions did that found dependencies and did not keep to them."""


def shapes_in_force(limit_set: LimitSet) -> dict[str, CoupledLimit]:
    """Coupled limits that count, by joint."""
    aside = set(shapes_set_aside(limit_set))
    return {
        name: joint.coupled
        for name, joint in limit_set.joints.items()
        if joint.coupled is not None and name not in aside
    }


def joints_decided(limit_set: LimitSet) -> frozenset[str]:
    """Joints of which an artist decided the ranges or the type."""
    return frozenset(edit.joint for edit in limit_set.edits if edit.target in DECIDES)


def shapes_set_aside(limit_set: LimitSet) -> tuple[str, ...]:
    """Joints that have a shape which does not count, because an artist decided otherwise."""
    decided = joints_decided(limit_set)
    return tuple(
        name
        for name, joint in limit_set.joints.items()
        if joint.coupled is not None and (name in decided or joint.type == "fixed")
    )


def dependencies_in_force(limit_set: LimitSet) -> tuple[Dependency, ...]:
    """Ranges depending on another channel that count."""
    return tuple(
        item for item in limit_set.dependencies if why_not_in_force(limit_set, item) is None
    )


def why_not_in_force(limit_set: LimitSet, dependency: Dependency) -> str | None:
    """Say why a dependency does not count; None for one that does.

    Channels of one joint are in its shape together, which is never wider than any two of them.
    """
    joints = limit_set.joints
    order = {name: place for place, name in enumerate(joints)}
    if any(name not in joints for name in (dependency.joint, dependency.on_joint)):
        return NO_LIMIT
    if joints[dependency.joint].type == "fixed":
        return NO_LIMIT
    if order[dependency.on_joint] > order[dependency.joint]:
        return CIRCULAR
    for edit in limit_set.edits:
        if edit.joint == dependency.joint and edit.target in (*DECIDES, "frame"):
            return BY_ARTIST
        if edit.joint == dependency.on_joint and edit.target == "frame":
            return BY_ARTIST
    if dependency.joint == dependency.on_joint and joints[dependency.joint].coupled is not None:
        return BY_SHAPE
    return None
