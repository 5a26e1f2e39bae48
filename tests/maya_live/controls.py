"""Controls: limits on transforms, their curve shapes, and the sets that hold them."""

from __future__ import annotations

import math

import maya.api.OpenMaya as om
from maya import cmds

from tests.maya_live.kit import check
from tests.maya_live.scenes import node_of


def keyed_control(name="ctl"):
    """A transform with a curve shape; rotateX has 90 degrees at frame 10."""
    control = cmds.createNode("transform", name=name)
    cmds.createNode("nurbsCurve", name=f"{name}Shape", parent=control)
    for frame, value in ((1, 0.0), (10, 90.0)):
        cmds.setKeyframe(control, attribute="rotateX", time=frame, value=value)
    return control


@check("transform-limit-clamps", "high", "the attributes are those of every transform")
def transform_limit_clamps():
    """An enabled limit on a transform clamps its keyed rotate, and a joint constrained to it."""
    control = keyed_control()
    cmds.select(clear=True)
    joint = cmds.joint(name="knee")
    cmds.orientConstraint(control, joint)
    cmds.setAttr(f"{control}.maxRotXLimit", 45)
    cmds.setAttr(f"{control}.maxRotXLimitEnable", True)
    cmds.currentTime(10)
    for name in (control, joint):
        seen = cmds.getAttr(f"{name}.rotateX")
        assert abs(seen - 45) < 1e-4, f"{name} has {seen} degrees of 90, with a limit of 45"
    matrix = cmds.getAttr(f"{control}.matrix")
    assert abs(math.degrees(math.atan2(matrix[6], matrix[5])) - 45) < 1e-4, matrix


@check("api-type-of-a-transform", "high", "API reference; MFn's list of types")
def api_type_of_a_transform():
    """A control's apiType is kTransform, a joint's is kJoint; a control's shape is a nurbsCurve."""
    control = keyed_control()
    cmds.select(clear=True)
    joint = cmds.joint(name="knee")
    path = om.MDagPath.getAPathTo(node_of(control))
    assert path.apiType() == om.MFn.kTransform, path.apiType()
    assert om.MDagPath.getAPathTo(node_of(joint)).apiType() == om.MFn.kJoint
    kinds = [om.MFnDependencyNode(path.child(0)).typeName]
    assert kinds == ["nurbsCurve"], kinds
    found, walk = [], om.MItDag(om.MItDag.kDepthFirst, om.MFn.kTransform)
    while not walk.isDone():
        found.append(walk.getPath().partialPathName())
        walk.next()
    assert {control, joint} <= set(found), f"the filter kTransform passes only {found}"


@check("members-of-a-set", "medium", "command reference")
def members_of_a_set():
    """`sets -query` lists a set's members; a set in a set is one of them."""
    control = keyed_control()
    inner = cmds.sets(control, name="inner")
    outer = cmds.sets(inner, name="outer")
    assert cmds.sets(inner, query=True) == [control], cmds.sets(inner, query=True)
    assert cmds.sets(outer, query=True) == [inner], cmds.sets(outer, query=True)
    cmds.select(outer, noExpand=True)
    assert cmds.ls(selection=True, exactType="objectSet") == [outer], cmds.ls(selection=True)
