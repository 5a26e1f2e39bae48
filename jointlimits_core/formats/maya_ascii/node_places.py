"""Text positions of a scene's nodes, attributes and connections, without values.

The reader interprets a scene without keeping positions; the limit writer keeps positions of limits
only. This second pass serves changes of orientations, keys and bind poses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .attributes import family_of
from .lexer import Statement, statements
from .limit_plugs import set_attr_words
from .scene import Node, Plug, Scene
from .scene_index import SceneIndex
from .set_attr import attribute_parts, split_plug

_COMMAND = re.compile(rb"[A-Za-z]+")
_NODE_TYPE = re.compile(rb"createNode[ \t\r\n]+\"?([A-Za-z0-9_]+)")
_ATTRIBUTE = re.compile(rb"\"([^\".]*)\.([A-Za-z0-9_]+)")
_KEPT = frozenset((b"createNode", b"connectAttr", b"select", b"parent"))
_CURVE = re.compile(r"animCurveT[ALUT]\Z")
_OF_TRANSFORMS = frozenset(
    ("translate", "rotate", "rotateOrder", "rotateAxis", "jointOrient", "bindPose")
)
_OF_OTHERS = {"dagPose": ("xformMatrix", "worldMatrix"), "skinCluster": ("bindPreMatrix",)}


@dataclass(frozen=True)
class Setting:
    """One setAttr.

    Parameters
    ----------
    name : str
        Long name of the attribute where it is known, else as written; without an index.
    index : tuple of (first, last), optional
    values : tuple of float
        In the file's own unit, at most four; empty if none is set.
    start, name_end, end : int
        Byte offsets of the statement, and of what stands behind the attribute's name.
    """

    name: str
    index: tuple[int, int] | None
    values: tuple[float, ...]
    start: int
    name_end: int
    end: int


@dataclass
class NodePlaces:
    """Where a node is made and set.

    Parameters
    ----------
    start : int
        First byte of its createNode.
    last_end : int
        Behind the last of its statements that was looked at; more of them may go there.
    elsewhere : bool
        True if another place of the file sets the node, too.
    long_names : int
        Settings by long names less those by short ones.
    """

    start: int
    last_end: int
    settings: list[Setting] = field(default_factory=list)
    elsewhere: bool = False
    long_names: int = 0

    def of(self, name: str) -> Iterator[Setting]:
        """Give the settings of an attribute by its long name, whatever the index."""
        return (one for one in self.settings if one.name == name)


@dataclass(frozen=True)
class Connection:
    """A connectAttr: both plugs as written, and its bytes."""

    source: str
    destination: str
    start: int
    end: int


@dataclass
class ScenePlaces:
    """Places of one file.

    Parameters
    ----------
    nodes : dict of Node to NodePlaces
        Of the nodes that the file itself makes and that matter here.
    into : dict of (Node, attribute) to list of Connection
        By where they lead to; attributes by their long names.
    touching : dict of Node to list of Connection
        By the nodes at both ends.
    """

    nodes: dict[Node, NodePlaces] = field(default_factory=dict)
    into: dict[Plug, list[Connection]] = field(default_factory=dict)
    touching: dict[Node, list[Connection]] = field(default_factory=dict)

    def connect(self, scene: Scene, connection: Connection) -> None:
        """Take in a connection."""
        target = scene.plug(connection.destination)
        if target is not None:
            self.into.setdefault(target, []).append(connection)
        ends = (split_plug(plug)[0] for plug in (connection.source, connection.destination))
        for node in {scene.find(path) for path in ends} - {None}:
            assert node is not None
            self.touching.setdefault(node, []).append(connection)

    @property
    def short_names(self) -> bool:
        """Whether the file writes short attribute names."""
        return sum(places.long_names for places in self.nodes.values()) <= 0


def _matters(node_type: str, name: str) -> bool:
    """Whether a change may have to touch an attribute of a node of a type."""
    if _CURVE.match(node_type):
        return True
    family = family_of(node_type)
    long = family.long_names.get(name, "")
    if node_type in ("joint", "transform"):
        parents = (whole for whole, children in family.children.items() if long in children)
        return long in _OF_TRANSFORMS or any(whole in _OF_TRANSFORMS for whole in parents)
    return long in _OF_OTHERS.get(node_type, ())


def _is_of_interest(node_type: str) -> bool:
    of_dag = node_type in ("joint", "transform")
    return of_dag or node_type in _OF_OTHERS or _CURVE.match(node_type) is not None


_ANYWHERE = frozenset(
    name
    for node_type in ("joint", "animCurveTA", *_OF_OTHERS)
    for name in family_of(node_type).long_names
    if _matters(node_type, name)
)
"""Names that a setAttr with a node in front may change."""


class _Filter:
    """Tells from the first bytes of a statement whether it matters."""

    def __init__(self) -> None:
        self.node_type = ""

    def __call__(self, head: bytes) -> bool:
        match = _COMMAND.match(head)
        command = match.group() if match else b""
        made = _NODE_TYPE.match(head)
        if made:
            self.node_type = made[1].decode()
        if command in (b"rename", b"addAttr"):
            return _is_of_interest(self.node_type)
        if command != b"setAttr":
            return command in _KEPT
        attribute = _ATTRIBUTE.search(head)
        if attribute is None:
            # Names need no quotes, though Maya always writes them.
            return _is_of_interest(self.node_type)
        name = attribute[2].decode()
        return name in _ANYWHERE if attribute[1] else _matters(self.node_type, name)


def scene_places(scene: Scene) -> ScenePlaces:
    """Find the places of a scene's own nodes.

    Parameters
    ----------
    scene : Scene
        As read from the same file.

    Raises
    ------
    MayaAsciiError
        As :func:`~jointlimits_core.formats.maya_ascii.lexer.statements`.
    """
    builder = _Builder(scene)
    for statement in statements(scene.path, scene.limits, _Filter()):
        builder.add(statement)
    return builder.found()


class _Builder:
    """Takes statements in order."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.index = SceneIndex(scene.path)
        self._blocks: dict[int, tuple[str, NodePlaces]] = {}
        self._connections: list[Connection] = []
        self._current: int | None = None
        self._inside = False

    def found(self) -> ScenePlaces:
        """Places by the nodes of the scene; a path that was used twice belongs to none."""
        result, twice = ScenePlaces(), set()
        for number, (node_type, places) in self._blocks.items():
            node = self.scene.find(self.index.path_of(number))
            if node is None or node.node_type != node_type:
                continue
            if node in result.nodes:
                twice.add(node)
            result.nodes[node] = places
        for node in twice:
            del result.nodes[node]
        for connection in self._connections:
            result.connect(self.scene, connection)
        return result

    def add(self, statement: Statement) -> None:
        command = statement.command
        if command == "createNode":
            self._create(statement)
        elif command == "select":
            words = [token.text for token in statement.tokens[1:] if token.text[:1] != "-"]
            self._inside = False
            self._current = next(self.index.nodes_named(words[-1]), None) if words else None
        elif command == "connectAttr":
            plugs = [token.text for token in statement.tokens[1:] if token.text[:1] != "-"]
            if len(plugs) >= 2:
                place = Connection(plugs[0], plugs[1], statement.start, statement.end)
                self._connections.append(place)
        elif command == "setAttr":
            self._set(statement)
        elif command in ("rename", "addAttr") and self._inside and self._current is not None:
            self._blocks[self._current][1].last_end = statement.end

    def _create(self, statement: Statement) -> None:
        words = [token.text for token in statement.tokens]
        flags = dict(zip(words[2:], words[3:]))
        node_type = words[1] if len(words) > 1 else ""
        name = flags.get("-n", flags.get("-name", ""))
        above = flags.get("-p", flags.get("-parent", ""))
        number = self.index.add_node(name.rpartition("|")[2].lstrip(":"), self._above(above))
        self._inside = _is_of_interest(node_type)
        self._current = number if self._inside else None
        if self._inside:
            self._blocks[number] = node_type, NodePlaces(statement.start, statement.end)

    def _above(self, name: str) -> int:
        """Node of a parent's name; parents that other files make are taken in as named."""
        node = next(self.index.nodes_named(name), -1) if name else -1
        if name and node < 0:
            for part in name.lstrip("|").split("|"):
                node = self.index.add_node(part.lstrip(":"), node)
        return node

    def _set(self, statement: Statement) -> None:
        words = set_attr_words(statement)
        if words.attribute is None:
            return
        path, attribute = split_plug(words.attribute.text)
        number = next(self.index.nodes_named(path), None) if path else self._current
        if number is None or number not in self._blocks:
            return
        node_type, places = self._blocks[number]
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
        values, end = tuple(words.values), words.attribute.end
        one = Setting(name, index, values, statement.start, end, statement.end)
        places.settings.append(one)
        places.last_end = statement.end
