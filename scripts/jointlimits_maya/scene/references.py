"""Bypass of limits: switched off while values are read, and on again without a trace.

Limits clamp the values of a joint, and so the results of constraints and solvers that read it.
While such values are read, limits are switched off through their plugs, which adds no undo, and
references do not record the edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

import maya.api.OpenMaya as om
from maya import cmds

from .names import node_name
from .plugs import AXES, Attributes

ENABLES = tuple(f"{edge}Rot{axis}LimitEnable" for edge in ("min", "max") for axis in AXES)


@contextmanager
def limits_looked_past(joints: Iterable[om.MObject]) -> Iterator[list[str]]:
    """Switch the rotation limits of joints off while something is read.

    Parameters
    ----------
    joints : iterable of MObject

    Yields
    ------
    list of str
        Names of joints whose limits are locked or connected and could not be switched off.
    """
    stuck: dict[str, None] = {}
    with ExitStack() as restored:
        for joint in joints:
            attributes = Attributes(joint)
            on = [plug for plug in map(attributes.plug, ENABLES) if plug.asBool()]
            free = [plug for plug in on if is_free(plug)]
            if len(free) < len(on):
                stuck[node_name(joint)] = None
            if free:
                _switch_off(joint, free, restored)
        yield list(stuck)


def is_free(plug: om.MPlug) -> bool:
    """Whether a plug can be set and keeps its value."""
    whole = [plug, *([plug.parent()] if plug.isChild else [])]
    driven = any(one.isLocked or one.isDestination for one in whole)
    return not driven and plug.isFreeToChange() == om.MPlug.kFreeToChange


def _switch_off(joint: om.MObject, plugs: list[om.MPlug], restored: ExitStack) -> None:
    """Switch limits off, and register what switches them on again."""
    references = references_of(joint)
    for plug in plugs:
        # Registered first, so that the plug is restored even if switching fails half-way.
        restored.callback(_set, plug, True, references)
        _set(plug, False, references)


def _set(plug: om.MPlug, on: bool, references: list[om.MFnReference]) -> None:
    """Set an enable plug without recording a reference edit."""
    # live check: ignored-reference-edits
    before = [reference.ignoreReferenceEdits() for reference in references]
    try:
        for reference in references:
            reference.setIgnoreReferenceEdits(True)
        # live check: api-sets-without-undo
        plug.setBool(on)
    finally:
        for reference, ignored in zip(references, before):
            reference.setIgnoreReferenceEdits(ignored)


def references_of(joint: om.MObject) -> list[om.MFnReference]:
    """The reference that a joint comes from, and the references that contain it."""
    if not om.MFnDependencyNode(joint).isFromReferencedFile:
        return []
    found = []
    name = cmds.referenceQuery(node_name(joint), referenceNode=True)
    node = om.MSelectionList().add(name).getDependNode(0)
    while not node.isNull():
        found.append(om.MFnReference(node))
        node = found[-1].parentReference()
    return found
