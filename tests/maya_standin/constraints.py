"""Orient, point and parent constraints with one target that has weight.

guess: constraint-euler-branch: the angles are the principal ones; Maya may choose those nearest to
the last or the rest rotation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.matrices import (
    IDENTITY,
    Matrix,
    decomposed,
    euler_angles,
    inverse,
    product,
    rotation,
    scaling,
    translation,
)
from tests.maya_standin.nodes import MISSING, Node

if TYPE_CHECKING:
    from tests.maya_standin.evaluation import Evaluator


def orient(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Rotation of the target, seen from the constrained node's parent, after the offset.

    guess: constraint-offset: the offset turns first, in the constrained node's rotateOrder.
    """
    if not path.startswith("constraintRotate") or path[-1] not in "XYZ":
        return MISSING
    target = _target(evaluator, node)
    if target is None:
        return evaluator.at(node, f"restRotate{path[-1]}")
    _, turned, _ = decomposed(_target_world(evaluator, node, target))
    offset = rotation(evaluator.at(node, "offset"), evaluator.at(node, "constraintRotateOrder"))
    return _angles(evaluator, node, product(offset, turned))["XYZ".index(path[-1])]


def point(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Place of the target, seen from the constrained node's parent, plus the offset."""
    if not path.startswith("constraintTranslate"):
        return MISSING
    target = _target(evaluator, node)
    if target is None:
        return evaluator.at(node, f"restTranslate{path[-1]}")
    place = translation(_target_world(evaluator, node, target)[12:15])
    inside = product(place, evaluator.at(node, "constraintParentInverseMatrix"))
    axis = "XYZ".index(path[-1])
    return inside[12 + axis] + evaluator.at(node, "offset")[axis]


def parent(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Place and rotation as if the constrained node were below the target, with an offset."""
    turns = path.startswith("constraintRotate") and path[-1] in "XYZ"
    if not turns and not path.startswith("constraintTranslate"):
        return MISSING
    target = _target(evaluator, node)
    axis = "XYZ".index(path[-1])
    if target is None:
        return evaluator.at(node, ("restRotate" if turns else "restTranslate") + path[-1])
    offset = product(
        rotation(evaluator.at(node, f"{target}.targetOffsetRotate")),
        translation(evaluator.at(node, f"{target}.targetOffsetTranslate")),
    )
    world = product(offset, _target_world(evaluator, node, target))
    if not turns:
        return product(world, evaluator.at(node, "constraintParentInverseMatrix"))[12 + axis]
    return _angles(evaluator, node, decomposed(world)[1])[axis]


def _target(evaluator: Evaluator, node: Node) -> str | None:
    """Path of the one target with weight; None where there is none."""
    paths = set(evaluator.scene.connected_paths(node))
    paths |= {f"target[{index}]" for index in node.indices("target")}
    targets = sorted({path.partition(".")[0] for path in paths if path.startswith("target[")})
    heavy = [name for name in targets if evaluator.at(node, f"{name}.targetWeight")]
    if len(heavy) > 1:
        raise NotModelledError(f"{node.name}: several targets with weight are not modelled")
    return heavy[0] if heavy else None


def _target_world(evaluator: Evaluator, node: Node, target: str) -> Matrix:
    """World matrix of the target from what is connected of it."""

    def at(path: str) -> Any:
        return evaluator.at(node, f"{target}.{path}")

    return product(
        scaling(at("targetScale")),
        rotation(at("targetRotate"), at("targetRotateOrder")),
        rotation(at("targetJointOrient")),
        translation(at("targetTranslate")),
        at("targetParentMatrix"),
    )


def _angles(evaluator: Evaluator, node: Node, turned: Matrix) -> tuple[float, float, float]:
    """Channels that give a world rotation: without the parent's rotation and jointOrient."""
    inside = product(turned, evaluator.at(node, "constraintParentInverseMatrix"))
    _, local, _ = decomposed(inside)
    oriented = rotation(evaluator.at(node, "constraintJointOrient"))
    if oriented is not IDENTITY:
        local = product(local, inverse(oriented))
    return euler_angles(local, evaluator.at(node, "constraintRotateOrder"))
