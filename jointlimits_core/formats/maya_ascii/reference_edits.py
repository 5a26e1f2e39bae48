"""Record of a scene's edits to the files that it references.

The record (``setAttr ".ed" -type "dataReferenceEdits"``) is a list: the reference node's name, then
groups of a reference node's name, a count and that many edits. An edit is a code and strings; for
the codes see :mod:`.references`. Scenes list every reference node once, mostly with a count of 0,
and then again those with edits in force; that the first listing is for edits that could not be
applied is an assumption, so nothing is ever written there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .lexer import Statement, Token
from .limit_plugs import PLUGS, Assignment, Plug, sorted_words
from .references import CONNECT, LOCK, RELATIONSHIP, SET_ATTRIBUTE, SET_PARENT, UNLOCK

#: Moves that would make a path longer than this are implausible and not followed.
_LONGEST_PATH = 1 << 16


@dataclass(frozen=True)
class RecordedEdit:
    """One edit: its codes and its strings."""

    codes: tuple[int, ...]
    words: tuple[Token, ...]


@dataclass
class EditGroup:
    """Edits under one heading; further ones go at `end`."""

    node: str
    count: Token
    end: int
    edits: list[RecordedEdit] = field(default_factory=list)


class EditRecord:
    """A parsed record of reference edits.

    Parameters
    ----------
    statement : Statement
        The setAttr of the record.

    Raises
    ------
    MayaAsciiError
        If the record is malformed.
    """

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        tokens = statement.tokens
        # setAttr ".ed" -type "dataReferenceEdits" "rigRN" ...
        begin = next((i for i, t in enumerate(tokens) if t.text == "dataReferenceEdits"), -1) + 2
        if begin < 2 or begin > len(tokens):
            raise statement.error("this record of reference edits has no reference node")
        self.end = tokens[-1].end
        self.groups = list(self._groups(tokens, begin))
        self._assignments: dict[str, list[tuple[str, Assignment]]] = {}
        self._connections: dict[str, list[tuple[str, Plug]]] = {}
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
                    # What looked like the last string of this edit heads the next group.
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
        """Read the edit at a place, up to the next word that is no string."""
        codes: list[int] = []
        words: list[Token] = []
        while place < len(tokens) and not tokens[place].quoted:
            codes.append(self._count(tokens[place]))
            place += 1
        # Relationships have one number between their strings.
        numbers_inside = int(codes[:1] == [RELATIONSHIP])
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
        if code == SET_PARENT and len(words) > 1:
            self._parents.append((words[0].text, words[1].text))
        elif code in (SET_ATTRIBUTE, LOCK, UNLOCK) and len(words) > 1 and words[1].text in PLUGS:
            node = words[0].text
            known = self._assignments.setdefault(node.rpartition("|")[2], [])
            known.append((node, _assignment(edit)))
        elif code == CONNECT:
            target = _target_of(edit)
            node, name = target.partition(".")[0], target.rpartition(".")[2]
            if name in PLUGS:
                known_plugs = self._connections.setdefault(node.rpartition("|")[2], [])
                known_plugs.append((node, PLUGS[name]))

    def path_now(self, path: str) -> str:
        """Path of a node after the scene has moved it, or one above it, to other parents."""
        for child, parent in self._parents:
            if len(path) > _LONGEST_PATH:
                break
            if path == child or path.startswith(child + "|"):
                below = path[len(child.rpartition("|")[0]) :]
                path = ("" if parent == "|" else parent) + below
        return path

    def assignments_to(self, path: str) -> list[Assignment]:
        """What the record sets and locks on a joint, in all groups."""
        known = self._assignments.get(path.rpartition("|")[2], [])
        return [one for node, one in known if _means(node, path)]

    def plugs_connected_of(self, path: str) -> list[Plug]:
        """Attributes of a joint that the record connects something into."""
        known = self._connections.get(path.rpartition("|")[2], [])
        return [plug for node, plug in known if _means(node, path)]

    def group_for(self, node: str) -> EditGroup | None:
        """Group of the edits in force of a reference node; None if it has none yet."""
        found = [group for group in self.groups if group.node == node]
        return found[-1] if len(found) > 1 else None


def _means(node: str, path: str) -> bool:
    """Whether a name in a record is that of a path."""
    return path == node or (not node.startswith("|") and path.endswith("|" + node))


def _target_of(edit: RecordedEdit) -> str:
    """Attribute that a connection goes into, as far as it belongs to a referenced node.

    The second code says which ends are in the reference: 3 the source alone, 4 the target alone.
    """
    kind = edit.codes[1] if len(edit.codes) > 1 else 0
    place = {3: -1, 4: 1}.get(kind, 2)
    return edit.words[place].text if 0 <= place < len(edit.words) else ""


def _assignment(edit: RecordedEdit) -> Assignment:
    triple, axis = PLUGS[edit.words[1].text]
    if edit.codes[0] != SET_ATTRIBUTE or len(edit.words) < 3:
        place = edit.words[-1].end
        return Assignment(triple, axis, (), edit.codes[0] == LOCK, place, place)
    value = edit.words[2]
    # The value is itself a piece of MEL; none that the writer knows has strings with blanks.
    pieces = [Token(word.strip('"'), 0, 0, word[0] == '"') for word in value.text.split()]
    words = sorted_words(pieces, attribute=edit.words[1])
    flags = "".join(f" {flag}" for flag in words.flags)
    values = tuple(words.values)
    return Assignment(triple, axis, values, words.locked, value.start, value.end, flags)
