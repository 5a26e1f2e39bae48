"""Protection of the scene from changes while it is read, and bypassing of limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from maya import cmds

from ..base.open_maya import om, oma
from .joints import node_name, references_of
from .plugs import ENABLES, Attributes, obstacle


@contextmanager
def scene_untouched() -> Iterator[None]:
    """Restore the parts of the scene's state that reading may change.

    These are time, selection, undo, modified flag, autokey and evaluation mode. Only changed parts
    are set, so reading by itself triggers no evaluation and adds no undo. All parts are restored
    after errors and cancellation as well, and even if restoring one of them fails.
    """
    selection = om.MGlobal.getActiveSelectionList()
    states: tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...] = (
        # Listed first, so restored last: restoring the others may set the modified flag.
        (lambda: cmds.file(query=True, modified=True), lambda on: cmds.file(modified=on)),
        (
            lambda: cmds.undoInfo(query=True, state=True),
            lambda on: cmds.undoInfo(stateWithoutFlush=on),
        ),
        (
            lambda: om.MGlobal.getActiveSelectionList().getSelectionStrings(),
            lambda _: om.MGlobal.setActiveSelectionList(selection),
        ),
        (
            lambda: cmds.evaluationManager(query=True, mode=True),
            lambda mode: cmds.evaluationManager(mode=mode[0]),
        ),
        (oma.MAnimControl.currentTime, go_to),
        (oma.MAnimControl.autoKeyMode, oma.MAnimControl.setAutoKeyMode),
    )

    def restore(read: Callable[[], Any], write: Callable[[Any], object], before: object) -> None:
        if read() != before:
            write(before)

    with ExitStack() as restored:
        for read, write in states:
            restored.callback(restore, read, write, read())
        # With autokey on, changing the time could key unkeyed values.
        oma.MAnimControl.setAutoKeyMode(False)
        yield


@contextmanager
def parallel_evaluation_off() -> Iterator[None]:
    """Evaluate the scene in this thread alone while the time changes.

    A change of time through the API holds Python's lock. A Python node that another thread
    evaluates meanwhile would wait for the lock, and Maya for the node, forever.
    """
    # live check: python-node-in-parallel
    (mode,) = cmds.evaluationManager(query=True, mode=True)
    if mode != "off":
        cmds.evaluationManager(mode="off")
    try:
        yield
    finally:
        if mode != "off":
            cmds.evaluationManager(mode=mode)


def go_to(time: om.MTime) -> None:
    """Change the current time, without an undo step."""
    with parallel_evaluation_off():
        # live check: api-time-change-without-undo
        oma.MAnimControl.setCurrentTime(time)


@contextmanager
def refresh_suspended() -> Iterator[None]:
    """Suspend viewport drawing while the time changes."""
    cmds.refresh(suspend=True)
    try:
        yield
    finally:
        cmds.refresh(suspend=False)


@contextmanager
def limits_bypassed(joints: Iterable[om.MObject]) -> Iterator[list[str]]:
    """Switch the rotation limits of joints off while something is read.

    Limits clamp a joint's values, and so change the results of constraints and solvers that read
    them. Limits are switched through their plugs, which adds no undo and no reference edits.

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
                references, handle = references_of(joint), om.MObjectHandle(joint)
                for plug in free:
                    # Registered before switching, so that it runs even if switching fails half-way.
                    restored.callback(_switch_on_again, plug, references, handle)
                    _set_switch(plug, False, references)
        yield list(stuck)


def _switch_on_again(
    plug: om.MPlug, references: list[om.MFnReference], joint: om.MObjectHandle
) -> None:
    """Switch a limit on again, unless its joint was deleted meanwhile."""
    if joint.isValid():
        _set_switch(plug, True, references)


def _set_switch(plug: om.MPlug, on: bool, references: list[om.MFnReference]) -> None:
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
