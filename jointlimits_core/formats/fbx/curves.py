"""Animation curves of FBX files, evaluated from their own keys, and the layers of a stack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...geometry.arrays import Booleans, Floats, Integers
from ...geometry.euler import euler_from_quaternion, quaternion_from_euler
from ...geometry.quaternion import IDENTITY, multiply, slerp
from ...rig.curves import CLAMP_TOLERANCE, AnimCurve, Infinity, Tangents, TangentType
from ...rig.key_frames import own_frames
from .nodes import AXES, FbxDocument, FbxNode, Value, number_of
from .scene import ROTATION, SCALING, Channels, FbxLayer, FbxModel, FbxScene, FbxStack

HELD, STRAIGHT, CUBIC = 0x2, 0x4, 0x8
NEXT, TCB, USER = 0x100, 0x200, 0x400
"""NEXT: after a held key, the curve immediately takes the value of the next key."""
CLAMP, TIME_INDEPENDENT, PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHT_RIGHT, WEIGHT_NEXT_LEFT = 0x1000000, 0x2000000
WHOLE_WEIGHT = 9999.0
"""Weight of a tangent that reaches as far as the next key."""
THIRD = 1.0 / 3.0
_EXTRAPOLATIONS = {
    ord("K"): Infinity.LINEAR,
    ord("R"): Infinity.CYCLE,
    ord("A"): Infinity.CYCLE_OFFSET,
    ord("M"): Infinity.OSCILLATE,
}
_KEY_TOLERANCE_SECONDS, _INSIDE_SECONDS = 1e-10, 1e-8
_MAX_TIME_SECONDS = 1e9
"""Limit for key times in seconds; valid tick counts stay below it."""
_BIAS_TOLERANCE = 1e-4
_MAX_LINEAR_BIAS, _STRONG_BIAS_FACTOR = 5.0, 40.0
"""Above the first, a bias changes slopes by the square of its excess, times the second."""


@dataclass(frozen=True, eq=False)
class Keys:
    """Keys in order of time; arrays have shape (keys,), except that `data` has (keys, 4).

    `times`: seconds. `right`, `next_left`: weights of the tangents that leave the key and enter the
    next key, as shares of the time between the keys.
    """

    times: Floats
    values: Floats
    flags: Integers
    data: Floats
    right: Floats
    next_left: Floats


@dataclass(frozen=True, eq=False)
class FbxCurve:
    """A curve: its keys, and on each side the kind of extrapolation and number of repetitions."""

    keys: Keys
    pre: int
    post: int
    before: float
    after: float

    @cached_property
    def _curve(self) -> AnimCurve:
        """Curve with a tangent on both sides of every key."""
        keys = self.keys
        held = (keys.flags & HELD) != 0
        cubic = ~held & ((keys.flags & CUBIC) != 0)
        entering, leaving = _slopes(keys, cubic)
        spans = np.diff(keys.times)
        in_x = np.append(1.0, 3.0 * keys.next_left[:-1] * spans)
        out_x = np.append(3.0 * keys.right[:-1] * spans, 1.0)
        steps = np.where((keys.flags & NEXT) != 0, TangentType.STEP_NEXT, TangentType.STEP)
        types = np.where(cubic, TangentType.FIXED, TangentType.LINEAR)
        tangents = Tangents(in_x, entering * in_x, out_x, leaving * out_x)
        return AnimCurve(
            keys.times,
            keys.values,
            np.append(TangentType.FIXED, types[:-1]).astype(np.int64),
            np.where(held, steps, types).astype(np.int64),
            lambda: tangents,
            bool(((keys.flags & (WEIGHT_RIGHT | WEIGHT_NEXT_LEFT)) != 0).any()),
            self.pre,
            self.post,
        )

    def evaluate(self, seconds: Floats) -> Floats:
        """Values at the given times, shape (times,)."""
        times = self.keys.times
        if len(seconds) == len(times) and np.allclose(seconds, times, 0.0, _KEY_TOLERANCE_SECONDS):
            return self.keys.values  # baked: values between keys do not matter
        if len(times) < 2 or (np.isinf(self.before) and np.isinf(self.after)):
            return self._curve.evaluate(seconds)
        first, last = times[[0, -1]]
        # The time at which the first repetition begins would count as the end of one before it.
        low = first - self.before * (last - first) + (_INSIDE_SECONDS if self.before else 0.0)
        return self._curve.evaluate(np.clip(seconds, low, last + self.after * (last - first)))


def read_curve(node: FbxNode, ticks_per_second: int, document: FbxDocument) -> FbxCurve | None:
    """Curve of a node; None if it has no keys. Raises FbxError for keys that are contradictory."""
    modern, budget = node.name == "AnimationCurve", document.budget
    keys = (_array_keys if modern else _listed_keys)(node, ticks_per_second, document)
    if keys is None or not len(keys.times):
        return None
    if not (np.abs(keys.times) < _MAX_TIME_SECONDS).all():
        raise budget.fail("has a key at an invalid time; fix it and export again")
    if not (np.diff(keys.times) > 0.0).all():
        # Times must increase; the last of several keys at the same time counts.
        order = np.argsort(keys.times, kind="stable")
        kept = order[np.append(np.diff(keys.times[order]) > 0.0, True)]
        columns = (keys.values, keys.flags, keys.data, keys.right, keys.next_left)
        keys = Keys(keys.times[kept], *(column[kept] for column in columns))
    pre, before = _read_extrapolation(node.first("Pre-Extrapolation"))
    post, after = _read_extrapolation(node.first("Post-Extrapolation"))
    return FbxCurve(keys, pre, post, before, after)


def _read_extrapolation(node: FbxNode | None) -> tuple[int, float]:
    """Kind of extrapolation on one side of the keys, and number of repetitions."""
    if node is None:
        return Infinity.CONSTANT, np.inf
    letter = node.child_value("Type")
    code = ord(letter) if isinstance(letter, str) and len(letter) == 1 else letter
    kind = _EXTRAPOLATIONS.get(code, Infinity.CONSTANT)  # type: ignore[arg-type]
    times = node.child_int("Repetition", -1)
    return kind, np.inf if times < 0 or kind == Infinity.LINEAR else float(times)


def _array_keys(node: FbxNode, ticks_per_second: int, document: FbxDocument) -> Keys | None:
    budget = document.budget
    if node.first("KeyTime") is None:
        return None
    times = node.child_numbers("KeyTime") / ticks_per_second
    values = np.asarray(node.child_numbers("KeyValueFloat"), np.float64)
    flags = node.child_numbers("KeyAttrFlags").astype(np.int64)
    data = node.child_numbers("KeyAttrDataFloat")
    if data.dtype.kind == "i":  # ASCII files since version 7200 write floats as their bits
        data = data.astype(np.uint32).view(np.float32)
    with np.errstate(over="ignore"):
        data = data.astype(np.float32)
    repeats = node.child_numbers("KeyAttrRefCount").astype(np.int64)
    count = len(times)
    if len(values) != count:
        raise budget.fail(f"has a curve with {count} times, {len(values)} values; export it again")
    if len(flags) != len(repeats) or len(data) != 4 * len(flags) or (repeats < 0).any():
        # If the tangents are unusable, all spans between keys are straight.
        flags, data, repeats = np.array([STRAIGHT]), np.zeros(4, np.float32), np.array([count])
    elif repeats.sum(dtype=np.float64) != count:
        message = f"has a curve with {count} keys, but tangents for {repeats.sum()}"
        raise budget.fail(f"{message}; export it again")
    flags, data = np.repeat(flags, repeats), np.repeat(data.reshape(-1, 4), repeats, axis=0)
    words = np.ascontiguousarray(data[:, 2]).view(np.uint32)
    right = np.where(flags & WEIGHT_RIGHT, (words & 0xFFFF) / WHOLE_WEIGHT, THIRD)
    left = np.where(flags & WEIGHT_NEXT_LEFT, (words >> 16) / WHOLE_WEIGHT, THIRD)
    with np.errstate(invalid="ignore"):
        return Keys(times, values, flags, data.astype(np.float64), right, left)


def _slopes(keys: Keys, cubic: Booleans) -> tuple[Floats, Floats]:
    """Slopes before and after every key, per second, each of shape (keys,)."""
    count = len(keys.times)
    with np.errstate(over="ignore"):
        chords = np.diff(keys.values) / np.diff(keys.times)
    chords = np.nan_to_num(chords, posinf=1e300, neginf=-1e300)
    before, after = np.append(0.0, chords), np.append(chords, 0.0)
    by_tension = cubic & ((keys.flags & TCB) != 0)
    stored = np.append(0.0, np.where(cubic & ~by_tension, keys.data[:, 1], 0.0)[:-1])
    straight = ~cubic & ((keys.flags & HELD) == 0)
    entering = np.where(np.append(False, straight[:-1]), before, stored)
    leaving = np.where(straight, after, np.where(cubic, keys.data[:, 0], 0.0))
    if by_tension.any():
        ins, outs = _tcb_slopes(keys.data, before, after)
        entering, leaving = np.where(by_tension, ins, entering), np.where(by_tension, outs, leaving)
    automatic = cubic & ((keys.flags & (TCB | USER)) == 0)
    if automatic.any():
        # Keys with automatic tangents store the biases of their two sides instead of slopes.
        left, right = -stored, keys.data[:, 0]
        outs = _auto_slope(keys, before, after, right)
        same = np.abs(left - right) <= _BIAS_TOLERANCE
        ins = np.where(same, outs, _auto_slope(keys, before, after, left))
        # At the ends there is only one neighbour, and only one side counts.
        ins[-1] = outs[-1] = _end_slope(keys, before[-1], left[-1], -1)
        ins[0] = outs[0] = _end_slope(keys, after[0], right[0], 0)
        entering, leaving = np.where(automatic, ins, entering), np.where(automatic, outs, leaving)
    # Outside the keys, a curve continues with the slope that it has inside.
    entering[0], leaving[-1] = (leaving[0], entering[-1]) if count > 1 else (0.0, 0.0)
    return np.nan_to_num(entering), np.nan_to_num(leaving)


def _tcb_slopes(data: Floats, before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Slopes from tension, continuity and bias (Kochanek and Bartels 1984)."""
    tension, continuity, bias = data[:, :3].T
    half = np.full(len(data), 0.5)
    half[[0, -1]] = 1.0
    scale = half * (1.0 - tension)
    sharp, smooth = 1.0 - continuity, 1.0 + continuity
    to_before, to_after = scale * (1.0 + bias), scale * (1.0 - bias)
    entering = to_before * sharp * before + to_after * smooth * after
    return entering, to_before * smooth * before + to_after * sharp * after


def _auto_slope(keys: Keys, before: Floats, after: Floats, bias: Floats) -> Floats:
    """Slopes of automatic tangents at inner keys; the slopes for the end keys are not used."""
    spans = np.diff(keys.times)
    earlier, later = np.append(1.0, spans), np.append(spans, 1.0)
    part = earlier / (earlier + later)
    slope = part * before + (1.0 - part) * after
    free = (keys.flags & TIME_INDEPENDENT) == 0
    slope = np.where(free, _bias_slope(slope, part, before, after, bias), slope)
    weights = np.append(THIRD, keys.next_left[:-1]), keys.right
    up = np.where(slope >= 0.0, 1.0, -1.0)
    most = [
        np.maximum(up * chord, 0.0) / np.maximum(weight, 1e-9)
        for chord, weight in zip((before, after), weights)
    ]
    held_back = up * np.minimum(up * slope, np.minimum(*most))
    slope = np.where((keys.flags & PROGRESSIVE) != 0, held_back, slope)
    close = np.minimum(np.abs(before * earlier), np.abs(after * later)) <= CLAMP_TOLERANCE
    return np.where(((keys.flags & CLAMP) != 0) & close, 0.0, slope)


def _bias_slope(slope: Floats, part: Floats, before: Floats, after: Floats, bias: Floats) -> Floats:
    """Slopes averaged with the chords, then moved towards one chord by the bias (in %)."""
    slope = 0.5 * slope + 0.5 * ((1.0 - part) * before + part * after)
    weight = np.abs(bias) / 100.0
    apart = np.where(bias > 0.0, after, before) - slope
    direction = np.where(np.abs(apart) > 1e-5, apart, bias)
    strong = np.maximum(weight - _MAX_LINEAR_BIAS, 0.0) ** 2 * np.where(direction > 0.0, 1.0, -1.0)
    return np.asarray(slope + weight * apart + strong * _STRONG_BIAS_FACTOR)


def _end_slope(keys: Keys, chord: float, bias: float, at: int) -> float:
    """Slope of an automatic tangent at the first or the last key."""
    flags, values = int(keys.flags[at]), keys.values
    neighbour = values[1 if at == 0 else -2] if len(values) > 1 else values[0]
    if flags & PROGRESSIVE or (flags & CLAMP and abs(neighbour - values[at]) <= CLAMP_TOLERANCE):
        return 0.0
    if flags & TIME_INDEPENDENT:
        return chord
    strong = max(abs(bias) / 100.0 - _MAX_LINEAR_BIAS, 0.0) ** 2
    return chord + strong * _STRONG_BIAS_FACTOR * (1.0 if bias > 0.0 else -1.0)


_AUTOMATIC = {"a": 0, "p": 2, "q": 2, "t": 3, "d": 1}
"""Tangent letters that are read as automatic, and the number of values after each letter."""


def _listed_keys(node: FbxNode, ticks_per_second: int, document: FbxDocument) -> Keys | None:
    """Keys in files older than version 7000."""
    budget = document.budget
    stream = node.first("Key")
    if stream is None:
        return None
    version = node.child_int("KeyVer", 0)
    if version <= 0:
        known = 0 < document.version < 6000
        version = 4005 if not known else 4004 if document.version >= 5000 else 4003
    budget.take_numbers(len(stream.values))
    try:
        rows = _rows(iter(stream.values), version)
    except (KeyError, ValueError, TypeError, StopIteration, OverflowError):
        raise budget.fail("has a curve with a damaged list of keys; export it again") from None
    times, values, flags, *slopes, right, left = np.array(rows, np.float64).reshape(-1, 7).T
    data = np.zeros((len(times), 4))
    data[:, :2] = np.stack(slopes, axis=1)
    return Keys(times / ticks_per_second, values, flags.astype(np.int64), data, right, left)


def _rows(values: Iterator[Value], version: int) -> list[tuple[float, ...]]:
    """Time, value, flags, slopes and weights of every key."""
    rows: list[tuple[float, ...]] = []
    newer = int(version > 4004)
    weights_of = {"a": newer, "p": 1 + newer, "q": 1 + newer, "t": 0, "d": 1}
    for time in values:
        value, mode = _number(next(values)), _letter(next(values))
        flags, slopes, right, left, weights = STRAIGHT, (0.0, 0.0), THIRD, THIRD, 0
        if mode == "C":
            is_next = version >= 4004 and _letter(next(values)) == "n"
            flags = HELD | NEXT if is_next else HELD
        elif mode == "U" and (letter := _letter(next(values))) in "sb":
            slopes = _number(next(values)), _number(next(values))
            flags, weights = CUBIC | USER, 0 if version == 4003 else 1
        elif mode == "U":
            for _ in range(_AUTOMATIC[letter]):
                next(values)
            flags, weights = CUBIC | PROGRESSIVE | TIME_INDEPENDENT, weights_of[letter]
        elif mode != "L":
            raise ValueError(mode)
        for _ in range(weights):
            letter = _letter(next(values))
            if letter in "ar":
                flags, right = flags | WEIGHT_RIGHT, _number(next(values))
            if letter in "al":
                flags, left = flags | WEIGHT_NEXT_LEFT, _number(next(values))
            if letter not in "anlrc":
                raise ValueError(letter)
        rows.append((_number(time), value, flags, *slopes, right, left))
    return rows


def _number(value: Value) -> float:
    return float(value)  # type: ignore[arg-type]


def _letter(value: Value) -> str:
    """Letter in a list of keys: a word in ASCII files, a character code in binary files."""
    return value if isinstance(value, str) else chr(int(value))  # type: ignore[arg-type]


_ADD, _REPLACE = 0, 1
"""Blend modes: a layer is added to the layers below or replaces them; other modes mix them."""
_PERCENT = 100.0


@dataclass(frozen=True, eq=False)
class _LayerProperty:
    layer: FbxLayer
    defaults: Floats
    curves: dict[int, FbxCurve]

    def values(self, seconds: Floats) -> Floats:
        """Values at the given times, shape (times, 3)."""
        result = np.array(np.broadcast_to(self.defaults, (len(seconds), 3)))
        for axis, curve in self.curves.items():
            result[:, axis] = curve.evaluate(seconds)
        return result


class LayeredProperties:
    """Properties of models in one stack.

    `rate`: frames per second; keys less than 0.01 frames from a whole frame are moved to it.
    """

    def __init__(self, scene: FbxScene, stack: FbxStack | None, rate: float | None = None) -> None:
        self._scene, self.stack, self._rate = scene, stack, rate
        self.turning = frozenset[FbxModel]() if stack is None else stack.turning
        layers = [] if stack is None else stack.layers
        self._base = layers[0] if layers else None
        self.layers = [one for one in layers if not one.number("Mute", 0.0)]
        self._parts: dict[tuple[FbxModel, str], list[_LayerProperty]] = {}
        self._read: dict[int, FbxCurve | None] = {}

    def key_times(self, model: FbxModel, name: str) -> list[Floats]:
        """Key times of a property, one array per curve."""
        parts = self._parts_of(model, name)
        return [curve.keys.times for part in parts for curve in part.curves.values()]

    def moves(self, model: FbxModel, name: str) -> bool:
        """Whether a property has keys with different values, in any component."""
        found = (layer.channels.get((model, name)) for layer in self.layers)
        nodes = (node for one in found if one is not None for node in one.curves.values())
        curves = (curve for curve in map(self._curve, nodes) if curve is not None)
        return any(np.ptp(curve.keys.values) > 0.0 for curve in curves)

    def values(self, model: FbxModel, name: str, seconds: Floats) -> Floats:
        """Values at the given times, shape (times or 1, 3): one row if nothing is animated."""
        static = model.vector(name, 1.0 if name == SCALING else 0.0)
        parts = self._parts_of(model, name)
        if not any(part.curves for part in parts) and len(parts) < 2:
            return np.array([parts[0].defaults if parts else static])
        result = np.array(np.broadcast_to(static, (len(seconds), 3)))
        for part in parts:
            own = part.values(seconds)
            if part.layer is self._base:
                result = own
            else:
                # Weight of the layer at the given times, 0 to 1, shape (times,).
                percent = np.full(len(seconds), part.layer.number("Weight", _PERCENT))
                node = (part.layer.weight or Channels()).curves.get("Weight")
                curve = None if node is None else self._curve(node)
                if curve is not None:
                    percent = curve.evaluate(seconds)
                weight = np.clip(percent / _PERCENT, 0.0, 1.0)[:, None]
                result = _combine_layers(result, own, weight, part.layer, name)
        return result

    def _parts_of(self, model: FbxModel, name: str) -> list[_LayerProperty]:
        key = model, name
        if key not in self._parts:
            static = model.vector(name, 1.0 if name == SCALING else 0.0)
            self._parts[key] = [
                self._part(layer, layer.channels[key], static)
                for layer in self.layers
                if key in layer.channels
            ]
        return self._parts[key]

    def _part(self, layer: FbxLayer, channels: Channels, static: Floats) -> _LayerProperty:
        adds = layer is not self._base and layer.number("BlendMode", _ADD) == _ADD
        neutral = np.zeros(3) if adds else static
        stored = (channels.defaults.get(f"d|{axis}") for axis in AXES)
        given = [number_of(values, float(value)) for values, value in zip(stored, neutral)]
        curves = ((AXES.find(axis), self._curve(node)) for axis, node in channels.curves.items())
        own = {axis: curve for axis, curve in curves if curve is not None and axis >= 0}
        return _LayerProperty(layer, np.array(given), own)

    def _curve(self, node: FbxNode) -> FbxCurve | None:
        # A curve may drive several channels.
        if id(node) not in self._read:
            scene = self._scene
            curve = read_curve(node, scene.ticks_per_second, scene.document)
            if curve is not None and self._rate is not None:
                times = own_frames(curve.keys.times * self._rate) / self._rate
                curve = replace(curve, keys=replace(curve.keys, times=times))
            self._read[id(node)] = curve
        return self._read[id(node)]


def _combine_layers(
    below: Floats, own: Floats, weight: Floats, layer: FbxLayer, name: str
) -> Floats:
    """Values of a layer blended with the layers below by a weight, shape (times, 3)."""
    mode = int(layer.number("BlendMode", _ADD))
    if mode == _REPLACE:
        return own
    if name == ROTATION and not layer.number("RotationAccumulationMode", 0.0):
        # The layers are combined as rotations; angles are in degrees.
        adds = mode == _ADD
        if adds and not own.any():
            return below
        first, second = (quaternion_from_euler(np.radians(angles)) for angles in (below, own))
        share = weight[:, 0]
        if adds:
            turn = multiply(first, slerp(np.broadcast_to(IDENTITY, second.shape), second, share))
        else:
            turn = slerp(first, second, share)
        # Other angles for this rotation would be a different rotation in the node's own order.
        return np.degrees(np.unwrap(euler_from_quaternion(turn), axis=0))
    if name == SCALING and not layer.number("ScaleAccumulationMode", 0.0):
        start = below if mode == _ADD else np.sign(below) * np.abs(below) ** (1.0 - weight)
        return np.asarray(start * np.sign(own) * np.abs(own) ** weight)
    return below + own * weight if mode == _ADD else below + (own - below) * weight
