"""Joints and transforms: names, references, and choice by selection, name, namespace or pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from maya import cmds

from ..base import host
from ..base.host import SceneError
from ..base.open_maya import om


def all_joints() -> Iterator[om.MDagPath]:
    """All joints of the scene, parents before their children."""
    walk = om.MItDag(om.MItDag.kDepthFirst, om.MFn.kJoint)
    while not walk.isDone():
        path = walk.getPath()
        # The filter also passes joint types of other plug-ins.
        if path.apiType() == om.MFn.kJoint:
            yield path
        walk.next()


def joint_names(joints: Sequence[om.MDagPath]) -> list[str]:
    """Joint names in the form that the core uses.

    Returns short names with namespaces, or full paths if several joints in the scene share a short
    name, so a joint's name does not depend on the other `joints`.
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


def node_of(name: str) -> om.MObject:
    """Node with this name."""
    return om.MSelectionList().add(name).getDependNode(0)


def nodes_of_type(kind: str) -> Iterator[om.MObject]:
    """All nodes of a type."""
    return map(node_of, cmds.ls(type=kind, long=True) or ())


def references_of(joint: om.MObject) -> list[om.MFnReference]:
    """The reference that a joint comes from, and the references that contain it."""
    if not om.MFnDependencyNode(joint).isFromReferencedFile:
        return []
    found = []
    node = node_of(str(cmds.referenceQuery(node_name(joint), referenceNode=True)))
    while not node.isNull():
        found.append(om.MFnReference(node))
        node = found[-1].parentReference()
    return found


@dataclass(frozen=True)
class Wording:
    """Wording of error messages about one kind of transform.

    `other`: description of any other node, such as "is neither a joint nor a group". `give`,
    `select`: advice for scripts and for the user interface.
    """

    other: str
    give: str
    select: str

    def what_to_do(self) -> str:
        """Advice for Maya's current mode, interactive or batch."""
        return self.select if host.is_interactive() else self.give


def named_transforms(names: Sequence[str], wanted: Wording) -> list[str]:
    """Full paths of all transforms that have one of these names.

    A channel such as ``knee.rotateZ`` stands for its node. Raises SceneError if a name does not
    exist or is not a transform.
    """
    found = []
    for name in names:
        paths = cmds.ls(_node(name), long=True, type="transform") or ()
        if not paths:
            reason = wanted.other if cmds.objExists(name) else "does not exist"
            raise SceneError(f"{name!r} {reason}; {wanted.give}")
        found += [str(path) for path in paths]
    return found


def selected_transforms(wanted: Wording) -> list[str]:
    """Full paths of the selected transforms. Raises SceneError if there are none."""
    selected = cmds.ls(selection=True, long=True) or ()
    if not selected:
        raise SceneError(f"nothing is selected; {wanted.what_to_do()}")
    tops = cmds.ls(*(_node(name) for name in selected), long=True, type="transform") or ()
    if not tops:
        name = short_name(selected[0])
        raise SceneError(f"{name!r} {wanted.other}; {wanted.what_to_do()}")
    return [str(path) for path in tops]


def _node(name: str) -> str:
    """Node of a channel; node names contain no dots."""
    return str(name).partition(".")[0]


CHARACTER = Wording(
    "is neither a joint nor a group",
    "give the name of a root joint, or of a group above it",
    "select the root joint of a character, or a group above it",
)


def chosen_joints(
    names: Sequence[str] = (),
    *,
    root: str = "",
    namespace: str = "",
    pattern: str = "",
    everything: bool = False,
) -> list[om.MDagPath]:
    """Joints chosen by name, namespace or pattern, in Outliner order, parents first.

    `names`: joints, or groups above joints, each with everything below it; a channel stands for its
    joint. `root`: one more name. `namespace`: only joints in this namespace, nested ones included.
    `pattern`: only joints that match, with Maya's wildcards (``*`` does not match into namespaces).
    Without names, `namespace` and `pattern` choose from the whole scene. `everything`: all joints
    of the scene. Without any argument, the selection is used. Raises SceneError if a node does not
    exist or no joint is left; the message says what to do.
    """
    tops = named_transforms([*names, *([root] if root else [])], CHARACTER)
    if not (tops or namespace or pattern or everything):
        tops = selected_transforms(CHARACTER)
    joints = list(all_joints())
    if tops:
        trees = tuple(f"{top}|" for top in tops)
        joints = [joint for joint in joints if f"{joint.fullPathName()}|".startswith(trees)]
    if namespace:
        inside = namespace.strip(":") + ":"
        joints = [j for j in joints if short_name(j.fullPathName()).startswith(inside)]
    if pattern:
        matching = set(cmds.ls(pattern, type="joint", long=True) or ())
        joints = [joint for joint in joints if joint.fullPathName() in matching]
    if not joints:
        where = [f"below {', '.join(short_name(top) for top in tops[:3])}"] if tops else []
        where += [f"in the namespace {namespace!r}"] if namespace else []
        where += [f"matching {pattern!r}"] if pattern else []
        place = " ".join(where) or "in the scene"
        raise SceneError(f"there are no joints {place}; {CHARACTER.what_to_do()}")
    return joints
