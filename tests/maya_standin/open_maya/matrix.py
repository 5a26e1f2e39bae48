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

    def __mul__(self, other: Any) -> MMatrix:
        if isinstance(other, MMatrix):
            return MMatrix(self.array @ other.array)
        if isinstance(other, (int, float)):
            return MMatrix(self.array * other)
        return not_modelled(f"MMatrix * {type(other).__name__}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MMatrix) and bool(np.array_equal(self.array, other.array))

    __hash__ = None  # type: ignore[assignment]


MMatrix.kIdentity = MMatrix()
