"""Opens Maya ASCII scenes: every statement is data, none is run.

Sources: maya.md 8 (statements, flags, units), 10 (script nodes), and the scenes themselves. What
nobody models is kept as text, so that a scene that is written again loses nothing.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tests.maya_standin import ma_attributes, ma_connections, references
from tests.maya_standin.graph import Node, Reference, Scene
from tests.maya_standin.ma_curves import CurveArrays
from tests.maya_standin.ma_statements import (
    Flags,
    Statement,
    SyntaxProblem,
    Word,
    flag_table,
    flags_of,
    quote,
    statements,
)
from tests.maya_standin.ma_values import FileUnits
from tests.maya_standin.opening import Opening, file_text, refuse_newer

if TYPE_CHECKING:
    from tests.maya_standin.session import Session

CREATE = flag_table("name n 1, parent p 1, shared s 0, skipSelect ss 0")
RENAME = flag_table("uuid uid 1, ignoreShape is 0")
SELECT = flag_table("noExpand ne 0, replace r 0, clear cl 0")
PARENT = flag_table("shape s 0, noConnections nc 0, relative r 0, addObject add 0, world w 0")
UNIT = flag_table("linear l 1, angle a 1, time t 1")
LOCK = flag_table("lock l 1")
FILE = flag_table(
    "reference r 0, referenceDepthInfo rdi 1, namespace ns 1, type typ 1, "
    "referenceNode rfn 1, deferReference dr 1, options op 1, shared shd 1, "
    "lockReference lrf 1, renamingPrefix rpr 1"
)


def open_scene(
    session: Session,
    path: str,
    execute_script_nodes: bool = True,
    load_references: str = "asPrefs",
    ignore_version: bool = False,
) -> Scene:
    """Replace the session's scene with that of a file.

    Parameters
    ----------
    session : Session
    path : str
    execute_script_nodes : bool
        What `file -executeScriptNodes` says; script nodes that Maya would run are only recorded,
        in `session.executed_script_nodes`.
    load_references : str
        "all", "none", "topOnly" or "asPrefs" (`file -loadReferenceDepth`); the last leaves
        deferred references alone.
    ignore_version : bool
        `file -ignoreVersion`: without it a scene of a later Maya is refused (its documentation).

    Raises
    ------
    RuntimeError
        If the file is not there or is no Maya ASCII scene of this Maya or an earlier one; also
        after reading, where it had errors: the scene is open then.
    """
    text = file_text(path)
    refuse_newer(session, text, path, ignore_version)
    scene = session.new_scene()
    opening = Opening(session, scene, execute_script_nodes, load_references, ignore_version)
    with scene.quietly():
        reader = FileReader(opening, path)
        reader.read(text)
        scene.file_name, scene.file_type = str(path), "mayaAscii"
        references.connect_placeholders(opening)
        scene.select(())
    for node in scene.of_type("script"):
        opening.script(node)
    scene.modified = False
    if opening.problems:
        # guess: open-with-errors-raises (the scene is open, and the command raises all the same)
        raise RuntimeError("\n".join([*opening.problems, "Error reading file."]))
    return scene


def create_reference(session: Session, path: str, namespace: str, name: str = "") -> Reference:
    """Add a reference to the open scene: `file -reference -namespace`."""
    scene = session.scene
    opening = Opening(session, scene, run_scripts=False)
    with scene.quietly():
        reader = FileReader(opening, scene.file_name)
        text = Word(str(path), True)
        node_name = scene.unique_name(name or f"{namespace}RN", None, False)
        flags = {"referenceNode": (Word(node_name, True),), "namespace": (Word(namespace, True),)}
        references.declare(reader, Flags(flags, (text,)))
        references.connect_placeholders(opening)
    if opening.problems:
        raise RuntimeError("\n".join(opening.problems))
    scene.modified = True
    return next(one for one in scene.references if one.node.name == node_name)


class FileReader:
    """Reads one file into a scene; of a referenced file the names get the namespace.

    Attributes
    ----------
    node : Node or None
        The one that setAttr and addAttr without a name mean.
    """

    def __init__(self, opening: Opening, path: str, reference: Reference | None = None):
        self.opening = opening
        self.scene = opening.scene
        self.path = path
        self.reference = reference
        self.prefix = f"{reference.namespace}:" if reference and reference.namespace else ""
        self.units = FileUnits()
        self.node: Node | None = None
        self.curves: dict[Node, CurveArrays] = {}
        self.records: dict[Node, tuple[Word, ...]] = {}
        self._known: dict[str, list[tuple[str, Node]]] = {}
        self._paths: dict[Node, str] = {}
        self._line = 0

    def open_nested(self, path: str, reference: Reference) -> FileReader:
        """A reader for a file that this one references."""
        return FileReader(self.opening, path, reference)

    def read(self, text: str) -> None:
        """Carry out all statements, in order."""
        handlers: dict[str, Callable[[tuple[Word, ...]], None]] = {
            "createNode": self._create,
            "rename": self._rename,
            "select": self._select,
            "setAttr": self._set,
            "addAttr": self._add,
            "connectAttr": lambda words: ma_connections.connect_statement(self, words),
            "parent": self._parent,
            "lockNode": self._lock,
            "currentUnit": self._unit,
            "file": self._file,
            "fileInfo": self._info,
            "requires": self._requires,
        }
        try:
            for statement in statements(text):
                self._line = statement.line
                handler = handlers.get(statement.command)
                if handler is None:
                    self._keep(statement)
                else:
                    handler(statement.words)
        except SyntaxProblem as error:
            self.problem(f"Syntax error: {error}")
        for node, arrays in self.curves.items():
            node.keys = arrays.keys(node, self.units)
        references.apply_edits(self)

    def problem(self, text: str) -> None:
        """An error of the statement at hand; Maya goes on with the next."""
        self.opening.problem(f"file: {self.path} line {self._line}: {text}")

    # --- names --------------------------------------------------------------------------------

    def node_by_name(self, name: str) -> str:
        """Name in the scene of a name in the file; ":name" is in the root namespace."""
        parts = (
            part if part.startswith(":") or not part else self.prefix + part
            for part in name.split("|")
        )
        return "|".join(part.lstrip(":") for part in parts)

    def find(self, name: str) -> Node | None:
        """Node that a name in the file means; None, and a problem, where there is none."""
        plain = name.lstrip(":")
        tail = "|" + plain.lstrip("|")
        for path, node in self._known.get(plain.rpartition("|")[2], ()):
            if path == plain or path.endswith(tail):
                return node
        found = self.scene.find(self.node_by_name(name)) or self.scene.find(plain)
        return found[0] if found else None

    def _built_in_node(self, name: str) -> Node | None:
        """One of Maya's own nodes that nobody models; files write ":" before their names."""
        if not name.startswith(":"):
            return None
        node = self.scene.create_node("unknown", name[1:], opaque=True)
        node.is_default = True
        return node

    def plug(self, text: str) -> tuple[Node, str] | None:
        """Node and attribute's text of "node.attribute"; None, and a problem, where it is none."""
        owner, _, attribute = text.partition(".")
        node = self.find(owner) or self._built_in_node(owner)
        if node is None or not attribute:
            self.problem(f"The source or destination attribute '{text}' cannot be found.")
            return None
        return node, attribute

    # --- statements ---------------------------------------------------------------------------

    def _create(self, words: tuple[Word, ...]) -> None:
        given = flags_of(words, CREATE)
        kind = given.rest[0].text
        name, above = given.text("name", kind + "1"), given.text("parent")
        # guess: reference-shared-nodes (what a file calls shared is one node for all files)
        shared = given.is_on("shared")
        present = self.scene.find(name if shared else self.node_by_name(name))
        if present and (shared or present[0].type == kind == "reference"):
            self.node = present[0]
        else:
            parent = self.find(above) if above else None
            if above and parent is None:
                self.problem(f"createNode: no object matches name: {above}")
            full = self.node_by_name(name)
            # Maya makes UUIDs up for files without any; here they are the same every time.
            uuid = str(uuids.uuid5(uuids.NAMESPACE_URL, f"{full} in {above}")).upper()
            self.node = self.scene.create_node(kind, full, parent, uuid, self.reference, True)
        self.remember(self.node, name)
        if self.node.is_a("animCurve"):
            self.curves[self.node] = CurveArrays()

    def remember(self, node: Node, name: str) -> None:
        """Know a node by the name and path that it has in the file."""
        above = self._paths.get(node.parent, "") if node.parent is not None else ""
        self._paths[node] = f"{above}|{name}"
        self._known.setdefault(name, []).append((self._paths[node], node))

    def _set(self, words: tuple[Word, ...]) -> None:
        if not self._is_shared():
            ma_attributes.set_attribute(self, words)

    def _add(self, words: tuple[Word, ...]) -> None:
        if not self._is_shared():
            ma_attributes.add_attribute(self, words)

    def _is_shared(self) -> bool:
        """Whether the node at hand belongs to the scene that references this file."""
        return self.reference is not None and self.node is not None and self.node.is_default

    def _rename(self, words: tuple[Word, ...]) -> None:
        given = flags_of(words, RENAME)
        if self.node is not None and given.text("uuid"):
            if self._is_shared():
                return
            self.node.uuid = given.text("uuid")
        elif len(given.rest) == 2:
            node = self.find(given.rest[0].text)
            if node is not None:
                self.scene.rename(node, self.node_by_name(given.rest[1].text))

    def _select(self, words: tuple[Word, ...]) -> None:
        given = flags_of(words, SELECT)
        name = given.rest[0].text if given.rest else ""
        self.node = (self.find(name) or self._built_in_node(name)) if name else None

    def _parent(self, words: tuple[Word, ...]) -> None:
        given = flags_of(words, PARENT)
        if given.is_on("addObject"):
            # Instances are not modelled: the second place of a node is kept as text.
            self._keep(Statement("parent", words, self._line))
            return
        names = [word.text for word in given.rest]
        above = None if given.is_on("world") else self.find(names.pop())
        for name in names:
            node = self.find(name)
            if node is not None:
                self.scene.reparent(node, above)

    def _lock(self, words: tuple[Word, ...]) -> None:
        given = flags_of(words, LOCK)
        node = self.find(given.rest[0].text) if given.rest else self.node
        if node is not None:
            node.is_locked = given.is_on("lock")

    def _unit(self, words: tuple[Word, ...]) -> None:
        given = flags_of(words, UNIT)
        self.units = FileUnits.from_names(
            given.text("linear", "cm"), given.text("angle", "deg"), given.text("time", "film")
        )
        if self.reference is None:
            for name in ("linear", "angle", "time"):
                setattr(self.scene.units, name, getattr(self.units, name))

    def _file(self, words: tuple[Word, ...]) -> None:
        given = flags_of(words, FILE)
        if given.is_on("reference"):
            references.declare(self, given)

    def _info(self, words: tuple[Word, ...]) -> None:
        if self.reference is None:
            self.scene.file_info[words[0].text] = words[1].text

    def _requires(self, words: Sequence[Word]) -> None:
        if self.reference is None:
            text = " ".join(quote(word.text) if word.quoted else word.text for word in words)
            if text not in self.scene.requires:
                self.scene.requires.append(text)
        missing = [word.text for word in words if word.text in self.opening.session.missing_plugins]
        for name in missing:
            self.problem(f'Plug-in, "{name}", was not found on MAYA_PLUG_IN_PATH.')

    def _keep(self, statement: Statement) -> None:
        """A statement that means nothing here; of the scene's own file it is written again."""
        if self.reference is None:
            words = (quote(word.text) if word.quoted else word.text for word in statement.words)
            self.scene.raw_statements.append(" ".join((statement.command, *words)))
