"""MEulerRotation and MQuaternion; products apply the left factor first, as matrices of rows do.

Rotate orders of MEulerRotation are 0-based, like the rotateOrder plug (maya.md 0.12).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.strict import Strict, not_modelled
from tests.maya_standin.open_maya.vectors import MVector

# Axes in the order in which they turn, by rotateOrder (maya.md 0.12).
AXES = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0))


def turn_about(axis: int, angle: float) -> np.ndarray:
    """3x3 row-vector matrix of a turn about a coordinate axis (maya.md 1.1: AX, AY, AZ)."""
    matrix = np.eye(3)
    after, last = (axis + 1) % 3, (axis + 2) % 3
    cosine, sine = math.cos(angle), math.sin(angle)
    matrix[after, after] = matrix[last, last] = cosine
    matrix[after, last], matrix[last, after] = sine, -sine
    return matrix


def rotation_of(angles: Any, order: int) -> np.ndarray:
    """3x3 matrix of three angles about x, y and z, turned in a rotate order."""
    first, second, third = (turn_about(axis, angles[axis]) for axis in AXES[order])
    return first @ second @ third


class MEulerRotation(Strict):
    """Three angles (radians) and the order in which they turn."""

    __slots__ = ("order", "x", "y", "z")
    kTolerance = 1e-10
    kXYZ, kYZX, kZXY, kXZY, kYXZ, kZYX = range(6)
    kIdentity: ClassVar[MEulerRotation]

    def __init__(self, *args: Any, order: int | None = None) -> None:
        angles, given = _angles_and_order(args)
        self.x, self.y, self.z = (float(angle) for angle in angles)
        self.order = order if order is not None else given
        if self.order not in range(6):
            raise ValueError(f"rotation order {self.order!r}: MEulerRotation's are 0 to 5")

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[float]:
        return iter((self.x, self.y, self.z))

    def __repr__(self) -> str:
        return f"maya.api.OpenMaya.MEulerRotation({self.x}, {self.y}, {self.z}, {self.order})"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, MEulerRotation) and self.order == other.order
        return same and tuple(self) == tuple(other)  # type: ignore[call-overload]

    __hash__ = None  # type: ignore[assignment]

    def asMatrix(self) -> MMatrix:
        matrix = np.eye(4)
        matrix[:3, :3] = rotation_of(tuple(self), self.order)
        return MMatrix(matrix.ravel())

    def asQuaternion(self) -> MQuaternion:
        return quaternion_of(rotation_of(tuple(self), self.order))


def _angles_and_order(args: tuple[Any, ...]) -> tuple[Any, int]:
    if not args:
        return (0.0, 0.0, 0.0), 0
    if isinstance(args[0], MEulerRotation):
        return tuple(args[0]), args[0].order
    if len(args) in (3, 4) and not isinstance(args[0], MVector):
        return args[:3], args[3] if len(args) == 4 else 0
    if len(args) in (1, 2) and not isinstance(args[0], MMatrix):
        return tuple(args[0]), args[1] if len(args) == 2 else 0
    return not_modelled(f"MEulerRotation{args!r}")


class MQuaternion(Strict):
    """A quaternion x, y, z, w."""

    __slots__ = ("w", "x", "y", "z")
    kTolerance = 1e-10
    kIdentity: ClassVar[MQuaternion]

    def __init__(self, *args: Any) -> None:
        values = _components(args)
        self.x, self.y, self.z, self.w = (float(value) for value in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MQuaternion) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def _components(args: tuple[Any, ...]) -> Any:
    if not args:
        return (0.0, 0.0, 0.0, 1.0)
    if len(args) == 1 and len(args[0]) == 4:
        return args[0]
    if len(args) == 2 and isinstance(args[1], MVector):
        half = args[0] / 2.0
        return (*(args[1].normal() * math.sin(half)), math.cos(half))
    if len(args) == 4:
        return args
    return not_modelled(f"MQuaternion{args!r}")


def quaternion_of(matrix: np.ndarray) -> MQuaternion:
    """Quaternion of a 3x3 rotation of row vectors, worked out from its largest component."""
    trace = float(np.trace(matrix))
    squares = [1.0 - trace + 2.0 * matrix[axis, axis] for axis in range(3)] + [1.0 + trace]
    largest = int(np.argmax(squares))
    root = math.sqrt(squares[largest])
    values = [0.0, 0.0, 0.0, 0.0]
    values[largest] = root / 2.0
    scale = 0.5 / root
    if largest == 3:
        for axis in range(3):
            after, last = (axis + 1) % 3, (axis + 2) % 3
            values[axis] = (matrix[after, last] - matrix[last, after]) * scale
        return MQuaternion(*values)
    after, last = (largest + 1) % 3, (largest + 2) % 3
    values[3] = (matrix[after, last] - matrix[last, after]) * scale
    values[after] = (matrix[largest, after] + matrix[after, largest]) * scale
    values[last] = (matrix[largest, last] + matrix[last, largest]) * scale
    return MQuaternion(*values)


MEulerRotation.kIdentity = MEulerRotation()
MQuaternion.kIdentity = MQuaternion()
