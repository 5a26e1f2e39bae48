"""Edits of nodes: they come and go, and get other names and parents."""

from __future__ import annotations

import re
import uuid as uuids
from collections.abc import Iterable, Iterator

from tests.maya_standin.connection_edits import ConnectionEdits
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.node_types import UTILITIES, node_type, opaque_type
from tests.maya_standin.nodes import Node, Plug, Reference

NAME = re.compile(r"[\w:]+")


def _owner(item: Node | Plug) -> Node:
    return item.node if isinstance(item, Plug) else item


class NodeEdits(ConnectionEdits):
    """The part of a scene that changes nodes; see graph.Scene."""

    namespaces: dict[str, None]
    selection: list[Node | Plug]

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
        free = self.unique_name(name or f"{type_name}1", parent, kind.is_dag and bool(name))
        node = Node(kind, free, parent, uuid or str(uuids.uuid4()).upper(), reference)
        self.add_namespace(node.namespace)
        self.edit(lambda: self._insert(node), lambda: self._remove_node(node))
        if reference is not None:
            reference.nodes.append(node)
        return node

    def _insert(self, node: Node) -> None:
        self.nodes[node] = None
        self._by_name.setdefault(node.name, []).append(node)
        if node.parent is not None:
            node.parent.children.append(node)

    def _remove_node(self, node: Node) -> None:
        del self.nodes[node]
        self._by_name[node.name].remove(node)
        if node.parent is not None:
            node.parent.children.remove(node)

    def delete_node(self, node: Node, with_neighbours: bool = False) -> None:
        """Remove a node, its connections, and what is below it.

        `with_neighbours`: also utility nodes next to it that lose their last input or output.
        """
        for child in tuple(node.children):
            self.delete_node(child, with_neighbours)
        beside = self._connected_utilities(node) if with_neighbours else ()
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

        self.edit(lambda: self._remove_node(node), back)
        for other, is_source in beside:
            if other in self.nodes and not self._wires(other, is_source):
                self.delete_node(other, with_neighbours)

    def _connected_utilities(self, node: Node) -> list[tuple[Node, bool]]:
        """Utility nodes connected to a node, and whether each is a source of it."""
        pairs = [(source.node, True) for source, _ in self._wires(node, False)]
        pairs += [(destination.node, False) for _, destination in self._wires(node, True)]
        return [(other, is_source) for other, is_source in pairs if other.type in UTILITIES]

    def _wires(self, node: Node, out: bool) -> list[tuple[Plug, Plug]]:
        """Connections out of a node, or into it."""
        pairs = ((source, destination) for destination, source in self.connections.items())
        return [(s, d) for s, d in pairs if (s if out else d).node is node]

    def _reorder(self, order: Iterable[Node]) -> None:
        self.nodes = dict.fromkeys(order)

    def rename(self, node: Node, name: str) -> str:
        """Give a node another name, numbered where it is taken; gives the name it has then."""
        if not NAME.fullmatch(name):
            raise NotModelledError(f"the name {name!r}, of which Maya makes another")
        before = node.name
        after = before if name == before else self.unique_name(name, node.parent, node.is_dag)

        def set_name(new: str) -> None:
            self._by_name[node.name].remove(node)
            node.name = new
            self._by_name.setdefault(new, []).append(node)

        self.add_namespace(after.rpartition(":")[0])
        self.edit(lambda: set_name(after), lambda: set_name(before))
        return after

    def reparent(self, node: Node, parent: Node | None) -> None:
        """Move a DAG node below another one or into the world; its channels stay as they are."""
        before, place = node.parent, 0
        if before is not None:
            place = before.children.index(node)
        if parent is not None and node in self._above(parent):
            raise RuntimeError(f"Cannot parent '{node.name}' below itself.")

        def move(to: Node | None, at: int | None) -> None:
            if node.parent is not None:
                node.parent.children.remove(node)
            node.parent = to
            if to is not None:
                to.children.insert(len(to.children) if at is None else at, node)

        self.note(node.reference, "parent", node, node.full_path())
        self.edit(lambda: move(parent, None), lambda: move(before, place))
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
        self.edit(
            lambda: setattr(node, "is_locked", on), lambda: setattr(node, "is_locked", before)
        )

    def add_namespace(self, name: str) -> None:
        """Make a namespace and those around it known."""
        parts = name.split(":") if name else []
        for count in range(1, len(parts) + 1):
            name = ":".join(parts[:count])
            if name not in self.namespaces:
                self._change_entry(self.namespaces, name, None)

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
