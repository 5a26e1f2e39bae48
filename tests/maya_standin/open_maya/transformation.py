"""MTransformationMatrix: scale, shear, rotation and translation, without pivots.

Its rotation orders are 1-based (maya.md 0.12). Of a joint's local matrix its rotation is
rotateAxis, rotate and jointOrient folded together (maya.md 1.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.mfn import MSpace
from tests.maya_standin.open_maya.rotations import MEulerRotation, angles_of, quaternion_of
from tests.maya_standin.open_maya.strict import Strict, not_modelled
from tests.maya_standin.open_maya.vectors import MVector


class MTransformationMatrix(Strict):
    """A transformation in parts: scale and shear, then rotation, then translation."""

    __slots__ = ("_order", "_rotation", "_stretch", "_translation")
    kTolerance = 1e-10
    kInvalid, kXYZ, kYZX, kZXY, kXZY, kYXZ, kZYX, kLast = range(8)
    kIdentity: ClassVar[MTransformationMatrix]

    def __init__(self, source: MTransformationMatrix | MMatrix | None = None, /) -> None:
        self._order = self.kXYZ
        if isinstance(source, MTransformationMatrix):
            self._order, source = source._order, source.asMatrix()
        matrix = np.eye(4) if source is None else source.array
        self._stretch, self._rotation = _stretch_and_rotation(matrix[:3, :3])
        self._translation = matrix[3, :3].copy()

    def asMatrix(self, interp: float = 1.0) -> MMatrix:
        if interp != 1.0:
            return not_modelled("MTransformationMatrix.asMatrix(interp)")
        matrix = np.eye(4)
        matrix[:3, :3] = self._stretch @ self._rotation
        matrix[3, :3] = self._translation
        return MMatrix(matrix.ravel())

    def rotation(self, asQuaternion: bool = False) -> Any:
        if asQuaternion:
            return quaternion_of(self._rotation)
        order = self._order - 1
        return MEulerRotation(*angles_of(self._rotation, order), order)

    def rotationOrder(self) -> int:
        return self._order

    def translation(self, space: int, /) -> MVector:
        _check_space(space)
        return MVector(*self._translation)

    def scale(self, space: int, /) -> list[float]:
        _check_space(space)
        return [float(value) for value in np.diag(self._stretch)]

    def setScale(self, seq: Sequence[float], space: int, /) -> MTransformationMatrix:
        _check_space(space)
        if np.any(self._stretch != np.diag(np.diag(self._stretch))):
            return not_modelled("MTransformationMatrix.setScale of a sheared matrix")
        self._stretch = np.diag([float(value) for value in seq])
        return self

    def isEquivalent(self, other: MTransformationMatrix, /, tolerance: float = 1e-10) -> bool:
        return self.asMatrix().isEquivalent(other.asMatrix(), tolerance)


def _check_space(space: int) -> None:
    if space not in (MSpace.kTransform, MSpace.kWorld, MSpace.kObject):
        not_modelled(f"MSpace {space!r}")


def _stretch_and_rotation(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower triangle times rotation (scale and shear times turn) of a 3x3 of row vectors."""
    if np.linalg.det(matrix) <= 0.0:
        return not_modelled("MTransformationMatrix of a mirrored or singular matrix")
    turn, upper = np.linalg.qr(matrix.T)
    signs = np.sign(np.diag(upper))
    return (upper.T * signs), (turn * signs).T


MTransformationMatrix.kIdentity = MTransformationMatrix()
