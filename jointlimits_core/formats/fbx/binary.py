"""Nodes of binary FBX files.

A node is the place where it ends, the number and the size of its values, its name, the values, and
the nodes below it up to one of zeros. The first three are 32 bits wide, from version 7500 on 64.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from .nodes import (
    DTYPES,
    KEPT,
    PROPERTIES,
    PROPERTY,
    WANTED,
    BinaryArray,
    Budget,
    FbxDocument,
    FbxNode,
    Properties,
    Value,
    decoded,
)

MAGIC = b"Kaydara FBX Binary  \0"
_WIDE = 7500
"""First version with 64 bits."""
_HEAD = len(MAGIC) + 6
_UINT = struct.Struct("<I")
_ARRAY = struct.Struct("<III")
_SCALARS = {
    ord(letter): struct.Struct(code)
    for letter, code in {
        "C": "<b",
        "B": "<b",
        "Z": "<b",
        "Y": "<h",
        "I": "<i",
        "F": "<f",
        "D": "<d",
        "L": "<q",
    }.items()
}
_LONG, _LONGEST_ROW = 64, 16
"""Values of a list, and of one of its rows, that are read together."""
_ARRAYS = {ord(letter): letter for letter in DTYPES}
_TEXTS = frozenset(b"SR")


def read_binary(data: bytes, budget: Budget) -> FbxDocument:
    """Read the kept nodes of a file that begins with :data:`MAGIC`; raises FbxError."""
    if len(data) < _HEAD:
        raise budget.fail("is cut short in its header; copy or export it again")
    if data[len(MAGIC) + 1] != 0:
        raise budget.fail("is a big-endian FBX file; save it again on a PC, or as ASCII FBX")
    (version,) = _UINT.unpack_from(data, len(MAGIC) + 2)
    top = FbxNode("")
    _Reader(data, version, budget).fill(top, _HEAD, len(data), 0)
    return FbxDocument(version, False, top, budget)


class _Reader:
    """Reader of the nodes between two places of a file."""

    def __init__(self, data: bytes, version: int, budget: Budget) -> None:
        self._data, self._view, self._budget = data, memoryview(data), budget
        self._head = struct.Struct("<QQQB" if version >= _WIDE else "<IIIB")

    def fill(self, parent: FbxNode, at: int, end: int, depth: int) -> None:
        """Read what is below a node; `depth`: how deep that is."""
        for name, stop, start, size, count in self._below(at, end):
            if name in KEPT:
                self._budget.take_node(depth)
                node = FbxNode(name, self._values(start, start + size, count))
                parent.add(node)
                self.fill(node, start + size, stop, depth + 1)
            elif name in PROPERTIES:
                parent.properties = self._properties(start + size, stop, PROPERTIES[name])

    def _properties(self, at: int, end: int, before: int) -> Properties:
        """Wanted properties; `before`: number of values of each before its own."""
        found = {}
        for name, _, start, size, count in self._below(at, end):
            if name not in PROPERTY or not count:
                continue
            label = self._values(start, start + size, 1)[0]
            if label in WANTED:
                found[str(label)] = self._values(start, start + size, count)[before:]
        return found

    def _below(self, at: int, end: int) -> Iterator[tuple[str, int, int, int, int]]:
        """Name, end, and start, size and number of the values of every node."""
        data, head, width = self._data, self._head, self._head.size
        while at + width <= end:
            stop, count, size, length = head.unpack_from(data, at)
            if stop == 0:
                return
            start = at + width + length
            if stop > len(data):
                raise self._cut(stop)
            if not start + size <= stop <= end or count > size:
                raise self._budget.fail(f"has a damaged node at byte {at:,}; export it again")
            yield decoded(data[start - length : start]), stop, start, size, count
            at = stop

    def _cut(self, wanted: int) -> Exception:
        return self._budget.fail(
            f"is cut short: it needs {wanted:,} bytes and has {len(self._data):,}; copy or export "
            "it again"
        )

    def _values(self, at: int, end: int, count: int) -> list[Value]:
        """First values of a node."""
        rows = self._rows(at, end, count) if count > _LONG else None
        if rows is not None:
            return rows
        data, found = self._data, []
        try:
            for _ in range(count):
                code = data[at]
                scalar = _SCALARS.get(code)
                if scalar is not None:
                    (value,) = scalar.unpack_from(data, at + 1)
                    at += 1 + scalar.size
                elif code in _TEXTS:
                    (size,) = _UINT.unpack_from(data, at + 1)
                    value = decoded(data[at + 5 : at + 5 + size])
                    at += 5 + size
                else:
                    value, at = self._array(at)
                found.append(value)
        except (struct.error, IndexError):
            raise self._cut(at + 1) from None
        if at > end:
            raise self._budget.fail(f"has a value beyond its node at byte {end:,}")
        return found

    def _rows(self, at: int, end: int, count: int) -> list[Value] | None:
        """Values of a long list whose rows have the same types, as of keys; None of another."""
        data, stop = self._data, at
        starts: list[int] = []
        codes: list[int] = []
        while stop < end and not (codes and data[stop] == codes[0]):
            scalar = _SCALARS.get(data[stop])
            if scalar is None or len(codes) == _LONGEST_ROW:
                return None
            starts.append(stop - at)
            codes.append(data[stop])
            stop += 1 + scalar.size
        width, size = len(codes), stop - at
        if not codes or count % width or end - at != count // width * size:
            return None
        table = np.frombuffer(data, np.uint8, end - at, at).reshape(-1, size)
        if (table[:, starts] != codes).any():
            return None
        found: list[Value] = [0] * count
        for place, (start, code) in enumerate(zip(starts, codes)):
            scalar = _SCALARS[code]
            column = np.ascontiguousarray(table[:, start + 1 : start + 1 + scalar.size])
            found[place::width] = column.view(scalar.format)[:, 0].tolist()
        return found

    def _array(self, at: int) -> tuple[BinaryArray, int]:
        """Array whose letter is at a place, and where it ends."""
        code = self._data[at]
        if code not in _ARRAYS:
            raise self._budget.fail(
                f"has a value of the unknown type {chr(code)!a} at byte {at:,}; is it damaged?"
            )
        count, encoding, size = _ARRAY.unpack_from(self._data, at + 1)
        start = at + 1 + _ARRAY.size
        return BinaryArray(
            _ARRAYS[code], count, encoding == 1, self._view[start : start + size], self._budget
        ), start + size
