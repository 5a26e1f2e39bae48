"""Single reference edits: what their codes and strings do to the nodes of a reference."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.maya_standin import ma_attributes
from tests.maya_standin.ma_curves import CurveArrays
from tests.maya_standin.ma_statements import Word, statements
from tests.maya_standin.nodes import Node, Plug, Reference

if TYPE_CHECKING:
    from tests.maya_standin.ma_reader import FileReader
    from tests.maya_standin.references import RecordedEdit

PARENT, ADD, SET, DISCONNECT, DELETE, CONNECT = 0, 1, 2, 3, 4, 5
RELATIONSHIP, LOCK, UNLOCK = 7, 8, 9
#: Second codes of connections: which ends are nodes of the reference.
BOTH_INSIDE, SOURCE_INSIDE, TARGET_INSIDE = 0, 3, 4
_PLACEHOLDER = re.compile(r"(.+)\.(?:placeHolderList|phl)\[(\d+)\]")


class EditReader:
    """Applies the edits of one reference node's record."""

    def __init__(self, reader: FileReader, reference: Reference):
        self.reader = reader
        self.reference = reference
        #: Only what the open scene itself has recorded is an edit of it.
        self.noted = reader.reference is None
        self.before = dict(reader.curves)

    def apply(self, edit: RecordedEdit) -> bool:
        """Carry out one edit; False where it is not modelled or its node is not there."""
        code, texts = edit.codes[0], edit.texts
        if code in (PARENT, ADD, SET, LOCK, UNLOCK, DELETE):
            node = self._node(texts[0])
            actions = {
                PARENT: self._parent,
                ADD: self._add,
                SET: self._set,
                LOCK: self._lock,
                UNLOCK: self._unlock,
            }
            return node is not None and code in actions and actions[code](node, texts[1:])
        if code == DISCONNECT:
            return self._disconnect(texts)
        return code == CONNECT and self._connect(edit.codes, texts)

    def finish(self) -> None:
        """Give curves that were edited their keys."""
        for node, arrays in self.reader.curves.items():
            if node not in self.before:
                node.keys = arrays.keys(node, self.reader.units)
                self._note(node, "keys", node, "")
        self.reader.curves = self.before

    def _node(self, name: str) -> Node | None:
        return self.reader.find(name)

    def _note(self, node: Node, *entry: object) -> None:
        if self.noted and node.reference is not None:
            node.reference.edits[entry] = None

    def _set(self, node: Node, texts: tuple[str, ...]) -> bool:
        words = (Word("." + texts[0], True), *_words(texts[1]))
        curves = self.reader.curves
        if node.is_a("animCurve") and ma_attributes.array_name(texts[0]):
            curves.setdefault(node, CurveArrays())
        locked = set(node.locked)
        previous, self.reader.node = self.reader.node, node
        touched = ma_attributes.set_attribute(self.reader, words)
        self.reader.node = previous
        for path in touched:
            self._note(node, "setAttr", node, path)
        for path in node.locked ^ locked:
            self._note(node, "lock" if path in node.locked else "unlock", node, path)
        return True

    def _add(self, node: Node, texts: tuple[str, ...]) -> bool:
        words = _words(texts[-1])
        if not any(word.text in ("-ln", "-longName") for word in words):
            names = (Word("-ln", False), Word(texts[0], True), Word("-sn", False))
            words = (*names, Word(texts[1], True), *words)
        previous, self.reader.node = self.reader.node, node
        ma_attributes.add_attribute(self.reader, words)
        self.reader.node = previous
        self._note(node, "addAttr", node, texts[0])
        return True

    def _lock(self, node: Node, texts: tuple[str, ...]) -> bool:
        path = self._path(node, texts[0])
        if path is not None:
            node.locked.add(path)
            self._note(node, "lock", node, path)
        return path is not None

    def _unlock(self, node: Node, texts: tuple[str, ...]) -> bool:
        path = self._path(node, texts[0])
        if path is not None:
            node.locked.discard(path)
            self._note(node, "unlock", node, path)
        return path is not None

    def _parent(self, node: Node, texts: tuple[str, ...]) -> bool:
        above = None if texts[0] == "|" else self._node(texts[0])
        if above is None and texts[0] != "|":
            return False
        before = node.full_path()
        self.reader.scene.reparent(node, above)
        self._note(node, "parent", node, before)
        return True

    def _disconnect(self, texts: tuple[str, ...]) -> bool:
        ends = [self._plug(text) for text in texts[:2]]
        scene = self.reader.scene
        if None in ends or scene.connections.get(ends[1]) != ends[0]:
            return False
        scene.disconnect(*ends, keep=False)
        self._note(ends[1].node, "disconnectAttr", *ends)
        return True

    def _connect(self, codes: tuple[int, ...], texts: tuple[str, ...]) -> bool:
        """Know what the placeholders stand for; the scene's own statements connect them."""
        count = 2 if codes[1] == BOTH_INSIDE else 1
        if codes[1] not in (BOTH_INSIDE, SOURCE_INSIDE, TARGET_INSIDE):
            return False
        for text, place in zip(texts[1 : 1 + count], texts[1 + count : 1 + 2 * count]):
            plug, match = self._plug(text), _PLACEHOLDER.fullmatch(place)
            if plug is None or match is None:
                return False
            node = self._node(match[1]) or self.reference.node
            self.reader.opening.placeholders[node, int(match[2])] = plug
        return True

    def _plug(self, text: str) -> Plug | None:
        owner, _, attribute = text.partition(".")
        node = self._node(owner)
        path = self._path(node, attribute) if node is not None else None
        return Plug(node, path) if path is not None else None

    @staticmethod
    def _path(node: Node, attribute: str) -> str | None:
        return ma_attributes.modelled_kind(node, attribute)


def _words(text: str) -> tuple[Word, ...]:
    """Words of a piece of a statement."""
    return next(statements(f"setAttr {text};")).words
