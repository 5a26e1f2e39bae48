"""Protection of the scene from changes while it is read, and bypass of its limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from maya import cmds

from ..base.open_maya import om, oma
from .joints import node_name, references_of
from .plugs import ENABLES, Attributes, obstacle


@contextmanager
def scene_untouched() -> Iterator[None]:
    """Restore what reading may change: time, selection, undo, modified flag, autokey, evaluation.

    Only what changed is set, so that reading alone causes no evaluation and no undo. Restores after
    errors and cancellation, and every part even if another one fails.
    """
    with ExitStack() as restored:
        # Registered first, so restored last: restoring the others may set it.
        restored.callback(_restore_modified, cmds.file(query=True, modified=True))
        restored.callback(_restore_undo, cmds.undoInfo(query=True, state=True))
        restored.callback(_restore_selection, om.MGlobal.getActiveSelectionList())
        restored.callback(_restore_evaluation, _evaluation_mode())
        restored.callback(_restore_time, oma.MAnimControl.currentTime())
        restored.callback(oma.MAnimControl.setAutoKeyMode, oma.MAnimControl.autoKeyMode())
        # With autokey on, changing the time could key values that are not keyed.
        oma.MAnimControl.setAutoKeyMode(False)
        yield


@contextmanager
def refresh_suspended() -> Iterator[None]:
    """Suspend viewport drawing while the time changes."""
    cmds.refresh(suspend=True)
    try:
        yield
    finally:
        cmds.refresh(suspend=False)


def _restore_modified(modified: bool) -> None:
    if cmds.file(query=True, modified=True) != modified:
        cmds.file(modified=modified)


def _restore_undo(on: bool) -> None:
    if cmds.undoInfo(query=True, state=True) != on:
        cmds.undoInfo(stateWithoutFlush=on)


def _restore_selection(selection: om.MSelectionList) -> None:
    before, now = selection.getSelectionStrings(), om.MGlobal.getActiveSelectionList()
    if now.getSelectionStrings() != before:
        om.MGlobal.setActiveSelectionList(selection)


def _evaluation_mode() -> list[str]:
    mode: list[str] = cmds.evaluationManager(query=True, mode=True)
    return mode


def _restore_evaluation(mode: list[str]) -> None:
    if _evaluation_mode() != mode:
        cmds.evaluationManager(mode=mode[0])


def _restore_time(time: om.MTime) -> None:
    if oma.MAnimControl.currentTime() != time:
        # live check: api-time-change-without-undo
        oma.MAnimControl.setCurrentTime(time)


@contextmanager
def limits_bypassed(joints: Iterable[om.MObject]) -> Iterator[list[str]]:
    """Switch the rotation limits of joints off while something is read.

    Limits clamp the values of a joint, and so the results of constraints and solvers that read it.
    They are set through their plugs, which adds no undo and records no reference edits.

    Yields names of joints whose limits are locked or connected and could not be switched off.
    """
    stuck: dict[str, None] = {}
    with ExitStack() as restored:
        for joint in joints:
            attributes = Attributes(joint)
            on = [plug for plug in map(attributes.plug, ENABLES) if plug.asBool()]
            free = [plug for plug in on if obstacle(plug) is None]
            if len(free) < len(on):
                stuck[node_name(joint)] = None
            if free:
                references = references_of(joint)
                for plug in free:
                    # Registered first, so that it is restored even if switching fails half-way.
                    restored.callback(_set, plug, True, references)
                    _set(plug, False, references)
        yield list(stuck)


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
