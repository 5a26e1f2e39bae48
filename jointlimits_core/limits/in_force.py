"""Which coupled limits count: not those of joints whose ranges or type an artist decided.

A shape says what the motion did. Where an artist has said otherwise her ranges hold alone, narrower
or wider, until a shape is fitted again or the edits are taken back.
"""

from __future__ import annotations

from .coupled_limit import CoupledLimit
from .limit_set import LimitSet

DECIDES = ("min", "max", "state", "type")
"""Targets of edits that say what a joint may do."""


def shapes_in_force(limit_set: LimitSet) -> dict[str, CoupledLimit]:
    """Coupled limits that count, by joint.

    Parameters
    ----------
    limit_set : LimitSet
    """
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
