"""Joints that cannot be written at all, and what to do about them."""

from __future__ import annotations

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_plan import Skipped, skipped_attribute

from .past_limits import references_of
from .provenance import ATTRIBUTE, unreadable


def left_joint(name: str, node: om.MObject) -> Skipped | None:
    """Why nothing can be written on a joint, or put back later; None if it can.

    Parameters
    ----------
    name : str
        For the message.
    node : MObject
    """
    if any(reference.isLocked() for reference in references_of(node)):
        return skipped_attribute(name, "", "in a locked reference")
    if om.MFnDependencyNode(node).isLocked:
        # A locked node takes no attribute, so nothing could be put back.
        return Skipped(name, "", "the node is locked", "unlock it (lockNode -lock off)")
    if unreadable(node):
        advice = (
            f"another version wrote its attribute {ATTRIBUTE}, or somebody edited it; use that "
            "version, or delete the attribute and set the limits by hand"
        )
        return Skipped(name, "", "has a record that cannot be read", advice)
    return None
