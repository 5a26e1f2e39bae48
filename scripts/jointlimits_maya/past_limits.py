"""Looking past limits: switched off for a moment, and on again, without a trace.

Limits clamp what a joint shows, and with it what constraints and solvers make of that joint. While
such values are read, limits that are on are switched off by their plugs: this is no entry on the
undo queue, and references are told not to record it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

import maya.api.OpenMaya as om
from maya import cmds

from .attributes import AXES, Attributes
from .names import node_name

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
        Names of joints with limits that could not be switched off: locked or connected.
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
    """True if a value can be set on a plug and stays."""
    whole = [plug, *([plug.parent()] if plug.isChild else [])]
    driven = any(one.isLocked or one.isDestination for one in whole)
    return not driven and plug.isFreeToChange() == om.MPlug.kFreeToChange


def _switch_off(joint: om.MObject, plugs: list[om.MPlug], restored: ExitStack) -> None:
    """Switch limits off, and put off what switches them on again."""
    references = references_of(joint)
    for plug in plugs:
        # Before the switch: should that fail half-way, this one is still put back.
        restored.callback(_set, plug, True, references)
        _set(plug, False, references)


def _set(plug: om.MPlug, on: bool, references: list[om.MFnReference]) -> None:
    """Set a switch; the references do not record it."""
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
    """The reference that a joint comes from, and those around that one."""
    if not om.MFnDependencyNode(joint).isFromReferencedFile:
        return []
    found = []
    name = cmds.referenceQuery(node_name(joint), referenceNode=True)
    node = om.MSelectionList().add(name).getDependNode(0)
    while not node.isNull():
        found.append(om.MFnReference(node))
        node = found[-1].parentReference()
    return found
