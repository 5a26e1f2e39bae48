"""A skeleton from tracked transforms: reading the tracks, building joints, following live."""

from __future__ import annotations

import math

import maya.api.OpenMaya as om
from maya import cmds
from maya.api.MDGContextGuard import MDGContextGuard

from tests.maya_live.commands import load_ours
from tests.maya_live.kit import check
from tests.maya_live.limits import plug

UPPER, FRAMES = 30.0, 48
"""Length of the upper arm in centimetres, and of the motion in frames."""


def turn(angles, vector):
    """A vector turned about X, then Y, then Z, degrees."""
    euler = om.MEulerRotation([math.radians(angle) for angle in angles])
    return om.MVector(vector) * euler.asMatrix()


def swing(frame, phase):
    """Angles that never repeat."""
    return [40.0 * math.sin(frame * pace + phase) for pace in (0.21, 0.13, 0.34)]


def tracks():
    """Keyed tracks of an upper arm and a forearm, each beside its bone."""
    names = [cmds.createNode("transform", name=name) for name in ("upper", "lower")]
    for frame in range(1, FRAMES + 1):
        turns = swing(frame, 0.0), swing(frame, 1.0)
        elbow = turn(turns[0], (UPPER, 0.0, 0.0))
        places = (turn(turns[0], (UPPER / 2, 3.0, 0.0)), elbow + turn(turns[1], (10.0, 0.0, 4.0)))
        for name, place, angles in zip(names, places, turns):
            for axis, length, angle in zip("XYZ", place, angles):
                cmds.setKeyframe(name, attribute=f"translate{axis}", time=frame, value=length)
                cmds.setKeyframe(name, attribute=f"rotate{axis}", time=frame, value=angle)
    return names


def elbow_at(frame):
    """True position of the elbow."""
    return turn(swing(frame, 0.0), (UPPER, 0.0, 0.0))


def place_at(node, frame):
    """World position of a node at a frame."""
    return om.MVector(*cmds.getAttr(f"{node}.worldMatrix[0]", time=frame)[12:15])


def distance_cm(joint):
    """Largest distance between a joint and the elbow."""
    return max((place_at(joint, frame) - elbow_at(frame)).length() for frame in (1, 17, FRAMES))


@check("world-matrix-in-context", "high", "public tools; case key-context-guard")
def world_matrix_in_context():
    """worldMatrix of a keyed node below a keyed group is right in a context of another time."""
    group = cmds.createNode("transform", name="cart")
    child = cmds.createNode("transform", name="rider", parent=group)
    for node, channel in ((group, "translateX"), (child, "translateY")):
        for frame in (1, 10):
            cmds.setKeyframe(node, attribute=channel, time=frame, value=frame * 2.0)
    cmds.currentTime(1)
    worlds = plug(f"{child}.worldMatrix").elementByLogicalIndex(0)
    with MDGContextGuard(om.MDGContext(om.MTime(10, om.MTime.uiUnit()))):
        seen = list(om.MFnMatrixData(worlds.asMObject()).matrix())
    assert max(abs(a - b) for a, b in zip(seen[12:14], (20.0, 20.0))) < 1e-9, seen
    assert abs(cmds.getAttr(f"{child}.worldMatrix[0]")[12] - 2.0) < 1e-9


@check("joint-from-modifier", "high", "API reference")
def joint_from_modifier():
    """MDagModifier makes joints below each other; redo after undo gives the same joints."""
    modifiers, made = [], []
    for _ in range(2):
        modifiers.append(om.MDagModifier())
        above = made[-1] if made else om.MObject.kNullObj
        made.append(modifiers[-1].createNode("joint", above))
        modifiers[-1].doIt()
    for modifier in reversed(modifiers):
        modifier.undoIt()
    assert not cmds.ls(type="joint"), cmds.ls(type="joint")
    for modifier in modifiers:
        modifier.doIt()
    paths = [om.MDagPath.getAPathTo(node).fullPathName() for node in made]
    assert sorted(cmds.ls(type="joint", long=True)) == sorted(paths), paths
    assert paths[1].startswith(f"{paths[0]}|"), paths


@check("api-selection-in-undo", "medium", "as api-sets-without-undo")
def api_selection_in_undo():
    """An edit's selection through MGlobal is made by do and redo, and reverted by undo."""
    import jointlimits_maya

    load_ours()
    names = tracks()
    cmds.select(names)
    found = jointlimits_maya.estimate_skeleton()
    made = cmds.ls(selection=True, long=True)
    assert made == list(found.roots), made
    cmds.undo()
    assert cmds.ls(selection=True) == names, cmds.ls(selection=True)
    cmds.redo()
    assert cmds.ls(selection=True, long=True) == made, cmds.ls(selection=True)


@check("path-skeleton")
def path_skeleton():
    """estimateSkeleton builds joints at their true places, keyed or live, as one undo step."""
    import jointlimits_maya

    load_ours()
    names = tracks()
    before = set(cmds.ls())
    seen = []
    for constrained in (False, True):
        found = jointlimits_maya.estimate_skeleton(
            names, body_root="upper", constrained=constrained
        )
        elbow = found.figures[0].joints["lower"]
        seen.append(distance_cm(elbow))
        assert seen[-1] < 1e-3, f"the joint is off by {seen[-1]} cm"
        assert cmds.getAttr(f"{elbow}.residualMillimeters", time=9) < 1e-2
        assert jointlimits_maya.estimate(found.roots).joints
        cmds.undo()
        assert set(cmds.ls()) == before, set(cmds.ls()) ^ before
    return f"off by {max(seen):.1e} cm"
