"""What Maya refuses: locked, connected and referenced things."""

from __future__ import annotations

from collections.abc import Iterator

from tests.maya_standin.attributes import NUMBERS, WHOLE
from tests.maya_standin.lookup import Lookup
from tests.maya_standin.nodes import Node, Plug

PLAIN = NUMBERS | WHOLE | {"bool"}


class Checks(Lookup):
    """The part of a scene that says no; see graph.Scene."""

    connections: dict[Plug, Plug]

    def plugs_around(self, plug: Plug) -> Iterator[Plug]:
        """A plug, the compounds above it and everything below it."""
        node, above = plug.node, plug.path
        yield plug
        while (parent := node.parent_of(above)) is not None:
            above = parent
            yield Plug(node, above)
        yield from self.below(plug)

    def below(self, plug: Plug) -> Iterator[Plug]:
        """Children of a compound, and theirs."""
        for path in plug.node.children_of(plug.path):
            child = Plug(plug.node, path)
            yield child
            yield from self.below(child)

    def is_locked(self, plug: Plug) -> bool:
        """Locked itself or through a compound above, or all of it through its reference.

        MPlug.isLocked. guess: locked-reference-is-not-free: whether a locked reference shows in
        isLocked, or only in isFreeToChange (maya.md 1.7 has that setting fails).
        """
        reference = plug.node.reference
        if reference is not None and reference.locked:
            return True
        path: str | None = plug.path
        while path is not None:
            if path in plug.node.locked:
                return True
            path = plug.node.parent_of(path)
        return False

    def is_free(self, plug: Plug) -> bool:
        """Whether a value may be set: not locked, and driven by nothing but animation curves.

        maya.md 1.7 (`getAttr -settable`). Children of a compound count.
        """
        if any(self.is_locked(part) for part in (plug, *self.below(plug))):
            return False
        sources = (self.connections.get(part) for part in self.plugs_around(plug))
        return all(source is None or source.node.is_a("animCurve") for source in sources)

    def check_settable(self, plug: Plug) -> None:
        """RuntimeError as of `setAttr` for a plug that is not free."""
        if not plug.node.spec(plug.path).writable:
            raise RuntimeError(f"setAttr: The attribute '{self.plug_name(plug)}' is not writable.")
        if not self.is_free(plug):
            raise RuntimeError(
                f"setAttr: The attribute '{self.plug_name(plug)}' is locked or connected and "
                "cannot be modified."
            )

    def check_connectable(self, source: Plug, destination: Plug) -> None:
        """RuntimeError as of `connectAttr`."""
        if not destination.node.spec(destination.path).writable:
            raise RuntimeError(f"'{self.plug_name(destination)}' is not writable.")
        if self.is_locked(destination):
            raise RuntimeError(f"Destination attribute '{self.plug_name(destination)}' is locked.")
        if not self._are_alike(source, destination):
            # github.com/Autodesk/maya-usd issue 270
            raise RuntimeError(
                f"Connection not made: '{self.plug_name(source)}' -> "
                f"'{self.plug_name(destination)}'.  Data types of source and destination are not "
                "compatible."
            )
        if destination in self.connections:
            present = self.plug_name(self.connections[destination])
            raise RuntimeError(
                f"'{self.plug_name(destination)}' already has an incoming connection from "
                f"'{present}'."
            )

    def _are_alike(self, *ends: Plug) -> bool:
        """Whether plugs have values of one sort: as many children, or numbers, or one kind."""
        sorts = []
        for node, path in ends:
            kind = node.spec(path).kind
            if kind in ("typed", "generic"):
                return True
            sorts.append(len(node.children_of(path)) or (kind not in PLAIN and kind))
        return len(set(sorts)) == 1

    def check_disconnectable(self, destination: Plug) -> None:
        """RuntimeError as of `disconnectAttr`."""
        if destination not in self.connections:
            raise RuntimeError(f"'{self.plug_name(destination)}' has no incoming connection.")
        if self.is_locked(destination):
            raise RuntimeError(f"Destination attribute '{self.plug_name(destination)}' is locked.")

    def check_lockable(self, plug: Plug, past_node_lock: bool = False) -> None:
        """Attributes of a locked node stay as locked as they are (documentation of lockNode)."""
        reference = plug.node.reference
        node_locked = plug.node.is_locked and not past_node_lock
        if node_locked or (reference is not None and reference.locked):
            raise RuntimeError(f"Cannot lock or unlock '{self.plug_name(plug)}' of a locked node.")

    def check_attributes_changeable(self, node: Node) -> None:
        """No attribute comes to or goes from a locked node (documentation of lockNode)."""
        if node.is_locked or (node.reference is not None and node.reference.locked):
            raise RuntimeError(f"Node '{node.name}' is locked.")

    def check_removable(self, plug: Plug) -> None:
        """Only attributes that were added can go, and no locked ones."""
        self.check_attributes_changeable(plug.node)
        if plug.path not in plug.node.dynamic:
            raise RuntimeError(f"Cannot delete static attribute '{self.plug_name(plug)}'.")
        if self.is_locked(plug):
            raise RuntimeError(f"Cannot delete locked attribute '{self.plug_name(plug)}'.")

    def check_deletable(self, node: Node) -> None:
        """Nodes of references, default nodes and locked ones stay (maya.md 1.7)."""
        if node.is_locked or node.reference is not None or node.is_default:
            raise RuntimeError(f"Cannot delete locked node '{node.name}'.")
        for child in node.children:
            self.check_deletable(child)

    def check_renamable(self, node: Node) -> None:
        """Nodes of references, default nodes and locked ones keep their names."""
        if node.is_locked or node.reference is not None or node.is_default:
            raise RuntimeError("Cannot rename a read only node.")
