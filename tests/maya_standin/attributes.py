"""What an attribute is, and how its name is read."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.maya_standin.errors import NotModelledError

KINDS = {"double", "float", "angle", "distance", "time", "bool", "enum", "long", "short", "char"}
KINDS |= {"string", "matrix", "compound", "message", "typed", "generic"}
IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
NUMBERS = {"double", "float", "angle", "distance", "time"}
WHOLE = {"enum", "long", "short", "char"}
SEGMENT = re.compile(r"([A-Za-z_]\w*)(?:\[(\d+)\])?")


@dataclass(frozen=True)
class AttributeSpec:
    """One attribute of a node type, or one that was added to a node.

    `default` is in internal units: radians, centimetres, seconds.
    """

    long: str
    short: str
    kind: str
    default: Any = 0.0
    children: tuple[AttributeSpec, ...] = ()
    array: bool = False
    writable: bool = True
    keyable: bool = False
    enum: tuple[str, ...] = ()
    hidden: bool = False
    deletes: bool = field(default=False, repr=False)
    """Whether an element goes when it is disconnected: disconnectBehavior kDelete."""
    minimum: float | None = field(default=None, repr=False)
    maximum: float | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise NotModelledError(f"an attribute of kind {self.kind} is not modelled")

    def initial(self) -> Any:
        """The default as a value of the attribute's kind."""
        if self.kind == "matrix":
            return self.default or IDENTITY
        if self.kind == "string":
            return self.default or ""
        if self.kind in ("message", "typed"):
            return None
        return self.cast(self.default)

    def cast(self, value: Any) -> Any:
        """A value as the attribute holds it; TypeError or ValueError where it cannot."""
        if self.kind == "float":
            return single(float(value))
        if self.kind in NUMBERS:
            return float(value)
        if self.kind == "bool":
            return bool(value)
        if self.kind in WHOLE:
            return int(value)
        if self.kind == "string":
            return None if value is None else str(value)
        if self.kind == "matrix":
            # A pose record of a file is a matrix that remembers more.
            kept = isinstance(value, tuple) and type(value) is not tuple
            matrix = value if kept else tuple(float(number) for number in value)
            if len(matrix) != 16:
                raise ValueError(f"a matrix has 16 numbers, not {len(matrix)}")
            return matrix
        return value


def single(value: float) -> float:
    """A number as single precision holds it."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


class AttributeTable:
    """The attributes of a node type by every name, with the compounds they lie in."""

    def __init__(self, specs: Iterable[AttributeSpec] = ()):
        self.top: dict[str, AttributeSpec] = {}
        self.chains: dict[str, tuple[AttributeSpec, ...]] = {}
        self._paths: dict[str, str | None] = {}
        for spec in specs:
            self.add(spec)

    def add(self, spec: AttributeSpec) -> None:
        self._paths.clear()
        self.top[spec.long] = spec
        self._index(spec, ())

    def _index(self, spec: AttributeSpec, above: tuple[AttributeSpec, ...]) -> None:
        chain = (*above, spec)
        for name in (spec.short, spec.long):
            self.chains[name] = chain
        for child in spec.children:
            self._index(child, chain)

    def remove(self, long: str) -> None:
        self._paths.clear()
        spec = self.top.pop(long)
        for gone in _with_children(spec):
            self.chains.pop(gone.long, None)
            self.chains.pop(gone.short, None)

    def path(self, text: str) -> str | None:
        """The one spelling of a path; None for a name that is not here.

        Long names; a compound that is no array is left out; array elements keep their index:
        "r.rx" is "rotateX", "tg[0].trx" is "target[0].targetRotateX".
        """
        if text not in self._paths:
            self._paths[text] = self._spell(text)
        return self._paths[text]

    def _spell(self, text: str) -> str | None:
        found: dict[str, str | None] = {}
        chain: tuple[AttributeSpec, ...] = ()
        for segment in text.split("."):
            match = SEGMENT.fullmatch(segment)
            below = self.chains.get(match[1]) if match else None
            if below is None or below[: len(chain)] != chain or below == chain:
                return None
            chain = below
            found[chain[-1].long] = match[2] if match else None
        return _join_path(chain, found)


def _join_path(chain: tuple[AttributeSpec, ...], indices: dict[str, str | None]) -> str | None:
    parts = []
    for spec in chain:
        index = indices.get(spec.long)
        if index is not None and not spec.array:
            return None
        if spec.array and index is None and spec is not chain[-1]:
            return None
        if index is not None:
            parts.append(f"{spec.long}[{int(index)}]")
        elif spec is chain[-1]:
            parts.append(spec.long)
    return ".".join(parts)


def _with_children(spec: AttributeSpec) -> Iterable[AttributeSpec]:
    yield spec
    for child in spec.children:
        yield from _with_children(child)
