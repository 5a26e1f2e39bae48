"""Viewport guides: curves that show where a joint's bone can point and how it can roll.

They show the box that Maya enforces, including the artist's edits, not the fitted shape, so that
Apply brings no surprises. They are in one top-level group and follow the joints through
offsetParentMatrix, so the rig's nodes get no new children or changed attributes, and deleting the
group removes everything. Drawing and removing are one undo step each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from maya import cmds

from jointlimits_core.geometry import arrays, euler, quaternion
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.limits.ranges import MAX_LOCKED_DEG, orientation_of, span_of
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.report.figures.space import local_rotations

from ..base import host
from ..base.open_maya import om
from ..scene.joints import GUIDES, joint_names, short_name
from ..scene.plugs import Attributes

STEP_DEG = 6.0
TICK_SHARE = 0.16
"""Length of a roll tick as a share of the bone's length."""


@dataclass(frozen=True, eq=False)
class GuideShape:
    """Lines for one joint.

    `kind`: "arc" (one channel is limited), "swing" (the bone's region), or "roll" (ticks).
    `lines`: arrays of shape (points, 3), in the space that the joint's rotation is relative to,
    with the joint at the origin.
    """

    kind: str
    lines: tuple[arrays.Floats, ...]


def guide_shapes(joint: JointLimit, bone: arrays.ArrayLike) -> tuple[GuideShape, ...]:
    """Lines for one joint; empty if every channel is free or does not move.

    `bone`: nonzero vector from the joint to its child, in the joint's own space, shape (3,).
    """
    spans = [span_of(joint.limits[channel]) for channel in euler.CHANNELS]
    moving = [
        axis for axis, span in enumerate(spans) if span and span[1] - span[0] > MAX_LOCKED_DEG
    ]
    if not moving:
        return ()
    box = _Box(joint, np.asarray(bone, dtype=np.float64), spans)
    length = float(np.linalg.norm(box.bone))
    if len(moving) == 1:
        ends = box.rotate(box.poses(moving[0]), box.bone)
        # The channel moves the bone's end rather than only rolling the bone.
        if float(np.ptp(ends, axis=0).max()) > 0.02 * length:
            return (GuideShape("arc", (_sector(ends),)),)
    # The channel whose axis is closest to the bone.
    along_bone = quaternion.rotate(orientation_of(joint.orientation)[1], box.bone)
    roll = int(np.abs(along_bone).argmax())
    swing = [axis for axis in moving if axis != roll]
    found = []
    if swing:
        found.append(GuideShape("swing", (_boundary(box, swing),)))
    if roll in moving:
        # An arc around the bone's end, with a longer tick at each limit.
        side = np.cross(box.bone, np.eye(3)[int(np.abs(box.bone).argmin())])
        side *= TICK_SHARE * length / np.linalg.norm(side)
        tips, offsets = (box.rotate(box.poses(roll), vector) for vector in (box.bone, side))
        lines = [tips + offsets]
        lines += [np.array([tips[end], tips[end] + 1.5 * offsets[end]]) for end in (0, -1)]
        found.append(GuideShape("roll", tuple(lines)))
    return tuple(found)


class _Box:
    """Limit box of one joint, and bone positions for poses in it."""

    def __init__(
        self, joint: JointLimit, bone: arrays.Floats, spans: Sequence[tuple[float, float] | None]
    ) -> None:
        self.orientation, self.bone = joint.orientation, bone
        self.spans = [(-180.0, 180.0) if span is None else span for span in spans]
        lows, highs = np.array(self.spans).T
        self.pose = np.clip(joint.preferred_deg, lows, highs)

    def rotate(self, poses_deg: arrays.Floats, vector: arrays.Floats) -> arrays.Floats:
        """A vector in the joint's own space, rotated by each pose, shape (poses, 3)."""
        return np.asarray(quaternion.rotate(local_rotations(self.orientation, poses_deg), vector))

    def sweep(self, axis: int) -> arrays.Floats:
        """Angles of a channel from min to max."""
        low, high = self.spans[axis]
        return np.linspace(low, high, max(3, int(np.ceil((high - low) / STEP_DEG)) + 1))

    def poses(self, axis: int) -> arrays.Floats:
        """Preferred pose with a channel swept from min to max, shape (poses, 3)."""
        poses = np.tile(self.pose, (len(self.sweep(axis)), 1))
        poses[:, axis] = self.sweep(axis)
        return poses


def _sector(ends: arrays.Floats) -> arrays.Floats:
    """Outline from the joint to one end of an arc, along the arc, and back."""
    return np.vstack([np.zeros(3), ends, np.zeros(3)])


def _boundary(box: _Box, swing: Sequence[int]) -> arrays.Floats:
    """Outline of the region that the bone can point to."""
    if len(swing) == 1:
        return _sector(box.rotate(box.poses(swing[0]), box.bone))
    a, b = map(box.sweep, swing)
    sides = ((a, b[0]), (a[-1], b), (a[::-1], b[-1]), (a[0], b[::-1]))
    across = np.hstack([np.stack(np.broadcast_arrays(*side)) for side in sides])
    poses = np.tile(box.pose, (across.shape[1], 1))
    poses[:, swing] = across.T
    return box.rotate(poses, box.bone)


TEMPLATE_DISPLAY = 1
"""Value of overrideDisplayType: drawn faintly and not selectable."""
COLOURS = {"arc": 18, "swing": 18, "roll": 17}
"""Indices into Maya's palette: light blue, and yellow for roll."""


def guides_are_shown() -> bool:
    """Whether there are guides in the scene."""
    return bool(cmds.objExists(f"|{GUIDES}"))


def show_guides(limit_set: LimitSet, joints: Sequence[om.MDagPath]) -> tuple[str, ...]:
    """Draw guides for joints, replacing existing guides.

    A joint gets guides if its name is in the limit set, with or without the namespace. Returns the
    names of the joints that have guides now. Raises SceneError, without changing the scene, if
    none of them has limits to draw.
    """
    shapes, names = {}, joint_names(joints)
    found = matched_joints(limit_set.joints, names)
    for called, place in sorted(found.items(), key=lambda pair: pair[1]):
        drawn = guide_shapes(limit_set.joints[called], _bone(joints[place]))
        if drawn:
            shapes[names[place]] = (joints[place], drawn)
    if not shapes:
        raise host.SceneError(
            "nothing to draw: none of these joints has limits; select limited joints"
        )
    with _one_undo("Show Limit Guides"):
        if guides_are_shown():
            cmds.delete(f"|{GUIDES}")
        try:
            _draw(shapes.values())
        except Exception:
            # Otherwise half a drawing would remain.
            if guides_are_shown():
                cmds.delete(f"|{GUIDES}")
            raise
    return tuple(shapes)


def remove_guides() -> bool:
    """Remove all guides; False if there were none."""
    if not guides_are_shown():
        return False
    with _one_undo("Remove Limit Guides"):
        cmds.delete(f"|{GUIDES}")
    return True


def _draw(shapes: Iterable[tuple[om.MDagPath, Sequence[GuideShape]]]) -> None:
    # In the root namespace, whatever the current one is; commands take lengths in scene units.
    # live check: guides-in-namespace-and-metres
    group = str(cmds.createNode("transform", name=f":{GUIDES}", skipSelect=True))
    unit = 1.0 / om.MDistance.uiToInternal(1.0)
    cmds.setAttr(f"{group}.overrideEnabled", True)
    cmds.setAttr(f"{group}.overrideDisplayType", TEMPLATE_DISPLAY)
    for joint, drawn in shapes:
        path = str(joint.fullPathName())
        name = f":{GUIDES}_{short_name(path).replace(':', '_')}"
        place = str(cmds.createNode("transform", name=name, parent=f"|{GUIDES}", skipSelect=True))
        place = str(cmds.ls(place, long=True)[0])
        # live check: guides-follow-parent
        cmds.connectAttr(f"{path}.parentMatrix[0]", f"{place}.offsetParentMatrix")
        cmds.connectAttr(f"{path}.translate", f"{place}.translate")
        for shape in drawn:
            for line in shape.lines:
                points = [(x * unit, y * unit, z * unit) for x, y, z in line.tolist()]
                made = str(cmds.curve(degree=1, point=points, name=f":{GUIDES}_curve1"))
                made = str(cmds.parent(made, place, relative=True)[0])
                curve = f"{place}|{made.rpartition('|')[2]}"
                cmds.setAttr(f"{curve}.overrideEnabled", True)
                cmds.setAttr(f"{curve}.overrideDisplayType", TEMPLATE_DISPLAY)
                cmds.setAttr(f"{curve}.overrideColor", COLOURS[shape.kind])


def _bone(joint: om.MDagPath) -> arrays.Floats:
    """Vector from a joint to the mean of its children, in joint space; along X if it has none."""
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
    """Make the block a single undo step, and keep the selection."""
    selected = cmds.ls(selection=True, long=True) or []
    cmds.undoInfo(openChunk=True, chunkName=label)
    try:
        yield
        if (cmds.ls(selection=True, long=True) or []) != selected:
            cmds.select(selected, replace=True) if selected else cmds.select(clear=True)
    finally:
        cmds.undoInfo(closeChunk=True)
