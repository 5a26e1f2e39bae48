"""Index of what the writer may change in a scene: one pass that holds positions only.

Text positions of a scene's nodes, attributes and connections, without values.

The reader interprets a scene without keeping positions; the limit writer keeps positions of limits
only. This second pass serves changes of orientations, keys and bind poses.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from ...io import DEFAULT_LIMITS, ReadLimits
from ...rig import Node, Plug, Scene, attribute_parts, family_of, split_plug
from .lexer import Statement, Token, statements
from .statements import PLUGS, LimitAssignment, LimitPlug, set_attr_words

_COMMAND = re.compile(rb"[A-Za-z]+")
_NODE_TYPE = re.compile(rb"createNode[ \t\r\n]+\"?([A-Za-z0-9_]+)")
_LIMIT_NAME = re.compile(rb"\.(" + "|".join(PLUGS).encode() + rb")\"")
_IN_BLOCK = frozenset(("setAttr", "addAttr", "rename"))
_KEPT_IN_INDEX = frozenset(
    (b"createNode", b"file", b"currentUnit", b"connectAttr", b"select", b"parent")
)
#: Attributes that nearly every scene with joints has, to tell its style by.
_LONG_STYLE = re.compile(
    rb"\"\.(translate|rotate|scale|jointOrient|radius|bindPose|segmentScaleCompensate|visibility"
    rb"|m(?:in|ax)RotLimit)\""
)
_SHORT_STYLE = re.compile(rb"\"\.(t|r|s|jo|radi|bps|ssc|v|mnrl|mxrl)\"")


@dataclass
class JointBlock:
    """A joint of the scene: what sets its attributes, and the statement behind which more goes."""

    last: Statement
    assignments: list[LimitAssignment] = field(default_factory=list)


@dataclass
class ReferenceNode:
    """A reference node: its record of edits, and where one goes if it has none."""

    last: Statement
    record: Statement | None = None
    locked: bool = False


@dataclass(frozen=True)
class FileReference:
    """A file that the scene loads.

    Parameters
    ----------
    path : str
        As the scene has it.
    prefix : str
        What stands before the names of the file's nodes: a namespace with its colon, or a prefix
        with its underscore.
    node : str
        Name of the reference node.
    """

    path: str
    prefix: str
    node: str


@dataclass
class SceneIndex:
    """What one pass over a scene finds. Nodes are numbers; paths are put together when asked for.

    Parameters
    ----------
    path : str
        The scene.
    degrees_per_unit : float
        Of angles in the scene.
    connections : list of (node name, Plug)
        Attributes that something is connected into.
    short_names : bool
        Whether the scene writes short attribute names.
    """

    path: str
    degrees_per_unit: float = 1.0
    joints: dict[int, JointBlock] = field(default_factory=dict)
    reference_nodes: dict[str, ReferenceNode] = field(default_factory=dict)
    references: list[FileReference] = field(default_factory=list)
    connections: list[tuple[str, LimitPlug]] = field(default_factory=list)
    short_names: bool = True
    _names: list[str] = field(default_factory=list)
    _parents: list[int] = field(default_factory=list)
    _by_name: dict[str, list[int]] = field(default_factory=dict)

    def add_node(self, name: str, parent: int) -> int:
        """Take in a node; its parent is -1 for the world."""
        node = len(self._names)
        self._names.append(name)
        self._parents.append(parent)
        self._by_name.setdefault(name, []).append(node)
        return node

    def path_of(self, node: int) -> str:
        """Full path of a node."""
        parts = []
        while node >= 0:
            parts.append(self._names[node])
            node = self._parents[node]
        return "|" + "|".join(reversed(parts))

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
        """Joints that a name may mean; two are enough to see that there are several."""
        found = (node for node in self.nodes_named(name) if node in self.joints)
        # Names as they come from readers may leave out the first bar of a full path.
        exact = (node for node in self.nodes_named("|" + name) if node in self.joints)
        return list(islice(exact, 1)) or list(islice(found, 2))

    def plugs_connected_of(self, path: str) -> Iterator[LimitPlug]:
        """Attributes of the node of a full path that something is connected into."""
        for node, plug in self.connections:
            if path == node or (not node.startswith("|") and path.endswith("|" + node)):
                yield plug


class _IndexFilter:
    """Tells from the first bytes of a statement whether the index needs it."""

    def __init__(self) -> None:
        self.in_block = False
        self.long_style = self.short_style = 0

    def __call__(self, head: bytes) -> bool:
        match = _COMMAND.match(head)
        command = match.group() if match else b""
        if command == b"createNode":
            node_type = _NODE_TYPE.match(head)
            self.in_block = bool(node_type) and node_type[1] in (b"joint", b"reference")  # type: ignore[index]
            return True
        if command == b"setAttr":
            if self.in_block:
                self.long_style += bool(_LONG_STYLE.search(head))
                self.short_style += bool(_SHORT_STYLE.search(head))
            return self.in_block or bool(_LIMIT_NAME.search(head))
        if command in (b"addAttr", b"rename"):
            return self.in_block
        return command in _KEPT_IN_INDEX


def index_scene(path: str | os.PathLike[str], limits: ReadLimits = DEFAULT_LIMITS) -> SceneIndex:
    """Find the joints, references, units and connections of a scene.

    Raises MayaAsciiError as :func:`~jointlimits_core.formats.maya_ascii.lexer.statements`.
    """
    wanted = _IndexFilter()
    builder = _IndexBuilder(SceneIndex(os.fspath(path)))
    for statement in statements(path, limits, wanted):
        builder.add(statement)
    builder.index.short_names = wanted.long_style <= wanted.short_style
    return builder.index


class _IndexBuilder:
    """Takes statements in order and fills the index."""

    def __init__(self, index: SceneIndex) -> None:
        self.index = index
        self._block: JointBlock | ReferenceNode | None = None

    def add(self, statement: Statement) -> None:
        command = statement.command
        if command == "setAttr":
            self._set_attribute(statement)
        elif command in _IN_BLOCK:
            # Further attributes go behind the last setAttr, or behind these where there is none.
            if self._block is not None and self._block.last.command != "setAttr":
                self._block.last = statement
        elif command == "createNode":
            self._create_node(statement)
        elif command == "file":
            self._file(statement)
        elif command == "currentUnit":
            self._units(statement)
        elif command == "connectAttr":
            self._connection(statement)
        elif command in ("select", "parent"):
            self._block = None

    def _create_node(self, statement: Statement) -> None:
        words = _flags(statement)
        node_type = statement.tokens[1].text if len(statement.tokens) > 1 else ""
        name = words.get("-n", words.get("-name", ""))
        node = self.index.add_node(name, self._parent(words.get("-p", words.get("-parent", ""))))
        self._block = None
        if node_type == "joint":
            self._block = self.index.joints[node] = JointBlock(statement)
        elif node_type == "reference":
            self._block = self.index.reference_nodes[name] = ReferenceNode(statement)

    def _parent(self, name: str) -> int:
        """Node of a parent's name; parents that the scene does not make are taken in as named."""
        node = next(self.index.nodes_named(name), -1) if name else -1
        if name and node < 0:
            for part in name.lstrip("|").split("|"):
                node = self.index.add_node(part, node)
        return node

    def _set_attribute(self, statement: Statement) -> None:
        words = set_attr_words(statement)
        if words.attribute is None:
            return
        node, _, name = words.attribute.text.rpartition(".")
        block = self._block
        if node:
            block = next((self.index.joints[one] for one in self.index.joints_named(node)), None)
        elif block is not None:
            block.last = statement
        if isinstance(block, JointBlock) and name in PLUGS:
            triple, axis = PLUGS[name]
            place = words.attribute.end, statement.end
            values = tuple(words.values)
            block.assignments.append(LimitAssignment(triple, axis, values, words.locked, *place))
        elif isinstance(block, ReferenceNode) and name in ("ed", "edits"):
            block.record = statement
        elif isinstance(block, ReferenceNode) and name in ("lk", "locked"):
            block.locked = words.values[:1] == [1.0]

    def _file(self, statement: Statement) -> None:
        words = _flags(statement, ("-r", "-reference"))
        if "-r" not in words and "-reference" not in words:
            return
        prefix = words.get("-rpr", words.get("-renamingPrefix", ""))
        space = words.get("-ns", words.get("-namespace", ""))
        space = space.strip(":")
        before = prefix + "_" if prefix else space + ":" if space else ""
        node = words.get("-rfn", words.get("-referenceNode", ""))
        self.index.references.append(FileReference(statement.tokens[-1].text, before, node))

    def _units(self, statement: Statement) -> None:
        words = _flags(statement)
        angle = words.get("-a", words.get("-angle", ""))
        if angle:
            self.index.degrees_per_unit = math.degrees(1.0) if angle.startswith("rad") else 1.0

    def _connection(self, statement: Statement) -> None:
        plugs = [token.text for token in statement.tokens[1:] if token.quoted]
        target = plugs[1] if len(plugs) > 1 else ""
        name = target.rpartition(".")[2]
        if name in PLUGS:
            self.index.connections.append((target.partition(".")[0], PLUGS[name]))


def _flags(statement: Statement, bare: tuple[str, ...] = ("-s", "-shared")) -> dict[str, str]:
    """Flags of a statement and the word behind each; "" behind those that take none."""
    found: dict[str, str] = {}
    flag: Token | None = None
    for token in statement.tokens[1:]:
        if not token.quoted and token.text[:1] == "-" and token.text[1:2].isalpha():
            found[token.text] = ""
            flag = None if token.text in bare else token
        elif flag is not None:
            found[flag.text], flag = token.text, None
    return found


_ATTRIBUTE = re.compile(rb"\"([^\".]*)\.([A-Za-z0-9_]+)")
_KEPT_IN_PLACES = frozenset((b"createNode", b"connectAttr", b"select", b"parent"))
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


class _PlaceFilter:
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
            return command in _KEPT_IN_PLACES
        attribute = _ATTRIBUTE.search(head)
        if attribute is None:
            # Names need no quotes, though Maya always writes them.
            return _is_of_interest(self.node_type)
        name = attribute[2].decode()
        return name in _ANYWHERE if attribute[1] else _matters(self.node_type, name)


def scene_places(scene: Scene) -> ScenePlaces:
    """Find the places of a scene's own nodes.

    `scene` was read from the same file. Raises MayaAsciiError as
    :func:`~jointlimits_core.formats.maya_ascii.lexer.statements`.
    """
    builder = _PlaceBuilder(scene)
    for statement in statements(scene.path, scene.limits, _PlaceFilter()):
        builder.add(statement)
    return builder.found()


class _PlaceBuilder:
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
