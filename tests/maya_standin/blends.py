"""Nodes between curves and channels: unit conversions, pair blends, animation layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.matrices import (
    NO_TURN,
    euler_angles,
    product,
    quaternion,
    quaternion_matrix,
    rotation,
    slerp,
)
from tests.maya_standin.nodes import MISSING, Node

if TYPE_CHECKING:
    from tests.maya_standin.evaluation import Evaluator


def unit_conversion(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Input times factor (Autodesk's node reference of unitConversion)."""
    if path != "output":
        return MISSING
    value, factor = evaluator.at(node, "input"), evaluator.at(node, "conversionFactor")
    if isinstance(value, tuple):
        return tuple(part * factor for part in value)
    return value * factor


def blend_colors(evaluator: Evaluator, node: Node, path: str) -> Any:
    """The first colour as far as the blender says, the second one for the rest."""
    if not path.startswith("output"):
        return MISSING
    blender, letter = evaluator.at(node, "blender"), path[-1]
    first, second = (evaluator.at(node, f"color{number}{letter}") for number in (1, 2))
    return first * blender + second * (1.0 - blender)


def choice(evaluator: Evaluator, node: Node, path: str) -> Any:
    """The input that the selector names, of whatever kind it is."""
    if path != "output":
        return MISSING
    return evaluator.at(node, f"input[{evaluator.at(node, 'selector')}]")


def multiply_divide(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Product or quotient of two vectors, axis by axis."""
    if not path.startswith("output"):
        return MISSING
    a, b = (evaluator.at(node, f"input{number}{path[-1]}") for number in "12")
    operation = evaluator.at(node, "operation")
    if operation not in (0, 1, 2):
        raise NotModelledError(f"multiplyDivide: operation {operation} is not modelled")
    return (a, a * b, a / b if b else 0.0)[operation]


def pair_blend(evaluator: Evaluator, node: Node, path: str) -> Any:
    """One of two inputs, or the two by weight (Autodesk's node reference of pairBlend).

    Modes: 0 blends, 1 takes the first input alone, 2 the second alone.
    """
    if not path.startswith(("outRotate", "outTranslate")):
        return MISSING
    axis, stem = path[-1], "in" + path[3:]
    turns = path.startswith("outRotate")
    mode = evaluator.at(node, "rotateMode" if turns else f"translate{axis}Mode")
    if mode in (1, 2):
        return evaluator.at(node, f"{stem}{mode}")
    if turns and evaluator.at(node, "rotInterpolation"):
        raise NotModelledError("pairBlend: blending quaternions is not modelled")
    weight = evaluator.at(node, "weight")
    first, second = (evaluator.at(node, f"{stem}{number}") for number in (1, 2))
    return first + (second - first) * weight


def anim_layer(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Weights for the blends of a layer.

    An additive layer leaves what is below as it is; an override layer that passes through takes
    its own weight from it (Autodesk's node reference of animLayer).
    """
    if path == "outMute":
        return evaluator.at(node, "mute") or evaluator.at(node, "parentMute")
    if path == "foregroundWeight":
        _refuse_solo(evaluator, node)
        muted = evaluator.at(node, "mute") or evaluator.at(node, "parentMute")
        own = evaluator.at(node, "weight") * evaluator.at(node, "parentWeight")
        return 0.0 if muted else own
    if path == "backgroundWeight":
        if not evaluator.at(node, "override"):
            return 1.0
        if not evaluator.at(node, "passthrough"):
            raise NotModelledError("animLayer: override without passthrough is not modelled")
        return 1.0 - evaluator.at(node, "foregroundWeight")
    return MISSING


def _refuse_solo(evaluator: Evaluator, node: Node) -> None:
    if evaluator.at(node, "solo") or evaluator.at(node, "siblingSolo"):
        raise NotModelledError("animLayer: solo is not modelled")


def anim_blend(evaluator: Evaluator, node: Node, path: str) -> Any:
    """What a layer adds to what is below it: weightA * inputA + weightB * inputB."""
    if not path.startswith("output"):
        return MISSING
    if node.type.endswith("Scale") or evaluator.at(node, "interpolateMode"):
        raise NotModelledError(f"{node.type}: multiplying is not modelled")
    axis = path[len("output") :]
    if node.type.endswith("Rotation"):
        if evaluator.at(node, "rotationInterpolation"):
            raise NotModelledError(f"{node.type}: blending quaternions is not modelled")
        if evaluator.at(node, "accumulationMode"):
            return _by_layer(evaluator, node)["XYZ".index(axis)]
    weights = (evaluator.at(node, f"weight{side}") for side in "AB")
    inputs = (evaluator.at(node, f"input{side}{axis}") for side in "AB")
    return sum(weight * value for weight, value in zip(weights, inputs))


def _by_layer(evaluator: Evaluator, node: Node) -> tuple[float, float, float]:
    """Rotations of the layer and of what is below it, composed as quaternions.

    Numbers of Maya (oracle/maya_numbers in the shared data): all angles are those of order xyz,
    whatever the node's rotateOrder; an override layer is a slerp by its weight; an additive layer
    turns first. How Maya weights an additive layer is not settled: guess: layer-accumulation.
    """
    below, layer = (quaternion(rotation(evaluator.at(node, f"input{side}"))) for side in "AB")
    kept, weight = (evaluator.at(node, f"weight{side}") for side in "AB")
    if kept + weight == 1.0:
        return euler_angles(quaternion_matrix(slerp(below, layer, weight)))
    one, other = (slerp(NO_TURN, turn, amount) for turn, amount in ((layer, weight), (below, kept)))
    return euler_angles(product(quaternion_matrix(one), quaternion_matrix(other)))
