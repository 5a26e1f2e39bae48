"""Small FBX files of our own, which together have all that the reader knows, and real ones."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from jointlimits_core.io import DEFAULT_LIMITS
from tests.support.fbx_files import (
    HIP,
    KNEE,
    LAYER,
    TICKS,
    Node,
    ascii_text,
    binary,
    curve,
    joined,
    layered,
    leg,
    model,
    properties,
)

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
_MATRIX = np.eye(4).ravel()
_DAMAGED_MATRIX = np.zeros(4)
_KEY_FLAGS = (
    0x2, 0x102, 0x4, 0x8, 0x208, 0x408, 0x1008, 0x2008, 0x4008, 0x5008, 0x6108, 0x3000408,
)  # fmt: skip
"""Held, straight, by tension, stored, clamped, automatic, progressive, and weighted keys."""


def fbx_seeds() -> list[bytes]:
    """Binary files."""
    turned = {"PreRotation": (10.0, 20.0, 30.0), "PostRotation": (0.0, 40.0, 0.0)}
    own = leg(knee={**turned, "RotationActive": 1, "RotationOrder": 4})
    layers = layered(leg(), [(0, 50.0, 20.0, 0), (0, 30.0, 10.0, 1), (1, 25.0, 9.0, 0)])
    aimed = leg()
    aimed[1].children.append(Node("Constraint", (50, "Constraint::aim", "Aim")))
    aimed[2].children.append(joined(KNEE, 50, "Constrained Object"))
    real = sorted(SHARED.glob("fbx/maya_game_sausage_*_binary_spin.fbx"))
    made = [binary(top, packed=False) for top in (own, layers, aimed)]
    made += [binary(own, 7500, packed=False), binary(own)]
    made += [binary(top, version, packed=False) for version, top in _rare()]
    return [*made, *made, *(path.read_bytes() for path in real)]


def fbx_text_seeds() -> list[bytes]:
    """ASCII files."""
    own = ascii_text(leg(), 7400)
    return [own, own, *(path.read_bytes() for path in sorted(SHARED.glob("fbx/*ascii_spin.fbx")))]


def _rare() -> Iterator[tuple[int, list[Node]]]:
    """Versions, and what few files have."""
    yield 7700, _bound()
    yield 8000, [*_counted(127), *_bound()]
    yield 8000, [*_counted(0), *leg(CustomFrameRate=90.0, TimeMode=14)]
    yield 7400, leg(UnitScaleFactor=0.0, CoordAxis=2, FrontAxis=0, FrontAxisSign=-1, TimeMode=99)
    yield 7400, leg(UpAxis=2, FrontAxis=2, CustomFrameRate=-1.0)
    for flags in _KEY_FLAGS:
        yield 7400, _keyed(flags)
    yield 7400, _repeating("R", 2)
    yield 7400, _repeating("A", 1)
    yield 7400, _repeating("A", 1e30)
    yield 7400, _repeating("M", 0)
    yield 7400, _repeating("K", 3)
    yield 7400, _repeating("RR", 1)
    yield 7400, _repeating(82, 1)
    yield 7400, leg(UnitScaleFactor=1e7, CustomFrameRate=1e12, TimeMode=14)
    yield 7400, _odd_layers()
    yield 7400, _odd_objects()
    for part, values in _CURVES:
        yield 7400, _with_curve(part, values)
    yield 8000, [*_counted(0), *_with_curve("KeyTime", np.array([0, 2**62], np.int64))]
    yield 7400, _groups()
    yield 7400, _namesakes()
    for version, kind in (
        (6100, 4005),
        (5500, 4004),
        (4500, 4003),
        (6100, 0),
        (4500, 0),
        (5500, 0),
    ):
        yield version, _listed(version, kind)
    yield 6100, _listed(6100, 4003)
    yield 5500, _odd_flat()
    yield 5500, leg()
    yield 7400, _with_curve("KeyTime", np.array([0, 2**61], np.int64))
    yield 7400, _deep()
    for rate in ("fast", "1e12", "0"):
        top = _listed(6100, 4005)
        top[-1].children[0].children[0].values = (rate,)
        yield 6100, top


def _counted(definition: int) -> list[Node]:
    flags = Node("OtherFlags", (), [Node("TCDefinition", (definition,))])
    return [Node("FBXHeaderExtension", (), [flags])]


def _bound() -> list[Node]:
    """A leg with a skin, a bind pose, an attribute, limits, a weighted layer and templates."""
    limits = {"RotationMin": (-10.0, 0.0, -5.0), "RotationMax": (100.0, 0.0, 5.0)}
    active = {"RotationActive": 1, "RotationMinX": 1, "RotationMaxX": 1, "RotationMaxZ": 1}
    top = leg(knee={**limits, **active, "InheritType": 2})
    _, objects, connections = layered(top, [(2, 40.0, 20.0, 1)])
    cluster = Node("TransformLink", (_MATRIX,))
    member = [Node("Node", (KNEE,)), Node("Matrix", (_MATRIX,))]
    lost = [Node("Node", (999,)), Node("Matrix", (_DAMAGED_MATRIX,))]
    pose = [Node("Type", ("BindPose",)), Node("PoseNode", (), member), Node("PoseNode", (), lost)]
    objects.children += [
        model(12, "foot", "Null"),
        Node("NodeAttribute", (13, "NodeAttribute::", "LimbNode")),
        Node("Deformer", (70, "SubDeformer::", "Cluster"), [cluster]),
        Node("Pose", (71, "Pose::bind", "BindPose"), pose),
        Node("AnimationCurveNode", (80, "AnimCurveNode::Weight", ""), []),
        curve(81, [0.0, 1.0], [0.0, 100.0]),
        Node("AnimationCurveNode", (82, "AnimCurveNode::odd", "")),
    ]
    connections.children += [
        joined(12, KNEE),
        joined(13, 12),
        joined(KNEE, 70),
        joined(HIP, 70),
        joined(80, 60, "Weight"),
        joined(81, 80, "d|Weight"),
        Node("C", ("PO", 82, "Weight", 12)),
        Node("C", ("PO", 82, 12)),
        Node("C", ("XX", 80, 12)),
        Node("C", ("OO",)),
        Node("C", ("OO", 0.5, 0.5)),
        Node("C", ("OO", HIP, 0.5)),
    ]
    template = Node("PropertyTemplate", ("FbxNode",), [properties(RotationOrder=1)])
    opened = Node("Document", (1, "", "Scene"), [properties(ActiveAnimStackName="walk")])
    return [
        Node("Documents", (), [opened]),
        Node("Definitions", (), [Node("ObjectType", ("Model",), [template])]),
        *top,
    ]


def _keyed(flags: int) -> list[Node]:
    """A leg whose curve has keys of one kind, with weights and biases."""
    top = leg()
    numbers = np.array([3.0, 600.0, 0.0, 0.0], np.float32)
    numbers[2:3].view(np.uint32)[0] = 4000 << 16 | 2000
    node = curve(31, [0.0, 0.4, 1.0], [0.0, 90.0, 0.001], flags)
    for child in node.children:
        if child.name == "KeyAttrDataFloat":
            child.values = (numbers,)
    top[1].children[-1] = node
    return top


def _repeating(kind: str | int, times: float) -> list[Node]:
    """A leg whose curve goes on outside its keys, while the hip turns for longer."""
    top = leg()
    ends = [Node("Type", (kind,)), Node("Repetition", (times,))]
    top[1].children[-1].children += [
        Node("Pre-Extrapolation", (), ends),
        Node("Post-Extrapolation", (), ends),
    ]
    top[1].children += [
        Node("AnimationCurveNode", (40, "AnimCurveNode::R", "")),
        curve(41, [-2.0, 4.0], [0.0, 30.0]),
    ]
    top[2].children += [joined(40, LAYER), joined(40, HIP, "Lcl Rotation"), joined(41, 40, "d|X")]
    return top


_CURVES: tuple[tuple[str, object], ...] = (
    ("KeyTime", np.zeros(0, np.int64)),
    ("KeyTime", np.array([0], np.int64)),
    ("KeyTime", np.array([1e30, 2e30])),
    ("KeyValueFloat", np.array([np.nan, np.inf], np.float32)),
    ("KeyAttrDataFloat", np.array([0, 0, 0, 0], np.int32)),
    ("KeyAttrDataFloat", np.zeros(3, np.float32)),
    ("KeyAttrRefCount", np.array([-2], np.int32)),
    ("KeyAttrRefCount", np.array([7], np.int32)),
    ("KeyAttrRefCount", "two"),
    ("KeyValueFloat", b"f" + struct.pack("<III", 2, 1, 4) + b"zlib"),
    ("KeyValueFloat", b"f" + struct.pack("<III", 9, 0, 8) + bytes(8)),
    ("KeyValueFloat", b"f" + struct.pack("<III", 2, 2, 8) + bytes(8)),
)
"""Parts of a curve that contradict the others, or are damaged."""


def _with_curve(part: str, value: object) -> list[Node]:
    top = leg()
    for child in top[1].children[-1].children:
        if child.name == part:
            child.values = (value,)
    return top


def _odd_layers() -> list[Node]:
    """Layers that are mute, mixed, without an angle, and of translation and scale."""
    more = [(2, 50.0, 20.0, 0), (0, 50.0, 0.0, 0), (2, 50.0, 20.0, 1), (0, 50.0, 9.0, 0)]
    top = layered(leg(), more)
    _, objects, connections = top
    for place, node in enumerate(objects.children):
        if node.name == "AnimationLayer" and node.children:
            node.children[0].children.append(_property("ScaleAccumulationMode", place % 2))
    objects.children += [
        Node("AnimationLayer", (200, "AnimLayer::mute", ""), [properties(Mute=1)]),
        Node("AnimationCurveNode", (201, "AnimCurveNode::S", ""), [properties(d_or_X=2.0)]),
        Node("AnimationCurveNode", (202, "AnimCurveNode::T", "")),
        Node("AnimationCurveNode", (203, "AnimCurveNode::S", "")),
        Node("AnimationCurveNode", (204, "AnimCurveNode::Weight", "")),
        curve(205, [0.5], [30.0], 0x1008),
        *(
            Node("AnimationCurveNode", (number, "AnimCurveNode::S", ""), [properties(d_or_X=2.0)])
            for number in (206, 207, 208)
        ),
    ]
    connections.children += [
        joined(200, 20),
        joined(201, LAYER),
        joined(202, 60),
        joined(203, 60),
        joined(201, KNEE, "Lcl Scaling"),
        joined(202, KNEE, "Lcl Translation"),
        joined(203, KNEE, "Lcl Scaling"),
        joined(204, 70, "Weight"),
        joined(206, 60, "Mute"),
        *(joined(number, layer) for number, layer in ((207, LAYER), (208, 60))),
        *(joined(number, HIP, "Lcl Scaling") for number in (207, 208)),
        joined(203, 70),
        joined(205, 201, "d|X"),
        joined(205, 202, "d|X"),
        joined(205, 202, "d|Q"),
        joined(205, 203, "d|Y"),
    ]
    return top


def _odd_objects() -> list[Node]:
    """Poses, constraints and connections that mean nothing, and a joint without a name."""
    nameless = model(12, "", RotationActive=1, RotationMinX=1, RotationMin=(np.nan, 0.0, 0.0))
    top = leg(joints=[nameless, model(13, "group", "Null"), model(14, "tip")])
    _, objects, connections = top
    member = Node("PoseNode", (), [Node("Node", (KNEE,)), Node("Matrix", (_DAMAGED_MATRIX,))])
    whole = Node("PoseNode", (), [Node("Node", (KNEE,)), Node("Matrix", (_MATRIX,))])
    flat = Node("PoseNode", (), [Node("Node", (HIP,)), Node("Matrix", (np.zeros(16),))])
    empty = Node("PoseNode", (), [Node("Node"), Node("Matrix", ("one", 1.0, 2.0))])
    objects.children += [
        Node("Pose", (71, "Pose::rest", "RestPose"), [Node("Type", ("RestPose",)), member]),
        Node("Pose", (72, "Pose::bind", "BindPose"), [member, whole, whole, empty, flat]),
        Node("Deformer", (73, "SubDeformer::", "Cluster"), [Node("TransformLink", (1.0, "two"))]),
        Node("Constraint", (50, "Constraint::aim", "Aim")),
        Node("Constraint", (51, "Constraint::place", "Position From Positions")),
        Node("Material", (52, "Material::skin", "")),
        Node("AnimationStack", (53, "AnimStack::other", ""), [Node("LocalTime", (0,))]),
        Node("AnimationStack", (54, "AnimStack::float", ""), [Node("LocalTime", (0.0, 1.0))]),
        Node("AnimationStack", (55, "AnimStack::int", ""), [Node("LocalTime", (0, 1.0))]),
        Node("Model"),
        Node("Model", (0.5, "Model::float", "LimbNode")),
        Node("Model", (15, "no mark", "LimbNode")),
    ]
    connections.children += [
        joined(14, 13),
        joined(13, KNEE),
        joined(12, 12),
        joined(15, 15),
        joined(KNEE, 73),
        joined(12, 50, "Constrained Object"),
        joined(12, 51, "Constrained Object"),
        joined(12, 52, "Constrained Object"),
        joined(12, 14, "Constrained Object"),
        joined(50, 51, "Constrained Object"),
        joined(12, 999, "Constrained Object"),
        joined(30, 52, "Lcl Rotation"),
        joined(31, 52, "d|Y"),
    ]
    return [Node("Documents", (), [Node("Document", (1, "", "Scene"))]), *top]


def _odd_flat() -> list[Node]:
    """Models without a name or a type, and children and channels of nobody."""
    top = _listed(5500, 4004)
    below = Node("Children", ("Model::knee", "Model::nobody", 0.5))
    rows = [Node("Children", [1, 2.0] * 40 + [3]), Node("Children", [*range(20), 1.0] * 4)]
    takes = [Node("Model"), Node("Model", (0.5,)), Node("Model", ("Model::nobody",))]
    top[-1].children[0].children += takes
    return [
        Node("Model"),
        Node("Model", (0.5,)),
        Node("Model", ("Model::hip",), [below, *rows]),
        *top,
    ]


def _groups() -> list[Node]:
    """Two groups that turn, and no joints."""
    top = leg()
    for node in top[1].children[:2]:
        node.values = (*node.values[:2], "Null")
    top[1].children += [
        model(15, "mesh", "Mesh"),
        Node("AnimationCurveNode", (45, "AnimCurveNode::R", "")),
    ]
    top[2].children += [joined(15, 0), joined(HIP, 15), joined(45, LAYER)]
    top[2].children += [joined(45, 15, "Lcl Rotation"), joined(31, 45, "d|Z")]
    return top


def _namesakes() -> list[Node]:
    """Joints with a name each two have, a loop of parents, and a mesh between joints."""
    joints = [model(100 + place, f"toe{place // 2}") for place in range(12)]
    top = leg(joints=joints)
    top[1].children += [model(120, "mesh", "Mesh"), model(121, "tip"), model(122, "a" * 200)]
    for number, name in ((123, b"caf\xe9"), (124, b"one\ntwo"), (125, b"a" * 200)):
        text = b"S" + struct.pack("<I", len(name) + 7) + name + b"\0\1Model"
        top[1].children.append(Node("Model", (number, text, "LimbNode")))
    plain = b"S" + struct.pack("<I", 12) + b"Model::plain"
    top[1].children.append(Node("Model", (126, plain, "LimbNode")))
    top[2].children += [joined(120, KNEE), joined(121, 120), joined(121, 121)]
    return top


def _listed(version: int, kind: int) -> list[Node]:
    """A leg as files before version 7000 have it; before 6000 without objects."""
    rows = _listed_keys(kind)
    turning = [
        Node("Channel", (axis,), [Node("Default", (5.0,)), *_listed_curve(kind, keys)])
        for axis, keys in (("X", rows), ("Y", rows[:1] * 30), ("Z", ()))
    ]
    channels = [Node("Channel", ("R",), turning), Node("Channel", ("V",))]
    whole = Node("Channel", ("Transform",), channels)
    span = Node("LocalTime", (0, TICKS))
    takes = [Node("Take", ("walk",), [span, Node("Model", ("Model::knee",), [whole])])]
    rate = Node("Settings", (), [Node("FrameRate", ("25",))])
    if version >= 6000:
        models = [Node("Model", (f"Model::{name}", "LimbNode")) for name in ("hip", "knee")]
        models += [
            Node("Model", ("Model::end", "Null")),
            Node("NodeAttribute", ("end", "LimbNode")),
        ]
        return [
            Node("Objects", (), models),
            Node(
                "Connections",
                (),
                [
                    Node("Connect", ("OO", "Model::knee", "Model::hip")),
                    Node("Connect", ("OO", "Model::end", "Model::knee")),
                    Node("Connect", ("OO", "end", "Model::end")),
                ],
            ),
            Node("Takes", (), [Node("Current", ("walk",)), *takes]),
            Node("Version5", (), [rate]),
        ]
    limb = Node("Type", ("LimbNode",))
    flat = [
        Node("Model", ("Model::hip",), [limb, Node("Children", ("Model::knee",))]),
        Node("Model", ("Model::knee",), [limb, whole]),
    ]
    return [*flat, rate, *([Node("Takes", (), takes)] if version >= 5000 else [])]


def _listed_curve(kind: int, rows: Sequence[Sequence[bytes | float]]) -> list[Node]:
    if not rows:
        return []
    keys: list[bytes | float] = []
    for place, row in enumerate(rows):
        keys += [place * TICKS // 10, 9.0 * place, *row]
    version = [Node("KeyVer", (kind,))] if kind else []
    return [*version, Node("KeyCount", (len(rows),)), Node("Key", keys)]


def _listed_keys(kind: int) -> list[tuple[bytes | float, ...]]:
    """A key of each kind that a form of lists has: what follows its time and value."""
    if kind == 4003:
        return [(b"CL",), (b"CC",), (b"CU", b"Cs", 1.0, 2.0), (b"CU", b"Ca")]
    newer = () if kind == 4004 else (b"Cc",)
    return [
        (b"CL",),
        (b"CC", b"Cs"),
        (b"CC", b"Cn"),
        (b"CU", b"Cs", 1.0, 2.0, b"Cn"),
        (b"CU", b"Cb", 1.0, 2.0, b"Ca", 0.2, 0.3),
        (b"CU", b"Ca", *newer),
        (b"CU", b"Cp", 1.0, 2.0, b"Cl", 0.2, *newer),
        (b"CU", b"Cq", 1.0, 2.0, b"Cr", 0.2, *newer),
        (b"CU", b"Ct", 1.0, 2.0, 3.0),
        (b"CU", b"Cd", 1.0, b"Cn"),
    ]


def _deep() -> list[Node]:
    """More joints below each other than are read."""
    top = leg()
    chain = range(1000, 1002 + DEFAULT_LIMITS.max_depth)
    top[1].children += [Node("Model", (number, "", "LimbNode")) for number in chain]
    top[2].children += [joined(number, number - 1) for number in chain[1:]]
    return top


def _property(name: str, value: int) -> Node:
    return properties(**{name: value}).children[0]
