"""MFnTransform: limits and the parts of a transform's local matrix.

Its setters are direct edits: not undoable, and what they do to locked, connected or referenced
plugs is not known (maya.md 1.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.maya_standin.graph import Node, Plug
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.node_sets import MFnDagNode
from tests.maya_standin.open_maya.reading import value_now
from tests.maya_standin.open_maya.rotations import MEulerRotation, quaternion_of, rotation_of
from tests.maya_standin.open_maya.strict import not_modelled
from tests.maya_standin.open_maya.transformation import MTransformationMatrix
from tests.maya_standin.open_maya.vectors import MVector


class MFnTransform(MFnDagNode):
    """A transform or joint."""

    __slots__ = ()
    _type = mfn.MFn.kTransform
    kScaleMinX, kScaleMaxX, kScaleMinY, kScaleMaxY, kScaleMinZ, kScaleMaxZ = range(6)
    kRotateMinX, kRotateMaxX, kRotateMinY, kRotateMaxY, kRotateMinZ, kRotateMaxZ = range(12, 18)
    kTranslateMinX, kTranslateMaxX, kTranslateMinY, kTranslateMaxY = range(18, 22)
    kTranslateMinZ, kTranslateMaxZ = 22, 23

    # --- limits ---------------------------------------------------------------------------------

    def enableLimit(self, type: int, flag: bool, /) -> MFnTransform:
        _set(_limit(self._node(), type, "Enable"), bool(flag))
        return self

    def setLimit(self, type: int, value: float, /) -> MFnTransform:
        """Change a limit and enable it (maya.md 1.2)."""
        _set(_limit(self._node(), type), float(value))
        return self.enableLimit(type, True)

    # --- parts of the matrix --------------------------------------------------------------------

    def rotationOrder(self) -> int:
        """1-based, unlike the rotateOrder plug (maya.md 0.12)."""
        return int(value_now(Plug(self._node(), "rotateOrder"))) + 1

    def rotation(self, space: int = mfn.MSpace.kTransform, asQuaternion: bool = False) -> Any:
        """R of the local matrix alone, without rotateAxis and jointOrient (maya.md 1.1)."""
        _check_transform_space(space)
        order = self.rotationOrder() - 1
        angles = value_now(Plug(self._node(), "rotate"))
        if asQuaternion:
            return quaternion_of(rotation_of(angles, order))
        return MEulerRotation(*angles, order)

    def translation(self, space: int, /) -> MVector:
        if space == mfn.MSpace.kWorld:
            return MVector(*np.array(value_now(Plug(self._node(), "worldMatrix[0]")))[12:15])
        _check_transform_space(space)
        return MVector(*value_now(Plug(self._node(), "translate")))

    def scale(self) -> list[float]:
        return [float(value) for value in value_now(Plug(self._node(), "scale"))]

    def transformation(self) -> MTransformationMatrix:
        return MTransformationMatrix(self.transformationMatrix())


def _check_transform_space(space: int) -> None:
    if space not in (mfn.MSpace.kTransform, mfn.MSpace.kObject):
        not_modelled(f"MFnTransform in the space {space}")


def _limit(node: Node, number: int, switch: str = "") -> Plug:
    """Plug of a limit or of its switch, by the number of the constant (maya.md 1.2)."""
    words = {0: "Scale", 2: "Rot", 3: "Trans"}
    if number // 6 not in words:
        return not_modelled(f"MFnTransform limit {number}")
    edge = "max" if number % 2 else "min"
    axis = "XYZ"[number % 6 // 2]
    return Plug(node, f"{edge}{words[number // 6]}{axis}Limit{switch}")


def _set(plug: Plug, value: bool | float) -> None:
    if not scene().is_free(plug) or plug.node.reference is not None:
        not_modelled(f"MFnTransform setting {plug.path} that is locked, connected or referenced")
    with scene().journal.into(None):
        scene().set_value(plug, value)
