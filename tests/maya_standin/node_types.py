"""The node types of the stand-in and their attributes.

Sources: maya.md 1.3 (joint), 1.4 (limits), 8 (animCurve); for the others Autodesk's node
reference ("Nodes" in the technical documentation) and the names that `.ma` files hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from math import radians
from pathlib import Path
from typing import Any

from tests.maya_standin.attributes import AttributeSpec, AttributeTable
from tests.maya_standin.errors import NotModelledError


@dataclass(frozen=True)
class NodeType:
    """A node type: what it is derived from (nearest first), and its attributes.

    `complete` says that an attribute that is not in the table does not exist; where it is False
    nobody can tell, and the stand-in refuses to guess.
    """

    name: str
    inherited: tuple[str, ...]
    attributes: AttributeTable = field(compare=False)
    complete: bool = True
    opaque: bool = False

    def is_a(self, name: str) -> bool:
        return name == self.name or name in self.inherited

    @property
    def is_dag(self) -> bool:
        return "dagNode" in self.inherited


def _type(
    name: str, specs: tuple[AttributeSpec, ...] = (), base: NodeType | None = None, **options: bool
) -> NodeType:
    inherited = (base.name, *base.inherited) if base else ()
    above = tuple(base.attributes.top.values()) if base else ()
    known = {spec.long: spec for spec in (*above, *specs)}
    return NodeType(name, inherited, AttributeTable(known.values()), **options)


def _row_spec(row: str, children: tuple[AttributeSpec, ...]) -> AttributeSpec:
    """Attribute of one entry of the tables; its children where they are listed below it."""
    long, short, kind, *words = row.split()
    made: dict[str, Any] = {"children": children}
    default: Any = {"string": "", "matrix": None}.get(kind, 0.0)
    letters = []
    for word in words:
        if word in ("array", "keyable"):
            made[word] = True
        elif word == "output":
            made["writable"] = False
        elif word.startswith("="):
            default = radians(float(word[1:])) if kind == "angle" else float(word[1:])
        elif "|" in word:
            made["enum"] = tuple(word.replace("_", " ").split("|"))
        else:
            letters = word.split(":")
    if kind != "compound" and not letters:
        return AttributeSpec(long, short, kind, default, **made)
    if letters:
        long_form, short_form = letters[1:] or (f"{long}*", f"{short}*")
        options = {name: made[name] for name in ("writable", "keyable") if name in made}
        made["children"] = tuple(
            AttributeSpec(
                long_form.replace("*", letter),
                short_form.replace("*", letter.lower()),
                kind,
                default,
                **options,
            )
            for letter in letters[0]
        )
    return AttributeSpec(long, short, "compound", **made)


def _table_specs(
    lines: list[str], fragments: dict[str, tuple[AttributeSpec, ...]]
) -> tuple[AttributeSpec, ...]:
    """Attributes of one block of the tables."""
    specs: list[AttributeSpec] = []
    for index, line in enumerate(lines):
        if line.startswith(" "):
            continue
        below = [after[4:] for after in takewhile(lambda x: x.startswith(" "), lines[index + 1 :])]
        for row in line.split(", "):
            if row in fragments:
                specs += fragments[row]
            else:
                specs.append(_row_spec(row, _table_specs(below, fragments)))
    return tuple(specs)


def _read_tables() -> dict[str, NodeType]:
    """Types of node_tables.txt, by name."""
    found: dict[str, NodeType] = {}
    fragments: dict[str, tuple[AttributeSpec, ...]] = {}
    for block in TABLES.read_text(encoding="utf-8").split("\n\n"):
        head, *lines = block.rstrip().split("\n")
        if head.startswith("#"):
            continue
        name, *rest = head.split()
        specs = _table_specs([line[4:] for line in lines], fragments)
        if name.startswith("@"):
            fragments[name] = specs
        else:
            base = found[rest[1]] if rest else None
            found[name] = _type(name, specs, base, complete="incomplete" not in rest)
    return found


ABSTRACT = ("node", "dagNode", "shape", "constraint", "animCurve", "animBlend")
TABLES = Path(__file__).with_name("node_tables.txt")
_READ = _read_tables()
NODE, SHAPE = _READ["node"], _READ["shape"]
TYPES = {name: kind for name, kind in _READ.items() if name not in ABSTRACT}
MATRIX_NODES = frozenset({"composeMatrix", "decomposeMatrix"})
"""Types of Maya's own plug-in matrixNodes: `requires -nodeType "decomposeMatrix" "matrixNodes"`."""
UTILITIES = MATRIX_NODES | {
    *("unitConversion", "multMatrix", "vectorProduct", "clamp", "condition"),
    *("multiplyDivide", "plusMinusAverage"),
}
"""Types that Maya may delete with their last input or output."""
REGISTERED: dict[str, NodeType] = {}
"""Types of plug-ins that are loaded."""
_OPAQUE: dict[tuple[str, bool], NodeType] = {}


def node_type(name: str) -> NodeType:
    """The type of that name; NotModelledError for one that is not in the table."""
    found = TYPES.get(name) or REGISTERED.get(name)
    if found is None:
        raise NotModelledError(f"node type {name} is not modelled")
    return found


def is_known_type(name: str) -> bool:
    """Whether there is a type of that name, one that only others are derived from included."""
    kinds = (*TYPES.values(), *REGISTERED.values(), *_OPAQUE.values())
    return name in ABSTRACT or any(kind.is_a(name) for kind in kinds)


def register_type(name: str, specs: tuple[AttributeSpec, ...]) -> None:
    """Make the type of a plug-in known."""
    REGISTERED[name] = _type(name, specs, NODE)


def opaque_type(name: str, dag: bool) -> NodeType:
    """The type of that name, or one of which only the name is known: for reading files."""
    if name in TYPES or name in REGISTERED:
        return node_type(name)
    if (name, dag) not in _OPAQUE:
        base = SHAPE if dag else NODE
        _OPAQUE[name, dag] = _type(name, (), base, complete=False, opaque=True)
    return _OPAQUE[name, dag]
