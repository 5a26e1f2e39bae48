"""Active coupled limits: not those of joints whose ranges or type an artist edited.

A shape describes the motion. Where an artist decided otherwise, the edited ranges apply alone,
narrower or wider, until the shape is fitted again or the edits are undone. The same holds for
ranges that depend on another channel.
"""

from __future__ import annotations

from .coupled_limit import CoupledLimit
from .dependency import Dependency
from .limit_set import LimitSet

DECIDES = ("min", "max", "state", "type")
"""Edit targets that define what a joint may do."""
BY_ARTIST = "an artist's ranges take precedence"
BY_SHAPE = "covered by the joint's shape"
NO_LIMIT = "the joint has no limits"
CIRCULAR = "of two joints only the first can drive the other; fit again"
"""For files of versions that found dependencies without applying them."""


def shapes_in_force(limit_set: LimitSet) -> dict[str, CoupledLimit]:
    """Active coupled limits, by joint."""
    aside = set(shapes_set_aside(limit_set))
    return {
        name: joint.coupled
        for name, joint in limit_set.joints.items()
        if joint.coupled is not None and name not in aside
    }


def joints_decided(limit_set: LimitSet) -> frozenset[str]:
    """Joints whose ranges or type an artist edited."""
    return frozenset(edit.joint for edit in limit_set.edits if edit.target in DECIDES)


def shapes_set_aside(limit_set: LimitSet) -> tuple[str, ...]:
    """Joints with an inactive shape, because of an artist's edits."""
    decided = joints_decided(limit_set)
    return tuple(
        name
        for name, joint in limit_set.joints.items()
        if joint.coupled is not None and (name in decided or joint.type == "fixed")
    )


def dependencies_in_force(limit_set: LimitSet) -> tuple[Dependency, ...]:
    """Active ranges that depend on another channel."""
    return tuple(
        item for item in limit_set.dependencies if why_not_in_force(limit_set, item) is None
    )


def why_not_in_force(limit_set: LimitSet, dependency: Dependency) -> str | None:
    """Reason why a dependency is inactive; None for an active one.

    Dependencies within one joint are part of its shape, which is never wider than any two channels.
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
