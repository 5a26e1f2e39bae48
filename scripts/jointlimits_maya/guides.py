"""Viewport guides: plain curves that show limits, drawn and removed with one undo each.

They are in one group in the world and follow the joints through offsetParentMatrix, so the rig's
nodes get no child and no changed attribute, and deleting the group removes everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import maya.api.OpenMaya as om
import numpy as np
from maya import cmds

from jointlimits_core.arrays import Floats
from jointlimits_core.evaluation.matching import matched_joints
from jointlimits_core.limits.limit_set import LimitSet

from .attributes import Attributes
from .errors import SceneError
from .guide_shapes import GuideShape, guide_shapes
from .names import joint_names, short_name

GROUP = "jointLimitGuides"
TEMPLATE = 1
"""Value of overrideDisplayType: drawn faintly and not selectable."""
COLOURS = {"arc": 18, "swing": 18, "roll": 17}
"""Indices into Maya's palette: light blue, and yellow for roll."""


def guides_are_shown() -> bool:
    """Whether there are guides in the scene."""
    return bool(cmds.objExists(f"|{GROUP}"))


def show_guides(limit_set: LimitSet, joints: Sequence[om.MDagPath]) -> tuple[str, ...]:
    """Draw guides for joints, replacing existing guides.

    Parameters
    ----------
    joints : sequence of MDagPath
        Those in the limit set, matched by name or by name without namespace, get guides.

    Returns
    -------
    tuple of str
        Names of the joints that have guides now.

    Raises
    ------
    SceneError
        If none of them has limits to draw; the scene is unchanged.
    """
    shapes = {}
    names = joint_names(joints)
    found = matched_joints(limit_set.joints, names)
    for called, place in sorted(found.items(), key=lambda pair: pair[1]):
        drawn = guide_shapes(limit_set.joints[called], _bone(joints[place]))
        if drawn:
            shapes[names[place]] = (joints[place], drawn)
    if not shapes:
        raise SceneError("nothing to draw: none of these joints has limits; select limited joints")
    with _one_undo("Show Limit Guides"):
        _remove()
        _draw(shapes.values())
    return tuple(shapes)


def remove_guides() -> bool:
    """Remove all guides; False if there were none."""
    if not guides_are_shown():
        return False
    with _one_undo("Remove Limit Guides"):
        _remove()
    return True


def _remove() -> None:
    if guides_are_shown():
        cmds.delete(f"|{GROUP}")


def _draw(shapes: Iterable[tuple[om.MDagPath, Sequence[GuideShape]]]) -> None:
    group = str(cmds.createNode("transform", name=GROUP, skipSelect=True))
    cmds.setAttr(f"{group}.overrideEnabled", True)
    cmds.setAttr(f"{group}.overrideDisplayType", TEMPLATE)
    for joint, drawn in shapes:
        _draw_joint(group, joint, drawn)


def _draw_joint(group: str, joint: om.MDagPath, drawn: Sequence[GuideShape]) -> None:
    """Draw the lines of one joint below a transform that follows the joint's position."""
    path = str(joint.fullPathName())
    name = f"{GROUP}_{short_name(path).replace(':', '_')}"
    place = str(cmds.createNode("transform", name=name, parent=f"|{GROUP}", skipSelect=True))
    place = str(cmds.ls(place, long=True)[0])
    # live check: guides-follow-parent
    cmds.connectAttr(f"{path}.parentMatrix[0]", f"{place}.offsetParentMatrix")
    cmds.connectAttr(f"{path}.translate", f"{place}.translate")
    for shape in drawn:
        for line in shape.lines:
            _line(place, line, COLOURS[shape.kind])


def _line(place: str, points: Floats, colour: int) -> None:
    """One curve of degree 1 below a transform."""
    made = str(cmds.curve(degree=1, point=[(float(x), float(y), float(z)) for x, y, z in points]))
    made = str(cmds.parent(made, place, relative=True)[0])
    path = f"{place}|{made.rpartition('|')[2]}"
    cmds.setAttr(f"{path}.overrideEnabled", True)
    cmds.setAttr(f"{path}.overrideDisplayType", TEMPLATE)
    cmds.setAttr(f"{path}.overrideColor", colour)


def _bone(joint: om.MDagPath) -> Floats:
    """Vector from a joint to the mean of its child joints, in its own space; along X if none."""
    children = [joint.child(number) for number in range(joint.childCount())]
    places = [
        Attributes(child).vector("translate") for child in children if child.hasFn(om.MFn.kJoint)
    ]
    middle = np.mean(places, axis=0) if places else np.zeros(3)
    if float(np.linalg.norm(middle)) > 1e-6:
        return np.asarray(middle)
    own = float(np.linalg.norm(Attributes(joint.node()).vector("translate")))
    return np.array([0.5 * own or 1.0, 0.0, 0.0])


@contextmanager
def _one_undo(label: str) -> Iterator[None]:
    """Group everything inside into one undo; keep the selection."""
    selected = cmds.ls(selection=True, long=True) or []
    cmds.undoInfo(openChunk=True, chunkName=label)
    try:
        yield
        if (cmds.ls(selection=True, long=True) or []) != selected:
            cmds.select(selected, replace=True) if selected else cmds.select(clear=True)
    finally:
        cmds.undoInfo(closeChunk=True)
