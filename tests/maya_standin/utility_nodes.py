"""Utility nodes that rigs compute with.

Types, attributes and defaults are those of Autodesk's node reference (composeMatrix, vectorProduct,
clamp, condition, plusMinusAverage); "float" attributes are single precision.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from tests.maya_standin.attributes import single
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.matrices import Matrix, product, rotation, scaling, shearing, translation
from tests.maya_standin.nodes import MISSING, Node

if TYPE_CHECKING:
    from tests.maya_standin.evaluation import Evaluator


def compose_matrix(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Matrix of scale, shear, rotation and translation, in the order of a transform."""
    if path != "outputMatrix":
        return MISSING

    def at(name: str) -> Any:
        return evaluator.at(node, name)

    if at("useEulerRotation"):
        turn = rotation(at("inputRotate"), at("inputRotateOrder"))
    else:
        turn = _of_quaternion(at("inputQuat"))
    return product(
        scaling(at("inputScale")),
        shearing(at("inputShear")),
        turn,
        translation(at("inputTranslate")),
    )


def _of_quaternion(q: tuple[float, float, float, float]) -> Matrix:
    """Row-vector matrix of a unit quaternion. guess: compose-matrix-quaternion"""
    x, y, z, w = q
    return (
        *(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0.0),
        *(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0.0),
        *(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0.0),
        *(0.0, 0.0, 0.0, 1.0),
    )


def quaternion_of(matrix: Matrix) -> tuple[float, float, float, float]:
    """Unit quaternion of a row-vector rotation matrix.

    guess: decompose-matrix-quaternion: which of the two signs comes out; here w may be negative, so
    that nothing that was built on a sign passes.
    """
    m = [matrix[4 * row : 4 * row + 3] for row in range(3)]
    squares = [
        1 + m[0][0] - m[1][1] - m[2][2],
        1 - m[0][0] + m[1][1] - m[2][2],
        1 - m[0][0] - m[1][1] + m[2][2],
        1 + m[0][0] + m[1][1] + m[2][2],
    ]
    best = squares.index(max(squares))
    rows = (
        (squares[0], m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] - m[2][1]),
        (m[0][1] + m[1][0], squares[1], m[1][2] + m[2][1], m[2][0] - m[0][2]),
        (m[0][2] + m[2][0], m[1][2] + m[2][1], squares[2], m[0][1] - m[1][0]),
        (m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], squares[3]),
    )
    length = sqrt(sum(value * value for value in rows[best]))
    x, y, z, w = (value / length for value in rows[best])
    return (x, y, z, w)


def vector_product(evaluator: Evaluator, node: Node, path: str) -> Any:
    """No operation, or the dot product; either normalised if asked for."""
    if not path.startswith("output"):
        return MISSING
    operation = evaluator.at(node, "operation")
    first, second = (evaluator.at(node, name) for name in ("input1", "input2"))
    if operation == 0:
        value = first
    elif operation == 1:
        # guess: vector-product-dot-in-x (in X alone)
        if path != "outputX":
            raise NotModelledError("vectorProduct: a dot product anywhere but in X")
        value = (sum(a * b for a, b in zip(first, second)), 0.0, 0.0)
    else:
        raise NotModelledError(f"vectorProduct: operation {operation} is not modelled")
    if evaluator.at(node, "normalizeOutput"):
        # guess: vector-product-of-nothing (stays nothing)
        length = sqrt(sum(a * a for a in value))
        value = tuple(a / length if length else 0.0 for a in value)
    return single(value["XYZ".index(path[-1])])


def clamp(evaluator: Evaluator, node: Node, path: str) -> Any:
    """Every channel between its minimum and its maximum."""
    if not path.startswith("output"):
        return MISSING
    low, value, high = (evaluator.at(node, name + path[-1]) for name in ("min", "input", "max"))
    return min(max(value, low), high)


def condition(evaluator: Evaluator, node: Node, path: str) -> Any:
    """One colour or the other, by the comparison of two numbers."""
    if not path.startswith("outColor"):
        return MISSING
    a, b = evaluator.at(node, "firstTerm"), evaluator.at(node, "secondTerm")
    holds = (a == b, a != b, a > b, a >= b, a < b, a <= b)[evaluator.at(node, "operation")]
    return evaluator.at(node, ("colorIfTrue" if holds else "colorIfFalse") + path[-1])


def plus_minus_average(evaluator: Evaluator, node: Node, path: str) -> Any:
    """The first of all vectors less the others."""
    if not path.startswith("output3D"):
        return MISSING
    if evaluator.at(node, "operation") != 2:
        raise NotModelledError("plusMinusAverage: only subtracting is modelled")
    paths = {*evaluator.scene.connected_paths(node), *node.values}
    inputs = sorted({name.partition("]")[0] for name in paths if name.startswith("input3D[")})
    values = [evaluator.at(node, f"{name}].input3D{path[-1]}") for name in inputs]
    return single(values[0] - sum(values[1:]))
