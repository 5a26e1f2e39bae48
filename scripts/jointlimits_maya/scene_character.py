"""A character of the open scene, tracked even if its joints are renamed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import maya.api.OpenMaya as om

from .joint_choice import chosen_joints
from .names import joint_names, short_name


class SceneCharacter:
    """All joints from some top joints down.

    Parameters
    ----------
    joints : sequence of MDagPath
        At least one; the topmost of them are remembered.

    Attributes
    ----------
    name : str
        Original name of its first top joint, with namespace.
    clip : str
        Name of the motion last read from it.
    """

    def __init__(self, joints: Sequence[om.MDagPath]) -> None:
        paths = {str(joint.fullPathName()) for joint in joints}
        tops = [j for j in joints if str(j.fullPathName()).rpartition("|")[0] not in paths]
        self._tops = [om.MObjectHandle(joint.node()) for joint in tops]
        self.name = short_name(str(tops[0].fullPathName()))
        self.clip = ""

    def tops(self) -> list[str]:
        """Full paths of its top joints still in the scene."""
        nodes = [handle.object() for handle in self._tops if handle.isValid()]
        return [str(om.MDagPath.getAPathTo(node).fullPathName()) for node in nodes]

    def joints(self) -> list[om.MDagPath]:
        """All its joints still in the scene, parents before their children."""
        tops = self.tops()
        return chosen_joints(tops) if tops else []

    def joint_names(self) -> tuple[str, ...]:
        """Current names of its joints."""
        return tuple(joint_names(self.joints()))

    def is_there(self) -> bool:
        """Whether any of it is still in the scene."""
        return bool(self.tops())

    def overlaps(self, other: Any) -> bool:
        """Whether it shares a joint with another."""
        return bool(self._paths() & other._paths())

    def is_part_of(self, other: Any) -> bool:
        """Whether another has all its joints and more."""
        return bool(self._paths() < other._paths())

    def _paths(self) -> frozenset[str]:
        return frozenset(str(joint.fullPathName()) for joint in self.joints())
