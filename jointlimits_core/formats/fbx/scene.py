"""Objects of an FBX document and how they are connected: models, stacks, layers, curves, poses.

Since version 7000, objects have numbers, and each connection names two of these. In older files,
both use names, and animation is in takes instead of stacks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Union

import numpy as np

from ...geometry.arrays import Floats
from ...rig.matrices import stored_matrix
from .nodes import FbxDocument, FbxNode, Properties, Value, number_of, vector_of

Identity = Union[int, str]
TRANSLATION, ROTATION, SCALING = "Lcl Translation", "Lcl Rotation", "Lcl Scaling"
JOINT_KINDS = frozenset(["LimbNode", "Limb", "Root"])
"""Kinds of models, and of model attributes, that make a model a joint."""
_MIN_OBJECTS_VERSION = 6000
"""First version in which models are objects; in older files, models name their children."""
TICKS_PER_SECOND, TICKS_SINCE_8000 = 46_186_158_000, 141_120_000
_OLD_TICKS = 127
"""Value of TCDefinition in files that count time the way files before version 8000 do."""
_NTSC_FPS = 30000.0 / 1001.0
FRAMES_PER_SECOND = (
    *(30.0, 120.0, 100.0, 60.0, 50.0, 48.0, 30.0, 30.0, _NTSC_FPS, _NTSC_FPS, 25.0, 24.0),
    *(1000.0, 24000.0 / 1001.0, 0.0, 96.0, 72.0, 2.0 * _NTSC_FPS),
)
"""Frames per second by TimeMode; 0 if CustomFrameRate states the rate."""
FILM_FPS = 24.0
MAX_FPS = 10_000.0
"""Largest plausible CustomFrameRate."""


@dataclass(eq=False)
class FbxModel:
    """A node of the scene: a joint, a group, a mesh."""

    name: str
    kind: str
    properties: Properties
    defaults: Properties
    children: list[FbxModel] = field(default_factory=list)
    parent: FbxModel | None = None
    bind: Floats | None = None
    """World matrix in the bind pose, (4, 4), column vectors, in units of the file."""
    skin_bind: Floats | None = None
    """World matrix in the bind pose, as a skin stores it."""
    constraint: tuple[str, str] | None = None
    """Name and kind of the constraint that turns the model; None if there is none."""
    followed: list[FbxModel] = field(default_factory=list)
    """Models that this constraint follows."""

    def __post_init__(self) -> None:
        self.is_joint = self.kind in JOINT_KINDS

    def values(self, name: str) -> Sequence[Value] | None:
        """Values of a property; those of the template if the model has none."""
        return self.properties.get(name) or self.defaults.get(name)

    def control(self, keyed: Container[FbxModel]) -> str:
        """Name of the model other than a joint that constraints make this one follow; "" if none.

        `keyed`: models whose rotation has curves; the search stops at these.
        """
        todo, seen = [*self.followed], {self}
        for one in todo:  # this list grows in the loop
            if not (one.constraint or one.is_joint):
                return one.name
            todo += [] if one in seen or one in keyed else one.followed
            seen.add(one)
        return ""

    def number(self, name: str, default: float = 0.0) -> float:
        """First value of a property."""
        return number_of(self.values(name), default)

    def vector(self, name: str, default: float = 0.0) -> Floats:
        """First three values of a property, shape (3,)."""
        return vector_of(self.values(name), default)


@dataclass(eq=False)
class Channels:
    """Curves of one property in one layer."""

    defaults: Properties = field(default_factory=dict)
    curves: dict[str, FbxNode] = field(default_factory=dict)
    """Curves by component: "X", "Y", "Z", or "Weight" for a layer."""


@dataclass(eq=False)
class FbxLayer:
    """A layer. `channels`: by model and property (``Lcl Rotation``, ...); `weight`: its curve."""

    properties: Properties = field(default_factory=dict)
    channels: dict[tuple[FbxModel, str], Channels] = field(default_factory=dict)
    weight: Channels | None = None

    def number(self, name: str, default: float) -> float:
        """Value of a property."""
        return number_of(self.properties.get(name), default)


@dataclass(eq=False)
class FbxStack:
    """A stack or take: one clip, with its layers from the base up."""

    name: str
    layers: list[FbxLayer]
    span: tuple[int, int] | None = None
    """First and last tick; None if not stated."""

    @cached_property
    def turning(self) -> frozenset[FbxModel]:
        """Models whose rotation has curves."""
        channels = (item for layer in self.layers for item in layer.channels.items())
        return frozenset(
            model for (model, name), one in channels if name == ROTATION and one.curves
        )


@dataclass(eq=False)
class FbxScene:
    """Models, parents before children, and the animation."""

    document: FbxDocument
    models: list[FbxModel]
    stacks: list[FbxStack]
    current: str
    """Name of the stack that was open when the file was saved; may be empty."""
    time_warps: Sequence[str] = ()
    """Names of curve nodes that warp time."""

    @cached_property
    def settings(self) -> Properties:
        """Properties of the whole scene."""
        section = self.document.section
        return (
            section("GlobalSettings").properties or section("Objects", "GlobalSettings").properties
        )

    def setting(self, name: str, default: float) -> float:
        """Setting with that name, as a number."""
        return number_of(self.settings.get(name), default)

    @property
    def ticks_per_second(self) -> int:
        """Number of ticks, the unit of key times, per second."""
        counted = self.document.section("FBXHeaderExtension", "OtherFlags")
        old = counted.child_int("TCDefinition", _OLD_TICKS) == _OLD_TICKS
        return TICKS_PER_SECOND if old or self.document.version < 8000 else TICKS_SINCE_8000

    @property
    def frame_rate(self) -> float:
        """Frames per second."""
        custom = self.setting("CustomFrameRate", FILM_FPS)
        custom = custom if 0.0 < custom <= MAX_FPS else FILM_FPS
        if "TimeMode" not in self.settings:
            return self._old_rate or custom
        mode = int(self.setting("TimeMode", 0.0))
        rate = FRAMES_PER_SECOND[mode] if 0 <= mode < len(FRAMES_PER_SECOND) else 0.0
        return rate or custom

    @property
    def _old_rate(self) -> float:
        """Frames per second, as files up to version 6 state them."""
        places = (("Version5", "Settings"), ("Settings",))
        found = (self.document.section(*names).child_value("FrameRate") for names in places)
        stated = next((value for value in found if value is not None), None)
        try:
            rate = float(stated) if isinstance(stated, (str, int, float)) else 0.0
        except ValueError:
            return 0.0
        return rate if 0.0 < rate <= MAX_FPS else 0.0

    @property
    def centimeters(self) -> float:
        """Centimetres per unit of length."""
        unit = self.setting("UnitScaleFactor", 1.0)
        return unit if 1e-6 <= unit <= 1e6 else 1.0

    def axes(self) -> Floats:
        """Rotation from the file's axes to X right, Y up, Z towards the viewer, shape (3, 3)."""
        found = np.zeros((3, 3))
        for row, (name, axis) in enumerate((("Coord", 0), ("Up", 1), ("Front", 2))):
            column = int(self.setting(f"{name}Axis", axis))
            sign = self.setting(f"{name}AxisSign", 1.0)
            if 0 <= column < 3:
                found[row, column] = -1.0 if sign < 0.0 else 1.0
        if abs(np.linalg.det(found) - 1.0) < 1e-9:
            return found
        # Mirrored or contradictory axes: only the up axis is used.
        up = int(self.setting("UpAxis", 1.0))
        return {0: _X_UP, 2: _Z_UP}.get(up, np.eye(3))


_WARP = re.compile(r"K?(FCurve)?TimeWarp")
_CONSTRAINED = ("constrained object", "first joint")
"""Beginnings of the names of properties that connect a constraint to its target."""
_FOLLOWED = ("source", "aim at object", "effector")
"""First words of the properties that connect a constraint to the models that it follows."""
_X_UP = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
_Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def kind_and_name(text: str) -> tuple[str, str]:
    """Kind and name of an object: "Model::hip" in ASCII files, name first in binary files."""
    if "\0\1" in text:
        name, _, kind = text.partition("\0\1")
        return kind, name
    kind, separator, name = text.partition("::")
    return (kind, name) if separator else ("", text)


def identity_of(value: Value | None) -> Identity | None:
    """Identity of an object: its number, or its kind and name, written as in ASCII files."""
    if isinstance(value, str):
        return "::".join(kind_and_name(value))
    return value if isinstance(value, int) else None


def read_scene(document: FbxDocument) -> FbxScene:
    """Build the scene that a document describes."""
    builder = _Builder(document)
    if 0 < document.version < _MIN_OBJECTS_VERSION and not builder.models:
        builder.add_flat_models()
    else:
        builder.connect()
    return builder.scene()


class _Builder:
    def __init__(self, document: FbxDocument) -> None:
        self._document = document
        kinds = document.section("Definitions").children_named("ObjectType")
        templates = (kind.first("PropertyTemplate") for kind in kinds if kind.text(0) == "Model")
        self._defaults = next((one.properties for one in templates if one is not None), {})
        self.nodes: dict[Identity, FbxNode] = {}
        self.models: dict[Identity, FbxModel] = {}
        self.layers: dict[Identity, FbxLayer] = {}
        self.stacks: dict[Identity, FbxStack] = {}
        self.channels: dict[Identity, Channels] = {}
        self._followed: defaultdict[Identity, list[FbxModel]] = defaultdict(list)
        self._layer_of: dict[Identity, FbxLayer] = {}
        self._property_of: dict[Identity, tuple[Identity, str]] = {}
        for node in document.section("Objects").children:
            self._add_object(node)

    def _add_object(self, node: FbxNode) -> None:
        identity = identity_of(node.values[0]) if node.values else None
        if identity is None or identity in self.nodes:
            return
        self.nodes[identity] = node
        named = 0 if isinstance(identity, str) else 1
        name = kind_and_name(node.text(named))[1]
        kind = node.text(named + 1)
        if node.name == "Model":
            self.models[identity] = FbxModel(name, kind, node.properties, self._defaults)
        elif node.name == "AnimationLayer":
            self.layers[identity] = FbxLayer(node.properties)
        elif node.name == "AnimationStack":
            self.stacks[identity] = FbxStack(name, [], _span(node))
        elif node.name == "AnimationCurveNode":
            self.channels[identity] = Channels(node.properties)

    def add_flat_models(self) -> None:
        """Add the models of an old file, which has neither objects nor connections."""
        for node in self._document.top.children_named("Model"):
            identity = identity_of(node.values[0]) if node.values else None
            if identity is not None and identity not in self.models:
                kind = str(node.child_value("Type") or "")
                model = FbxModel(kind_and_name(node.text(0))[1], kind, {}, {})
                self.models[identity], self.nodes[identity] = model, node
        for identity, node in self.nodes.items():
            below = node.first("Children")
            for child in map(identity_of, [] if below is None else below.values):
                if child in self.models:
                    self._connect_model(child, identity)

    def connect(self) -> None:
        """Connect objects with their parents, layers and curves."""
        for source, target, name in self._connections():
            node = self.nodes.get(source)
            if node is None:
                continue
            if name.lower().startswith(_CONSTRAINED):
                self._constrain(source, target)
            elif name.lower().startswith(_FOLLOWED) and source in self.models:
                self._followed[target].append(self.models[source])
            elif source in self.models:
                self._connect_model(source, target)
            elif source in self.layers and target in self.stacks:
                self.stacks[target].layers.append(self.layers[source])
            elif source in self.channels:
                if target in self.layers and not name:
                    self._layer_of[source] = self.layers[target]
                elif name:
                    self._property_of[source] = (target, name)
            elif node.name == "AnimationCurve" and target in self.channels:
                self.channels[target].curves.setdefault(name.rpartition("|")[2], node)
            elif node.name == "NodeAttribute" and target in self.models:
                kind = node.text(2) if not isinstance(source, str) else node.text(1)
                self.models[target].is_joint |= kind in JOINT_KINDS
        # Assign the channels to their layers, by model and property.
        for identity, channels in self.channels.items():
            target, name = self._property_of.get(identity, ("", ""))
            layer = self._layer_of.get(identity)
            if target in self.layers and name == "Weight":
                self.layers[target].weight = channels
            elif target in self.models and layer is not None:
                layer.channels.setdefault((self.models[target], name), channels)
        for node in self.nodes.values():
            is_bind = node.name == "Pose" and node.child_value("Type") in ("BindPose", None)
            for member in node.children_named("PoseNode") if is_bind else ():
                model = self.models.get(identity_of(member.child_value("Node")) or "")
                if model is not None and model.bind is None:
                    model.bind = _matrix(member, "Matrix")

    def _connections(self) -> Iterator[tuple[Identity, Identity, str]]:
        """Source, target and property of every connection to an object or to a property."""
        for node in self._document.section("Connections").children_named("C", "Connect"):
            if len(node.values) < 3 or node.values[0] not in ("OO", "OP", "PO"):
                continue
            is_swapped = node.values[0] == "PO" and len(node.values) > 3
            other, name = (3, 2) if is_swapped else (2, 3)
            source, target = identity_of(node.values[1]), identity_of(node.values[other])
            if source is not None and target is not None:
                yield source, target, node.text(name)

    def _constrain(self, *ends: Identity) -> None:
        """Record that a constraint turns a model; files may name either one first."""
        models = [self.models[end] for end in ends if end in self.models]
        others = [end for end in ends if end in self.nodes and end not in self.models]
        if len(models) == 1 == len(others) and self.nodes[others[0]].name == "Constraint":
            values = map(str, self.nodes[others[0]].values[:3])
            *_, name, kind = (kind_and_name(value)[1] for value in values)
            if kind not in ("Position From Positions", "Scale From Scales"):
                models[0].constraint, models[0].followed = (name, kind), self._followed[others[0]]

    def _connect_model(self, source: Identity, target: Identity) -> None:
        model, above = self.models[source], self.models.get(target)
        if above is not None and model.parent is None and above is not model:
            model.parent = above
            above.children.append(model)
        node = self.nodes.get(target)
        if node is not None and node.name == "Deformer":
            model.is_joint = True
            if model.skin_bind is None:
                model.skin_bind = _matrix(node, "TransformLink")

    def scene(self) -> FbxScene:
        """The scene; if it has no stacks, its takes become stacks."""
        document = self._document
        takes = document.section("Takes").children_named("Take")
        stacks = list(self.stacks.values()) or [_stack_of_take(node, self.models) for node in takes]
        if not stacks and 0 < document.version < _MIN_OBJECTS_VERSION:
            # Such old files may have animation outside takes.
            stacks = [_stack_of_take(document.top, self.models)]
        documents = document.section("Documents").children_named("Document")
        opened = (node.properties.get("ActiveAnimStackName") for node in documents)
        current = next((values[0] for values in opened if values), None)
        current = current or document.section("Takes").child_value("Current")
        nodes = [(key, kind_and_name(self.nodes[key].text(1))[1]) for key in self.channels]
        warps = [name for key, name in nodes if _WARP.match(name) and self.channels[key].curves]
        return FbxScene(document, list(self.models.values()), stacks, str(current or ""), warps)


def _matrix(node: FbxNode, name: str) -> Floats | None:
    """Matrix of a child for column vectors, shape (4, 4); None if it is not a matrix."""
    numbers = np.asarray(node.child_numbers(name), np.float64)
    return stored_matrix(numbers) if len(numbers) == 16 and np.isfinite(numbers).all() else None


def _span(node: FbxNode) -> tuple[int, int] | None:
    """First and last tick of a stack or take; None if not stated."""
    start, stop = ((node.properties.get(name) or [0])[0] for name in ("LocalStart", "LocalStop"))
    local = node.first("LocalTime")
    if local is not None and len(local.values) > 1:
        start, stop = local.values[:2]
    whole = isinstance(start, int) and isinstance(stop, int) and start < stop
    return (start, stop) if whole else None  # type: ignore[return-value]


_OLD_CHANNELS = {"T": TRANSLATION, "R": ROTATION, "S": SCALING}


def _stack_of_take(take: FbxNode, models: dict[Identity, FbxModel]) -> FbxStack:
    """Read a file older than version 7000 as a stack with one layer."""
    layer = FbxLayer()
    for node in take.children_named("Model"):
        model = models.get(identity_of(node.values[0]) or "") if node.values else None
        channels = (one for one in node.children_named("Channel") if one.text(0) == "Transform")
        for part in (part for one in channels for part in one.children_named("Channel")):
            name = _OLD_CHANNELS.get(part.text(0))
            if model is None or name is None or (model, name) in layer.channels:
                continue
            defaults: dict[str, list[Value]] = {}
            found = layer.channels[model, name] = Channels(defaults)
            for component in part.children_named("Channel"):
                axis, default = component.text(0), component.child_value("Default")
                if default is not None:
                    defaults[f"d|{axis}"] = [default]
                if component.first("Key") is not None:
                    found.curves.setdefault(axis, component)
    return FbxStack(take.text(0), [layer], _span(take))
