"""What joints are called: as in files, short where that is enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import maya.api.OpenMaya as om

from .scene_joints import all_joints


def joint_names(joints: Sequence[om.MDagPath]) -> list[str]:
    """Names of joints as the core knows them.

    Parameters
    ----------
    joints : sequence of MDagPath

    Returns
    -------
    list of str
        Short names with their namespaces; full paths of those that several joints of the scene
        share. So a joint has one name, whichever others are asked for beside it.
    """
    counts = Counter(short_name(str(joint.fullPathName())) for joint in all_joints())
    paths = [str(joint.fullPathName()) for joint in joints]
    return [path if counts[short_name(path)] > 1 else short_name(path) for path in paths]


def short_name(path: str) -> str:
    """Last name of a full path, with its namespace."""
    return path.rpartition("|")[2]


def node_name(node: om.MObject) -> str:
    """Name by which a node is known in its scene: the full path of what has one."""
    if node.hasFn(om.MFn.kDagNode):
        return str(om.MDagPath.getAPathTo(node).fullPathName())
    return str(om.MFnDependencyNode(node).name())
