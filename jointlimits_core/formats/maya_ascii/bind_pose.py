"""The rest pose that a scene has stored: dagPose, else bindPose, else bindPreMatrix.

A dagPose keeps every member's own channels, which are taken as they are, as long as the joint still
hangs where it hung when the pose was saved. Otherwise, and from the other two, which keep nothing
else, the local pose follows from the stored world matrix, joint by joint from the root down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...euler import ROTATE_ORDERS, quaternion_from_euler
from ...rotation import IDENTITY, matrix_from_quaternion, multiply, normalized
from .hierarchy import JointPlace
from .scene import Node, Scene
from .transforms import linear, moved, parts_of, scaled, stored_matrix

XFORM_NUMBERS = 37
"""Numbers of an "xform" record behind its name; the last one is a yes or no."""

SOURCES = ("dagPose", "bindPose", "bindPreMatrix", "scene")
"""Where a joint's rest pose may come from, the best first."""


@dataclass(frozen=True)
class LocalPose:
    """A joint's place below its parent: ``T(translation) * R(rotation) * S(scale)``."""

    translation: Floats
    rotation: Floats
    scale: Floats


@dataclass(frozen=True)
class RestPose:
    """Rest pose of a skeleton.

    Parameters
    ----------
    local : list of LocalPose
        Per joint, lengths in centimetres.
    between : list of array (4, 4)
        Per joint, what stands between it and its parent joint.
    sources : list of str
        Per joint, one of :data:`SOURCES`.
    """

    local: list[LocalPose]
    between: list[Floats]
    sources: list[str]

    @property
    def source(self) -> str:
        """The source that most joints have; of equals the better one."""
        return max(SOURCES, key=lambda name: (self.sources.count(name), -SOURCES.index(name)))


@dataclass(frozen=True)
class PoseRecord:
    """What a dagPose has of one member.

    Parameters
    ----------
    values : array, shape (16,) or (37,)
        Its local matrix, or its channels as in :class:`Xform`.
    world : array (4, 4), optional
        Its world matrix.
    parent : Node, optional
        The member above it, None for the world.
    """

    values: Floats
    world: Floats | None
    parent: Node | None

    def local(self, taken_back: Floats, current: LocalPose) -> LocalPose | None:
        """Local pose as recorded."""
        if len(self.values) == XFORM_NUMBERS:
            return Xform(self.values).joint_pose()
        return _split(stored_matrix(self.values), taken_back, current)

    def fits(self, place: JointPlace, parent: Node | None) -> bool:
        """True if the joint still hangs below what the pose knows as its parent."""
        if self.parent is None:
            return parent is None
        return self.parent is parent or self.parent in place.between


@dataclass(frozen=True)
class Xform:
    """An "xform" record of a dagPose: the channels that a node had.

    The 37 numbers are scale 3, rotate 3, rotate order, translate 3, shear 3, scalePivot 3,
    scalePivotTranslate 3, rotatePivot 3, rotatePivotTranslate 3, rotateAxis as a quaternion 4,
    jointOrient as a quaternion 4, inverseScale 3 and whether it is compensated.
    """

    values: Floats

    @property
    def rotation(self) -> Floats:
        """Local rotation, jointOrient * rotate * rotateAxis, shape (4,)."""
        turn = quaternion_from_euler(self.values[3:6], self.rotate_order)
        return multiply(_unit(self.values[29:33]), multiply(turn, _unit(self.values[25:29])))

    @property
    def rotate_order(self) -> str:
        """Name of the rotate order."""
        number = int(self.values[6])
        return ROTATE_ORDERS[number] if 0 <= number < len(ROTATE_ORDERS) else "xyz"

    def joint_pose(self) -> LocalPose:
        """As a joint's pose; joints have neither shear nor pivots."""
        return LocalPose(self.values[7:10].copy(), self.rotation, self.values[:3].copy())


def rest_pose(
    scene: Scene,
    places: Sequence[JointPlace],
    current: Sequence[LocalPose],
    between: Sequence[Floats],
    compensates: Sequence[bool],
) -> RestPose:
    """Rest pose of the joints from the best source that each of them has.

    Parameters
    ----------
    scene : Scene
    places : sequence of JointPlace
    current : sequence of LocalPose
        What the scene shows now: for joints that no source knows.
    between : sequence of array (4, 4)
        Likewise.
    compensates : sequence of bool
        Whether a joint takes its parent's scale back.

    Returns
    -------
    RestPose
    """
    records = _dag_pose_records(scene, {place.node for place in places})
    skinned = _bind_pre_matrices(scene)
    result = RestPose([], [], [])
    world: list[Floats] = []
    for index, place in enumerate(places):
        parent_world = np.eye(4) if place.parent < 0 else world[place.parent]
        parent = None if place.parent < 0 else places[place.parent].node
        taken_back = result.local[place.parent].scale if compensates[index] else np.ones(3)
        record = records.get(place.node)
        pose, above = None, between[index]
        if record is not None and record.fits(place, parent):
            pose, source = record.local(taken_back, current[index]), "dagPose"
            if pose is not None and place.between:
                above = _recorded_between(record, pose, parent_world, taken_back, above)
        if pose is None:
            worlds = _stored_worlds(place.node, record, skinned)
            pose, source = _from_world(worlds, parent_world @ above, taken_back, current[index])
        result.local.append(pose)
        result.between.append(above)
        result.sources.append(source)
        world.append(parent_world @ above @ _matrix(pose, taken_back))
    return result


def _matrix(pose: LocalPose, taken_back: Floats) -> Floats:
    """Local matrix ``T * S(1 / taken_back) * R * S``."""
    turn = linear(matrix_from_quaternion(pose.rotation)) @ scaled(pose.scale)
    return np.asarray(moved(pose.translation) @ scaled(_inverse(taken_back)) @ turn)


def _recorded_between(
    record: PoseRecord,
    pose: LocalPose,
    parent_world: Floats,
    taken_back: Floats,
    current: Floats,
) -> Floats:
    """What stood between a joint and its parent joint when the pose was saved."""
    local, outside = _inverted(_matrix(pose, taken_back)), _inverted(parent_world)
    if record.world is None or local is None or outside is None:
        return current
    then = outside @ record.world @ local
    return current if np.allclose(then, current, rtol=1e-9, atol=1e-9) else then


def _stored_worlds(
    node: Node, record: PoseRecord | None, skinned: Mapping[Node, Floats]
) -> list[tuple[str, Floats]]:
    """World matrices at binding, and where they are stored, the best first."""
    found: list[tuple[str, Floats | None]] = []
    if record is not None:
        found.append(("dagPose", record.world))
    if len(node.matrices.get("bindPose", ())) == 16:
        found.append(("bindPose", stored_matrix(node.matrices["bindPose"])))
    if len(skinned.get(node, ())) == 16:
        found.append(("bindPreMatrix", _inverted(stored_matrix(skinned[node]))))
    return [(source, matrix) for source, matrix in found if matrix is not None]


def _from_world(
    worlds: Sequence[tuple[str, Floats]], above: Floats, taken_back: Floats, current: LocalPose
) -> tuple[LocalPose, str]:
    """Local pose from the first world matrix that gives one, else the current one."""
    outside = _inverted(above)
    for source, matrix in worlds:
        local = None if outside is None else _split(outside @ matrix, taken_back, current)
        if local is not None:
            return local, source
    return current, "scene"


def _split(local: Floats, taken_back: Floats, current: LocalPose) -> LocalPose | None:
    """Pose of ``T * S(1 / taken_back) * R * S``."""
    matrix = local.copy()
    matrix[:3, :3] *= taken_back[:, None]
    parts = parts_of(matrix, current.scale)
    return None if parts is None else LocalPose(*parts)


def _dag_pose_records(scene: Scene, joints: set[Node]) -> dict[Node, PoseRecord]:
    """What dagPoses recorded of their members; bind poses and those of most joints go first."""
    members: dict[Node, list[tuple[Node, str]]] = {}
    for (pose, plug), (member, _) in scene.sources.items():
        if pose.node_type == "dagPose" and plug.startswith("members["):
            members.setdefault(pose, []).append((member, plug[len("members") :]))

    def rank(pose: Node) -> tuple[bool, int]:
        return bool(pose.number("bindPose")), sum(node in joints for node, _ in members[pose])

    records: dict[Node, PoseRecord] = {}
    for pose in sorted(members, key=rank, reverse=True):
        for member, index in members[pose]:
            values = pose.matrices.get(f"xformMatrix{index}")
            if values is not None and member not in records:
                world, parent = _recorded_world(scene, pose, index), _above(scene, pose, index)
                records[member] = PoseRecord(values, world, parent)
    return records


def _recorded_world(scene: Scene, pose: Node, index: str) -> Floats | None:
    """World matrix of a member: stored in the pose, or connected from the joint's bindPose."""
    stored = pose.matrices.get(f"worldMatrix{index}")
    source = scene.sources.get((pose, f"worldMatrix{index}"))
    if source is not None:
        stored = source[0].matrices.get(source[1], stored)
    return None if stored is None or len(stored) != 16 else stored_matrix(stored)


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


def _inverted(matrix: Floats) -> Floats | None:
    """Inverse, None of what has none."""
    if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-18:
        return None
    return np.asarray(np.linalg.inv(matrix))


def _inverse(scale: Floats) -> Floats:
    return 1.0 / np.where(scale == 0.0, 1.0, scale)


def _unit(quaternion: Floats) -> Floats:
    """Unit quaternion; the identity where a record has zeros."""
    return normalized(quaternion) if np.linalg.norm(quaternion) > 1e-9 else np.array(IDENTITY)
