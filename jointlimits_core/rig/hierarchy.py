"""Joints of a scene in order, the transforms between them, and their stored bind poses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ..base import MayaAsciiError
from ..geometry import Floats
from .matrices import optional_matrix, rotate_order_name
from .rest_pose import BindRecords, DagPose, PoseRecord, best_records, inverted
from .scene import Node, Scene


@dataclass(frozen=True)
class JointPlace:
    """A joint and its place among the joints.

    `name`: short, or the full path where several joints share it. `parent`: place of the parent
    joint in the list, -1 for a root. `between`: transforms between the parent joint, or the world,
    and this joint, from the top down.
    """

    node: Node
    name: str
    parent: int
    between: tuple[Node, ...]


def joint_places(scene: Scene) -> list[JointPlace]:
    """Joints of a scene, parents before their children.

    A node that does not inherit its parent's transform starts a new root. Raises MayaAsciiError if
    the scene has no joints (the message names missing references), or is too deep.
    """
    found: list[tuple[Node, int, tuple[Node, ...]]] = []
    todo: list[tuple[Node, int, int, tuple[Node, ...]]] = [
        (node, 0, -1, ()) for node in reversed(scene.roots.values())
    ]
    while todo:
        node, depth, parent, between = todo.pop()
        if depth > scene.limits.max_depth:
            levels = scene.limits.refusal("max_depth", "levels", subject="the hierarchy has")
            raise MayaAsciiError(scene.path, levels)
        if node.number("inheritsTransform", 1.0) == 0.0:
            parent, between = -1, ()
        if node.is_joint:
            found.append((node, parent, between))
            parent, between = len(found) - 1, ()
        elif node.is_transform:
            between = (*between, node)
        children = reversed(node.children.values())
        todo.extend((child, depth + 1, parent, between) for child in children)
    if not found:
        raise MayaAsciiError(scene.path, _no_joints(scene))
    names = _short_or_full([node for node, _, _ in found])
    return [
        JointPlace(node, name, parent, between)
        for name, (node, parent, between) in zip(names, found)
    ]


def _short_or_full(nodes: list[Node]) -> list[str]:
    """Short names; full paths of those that are not unique."""
    counts = Counter(node.name for node in nodes)
    return [node.name if counts[node.name] == 1 else node.path for node in nodes]


def rotate_order(node: Node) -> str:
    """Name of a node's rotate order; xyz where the number is none of the six."""
    return rotate_order_name(node.number("rotateOrder"))


def _no_joints(scene: Scene) -> str:
    missing = [ref.stored_path for ref in scene.references if ref.found is None]
    if missing:
        listed = ", ".join(repr(path) for path in missing[:5])
        return (
            f"the scene has no joints; it references files that were not found: {listed}. "
            "Put them next to the scene, or import the references in Maya and save again"
        )
    return "the scene has no joints; save a scene that contains a skeleton"


def bind_records(scene: Scene, places: Sequence[JointPlace]) -> list[BindRecords]:
    """Stored poses of every joint: in dagPoses, in bindPose, and in the skins."""
    records = best_records(_dag_poses(scene), {place.node for place in places})
    skinned = _bind_pre_matrices(scene)
    found = []
    for place in places:
        worlds = {}
        bind = optional_matrix(place.node.matrices.get("bindPose"))
        if bind is not None:
            worlds["bindPose"] = bind
        inverse = optional_matrix(skinned.get(place.node))
        world = None if inverse is None else inverted(inverse)
        if world is not None:
            worlds["bindPreMatrix"] = world
        found.append(BindRecords(records.get(place.node), worlds))
    return found


def _dag_poses(scene: Scene) -> list[DagPose]:
    """The dagPose nodes with their members."""
    members: dict[Node, list[tuple[Hashable, PoseRecord | None]]] = {}
    for (pose, plug), (member, _) in scene.sources.items():
        if pose.node_type == "dagPose" and plug.startswith("members["):
            record = _record(scene, pose, plug[len("members") :])
            members.setdefault(pose, []).append((member, record))
    return [DagPose(bool(pose.number("bindPose")), found) for pose, found in members.items()]


def _record(scene: Scene, pose: Node, index: str) -> PoseRecord | None:
    values = pose.matrices.get(f"xformMatrix{index}")
    if values is None:
        return None
    return PoseRecord(values, _recorded_world(scene, pose, index), _above(scene, pose, index))


def _recorded_world(scene: Scene, pose: Node, index: str) -> Floats | None:
    """World matrix of a member: stored in the pose, or connected from the joint's bindPose."""
    stored = pose.matrices.get(f"worldMatrix{index}")
    source = scene.sources.get((pose, f"worldMatrix{index}"))
    if source is not None:
        stored = source[0].matrices.get(source[1], stored)
    return optional_matrix(stored)


def _above(scene: Scene, pose: Node, index: str) -> Node | None:
    """Member above a member: ``pose.members[j]`` is connected to ``pose.parents[i]``."""
    source = scene.sources.get((pose, f"parents{index}"))
    member = None if source is None else scene.sources.get((pose, source[1]))
    return None if member is None else member[0]


def _bind_pre_matrices(scene: Scene) -> dict[Node, Floats]:
    """Stored inverse world matrices at binding, by joint; the first skin that has one."""
    found: dict[Node, Floats] = {}
    for (skin, plug), (joint, _) in scene.sources.items():
        if skin.node_type == "skinCluster" and plug.startswith("matrix["):
            stored = skin.matrices.get(f"bindPreMatrix{plug[len('matrix') :]}")
            if stored is not None:
                found.setdefault(joint, stored)
    return found
