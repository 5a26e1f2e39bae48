"""The module maya.api.OpenMaya: every name of it that is modelled."""

from __future__ import annotations

from tests.maya_standin.open_maya.arg_database import MArgDatabase, MArgParser
from tests.maya_standin.open_maya.arrays import MDoubleArray, MIntArray, MTimeArray
from tests.maya_standin.open_maya.attribute_sets import (
    MFnAttribute,
    MFnCompoundAttribute,
    MFnEnumAttribute,
    MFnMatrixAttribute,
    MFnMessageAttribute,
    MFnNumericAttribute,
    MFnTypedAttribute,
    MFnUnitAttribute,
)
from tests.maya_standin.open_maya.command import MPxCommand
from tests.maya_standin.open_maya.context import MDGContext
from tests.maya_standin.open_maya.dag_path import MDagPath, MObjectArray
from tests.maya_standin.open_maya.data_block import MArrayDataHandle, MDataBlock, MDataHandle
from tests.maya_standin.open_maya.data_sets import MFnData, MFnMatrixData, MFnNumericData
from tests.maya_standin.open_maya.iterators import MItDag, MItDependencyNodes
from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.mfn import MFn, MSpace
from tests.maya_standin.open_maya.mglobal import MGlobal
from tests.maya_standin.open_maya.modifier import MDagModifier, MDGModifier
from tests.maya_standin.open_maya.node_sets import MFnBase, MFnDagNode, MFnDependencyNode
from tests.maya_standin.open_maya.objects import MObject, MObjectHandle
from tests.maya_standin.open_maya.plug import MPlug, MPlugArray
from tests.maya_standin.open_maya.plugin import MFnPlugin
from tests.maya_standin.open_maya.plugin_node import MPxNode, MTypeId
from tests.maya_standin.open_maya.references import MFnReference, MNamespace
from tests.maya_standin.open_maya.rotations import MEulerRotation, MQuaternion
from tests.maya_standin.open_maya.selection import MSelectionList
from tests.maya_standin.open_maya.syntax import MArgList, MSyntax
from tests.maya_standin.open_maya.units import MAngle, MDistance, MTime
from tests.maya_standin.open_maya.vectors import MVector

__all__ = [
    "MAngle",
    "MArgDatabase",
    "MArgList",
    "MArgParser",
    "MArrayDataHandle",
    "MDGContext",
    "MDGModifier",
    "MDagModifier",
    "MDagPath",
    "MDataBlock",
    "MDataHandle",
    "MDistance",
    "MDoubleArray",
    "MEulerRotation",
    "MFn",
    "MFnAttribute",
    "MFnBase",
    "MFnCompoundAttribute",
    "MFnDagNode",
    "MFnData",
    "MFnDependencyNode",
    "MFnEnumAttribute",
    "MFnMatrixAttribute",
    "MFnMatrixData",
    "MFnMessageAttribute",
    "MFnNumericAttribute",
    "MFnNumericData",
    "MFnPlugin",
    "MFnReference",
    "MFnTypedAttribute",
    "MFnUnitAttribute",
    "MGlobal",
    "MIntArray",
    "MItDag",
    "MItDependencyNodes",
    "MMatrix",
    "MNamespace",
    "MObject",
    "MObjectArray",
    "MObjectHandle",
    "MPlug",
    "MPlugArray",
    "MPxCommand",
    "MPxNode",
    "MQuaternion",
    "MSelectionList",
    "MSpace",
    "MSyntax",
    "MTime",
    "MTimeArray",
    "MTypeId",
    "MVector",
]
