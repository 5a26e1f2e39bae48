"""Graph between a joint and its drivers: conversions, plug-in nodes, parallel evaluation."""

from __future__ import annotations

import subprocess

import maya.api.OpenMaya as om
from maya import cmds

from tests.maya_live.commands import load_ours
from tests.maya_live.kit import check
from tests.maya_live.limits import plug
from tests.maya_live.scenes import keyed_joint
from tests.maya_live.startup import run_in_mayapy


@check("conversion-of-a-compound", "high", "five public scenes; case plug-conversion-is-made")
def conversion_of_a_compound():
    """blendColors or choice drives a whole rotate by one output without children."""
    joint, other = keyed_joint(), cmds.createNode("joint")
    blend, choice = cmds.createNode("blendColors"), cmds.createNode("choice")
    cmds.connectAttr(f"{joint}.rotate", f"{blend}.color1")
    cmds.connectAttr(f"{joint}.rotate", f"{choice}.input[0]")
    seen = []
    for output in (f"{blend}.output", f"{choice}.output"):
        cmds.connectAttr(output, f"{other}.rotate", force=True)
        source = plug(f"{other}.rotate").sourceWithConversion()
        seen.append(f"{source.name()} compound {source.isCompound}")
        assert not source.isCompound, seen[-1]
        cmds.disconnectAttr(output, f"{other}.rotate")
    return "; ".join(seen)


@check("plug-in-of-a-node", "medium", "API reference")
def plug_in_of_a_node():
    """MFnDependencyNode.pluginName is the plug-in of a node, and is empty for Maya's own nodes."""
    load_ours()
    cmds.loadPlugin("matrixNodes", quiet=True)
    seen = {}
    for kind in ("transform", "decomposeMatrix", "jointLimitProject"):
        node = cmds.createNode(kind)
        handle = om.MSelectionList().add(node).getDependNode(0)
        seen[kind] = str(om.MFnDependencyNode(handle).pluginName)
    assert not seen["transform"], seen
    assert "matrixNodes" in seen["decomposeMatrix"], seen
    assert "jointLimits" in seen["jointLimitProject"], seen
    return str(seen)


CHANGES_OF_TIME = """
import maya.standalone
maya.standalone.initialize(name="python")
from maya import cmds
import maya.api.OpenMaya as om, maya.api.OpenMayaAnim as oma
cmds.loadPlugin({plug_in!r})
node, joint = cmds.createNode("jointLimitProject"), cmds.createNode("joint")
cmds.setKeyframe(node, attribute="inputRotateX", time=1, value=0)
cmds.setKeyframe(node, attribute="inputRotateX", time=50, value=90)
cmds.connectAttr(node + ".outputRotate", joint + ".rotate")
cmds.evaluationManager(mode="parallel")
for frame in range(1, 51):
    oma.MAnimControl.setCurrentTime(om.MTime(frame, om.MTime.uiUnit()))
print("came back")
"""


@check(
    "python-node-in-parallel", "medium", "Autodesk/maya-usd issue 4488; Autodesk's blog, 2016-07-27"
)
def python_node_in_parallel():
    """Changing the time through the API while a Python node is evaluated in parallel may hang."""
    load_ours()
    path = cmds.pluginInfo("jointLimits", query=True, path=True)
    try:
        done = run_in_mayapy(CHANGES_OF_TIME.format(plug_in=str(path)))
    except subprocess.TimeoutExpired as error:
        return f"50 changes of time did not come back in {error.timeout:g} seconds"
    assert "came back" not in done.stdout, "50 changes of time came back"
    raise RuntimeError(done.stderr[-300:])


@check("keyable-channels", "high", "help of MPlug and setAttr")
def keyable_channels():
    """MPlug.isKeyable is true for a transform's channels, even locked ones, until switched off."""
    group = cmds.createNode("transform")
    turn, move = plug(f"{group}.rotateX"), plug(f"{group}.translateY")
    seen = [turn.isKeyable, move.isKeyable]
    cmds.setAttr(f"{group}.rotateX", lock=True)
    cmds.setAttr(f"{group}.translateY", keyable=False)
    seen += [turn.isKeyable, move.isKeyable]
    assert seen == [True, True, True, False], seen
    return str(seen)


@check("shapes-are-children", "high", "API reference")
def shapes_are_children():
    """MDagPath.child and childCount include the shapes below a transform, not only transforms."""
    group, target = cmds.createNode("transform", name="group"), cmds.createNode("joint")
    for kind in ("nurbsCurve", "transform", "joint"):
        cmds.createNode(kind, name=f"below_{kind}", parent=group)
    cmds.orientConstraint(target, group)
    path = om.MDagPath.getAPathTo(plug(f"{group}.message").node())
    nodes = (path.child(number) for number in range(path.childCount()))
    kinds = sorted(str(om.MFnDependencyNode(one).typeName) for one in nodes)
    assert kinds == ["joint", "nurbsCurve", "orientConstraint", "transform"], kinds
    return str(kinds)


@check("order-of-connections", "low", "none")
def order_of_connections():
    """MFnDependencyNode.getConnections lists plugs in the order in which they were connected."""
    first, second = cmds.createNode("transform"), cmds.createNode("transform")
    blend = cmds.createNode("blendColors")
    cmds.connectAttr(f"{second}.rotate", f"{blend}.color2")
    cmds.connectAttr(f"{first}.rotate", f"{blend}.color1")
    plugs = om.MFnDependencyNode(plug(f"{blend}.message").node()).getConnections()
    found = [str(one.partialName(useLongNames=True)) for one in plugs if one.isDestination]
    assert found == ["color2", "color1"], found
    return str(found)


@check("cycle-is-a-warning", "high", "help of cycleCheck")
def cycle_is_a_warning():
    """Reading a plug that depends on itself gives a number and a warning, but no error."""
    first, second = cmds.createNode("multiplyDivide"), cmds.createNode("multiplyDivide")
    joint = cmds.createNode("joint")
    cmds.connectAttr(f"{first}.output", f"{second}.input1")
    cmds.connectAttr(f"{second}.output", f"{first}.input1")
    cmds.connectAttr(f"{first}.outputX", f"{joint}.rotateX")
    turn, later = plug(f"{joint}.rotateX"), om.MDGContext(om.MTime(7, om.MTime.uiUnit()))
    return f"{turn.asDouble():g}, at another time {turn.asDouble(later):g}"


@check("guides-in-namespace-and-metres", "high", "command reference")
def guides_in_namespace_and_metres():
    """A name with a leading colon is in the root namespace; curve takes scene units."""
    cmds.namespace(addNamespace="work")
    cmds.namespace(setNamespace="work")
    cmds.currentUnit(linear="m")
    try:
        group = cmds.createNode("transform", name=":jointLimitsCase")
        curve = cmds.curve(degree=1, point=[(0, 0, 0), (1, 0, 0)], name=":jointLimitsCurve")
        assert group == "jointLimitsCase", group
        assert curve.lstrip(":") == "jointLimitsCurve", curve
        cmds.currentUnit(linear="cm")
        long = cmds.getAttr(f"{curve}.boundingBoxMaxX")
        assert abs(long - 100.0) < 1e-6, f"1 in metres is {long} cm"
    finally:
        cmds.currentUnit(linear="cm")
        cmds.namespace(setNamespace=":")
