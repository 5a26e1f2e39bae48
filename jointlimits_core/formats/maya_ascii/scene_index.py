"""Index of the parts of a scene that a writer may change: byte positions, from one pass.

The writer of limits needs joints, references and connections. Changes of keys also need the places
of curves, which the same pass collects on request.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ...io.input import DEFAULT_LIMITS, ReadLimits
from ...rig.attributes import attribute_parts, family_of, split_plug
from ...rig.scene import Node, Scene
from .lexer import PathLike, Statement, statements
from .statements import (
    FILE_FLAGS_WITH_VALUE,
    PLUGS,
    LimitAssignment,
    LimitPlug,
    SetAttrWords,
    flags_of,
    is_name_of,
    parse_parent,
    plain_words,
    reference_prefix,
    set_attr_words,
)

_COMMAND = re.compile(rb"[A-Za-z]+")
_NODE_TYPE = re.compile(rb"createNode[ \t\r\n]+\"?([A-Za-z0-9_]+)")
_LIMIT_NAME = re.compile(rb"\.(" + "|".join(PLUGS).encode() + rb")\"")
_ATTRIBUTE = re.compile(rb"\"([^\".]*)\.([A-Za-z0-9_]+)")
_KEPT = frozenset((b"createNode", b"file", b"currentUnit", b"connectAttr", b"select", b"parent"))
# Attributes of nearly every scene with joints; they show whether names are long or short.
_LONG_STYLE = re.compile(
    rb"\"\.(translate|rotate|scale|jointOrient|radius|bindPose|segmentScaleCompensate|visibility"
    rb"|m(?:in|ax)RotLimit)\""
)
_SHORT_STYLE = re.compile(rb"\"\.(t|r|s|jo|radi|bps|ssc|v|mnrl|mxrl)\"")
_CURVE = re.compile(r"animCurveT[ALUT]\Z")


@dataclass
class JointBlock:
    """Places that set attributes of a joint; further statements go after `last`."""

    last: Statement
    assignments: list[LimitAssignment] = field(default_factory=list)


@dataclass
class ReferenceNode:
    """A reference node and its record of edits; a new record goes after `last`."""

    last: Statement
    record: Statement | None = None
    locked: bool = False


@dataclass(frozen=True)
class FileReference:
    """A file that the scene loads.

    `path`: as written in the scene. `prefix`: of the names of the file's nodes: a namespace with
    its colon, or a prefix with its underscore. `node`: name of the reference node.
    """

    path: str
    prefix: str
    node: str


@dataclass(frozen=True)
class Setting:
    """One setAttr.

    `name`: long name of the attribute if it is known, else as written; without its index.
    `index`: first and last. `start`, `end`: byte offsets of the statement.
    """

    name: str
    index: tuple[int, int] | None
    start: int
    end: int


@dataclass
class NodePlaces:
    """Byte offsets of a node's statements.

    `start`: of its createNode. `last_end`: end of its last relevant statement; further ones may go
    there. `elsewhere`: whether another part of the file also sets the node. `long_names`: number
    of settings by long names minus those by short ones.
    """

    start: int
    last_end: int
    settings: list[Setting] = field(default_factory=list)
    elsewhere: bool = False
    long_names: int = 0

    def of(self, name: str) -> Iterator[Setting]:
        """Settings of an attribute by its long name, at any index."""
        return (one for one in self.settings if one.name == name)


@dataclass
class SceneIndex:
    """Index of one scene. Nodes are numbers; paths are built on demand.

    `degrees_per_unit`: of angles in the scene. `connections`: node names and attributes that have
    an incoming connection. `short_names`: whether the scene writes short attribute names.
    `blocks` (type and places by node) and `links` are filled for :func:`scene_places` only, if
    `has_places`.
    """

    path: str
    degrees_per_unit: float = 1.0
    joints: dict[int, JointBlock] = field(default_factory=dict)
    reference_nodes: dict[str, ReferenceNode] = field(default_factory=dict)
    references: list[FileReference] = field(default_factory=list)
    connections: list[tuple[str, LimitPlug]] = field(default_factory=list)
    short_names: bool = True
    has_places: bool = False
    blocks: dict[int, tuple[str, NodePlaces]] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    _parents: list[int] = field(default_factory=list)
    _by_name: dict[str, list[int]] = field(default_factory=dict)

    def add_node(self, name: str, parent: int) -> int:
        """Add a node; its parent is -1 for the world."""
        node = len(self._names)
        self._names.append(name)
        self._parents.append(parent)
        self._by_name.setdefault(name, []).append(node)
        return node

    def parent_named(self, name: str) -> int:
        """Node of a parent's name; parents that the scene does not create are added."""
        whole = _without_colons(name)
        node = next(self.nodes_named(whole), -1) if name else -1
        if name and node < 0:
            parts = whole.split("|")
            for part in parts[parts[0] == "" :]:
                node = self.add_node(part, node)
        return node

    def reparent(self, names: Sequence[str], above: str) -> None:
        """Move nodes below another, or to the top for the name ""; nothing into itself."""
        parent = self.parent_named(above)
        for name in names:
            node = next(self.nodes_named(_without_colons(name)), None)
            if node is not None and node not in self._and_above(parent):
                self._parents[node] = parent

    def _and_above(self, node: int) -> list[int]:
        """A node and its ancestors, the nearest first."""
        nodes = []
        while node >= 0:
            nodes.append(node)
            node = self._parents[node]
        return nodes

    def path_of(self, node: int) -> str:
        """Full path of a node."""
        return "|" + "|".join(self._names[one] for one in reversed(self._and_above(node)))

    def nodes_named(self, name: str) -> Iterator[int]:
        """Nodes that a name, or the end of a path, may mean; the latest first."""
        parts = name.lstrip("|").split("|")
        for node in reversed(self._by_name.get(parts[-1], [])):
            above = node
            for part in reversed(parts):
                if above < 0 or self._names[above] != part:
                    break
                above = self._parents[above]
            else:
                if above < 0 or not name.startswith("|"):
                    yield node

    def joints_named(self, name: str) -> list[int]:
        """Joints that a name may mean, at most two: enough to show that it is ambiguous."""
        found = (node for node in self.nodes_named(name) if node in self.joints)
        # Names as they come from readers may leave out the first bar of a full path.
        exact = (node for node in self.nodes_named("|" + name) if node in self.joints)
        return list(islice(exact, 1)) or list(islice(found, 2))

    def plugs_connected_of(self, path: str) -> Iterator[LimitPlug]:
        """Attributes of the node of a full path that have an incoming connection."""
        for node, plug in self.connections:
            if is_name_of(node, path):
                yield plug


@dataclass
class ScenePlaces:
    """Places of one file.

    `nodes`: curves that the file itself creates. `outputs`: source and destination plugs, as
    written, of the connections out of a node.
    """

    nodes: dict[Node, NodePlaces] = field(default_factory=dict)
    outputs: dict[Node, list[tuple[str, str]]] = field(default_factory=dict)

    @property
    def short_names(self) -> bool:
        """Whether the file writes short attribute names."""
        return sum(places.long_names for places in self.nodes.values()) <= 0


def _is_curve(node_type: str) -> bool:
    return _CURVE.match(node_type) is not None


_CURVE_ATTRIBUTES = frozenset(family_of("animCurveTA").long_names)
"""Attributes that a setAttr with a node name may change."""


def index_scene(
    path: PathLike, limits: ReadLimits = DEFAULT_LIMITS, *, places: bool = False
) -> SceneIndex:
    """Find the joints, references, units and connections of a scene.

    `places` also collects what :func:`scene_places` needs. Errors: as :func:`.lexer.statements`.
    """
    indexer = _Indexer(SceneIndex(os.fspath(path), has_places=places), places)
    for statement in statements(path, limits, indexer.wants):
        indexer.add(statement)
    indexer.index.short_names = indexer.long_style <= indexer.short_style
    return indexer.index


def scene_places(scene: Scene, index: SceneIndex) -> ScenePlaces:
    """Places by the nodes of a scene that was read from the same file as the index.

    A path that is used twice gets no node.
    """
    result, twice = ScenePlaces(), set()
    for number, (node_type, places) in index.blocks.items():
        node = scene.find(index.path_of(number))
        if node is None or node.node_type != node_type:
            continue
        if node in result.nodes:
            twice.add(node)
        result.nodes[node] = places
    for node in twice:
        del result.nodes[node]
    for source, destination in index.links:
        origin = scene.find(split_plug(source)[0])
        if origin is not None:
            result.outputs.setdefault(origin, []).append((source, destination))
    return result


def _without_colons(path: str) -> str:
    """Path of names in the root namespace, without the colons that say so."""
    return "|".join(name.lstrip(":") for name in path.split("|"))


class _Indexer:
    """Fills the index from statements that it selects by their first bytes.

    Limits are read in the block that a createNode opens; places also follow `select`.
    """

    def __init__(self, index: SceneIndex, places: bool) -> None:
        self.index, self.places = index, places
        self.long_style = self.short_style = 0
        self._node_type = ""
        self._has_place = False
        self._block: JointBlock | ReferenceNode | None = None
        self._current: int | None = None
        self._inside = False

    def wants(self, head: bytes) -> bool:
        """Whether a statement matters."""
        match = _COMMAND.match(head)
        command = match.group() if match else b""
        made = _NODE_TYPE.match(head)
        if command == b"createNode":
            self._node_type = made[1].decode() if made else ""
        in_block = self._node_type in ("joint", "reference")
        self._has_place = self.places and self._changes_place(command, head)
        if command == b"setAttr":
            if in_block:
                self.long_style += bool(_LONG_STYLE.search(head))
                self.short_style += bool(_SHORT_STYLE.search(head))
            return in_block or self._has_place or bool(_LIMIT_NAME.search(head))
        if command in (b"addAttr", b"rename"):
            return in_block or self._has_place
        return command in _KEPT

    def _changes_place(self, command: bytes, head: bytes) -> bool:
        attribute = _ATTRIBUTE.search(head) if command == b"setAttr" else None
        if attribute is None:
            # Names need no quotes, though Maya always writes them.
            return _is_curve(self._node_type)
        if attribute[1]:
            return attribute[2].decode() in _CURVE_ATTRIBUTES
        return _is_curve(self._node_type)

    def add(self, statement: Statement) -> None:
        """Read a statement."""
        command = statement.command
        if command == "setAttr":
            words = set_attr_words(statement)
            if words.attribute is not None:
                self._set_limit(statement, words, words.attribute.text, words.attribute.end)
                if self._has_place:
                    self._set_place(statement, words.attribute.text)
        elif command in ("addAttr", "rename"):
            # Further attributes go after the last setAttr, or after these if there is none.
            if self._block is not None and self._block.last.command != "setAttr":
                self._block.last = statement
            if self._has_place and self._inside and self._current is not None:
                self.index.blocks[self._current][1].last_end = statement.end
        elif command == "createNode":
            self._create_node(statement)
        elif command == "file":
            texts = [token.text for token in statement.tokens]
            flags = flags_of(texts, FILE_FLAGS_WITH_VALUE)
            if "-r" in flags:
                reference = FileReference(texts[-1], reference_prefix(flags), flags.get("-rfn", ""))
                self.index.references.append(reference)
        elif command == "currentUnit":
            angle = flags_of([token.text for token in statement.tokens]).get("-a")
            if angle:
                self.index.degrees_per_unit = math.degrees(1.0) if angle.startswith("rad") else 1.0
        elif command == "connectAttr":
            self._connection(statement)
        elif command in ("select", "parent"):
            self._block = None
            if command == "parent":
                self.index.reparent(*parse_parent(statement))
            else:
                names = plain_words(statement)
                self._inside = False
                self._current = next(self.index.nodes_named(names[-1]), None) if names else None

    def _create_node(self, statement: Statement) -> None:
        words = [token.text for token in statement.tokens]
        flags, node_type = flags_of(words), words[1] if len(words) > 1 else ""
        name, parent = flags.get("-n", ""), self.index.parent_named(flags.get("-p", ""))
        node = self.index.add_node(name.rpartition("|")[2].lstrip(":"), parent)
        self._block = None
        if node_type == "joint":
            self._block = self.index.joints[node] = JointBlock(statement)
        elif node_type == "reference":
            self._block = self.index.reference_nodes[name] = ReferenceNode(statement)
        self._inside = self.places and _is_curve(node_type)
        self._current = node if self._inside else None
        if self._inside:
            self.index.blocks[node] = node_type, NodePlaces(statement.start, statement.end)

    def _set_limit(self, statement: Statement, words: SetAttrWords, plug: str, end: int) -> None:
        node, _, name = plug.rpartition(".")
        block = self._block
        if node:
            block = next((self.index.joints[one] for one in self.index.joints_named(node)), None)
        elif block is not None:
            block.last = statement
        if isinstance(block, JointBlock) and name in PLUGS:
            values = tuple(words.values)
            assignment = LimitAssignment(*PLUGS[name], values, words.locked, end, statement.end)
            block.assignments.append(assignment)
        elif isinstance(block, ReferenceNode) and name in ("ed", "edits"):
            block.record = statement
        elif isinstance(block, ReferenceNode) and name in ("lk", "locked"):
            block.locked = words.values[:1] == [1.0]

    def _set_place(self, statement: Statement, plug: str) -> None:
        path, attribute = split_plug(plug)
        number = next(self.index.nodes_named(path), None) if path else self._current
        if number is None or number not in self.index.blocks:
            return
        node_type, places = self.index.blocks[number]
        if path or not self._inside:
            places.elsewhere = True
            return
        parts = attribute_parts(attribute)
        if not parts:
            return
        short, first, last = parts[-1]
        name = family_of(node_type).long_names.get(short, short)
        index = None if first is None or last is None else (first, last)
        places.long_names += (name == short and len(short) > 5) - (name != short)
        places.settings.append(Setting(name, index, statement.start, statement.end))
        places.last_end = statement.end

    def _connection(self, statement: Statement) -> None:
        plugs = plain_words(statement)
        if len(plugs) < 2:
            return
        node, _, name = plugs[1].partition(".")
        name = name.rpartition(".")[2]
        if name in PLUGS:
            self.index.connections.append((node, PLUGS[name]))
        if self.places:
            self.index.links.append((plugs[0], plugs[1]))
