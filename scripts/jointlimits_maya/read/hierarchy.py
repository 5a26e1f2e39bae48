"""Hierarchy of joints and of the nodes between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..base.open_maya import om
from ..scene import Attributes, joint_names


@dataclass(frozen=True)
class JointPlace:
    """A joint and its place in the hierarchy.

    `path`: full path. `name`: as :func:`~jointlimits_maya.scene.joints.joint_names` gives it.
    `parent`: index of the nearest requested joint above it, -1 for a root. `between`, (path,
    Attributes): nodes between that joint, or the world, and this one, from the top down: groups,
    and joints that were not requested.
    """

    path: str
    name: str
    node: Attributes
    parent: int
    between: tuple[tuple[str, Attributes], ...]

    @property
    def is_hanging(self) -> bool:
        """Whether it is below joints none of which was requested, so that it is no true root."""
        above = (node.node for _, node in self.between)
        return self.parent < 0 and any(node.hasFn(om.MFn.kJoint) for node in above)


def joint_places(joints: Sequence[om.MDagPath]) -> list[JointPlace]:
    """Places of joints, parents before their children.

    A node that does not inherit its parent's transform starts a new root.
    """
    index = {str(joint.fullPathName()): place for place, joint in enumerate(joints)}
    known: dict[str, Attributes] = {}
    places = []
    for joint, name in zip(joints, joint_names(joints)):
        path = str(joint.fullPathName())
        parent, above = _above(joint, index, known)
        between = tuple((node, known[node]) for node in above)
        places.append(JointPlace(path, name, known[path], parent, between))
    return places


def _above(
    joint: om.MDagPath, index: dict[str, int], known: dict[str, Attributes]
) -> tuple[int, list[str]]:
    """Index of the parent joint, and the paths of the nodes between, from the top down."""
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
