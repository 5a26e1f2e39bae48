"""Joints of the files that a scene references, with the scene's edits to them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from ...base.errors import MayaAsciiError
from ...io.input import DEFAULT_LIMITS, ReadLimits, is_below
from . import references
from .lexer import Statement, Token
from .references import NamedReference, find_reference, is_maya_ascii, readable_reference
from .scene_index import FileReference, SceneIndex, index_scene
from .statements import PLUGS, LimitAssignment, LimitPlug, is_name_of, sorted_words

_OF_ATTRIBUTES = (references.SET_ATTRIBUTE, references.LOCK, references.UNLOCK)
# Moves that would make a path longer than this are implausible and not followed.
_LONGEST_PATH = 1 << 16
# Largest number of nodes of one name.
_MOST_NAMESAKES = 4096


@dataclass(frozen=True)
class RecordedEdit:
    """One edit: its codes and its strings."""

    codes: tuple[int, ...]
    words: tuple[Token, ...]


@dataclass
class EditGroup:
    """Edits of one reference node; further ones go at `end`."""

    node: str
    count: Token
    end: int
    edits: list[RecordedEdit] = field(default_factory=list)


class EditRecord:
    """Record of reference edits parsed from its setAttr. Raises MayaAsciiError if malformed."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        tokens = statement.tokens
        # setAttr ".ed" -type "dataReferenceEdits" "rigRN" ...
        begin = next((i for i, t in enumerate(tokens) if t.text == "dataReferenceEdits"), -1) + 2
        if begin < 2 or begin > len(tokens):
            raise statement.error("this record of reference edits has no reference node")
        self.end = tokens[-1].end
        self.groups = list(self._groups(tokens, begin))
        self._assignments: dict[str, list[tuple[str, LimitAssignment]]] = {}
        self._connections: dict[str, list[tuple[str, LimitPlug]]] = {}
        self._parents: list[tuple[str, str]] = []
        for group in self.groups:
            for edit in group.edits:
                self._take(edit)

    def _groups(self, tokens: tuple[Token, ...], place: int) -> Iterator[EditGroup]:
        while place < len(tokens):
            if place + 1 >= len(tokens) or not tokens[place].quoted:
                raise self.statement.error("expected a reference node and a count", tokens[place])
            name, count = tokens[place], tokens[place + 1]
            group = EditGroup(name.text, count, count.end)
            expected = self._count(count)
            place += 2
            for number in range(expected):
                edit, place = self._edit(tokens, place)
                if number == expected - 1 and place < len(tokens):
                    # The last string is the name of the next group.
                    edit, place = RecordedEdit(edit.codes, edit.words[:-1]), place - 1
                if not edit.words:
                    raise self.statement.error("a reference edit without strings", count)
                group.edits.append(edit)
                group.end = edit.words[-1].end
            yield group

    def _count(self, token: Token) -> int:
        if token.quoted or not token.text.isdigit() or len(token.text) > 9:
            raise self.statement.error("expected a number of reference edits", token)
        return int(token.text)

    def _edit(self, tokens: tuple[Token, ...], place: int) -> tuple[RecordedEdit, int]:
        """Read the edit at a position, up to the next word that is not a string."""
        codes: list[int] = []
        words: list[Token] = []
        while place < len(tokens) and not tokens[place].quoted:
            codes.append(self._count(tokens[place]))
            place += 1
        # Relationships have one number between their strings.
        numbers_inside = int(codes[:1] == [references.RELATIONSHIP])
        while place < len(tokens):
            if not tokens[place].quoted:
                if numbers_inside == 0 or not words:
                    break
                numbers_inside -= 1
            words.append(tokens[place])
            place += 1
        if not codes or not words:
            last = tokens[min(place, len(tokens) - 1)]
            raise self.statement.error("the record of reference edits ends too early", last)
        return RecordedEdit(tuple(codes), tuple(words)), place

    def _take(self, edit: RecordedEdit) -> None:
        code, words = edit.codes[0], edit.words
        if code == references.SET_PARENT and len(words) > 1:
            self._parents.append((words[0].text, words[1].text))
        elif code in _OF_ATTRIBUTES and len(words) > 1 and words[1].text in PLUGS:
            node = words[0].text
            known = self._assignments.setdefault(node.rpartition("|")[2], [])
            known.append((node, _assignment(edit)))
        elif code == references.CONNECT:
            kind = edit.codes[1] if len(edit.codes) > 1 else 0
            place = {3: -1, 4: 1}.get(kind, 2)
            target = edit.words[place].text if 0 <= place < len(edit.words) else ""
            node, name = target.partition(".")[0], target.rpartition(".")[2]
            if name in PLUGS:
                known_plugs = self._connections.setdefault(node.rpartition("|")[2], [])
                known_plugs.append((node, PLUGS[name]))

    def path_now(self, path: str) -> str:
        """Path of a node after the scene has reparented it or one of its parents."""
        for child, parent in self._parents:
            if len(path) > _LONGEST_PATH:
                break
            if path == child or path.startswith(child + "|"):
                below = path[len(child.rpartition("|")[0]) :]
                path = ("" if parent == "|" else parent) + below
        return path

    def assignments_to(self, path: str) -> list[LimitAssignment]:
        """Assignments to attributes of a joint, from all groups."""
        known = self._assignments.get(path.rpartition("|")[2], [])
        return [one for node, one in known if is_name_of(node, path)]

    def plugs_connected_of(self, path: str) -> list[LimitPlug]:
        """Attributes of a joint that the record connects."""
        known = self._connections.get(path.rpartition("|")[2], [])
        return [plug for node, plug in known if is_name_of(node, path)]

    def group_for(self, node: str) -> EditGroup | None:
        """Group of the applied edits of a reference node; None if it has none yet."""
        found = [group for group in self.groups if group.node == node]
        return found[-1] if len(found) > 1 else None


def _assignment(edit: RecordedEdit) -> LimitAssignment:
    triple, axis = PLUGS[edit.words[1].text]
    if edit.codes[0] != references.SET_ATTRIBUTE or len(edit.words) < 3:
        place = edit.words[-1].end
        return LimitAssignment(triple, axis, (), edit.codes[0] == references.LOCK, place, place)
    value = edit.words[2]
    # The value is MEL; no known one has strings with blanks.
    pieces = [Token(word.strip('"'), 0, 0, word[0] == '"') for word in value.text.split()]
    words = sorted_words(pieces, attribute=edit.words[1])
    flags = "".join(f" {flag}" for flag in words.flags)
    values = tuple(words.values)
    return LimitAssignment(triple, axis, values, words.locked, value.start, value.end, flags)


@dataclass(frozen=True)
class ReferencedJoint:
    """A joint of a referenced file.

    `path`: in the scene. `node`: its reference node. `holder`: reference node of the scene itself
    whose record holds the edits. `assigned`: assignments and their degrees per unit, in the file
    and then in the records of all scenes around it, the outermost last. `connected`: attributes
    connected in any of them.
    """

    path: str
    node: str
    holder: str
    assigned: list[tuple[list[LimitAssignment], float]]
    connected: list[LimitPlug]


@dataclass(frozen=True)
class _Level:
    """A scene, and one reference in it."""

    scene: SceneIndex
    reference: FileReference


@dataclass(frozen=True)
class _File:
    """A referenced file, and the scenes around it from the innermost to the outermost."""

    index: SceneIndex
    levels: tuple[_Level, ...]

    @property
    def prefix(self) -> str:
        """Prefix of the names of its nodes in the outermost scene."""
        return _prefix(self.levels)


def _prefix(levels: tuple[_Level, ...]) -> str:
    return "".join(level.reference.prefix for level in reversed(levels))


class ReferencedJoints:
    """All joints of all files that a scene references, directly or not.

    `missing`: prefixes of the names of nodes in references whose files cannot be read, and the
    reasons. `references`: all of them, including those that lead nowhere.
    """

    def __init__(self, scene: SceneIndex, limits: ReadLimits = DEFAULT_LIMITS) -> None:
        self.missing: list[tuple[str, str]] = []
        self.references: list[NamedReference] = []
        self._limits = limits
        self._files: list[_File] = []
        self._indices: dict[str, SceneIndex] = {}
        self._records: dict[tuple[str, str], EditRecord | None] = {}
        pending: list[tuple[_Level, ...]] = [(_Level(scene, one),) for one in scene.references]
        for _ in range(references.MOST_REFERENCES):
            if not pending:
                break
            pending += self._follow(pending.pop())

    @property
    def files(self) -> list[str]:
        """Files that were read."""
        return list(self._indices)

    def record(self, scene: SceneIndex, node: str) -> EditRecord | None:
        """Record of a reference node's edits, or None. Raises MayaAsciiError if malformed."""
        key = scene.path, node
        if key not in self._records:
            found = scene.reference_nodes.get(node)
            statement = None if found is None else found.record
            self._records[key] = None if statement is None else EditRecord(statement)
        return self._records[key]

    def named(self, name: str) -> list[ReferencedJoint]:
        """Joints that a name, or the end of a path, may mean."""
        short, end = name.rpartition("|")[2], "|" + name.lstrip("|")
        known = [
            self._joint(file, node)
            for file in self._files
            if short.startswith(file.prefix)
            for node in islice(file.index.nodes_named(short[len(file.prefix) :]), _MOST_NAMESAKES)
            if node in file.index.joints
        ]
        exact = [joint for joint in known if joint.path == end]
        return exact or [joint for joint in known if joint.path.endswith(end)]

    def reason_missing(self, name: str) -> str | None:
        """Why the file that may contain a joint of this name cannot be read; None if none may."""
        short = name.rpartition("|")[2]
        return next((why for prefix, why in self.missing if short.startswith(prefix)), None)

    def _joint(self, file: _File, node: int) -> ReferencedJoint:
        """Joint with the changes of its file and of every scene around it."""
        path, unit = file.index.path_of(node), file.index.degrees_per_unit
        assigned = [(file.index.joints[node].assignments, unit)]
        connected = list(file.index.plugs_connected_of(path))
        for level in file.levels:
            path = path.replace("|", "|" + level.reference.prefix)
            record = self.record(level.scene, level.reference.node)
            if record is not None:
                path = record.path_now(path)
                assigned.append((record.assignments_to(path), level.scene.degrees_per_unit))
                connected += record.plugs_connected_of(path)
            connected += level.scene.plugs_connected_of(path)
        own_node = _prefix(file.levels[1:]) + file.levels[0].reference.node
        return ReferencedJoint(path, own_node, file.levels[-1].reference.node, assigned, connected)

    def _follow(self, levels: tuple[_Level, ...]) -> list[tuple[_Level, ...]]:
        """Read one file; return the references in it."""
        stored, scene = levels[0].reference.path, levels[0].scene.path
        place = readable_reference(scene, stored, self._limits.references_below)
        self.references.append(NamedReference(scene, stored, place))
        try:
            index = self._index(place or find_reference(scene, stored), stored, levels)
        except MayaAsciiError as error:
            self.missing.append((_prefix(levels), str(error)))
            return []
        self._files.append(_File(index, levels))
        return [(_Level(index, reference), *levels) for reference in index.references]

    def _index(self, place: str | None, stored: str, levels: tuple[_Level, ...]) -> SceneIndex:
        if place is None:
            raise MayaAsciiError(stored, "this referenced file does not exist")
        if not is_maya_ascii(stored):
            raise MayaAsciiError(place, "this referenced file is not Maya ASCII (.ma)")
        below = self._limits.references_below
        if below is not None and not is_below(place, below):
            raise MayaAsciiError(stored, references.OUTSIDE.within("this referenced file "))
        around = [os.path.realpath(level.scene.path) for level in levels]
        if os.path.realpath(place) in around:
            raise MayaAsciiError(place, "this file references itself")
        if len(levels) > self._limits.max_reference_depth:
            depth = self._limits.refusal(
                "max_reference_depth", "references", subject="this referenced file is nested in"
            )
            raise MayaAsciiError(place, depth)
        if place not in self._indices:
            self._indices[place] = index_scene(place, self._limits)
        return self._indices[place]
