"""Nodes of a binary or ASCII FBX document that are needed for motion."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Union

import numpy as np

from ...base.errors import InputError
from ...geometry.arrays import AnyArray, Floats
from ...io.input import FilePath, ReadLimits
from ..tokens import MAX_NUMBER, decode_text

MAX_NODES = 1_000_000
"""Maximum number of nodes that are kept."""
MAX_DEPTH = 64
"""Maximum nesting of nodes that are kept; real files have nine levels."""

_NODES = """
FBXHeaderExtension FBXHeaderVersion FBXVersion OtherFlags TCDefinition
GlobalSettings Version5 Settings FrameRate Children
Documents Document Definitions ObjectType PropertyTemplate
Objects Model NodeAttribute Deformer TransformLink Constraint
Pose Type PoseNode Node Matrix
AnimationStack AnimationLayer AnimationCurveNode AnimationCurve
Default KeyVer KeyTime KeyValueFloat KeyAttrFlags KeyAttrDataFloat KeyAttrRefCount
Pre-Extrapolation Post-Extrapolation Repetition
Connections C Connect
Takes Take Current LocalTime Channel KeyCount Key
"""
KEPT = frozenset(_NODES.split())
"""Names of nodes that are kept."""
PROPERTIES = {"Properties70": 4, "Properties60": 3}
"""Names of property nodes, and the number of entries that precede a property's values."""
PROPERTY = frozenset(["P", "Property"])
"""Names of nodes that hold one property."""
AXES = "XYZ"
_PROPERTIES = """
UpAxis UpAxisSign FrontAxis FrontAxisSign CoordAxis CoordAxisSign UnitScaleFactor
TimeMode CustomFrameRate ActiveAnimStackName LocalStart LocalStop
RotationOffset RotationPivot ScalingOffset ScalingPivot
RotationOrder RotationSpaceForLimitOnly PreRotation PostRotation RotationActive InheritType
RotationMin RotationMinX RotationMinY RotationMinZ
RotationMax RotationMaxX RotationMaxY RotationMaxZ
Weight Mute BlendMode RotationAccumulationMode ScaleAccumulationMode
d|X d|Y d|Z
"""
WANTED = frozenset((*_PROPERTIES.split(), "Lcl Translation", "Lcl Rotation", "Lcl Scaling"))
"""Names of properties that are kept."""

DTYPES = {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4", "b": "<i1", "c": "<i1"}
"""Number type of an array, by its letter."""


class FbxError(InputError):
    """An FBX file that cannot be read."""


@dataclass
class Budget:
    """Budget of the nodes and values read from a file, and errors about that file."""

    path: FilePath
    limits: ReadLimits
    nodes: int = 0
    numbers: int = 0

    def fail(self, message: str, line: int | None = None) -> FbxError:
        """Return an error about the file, for the caller to raise."""
        return FbxError(self.path, message, line)

    def take_node(self, depth: int) -> None:
        """Count a kept node; raise FbxError if there are too many, or if this one is too deep."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.fail(f"has more than {MAX_NODES:,} nodes of skeletons and animation")
        if depth > MAX_DEPTH:
            raise self.fail(f"nests nodes more than {MAX_DEPTH} deep; is it damaged?")

    def take_numbers(self, count: int) -> None:
        """Count numbers towards the budget; raises FbxError once the budget is exceeded."""
        self.numbers += count
        if self.numbers > self.limits.max_numbers:
            raise self.fail(self.limits.refusal("max_numbers", "numbers", subject="has"))


@dataclass(frozen=True, eq=False)
class BinaryArray:
    """An array in a binary file, decoded on demand.

    `code`: letter of its type. `data`: its bytes, compressed by zlib if `packed`.
    """

    code: str
    count: int
    packed: bool
    data: memoryview
    budget: Budget

    def numbers(self) -> AnyArray:
        """Numbers, shape (count,)."""
        self.budget.take_numbers(self.count)
        dtype = np.dtype(DTYPES[self.code])
        size = self.count * dtype.itemsize
        data: bytes | memoryview = self.data
        if self.packed:
            try:
                # One byte more than expected is enough to detect a longer array.
                data = zlib.decompressobj().decompress(data, size + 1)
            except zlib.error:
                raise self.budget.fail("has a damaged compressed array") from None
        if len(data) != size:
            found = f"{'more' if len(data) > size else 'fewer'} than {size:,} bytes"
            raise self.budget.fail(f"has an array of {self.count:,} numbers in {found}")
        return np.frombuffer(data, dtype)


@dataclass(frozen=True, eq=False)
class TextArray:
    """An array in an ASCII file, decoded on demand."""

    count: int
    text: bytes
    budget: Budget

    def numbers(self) -> AnyArray:
        """Numbers, shape (count,); integers if all numbers are whole."""
        words = self.text.split(b",") if self.text.strip() else []
        self.budget.take_numbers(len(words))
        try:
            try:
                numbers: AnyArray = np.array(list(map(int, words)), np.int64)
            except (ValueError, OverflowError):
                numbers = np.array(list(map(float, words)))
        except ValueError:
            raise self.budget.fail("has an array with text between its numbers") from None
        if len(numbers) != self.count:
            raise self.budget.fail(f"has an array of {self.count:,} numbers, found {len(numbers)}")
        return numbers


Value = Union[str, int, float, BinaryArray, TextArray]
Properties = Mapping[str, "list[Value]"]
"""Values of properties, by name."""
_NONE: Properties = MappingProxyType({})


class FbxNode:
    """A node; `properties` are its wanted properties by name, each a list of values."""

    __slots__ = ("children", "name", "properties", "values")

    def __init__(self, name: str, values: list[Value] | None = None) -> None:
        self.name, self.values = name, values or []
        self.children: list[FbxNode] = []
        self.properties: Properties = _NONE

    def children_named(self, *names: str) -> Iterator[FbxNode]:
        """Children with any of the names."""
        return (child for child in self.children if child.name in names)

    def first(self, name: str) -> FbxNode | None:
        """First child with that name; None if there is none."""
        return next(self.children_named(name), None)

    def text(self, index: int) -> str:
        """Value as text; empty if it is not text."""
        value = self.values[index] if index < len(self.values) else ""
        return value if isinstance(value, str) else ""

    def child_value(self, name: str) -> Value | None:
        """First value of a child; None if there is no such child or value."""
        child = self.first(name)
        return child.values[0] if child is not None and child.values else None

    def child_int(self, name: str, default: int) -> int:
        """First value of a child as a whole number; `default` if it is not a number."""
        value = self.child_value(name)
        return int(value) if isinstance(value, (int, float)) and abs(value) < 2**63 else default

    def child_numbers(self, name: str) -> AnyArray:
        """All numbers in a child, stored either as one array or as separate values."""
        child = self.first(name)
        values = [] if child is None else child.values
        if len(values) == 1 and isinstance(values[0], (BinaryArray, TextArray)):
            return values[0].numbers()
        return np.array([value for value in values if isinstance(value, (int, float))])


@dataclass
class FbxDocument:
    """The kept nodes of a file. `version`: 6100, 7400, ..."""

    version: int
    top: FbxNode
    budget: Budget = field(repr=False)

    def section(self, *names: str) -> FbxNode:
        """Node at a path of names from the top; an empty node if there is none."""
        node = self.top
        for name in names:
            node = node.first(name) or FbxNode(name)
        return node


def number_of(values: Sequence[Value] | None, default: float) -> float:
    """First value of a property as a number; `default` if it is not a number or too large."""
    value = values[0] if values else default
    usable = isinstance(value, (int, float)) and abs(value) < MAX_NUMBER
    return float(value) if usable else default  # type: ignore[arg-type]


def vector_of(values: Sequence[Value] | None, default: float) -> Floats:
    """First three values of a property, shape (3,)."""
    given = list(values or ())[:3]
    if len(given) < 3 or not all(isinstance(value, (int, float)) for value in given):
        return np.full(3, default)
    return np.array(given, np.float64)


MAGIC = b"Kaydara FBX Binary  \0"
_MIN_WIDE_VERSION = 7500
"""First version with 64-bit sizes and offsets."""
_HEAD = len(MAGIC) + 6
_UINT = struct.Struct("<I")
_ARRAY_HEAD = struct.Struct("<III")
_SCALARS = {ord(letter): struct.Struct(f"<{code}") for letter, code in zip("CBZYIFDL", "bbbhifdq")}
_TEXTS = frozenset(b"SR")


def read_binary(data: bytes, budget: Budget) -> FbxDocument:
    """Read the kept nodes of a file that begins with :data:`MAGIC`; raises FbxError."""
    if len(data) < _HEAD:
        raise budget.fail("is cut short in its header; copy or export it again")
    if data[len(MAGIC) + 1] != 0:
        raise budget.fail("is a big-endian FBX file; save it again on a PC, or as ASCII FBX")
    (version,) = _UINT.unpack_from(data, len(MAGIC) + 2)
    top = FbxNode("")
    _BinaryReader(data, version, budget).fill(top, _HEAD, len(data), 0)
    return FbxDocument(version, top, budget)


class _BinaryReader:
    def __init__(self, data: bytes, version: int, budget: Budget) -> None:
        self._data, self._view, self._budget = data, memoryview(data), budget
        self._head = struct.Struct("<QQQB" if version >= _MIN_WIDE_VERSION else "<IIIB")

    def fill(self, parent: FbxNode, at: int, end: int, depth: int) -> None:
        for name, stop, start, size, count in self._nodes_within(at, end):
            if name in KEPT:
                self._budget.take_node(depth)
                node = FbxNode(name, self._values(start, start + size, count))
                parent.children.append(node)
                self.fill(node, start + size, stop, depth + 1)
            elif name in PROPERTIES:
                parent.properties = self._properties(start + size, stop, PROPERTIES[name])

    def _properties(self, at: int, end: int, before: int) -> Properties:
        """Wanted properties; `before`: number of entries that precede a property's values."""
        found = {}
        for name, _, start, size, count in self._nodes_within(at, end):
            if name not in PROPERTY or not count:
                continue
            label = self._values(start, start + size, 1)[0]
            if label in WANTED:
                found[str(label)] = self._values(start, start + size, count)[before:]
        return found

    def _nodes_within(self, at: int, end: int) -> Iterator[tuple[str, int, int, int, int]]:
        """Name and end of every node, and start, size and number of its values."""
        data, head, width = self._data, self._head, self._head.size
        while at + width <= end:
            stop, count, size, length = head.unpack_from(data, at)
            if stop == 0:
                return
            start = at + width + length
            if stop > len(data):
                raise self._truncation_error(stop)
            if not start + size <= stop <= end or count > size:
                raise self._budget.fail(f"has a damaged node at byte {at:,}; export it again")
            yield decode_text(data[start - length : start]), stop, start, size, count
            at = stop

    def _truncation_error(self, wanted: int) -> Exception:
        sizes = f"it needs {wanted:,} bytes and has {len(self._data):,}"
        return self._budget.fail(f"is cut short: {sizes}; copy or export it again")

    def _values(self, at: int, end: int, count: int) -> list[Value]:
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
                    value = decode_text(data[at + 5 : at + 5 + size])
                    at += 5 + size
                else:
                    value, at = self._array(at)
                found.append(value)
        except (struct.error, IndexError):
            raise self._truncation_error(at + 1) from None
        if at > end:
            raise self._budget.fail(f"has a value beyond its node at byte {end:,}")
        return found

    def _array(self, at: int) -> tuple[BinaryArray, int]:
        """Array at a byte offset, and its end."""
        code = chr(self._data[at])
        if code not in DTYPES:
            message = f"has a value of the unknown type {code!a} at byte {at:,}; is it damaged?"
            raise self._budget.fail(message)
        count, encoding, size = _ARRAY_HEAD.unpack_from(self._data, at + 1)
        if encoding > 1:
            message = f"has an array of the unknown encoding {encoding} at byte {at:,}"
            raise self._budget.fail(message)
        start = at + 1 + _ARRAY_HEAD.size
        data = self._view[start : start + size]
        return BinaryArray(code, count, encoding == 1, data, self._budget), start + size


_PLAIN = re.compile(rb'[^":{};*]*')
"""Text without special characters."""
_NAME = re.compile(rb"[^\s,]+\s*\Z")
_BRACES = re.compile(rb'"[^"]*"?|;[^\n]*|[{}]')
_ARRAY_START = re.compile(rb"\s*(\d{1,15})\s*\{([^{}]*)\}")
_COMMENT = re.compile(rb";[^\n]*")
_LABEL = re.compile(rb"\s*a\s*:")
_VERSION = re.compile(rb";\s*FBX\s+(\d)\.(\d)\.(\d)", re.IGNORECASE)
_MAX_NAME_BYTES = 100
_MAX_INTEGER_DIGITS = 20
"""Maximum number of digits of a 64-bit whole number."""


def read_plain_text(data: bytes, budget: Budget) -> FbxDocument:
    """Read the kept nodes of a file; raises FbxError with the line."""
    top = FbxNode("")
    _TextReader(data, budget).fill(top, 0, KEPT)
    document = FbxDocument(0, top, budget)
    head = _VERSION.search(data[:1000])
    version = int(b"".join(head.groups())) * 10 if head else 0
    document.version = document.section("FBXHeaderExtension").child_int("FBXVersion", 0) or version
    return document


class _TextReader:
    def __init__(self, data: bytes, budget: Budget) -> None:
        self._data, self._budget, self._at = data, budget, 0

    def fill(self, parent: FbxNode, depth: int, kept: frozenset[str]) -> None:
        """Read the children of a node, up to its closing brace or the end of the file."""
        opening, name = self._at - 1, ""
        node: FbxNode | None = None
        while True:
            # Plain text up to the next mark; there is no mark at the end of the file.
            start, found = self._at, _PLAIN.match(self._data, self._at)
            end = found.end() if found else start
            self._at, mark = end + 1, self._data[end : end + 1]
            if mark == b":":
                # Text before the name belongs to the previous node.
                place, name = self._find_name(start, end)
                self._add(node, start, place)
                node = None
                if name in kept:
                    self._budget.take_node(depth)
                    node = FbxNode(name)
                    parent.children.append(node)
                continue
            self._add(node, start, end)
            if mark == b'"':
                close = self._data.find(b'"', self._at)
                if close < 0:
                    raise self._fail("this quote is never closed", self._at)
                if node is not None:
                    text = decode_text(self._data[self._at : close])
                    node.values.append(text.replace("&quot;", '"'))
                self._at = close + 1
            elif mark == b"*":
                self._array(node)
            elif mark == b";":
                end = self._data.find(b"\n", self._at)
                self._at = len(self._data) if end < 0 else end
            elif mark == b"{":
                self._block(parent, node, name, depth)
                node, name = None, ""
            elif mark and not depth:
                raise self._fail("this closing brace has no opening brace", end)
            elif depth and not mark:
                words = "this brace is never closed: the file is cut short or damaged"
                raise self._fail(words, opening)
            else:
                return

    def _fail(self, message: str, at: int) -> Exception:
        return self._budget.fail(message, self._data.count(b"\n", 0, at) + 1)

    def _find_name(self, start: int, colon: int) -> tuple[int, str]:
        tail = max(start, colon - _MAX_NAME_BYTES)
        found = _NAME.search(self._data[tail:colon])
        if found is None:
            raise self._fail("expected a name before a colon", colon)
        return tail + found.start(), decode_text(found[0].strip())

    def _add(self, node: FbxNode | None, start: int, end: int) -> None:
        text = self._data[start:end].strip(b" \t\r\n,") if node is not None else b""
        if node is not None and text:
            words = map(bytes.strip, text.split(b","))
            node.values += [_value(word) for word in words if word]

    def _array(self, node: FbxNode | None) -> None:
        found = _ARRAY_START.match(self._data, self._at)
        if found is None:
            raise self._fail("expected the length and the numbers of an array", self._at)
        if node is not None:
            text = _LABEL.sub(b"", _COMMENT.sub(b"", found[2]), 1)
            node.values.append(TextArray(int(found[1]), text, self._budget))
        self._at = found.end()

    def _block(self, parent: FbxNode, node: FbxNode | None, name: str, depth: int) -> None:
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
        opening, deep = self._at - 1, 1
        for found in _BRACES.finditer(self._data, self._at):
            deep += {b"{": 1, b"}": -1}.get(found[0], 0)
            if not deep:
                self._at = found.end()
                return
        raise self._fail("this brace is never closed: the file is cut short or damaged", opening)


def _value(word: bytes) -> Value:
    if len(word) <= _MAX_INTEGER_DIGITS:
        try:
            return int(word)
        except ValueError:
            pass
    try:
        return float(word)
    except ValueError:
        return decode_text(word)
