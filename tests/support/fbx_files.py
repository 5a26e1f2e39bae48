"""Small FBX files, binary and ASCII, from one tree of nodes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

TICKS_PER_SECOND = 46_186_158_000
MAGIC = b"Kaydara FBX Binary  \0\x1a\0"
CODES = {"float32": "f", "float64": "d", "int64": "l", "int32": "i"}
HIP, KNEE, STACK, LAYER = 10, 11, 20, 21


@dataclass
class Node:
    """A node of a file: whole numbers, floats, texts and arrays are values; bytes stay."""

    name: str
    values: Sequence[Any] = ()
    children: list[Node] = field(default_factory=list)


def binary(top: Sequence[Node], version: int = 7400, packed: bool = True) -> bytes:
    """Binary file of nodes."""
    data = bytearray(MAGIC + struct.pack("<I", version))
    wide = version >= 7500
    for node in top:
        _write(data, node, wide, packed)
    return bytes(data + bytes(25 if wide else 13) + b"the end")


def _write(data: bytearray, node: Node, wide: bool, packed: bool) -> None:
    values = b"".join(_value(value, packed) for value in node.values)
    name = node.name.encode()
    start, head = len(data), struct.Struct("<QQQB" if wide else "<IIIB")
    data += bytes(head.size) + name + values
    for child in node.children:
        _write(data, child, wide, packed)
    if node.children:
        data += bytes(head.size)
    head.pack_into(data, start, len(data), len(node.values), len(values), len(name))


def _value(value: Any, packed: bool) -> bytes:
    if isinstance(value, str):
        kind, mark, name = value.partition("::")
        text = (f"{name}\0\1{kind}" if mark else value).encode()
        return b"S" + struct.pack("<I", len(text)) + text
    if isinstance(value, np.ndarray):
        raw = value.tobytes()
        body = zlib.compress(raw) if packed else raw
        head = struct.pack("<III", value.size, int(packed), len(body))
        return CODES[value.dtype.name].encode() + head + body
    if isinstance(value, bytes):
        return value
    code = "<d" if isinstance(value, float) else "<q"
    return (b"D" if code == "<d" else b"L") + struct.pack(code, value)


def ascii_text(top: Sequence[Node], version: int = 7400) -> bytes:
    """ASCII file of nodes."""
    first = f"; FBX {version // 1000}.{version // 100 % 10}.0 project file\n"
    head = Node("FBXHeaderExtension", (), [Node("FBXVersion", (version,))])
    return (first + "".join(line for node in (head, *top) for line in _lines(node, ""))).encode()


def _lines(node: Node, indent: str) -> Iterator[str]:
    values = ", ".join(_word(value) for value in node.values)
    yield f"{indent}{node.name}: {values}{' {' if node.children else ''}\n"
    for child in node.children:
        yield from _lines(child, indent + "\t")
    if node.children:
        yield indent + "}\n"


def _word(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"*{value.size} {{\n a: {','.join(map(repr, value.tolist()))}\n}}"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def properties(**given: Any) -> Node:
    """Properties70; two underscores stand for a space."""
    rows = []
    for name, value in given.items():
        several = value if isinstance(value, tuple) else (value,)
        label = name.replace("__", " ").replace("_or_", "|")
        rows.append(Node("P", (label, "", "", "A", *several)))
    return Node("Properties70", (), rows)


def model(number: int, name: str, kind: str = "LimbNode", **given: Any) -> Node:
    """A model with properties."""
    return Node("Model", (number, f"Model::{name}", kind), [properties(**given)])


def link(source: int, target: int, name: str = "") -> Node:
    """A connection."""
    kind = ("OP",) if name else ("OO",)
    return Node("C", (*kind, source, target, *((name,) if name else ())))


def curve(number: int, seconds: Sequence[float], values: Sequence[float], flags: int = 4) -> Node:
    """A curve whose keys all have the same flags, and no tangents of their own."""
    times = np.round(np.asarray(seconds) * TICKS_PER_SECOND).astype(np.int64)
    parts = {
        "KeyTime": times,
        "KeyValueFloat": np.asarray(values, np.float32),
        "KeyAttrFlags": np.array([flags], np.int32),
        "KeyAttrDataFloat": np.zeros(4, np.float32),
        "KeyAttrRefCount": np.array([len(times)], np.int32),
    }
    children = [Node(name, (values,)) for name, values in parts.items()]
    return Node("AnimationCurve", (number, "AnimCurve::", ""), children)


def document(objects: Sequence[Node], connections: Sequence[Node], **settings: Any) -> list[Node]:
    """Sections of a file."""
    return [
        Node("GlobalSettings", (), [properties(**{"TimeMode": 6, **settings})]),
        Node("Objects", (), list(objects)),
        Node("Connections", (), list(connections)),
    ]


def leg(
    degrees: Sequence[float] = (0.0, 90.0), *, joints: Sequence[Node] = (), **settings: Any
) -> list[Node]:
    """A hip and a knee below it, which turns about Z in a second; further joints beside them."""
    turn, turned = 30, 31
    stack, layer = (STACK, "AnimStack::walk", ""), (LAYER, "AnimLayer::BaseLayer", "")
    seconds = np.linspace(0.0, 1.0, len(degrees)).tolist()
    objects = [
        model(HIP, "hip", Lcl__Translation=(0.0, 100.0, 0.0)),
        model(KNEE, "knee", Lcl__Translation=(0.0, -50.0, 0.0), **settings.pop("knee", {})),
        *joints,
        Node("AnimationStack", stack, [properties(LocalStart=0, LocalStop=TICKS_PER_SECOND)]),
        Node("AnimationLayer", layer, [properties(Weight=100.0)]),
        Node("AnimationCurveNode", (turn, "AnimCurveNode::R", ""), [properties(d_or_X=0.0)]),
        curve(turned, seconds, degrees),
    ]
    connections = [
        link(HIP, 0),
        link(KNEE, HIP),
        *(link(joint.values[0], HIP) for joint in joints),
        link(LAYER, STACK),
        link(turn, LAYER),
        link(turn, KNEE, "Lcl Rotation"),
        link(turned, turn, "d|Z"),
    ]
    return document(objects, connections, **settings)


def layered_leg(top: list[Node], layers: Sequence[tuple[int, float, float, int]]) -> list[Node]:
    """A leg with further layers, each with its mode, weight, angle of the knee and accumulation."""
    _, objects, connections = top
    for place, (mode, weight, angle, accumulation) in enumerate(layers):
        number = 60 + 10 * place
        given = {"BlendMode": mode, "Weight": weight, "RotationAccumulationMode": accumulation}
        objects.children += [
            Node("AnimationLayer", (number, "AnimLayer::more", ""), [properties(**given)]),
            Node("AnimationCurveNode", (number + 1, "AnimCurveNode::R", "")),
            curve(number + 2, [0.0, 1.0], [angle, angle]),
        ]
        connections.children += [
            link(number, STACK),
            link(number + 1, number),
            link(number + 1, KNEE, "Lcl Rotation"),
            link(number + 2, number + 1, "d|Z"),
        ]
    return top
