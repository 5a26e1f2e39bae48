"""The node types of the stand-in and their attributes.

Sources: maya.md 1.3 (joint), 1.4 (limits), 8 (animCurve); for the others Autodesk's node
reference ("Nodes" in the technical documentation) and the names that `.ma` files hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.maya_standin import node_tables as tables
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


NODE = _type("node", tables.NODE)
DAG_NODE = _type("dagNode", tables.DAG_NODE, NODE)
TRANSFORM = _type("transform", tables.TRANSFORM, DAG_NODE)
SHAPE = _type("shape", (), DAG_NODE)
CONSTRAINT = _type("constraint", (), TRANSFORM)
ANIM_CURVE = _type("animCurve", (), NODE)
BLEND = _type("animBlend", (), NODE)
OBJECT_SET = _type("objectSet", tables.OBJECT_SET, NODE)


def _all_types() -> dict[str, NodeType]:
    found = [TRANSFORM, OBJECT_SET]
    found.append(_type("joint", tables.JOINT, TRANSFORM))
    found += [_type(name, specs, NODE) for name, specs in tables.PLAIN_NODES.items()]
    found += [_type(name, specs, ANIM_CURVE) for name, specs in tables.anim_curves()]
    found += [_type(name, specs, BLEND) for name, specs in tables.anim_blends()]
    found += [_type(name, specs, CONSTRAINT, complete=False) for name, specs in tables.CONSTRAINTS]
    found += [_type(name, specs, TRANSFORM) for name, specs in tables.IK]
    found += [_type(name, specs, OBJECT_SET) for name, specs in tables.SETS]
    found += [_type(name, specs, SHAPE, complete=False) for name, specs in tables.SHAPES]
    return {node_type.name: node_type for node_type in found}


TYPES = _all_types()
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
