"""Nodes, plugs and references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.maya_standin.attributes import AttributeSpec, AttributeTable
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.node_types import NodeType

MISSING = object()
"""Stands for no value where None is one."""


class Node:
    """A node of the scene.

    Attributes
    ----------
    values : dict
        Values in internal units by path; a path that is absent has its default.
    locked : set
        Paths that are locked themselves.
    dynamic : dict
        Attributes that were added, by long name.
    keyable, channel_box : dict
        What `setAttr -keyable` and `-channelBox` changed, by path.
    made : set
        Elements of arrays that are there only because somebody read them.
    raw : dict
        Attributes that a file sets and nobody models: text by text.
    keys : object
        Keys of an animation curve (see curves.py), else None.
    is_locked : bool
        Locked by `lockNode`.
    """

    def __init__(
        self,
        kind: NodeType,
        name: str,
        parent: Node | None = None,
        uuid: str = "",
        reference: Reference | None = None,
    ):
        self.node_type = kind
        self.name = name
        self.parent = parent
        self.uuid = uuid
        self.reference = reference
        self.children: list[Node] = []
        self.values: dict[str, Any] = {}
        self.locked: set[str] = set()
        self.dynamic: dict[str, AttributeSpec] = {}
        self.keyable: dict[str, bool] = {}
        self.channel_box: dict[str, bool] = {}
        self.raw: dict[str, str] = {}
        self.keys: Any = None
        self.made: set[str] = set()
        self.is_locked = False
        self.is_default = False
        self._added = AttributeTable()
        # What is read off the attribute tables again and again.
        self._specs: dict[str, AttributeSpec] = {}
        self._children: dict[str, tuple[str, ...]] = {}
        self._parents: dict[str, str | None] = {}

    def __repr__(self) -> str:
        return f"<{self.type} {self.name}>"

    @property
    def type(self) -> str:
        return self.node_type.name

    @property
    def is_dag(self) -> bool:
        return self.node_type.is_dag

    @property
    def namespace(self) -> str:
        """Namespace without the colon at its end; "" in the root."""
        return self.name.rpartition(":")[0]

    @property
    def short_name(self) -> str:
        """Name without namespace."""
        return self.name.rpartition(":")[2]

    def is_a(self, type_name: str) -> bool:
        return self.node_type.is_a(type_name)

    def full_path(self) -> str:
        """Path from the root, "|a|b"; the name alone for a node outside of the DAG."""
        if not self.is_dag:
            return self.name
        above = self.parent.full_path() if self.parent else ""
        return f"{above}|{self.name}"

    # --- attributes ---------------------------------------------------------------------------

    def path_of(self, text: str) -> str | None:
        """The one spelling of an attribute's name; None where the node has no such attribute.

        NotModelledError where nobody can tell whether it has.
        """
        path = self.node_type.attributes.path(text) or self._added.path(text)
        if path is None and (text in self.raw or not self.node_type.complete):
            raise NotModelledError(f"attribute {text} of {self.type} nodes is not modelled")
        return path

    def chain(self, path: str) -> tuple[AttributeSpec, ...]:
        """The attribute of a path, with the compounds above it in front."""
        leaf = path.rpartition(".")[2].partition("[")[0]
        for table in (self.node_type.attributes, self._added):
            if leaf in table.chains:
                return table.chains[leaf]
        raise NotModelledError(f"attribute {path} of {self.type} nodes is not modelled")

    def spec(self, path: str) -> AttributeSpec:
        """The attribute of a path."""
        found = self._specs.get(path)
        if found is None:
            found = self._specs[path] = self.chain(path)[-1]
        return found

    def attribute_specs(self) -> list[AttributeSpec]:
        """Top-level attributes, those that were added last."""
        return [*self.node_type.attributes.top.values(), *self.dynamic.values()]

    def is_element(self, path: str) -> bool:
        """Whether a path is one element of an array."""
        return path.endswith("]")

    def children_of(self, path: str) -> tuple[str, ...]:
        """Paths of a compound's children; () for a single attribute or a whole array."""
        found = self._children.get(path)
        if found is None:
            spec = self.spec(path)
            whole = spec.array and not self.is_element(path)
            stem = _stem(path)
            names = () if whole else tuple(stem + child.long for child in spec.children)
            found = self._children[path] = names
        return found

    def parent_of(self, path: str) -> str | None:
        """Path of the compound or, for an element, of the array above a path."""
        if path not in self._parents:
            self._parents[path] = self._parent_of(path)
        return self._parents[path]

    def _parent_of(self, path: str) -> str | None:
        if self.is_element(path):
            return path.rpartition("[")[0]
        chain = self.chain(path)
        if len(chain) == 1:
            return None
        above = chain[-2]
        stem = path.rpartition(".")[0]
        if above.array:
            return stem
        return f"{stem}.{above.long}" if stem else above.long

    def indices(self, path: str) -> list[int]:
        """Indices of the elements that have a value of their own, in order."""
        start = path + "["
        names = (name[len(start) :] for name in self.values if name.startswith(start))
        found = {name.partition("]")[0] for name in names}
        return sorted(map(int, found))

    def add_spec(self, spec: AttributeSpec) -> None:
        self.dynamic[spec.long] = spec
        self._added.add(spec)

    def drop_spec(self, long: str) -> None:
        del self.dynamic[long]
        self._added.remove(long)
        for cache in (self._specs, self._children, self._parents):
            cache.clear()

    def stored(self, path: str) -> Any:
        """Value as it is stored, nothing computed; a tuple for a compound."""
        children = self.children_of(path)
        if children:
            return tuple(self.stored(child) for child in children)
        if path in self.values:
            return self.values[path]
        return self.spec(path).initial()


def _stem(path: str) -> str:
    """What stands before the names of a compound's children."""
    if path.endswith("]"):
        return path + "."
    above, dot, _ = path.rpartition(".")
    return above + dot


class Plug(NamedTuple):
    """A node and the one spelling of a path on it, such as "rotateX" or "worldMatrix[0]"."""

    node: Node
    path: str


@dataclass(eq=False)
class Reference:
    """A referenced file.

    `edits` are what the scene changed on nodes of the reference, in order, without values:
    (kind, node, path) or (kind, source plug, destination plug).
    """

    node: Node
    path: str
    namespace: str = ""
    parent: Reference | None = None
    loaded: bool = True
    locked: bool = False
    ignore_edits: bool = False
    nodes: list[Node] = field(default_factory=list)
    edits: dict[tuple[Any, ...], None] = field(default_factory=dict)
    raw_edits: list[str] = field(default_factory=list)
    """Edits as a file has them that are not modelled, or could not be applied."""
