"""Our node that keeps joints inside coupled limits, and plain nodes that do the same."""

from __future__ import annotations

import json
import math

import maya.api.OpenMaya as om
from maya import cmds

from tests.maya_live.commands import load_ours
from tests.maya_live.kit import check
from tests.maya_live.limits import plug

BOX = {
    "kind": "box",
    "coordinates": {"kind": "rotation-vector", "centre": [0.0, 0.0, 0.0, 1.0]},
    "region": {"kind": "box", "low": [-0.5, -0.4, -0.3], "high": [0.5, 0.4, 0.3]},
}

FREE = {
    "order": 0,
    "joint_orient_deg": [0.0, 0.0, 0.0],
    "rotate_axis_deg": [0.0, 0.0, 0.0],
    "limits_deg": [[None, None]] * 3,
}


def connect(*pairs):
    """Connect plugs as our edits do."""
    modifier = om.MDGModifier()
    for source, destination in pairs:
        modifier.connect(plug(source), plug(destination))
    modifier.doIt()


def near(seen, expected, tolerance=1e-5):
    assert abs(seen - expected) < tolerance, f"{seen} instead of {expected}"


def shoulder():
    """A joint with its own orientation and rotate order, keyed far outside at frame 10."""
    cmds.select(clear=True)
    joint = cmds.joint(name="shoulder")
    cmds.setAttr(f"{joint}.rotateOrder", 2)
    cmds.setAttr(f"{joint}.jointOrient", 10.0, 20.0, -15.0, type="double3")
    for channel, value in (("rotateX", 70.0), ("rotateY", -20.0), ("rotateZ", 35.0)):
        for frame, share in ((1, 0.0), (10, 1.0)):
            cmds.setKeyframe(joint, attribute=channel, time=frame, value=value * share)
    return joint


def shown_rotates(joint):
    """Rotate channels at frames 1, 5 and 10."""
    return [cmds.getAttr(f"{joint}.rotate{axis}", time=f) for f in (1, 5, 10) for axis in "XYZ"]


@check("node-type-id", "medium", "Autodesk leaves 0 to 0x7ffff free")
def node_type_id():
    """The ID of our node is free: the plug-in loads, and a node can be created."""
    load_ours()
    node = cmds.createNode("jointLimitProject")
    assert cmds.nodeType(node) == "jointLimitProject"


@check("node-compute-return", "settled", "docstring of MPxNode.compute")
def node_compute_return():
    """A compute that returns self counts as done: the outputs have the values that it set."""
    load_ours()
    node = cmds.createNode("jointLimitProject")
    cmds.setAttr(f"{node}.shape", json.dumps(BOX, separators=(",", ":")), type="string")
    cmds.setAttr(f"{node}.inputRotateX", 90.0)
    near(cmds.getAttr(f"{node}.outputRotateX"), math.degrees(0.5))
    near(cmds.getAttr(f"{node}.outside"), 90.0 - math.degrees(0.5))
    assert not cmds.getAttr(f"{node}.problem"), cmds.getAttr(f"{node}.problem")


@check("numeric-compound-of-angles", "high", "API reference")
def numeric_compound_of_angles():
    """A compound of three angles from MFnNumericAttribute connects with a joint's rotate."""
    load_ours()
    node = cmds.createNode("jointLimitProject")
    joint = shoulder()
    cmds.setAttr(f"{node}.inputRotateX", 90.0)
    near(plug(f"{node}.inputRotateX").asDouble(), math.pi / 2, 1e-9)
    connect((f"{joint}.jointOrient", f"{node}.jointOrient"))
    near(cmds.getAttr(f"{node}.jointOrientY"), 20.0)


@check("joint-frame-into-node", "high", "constraints in saved scenes")
def joint_frame_into_node():
    """Connecting rotateOrder and jointOrient to a node that drives rotate makes no cycle."""
    import jointlimits_maya

    load_ours()
    joint = shoulder()
    jointlimits_maya.project_live({joint: BOX})
    cmds.currentTime(10)
    first = cmds.getAttr(f"{joint}.rotateX")
    cmds.currentTime(1)
    cmds.currentTime(10)
    near(cmds.getAttr(f"{joint}.rotateX"), first, 1e-9)
    assert abs(first - 70.0) > 1.0, "the joint is not kept inside"


RANGES = {
    "box": FREE,
    "drivers": [["upper", FREE]],
    "ties": [[0, 0, 0, [[0.0, 90.0], [-10.0, -10.0]], [[0.0, 90.0], [10.0, 80.0]]]],
}
"""X of a joint is at most 10 degrees with X of the joint "upper" at 0, and 80 with it at 90."""
DRIVER = ("Rotate", "RotateOrder", "JointOrient", "RotateAxis")


def node_with_ranges():
    """The node of a joint that depends on another joint, and that joint, not yet connected."""
    load_ours()
    node = cmds.createNode("jointLimitProject")
    cmds.setAttr(f"{node}.ranges", json.dumps(RANGES, separators=(",", ":")), type="string")
    cmds.setAttr(f"{node}.inputRotateX", 50.0)
    cmds.select(clear=True)
    return node, cmds.joint(name="upper")


def drive(node, joint, place):
    names = (f"{name[0].lower()}{name[1:]}" for name in DRIVER)
    pairs = zip(names, DRIVER)
    connect(*((f"{joint}.{own}", f"{node}.driver{name}[{place}]") for own, name in pairs))


@check(
    "jump-to-a-missing-element",
    "medium",
    "comment in AutodeskRoboticsLab/Mimic:mimic/plug-ins/robotAxisDynamics.py",
)
def jump_to_a_missing_element():
    """jumpToLogicalElement takes an index, and raises RuntimeError if there is no such element."""
    node, joint = node_with_ranges()
    seen = []
    for place in (None, 1, 0):
        if place is not None:
            drive(node, joint, place)
        seen += [cmds.getAttr(f"{node}.outputRotateX"), bool(cmds.getAttr(f"{node}.problem"))]
    assert seen[:4] == [50.0, True, 50.0, True], seen
    near(seen[4], 10.0, 0.02)
    assert not seen[5], cmds.getAttr(f"{node}.problem")
    cmds.setAttr(f"{joint}.rotateX", 45.0)
    near(cmds.getAttr(f"{node}.outputRotateX"), 45.0, 0.02)
    return str(seen)


@check(
    "element-goes-with-its-source",
    "medium",
    "API reference of setDisconnectBehavior; Autodesk's geometrySurfaceConstraint sample",
)
def element_goes_with_its_source():
    """With kDelete, an array element is removed with its source; undo restores it."""
    node, joint = node_with_ranges()
    drive(node, joint, 0)
    seen = [len(plug(f"{node}.driverRotate").getExistingArrayAttributeIndices())]
    cmds.delete(joint)
    seen.append(len(plug(f"{node}.driverRotate").getExistingArrayAttributeIndices()))
    seen += [cmds.getAttr(f"{node}.outputRotateX"), bool(cmds.getAttr(f"{node}.problem"))]
    cmds.undo()
    seen.append(len(plug(f"{node}.driverRotate").getExistingArrayAttributeIndices()))
    assert seen == [1, 0, 50.0, True, 1], seen
    return str(seen)


@check("unit-conversion-by-hand", "high", "node reference")
def unit_conversion_by_hand():
    """A unitConversion of factor 1 outputs an angle as radians; no other node is inserted."""
    joint = shoulder()
    node, vector = cmds.createNode("unitConversion"), cmds.createNode("multiplyDivide")
    cmds.setAttr(f"{node}.conversionFactor", 1.0)
    connect((f"{joint}.jointOrientY", f"{node}.input"), (f"{node}.output", f"{vector}.input1X"))
    near(cmds.getAttr(f"{vector}.outputX"), math.radians(20.0), 1e-6)
    assert plug(f"{vector}.input1X").sourceWithConversion().name() == f"{node}.output"


@check("vector-product-of-nothing", "medium", "none")
def vector_product_of_nothing():
    """vectorProduct normalises the vector 0 to 0."""
    node = cmds.createNode("vectorProduct")
    cmds.setAttr(f"{node}.operation", 0)
    cmds.setAttr(f"{node}.normalizeOutput", True)
    for axis in "XYZ":
        near(cmds.getAttr(f"{node}.output{axis}"), 0.0, 1e-12)


@check("vector-product-dot-in-x", "high", "node reference")
def vector_product_dot_in_x():
    """vectorProduct gives a dot product in outputX."""
    node = cmds.createNode("vectorProduct")
    cmds.setAttr(f"{node}.operation", 1)
    for number, axis in enumerate("XYZ", 1):
        cmds.setAttr(f"{node}.input1{axis}", float(number))
        cmds.setAttr(f"{node}.input2{axis}", float(number + 3))
    near(cmds.getAttr(f"{node}.outputX"), 32.0)


@check("compose-matrix-quaternion", "high", "node reference")
def compose_matrix_quaternion():
    """composeMatrix gives the same rotation for a quaternion about X as for the angle."""
    cmds.loadPlugin("matrixNodes", quiet=True)
    node, parts = cmds.createNode("composeMatrix"), cmds.createNode("decomposeMatrix")
    cmds.setAttr(f"{node}.useEulerRotation", False)
    cmds.setAttr(f"{node}.inputQuatX", math.sin(0.4))
    cmds.setAttr(f"{node}.inputQuatW", math.cos(0.4))
    connect((f"{node}.outputMatrix", f"{parts}.inputMatrix"))
    near(cmds.getAttr(f"{parts}.outputRotateX"), math.degrees(0.8))


@check("decompose-matrix-quaternion", "high", "node reference")
def decompose_matrix_quaternion():
    """decomposeMatrix returns a quaternion about X, with either sign."""
    cmds.loadPlugin("matrixNodes", quiet=True)
    node, parts = cmds.createNode("composeMatrix"), cmds.createNode("decomposeMatrix")
    cmds.setAttr(f"{node}.inputRotateX", 100.0)
    connect((f"{node}.outputMatrix", f"{parts}.inputMatrix"))
    x, w = (cmds.getAttr(f"{parts}.outputQuat{letter}") for letter in "XW")
    near(abs(x), math.sin(math.radians(50.0)))
    near(x / w, math.tan(math.radians(50.0)))
    return f"w is {w:.3f}"


@check("path-project-live")
def path_project_live():
    """Our node and plain nodes give a keyed joint the same pose, and leave no trace."""
    import jointlimits_maya

    load_ours()
    cmds.loadPlugin("matrixNodes", quiet=True)
    joint = shoulder()
    before, nodes = shown_rotates(joint), set(cmds.ls())
    jointlimits_maya.project_live({joint: BOX})
    with_node = shown_rotates(joint)
    assert max(abs(a - b) for a, b in zip(before, with_node)) > 1.0, "nothing is kept inside"
    jointlimits_maya.project_live({joint: BOX}, plain_nodes=True)
    off = max(abs(a - b) for a, b in zip(shown_rotates(joint), with_node))
    assert off < 1e-3, f"plain nodes differ by {off} degrees"
    jointlimits_maya.stop_projecting(joint)
    assert shown_rotates(joint) == before, shown_rotates(joint)
    assert set(cmds.ls()) == nodes, set(cmds.ls()) ^ nodes
    for _ in range(3):
        cmds.undo()
    assert shown_rotates(joint) == before, shown_rotates(joint)
    return f"plain nodes differ by {off:.1e} degrees"


@check("path-project-keys")
def path_project_keys():
    """projectKeys moves keys inside, as one undo step."""
    import jointlimits_maya

    load_ours()
    joint = shoulder()
    before = shown_rotates(joint)
    result = jointlimits_maya.project_keys({joint: BOX})
    assert result.moved[0].frames == (10.0,), result
    after = shown_rotates(joint)
    assert after != before
    jointlimits_maya.project_live({joint: BOX})
    off = max(abs(a - b) for a, b in zip(shown_rotates(joint)[6:], after[6:]))
    assert off < 1e-6, f"the node moves a projected key by {off} degrees"
    cmds.undo()
    cmds.undo()
    assert shown_rotates(joint) == before, shown_rotates(joint)
