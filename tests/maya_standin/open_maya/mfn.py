"""MFn and MSpace: numbers of API types, and which of them a node or attribute is.

Numbers as in maya-stubs 0.4.2 (made from a Maya's own modules). They differ between versions of
Maya; names do not, so code must use the names.
"""

from __future__ import annotations

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.graph import Node
from tests.maya_standin.open_maya.strict import Strict, not_modelled


class MFn(Strict):
    """API types."""

    kInvalid, kBase, kNamedObject, kDependencyNode = 0, 1, 2, 4
    kAnimCurve, kAnimCurveTimeToAngular, kAnimCurveTimeToDistance = 7, 8, 9
    kAnimCurveTimeToTime, kAnimCurveTimeToUnitless = 10, 11
    kAnimCurveUnitlessToAngular, kAnimCurveUnitlessToDistance = 12, 13
    kAnimCurveUnitlessToTime, kAnimCurveUnitlessToUnitless = 14, 15
    kDagNode, kTransform, kAimConstraint = 107, 110, 111
    kIkEffector, kIkHandle, kJoint = 119, 120, 121
    kOrientConstraint, kPointConstraint, kParentConstraint, kScaleConstraint = 239, 240, 242, 244
    kWorld, kShape, kLocator, kMesh, kExpression = 247, 248, 281, 296, 327
    kMatrixMult, kSet, kTime, kUnitConversion = 396, 471, 520, 529
    kAttribute, kNumericAttribute, kDoubleAngleAttribute = 565, 566, 567
    kDoubleLinearAttribute, kTimeAttribute, kEnumAttribute = 569, 571, 572
    kUnitAttribute, kTypedAttribute, kCompoundAttribute = 573, 574, 575
    kGenericAttribute = 576
    kMatrixAttribute, kMessageAttribute, kPlugin, kData = 578, 580, 582, 583
    kMatrixData, kNumericData, kStringData, kScript = 589, 593, 606, 640
    kSkinClusterFilter, kDagPose, kDisplayLayer, kAttribute3Double = 687, 691, 734, 752
    kReference, kPairBlend, kConstraint, kHikSolver = 756, 928, 933, 965
    kAnimLayer, kBlendNodeBase, kBlendNodeDouble, kBlendNodeDoubleAngle = 1021, 1022, 1024, 1025
    kBlendNodeDoubleLinear, kBlendNodeAdditiveScale, kBlendNodeAdditiveRotation = 1026, 1033, 1034
    kDecomposeMatrix = 1136


class MSpace(Strict):
    """Spaces of transformations."""

    kInvalid, kTransform, kObject, kPostTransform, kWorld, kLast = range(6)


NODE_TYPES = {
    "node": MFn.kDependencyNode,
    "dagNode": MFn.kDagNode,
    "transform": MFn.kTransform,
    "joint": MFn.kJoint,
    "shape": MFn.kShape,
    "locator": MFn.kLocator,
    "mesh": MFn.kMesh,
    "constraint": MFn.kConstraint,
    "orientConstraint": MFn.kOrientConstraint,
    "parentConstraint": MFn.kParentConstraint,
    "pointConstraint": MFn.kPointConstraint,
    "aimConstraint": MFn.kAimConstraint,
    "scaleConstraint": MFn.kScaleConstraint,
    "ikHandle": MFn.kIkHandle,
    "ikEffector": MFn.kIkEffector,
    "animCurve": MFn.kAnimCurve,
    "animCurveTA": MFn.kAnimCurveTimeToAngular,
    "animCurveTL": MFn.kAnimCurveTimeToDistance,
    "animCurveTT": MFn.kAnimCurveTimeToTime,
    "animCurveTU": MFn.kAnimCurveTimeToUnitless,
    "animCurveUA": MFn.kAnimCurveUnitlessToAngular,
    "animCurveUL": MFn.kAnimCurveUnitlessToDistance,
    "animCurveUT": MFn.kAnimCurveUnitlessToTime,
    "animCurveUU": MFn.kAnimCurveUnitlessToUnitless,
    "animLayer": MFn.kAnimLayer,
    "animBlend": MFn.kBlendNodeBase,
    "animBlendNodeAdditive": MFn.kBlendNodeDouble,
    "animBlendNodeAdditiveDA": MFn.kBlendNodeDoubleAngle,
    "animBlendNodeAdditiveDL": MFn.kBlendNodeDoubleLinear,
    "animBlendNodeAdditiveScale": MFn.kBlendNodeAdditiveScale,
    "animBlendNodeAdditiveRotation": MFn.kBlendNodeAdditiveRotation,
    "unitConversion": MFn.kUnitConversion,
    "pairBlend": MFn.kPairBlend,
    "decomposeMatrix": MFn.kDecomposeMatrix,
    "multMatrix": MFn.kMatrixMult,
    "expression": MFn.kExpression,
    "time": MFn.kTime,
    "reference": MFn.kReference,
    "objectSet": MFn.kSet,
    "skinCluster": MFn.kSkinClusterFilter,
    "dagPose": MFn.kDagPose,
    "displayLayer": MFn.kDisplayLayer,
    "script": MFn.kScript,
}
_TYPES_OF_NODES = {number: name for name, number in NODE_TYPES.items()}
ATTRIBUTE_TYPES = {
    "angle": MFn.kDoubleAngleAttribute,
    "distance": MFn.kDoubleLinearAttribute,
    "time": MFn.kTimeAttribute,
    "enum": MFn.kEnumAttribute,
    "string": MFn.kTypedAttribute,
    "typed": MFn.kTypedAttribute,
    # guess: dynamic-matrix-attribute-type (a node's own matrix attribute may be kTypedAttribute)
    "matrix": MFn.kMatrixAttribute,
    "message": MFn.kMessageAttribute,
    "compound": MFn.kCompoundAttribute,
    "generic": MFn.kGenericAttribute,
}


def names_of(number: int) -> str:
    """The name of an API type."""
    for name, value in vars(MFn).items():
        if name.startswith("k") and value == number:
            return name
    raise ValueError(f"{number} is no API type")


def node_type_number(node: Node) -> int:
    """API type of a node."""
    name = node.type
    if name not in NODE_TYPES:
        return not_modelled(f"the API type of a {name}")
    return NODE_TYPES[name]


def node_has_fn(node: Node, number: int) -> bool:
    """Whether a node is of an API type, itself or through what its type is derived from."""
    if number in (MFn.kBase, MFn.kNamedObject):
        return True
    name = _TYPES_OF_NODES.get(number)
    return name is not None and node.is_a(name)


def attribute_type_number(spec: AttributeSpec) -> int:
    """API type of an attribute."""
    if spec.kind == "compound" and [child.kind for child in spec.children] == ["double"] * 3:
        return MFn.kAttribute3Double
    return ATTRIBUTE_TYPES.get(spec.kind, MFn.kNumericAttribute)


def attribute_has_fn(spec: AttributeSpec, number: int) -> bool:
    """Whether an attribute is of an API type."""
    if number in (MFn.kBase, MFn.kNamedObject, MFn.kAttribute, attribute_type_number(spec)):
        return True
    return number == MFn.kUnitAttribute and spec.kind in ("angle", "distance", "time")
