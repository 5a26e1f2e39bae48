"""Nodes, plugs, and a scene with its primitive edits, each with its inverse in the journal."""

from __future__ import annotations

import uuid as uuids
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.checked import Checks
from tests.maya_standin.journal import Journal
from tests.maya_standin.limits import LIMITED_KINDS, clamped
from tests.maya_standin.lookup import Lookup
from tests.maya_standin.node_types import node_type, opaque_type
from tests.maya_standin.nodes import Node, Plug, Reference

__all__ = ["AttributeSpec", "Node", "Playback", "Plug", "Reference", "Scene", "Units"]

MISSING = object()


def _owner(item: Node | Plug) -> Node:
    return item.node if isinstance(item, Plug) else item


@dataclass
class Units:
    """What the user sees lengths, angles and times in: Maya's words."""

    linear: str = "cm"
    angle: str = "deg"
    time: str = "film"


@dataclass
class Playback:
    """Ranges of the time slider in seconds: animation start and end, and min and max inside."""

    minimum: float = 1.0 / 24.0
    maximum: float = 120.0 / 24.0
    start: float = 1.0 / 24.0
    end: float = 200.0 / 24.0


class Scene(Lookup, Checks):
    """One open scene.

    Attributes
    ----------
    nodes : dict
        Every node in the order of creation (values are None: an ordered set).
    connections : dict
        Source by destination.
    held : dict
        Values set on keyed channels: they show until the time changes (maya.md 1.7).
    scripted : dict
        Plugs whose values a test gives as a function of seconds: outputs of expressions, and
        channels that an IK solver writes without a connection (maya.md 2.3).
    revision : int
        Grows with every change.
    """

    def __init__(self, counters: dict[str, Any] | None = None):
        self.nodes: dict[Node, None] = {}
        self.connections: dict[Plug, Plug] = {}
        self.held: dict[Plug, Any] = {}
        self.scripted: dict[Plug, Callable[[float], Any]] = {}
        self.references: list[Reference] = []
        self.namespaces: dict[str, None] = {}
        self.current_namespace = ""
        self.selection: list[Node | Plug] = []
        self.units = Units()
        self.playback = Playback()
        self.time = 1.0 / 24.0
        self.file_name = ""
        self.file_type = "mayaAscii"
        self.modified = False
        self.revision = 0
        self.journal = Journal()
        self.counters = counters if counters is not None else {"calls": Counter()}
        self._outputs: dict[Plug, list[Plug]] = {}
        self._by_name: dict[str, list[Node]] = {}
        self._quiet = False

    # --- recording ----------------------------------------------------------------------------

    def edit(self, redo: Callable[[], None], undo: Callable[[], None]) -> None:
        """Carry out one primitive edit, in the journal unless the scene is being read."""

        def done() -> None:
            redo()
            self._changed()

        def undone() -> None:
            undo()
            self._changed()

        if self._quiet:
            done()
        else:
            self.journal.do(done, undone)

    def _changed(self) -> None:
        self.revision += 1
        if not self._quiet:
            self.modified = True

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Change the scene without journal, reference edits or modified flag: to read a file."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def note(self, reference: Reference | None, *entry: Any) -> None:
        """Put an edit on a referenced node on record, unless its reference ignores edits.

        guess: undo-of-reference-edit: undo takes the record back.
        """
        if reference is None or self._quiet or reference.ignore_edits or entry in reference.edits:
            return
        edits = reference.edits
        self.edit(lambda: edits.__setitem__(entry, None), lambda: edits.__delitem__(entry))

    # --- nodes --------------------------------------------------------------------------------

    def create_node(
        self,
        type_name: str,
        name: str = "",
        parent: Node | None = None,
        uuid: str = "",
        reference: Reference | None = None,
        opaque: bool = False,
    ) -> Node:
        """A new node; a name that is taken gets a number.

        `opaque` lets types through that are not modelled (for reading files).
        """
        kind = opaque_type(type_name, parent is not None) if opaque else node_type(type_name)
        if parent is not None and not kind.is_dag:
            raise RuntimeError(f"a {type_name} node has no parent")
        free = self.unique_name(name or f"{type_name}1", parent, kind.is_dag)
        node = Node(kind, free, parent, uuid or str(uuids.uuid4()).upper(), reference)
        self.add_namespace(node.namespace)
        self.edit(lambda: self._insert(node), lambda: self._take_out(node))
        if reference is not None:
            reference.nodes.append(node)
        return node

    def _insert(self, node: Node) -> None:
        self.nodes[node] = None
        self._by_name.setdefault(node.name, []).append(node)
        if node.parent is not None:
            node.parent.children.append(node)

    def _take_out(self, node: Node) -> None:
        del self.nodes[node]
        self._by_name[node.name].remove(node)
        if node.parent is not None:
            node.parent.children.remove(node)

    def delete_node(self, node: Node) -> None:
        """Remove a node, its connections, and what is below it."""
        for child in tuple(node.children):
            self.delete_node(child)
        for destination, source in tuple(self.connections.items()):
            if node in (source.node, destination.node):
                self.disconnect(source, destination)
        self.select(item for item in self.selection if _owner(item) is not node)
        order = tuple(self.nodes)
        siblings = tuple(node.parent.children) if node.parent else ()

        def back() -> None:
            self._insert(node)
            self._reorder(order)
            if node.parent is not None:
                node.parent.children[:] = siblings

        self.edit(lambda: self._take_out(node), back)

    def _reorder(self, order: Iterable[Node]) -> None:
        self.nodes = dict.fromkeys(order)

    def rename(self, node: Node, name: str) -> str:
        """Give a node another name, numbered where it is taken; gives the name it has then."""
        before = node.name
        after = before if name == before else self.unique_name(name, node.parent, node.is_dag)

        def named(new: str) -> None:
            self._by_name[node.name].remove(node)
            node.name = new
            self._by_name.setdefault(new, []).append(node)

        self.add_namespace(after.rpartition(":")[0])
        self.edit(lambda: named(after), lambda: named(before))
        return after

    def reparent(self, node: Node, parent: Node | None) -> None:
        """Move a DAG node below another one or into the world; its channels stay as they are."""
        before, place = node.parent, 0
        if before is not None:
            place = before.children.index(node)
        if parent is not None and node in self._above(parent):
            raise RuntimeError(f"Cannot parent '{node.name}' below itself.")

        def moved(to: Node | None, at: int | None) -> None:
            if node.parent is not None:
                node.parent.children.remove(node)
            node.parent = to
            if to is not None:
                to.children.insert(len(to.children) if at is None else at, node)

        self.note(node.reference, "parent", node, node.full_path())
        self.edit(lambda: moved(parent, None), lambda: moved(before, place))
        wanted = node.name
        taken = [o for o in self._by_name[wanted] if o is not node and o.parent is parent]
        if taken:
            self.rename(node, self.unique_name(wanted, parent))

    @staticmethod
    def _above(node: Node | None) -> Iterator[Node]:
        while node is not None:
            yield node
            node = node.parent

    def set_node_locked(self, node: Node, on: bool) -> None:
        """`lockNode`."""
        before = node.is_locked
        self.edit(lambda: setattr(node, "is_locked", on), lambda: setattr(node, "is_locked", before))

    def add_namespace(self, name: str) -> None:
        """Make a namespace and those around it known."""
        parts = name.split(":") if name else []
        for count in range(1, len(parts) + 1):
            self.namespaces.setdefault(":".join(parts[:count]), None)

    # --- values -------------------------------------------------------------------------------

    def stored(self, plug: Plug) -> Any:
        """Value as it is stored, nothing computed; a tuple for a compound."""
        return plug.node.stored(plug.path)

    def set_value(self, plug: Plug, value: Any) -> None:
        """Set a value in internal units; a sequence for a compound.

        Enabled limits hold for what is set (maya.md 1.6: validateAndSetValue).
        """
        node, path = plug
        children = node.children_of(path)
        if children:
            if len(value) != len(children):
                raise ValueError(f"{path} has {len(children)} children, not {len(value)}")
            for child, part in zip(children, value):
                self.set_value(Plug(node, child), part)
            return
        spec = node.spec(path)
        if spec.array and not node.is_element(path):
            raise TypeError(f"{path} is an array: set its elements")
        self.note(node.reference, "setAttr", node, path)
        if spec.kind in LIMITED_KINDS:
            value = clamped(node, path, float(value))
        value = spec.cast(value)
        if self.is_driven(plug):
            self._put(self.held, plug, value)
        self._put(node.values, path, value)

    def _put(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        """Change one entry of a table, or (value MISSING) take it out."""
        before = table.get(key, MISSING)

        def put(what: Any) -> None:
            if what is MISSING:
                table.pop(key, None)
            else:
                table[key] = what

        self.edit(lambda: put(value), lambda: put(before))

    def clear_value(self, plug: Plug) -> None:
        """Take out a stored value, or an element of an array."""
        for path in [p for p in plug.node.values if p == plug.path or p.startswith(plug.path + ".")]:
            self._put(plug.node.values, path, MISSING)

    def set_keys(self, node: Node, keys: Any) -> None:
        """Give an animation curve its keys."""
        if not node.is_a("animCurve"):
            raise TypeError(f"{node.name} is a {node.type}, no animation curve")
        before, held = node.keys, dict(self.held)
        self.note(node.reference, "keys", node, "")

        def give() -> None:
            node.keys = keys
            self.held.clear()

        def back() -> None:
            node.keys = before
            self.held.update(held)

        self.edit(give, back)

    def set_locked(self, plug: Plug, on: bool) -> None:
        """Lock or unlock one attribute itself (not what is above or below it)."""
        if (plug.path in plug.node.locked) == on:
            return
        locked, path = plug.node.locked, plug.path
        self.note(plug.node.reference, "lock" if on else "unlock", plug.node, path)
        lock, unlock = (lambda: locked.add(path)), (lambda: locked.discard(path))
        self.edit(*((lock, unlock) if on else (unlock, lock)))

    def set_keyable(self, plug: Plug, on: bool) -> None:
        self._put(plug.node.keyable, plug.path, on)

    def set_channel_box(self, plug: Plug, on: bool) -> None:
        self._put(plug.node.channel_box, plug.path, on)

    def set_raw(self, node: Node, attribute: str, text: str) -> None:
        """Keep the text of an attribute that nobody models."""
        self._put(node.raw, attribute, text)

    def add_attribute(self, node: Node, spec: AttributeSpec) -> None:
        """Add an attribute; RuntimeError where the node has one of that name."""
        tables = (node.node_type.attributes.chains, node.dynamic)
        if any(name in table for table in tables for name in (spec.long, spec.short)):
            raise RuntimeError(f"Found an existing attribute '{spec.long}' on '{node.name}'.")
        self.note(node.reference, "addAttr", node, spec.long)
        self.edit(lambda: node.add_spec(spec), lambda: node.drop_spec(spec.long))

    def remove_attribute(self, plug: Plug) -> None:
        """Remove an attribute that was added, with its values and connections."""
        node, spec = plug.node, plug.node.dynamic[plug.path]
        for part in (plug, *self.below(plug)):
            self.set_locked(part, False)
            if part in self.connections:
                self.disconnect(self.connections[part], part)
            for destination in self.outputs(part):
                self.disconnect(part, destination)
            self._put(node.values, part.path, MISSING)
        self.note(node.reference, "deleteAttr", node, spec.long)
        order = tuple(node.dynamic)

        def back() -> None:
            node.add_spec(spec)
            node.dynamic = {long: node.dynamic[long] for long in order}

        self.edit(lambda: node.drop_spec(spec.long), back)

    # --- connections --------------------------------------------------------------------------

    def connect(self, source: Plug, destination: Plug) -> None:
        """Connect two plugs; RuntimeError where the destination has a source."""
        if destination in self.connections:
            raise RuntimeError(
                f"'{self.plug_name(destination)}' already has an incoming connection from "
                f"'{self.plug_name(self.connections[destination])}'."
            )
        reference = destination.node.reference or source.node.reference
        self.note(reference, "connectAttr", source, destination)
        self.edit(lambda: self._join(source, destination), lambda: self._part(source, destination))

    def disconnect(self, source: Plug, destination: Plug) -> None:
        """Disconnect two plugs; what the destination showed last stays as its value."""
        if self.connections.get(destination) != source:
            raise RuntimeError(
                f"'{self.plug_name(source)}' is not connected to '{self.plug_name(destination)}'."
            )
        reference = destination.node.reference or source.node.reference
        self.note(reference, "disconnectAttr", source, destination)
        self.edit(lambda: self._part(source, destination), lambda: self._join(source, destination))

    def _join(self, source: Plug, destination: Plug) -> None:
        self.connections[destination] = source
        self._outputs.setdefault(source, []).append(destination)

    def _part(self, source: Plug, destination: Plug) -> None:
        del self.connections[destination]
        self._outputs[source].remove(destination)

    def source(self, plug: Plug) -> Plug | None:
        """What is connected into this very plug."""
        return self.connections.get(plug)

    def outputs(self, plug: Plug) -> list[Plug]:
        """Where this very plug is connected to."""
        return list(self._outputs.get(plug, ()))

    def is_driven(self, plug: Plug) -> bool:
        """Whether something is connected into a plug or into a compound above it."""
        path: str | None = plug.path
        while path is not None:
            if Plug(plug.node, path) in self.connections:
                return True
            path = plug.node.parent_of(path)
        return False

    # --- the rest -----------------------------------------------------------------------------

    def select(self, items: Iterable[Node | Plug]) -> None:
        """Replace the selection."""
        before, after = list(self.selection), list(items)
        if before != after:
            modified = self.modified
            self.edit(
                lambda: setattr(self, "selection", list(after)),
                lambda: setattr(self, "selection", list(before)),
            )
            self.modified = modified

    def set_time(self, seconds: float) -> None:
        """Move the current time; no edit, and no undo."""
        self.counters["time_changes"] = self.counters.get("time_changes", 0) + 1
        self.time = float(seconds)
        self.held.clear()
        self.revision += 1

    def add_reference(self, reference: Reference) -> None:
        self.edit(
            lambda: self.references.append(reference), lambda: self.references.remove(reference)
        )
