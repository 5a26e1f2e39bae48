"""Values of a property over time, from all layers of a stack.

The base layer gives the value, a layer above adds its own or takes its place, by its weight.
Rotations that accumulate by layer are put together as rotations: as Maya does, whatever the rotate
order of the node, the angles of the layers count as xyz, and the angles of the result are xyz
angles again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...geometry import (
    IDENTITY,
    Floats,
    euler_from_quaternion,
    multiply,
    quaternion_from_euler,
    slerp,
)
from .curves import FbxCurve, read_curve
from .nodes import AXES, FbxNode, number_of
from .scene import Channels, FbxLayer, FbxModel, FbxScene, FbxStack

ROTATION, SCALING = "Lcl Rotation", "Lcl Scaling"
TRANSLATION = "Lcl Translation"
_ADD, _REPLACE = 0, 1
"""Blend modes: the layer adds to what is below, or hides it; else it is mixed with it."""
_PERCENT = 100.0


@dataclass(frozen=True, eq=False)
class _Part:
    """A property in one layer."""

    layer: FbxLayer
    defaults: Floats
    curves: dict[int, FbxCurve]

    def values(self, seconds: Floats) -> Floats:
        """Values at times, shape (times, 3)."""
        result = np.array(np.broadcast_to(self.defaults, (len(seconds), 3)))
        for axis, curve in self.curves.items():
            result[:, axis] = curve.evaluate(seconds)
        return result


class LayeredProperties:
    """Properties of models in one stack."""

    def __init__(self, scene: FbxScene, stack: FbxStack | None) -> None:
        self._scene = scene
        layers = [] if stack is None else stack.layers
        self._base = layers[0] if layers else None
        self.layers = [one for one in layers if not one.number("Mute", 0.0)]
        self._parts: dict[tuple[FbxModel, str], list[_Part]] = {}
        self._read: dict[int, FbxCurve | None] = {}

    def key_times(self, model: FbxModel, name: str) -> list[Floats]:
        """Times of the keys of a property, an array for each curve."""
        parts = self._of(model, name)
        return [curve.times for part in parts for curve in part.curves.values()]

    def values(self, model: FbxModel, name: str, seconds: Floats) -> Floats:
        """Values at times, shape (times or 1, 3): one row where nothing is animated."""
        static = model.vector(name, 1.0 if name == SCALING else 0.0)
        parts = self._of(model, name)
        if not any(part.curves for part in parts) and len(parts) < 2:
            return np.array([parts[0].defaults if parts else static])
        result = np.array(np.broadcast_to(static, (len(seconds), 3)))
        for part in parts:
            own = part.values(seconds)
            if part.layer is self._base:
                result = own
            else:
                weight = self._weight(part.layer, seconds)[:, None]
                result = _combined(result, own, weight, part.layer, name)
        return result

    def _of(self, model: FbxModel, name: str) -> list[_Part]:
        key = model, name
        if key not in self._parts:
            found = ((layer, layer.channels.get(key)) for layer in self.layers)
            static = model.vector(name, 1.0 if name == SCALING else 0.0)
            self._parts[key] = [
                self._part(layer, channels, static)
                for layer, channels in found
                if channels is not None
            ]
        return self._parts[key]

    def _part(self, layer: FbxLayer, channels: Channels, static: Floats) -> _Part:
        neutral = static
        if layer is not self._base and layer.number("BlendMode", _ADD) == _ADD:
            neutral = np.zeros(3)
        given = [
            number_of(channels.defaults.get(f"d|{axis}"), float(value))
            for axis, value in zip(AXES, neutral)
        ]
        curves = ((AXES.find(axis), self._curve(node)) for axis, node in channels.curves.items())
        own = {axis: curve for axis, curve in curves if curve is not None and axis >= 0}
        return _Part(layer, np.array(given), own)

    def _curve(self, node: FbxNode) -> FbxCurve | None:
        # A curve may drive several channels.
        if id(node) not in self._read:
            scene = self._scene
            curve = read_curve(node, scene.ticks_per_second, scene.document)
            self._read[id(node)] = curve
        return self._read[id(node)]

    def _weight(self, layer: FbxLayer, seconds: Floats) -> Floats:
        """Weight of a layer at times, 0 to 1, shape (times,)."""
        percent = np.full(len(seconds), layer.number("Weight", _PERCENT))
        node = layer.weight.curves.get("Weight") if layer.weight is not None else None
        curve = None if node is None else self._curve(node)
        if curve is not None:
            percent = curve.evaluate(seconds)
        return np.clip(percent / _PERCENT, 0.0, 1.0)


def _combined(below: Floats, own: Floats, weight: Floats, layer: FbxLayer, name: str) -> Floats:
    """Values of what is below a layer and of the layer, at a weight, shape (times, 3)."""
    mode = int(layer.number("BlendMode", _ADD))
    if mode == _REPLACE:
        return own
    if name == ROTATION and not layer.number("RotationAccumulationMode", 0.0):
        return _turned(below, own, weight, adds=mode == _ADD)
    if name == SCALING and not layer.number("ScaleAccumulationMode", 0.0):
        start = below if mode == _ADD else _power(below, 1.0 - weight)
        return start * _power(own, weight)
    return below + own * weight if mode == _ADD else below + (own - below) * weight


def _power(values: Floats, exponent: Floats) -> Floats:
    return np.asarray(np.sign(values) * np.abs(values) ** exponent)


def _turned(below: Floats, own: Floats, weight: Floats, *, adds: bool) -> Floats:
    """Angles of layers put together as rotations, in degrees."""
    if adds and not own.any():
        return below
    first, second = (quaternion_from_euler(np.radians(angles)) for angles in (below, own))
    share = weight[:, 0]
    if adds:
        turn = multiply(first, slerp(np.broadcast_to(IDENTITY, second.shape), second, share))
    else:
        turn = slerp(first, second, share)
    # The other triple of the same rotation is another rotation in the order of the node.
    return np.degrees(np.unwrap(euler_from_quaternion(turn), axis=0))
