"""Changes of the open scene that are made and undone together, or not at all.

A step can be done, undone and redone. Most steps are modifiers, which Maya itself undoes; the
others are keys (MAnimCurveChange), locks, which modifiers do not support, and the selection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union

from maya import cmds

from ..base.open_maya import om, oma


def curve_function(curve: om.MObject) -> oma.MFnAnimCurve:
    """MFnAnimCurve of a curve."""
    return oma.MFnAnimCurve(curve)


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
    """Add the setting of a plug value to a modifier."""
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


class Step(Protocol):
    """Part of an edit."""

    def do(self) -> None:
        """Do the step for the first time; nothing is changed if this raises."""

    def undo(self) -> None:
        """Undo the step."""

    def redo(self) -> None:
        """Redo the step."""


class ModifierStep:
    """Operations of a modifier.

    `fill`: adds the operations to the modifier. Called when the step is reached, so that it sees
    what earlier steps created. `new`: creates the modifier; DAG nodes need an MDagModifier.
    """

    def __init__(
        self, fill: Callable[[Any], object], new: Callable[[], om.MDGModifier] = om.MDGModifier
    ) -> None:
        self._fill, self._new = fill, new
        self._modifier = om.MDGModifier()

    def do(self) -> None:
        """Fill the modifier and run it."""
        modifier = self._new()
        self._fill(modifier)
        try:
            modifier.doIt()
        except BaseException:
            # A modifier that fails half-way keeps what it has done so far.
            modifier.undoIt()
            raise
        self._modifier = modifier

    def undo(self) -> None:
        """Undo the modifier."""
        self._modifier.undoIt()

    def redo(self) -> None:
        """Run the same modifier again, which restores the same nodes that it created."""
        # live check: modifier-redo-keeps-nodes
        self._modifier.doIt()


class KeysStep:
    """Changes of one animation curve.

    `curve`: returns the curve when the step is reached. `change_keys`: edits the MFnAnimCurve and
    records every call in the given change.
    """

    def __init__(
        self,
        curve: Callable[[], om.MObject],
        change_keys: Callable[[oma.MFnAnimCurve, oma.MAnimCurveChange], None],
    ) -> None:
        self._curve, self._change_keys = curve, change_keys
        self._change = oma.MAnimCurveChange()

    def do(self) -> None:
        """Change the keys."""
        change = oma.MAnimCurveChange()
        try:
            self._change_keys(curve_function(self._curve()), change)
        except BaseException:
            change.undoIt()
            raise
        self._change = change

    def undo(self) -> None:
        """Restore the old keys."""
        self._change.undoIt()

    def redo(self) -> None:
        """Restore the new keys."""
        self._change.redoIt()


class LockStep:
    """The lock of one plug."""

    def __init__(self, plug: om.MPlug, locked: bool) -> None:
        self._plug, self._locked = plug, locked
        self._before = locked

    def do(self) -> None:
        """Lock or unlock."""
        self._before = bool(self._plug.isLocked)
        self.redo()

    def undo(self) -> None:
        """Restore the old lock state."""
        self._plug.isLocked = self._before

    def redo(self) -> None:
        """Lock or unlock again."""
        # live check: plug-lock
        self._plug.isLocked = self._locked


class SceneEdit:
    """Changes that belong together, in order.

    `label`: undo label.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self._stepped: list[Step] = []
        self._fills: list[Callable[[om.MDGModifier], object]] = []
        self._is_done = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do, and so nothing to put on the undo queue."""
        return not (self._stepped or self._fills)

    # Values ---------------------------------------------------------------------------------------

    def set(self, plug: om.MPlug, value: Value) -> None:
        """Set a plug value, typed as for :func:`put_value`."""
        self.modify(lambda m: put_value(m, plug, value))

    # Structure ------------------------------------------------------------------------------------

    def add_attribute(self, node: om.MObject, attribute: om.MObject) -> None:
        """Add a dynamic attribute."""
        self.modify(lambda m: m.addAttribute(node, attribute))

    def remove_attribute(
        self, node: om.MObject, attribute: om.MObject, *, when_reached: bool = False
    ) -> None:
        """Remove a dynamic attribute with its value."""
        self.modify(lambda m: m.removeAttribute(node, attribute), when_reached=when_reached)

    def delete_node(self, node: om.MObject) -> None:
        """Delete a node."""
        self.modify(lambda m: m.deleteNode(node), when_reached=True)

    def disconnect(self, source: om.MPlug, destination: om.MPlug) -> None:
        """Break a connection."""
        self.modify(lambda m: m.disconnect(source, destination))

    def set_locked(self, plug: om.MPlug, locked: bool) -> None:
        """Lock or unlock a plug."""
        self.add(LockStep(plug, locked))

    # Steps ----------------------------------------------------------------------------------------

    def modify(
        self, fill: Callable[[om.MDGModifier], object], *, when_reached: bool = False
    ) -> None:
        """Add a modifier operation; consecutive operations share one modifier.

        `when_reached`: whether it needs what earlier operations create.
        """
        if when_reached:
            self._close_modifier()
        self._fills.append(fill)

    def add(self, step: Step) -> None:
        """Add a step."""
        self._close_modifier()
        self._stepped.append(step)

    def extend(self, other: SceneEdit) -> None:
        """Add all steps of another edit that is not done yet."""
        self._close_modifier()
        self._stepped += other.steps()

    def steps(self) -> list[Step]:
        """Return all steps."""
        self._close_modifier()
        return list(self._stepped)

    def _close_modifier(self) -> None:
        if self._fills:
            fills, self._fills = self._fills, []

            def fill_all(modifier: om.MDGModifier) -> None:
                for fill in fills:
                    fill(modifier)

            self._stepped.append(ModifierStep(fill_all))

    def do(self) -> None:
        """Do everything, or redo it after :meth:`undo`.

        Raises Maya's RuntimeError; the scene is then as it was before.
        """
        finished: list[Step] = []
        was_changed = bool(cmds.file(query=True, modified=True))
        try:
            for step in self.steps():
                (step.redo if self._is_done else step.do)()
                finished.append(step)
        except BaseException:
            for step in reversed(finished):
                step.undo()
            if not was_changed:
                cmds.file(modified=False)
            raise
        self._is_done = True

    def undo(self) -> None:
        """Undo everything in reverse order."""
        for step in reversed(self._stepped):
            step.undo()

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps())


class SelectStep:
    """Step that selects nodes; undo restores the old selection.

    `nodes`: returns the nodes when the step is reached.
    """

    def __init__(self, nodes: Callable[[], Sequence[om.MObject]]) -> None:
        self._nodes = nodes
        self._before = om.MSelectionList()

    def do(self) -> None:
        """Select."""
        self._before = om.MGlobal.getActiveSelectionList()
        self.redo()

    def undo(self) -> None:
        """Restore the old selection."""
        om.MGlobal.setActiveSelectionList(self._before)

    def redo(self) -> None:
        """Select again."""
        # live check: api-selection-in-undo
        chosen = om.MSelectionList()
        for node in self._nodes():
            chosen.add(node)
        om.MGlobal.setActiveSelectionList(chosen)
