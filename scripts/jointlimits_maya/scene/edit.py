"""Changes to the open scene that are made and undone together, or not at all.

A step can be done, undone and redone. Most steps are modifiers, which Maya itself undoes; the
others change keys (MAnimCurveChange), the selection, or locks, which modifiers do not support.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import methodcaller
from typing import Any, Union

from maya import cmds

from ..base import host
from ..base.host import MayaRefusedError
from ..base.open_maya import om, oma
from .rollback import API_ERRORS, Trace, TracedModifier, unrestored_names


@dataclass(frozen=True)
class Angle:
    """A value in radians for an angle attribute."""

    radians: float


@dataclass(frozen=True)
class Length:
    """A value in centimetres for a length attribute."""

    centimeters: float


Value = Union[bool, int, float, str, Angle, Length, om.MMatrix]


def put_value(modifier: om.MDGModifier, plug: om.MPlug, value: Value) -> None:
    """Make a modifier set a plug to a value."""
    if isinstance(value, Angle):
        modifier.newPlugValueMAngle(plug, om.MAngle(value.radians, om.MAngle.kRadians))
    elif isinstance(value, Length):
        length = om.MDistance(value.centimeters, om.MDistance.kCentimeters)
        modifier.newPlugValueMDistance(plug, length)
    elif isinstance(value, om.MMatrix):
        modifier.newPlugValue(plug, om.MFnMatrixData().create(value))
    elif isinstance(value, bool):
        modifier.newPlugValueBool(plug, value)
    elif isinstance(value, str):
        modifier.newPlugValueString(plug, value)
    elif isinstance(value, int):
        modifier.newPlugValueInt(plug, value)
    else:
        modifier.newPlugValueDouble(plug, value)


class Step:
    """Part of an edit that can be done, undone and redone."""

    def do(self) -> None:
        """Do the step for the first time."""
        raise NotImplementedError

    def undo(self) -> None:
        """Undo the step, or the part of it that was done before it failed."""
        raise NotImplementedError

    def redo(self) -> None:
        """Redo the step."""
        self.do()

    def unrestored_places(self) -> list[str]:
        """Return the places that a failed undo did not restore."""
        raise NotImplementedError


class _ModifierStep(Step):
    """Changes made by a modifier. `kind`: its class. `fill`: adds the changes to it."""

    def __init__(self, fill: Callable[[Any], object], kind: type[om.MDGModifier]) -> None:
        self._fill, self._kind = fill, kind
        self._modifier: om.MDGModifier | None = None
        self._traces: list[Trace] = []

    def do(self) -> None:
        modifier, self._traces = self._kind(), []
        self._modifier = None
        self._fill(TracedModifier(modifier, self._traces))
        self._modifier = modifier
        modifier.doIt()

    def undo(self) -> None:
        # A modifier that failed half-way has made some of its changes.
        if self._modifier is not None:
            self._modifier.undoIt()

    def redo(self) -> None:
        # Redoing the same modifier brings back the very nodes that it created.
        # live check: modifier-redo-keeps-nodes
        if self._modifier is not None:
            self._modifier.doIt()

    def unrestored_places(self) -> list[str]:
        return unrestored_names(self._traces)


ChangeKeys = Callable[[oma.MFnAnimCurve, oma.MAnimCurveChange], None]
"""Function that edits a curve and records every call in the given change."""


class _KeysStep(Step):
    def __init__(self, curve: Callable[[], om.MObject], change_keys: ChangeKeys) -> None:
        self._curve, self._change_keys = curve, change_keys
        self._change = oma.MAnimCurveChange()
        self._name = ""

    def do(self) -> None:
        # Also to redo it: redoIt of a change with addKeys may break later changes.
        # live check: redo-after-add-keys
        self._change = oma.MAnimCurveChange()
        curve = oma.MFnAnimCurve(self._curve())
        self._name = str(curve.name())
        self._change_keys(curve, self._change)

    def undo(self) -> None:
        self._change.undoIt()

    def unrestored_places(self) -> list[str]:
        return [f"the keys of {self._name}"]


class _LockStep(Step):
    def __init__(self, plug: om.MPlug, locked: bool) -> None:
        self._plug, self._locked = plug, locked
        self._before: bool | None = None

    def do(self) -> None:
        # live check: plug-lock
        self._before = bool(self._plug.isLocked)
        self._plug.isLocked = self._locked

    def undo(self) -> None:
        if self._before is not None and bool(self._plug.isLocked) != self._before:
            self._plug.isLocked = self._before

    def unrestored_places(self) -> list[str]:
        return [f"the lock of {self._plug.name()}"]


class _SelectStep(Step):
    def __init__(self, nodes: Callable[[], Sequence[om.MObject]]) -> None:
        self._nodes = nodes
        self._before: om.MSelectionList | None = None

    def do(self) -> None:
        # live check: api-selection-in-undo
        self._before = om.MGlobal.getActiveSelectionList()
        chosen = om.MSelectionList()
        for node in self._nodes():
            chosen.add(node)
        om.MGlobal.setActiveSelectionList(chosen)

    def undo(self) -> None:
        if self._before is not None:
            om.MGlobal.setActiveSelectionList(self._before)

    def unrestored_places(self) -> list[str]:
        return ["the selection"]


def _roll_back(steps: Sequence[Step]) -> tuple[Exception | None, list[str]]:
    """Undo all steps in reverse order, even if some of them fail.

    Returns the first failure or None, and the places that were not restored.
    """
    failed: list[tuple[Step, Exception]] = []
    for step in reversed(steps):
        try:
            step.undo()
        except Exception as error:  # noqa: BLE001 - the rest must be undone after any error
            failed.append((step, error))
    if not failed:
        return None, []
    left = list(dict.fromkeys(place for step, _ in failed for place in step.unrestored_places()))
    for _, why in failed:
        host.logger().error("a step could not be undone", exc_info=why)
    host.logger().error("not restored: %s", ", ".join(left) or "nothing")
    return failed[0][1], left


class SceneEdit:
    """Changes that are made together, in order.

    Changes are planned first and made later, so a change may use nodes and attributes that earlier
    changes create. `label`: undo label. `steps`: the changes. `refusal`: why :meth:`do` failed, or
    None.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.steps: list[Step] = []
        self.refusal: MayaRefusedError | None = None
        self._is_done = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do, and so nothing to put on the undo queue."""
        return not self.steps

    # Planning -------------------------------------------------------------------------------------

    def modify(self, fill: Callable[[om.MDGModifier], object]) -> None:
        """Add the changes that `fill` adds to a modifier."""
        self.steps.append(_ModifierStep(fill, om.MDGModifier))

    def modify_dag(self, fill: Callable[[om.MDagModifier], object]) -> None:
        """Add the changes that `fill` adds to a DAG modifier."""
        self.steps.append(_ModifierStep(fill, om.MDagModifier))

    def set(self, plug: om.MPlug, value: Value) -> None:
        """Set a plug value, typed as for :func:`put_value`."""
        self.modify(lambda m: put_value(m, plug, value))

    def set_lock(self, plug: om.MPlug, locked: bool) -> None:
        """Lock or unlock a plug."""
        self.steps.append(_LockStep(plug, locked))

    def connect(self, source: om.MPlug, destination: om.MPlug) -> None:
        """Make a connection."""
        self.modify(lambda m: m.connect(source, destination))

    def disconnect(self, source: om.MPlug, destination: om.MPlug) -> None:
        """Break a connection."""
        self.modify(lambda m: m.disconnect(source, destination))

    def add_attribute(self, node: om.MObject, attribute: om.MObject) -> None:
        """Add a dynamic attribute."""
        self.modify(lambda m: m.addAttribute(node, attribute))

    def remove_attribute(self, node: om.MObject, name: str) -> None:
        """Remove a dynamic attribute with its value."""
        attribute = om.MFnDependencyNode(node).attribute(name)
        self.modify(lambda m: m.removeAttribute(node, attribute))

    def create(self, kind: str, name: str) -> Callable[[], om.MObject]:
        """Create and name a node; the returned function returns the node once it exists."""
        made: list[om.MObject] = []
        self.modify(lambda m: made.append(m.createNode(kind)))
        self.modify(lambda m: m.renameNode(made[-1], name))
        return lambda: made[-1]

    def rename(self, node: om.MObject, name: str) -> None:
        """Rename a node."""
        self.modify(lambda m: m.renameNode(node, name))

    def delete_nodes(self, *nodes: om.MObject) -> None:
        """Delete nodes, but not their neighbours, which Maya might otherwise delete with them."""
        # live check: delete-takes-neighbours

        def disconnect_all(modifier: om.MDGModifier) -> None:
            wires: dict[tuple[str, str], tuple[om.MPlug, om.MPlug]] = {}
            for node in nodes:
                for plug in om.MFnDependencyNode(node).getConnections():
                    pairs = [(plug, end) for end in plug.destinationsWithConversions()]
                    if plug.isDestination:
                        pairs.append((plug.sourceWithConversion(), plug))
                    wires.update({(one.name(), end.name()): (one, end) for one, end in pairs})
            for source, end in wires.values():
                modifier.disconnect(source, end)

        self.modify(disconnect_all)
        for node in nodes:
            self.modify(methodcaller("deleteNode", node))

    def change_keys(self, curve: Callable[[], om.MObject], change_keys: ChangeKeys) -> None:
        """Change the keys of the curve that `curve` returns when the change is made."""
        self.steps.append(_KeysStep(curve, change_keys))

    def select(self, nodes: Callable[[], Sequence[om.MObject]]) -> None:
        """Select the nodes that `nodes` returns when the change is made."""
        self.steps.append(_SelectStep(nodes))

    def extend(self, other: SceneEdit) -> None:
        """Add all changes of another edit, which must not have been done yet."""
        self.steps += other.steps

    # Doing ----------------------------------------------------------------------------------------

    def do(self) -> None:
        """Make all changes, or redo them after :meth:`undo`.

        Raises MayaRefusedError if Maya rejects a change; the scene is then restored, except for the
        places that the error lists.
        """
        self.refusal = None
        started: list[Step] = []
        was_changed = bool(cmds.file(query=True, modified=True))
        try:
            for step in self.steps:
                started.append(step)
                (step.redo if self._is_done else step.do)()
        except BaseException as error:
            _, left = _roll_back(started)
            if not (was_changed or left):
                cmds.file(modified=False)
            if isinstance(error, API_ERRORS):
                self.refusal = MayaRefusedError(error, left)
                raise self.refusal from error
            # For the message; exceptions in Python 3.9 cannot carry notes.
            error.left = tuple(left)  # type: ignore[attr-defined]
            raise
        self._is_done = True

    def undo(self) -> None:
        """Undo all changes in reverse order.

        Restores what it can, then raises MayaRefusedError with the places that it could not.
        """
        error, left = _roll_back(self.steps)
        if left:
            raise MayaRefusedError(error, left) from error
