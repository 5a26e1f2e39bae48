"""Builder of a :class:`Scene` from the statements in a file and its references."""

from __future__ import annotations

import math
import os
import re
import sys

from ...base.errors import MayaAsciiError
from ...io.input import ReadLimits
from ...rig import attributes
from ...rig.scene import (
    CENTIMETERS,
    MISSING,
    RADIANS,
    Node,
    Reference,
    Scene,
    Units,
    frames_per_second,
    playback_range,
)
from . import lexer, reference_edits, references, scene_text, statements

_WORD = re.compile(rb"[A-Za-z]+")
_HEAD_ATTRIBUTE = re.compile(rb'"([^".]*)\.(\w+)')
# Attributes of nearly every scene with transforms; they show whether names are long or short.
_LONG_STYLE = re.compile(
    rb"\"\.(translate|rotate|scale|jointOrient|radius|bindPose|segmentScaleCompensate|visibility"
    rb"|m(?:in|ax)RotLimit)\""
)
_SHORT_STYLE = re.compile(rb"\"\.(t|r|s|jo|radi|bps|ssc|v|mnrl|mxrl)\"")
_ROTATE = re.compile(r"(rotate|r)\Z|(rotate|rotate\.rotate)[XYZ]\Z|(r|r\.r)[xyz]\Z")
_CURVE = re.compile(r"animCurveT[ALUT]\Z")
_PLACEHOLDER = re.compile(r"(.+)\.(?:placeHolderList|phl)\[(\d{1,9})\]\Z")
_NUMERIC_TYPES = frozenset(
    {"", "matrix", *(f"{name}{n}" for name in ("double", "float", "long", "short") for n in (2, 3))}
)
# On other nodes, an attribute may have the name of a known attribute but a different type.
_READ_WITH_CARE = frozenset({"joint", "transform", "dagPose", "skinCluster", "pairBlend"})

MAX_NODES_PER_JOINT = 50
"""Maximum number of nodes of any kind for each allowed joint."""


class _TooLargeError(MayaAsciiError):
    """Scene that exceeds the budget; this ends the reading, even inside nested references."""


def read_scene(path: lexer.PathLike, limits: ReadLimits) -> tuple[Scene, scene_text.SceneText]:
    """Read a scene and the referenced scenes that can be found; record where it may be edited.

    Missing references, reference loops and script nodes become findings. Raises MayaAsciiError if
    `path` itself cannot be read.
    """
    name = os.fspath(path)
    scene, text = Scene(name, limits=limits), scene_text.SceneText()
    # Every scene has this node, although no statement creates it.
    scene.by_name["time1"] = [Node("time", "time1", None, scene.units)]
    _FileReader(scene, text, path, "", (os.path.realpath(name),), ()).read()
    return scene, text


class _FileReader:
    """Reader of one file of a scene; names get the prefix of its reference.

    `opened`: this file and the files that reference it. `references`: reference nodes that lead to
    this file, the innermost first.
    """

    def __init__(
        self,
        scene: Scene,
        text: scene_text.SceneText,
        file: lexer.PathLike,
        prefix: str,
        opened: tuple[str, ...],
        references: tuple[str, ...],
    ) -> None:
        self.scene, self.text, self.file = scene, text, file
        self.prefix, self.limits = prefix, scene.limits
        self.path, self.opened, self.references = os.fspath(file), opened, references
        self.units = Units()
        self.current: Node | None = None
        # Node of the last createNode, until the next select or parent.
        self.block: scene_text.Block | None = None
        self.records: list[reference_edits.EditRecord] = []
        self.connections: list[tuple[str, str, bool]] = []
        self.placeholders: dict[tuple[str, str], str] = {}
        self.handlers = {
            "addAttr": self._add_attr,
            "connectAttr": self._connect_attr,
            "createNode": self._create_node,
            "currentUnit": self._current_unit,
            "disconnectAttr": self._connect_attr,
            "file": self._file,
            "parent": self._parent,
            "rename": self._rename,
            "select": self._select,
            "setAttr": self._set_attr,
        }

    def read(self) -> None:
        for statement in lexer.statements(self.file, self.limits, self._is_wanted):
            handler = self.handlers.get(statement.command)
            if handler is not None:
                handler(statement)
        edits = [(edit, record.statement) for record in self.records for edit in record.edits()]
        if self.text.missing:
            for edit, statement in edits:
                self._add_keyed_nodes(edit, statement)
        for edit, statement in edits:
            self._apply_edit(edit, statement)
        for source, destination, connected in self.connections:
            act = self.scene.connect if connected else self.scene.disconnect
            act(self._linked_plug(source), self._linked_plug(destination))
        if not self.references:
            self.scene.units = self.units
            self.text.degrees_per_unit = self._degrees_per_unit
            self.text.links = [plugs[:2] for plugs in self.connections if plugs[2]]

    @property
    def _degrees_per_unit(self) -> float:
        return math.degrees(1.0) if self.units.radians == 1.0 else 1.0

    def _is_wanted(self, head: bytes) -> bool:
        match = _WORD.match(head)
        word = match.group() if match else b""
        if word != b"setAttr":
            return word.decode() in self.handlers
        attribute = _HEAD_ATTRIBUTE.search(head)
        if attribute is None:
            return self.current is not None
        name = attribute[2].decode("ascii", "replace")
        if attribute[1]:
            return name in attributes.WANTED
        if self.block is not None:
            if not self.references and not isinstance(self.block, scene_text.CurveText):
                self.text.long_names += bool(_LONG_STYLE.search(head))
                self.text.long_names -= bool(_SHORT_STYLE.search(head))
            return True
        return self.current is not None and self.current.long_name(name) is not None

    def _scoped_path(self, path: str) -> str:
        """Path with the reference's prefix on every name; a leading ":" is the root namespace."""
        if not self.prefix:
            return "|".join(name.lstrip(":") for name in path.split("|"))
        names = (
            name[1:] if name.startswith(":") else self.prefix + name if name else ""
            for name in path.split("|")
        )
        return "|".join(names)

    # Statements ---------------------------------------------------------------------------------

    def _create_node(self, statement: lexer.Statement) -> None:
        flags = statements.flags_of(statement)
        node_type = next((token.text for token in statement.tokens[1:]), "unknown")
        name = flags.get("-n") or f"{node_type}1"
        parent = self.scene.find(self._scoped_path(flags["-p"])) if "-p" in flags else None
        if "-p" in flags and parent is None:
            self.scene.note(
                "missing-parent",
                f"{name!r} becomes a root, since its parent {flags['-p']!r} is not in the scene",
            )
        if parent is not None and parent.depth >= self.limits.max_depth:
            levels = self.limits.refusal("max_depth", "levels", subject="the hierarchy has")
            raise statement.error(levels)
        self._count(node_type, statement)
        short = self._scoped_path(name.rpartition("|")[2])
        self.current = self.scene.add(Node(node_type, short, parent, self.units))
        place, self.block = scene_text.Place.from_statement(statement), None
        if node_type in ("joint", "transform"):  # later lines show whether this is a control
            self.block = self.text.transforms[self.current] = scene_text.TransformText(
                place, self.references
            )
        elif node_type == "reference" and not self.references:
            self.block = self.text.references[name] = scene_text.ReferenceText(place)
        elif _CURVE.match(node_type) and not self.references:
            self.block = self.text.curves[self.current] = scene_text.CurveText(place)
        if node_type == "script":
            self.scene.note(
                "script-node",
                f"the scene has a script node {short!r}; Maya may run it when opening the scene, "
                "this program never runs it",
            )

    def _count(self, node_type: str, statement: lexer.Statement) -> None:
        """Reject more joints or nodes than the budget allows, including those of references."""
        scene, most = self.scene, self.limits.max_joints
        scene.joints_read += node_type == "joint"
        noun = "joints"
        if scene.joints_read <= most:
            if len(scene.nodes) < MAX_NODES_PER_JOINT * most:
                return
            noun = f"joints' worth of nodes ({MAX_NODES_PER_JOINT * most:,})"
        raise _TooLargeError(
            self.path, self.limits.refusal("max_joints", noun, subject="has"), statement.line
        )

    def _select(self, statement: lexer.Statement) -> None:
        names, self.block = statements.plain_words(statement), None
        self.current = self.scene.find(self._scoped_path(names[-1])) if names else None

    def _current_unit(self, statement: lexer.Statement) -> None:
        flags = statements.flags_of(statement)
        for flag, field, unit_of in (
            ("-l", "centimeters", CENTIMETERS.get),
            ("-a", "radians", RADIANS.get),
            ("-t", "frames_per_second", frames_per_second),
        ):
            unit = unit_of(flags[flag]) if flag in flags else getattr(self.units, field)
            if unit is None:
                unknown = f"unknown unit {flags[flag]!r}; save the scene in another unit"
                raise statement.error(unknown)
            self.units = self.units._replace(**{field: unit})

    def _connect_attr(self, statement: lexer.Statement) -> None:
        plugs = statements.plain_words(statement)
        if len(plugs) >= 2:
            connected = statement.command == "connectAttr"
            self.connections.append((plugs[0], plugs[1], connected))

    def _parent(self, statement: lexer.Statement) -> None:
        self.block = None
        names, flags = statements.plain_words(statement), statements.flags_of(statement)
        # If an instance is added, the node also stays where it was created.
        if "-add" in flags or not names:
            return
        above = "" if "-w" in flags else names.pop()
        parent = self.scene.find(self._scoped_path(above)) if above else None
        for name in names:
            node = self.scene.find(self._scoped_path(name))
            if node is not None and (parent is not None or not above):
                self.scene.reparent(node, parent)

    def _rename(self, statement: lexer.Statement) -> None:
        # New statements go after the last setAttr, or else after the last rename or addAttr.
        if self.block is not None and self.block.last.command != "setAttr":
            self.block.last = scene_text.Place.from_statement(statement)

    def _add_attr(self, statement: lexer.Statement) -> None:
        self._rename(statement)
        flags = statements.flags_of(statement)
        name = flags.get("-ln") or flags.get("-sn")
        if self.current is None or not name:
            return
        # A dynamic attribute never hides an attribute that the node type has.
        for alias in {name, flags.get("-sn") or name}:
            if alias not in self.current.family.long_names:
                self.current.dynamic[alias] = name
        default = statements.number_from_word(flags.get("-dv", ""))
        if not math.isnan(default):
            self.current.defaults[name] = default

    def _set_attr(self, statement: lexer.Statement) -> None:
        assignment = statements.parse_set_attr(statement)
        if assignment is None:
            return
        path, attribute = attributes.split_plug(assignment.plug.text)
        block = None if path else self.block
        if block is not None:
            block.last = scene_text.Place.from_statement(statement)
        node = self.scene.find(self._scoped_path(path)) if path else self.current
        if node is None:
            return
        if assignment.data_type == "dataReferenceEdits":
            record = reference_edits.EditRecord(statement)
            self.records.append(record)
            if record.error is not None:
                self.text.broken[node.name] = record.error
            if isinstance(block, scene_text.ReferenceText):
                block.record = record
        else:
            self._assign(node, attribute, assignment, statement)
        if isinstance(block, scene_text.ReferenceText) and attribute in ("lk", "locked"):
            block.locked = (
                statements.number_from_word(assignment.values.decode("utf-8", "replace")) == 1.0
            )
        if isinstance(block, scene_text.CurveText):
            block.add(node, attribute, statement)
        elif node in self.text.curves:
            self.text.curves[node].elsewhere = True
        if attribute in statements.PLUGS and (path or block is self.text.transforms.get(node)):
            end = assignment.plug.end
            self._note_limit(node, assignment.limit(attribute, end, statement.end))

    def _note_limit(self, node: Node, found: statements.LimitAssignment) -> None:
        """Record an assignment to a limit attribute of a joint or transform."""
        found_in = self.text.transforms.get(node)
        if found_in is not None:
            found_in.assigned.append((found, self._degrees_per_unit))
            found_in.own += [] if self.references else [found]

    # Values -------------------------------------------------------------------------------------

    def _assign(
        self,
        node: Node,
        attribute: str,
        assignment: statements.Assignment,
        statement: lexer.Statement,
    ) -> None:
        parts = attributes.attribute_parts(attribute)
        names = [node.long_name(name) for name, _, _ in parts]
        if not parts or None in names:
            return
        long = names[-1] or ""
        self._lock(node, long, assignment.locked)
        if node.node_type == "script":
            found = playback_range(assignment.values[:200].decode("ascii", "replace").strip(' "'))
            if found is not None and not self.references:
                self.scene.playback = found
            return
        if not assignment.values or assignment.data_type not in _NUMERIC_TYPES:
            return
        try:
            _store(node, long, parts[-1][1], assignment, self.units)
        except ValueError as error:
            if node.node_type not in _READ_WITH_CARE and node.family is not attributes.CURVE:
                return
            self.scene.note(
                "unreadable-value",
                f"line {statement.line}: {node.name}.{long} was skipped: {error}",
                node.name if node.is_joint else None,
            )

    def _lock(self, node: Node, long: str, locked: bool | None) -> None:
        if locked is not None:
            change = node.locked.add if locked else node.locked.discard
            change(long)

    # References ---------------------------------------------------------------------------------

    def _file(self, statement: lexer.Statement) -> None:
        flags = statements.flags_of(statement, statements.FILE_FLAGS_WITH_VALUE)
        if "-r" not in flags or len(statement.tokens) < 3:
            return
        stored = statement.tokens[-1].text
        name = self._scoped_path(flags.get("-rfn", ""))
        # The namespace, or else a prefix for names; the root namespace adds nothing.
        prefix = f"{flags['-rpr']}_" if flags.get("-rpr") and "-ns" not in flags else ""
        if flags.get("-ns", ":") != ":":
            prefix = flags["-ns"].strip(":") + ":"
        prefix = self.prefix + prefix
        most = references.MAX_REFERENCES
        if len(self.scene.references) >= most:
            text = f"the scene has more than {most:,} references; the others were not read"
            self.scene.note("many-references", text)
            return
        below = self.limits.references_below
        found = references.readable_reference(self.path, stored, below)
        self.scene.references.append(Reference(self.path, stored, found))
        rule, problem = self._load(stored, found, prefix, name)
        if rule:
            self.scene.note(rule, problem)
            self.text.missing.append((prefix, problem))

    def _load(self, stored: str, found: str | None, prefix: str, name: str) -> tuple[str, str]:
        """Read a referenced file; return rule and text of a finding if that fails, else ""."""
        if found is None and references.readable_reference(self.path, stored) is not None:
            return "outside-reference", f"the reference {stored!r} {references.OUTSIDE}"
        if found is None and not references.is_maya_ascii(stored):
            text = f"the reference {stored!r} is not Maya ASCII and was not read"
            return "unread-reference", text
        if found is None:
            text = (
                f"the referenced file {stored!r} was not found next to the scene; its content is "
                "missing. Put a copy next to the scene or import the reference in Maya"
            )
            return "missing-reference", text
        real = os.path.realpath(found)
        if real in self.opened:
            return "reference-loop", f"the reference {stored!r} references itself and was not read"
        if len(self.opened) > self.limits.max_reference_depth:
            depth = self.limits.refusal("max_reference_depth", "references")
            return "deep-reference", f"the reference {stored!r} was not read: nested in {depth}"
        known, opened, above = (
            len(self.text.transforms),
            (*self.opened, real),
            (name, *self.references),
        )
        try:
            _FileReader(self.scene, self.text, found, prefix, opened, above).read()
        except _TooLargeError:
            raise
        except MayaAsciiError as error:
            # Nodes of a truncated file get no limits.
            for node in list(self.text.transforms)[known:]:
                del self.text.transforms[node]
            return "broken-reference", f"the reference {stored!r} was only partly read: {error}"
        return "", ""

    def _add_keyed_nodes(
        self, edit: reference_edits.RecordedEdit, statement: lexer.Statement
    ) -> None:
        """Add a missing file's node if an edit connects to its rotation, and the nodes above."""
        if edit.codes[0] != reference_edits.CONNECT:
            return
        place = _connected_word(edit.codes[1:])
        for plug in (self._scoped_path(word.text) for word in edit.words[place : place + 1]):
            path, attribute = attributes.split_plug(plug)
            names, above = [part for part in path.split("|") if part], None
            is_lost = any(names[-1:] and names[-1].startswith(one) for one, _ in self.text.missing)
            if not is_lost or not _ROTATE.match(attribute) or len(names) > self.limits.max_depth:
                continue
            for name in names if self.scene.find(path) is None else ():
                siblings = self.scene.roots if above is None else above.children
                if name not in siblings:
                    self._count(MISSING, statement)
                    self.scene.add(Node(MISSING, name, above, self.units))
                above = siblings[name]

    def _apply_edit(self, edit: reference_edits.RecordedEdit, statement: lexer.Statement) -> None:
        code, words = edit.codes[0], [token.text for token in edit.words]
        if code == reference_edits.CONNECT:
            self._note_connected(edit.codes[1:], words)
            # Connect directly, or record the plug of a placeholder.
            plugs = [word for word in words[1:] if "." in word]
            holders = [match for match in map(_PLACEHOLDER.match, plugs) if match]
            real = [self._scoped_path(plug) for plug in plugs if not _PLACEHOLDER.match(plug)]
            if len(holders) == 2 and len(real) >= 2:
                self.scene.connect(real[0], real[1])
            for holder, plug in zip(holders, real):
                self.placeholders[self._scoped_path(holder[1]), holder[2]] = plug
        elif len(words) < 2:
            return
        elif code == reference_edits.DISCONNECT:
            self.scene.disconnect(self._scoped_path(words[0]), self._scoped_path(words[1]))
        elif code == reference_edits.SET_PARENT:
            node, parent = self.scene.find(self._scoped_path(words[0])), None
            if words[1].strip("|"):
                parent = self.scene.find(self._scoped_path(words[1]))
            if node is not None and (parent is not None or not words[1].strip("|")):
                self.scene.reparent(node, parent)
            elif node is not None:
                self.text.moved[node] = self._scoped_path(words[1])
        else:
            self._attribute_edit(edit, words, statement)

    def _note_connected(self, kinds: tuple[int, ...], words: list[str]) -> None:
        """Record the limit attribute that an edit connects."""
        place = _connected_word(kinds)
        path, _, attribute = "".join(words[place : place + 1]).partition(".")
        name = attribute.rpartition(".")[2]
        node = (
            self.text.find(self.scene, self._scoped_path(path))
            if name in statements.PLUGS
            else None
        )
        if node in self.text.transforms:
            self.text.transforms[node].connected.append(statements.PLUGS[name])

    def _attribute_edit(
        self, edit: reference_edits.RecordedEdit, words: list[str], statement: lexer.Statement
    ) -> None:
        path, code, attribute = self._scoped_path(words[0]), edit.codes[0], words[1]
        node, found = self.scene.find(path), self.text.find(self.scene, path)
        limit, assignment = edit.limit(), edit.assignment()
        if found is not None and limit is not None:
            self._note_limit(found, limit)
        if node is None:
            return
        if assignment is not None:
            self._assign(node, attribute, assignment, statement)
        elif code in (reference_edits.LOCK, reference_edits.UNLOCK):
            long = node.plug_name(attribute)
            if long is not None:
                self._lock(node, long, code == reference_edits.LOCK)
        elif code == reference_edits.ADD_ATTRIBUTE:
            for alias in words[1:3]:
                if alias and alias not in node.family.long_names:
                    node.dynamic[alias] = words[2] if len(words) > 2 else alias

    def _linked_plug(self, plug: str) -> str:
        """Scoped plug, or the plug that a placeholder represents."""
        match = _PLACEHOLDER.match(plug)
        if match is not None:
            return self.placeholders.get((self._scoped_path(match[1]), match[2]), plug)
        return self._scoped_path(plug)


def _connected_word(kinds: tuple[int, ...]) -> int:
    """Index of the word that names the plug to which an edit connects, or a number past the end.

    `kinds`: codes that follow the code of the edit; with code 3, only a source is connected.
    """
    return {3: sys.maxsize - 1, 4: 1}.get(kinds[0] if kinds else 0, 2)


def _store(
    node: Node, long: str, index: int | None, assignment: statements.Assignment, units: Units
) -> None:
    """Store values in the node, in internal units.

    Raises ValueError for values that are not finite numbers, and for too few values.
    """
    words = assignment.values
    if assignment.data_type == "matrix":
        key = long if index is None else f"{long}[{index}]"
        # Sixteen numbers, or the 37 of an "xform" record.
        expected = 37 if words.startswith(b'"xform"') else 16
        values = statements.numbers(words.removeprefix(b'"xform"'))
        if len(values) != expected or not attributes.sensible(values).all():
            raise ValueError(f"{len(values)} numbers, expected a matrix: {expected} finite numbers")
        node.matrices[key] = values
        return
    values = statements.numbers(words)
    if node.family.children.get(long) is None and (index is not None or len(values) > 1):
        node.multis.setdefault(long, []).append((index or 0, values))
        return
    if not attributes.sensible(values).all():
        raise ValueError("a value is not a number, or too large")
    factors = {attributes.ANGLE: units.radians, attributes.LENGTH: units.centimeters}
    values = values * factors.get(node.family.kinds.get(long, ""), 1.0)
    children = node.family.children.get(long)
    if children is None:
        node.values[long] = float(values[0])
    elif len(values) == len(children):
        node.values.update(zip(children, map(float, values)))
    else:
        raise ValueError(f"{len(values)} values, expected {len(children)}")
