"""What joints are called: as in files, short where that is enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import maya.api.OpenMaya as om


def joint_names(joints: Sequence[om.MDagPath]) -> list[str]:
    """Names of joints as the core knows them.

    Parameters
    ----------
    joints : sequence of MDagPath

    Returns
    -------
    list of str
        Short names with their namespaces; full paths of those that several of the joints share.
    """
    paths = [str(joint.fullPathName()) for joint in joints]
    shorts = [short_name(path) for path in paths]
    counts = Counter(shorts)
    return [short if counts[short] == 1 else path for short, path in zip(shorts, paths)]


def short_name(path: str) -> str:
    """Last name of a full path, with its namespace."""
    return path.rpartition("|")[2]


def node_name(node: om.MObject) -> str:
    """Name by which a node is known in its scene: the full path of what has one."""
    if node.hasFn(om.MFn.kDagNode):
        return str(om.MDagPath.getAPathTo(node).fullPathName())
    return str(om.MFnDependencyNode(node).name())
