"""Index of what the writer may change in a scene: one pass that holds positions only."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from ..read_limits import DEFAULT_LIMITS, ReadLimits
from .lexer import Statement, Token, statements
from .limit_plugs import PLUGS, Assignment, Plug, set_attr_words

_COMMAND = re.compile(rb"[A-Za-z]+")
_NODE_TYPE = re.compile(rb"createNode[ \t\r\n]+\"?([A-Za-z0-9_]+)")
_LIMIT_NAME = re.compile(rb"\.(" + "|".join(PLUGS).encode() + rb")\"")
_IN_BLOCK = frozenset(("setAttr", "addAttr", "rename"))
_KEPT = frozenset((b"createNode", b"file", b"currentUnit", b"connectAttr", b"select", b"parent"))
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
    assignments: list[Assignment] = field(default_factory=list)


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
    joints : dict of node to JointBlock
    reference_nodes : dict of name to ReferenceNode
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
    connections: list[tuple[str, Plug]] = field(default_factory=list)
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

    def plugs_connected_of(self, path: str) -> Iterator[Plug]:
        """Attributes of the node of a full path that something is connected into."""
        for node, plug in self.connections:
            if path == node or (not node.startswith("|") and path.endswith("|" + node)):
                yield plug


class _Filter:
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
        return command in _KEPT


def index_scene(path: str | os.PathLike[str], limits: ReadLimits = DEFAULT_LIMITS) -> SceneIndex:
    """Find the joints, references, units and connections of a scene.

    Parameters
    ----------
    path : path-like

    Raises
    ------
    MayaAsciiError
        As :func:`~jointlimits_core.formats.maya_ascii.lexer.statements`.
    """
    wanted = _Filter()
    builder = _Builder(SceneIndex(os.fspath(path)))
    for statement in statements(path, limits, wanted):
        builder.add(statement)
    builder.index.short_names = wanted.long_style <= wanted.short_style
    return builder.index


class _Builder:
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
            block.assignments.append(Assignment(triple, axis, values, words.locked, *place))
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
