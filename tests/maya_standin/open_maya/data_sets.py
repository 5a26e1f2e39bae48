"""MFnData and its kinds: values of plugs by themselves."""

from __future__ import annotations

from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.node_sets import MFnBase
from tests.maya_standin.open_maya.objects import Data, MObject, object_of, target_of
from tests.maya_standin.open_maya.strict import not_modelled
from tests.maya_standin.pose_record import PoseMatrix


class MFnData(MFnBase):
    """A value of a plug."""

    __slots__ = ()
    _type = mfn.MFn.kData
    kInvalid, kNumeric, kPlugin, kPluginGeometry, kString, kMatrix = range(6)


class MFnNumericData(MFnData):
    """Kinds of numbers; data that holds several numbers is not modelled."""

    __slots__ = ()
    _type = mfn.MFn.kNumericData
    kInvalid, kBoolean, kByte, kChar, kShort = range(5)
    kLong = kInt = 7
    kFloat, kDouble = 11, 14


class MFnMatrixData(MFnData):
    """A matrix."""

    __slots__ = ()
    _type = mfn.MFn.kMatrixData

    def create(self, matrix: MMatrix | None = None, /) -> MObject:
        made = object_of(Data(MMatrix() if matrix is None else MMatrix(matrix)))
        self.setObject(made)
        return made

    def matrix(self) -> MMatrix:
        return MMatrix(_value(self._object, MMatrix))

    def isTransformation(self) -> bool:
        """Whether it remembers channels. guess: matrix-data-keeps-record"""
        data = target_of(self._object)
        return isinstance(data, Data) and isinstance(data.stored, PoseMatrix)


def _value(handle: MObject, kind: type) -> MMatrix | str:
    data = target_of(handle)
    if isinstance(data, Data) and isinstance(data.value, kind):
        return data.value
    return not_modelled(f"data that holds no {kind.__name__}")
