"""Edits of connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.lookup import Lookup
from tests.maya_standin.nodes import MISSING, Node, Plug
from tests.maya_standin.recording import Recording
from tests.maya_standin.transforms import WORLD_SPACE

if TYPE_CHECKING:
    from tests.maya_standin.evaluation import Evaluator


class ConnectionEdits(Recording, Lookup):
    """The part of a scene that connects plugs; see graph.Scene."""

    connections: dict[Plug, Plug]
    evaluator: Evaluator
    revision: int
    _connected_at: int
    _connected: dict[Node, dict[Plug, None]]
    _outputs: dict[Plug, list[Plug]]
    _inputs: dict[Node, dict[str, None]]

    def connect(self, source: Plug, destination: Plug) -> None:
        """Connect two plugs; RuntimeError where the destination has a source."""
        source = self.first_instance(source)
        if destination in self.connections:
            raise RuntimeError(
                f"'{self.plug_name(destination)}' already has an incoming connection from "
                f"'{self.plug_name(self.connections[destination])}'."
            )
        reference = destination.node.reference or source.node.reference
        self.note(reference, "connectAttr", source, destination)
        self.edit(lambda: self._join(source, destination), lambda: self._part(source, destination))

    def disconnect(self, source: Plug, destination: Plug, keep: bool = True) -> None:
        """Disconnect two plugs; what the destination showed last stays as its value.

        Not with `keep` False: of files that are opened nothing was shown before.
        """
        source = self.first_instance(source)
        if self.connections.get(destination) != source:
            raise RuntimeError(
                f"'{self.plug_name(source)}' is not connected to '{self.plug_name(destination)}'."
            )
        reference = destination.node.reference or source.node.reference
        self.note(reference, "disconnectAttr", source, destination)
        node, path = destination
        deletes = node.is_element(path) and node.spec(path).deletes
        if keep and not deletes:
            self._keep_shown(destination)
        self.edit(lambda: self._part(source, destination), lambda: self._join(source, destination))
        # guess: element-goes-with-its-source
        for own in [own for own in node.values if deletes and own.startswith((path, f"{path}."))]:
            self._change_entry(node.values, own, MISSING)

    def _keep_shown(self, plug: Plug) -> None:
        """Store what a driven plug shows; an element of an array stays with it."""
        node, path = plug
        for child in node.children_of(path):
            self._keep_shown(Plug(node, child))
        spec = node.spec(path)
        whole = spec.array and not node.is_element(path)
        if node.children_of(path) or whole or spec.kind in ("message", "typed"):
            return
        try:
            value = self.evaluator.value(plug)
        except NotModelledError:
            return
        self._change_entry(node.values, path, value)

    @staticmethod
    def first_instance(plug: Plug) -> Plug:
        """ "joint.worldMatrix" as files write it stands for the element of the first instance."""
        return Plug(plug.node, plug.path + "[0]") if plug.path in WORLD_SPACE else plug

    def _join(self, source: Plug, destination: Plug) -> None:
        self.connections[destination] = source
        self._inputs.setdefault(destination.node, {})[destination.path] = None
        self._outputs.setdefault(source, []).append(destination)

    def _part(self, source: Plug, destination: Plug) -> None:
        del self.connections[destination]
        del self._inputs[destination.node][destination.path]
        self._outputs[source].remove(destination)

    def source(self, plug: Plug) -> Plug | None:
        """What is connected into this very plug."""
        return self.connections.get(plug)

    def outputs(self, plug: Plug) -> list[Plug]:
        """Where this very plug is connected to."""
        return list(self._outputs.get(plug, ()))

    def connected_plugs(self, node: Node) -> list[Plug]:
        """Plugs of a node that are connected, each once; sorted out once for every change."""
        if self._connected_at != self.revision:
            self._connected_at, self._connected = self.revision, {}
            for pair in self.connections.items():
                for end in pair:
                    self._connected.setdefault(end.node, {})[end] = None
        return list(self._connected.get(node, ()))

    def connected_paths(self, node: Node) -> list[str]:
        """Paths of a node into which something is connected."""
        return list(self._inputs.get(node, ()))

    def is_driven(self, plug: Plug) -> bool:
        """Whether something is connected into a plug or into a compound above it."""
        path: str | None = plug.path
        while path is not None:
            if Plug(plug.node, path) in self.connections:
                return True
            path = plug.node.parent_of(path)
        return False
