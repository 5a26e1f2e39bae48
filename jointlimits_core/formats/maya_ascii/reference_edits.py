"""Records of the edits that a scene makes to the files that it references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...base.errors import MayaAsciiError
from .lexer import Statement, Token
from .statements import PLUGS, Assignment, LimitAssignment, parse_set_attr

SET_PARENT, ADD_ATTRIBUTE, SET_ATTRIBUTE, DISCONNECT, CONNECT = 0, 1, 2, 3, 5
RELATIONSHIP, LOCK, UNLOCK = 7, 8, 9


@dataclass(frozen=True)
class RecordedEdit:
    """One edit: its codes, starting with its kind (:data:`SET_PARENT`, ...), and its strings."""

    codes: tuple[int, ...]
    words: tuple[Token, ...]

    def assignment(self) -> Assignment | None:
        """Assignment that the edit makes, in the form of a setAttr; None if it sets no value."""
        if self.codes[0] != SET_ATTRIBUTE or len(self.words) < 3:
            return None
        name, value = (word.text for word in self.words[1:3])
        raw = f'setAttr ".{name}"{value};'.encode("utf-8", "surrogateescape")
        return parse_set_attr(Statement(raw, 1, 0, len(raw)))

    def limit(self) -> LimitAssignment | None:
        """Assignment to a limit attribute; None for other edits."""
        name, code = self.words[1].text, self.codes[0]
        if name not in PLUGS or code not in (SET_ATTRIBUTE, LOCK, UNLOCK):
            return None
        found = self.assignment()
        if found is not None:
            return found.limit(name, self.words[2].start, self.words[2].end)
        end = self.words[-1].end
        return LimitAssignment(*PLUGS[name], (), code == LOCK, end, end)


@dataclass
class EditGroup:
    """Edits of one reference node; further edits are inserted at `end`."""

    node: str
    count: Token
    end: int
    edits: list[RecordedEdit] = field(default_factory=list)


class EditRecord:
    """Record of reference edits, parsed from its setAttr: groups with a node, a count and edits.

    `error`: the fault if the record is malformed, else None; edits before the fault are kept.
    """

    def __init__(self, statement: Statement) -> None:
        self.statement, tokens = statement, statement.tokens
        self.end = tokens[-1].end
        self.groups: list[EditGroup] = []
        self.error: MayaAsciiError | None = None
        try:
            # setAttr ".ed" -type "dataReferenceEdits" "rigRN" ...
            types = (i for i, t in enumerate(tokens) if t.text == "dataReferenceEdits")
            begin = next(types, -1) + 2
            if begin < 2 or begin > len(tokens):
                raise statement.error("this record of reference edits has no reference node")
            self._read_groups(tokens, begin)
        except MayaAsciiError as problem:
            self.error = problem

    def edits(self) -> Iterator[RecordedEdit]:
        """Edits of all groups."""
        return (edit for group in self.groups for edit in group.edits)

    def _read_groups(self, tokens: tuple[Token, ...], place: int) -> None:
        while place < len(tokens):
            name, is_name = tokens[place], tokens[place].quoted
            while place + 2 < len(tokens) and tokens[place + 1].quoted:
                place += 1
            if place + 1 >= len(tokens) or not is_name:
                raise self.statement.error("expected a reference node and a count", name)
            count = tokens[place + 1]
            group, expected = EditGroup(name.text, count, count.end), self._count(count)
            self.groups.append(group)
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

    def group_for(self, node: str) -> EditGroup | None:
        """Group of the applied edits of a reference node; None if it has none yet."""
        found = [group for group in self.groups if group.node == node]
        return found[-1] if len(found) > 1 else None
