"""Joints, controls and other transforms: names, references, and choice.

In this program, "joint" means anything that limits are measured on, even a control.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from maya import cmds

from jointlimits_core.base import control_types
from jointlimits_core.base.errors import OptionText

from ..base import host
from ..base.host import SceneError
from ..base.open_maya import om


def all_joints() -> Iterator[om.MDagPath]:
    """All joints of the scene, parents before their children."""
    # The filter also passes joint types of other plug-ins.
    return (one for one in _all_nodes(om.MFn.kJoint) if is_joint(one))


def _all_nodes(kind: int) -> Iterator[om.MDagPath]:
    walk = om.MItDag(om.MItDag.kDepthFirst, kind)
    while not walk.isDone():
        yield walk.getPath()
        walk.next()


def is_joint(path: om.MDagPath) -> bool:
    """Whether a node is a joint."""
    return bool(path.apiType() == om.MFn.kJoint)


GUIDES = "jointLimitGuides"
"""Group of the curves that this program draws, which are not controls."""


def is_control(path: om.MDagPath) -> bool:
    """Whether a node is a control: a transform with curve shapes directly below it."""
    # live check: api-type-of-a-transform
    if path.apiType() != om.MFn.kTransform:
        return False
    below = map(path.child, range(path.childCount()))
    kinds = (str(om.MFnDependencyNode(child).typeName) for child in below)
    is_guide = str(path.fullPathName()).startswith(f"|{GUIDES}|")
    return control_types.is_control("transform", kinds) and not is_guide


def noun_of(paths: Iterable[om.MDagPath]) -> str:
    """Word for nodes: "joint", "control", or "joint or control" if there are both."""
    kinds = {"control" if is_control(path) else "joint" for path in paths} or {"joint"}
    return " or ".join(sorted(kinds, reverse=True))


def all_controls() -> Iterator[om.MDagPath]:
    """All controls of the scene, parents before their children."""
    return filter(is_control, _all_nodes(om.MFn.kTransform))


def all_like(path: om.MDagPath) -> Iterator[om.MDagPath]:
    """All controls of the scene if the node is one, else all joints."""
    return all_joints() if is_joint(path) else all_controls()


def joint_names(joints: Sequence[om.MDagPath]) -> list[str]:
    """Names of joints or controls in the form that the core uses.

    Returns short names with namespaces, or full paths if several joints, or several controls, in
    the scene share a short name, so a joint's name does not depend on the other `joints`. A control
    gets its full path if one of the `joints` has the same name.
    """
    of_joints = [is_joint(joint) for joint in joints]
    counts = {
        kind: Counter(short_name(str(one.fullPathName())) for one in every())
        for kind, every in ((True, all_joints), (False, all_controls))
        if kind in of_joints
    }
    paths = [str(joint.fullPathName()) for joint in joints]
    taken = {short_name(path) for kind, path in zip(of_joints, paths) if kind}
    return [
        path if counts[kind][name] > 1 or (name in taken and not kind) else name
        for kind, path, name in zip(of_joints, paths, map(short_name, paths))
    ]


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

    A channel such as ``knee.rotateZ`` stands for its node, and a set for its members. Raises
    SceneError if a name does not exist or is not a transform.
    """
    found = []
    for name in names:
        paths = _transforms([name])
        if not paths:
            reason = wanted.other if cmds.objExists(name) else "does not exist"
            raise SceneError(f"{name!r} {reason}; {wanted.give}")
        found += paths
    return found


def selected_transforms(wanted: Wording) -> list[str]:
    """Full paths of the selected transforms. Raises SceneError if there are none."""
    selected = cmds.ls(selection=True, long=True) or ()
    if not selected:
        raise SceneError(f"nothing is selected; {wanted.what_to_do()}")
    tops = _transforms(selected)
    if not tops:
        name = short_name(selected[0])
        raise SceneError(f"{name!r} {wanted.other}; {wanted.what_to_do()}")
    return tops


def _transforms(names: Sequence[str]) -> list[str]:
    """Full paths of the transforms among nodes, channels, and members of sets."""
    todo, found = [_node(name) for name in names], []
    seen: set[str] = set()
    for name in todo:
        found += [str(path) for path in cmds.ls(name, long=True, type="transform") or ()]
        # Other types of sets, such as layers, do not choose nodes.
        for one in set(cmds.ls(name, exactType="objectSet") or ()) - seen:
            seen.add(one)
            # live check: members-of-a-set
            todo += [_node(member) for member in cmds.sets(one, query=True) or ()]
    return list(dict.fromkeys(found))


def _node(name: str) -> str:
    """Node of a channel; node names contain no dots."""
    return str(name).partition(".")[0]


CHARACTER = Wording(
    "is neither a joint nor a group",
    "give the name of a root joint, or of a group above it",
    "select the root joint of a character, or a group above it",
)
CONTROLS = Wording(
    "is neither a control nor a group",
    "give the names of controls, or of a group above them",
    "select controls, or a group above them",
)


def chosen_joints(
    names: Sequence[str] = (),
    *,
    root: str = "",
    namespace: str = "",
    pattern: str = "",
    everything: bool = False,
    controls: bool | None = False,
) -> list[om.MDagPath]:
    """Joints or controls chosen by name, namespace or pattern, in Outliner order, parents first.

    `names`: joints, controls, or groups above them, each with everything below it; a channel stands
    for its node, a set for its members. `root`: one more name. `namespace`: only nodes in this
    namespace, nested ones included. `pattern`: only nodes that match, with Maya's wildcards (``*``
    does not match into namespaces). Without names, `namespace` and `pattern` choose from the whole
    scene. `everything`: all joints of the scene. Without any argument, the selection is used.

    `controls`: choose controls in place of joints; None chooses both, joints first. By default,
    controls are chosen if there are no joints at or below the names. Raises SceneError if a node
    does not exist, if joints and controls are named together, or if nothing is left; the message
    says what to do.
    """
    wording = CONTROLS if controls else CHARACTER
    tops = named_transforms([*names, *([root] if root else [])], wording)
    if not (tops or namespace or pattern or everything):
        tops = selected_transforms(wording)
    choice = _Choice(tuple(f"{top}|" for top in tops), namespace, pattern)
    joints = [] if controls else choice.select_from(all_joints())
    if controls is False and joints:
        _reject_mixture(tops, joints)
    if controls or controls is None or (tops and not joints):
        joints += choice.select_from(all_controls())
    if not joints:
        raise _nothing_found(tops, choice, wording)
    return joints


@dataclass(frozen=True)
class _Choice:
    """Choice among the nodes of a scene; arguments as in :func:`chosen_joints`.

    `trees`: full paths of the nodes to look below, each with a final separator; empty for all.
    """

    trees: tuple[str, ...]
    namespace: str
    pattern: str

    def select_from(self, nodes: Iterator[om.MDagPath]) -> list[om.MDagPath]:
        """Return those nodes that match the choice."""
        found = list(nodes)
        if self.trees:
            found = [one for one in found if f"{one.fullPathName()}|".startswith(self.trees)]
        if self.namespace:
            inside = self.namespace.strip(":") + ":"
            found = [one for one in found if short_name(one.fullPathName()).startswith(inside)]
        if self.pattern:
            matching = set(cmds.ls(self.pattern, type="transform", long=True) or ())
            found = [one for one in found if one.fullPathName() in matching]
        return found


def _reject_mixture(tops: Sequence[str], joints: Sequence[om.MDagPath]) -> None:
    """Raise SceneError if any of the named nodes is a control without joints below it."""
    paths = [f"{joint.fullPathName()}|" for joint in joints]
    for top in tops:
        is_above = any(path.startswith(f"{top}|") for path in paths)
        if not is_above and is_control(om.MDagPath.getAPathTo(node_of(top))):
            name, joint = short_name(top), short_name(paths[0][:-1])
            raise SceneError(
                f"{name!r} is a control and {joint!r} a joint; choose either controls or joints"
            )


def _nothing_found(tops: Sequence[str], choice: _Choice, wording: Wording) -> SceneError:
    """Error about an empty choice; if there are controls to choose, it names the option."""
    where = [f"below {', '.join(short_name(top) for top in tops[:3])}"] if tops else []
    where += [f"in the namespace {choice.namespace!r}"] if choice.namespace else []
    where += [f"matching {choice.pattern!r}"] if choice.pattern else []
    kind = "controls" if wording is CONTROLS else "joints"
    text = f"there are no {kind} {' '.join(where) or 'in the scene'}; "
    if wording is CHARACTER and choice.select_from(all_controls()):
        return SceneError(OptionText(f"{text}for its controls, use ", "controls"))
    return SceneError(text + wording.what_to_do())
