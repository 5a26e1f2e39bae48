"""MVector: three numbers, as rows that a matrix multiplies from the right."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.strict import Strict, not_modelled


class Triple(Strict):
    """What MVector and MPoint share."""

    __slots__ = ("x", "y", "z")
    kTolerance = 1e-10

    def __init__(self, *args: Any) -> None:
        values = tuple(args[0]) if len(args) == 1 else args
        values = values or (0.0, 0.0, 0.0)
        if not 2 <= len(values) <= 4:
            raise ValueError(f"{type(self).__name__} takes two or three numbers")
        numbers = [float(value) for value in values] + [0.0]
        self.x, self.y, self.z = numbers[:3]

    def __iter__(self) -> Iterator[float]:
        return iter((self.x, self.y, self.z))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class MVector(Triple):
    """A direction: translation of a matrix does not move it."""

    __slots__ = ()
    kXaxis, kYaxis, kZaxis, kWaxis = range(4)
    kZeroVector: ClassVar[MVector]
    kXaxisVector: ClassVar[MVector]
    kYaxisVector: ClassVar[MVector]
    kZaxisVector: ClassVar[MVector]

    def __len__(self) -> int:
        return 3

    def __add__(self, other: Triple) -> MVector:
        return MVector(*(a + b for a, b in zip(self, other)))

    def __sub__(self, other: Triple) -> MVector:
        return MVector(*(a - b for a, b in zip(self, other)))

    def __mul__(self, other: Any) -> Any:
        """Dot product with a vector, image under a matrix, or multiple."""
        if isinstance(other, MVector):
            return sum(a * b for a, b in zip(self, other))
        if isinstance(other, MMatrix):
            return MVector(*(np.array(tuple(self)) @ other.array[:3, :3]))
        if isinstance(other, (int, float)):
            return MVector(*(a * other for a in self))
        return not_modelled(f"MVector * {type(other).__name__}")

    def length(self) -> float:
        return math.hypot(self.x, self.y, self.z)


MVector.kZeroVector = MVector()
MVector.kXaxisVector = MVector(1.0, 0.0, 0.0)
MVector.kYaxisVector = MVector(0.0, 1.0, 0.0)
MVector.kZaxisVector = MVector(0.0, 0.0, 1.0)
