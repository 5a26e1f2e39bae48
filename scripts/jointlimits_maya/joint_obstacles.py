"""Joints that cannot be written at all, with reason and advice."""

from __future__ import annotations

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_plan import Skipped, skipped_attribute

from .past_limits import references_of
from .provenance import ATTRIBUTE, unreadable


def left_joint(name: str, node: om.MObject) -> Skipped | None:
    """Reason why a joint can neither be written nor restored; None if it can.

    Parameters
    ----------
    name : str
        For the message.
    node : MObject
    """
    if any(reference.isLocked() for reference in references_of(node)):
        return skipped_attribute(name, "", "in a locked reference")
    if om.MFnDependencyNode(node).isLocked:
        # A locked node takes no new attribute, so nothing could be restored.
        return Skipped(name, "", "the node is locked", "unlock it (lockNode -lock off)")
    if unreadable(node):
        advice = (
            f"its attribute {ATTRIBUTE} was written by another version or edited by hand; use that "
            "version, or delete the attribute and set the limits by hand"
        )
        return Skipped(name, "", "unreadable record", advice)
    return None
