"""Nodes of ASCII FBX files.

A node is its name and a colon, values between commas, and in braces the nodes below it. A value is
a number, a word or a text in quotes; an array is a star, its length, and in braces its numbers as
the node ``a``. A semicolon starts a comment.
"""

from __future__ import annotations

import re

from .nodes import (
    KEPT,
    PROPERTIES,
    PROPERTY,
    WANTED,
    Budget,
    FbxDocument,
    FbxNode,
    TextArray,
    Value,
    decoded,
)

_PLAIN = re.compile(rb'[^":{};*]*')
"""Anything but the marks that have a meaning."""
_NAME = re.compile(rb"[^\s,]+\s*\Z")
_BRACES = re.compile(rb'"[^"]*"?|;[^\n]*|[{}]')
_ARRAY = re.compile(rb"\s*(\d{1,15})\s*\{([^{}]*)\}")
_COMMENT = re.compile(rb";[^\n]*")
_LABEL = re.compile(rb"\s*a\s*:")
_VERSION = re.compile(rb";\s*FBX\s+(\d)\.(\d)\.(\d)", re.IGNORECASE)
_LONGEST_NAME = 100
_LONGEST_WHOLE = 20
"""Digits of a whole number of 64 bits."""
_ESCAPED_QUOTE = "&quot;"


def read_plain_text(data: bytes, budget: Budget) -> FbxDocument:
    """Read the kept nodes of a file; raises FbxError with the line."""
    top = FbxNode("")
    _Reader(data, budget).fill(top, 0, KEPT)
    written = top.first("FBXHeaderExtension")
    version = 0 if written is None else written.child_int("FBXVersion", 0)
    head = _VERSION.search(data[:1000])
    if not version and head is not None:
        version = int(b"".join(head.groups())) * 10
    return FbxDocument(version, True, top, budget)


class _Reader:
    """Reader of nodes, from a place that moves on."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._data, self._budget, self._at = data, budget, 0

    def fill(self, parent: FbxNode, depth: int, kept: frozenset[str]) -> None:
        """Read what is below a node, up to the brace that closes it or the end of the file."""
        opening = self._at - 1
        node: FbxNode | None = None
        name = ""
        while True:
            start, end, mark = self._next()
            if mark == b":":
                start, name = self._named(node, start, end)
                node = self._made(parent, name, depth) if name in kept else None
                continue
            self._add(node, start, end)
            if mark == b'"':
                self._quoted(node)
            elif mark == b"*":
                self._array(node)
            elif mark == b";":
                self._at = self._end_of_line()
            elif mark == b"{":
                self._block(parent, node, name, depth)
                node, name = None, ""
            elif mark and not depth:
                raise self._fail("this closing brace has no opening one", end)
            elif depth and not mark:
                words = "this brace is never closed: the file is cut short or damaged"
                raise self._fail(words, opening)
            else:
                return

    def _fail(self, message: str, at: int) -> Exception:
        return self._budget.fail(message, self._data.count(b"\n", 0, at) + 1)

    def _next(self) -> tuple[int, int, bytes]:
        """Range of plain text from the present place, and the mark behind it; none at the end."""
        start = self._at
        found = _PLAIN.match(self._data, start)
        end = found.end() if found else start
        self._at = end + 1
        return start, end, self._data[end : end + 1]

    def _end_of_line(self) -> int:
        end = self._data.find(b"\n", self._at)
        return len(self._data) if end < 0 else end

    def _named(self, node: FbxNode | None, start: int, end: int) -> tuple[int, str]:
        """Name in front of a colon; what comes before it are values of the node before."""
        tail = max(start, end - _LONGEST_NAME)
        found = _NAME.search(self._data[tail:end])
        if found is None:
            raise self._fail("expected a name before a colon", end)
        self._add(node, start, tail + found.start())
        return end, decoded(found[0].strip())

    def _made(self, parent: FbxNode, name: str, depth: int) -> FbxNode:
        self._budget.take_node(depth)
        node = FbxNode(name)
        parent.add(node)
        return node

    def _add(self, node: FbxNode | None, start: int, end: int) -> None:
        """Add the numbers and words of plain text to a node."""
        text = self._data[start:end].strip(b" \t\r\n,") if node is not None else b""
        if node is not None and text:
            words = map(bytes.strip, text.split(b","))
            node.values += [_value(word) for word in words if word]

    def _quoted(self, node: FbxNode | None) -> None:
        end = self._data.find(b'"', self._at)
        if end < 0:
            raise self._fail("this quote is never closed", self._at)
        if node is not None:
            text = decoded(self._data[self._at : end])
            node.values.append(text.replace(_ESCAPED_QUOTE, '"'))
        self._at = end + 1

    def _array(self, node: FbxNode | None) -> None:
        found = _ARRAY.match(self._data, self._at)
        if found is None:
            raise self._fail("expected the length and the numbers of an array", self._at)
        if node is not None:
            text = _LABEL.sub(b"", _COMMENT.sub(b"", found[2]), 1)
            node.values.append(TextArray(int(found[1]), text, self._budget))
        self._at = found.end()

    def _block(self, parent: FbxNode, node: FbxNode | None, name: str, depth: int) -> None:
        """Read or skip what is in braces, behind the one that opens."""
        if node is not None:
            self.fill(node, depth + 1, KEPT)
        elif name in PROPERTIES:
            self._budget.take_node(depth)
            block = FbxNode(name)
            self.fill(block, depth + 1, PROPERTY)
            before = PROPERTIES[name]
            named = ((one.text(0), one.values[before:]) for one in block.children)
            parent.properties = {label: values for label, values in named if label in WANTED}
        else:
            self._skip()

    def _skip(self) -> None:
        """Go behind the brace that closes what is open here."""
        opening, deep = self._at - 1, 1
        for found in _BRACES.finditer(self._data, self._at):
            deep += {b"{": 1, b"}": -1}.get(found[0], 0)
            if not deep:
                self._at = found.end()
                return
        raise self._fail("this brace is never closed: the file is cut short or damaged", opening)


def _value(word: bytes) -> Value:
    """A number, or the word where it is none."""
    if len(word) <= _LONGEST_WHOLE:
        try:
            return int(word)
        except ValueError:
            pass
    try:
        return float(word)
    except ValueError:
        return decoded(word)
