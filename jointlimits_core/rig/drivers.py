"""Drivers of a channel, followed upstream as far as they can be resolved exactly.

A channel becomes a :class:`Signal` that can be evaluated at any time, or an
:class:`UnresolvedDriverError` that names the node where resolution ends. Curves over time, unit
conversions, pair blends of Euler angles, additive animation layers, character sets and channels of
other transforms are resolved. Driven keys, constraints, expressions and solvers are not: their
results depend on more than the time, so such joints need to be baked in Maya first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, Union

import numpy as np

from ..geometry import arrays, euler
from . import attributes, curves, key_frames, matrices
from .scene import MISSING, Node, Plug, Scene, unit_factor

MOVERS = frozenset({"expression", "time", "ikHandle", "ikEffector", "reference", MISSING})
"""Types of nodes whose results may change with time even without connections."""
OFFSET = "offsetParentMatrix"
_WORLD = re.compile(r"(world|worldInverse|parent|parentInverse|w|wi|p|pi)[Mm](atrix)?(\[|\Z)")
_ONLY_MOVES = re.compile(r"(inputTranslate|it|inputScale|is|inputShear|ish)([XYZxyz]|\Z)")
MAX_VISITS = 1_000_000
"""Largest number of plugs that all searches for movers visit in total."""
MAX_CHAIN = 100
"""Longest chain of nodes that is followed; loops and hostile chains end here."""
ROUNDING_RAD = 1e-9
"""A key at most this far outside a limit counts as inside."""
PROJECTION_PARTS = "jointLimitParts"
"""Attribute on the node that drives a joint, if plain nodes keep the joint inside a shape."""


class Constant(NamedTuple):
    """A value that does not change."""

    value: float


class TimeCurve(Protocol):
    """Curve over time, from a scene file or an open scene."""

    @property
    def times(self) -> arrays.Floats:
        """Times of the keys in seconds, increasing."""

    @property
    def out_types(self) -> arrays.Integers:
        """Outgoing tangent type of every key, by its code in scene files."""

    @property
    def pre(self) -> int:
        """Infinity type before the first key, by its code in scene files."""

    @property
    def post(self) -> int:
        """Infinity type after the last key."""

    def evaluate(self, seconds: arrays.Floats) -> arrays.Floats:
        """Values in internal units."""


class Keyed(NamedTuple):
    """The value of a curve over time."""

    curve: TimeCurve
    node: Node


class Sum(NamedTuple):
    """A sum of products, ``sum(weight * signal)``."""

    terms: tuple[tuple[Signal, Signal], ...]


Signal = Union[Constant, Keyed, Sum]


class UnresolvedDriverError(Exception):
    """Error that names a node whose result cannot be computed exactly.

    `reason`: completes the sentence "rotateX is driven by NODE (TYPE), ..."; `value`: the value
    that the file stores at the driver, if any.
    """

    def __init__(self, node: Node, reason: str, value: float | None = None) -> None:
        self.node, self.reason, self.value = node, reason, value
        super().__init__(f"{node.name} ({node.node_type}), {reason}")


def weighted_sum(*terms: tuple[Signal, Signal]) -> Signal:
    """Sum of products, with the constant part already computed."""
    varying: list[tuple[Signal, Signal]] = []
    constant = 0.0
    for weight, signal in terms:
        if isinstance(weight, Constant) and isinstance(signal, Constant):
            constant += weight.value * signal.value
        elif not (_is(weight, 0.0) or _is(signal, 0.0)):
            varying.append((weight, signal))
    if not varying:
        return Constant(constant)
    if constant:
        varying.append((Constant(1.0), Constant(constant)))
    if len(varying) == 1:
        (weight, signal) = varying[0]
        if _is(weight, 1.0):
            return signal
        if _is(signal, 1.0):
            return weight
    return Sum(tuple(varying))


def _is(signal: Signal, value: float) -> bool:
    return isinstance(signal, Constant) and signal.value == value


def curves_of(signals: Sequence[Signal]) -> list[Keyed]:
    """All curves that signals depend on, each once."""
    found: dict[int, Keyed] = {}
    seen: set[int] = set()
    todo = list(signals)
    while todo:
        signal = todo.pop()
        if id(signal) in seen:
            continue
        seen.add(id(signal))
        if isinstance(signal, Keyed):
            found[id(signal)] = signal
        elif isinstance(signal, Sum):
            todo.extend(part for term in signal.terms for part in term)
    return list(found.values())


class Evaluator:
    """Values of signals at times, shape (times,); shared signals are computed once.

    `times`: seconds, or frames if there is a `frame_rate`; then a key within 0.01 frames of a frame
    counts as being on that frame.
    """

    def __init__(self, times: arrays.Floats, frame_rate: float | None = None) -> None:
        self.times, self.frame_rate = times, frame_rate
        self._known: dict[int, tuple[Signal, arrays.Floats]] = {}

    def __call__(self, signal: Signal) -> arrays.Floats:
        """Values, shape (times,)."""
        if isinstance(signal, Constant):
            return np.full(len(self.times), signal.value)
        if id(signal) not in self._known:
            if isinstance(signal, Keyed):
                seconds, rate = self.times, self.frame_rate
                if rate is not None:
                    seconds = key_frames.at_own_keys(seconds, signal.curve.times * rate) / rate
                values = signal.curve.evaluate(seconds)
            else:
                # Recursion is as deep as the chain that was followed, at most MAX_CHAIN.
                products = [self(weight) * self(part) for weight, part in signal.terms]
                values = np.sum(products, axis=0)
            # The signal is kept with its values: an id is only unique while its object lives.
            self._known[id(signal)] = (signal, values)
        return self._known[id(signal)][1]


class Drivers:
    """Drivers of the channels in a scene, followed upstream."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.doubled: dict[Node, arrays.Floats] = {}
        """Curves with several keys at one time, and these times in seconds."""
        self._known: dict[Plug, Signal | UnresolvedDriverError] = {}
        self._open: set[Plug] = set()
        self._still: set[Plug] = set()
        self._visits = 0
        self._soloed = any(
            node.node_type == "animLayer" and bool(node.number("solo")) for node in scene.nodes
        )

    def channel(self, node: Node, attribute: str, default: float = 0.0) -> Signal:
        """Driver of an attribute, or the attribute's own value in internal units if undriven.

        `attribute`: long name. `default`: value if none is set. Raises UnresolvedDriverError.
        """
        key = (node, attribute)
        source = self.scene.sources.get(key)
        if source is None:
            return Constant(node.number(attribute, default))
        if key not in self._known:
            if key in self._open or len(self._open) >= MAX_CHAIN:
                why = "which is part of a loop or a very long chain"
                self._known[key] = UnresolvedDriverError(source[0], why)
            else:
                self._open.add(key)
                try:
                    self._known[key] = self._output(*source)
                except UnresolvedDriverError as unresolved:
                    self._known[key] = unresolved
                finally:
                    self._open.discard(key)
        known = self._known[key]
        if isinstance(known, UnresolvedDriverError):
            raise known
        return known

    def may_move(self, start: Plug) -> bool:
        """Whether a plug changes with time, or, for a matrix, whether its rotation does.

        Also true if this is unknown, or would take more than :data:`MAX_VISITS` steps to find out.
        """
        seen: set[Plug] = set()
        todo = [start]
        while todo:
            plug = todo.pop()
            if plug in seen or plug in self._still:
                continue
            seen.add(plug)
            node = plug[0]
            if node.node_type in curves.TIME_CURVES:
                curve, _ = curves.curve_from_node(node)
                values = curve.evaluate(curves.with_thirds(curve.times))
                is_mover = len(values) > 0 and bool(np.ptp(values) > 0.0)
            else:
                is_mover = node.node_type in MOVERS or node.node_type.startswith("HIK")
                is_mover = is_mover or node in self._ik_handles
                inputs = self.inputs_of(node)
                todo += [source for name, source in inputs if _affects(plug, name)]
                if _WORLD.match(plug[1]):
                    todo += [(above, "matrix") for above in node.ancestors()]
            if is_mover or len(seen) + self._visits > MAX_VISITS:
                self._visits += len(seen)
                return True
        self._still |= seen
        return False

    @cached_property
    def _ik_handles(self) -> dict[Node, Node]:
        return inverse_kinematics_joints(self.scene, self)

    def inputs_of(self, node: Node) -> Sequence[tuple[str, Plug]]:
        """Driven attributes of a node, including unknown attributes, with their sources."""
        return self._inputs.get(node, ())

    @cached_property
    def _inputs(self) -> dict[Node, list[tuple[str, Plug]]]:
        inputs: dict[Node, list[tuple[str, Plug]]] = {}
        for (node, name), source in self.scene.sources.items():
            inputs.setdefault(node, []).append((name, source))
        for node, plugs in self.scene.unread.items():
            for name, plug in plugs.items():
                path, attribute = attributes.split_plug(plug)
                found = self.scene.find(path)
                if found is not None:
                    source = (found, found.plug_name(attribute) or attribute)
                    inputs.setdefault(node, []).append((name, source))
        return inputs

    def time_warp(self) -> Keyed | UnresolvedDriverError | None:
        """Time warp of the scene: its curve, or why it cannot be evaluated; None if it is off."""
        # live check: scene-time-warp
        time = self.scene.find("time1")
        if time is None or time.node_type != "time":
            return None
        switch = self.scene.sources.get((time, "enableTimewarp"))
        if switch is not None and self.may_move(switch):
            return UnresolvedDriverError(switch[0], "which switches the time warp on and off")
        if not time.number("enableTimewarp"):
            return None
        source = self.scene.sources.get((time, "timewarpIn_Raw"))
        if source is None:
            stays = "timewarpIn_Raw" in time.values
            return UnresolvedDriverError(time, "which does not move") if stays else None
        try:
            signal = self._output(*source)
        except UnresolvedDriverError as unresolved:
            return unresolved
        if isinstance(signal, Keyed) and source[0].node_type == "animCurveTT":
            if source[0] not in self.doubled:
                return signal
            return UnresolvedDriverError(source[0], "which has several keys at one time")
        return UnresolvedDriverError(source[0], _reason(source[0]))

    def _output(self, node: Node, attribute: str) -> Signal:
        """Signal of an output plug."""
        kind = node.node_type
        if kind in curves.TIME_CURVES:
            return self._curve(node)
        if kind.startswith("animCurveU"):
            raise UnresolvedDriverError(node, "a driven key")
        if kind == "unitConversion":
            factor = Constant(node.number("conversionFactor", 1.0))
            return weighted_sum((factor, self.channel(node, "input")))
        if kind == "jointLimitProject" and attribute.startswith("outputRotate"):
            # Shape limits on a joint are bypassed, as in the open scene.
            return self.channel(node, f"inputRotate{attribute[-1]}")
        if kind == "pairBlend":
            return self._pair_blend(node, attribute)
        if kind.startswith("animBlendNodeAdditive"):
            return self._layer_blend(node, attribute)
        if kind == "animLayer":
            return self._layer_weight(node, attribute)
        if kind == "character":
            return self._character(node, attribute)
        return self._channel_output(node, attribute)

    def _channel_output(self, node: Node, attribute: str) -> Signal:
        """Driver of a transform's channel or of an added attribute; its own value if undriven."""
        if (node, attribute) in self.scene.sources:
            is_input = True
        elif attribute in node.dynamic.values():
            is_input = attribute in node.values or attribute in node.defaults
        else:
            is_input = node.node_type in ("joint", "transform")
            is_input &= attribute in attributes.DAG.kinds
            is_input &= attribute not in attributes.DAG.children
        if node.family is not attributes.DAG or not is_input:
            raise UnresolvedDriverError(node, _reason(node))
        signal = self.channel(node, attribute, 1.0 if attribute.startswith("scale") else 0.0)
        if attribute not in euler.CHANNELS:
            return signal
        # The node's own limits clamp the value that it passes on.
        low, high = matrices.rotation_limits(node.number, attribute[-1])
        if isinstance(signal, Constant):
            return Constant(float(np.clip(signal.value, low, max(low, high))))
        keys = [curves.with_thirds(keyed.curve.times) for keyed in curves_of([signal])]
        values = Evaluator(np.unique(np.concatenate(keys)))(signal) if keys else np.zeros(0)
        if (values < low - ROUNDING_RAD).any() or (values > high + ROUNDING_RAD).any():
            raise UnresolvedDriverError(node, "whose own limits clamp its keys")
        return signal

    def _curve(self, node: Node) -> Signal:
        warp = self.scene.sources.get((node, "input"))
        if warp is not None and warp[0].node_type != "time":
            raise UnresolvedDriverError(warp[0], "which warps the time of a curve")
        curve, dropped = curves.curve_from_node(node)
        doubled = curves.doubled_times(node)
        if len(doubled):
            self.doubled[node] = doubled
        if dropped:
            self.scene.note(
                "not-a-number",
                f"{dropped} keys of the curve {node.name!r} are not numbers and were dropped",
            )
        if curves.is_interpolated_as_quaternions(node):
            self.scene.note(
                "quaternion-curve",
                f"the curve {node.name!r} is interpolated as quaternions in Maya; values between "
                "keys may differ here. Bake the animation in Maya for exact values",
            )
        return Keyed(curve, node)

    def _character(self, node: Node, attribute: str) -> Signal:
        """Driver of a value of a character set, or the number stored in the set."""
        if (node, attribute) in self.scene.sources:
            return self.channel(node, attribute)
        name, _, number = attribute.rstrip("]").partition("[")
        index, value = int(number or -1), 0.0
        # The last assignment to the element counts; the value is 0 if there is none.
        for first, values in node.multis.get(name, []):
            if 0 <= index - first < len(values) and np.isfinite(values[index - first]):
                value = float(values[index - first]) * unit_factor(node, name)
        if (node, "clipEvaluate") in self.scene.sources:
            raise UnresolvedDriverError(node, "a character set with clips", value)
        return Constant(value)

    def _pair_blend(self, node: Node, attribute: str) -> Signal:
        axis = attribute[-1]
        if attribute.startswith("outRotate") and axis in "XYZ":
            stem, mode = "inRotate", int(node.number("rotateMode"))
        elif attribute.startswith("outTranslate") and axis in "XYZ":
            stem, mode = "inTranslate", int(node.number(f"translate{axis}Mode"))
        else:
            raise UnresolvedDriverError(node, "through an unknown output")
        first, second = f"{stem}{axis}1", f"{stem}{axis}2"
        if PROJECTION_PARTS in node.dynamic.values():
            return self.channel(node, first)
        if mode in (1, 2):
            return self.channel(node, first if mode == 1 else second)
        if stem == "inRotate" and node.number("rotInterpolation") != 0.0:
            raise UnresolvedDriverError(node, "which blends quaternions")
        weight = self.channel(node, "weight", 1.0)
        if isinstance(weight, Constant) and weight.value in (0.0, 1.0):
            # A side with zero weight need not be resolvable.
            return self.channel(node, second if weight.value else first)
        rest = weighted_sum((Constant(1.0), Constant(1.0)), (Constant(-1.0), weight))
        return weighted_sum((rest, self.channel(node, first)), (weight, self.channel(node, second)))

    def _layer_blend(self, node: Node, attribute: str) -> Signal:
        if node.node_type.endswith(("Scale", "Enum", "Boolean")):
            raise UnresolvedDriverError(node, "a layer blend that is not a sum")
        if not attribute.startswith("output"):
            raise UnresolvedDriverError(node, "through an unknown output")
        if node.number("rotationInterpolation") or node.number("interpolateMode"):
            raise UnresolvedDriverError(node, "which blends quaternions or multiplies")
        accumulation = self.channel(node, "accumulationMode")
        if not _is(accumulation, 0.0):
            raise UnresolvedDriverError(node, "a layer that accumulates rotations by layer")
        axis = attribute[len("output") :]
        terms = []
        for side in "AB":
            weight = self.channel(node, f"weight{side}", 1.0)
            if not _is(weight, 0.0):
                terms.append((weight, self.channel(node, f"input{side}{axis}")))
        return weighted_sum(*terms)

    def _layer_weight(self, node: Node, attribute: str) -> Signal:
        """Weights of an animation layer for its blend nodes."""
        if attribute == "outRotationAccumulationMode":
            return self.channel(node, "rotationAccumulationMode")
        if self._soloed:
            raise UnresolvedDriverError(node, "while an animation layer is soloed")
        if attribute == "foregroundWeight":
            if node.number("mute"):
                return Constant(0.0)
            above = self.channel(node, "parentWeight", 1.0)
            return weighted_sum((self.channel(node, "weight", 1.0), above))
        if attribute == "backgroundWeight":
            if not node.number("override"):
                return Constant(1.0)
            if node.number("passthrough", 1.0):
                front = self._layer_weight(node, "foregroundWeight")
                return weighted_sum((Constant(1.0), Constant(1.0)), (Constant(-1.0), front))
        raise UnresolvedDriverError(node, "an override layer without passthrough")


def _affects(output: Plug, name: str) -> bool:
    """Whether an input of a node may change an output, or, for a matrix, its rotation."""
    node, attribute = output
    if node.node_type == "composeMatrix":
        return not _ONLY_MOVES.match(name)
    if node.node_type not in ("joint", "transform") or not attribute:
        return True
    if attribute in attributes.DAG.kinds and attribute not in ("worldMatrix", OFFSET):
        return name in (attribute, *attributes.DAG.children.get(attribute, ()))
    turns = name.startswith(("rotate", "jointOrient", "inherits"))
    return name == OFFSET or (turns and not name.startswith("rotatePivot"))


def _reason(node: Node) -> str:
    """Clause that says why the result of a node cannot be computed."""
    if node.node_type.endswith("Constraint"):
        return "a constraint"
    if node.node_type == "expression":
        return "an expression, which is never run"
    if node.node_type.startswith("HIK"):
        return "a HumanIK rig"
    if node.node_type == MISSING:
        return "which may be in a file that was not read"
    return "a node that only Maya can evaluate"


def inverse_kinematics_joints(scene: Scene, drivers: Drivers) -> dict[Node, Node]:
    """IK handles by the joints that their solvers rotate.

    A solver rotates the joints from the start joint to the joint above the end effector, without
    any connection to them.
    """
    handles: dict[Node, Node] = {}
    for handle in scene.nodes:
        if handle.node_type != "ikHandle":
            continue
        start = scene.sources.get((handle, "startJoint"))
        effector = scene.sources.get((handle, "endEffector"))
        if start is None or effector is None:
            continue
        try:
            if _is(drivers.channel(handle, "ikBlend", 1.0), 0.0):
                continue
        except UnresolvedDriverError:
            pass  # the handle may be on
        chain = list(effector[0].ancestors())
        if start[0] in chain:
            chain = chain[: chain.index(start[0]) + 1]
            handles.update((joint, handle) for joint in chain if joint.is_joint)
    return handles
