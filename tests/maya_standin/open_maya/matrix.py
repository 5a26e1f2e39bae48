"""MMatrix: sixteen numbers by rows; points are rows and stand to the left (maya.md 1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import numpy as np

from tests.maya_standin.open_maya.strict import Strict, not_modelled


class MMatrix(Strict):
    """A 4x4 matrix; as a sequence its sixteen numbers."""

    __slots__ = ("array",)
    kTolerance = 1e-10
    kIdentity: ClassVar[MMatrix]

    def __init__(self, source: MMatrix | Iterable[Any] | None = None, /) -> None:
        if source is None:
            self.array = np.eye(4)
        elif isinstance(source, MMatrix):
            self.array = source.array.copy()
        else:
            numbers = np.array(list(source), dtype=float)
            if numbers.size != 16:
                raise ValueError("a matrix has sixteen numbers")
            self.array = numbers.reshape(4, 4)

    def __len__(self) -> int:
        return 16

    def __iter__(self) -> Iterator[float]:
        return iter(self.array.ravel().tolist())

    def __getitem__(self, index: int) -> float:
        if not isinstance(index, int):
            return not_modelled("slices of an MMatrix")
        return float(self.array.ravel()[index])

    def __setitem__(self, index: int, value: float) -> None:
        self.array.reshape(16)[index] = value

    def __mul__(self, other: Any) -> MMatrix:
        if isinstance(other, MMatrix):
            return MMatrix(self.array @ other.array)
        if isinstance(other, (int, float)):
            return MMatrix(self.array * other)
        return not_modelled(f"MMatrix * {type(other).__name__}")

    def __add__(self, other: MMatrix) -> MMatrix:
        return MMatrix(self.array + other.array)

    def __sub__(self, other: MMatrix) -> MMatrix:
        return MMatrix(self.array - other.array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MMatrix) and bool(np.array_equal(self.array, other.array))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        rows = ", ".join(str(tuple(row)) for row in self.array.tolist())
        return f"maya.api.OpenMaya.MMatrix(({rows}))"

    def transpose(self) -> MMatrix:
        return MMatrix(self.array.T)

    def inverse(self) -> MMatrix:
        if self.isSingular():
            return not_modelled("inverse of a singular MMatrix")
        return MMatrix(np.linalg.inv(self.array))

    def det4x4(self) -> float:
        return float(np.linalg.det(self.array))

    def isSingular(self) -> bool:
        return self.det4x4() == 0.0

    def isEquivalent(self, other: MMatrix, /, tolerance: float = 1e-10) -> bool:
        return bool(np.all(np.abs(self.array - other.array) <= tolerance))


MMatrix.kIdentity = MMatrix()
