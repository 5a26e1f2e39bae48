"""Orient, point and parent constraints, as the numbers that Maya stored in public scenes say.

A scene file keeps the rotation that Maya last computed for a constraint (`lastTargetRotate`, before
the offset). Of all Euler triples of that rotation, Maya takes the one nearest to the last; at
gimbal lock the third angle is 0. Several targets are averaged or blended as quaternions, by weight.
"""

from __future__ import annotations

from math import atan2, hypot, pi
from typing import TYPE_CHECKING, Any

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.matrices import (
    IDENTITY,
    ORDERS,
    Matrix,
    decompose,
    euler_angles,
    inverse,
    product,
    quaternion,
    quaternion_matrix,
    rotation,
    scaling,
    slerp,
    translation,
)
from tests.maya_standin.nodes import MISSING, Node, Plug

if TYPE_CHECKING:
    from tests.maya_standin.evaluation import Evaluator

Triple = tuple[float, float, float]
GIMBAL = 1.3e-6
"""Cosine of the middle angle up to which stored triples have 0 as their third angle."""
AVERAGE, SHORTEST = 1, 2


def orient(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Rotation of the targets, seen from the constrained node's parent, after the offset.

    guess: constraint-offset: the offset turns first, in the constrained node's rotateOrder.
    """
    if not path.startswith("constraintRotate") or path[-1] not in "XYZ":
        return MISSING
    targets = _targets(evaluator, node)
    axis = "XYZ".index(path[-1])
    if not targets:
        return evaluator.at(node, f"restRotate{path[-1]}")
    rotations = [_inside(evaluator, node, _turn(evaluator, node, one)) for one in targets]
    triple = _last_triple(evaluator, node, _blend(evaluator, node, targets, rotations))
    order, offset = evaluator.at(node, "constraintRotateOrder"), evaluator.at(node, "offset")
    if any(offset):
        turned = product(rotation(offset, order), rotation(triple, order))
        triple = _nearest(turned, order, triple)
    for letter, angle in zip("XYZ", triple):
        evaluator.keep(Plug(node, f"constraintRotate{letter}"), angle)
    return triple[axis]


def point(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Place of the target, seen from the constrained node's parent, plus the offset."""
    if not path.startswith("constraintTranslate"):
        return MISSING
    targets = _targets(evaluator, node)
    if not targets:
        return evaluator.at(node, f"restTranslate{path[-1]}")
    place = _mean(evaluator, node, targets, [_place(evaluator, node, one) for one in targets])
    inside = product(translation(place), evaluator.at(node, "constraintParentInverseMatrix"))
    axis = "XYZ".index(path[-1])
    pivots = ("constraintRotatePivot", "constraintRotateTranslate")
    pivot = sum(evaluator.at(node, name)[axis] for name in pivots)
    return inside[12 + axis] - pivot + evaluator.at(node, "offset")[axis]


def parent(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Place and rotation as if the constrained node were below the target, with an offset."""
    turns = path.startswith("constraintRotate") and path[-1] in "XYZ"
    if not turns and not path.startswith("constraintTranslate"):
        return MISSING
    targets = _targets(evaluator, node)
    axis = "XYZ".index(path[-1])
    if not targets:
        return evaluator.at(node, ("restRotate" if turns else "restTranslate") + path[-1])
    if not turns:
        places = [_carried_places(evaluator, node, one)[12:15] for one in targets]
        place = translation(_mean(evaluator, node, targets, places))
        return product(place, evaluator.at(node, "constraintParentInverseMatrix"))[12 + axis]
    turned = [_turn(evaluator, node, one) for one in targets]
    offsets = [_offset(evaluator, node, one) for one in targets]
    rotations = [_inside(evaluator, node, product(*both)) for both in zip(offsets, turned)]
    return _last_triple(evaluator, node, _blend(evaluator, node, targets, rotations))[axis]


def _targets(evaluator: Evaluator, node: Node) -> list[str]:
    """Paths of the targets with weight."""
    paths = set(evaluator.scene.connected_paths(node))
    paths |= {f"target[{index}]" for index in node.indices("target")}
    targets = sorted({path.partition(".")[0] for path in paths if path.startswith("target[")})
    return [name for name in targets if evaluator.at(node, f"{name}.targetWeight")]


def _mean(evaluator: Evaluator, node: Node, targets: list[str], places: list[Any]) -> list[float]:
    """Mean of the targets' places by weight."""
    weights = [evaluator.at(node, f"{name}.targetWeight") for name in targets]
    summed = (sum(w * x for w, x in zip(weights, axis)) for axis in zip(*places))
    return [value / sum(weights) for value in summed]


def _place(evaluator: Evaluator, node: Node, target: str) -> Any:
    """World place of a target's rotate pivot."""
    names = ("targetTranslate", "targetRotatePivot", "targetRotateTranslate")
    local = [sum(values) for values in zip(*(evaluator.at(node, f"{target}.{n}") for n in names))]
    return product(translation(local), evaluator.at(node, f"{target}.targetParentMatrix"))[12:15]


def _offset(evaluator: Evaluator, node: Node, target: str) -> Matrix:
    return rotation(evaluator.at(node, f"{target}.targetOffsetRotate"))


def _turn(evaluator: Evaluator, node: Node, target: str) -> Matrix:
    """World rotation of a target, without anybody's scale."""

    def at(path: str) -> Any:
        return evaluator.at(node, f"{target}.{path}")

    return product(
        rotation(at("targetRotate"), at("targetRotateOrder")),
        rotation(at("targetJointOrient")),
        decompose(at("targetParentMatrix"))[1],
    )


def _carried_places(evaluator: Evaluator, node: Node, target: str) -> Matrix:
    """World matrix of what a parent constraint holds below a target."""

    def at(path: str) -> Any:
        return evaluator.at(node, f"{target}.{path}")

    return product(
        _offset(evaluator, node, target),
        translation(at("targetOffsetTranslate")),
        scaling(at("targetScale")),
        rotation(at("targetRotate"), at("targetRotateOrder")),
        rotation(at("targetJointOrient")),
        translation(at("targetTranslate")),
        at("targetParentMatrix"),
    )


def _inside(evaluator: Evaluator, node: Node, turned: Matrix) -> Matrix:
    """Rotation of the channels: without the parent's rotation and jointOrient."""
    into_parent = decompose(evaluator.at(node, "constraintParentInverseMatrix"))[1]
    local = product(turned, into_parent)
    oriented = rotation(evaluator.at(node, "constraintJointOrient"))
    return local if oriented is IDENTITY else product(local, inverse(oriented))


def _blend(evaluator: Evaluator, node: Node, targets: list[str], turned: list[Matrix]) -> Matrix:
    """One rotation from those of the targets, by weight."""
    if len(turned) == 1:
        return turned[0]
    weights = [evaluator.at(node, f"{name}.targetWeight") for name in targets]
    if len(turned) > 2 or evaluator.at(node, "interpType") not in (AVERAGE, SHORTEST):
        raise NotModelledError(f"{node.name}: no stored number settles how these targets blend")
    first, second = map(quaternion, turned)
    return quaternion_matrix(slerp(first, second, weights[1] / sum(weights)))


def _last_triple(evaluator: Evaluator, node: Node, turned: Matrix) -> Triple:
    order = evaluator.at(node, "constraintRotateOrder")
    return _nearest(turned, order, evaluator.at(node, "lastTargetRotate"))


def _nearest(turned: Matrix, order: int, last: Any) -> Triple:
    """Of the Euler triples of a rotation, full turns included, the one nearest to another."""
    i, j, k = ("xyz".index(letter) for letter in ORDERS[order])
    angles = euler_angles(turned, order)
    flat = hypot(turned[4 * i + i], turned[4 * i + j])
    if flat <= GIMBAL:
        odd = 1.0 if (j - i) % 3 == 1 else -1.0
        found = [0.0, 0.0, 0.0]
        found[i], found[j] = atan2(-odd * turned[4 * k + j], turned[4 * j + j]), angles[j]
        return (found[0], found[1], found[2])
    other = [angle + pi for angle in angles]
    other[j] = pi - angles[j]
    triples = [
        tuple(angle + 2 * pi * round((goal - angle) / (2 * pi)) for angle, goal in zip(one, last))
        for one in (angles, other)
    ]
    return min(triples, key=lambda one: sum(abs(a - b) for a, b in zip(one, last)))
