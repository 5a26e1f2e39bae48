"""Nodes of an FBX document: the few that motion needs, of the many that a file has.

A node has a name, values and children. Nodes of other names are skipped with all that is below
them, so that meshes and images are never decoded.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Union

import numpy as np

from ...base import InputError
from ...geometry import AnyArray, Floats
from ...io import FilePath, ReadLimits
from ..tokens import LARGEST

MOST_NODES = 1_000_000
"""Nodes that are kept of a file."""
DEEPEST = 64
"""Nesting of nodes that are kept; real files nest them nine deep."""

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
"""Names of nodes of properties, and how many values of a property come before its own."""
PROPERTY = frozenset(["P", "Property"])
"""Names of nodes of one property."""
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
_TRANSFORM = ("Lcl Translation", "Lcl Rotation", "Lcl Scaling")
WANTED = frozenset((*_PROPERTIES.split(), *_TRANSFORM))
"""Names of properties that are kept."""

DTYPES = {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4", "b": "<i1", "c": "<i1"}
"""Types of arrays by their letters."""


class FbxError(InputError):
    """An FBX file that cannot be read."""


@dataclass
class Budget:
    """What a file may still cost, and how it is refused beyond that."""

    path: FilePath
    limits: ReadLimits
    nodes: int = 0
    numbers: int = 0

    def fail(self, message: str, line: int | None = None) -> FbxError:
        """Return an error of the file, for the caller to raise."""
        return FbxError(self.path, message, line)

    def take_node(self, depth: int) -> None:
        """Count a node that is kept; raises FbxError beyond what is read."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self.fail(f"has more than {MOST_NODES:,} nodes of skeletons and animation")
        if depth > DEEPEST:
            raise self.fail(f"nests nodes more than {DEEPEST} deep; is it damaged?")

    def take_numbers(self, count: int) -> None:
        """Count the numbers of an array; raises FbxError beyond what is read."""
        self.numbers += count
        if self.numbers > self.limits.max_numbers:
            refusal = self.limits.refusal("max_numbers", "numbers", subject="has")
            raise self.fail(refusal)


@dataclass(frozen=True, eq=False)
class BinaryArray:
    """An array of a binary file, decoded when it is asked for.

    `code`: letter of its type; `data`: its bytes, compressed by zlib if `packed`.
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
        data: Any = self.data
        if self.packed:
            try:
                # A byte more than expected tells a longer array without inflating it.
                data = zlib.decompressobj().decompress(data, size + 1)
            except zlib.error:
                raise self.budget.fail("has a compressed array that is damaged") from None
        if len(data) != size:
            found = f"{'more' if len(data) > size else 'fewer'} than {size:,} bytes"
            raise self.budget.fail(f"has an array of {self.count:,} numbers in {found}")
        return np.frombuffer(data, dtype)


@dataclass(frozen=True, eq=False)
class TextArray:
    """An array of an ASCII file, decoded when it is asked for."""

    count: int
    text: bytes
    budget: Budget

    def numbers(self) -> AnyArray:
        """Numbers, shape (count,): integers if all are."""
        words = self.text.split(b",") if self.text.strip() else []
        self.budget.take_numbers(len(words))
        try:
            try:
                numbers: AnyArray = np.array(list(map(int, words)), np.int64)
            except (ValueError, OverflowError):
                numbers = np.array(list(map(float, words)))
        except ValueError:
            raise self.budget.fail("has an array with words between its numbers") from None
        if len(numbers) != self.count:
            raise self.budget.fail(f"has an array of {self.count:,} numbers, found {len(numbers)}")
        return numbers


FbxArray = Union[BinaryArray, TextArray]
Value = Union[str, int, float, BinaryArray, TextArray]
Properties = Mapping[str, "list[Value]"]
"""Values of properties by their names."""


_NONE: Mapping[str, list[Value]] = MappingProxyType({})


class FbxNode:
    """A node; `properties` are its wanted properties by name, each a list of values."""

    __slots__ = ("children", "name", "properties", "values")

    def __init__(self, name: str, values: list[Value] | None = None) -> None:
        self.name, self.values = name, values or []
        # Shared by all nodes that have none, as files may have a million.
        self.children: Sequence[FbxNode] = ()
        self.properties: Mapping[str, list[Value]] = _NONE

    def add(self, child: FbxNode) -> None:
        """Add a child."""
        if not isinstance(self.children, list):
            self.children = []
        self.children.append(child)

    def all(self, *names: str) -> Iterator[FbxNode]:
        """Children of any of the names."""
        return (child for child in self.children if child.name in names)

    def first(self, name: str) -> FbxNode | None:
        """First child of a name."""
        return next(self.all(name), None)

    def text(self, index: int) -> str:
        """Value as text; empty where there is none."""
        value = self.values[index] if index < len(self.values) else ""
        return value if isinstance(value, str) else ""

    def child_value(self, name: str) -> Value | None:
        """First value of a child, None without one."""
        child = self.first(name)
        return child.values[0] if child is not None and child.values else None

    def child_int(self, name: str, default: int) -> int:
        """First value of a child as a whole number."""
        value = self.child_value(name)
        return int(value) if isinstance(value, (int, float)) and abs(value) < 2**63 else default

    def child_numbers(self, name: str) -> AnyArray:
        """All numbers of a child, whether they are one array or single values."""
        child = self.first(name)
        values = [] if child is None else child.values
        if len(values) == 1 and isinstance(values[0], (BinaryArray, TextArray)):
            return values[0].numbers()
        return np.array([value for value in values if isinstance(value, (int, float))])


@dataclass
class FbxDocument:
    """The kept nodes of a file. `version`: 6100, 7400, ...; `is_text`: whether it is ASCII."""

    version: int
    is_text: bool
    top: FbxNode
    budget: Budget = field(repr=False)

    def section(self, *names: str) -> FbxNode:
        """Node by the names that lead to it from the top; an empty one where there is none."""
        node = self.top
        for name in names:
            node = node.first(name) or FbxNode(name)
        return node


def decoded(text: bytes) -> str:
    """Text of a file: UTF-8, or one character a byte where it is not."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def number_of(values: Sequence[Value] | None, default: float) -> float:
    """First value of a property as a number that can be computed with."""
    value = values[0] if values else default
    usable = isinstance(value, (int, float)) and abs(value) < LARGEST
    return float(value) if usable else default  # type: ignore[arg-type]


def vector_of(values: Sequence[Value] | None, default: float) -> Floats:
    """First three values of a property, shape (3,)."""
    given = list(values or ())[:3]
    if len(given) < 3 or not all(isinstance(value, (int, float)) for value in given):
        return np.full(3, default)
    return np.array(given, np.float64)
