"""MDGModifier and MDagModifier: edits that are collected, done, undone and done again.

doIt called repeatedly only runs what was added since; after undoIt the next doIt does all again;
what was done before an operation failed stays until undoIt is called (maya.md 3).
"""

from __future__ import annotations

from typing import Any, Callable

from tests.maya_standin import conversions
from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.commands.mel_lines import evaluate
from tests.maya_standin.graph import Node, Plug
from tests.maya_standin.journal import Group
from tests.maya_standin.node_types import MATRIX_NODES, REGISTERED, TYPES
from tests.maya_standin.open_maya.current import count_call, scene, session
from tests.maya_standin.open_maya.objects import MObject, attribute_of, node_of, object_of
from tests.maya_standin.open_maya.plug import MPlug
from tests.maya_standin.open_maya.plug_values import NUMBERS, WHOLE, data_value
from tests.maya_standin.open_maya.strict import Strict, check_kind, not_modelled
from tests.maya_standin.open_maya.units import MAngle, MDistance, MTime

Operation = Callable[[], Any]


class MDGModifier(Strict):
    """Edits of the graph. Nothing happens before doIt; none of it is on the undo queue."""

    __slots__ = ("_added", "_disconnected", "_done", "_failed", "_pending", "_undone")

    def __init__(self) -> None:
        self._pending: list[Operation] = []
        self._done: list[Group] = []
        self._undone: list[Group] = []
        self._failed = False
        self._disconnected: set[Plug] = set()
        self._added: set[tuple[Node, str]] = set()

    def doIt(self) -> MDGModifier:
        """Redo what was undone, then run what was added; a failure leaves what was done before."""
        count_call(f"{type(self).__name__}.doIt")
        if self._failed:
            not_modelled("MDGModifier.doIt after one that failed, without undoIt")
        while self._undone:
            group = self._undone.pop()
            with scene().journal.record_into(None):
                group.redo()
            self._done.append(group)
        self._run_pending()
        return self

    def _run_pending(self) -> None:
        operations, self._pending = self._pending, []
        self._disconnected, self._added = set(), set()
        for operation in operations:
            with scene().journal.group() as group:
                try:
                    operation()
                except BaseException:
                    self._failed = True
                    raise
                finally:
                    self._done.append(group)

    def undoIt(self) -> MDGModifier:
        count_call(f"{type(self).__name__}.undoIt")
        while self._done:
            group = self._done.pop()
            with scene().journal.record_into(None):
                group.undo()
            self._undone.append(group)
        self._failed = False
        return self

    def _add(self, operation: Operation) -> Any:
        self._pending.append(operation)
        return self

    def commandToExecute(self, command: str, /) -> MDGModifier:
        """Run an undoable MEL command at doIt; its edits are undone with the modifier.

        guess: bake-in-a-modifier
        """
        check_kind(command, str, what="command")

        def run() -> None:
            with session().undo_queue.taken() as group:
                evaluate(session(), command)
            scene().journal.add(group)

        return self._add(run)

    # --- values ---------------------------------------------------------------------------------

    def _new_value(self, call: str, plug: MPlug, kinds: tuple[str, ...], value: Any) -> Any:
        count_call(f"MDGModifier.{call}")
        check_kind(plug, MPlug, what="plug")
        plug._check(call, kinds)
        target = plug._valid()
        return self._add(lambda: _set_value(target, value))

    def newPlugValueMAngle(self, plug: MPlug, value: MAngle, /) -> MDGModifier:
        check_kind(value, MAngle, what="value")
        return self._new_value("newPlugValueMAngle", plug, ("angle",), value.asRadians())

    def newPlugValueMDistance(self, plug: MPlug, value: MDistance, /) -> MDGModifier:
        check_kind(value, MDistance, what="value")
        return self._new_value("newPlugValueMDistance", plug, ("distance",), value.asCentimeters())

    def newPlugValueMTime(self, plug: MPlug, value: MTime, /) -> MDGModifier:
        check_kind(value, MTime, what="value")
        seconds = value.asUnits(MTime.kSeconds)
        return self._new_value("newPlugValueMTime", plug, ("time",), seconds)

    def newPlugValueDouble(self, plug: MPlug, value: float, /) -> MDGModifier:
        return self._new_value("newPlugValueDouble", plug, NUMBERS, float(value))

    def newPlugValueFloat(self, plug: MPlug, value: float, /) -> MDGModifier:
        return self._new_value("newPlugValueFloat", plug, NUMBERS, float(value))

    def newPlugValueBool(self, plug: MPlug, value: bool, /) -> MDGModifier:
        check_kind(value, bool, int, what="value")
        return self._new_value("newPlugValueBool", plug, ("bool",), bool(value))

    def newPlugValueInt(self, plug: MPlug, value: int, /) -> MDGModifier:
        check_kind(value, int, what="value")
        return self._new_value("newPlugValueInt", plug, WHOLE, value)

    def newPlugValueShort(self, plug: MPlug, value: int, /) -> MDGModifier:
        check_kind(value, int, what="value")
        return self._new_value("newPlugValueShort", plug, WHOLE, value)

    def newPlugValueChar(self, plug: MPlug, value: int, /) -> MDGModifier:
        check_kind(value, int, what="value")
        return self._new_value("newPlugValueChar", plug, ("char",), value)

    def newPlugValueString(self, plug: MPlug, value: str, /) -> MDGModifier:
        check_kind(value, str, what="value")
        return self._new_value("newPlugValueString", plug, ("string",), value)

    def newPlugValue(self, plug: MPlug, value: MObject, /) -> MDGModifier:
        return self._new_value("newPlugValue", plug, ("matrix", "string"), data_value(value))

    # --- connections ----------------------------------------------------------------------------

    def connect(self, *ends: Any) -> MDGModifier:
        start, end = _ends(ends)
        return self._add(lambda: self._connect(start, end))

    def disconnect(self, *ends: Any) -> MDGModifier:
        start, end = _ends(ends)
        return self._add(lambda: self._disconnect(start, end))

    def _connect(self, start: Plug, end: Plug) -> None:
        if end in self._disconnected:
            # cmdx: "Connecting after disconnecting breaks undo, unless we do it first"; case
            # mod-reconnect-undo. guess: reconnect-in-one-modifier
            scene().journal.do(lambda: None, _fail_unexpectedly)
        _connect(start, end)

    def _disconnect(self, start: Plug, end: Plug) -> None:
        _disconnect(start, end)
        self._disconnected.add(end)

    # --- attributes -----------------------------------------------------------------------------

    def addAttribute(self, node: MObject, attribute: MObject, /) -> MDGModifier:
        owner, spec = node_of(node), attribute_of(attribute).spec
        return self._add(lambda: self._add_attribute(owner, spec))

    def _add_attribute(self, node: Node, spec: AttributeSpec) -> None:
        """Add an attribute; what the same doIt has added already is only missed by the undo."""
        if (node, spec.long) in self._added:
            # Case mod-add-attribute-twice.
            scene().journal.do(lambda: None, _fail_unexpectedly)
            return
        scene().check_attributes_changeable(node)
        scene().add_attribute(node, spec)
        self._added.add((node, spec.long))

    def removeAttribute(self, node: MObject, attribute: MObject, /) -> MDGModifier:
        plug = Plug(node_of(node), attribute_of(attribute).spec.long)
        return self._add(lambda: _remove_attribute(plug))

    # --- nodes ----------------------------------------------------------------------------------

    def createNode(self, typeName: str, /) -> MObject:
        """A node that is in the scene from doIt on."""
        return self._create(typeName, None, dag=False)

    def _create(self, type_name: str, parent: Node | None, dag: bool) -> MObject:
        check_kind(type_name, str, what="typeName")
        _check_type(type_name)
        with scene().journal.group() as group:
            node = scene().create_node(type_name, parent=parent)
        with scene().journal.record_into(None):
            group.undo()
        if node.is_dag != dag:
            raise TypeError(f"{type_name} nodes are not made with {type(self).__name__}")
        self._add(lambda: scene().journal.do(group.redo, group.undo))
        return object_of(node)

    def deleteNode(self, node: MObject, includeParents: bool = True, /) -> MDGModifier:
        gone = node_of(node)
        return self._add(lambda: _delete(gone))

    def setNodeLockState(self, node: MObject, newState: bool, /) -> MDGModifier:
        kept = node_of(node)
        return self._add(lambda: scene().set_node_locked(kept, bool(newState)))

    def renameNode(self, node: MObject, newName: str, /) -> MDGModifier:
        renamed = node_of(node)
        return self._add(lambda: _rename(renamed, newName))


class MDagModifier(MDGModifier):
    """Edits of the DAG."""

    __slots__ = ()

    def createNode(self, typeName: str, parent: MObject = MObject.kNullObj, /) -> MObject:
        above = None if parent.isNull() else node_of(parent)
        return self._create(typeName, above, dag=True)

    def reparentNode(self, node: MObject, newParent: MObject = MObject.kNullObj, /) -> MDagModifier:
        """Move a node, its channels as they are; into the world with the null object."""
        moved, above = node_of(node), None if newParent.isNull() else node_of(newParent)
        self._add(lambda: scene().reparent(moved, above))
        return self


# The edits themselves, checked when they are done.
# guess: modifier-on-locked-plug (RuntimeError from doIt, maya.md 9.3)


def _ends(given: tuple[Any, ...]) -> tuple[Plug, Plug]:
    """Ends of a connection: two plugs, or node and attribute of each (API reference)."""
    if len(given) == 4:
        given = (MPlug(*given[:2]), MPlug(*given[2:]))
    if len(given) != 2 or not all(isinstance(one, MPlug) for one in given):
        raise TypeError("a connection takes two plugs, or node, attribute, node, attribute")
    start, end = (one._valid() for one in given)
    return start, end


def _set_value(plug: Plug, value: Any) -> None:
    scene().check_settable(plug)
    scene().set_value(plug, value)


def _connect(source: Plug, destination: Plug) -> None:
    # guess: unit-conversion-by-hand (a unitConversion node takes and gives what it is connected to)
    if conversions.needed_between(source, destination):
        not_modelled(f"a modifier's connection of different units, {source} to {destination}")
    scene().check_connectable(source, destination)
    scene().connect(source, destination)


def _disconnect(source: Plug, destination: Plug) -> None:
    scene().check_disconnectable(destination)
    scene().disconnect(source, destination)


def _fail_unexpectedly() -> None:
    raise RuntimeError("(kFailure): Unexpected Internal Failure")


def _check_type(name: str) -> None:
    """Raise for a type that this Maya does not have at the moment."""
    missing = name in MATRIX_NODES and "matrixNodes" not in session().native_plugins
    if missing or not (name in TYPES or name in REGISTERED):
        # Cases mod-unknown-type. guess: unknown-node-type
        raise TypeError(f"unknown node type {name}")


def _remove_attribute(plug: Plug) -> None:
    scene().check_removable(plug)
    if plug.node.spec(plug.path).kind == "string" and session().quirks.removed_string_lost:
        with scene().journal.record_into(None):
            scene().clear_value(plug)
    scene().remove_attribute(plug)


def _delete(node: Node) -> None:
    scene().check_deletable(node)
    scene().delete_node(node, with_neighbours=session().quirks.neighbours_go)


def _rename(node: Node, name: str) -> None:
    scene().check_renamable(node)
    scene().rename(node, name)
