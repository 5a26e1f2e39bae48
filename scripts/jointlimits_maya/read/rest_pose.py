"""Rest pose from the open scene: stored with the skin, at a frame, or current."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jointlimits_core.rig import rest_pose
from jointlimits_core.rig.scene import Node

from ..base.host import SceneError
from ..base.open_maya import om
from ..scene.joints import is_control, is_joint, joint_names, node_name
from ..scene.plugs import Attributes
from .scene_graph import SceneModel


@dataclass(frozen=True)
class JointPlace:
    """A joint and its place in the hierarchy.

    `path`: full path. `name`: as :func:`~jointlimits_maya.scene.joints.joint_names` gives it.
    `parent`: index of the nearest requested joint above it, -1 for a root. `between`, (path,
    Attributes): nodes between that joint, or the world, and this one, from the top down: groups,
    and joints that were not requested. `is_control`: whether this is a control; statements about
    joints then apply to controls.
    """

    path: str
    name: str
    node: Attributes
    parent: int
    between: tuple[tuple[str, Attributes], ...]
    is_control: bool

    @property
    def is_hanging(self) -> bool:
        """Whether the joint has parent joints but none was requested, so it is not a true root."""
        above = (node.node for _, node in self.between)
        is_same = is_control if self.is_control else is_joint
        return self.parent < 0 and any(is_same(om.MDagPath.getAPathTo(node)) for node in above)

    @property
    def has_pivots(self) -> bool:
        """Whether it turns about a point other than its origin; joints have no pivots."""
        pivots = ("rotatePivot", "rotatePivotTranslate")
        return self.is_control and any(self.node.vector(name).any() for name in pivots)


def joint_places(joints: Sequence[om.MDagPath]) -> list[JointPlace]:
    """Places of joints, parents before their children.

    A node that does not inherit its parent's transform starts a new root.
    """
    index = {str(joint.fullPathName()): place for place, joint in enumerate(joints)}
    known: dict[str, Attributes] = {}
    places = []
    for joint, name in zip(joints, joint_names(joints)):
        path = str(joint.fullPathName())
        parent, above = _place_above(joint, index, known)
        between = tuple((node, known[node]) for node in above)
        control = not is_joint(joint)
        places.append(JointPlace(path, name, known[path], parent, between, control))
    return places


def _place_above(
    joint: om.MDagPath, index: dict[str, int], known: dict[str, Attributes]
) -> tuple[int, list[str]]:
    """Index of the parent joint, -1 for a root, and paths of the nodes between, from the top."""
    between: list[str] = []
    node = om.MDagPath(joint)
    while True:
        path = str(node.fullPathName())
        attributes = known.setdefault(path, Attributes(node.node()))
        if between or path != str(joint.fullPathName()):
            if path in index:
                return index[path], between[::-1]
            between.append(path)
        if node.length() < 2 or not attributes.is_on("inheritsTransform"):
            return -1, between[::-1]
        node.pop()


STORED = ("dagPose", "bindPose", "bindPreMatrix")
"""Records stored when a skin is bound, best first."""

SOURCES = ("stored", *STORED, "frame", "current")
"""Sources of the rest pose; "stored" takes the best of the three records for each joint."""


@dataclass(frozen=True)
class RestChoice:
    """Choice of the rest pose.

    `source`: one of :data:`SOURCES`. Joints without a stored pose use the first frame that is read.
    `frame`: only with the source "frame". Raises SceneError for an unknown source, or a frame that
    is missing, superfluous or not finite.
    """

    source: str = "stored"
    frame: float | None = None

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise SceneError(f"rest pose must be one of {list(SOURCES)}, not {self.source!r}")
        if (self.source == "frame") != (self.frame is not None):
            raise SceneError("the rest pose 'frame', and only that one, must have a frame number")
        if self.frame is not None and not np.isfinite(self.frame):
            raise SceneError(f"the frame of the rest pose must be finite, not {self.frame}")

    def records(self, places: Sequence[JointPlace]) -> list[rest_pose.BindRecords]:
        """Stored poses of the joints, limited to the records that the source uses."""
        if self.source not in ("stored", *STORED):
            return [rest_pose.NO_RECORDS] * len(places)
        records = bind_records(places)
        if self.source == "stored":
            return records
        if self.source == "dagPose":
            return [replace(one, worlds={}) for one in records]
        own = ({n: w for n, w in one.worlds.items() if n == self.source} for one in records)
        return [rest_pose.BindRecords(None, worlds) for worlds in own]


def bind_records(places: Sequence[JointPlace]) -> list[rest_pose.BindRecords]:
    """Stored poses of joints, from dagPoses, bindPose attributes and skins."""
    model = SceneModel()
    for one in places:
        for _, above in one.between:
            model.joint(above.node)
    nodes = [model.joint(one.node.node) for one in places]
    found = rest_pose.bind_records(
        model.scene,
        [rest_pose.JointPlace(node, one.name, one.parent, ()) for node, one in zip(nodes, places)],
    )
    records = []
    for one, stored in zip(places, found):
        pose = stored.dag_pose
        if pose is not None and isinstance(pose.parent, Node):
            parent = node_name(model.object(pose.parent))
            stored = replace(stored, dag_pose=pose._replace(parent=parent))
        # Stored poses hold translations without pivots.
        records.append(rest_pose.NO_RECORDS if one.has_pivots else stored)
    return records
