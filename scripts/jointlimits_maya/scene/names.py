"""Names of joints and nodes, short where that is unique, and the references they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import maya.api.OpenMaya as om
from maya import cmds


def all_joints() -> Iterator[om.MDagPath]:
    """All joints of the scene, parents before their children."""
    # The stubs import this class without exporting it.
    walker = om.MItDag  # type: ignore[attr-defined]
    walk = walker(walker.kDepthFirst, om.MFn.kJoint)
    while not walk.isDone():
        path = walk.getPath()
        # The filter also passes joint types of other plug-ins.
        if path.apiType() == om.MFn.kJoint:
            yield path
        walk.next()


def joint_names(joints: Sequence[om.MDagPath]) -> list[str]:
    """Names of joints as the core knows them.

    Returns short names with namespaces, or full paths where joints of the scene share a short name.
    So the name of a joint does not depend on the other `joints`.
    """
    counts = Counter(short_name(str(joint.fullPathName())) for joint in all_joints())
    paths = [str(joint.fullPathName()) for joint in joints]
    return [path if counts[short_name(path)] > 1 else short_name(path) for path in paths]


def short_name(path: str) -> str:
    """Last part of a full path, with its namespace."""
    return path.rpartition("|")[2]


def node_name(node: om.MObject) -> str:
    """Unique name of a node: its full path if it is a DAG node."""
    if node.hasFn(om.MFn.kDagNode):
        return str(om.MDagPath.getAPathTo(node).fullPathName())
    return str(om.MFnDependencyNode(node).name())


def references_of(joint: om.MObject) -> list[om.MFnReference]:
    """The reference that a joint comes from, and the references that contain it."""
    if not om.MFnDependencyNode(joint).isFromReferencedFile:
        return []
    found = []
    name = cmds.referenceQuery(node_name(joint), referenceNode=True)
    node = om.MSelectionList().add(name).getDependNode(0)
    while not node.isNull():
        found.append(om.MFnReference(node))
        node = found[-1].parentReference()
    return found
