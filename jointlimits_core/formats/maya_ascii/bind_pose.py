"""Bind poses stored in a scene."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ...arrays import Floats
from ...maya_rig.matrices import stored_matrix
from ...maya_rig.pose_record import BindRecords, DagPose, PoseRecord, best_records, inverted
from .hierarchy import JointPlace
from .scene import Node, Scene


def bind_records(scene: Scene, places: Sequence[JointPlace]) -> list[BindRecords]:
    """Stored poses of every joint: in dagPoses, in bindPose, and in the skins."""
    records = best_records(_dag_poses(scene), {place.node for place in places})
    skinned = _bind_pre_matrices(scene)
    found = []
    for place in places:
        worlds = {}
        bind = _matrix(place.node.matrices.get("bindPose"))
        if bind is not None:
            worlds["bindPose"] = bind
        inverse = _matrix(skinned.get(place.node))
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
    return _matrix(stored)


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


def _matrix(stored: Floats | None) -> Floats | None:
    return None if stored is None or len(stored) != 16 else stored_matrix(stored)
