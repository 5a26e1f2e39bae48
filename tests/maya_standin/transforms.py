"""Matrices of transforms, joints and shapes (maya.md 1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.matrices import (
    IDENTITY,
    Matrix,
    decompose,
    euler_angles,
    inverse,
    product,
    rotation,
    scaling,
    shearing,
    translation,
)
from tests.maya_standin.nodes import MISSING, Node
from tests.maya_standin.utility_nodes import quaternion_of

if TYPE_CHECKING:
    from tests.maya_standin.evaluation import Evaluator

INVERSES = {
    "inverseMatrix": "matrix",
    "worldInverseMatrix[0]": "worldMatrix[0]",
    "parentInverseMatrix[0]": "parentMatrix[0]",
}
WORLD_SPACE = ("worldMatrix", "worldInverseMatrix", "parentMatrix", "parentInverseMatrix")
"""Arrays with one element for every instance of a node."""


def transform(evaluator: Evaluator, node: Node, path: str) -> Any:
    """The matrix plugs of a transform; MISSING for every other plug."""
    if path in ("matrix", "xformMatrix"):
        return local_matrix(evaluator, node)
    return _dag(evaluator, node, path)


def shape(evaluator: Evaluator, node: Node, path: str) -> Any:
    """The matrix plugs of a shape: it stands where its transform stands."""
    return IDENTITY if path == "matrix" else _dag(evaluator, node, path)


def _dag(evaluator: Evaluator, node: Node, path: str) -> Any:
    if path in INVERSES:
        return inverse(evaluator.at(node, INVERSES[path]))
    if path == "worldMatrix[0]":
        return _world(evaluator, node)
    if path == "parentMatrix[0]":
        return _parent(evaluator, node)
    if path.partition("[")[0] in WORLD_SPACE:
        raise NotModelledError(f"instances ({node.name}.{path}) are not modelled")
    return MISSING


def local_matrix(evaluator: Evaluator, node: Node) -> Matrix:
    """The `matrix` of a transform or joint."""

    def at(path: str) -> Any:
        return evaluator.at(node, path)

    # maya.md 1.1: rotateAxis and jointOrient are always in order xyz.
    axis = rotation(at("rotateAxis"))
    turn = rotation(at("rotate"), at("rotateOrder"))
    size, place = scaling(at("scale")), translation(at("translate"))
    if node.is_a("joint"):
        orient = rotation(at("jointOrient"))
        return product(size, axis, turn, orient, _compensation(evaluator, node), place)
    turn_pivot, size_pivot = at("rotatePivot"), at("scalePivot")
    return product(
        translation([-x for x in size_pivot]),
        size,
        shearing(at("shear")),
        translation(size_pivot),
        translation(at("scalePivotTranslate")),
        translation([-x for x in turn_pivot]),
        axis,
        turn,
        translation(turn_pivot),
        translation(at("rotatePivotTranslate")),
        place,
    )


def _compensation(evaluator: Evaluator, node: Node) -> Matrix:
    """IS: takes the parent's scale back where segmentScaleCompensate is on (maya.md 1.1)."""
    if not evaluator.at(node, "segmentScaleCompensate"):
        return IDENTITY
    factors = evaluator.at(node, "inverseScale")
    return scaling([1.0 / factor if factor else 1.0 for factor in factors])


def _world(evaluator: Evaluator, node: Node) -> Matrix:
    return product(evaluator.at(node, "matrix"), evaluator.at(node, "parentMatrix[0]"))


def _parent(evaluator: Evaluator, node: Node) -> Matrix:
    """offsetParentMatrix times the parent's world matrix.

    Maya's product owner states that parentMatrix has both in it, as quoted in Chad Vernon's
    "Space Switch Using Offset Parent Matrix"; world = matrix * offsetParentMatrix * parent's world
    follows (maya.md 0.13). guess: parent-matrix-has-offset: nobody has looked; and
    guess: offset-without-inheriting: the offset stays where inheritsTransform is off.
    """
    is_transform = node.is_a("transform")
    offset = evaluator.at(node, "offsetParentMatrix") if is_transform else IDENTITY
    inherits = not is_transform or evaluator.at(node, "inheritsTransform")
    if node.parent is None or not inherits:
        return offset
    return product(offset, evaluator.at(node.parent, "worldMatrix[0]"))


def decompose_matrix(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Translation, rotation and scale of a matrix."""
    if not path.startswith("output"):
        return MISSING
    scale, turned, place = decompose(evaluator.at(node, "inputMatrix"))
    if path.startswith("outputQuat"):
        return quaternion_of(turned)["XYZW".index(path[-1])]
    angles = euler_angles(turned, evaluator.at(node, "inputRotateOrder"))
    whole = {"outputTranslate": place, "outputRotate": angles, "outputScale": scale}
    return whole[path[:-1]]["XYZ".index(path[-1])]


def mult_matrix(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Product of all inputs, the first one acting first."""
    if path != "matrixSum":
        return MISSING
    connected = set(evaluator.scene.connected_paths(node))
    stored = {f"matrixIn[{index}]" for index in node.indices("matrixIn")}
    inputs = sorted(connected | stored, key=lambda name: int(name[9:-1]))
    return product(*(evaluator.at(node, name) for name in inputs))
