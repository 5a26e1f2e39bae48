"""Rest pose of a joint from stored data: dagPose, else bindPose, else bindPreMatrix.

A dagPose stores every member's channels, which are used directly if the joint still has the parent
it had when the pose was saved. Otherwise, and for the other two sources, the local pose follows
from the stored world matrix, joint by joint from the root down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..base.errors import MayaAsciiError, OptionText, without_skeleton
from ..geometry.arrays import Floats
from ..geometry.euler import quaternion_from_euler
from ..geometry.quaternion import IDENTITY, multiply, normalize, quaternion_from_matrix
from ..motion.skeleton import Declaration
from .controls import controls_words, is_subject, keyed_controls
from .matrices import joint_matrix, optional_matrix, rotate_order_name, stored_matrix
from .scene import Node, Scene

XFORM_NUMBERS = 37
"""Count of the numbers that follow the name in an "xform" record."""
SOURCES = ("dagPose", "bindPose", "bindPreMatrix", "scene")
"""Sources of a joint's rest pose, best first."""


class LocalPose(NamedTuple):
    """Pose of a joint relative to its parent: ``T(translation) * R(rotation) * S(scale)``."""

    translation: Floats
    rotation: Floats
    scale: Floats


def xform_rotation(record: Floats) -> Floats:
    """Local rotation, jointOrient * rotate * rotateAxis, shape (4,), in an "xform" record.

    The 37 numbers are scale 3, rotate 3, rotate order, translate 3, shear 3, scalePivot 3,
    scalePivotTranslate 3, rotatePivot 3, rotatePivotTranslate 3, rotateAxis as a quaternion 4,
    jointOrient as a quaternion 4, inverseScale 3, and scale compensation on or off.
    """
    turn = quaternion_from_euler(record[3:6], rotate_order_name(record[6]))
    # A record may have zeros for the identity.
    axis, orient = (
        normalize(unit) if np.linalg.norm(unit) > 1e-9 else np.array(IDENTITY)
        for unit in (record[25:29], record[29:33])
    )
    return multiply(orient, multiply(turn, axis))


class PoseRecord(NamedTuple):
    """Record of one member of a dagPose.

    `values`, shape (16,) or (37,): local matrix, or channels as in :func:`xform_rotation`. `world`,
    shape (4, 4): world matrix. `parent`: the member's parent in the pose, None for the world.
    """

    values: Floats
    world: Floats | None
    parent: Hashable | None

    def local(self, parent_scale: Floats, current: LocalPose) -> LocalPose | None:
        """Recorded local pose; shear and pivots are ignored, since joints have none."""
        if len(self.values) == XFORM_NUMBERS:
            translation, scale = self.values[7:10].copy(), self.values[:3].copy()
            return LocalPose(translation, xform_rotation(self.values), scale)
        return local_pose_from(stored_matrix(self.values), parent_scale, current)

    def fits(self, parent: Hashable | None, joint: RigJoint) -> bool:
        """Whether a joint still has its parent from the pose; `parent`: key of its parent now."""
        if self.parent is None:
            return parent is None
        return self.parent == parent or self.parent in joint.between


@dataclass(frozen=True, eq=False)
class BindRecords:
    """Stored poses of one joint.

    `worlds`: "bindPose", and the inverse of "bindPreMatrix", as matrices for column vectors.
    """

    dag_pose: PoseRecord | None = None
    worlds: Mapping[str, Floats] = field(default_factory=dict)

    @classmethod
    def from_matrices(
        cls, dag_pose: PoseRecord | None, bind: Floats | None, inverse: Floats | None
    ) -> BindRecords:
        """Records from stored matrices; `inverse` is the inverse bind matrix, "bindPreMatrix"."""
        worlds = {
            "bindPose": bind,
            "bindPreMatrix": None if inverse is None else inverse_matrix(inverse),
        }
        return cls(dag_pose, {name: world for name, world in worlds.items() if world is not None})


NO_RECORDS = BindRecords()
"""Records of a joint without stored poses."""


class DagPose(NamedTuple):
    """A dagPose node: its members, each with its record or None."""

    is_bind: bool
    members: Sequence[tuple[Hashable, PoseRecord | None]]


def best_records(poses: Iterable[DagPose], joints: set[Hashable]) -> dict[Hashable, PoseRecord]:
    """One record per member, preferably from bind poses, then from poses with more joints."""

    def rank(pose: DagPose) -> tuple[bool, int]:
        return pose.is_bind, sum(member in joints for member, _ in pose.members)

    records: dict[Hashable, PoseRecord] = {}
    for pose in sorted(poses, key=rank, reverse=True):
        for member, record in pose.members:
            if record is not None:
                records.setdefault(member, record)
    return records


def local_pose_from(local: Floats, parent_scale: Floats, current: LocalPose) -> LocalPose | None:
    """Pose with the matrix ``T * S(1 / parent_scale) * R * S``, shape (4, 4); None if singular.

    The scale has the signs of the `current` pose; if these do not fit a mirrored matrix, all of
    them are inverted.
    """
    linear = local[:3, :3] * parent_scale[:, None]
    scale = np.linalg.norm(linear, axis=0)
    if not np.isfinite(scale).all() or scale.min() < 1e-9:
        return None
    scale = scale * np.where(current.scale < 0.0, -1.0, 1.0)
    turn = linear / scale
    if np.linalg.det(turn) < 0.0:
        turn, scale = -turn, -scale
    return LocalPose(np.array(local[:3, 3]), quaternion_from_matrix(turn), scale)


def inverse_matrix(matrix: Floats) -> Floats | None:
    """Inverse matrix; None if singular."""
    if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-18:
        return None
    return np.asarray(np.linalg.inv(matrix))


@dataclass(frozen=True, eq=False)
class RigJoint:
    """Static properties of a joint.

    `key`: identifier in the reader. `name`: unique. `parent`: index of the parent joint, -1 for a
    root. `between`: transforms between the parent joint, or the world, and this joint, from the top
    down. `joint_orient`, `rotate_axis`, shape (3,): radians. `compensates_scale`: whether it
    compensates the scale of its parent joint. `is_hanging`: whether it has a parent joint that was
    not selected. `is_control`: whether it is a control, which has no jointOrient.
    """

    key: Hashable
    name: str
    parent: int
    between: tuple[Hashable, ...]
    rotate_order: str
    joint_orient: Floats
    rotate_axis: Floats
    compensates_scale: bool = False
    declaration: Declaration = field(default_factory=Declaration)
    is_hanging: bool = False
    is_control: bool = False

    @cached_property
    def orient_quaternion(self) -> Floats:
        """Rotation of jointOrient, shape (4,)."""
        return quaternion_from_euler(self.joint_orient)

    @cached_property
    def axis_quaternion(self) -> Floats:
        """Rotation of rotateAxis, shape (4,)."""
        return quaternion_from_euler(self.rotate_axis)


class RestPose(NamedTuple):
    """Rest pose of a skeleton.

    One item per joint: `local` in centimetres; `between`, shape (4, 4): transform between it and
    its parent joint; `sources`: one of :data:`SOURCES`.
    """

    local: list[LocalPose]
    between: list[Floats]
    sources: list[str]

    @property
    def source(self) -> str:
        """Most frequent source; ties go to the better one."""
        return max(SOURCES, key=lambda name: (self.sources.count(name), -SOURCES.index(name)))


def rest_pose(
    joints: Sequence[RigJoint],
    records: Sequence[BindRecords],
    current: Sequence[LocalPose],
    between: Sequence[Floats],
) -> RestPose:
    """Rest pose of the joints, each from its best source.

    `current`: poses of joints without stored data; `between`: current transforms between parent
    joints and joints.
    """
    result = RestPose([], [], [])
    world: list[Floats] = []
    for joint, stored, now, above in zip(joints, records, current, between):
        parent = joint.parent
        parent_world = np.eye(4) if parent < 0 else world[parent]
        parent_scale = result.local[parent].scale if joint.compensates_scale else np.ones(3)
        record, pose = stored.dag_pose, None
        if record is not None and record.fits(None if parent < 0 else joints[parent].key, joint):
            pose = record.local(parent_scale, now)
        if record is not None and pose is not None:
            source = "dagPose"
            if joint.between:
                posed = joint_matrix(*pose, parent_scale)
                above = _transform_when_posed(record, posed, parent_world, above)
        else:
            pose, source = _pose_from_world(stored, parent_world @ above, parent_scale, now)
        result.local.append(pose)
        result.between.append(above)
        result.sources.append(source)
        world.append(parent_world @ above @ joint_matrix(*pose, parent_scale))
    return result


def _transform_when_posed(
    record: PoseRecord, posed: Floats, parent_world: Floats, current: Floats
) -> Floats:
    """Transform between joint and parent in the dagPose. `posed`: local matrix of the joint."""
    own, outside = inverse_matrix(posed), inverse_matrix(parent_world)
    if record.world is None or own is None or outside is None:
        return current
    then = outside @ record.world @ own
    return current if np.allclose(then, current, rtol=1e-9, atol=1e-9) else then


def _pose_from_world(
    stored: BindRecords, above: Floats, parent_scale: Floats, current: LocalPose
) -> tuple[LocalPose, str]:
    """Local pose from the first usable world matrix, else the current pose, and its source.

    `above`, shape (4, 4): world matrix of the space that the joint is in.
    """
    worlds, outside = dict(stored.worlds), inverse_matrix(above)
    if stored.dag_pose is not None and stored.dag_pose.world is not None:
        worlds["dagPose"] = stored.dag_pose.world
    for name in SOURCES:
        if name in worlds and outside is not None:
            local = local_pose_from(outside @ worlds[name], parent_scale, current)
            if local is not None:
                return local, name
    return current, "scene"


class JointPlace(NamedTuple):
    """Joint and its place in the hierarchy of joints.

    `name`: short, or the full path where several joints share it. `parent`: place of the parent
    joint in the list, -1 for a root. `between`: transforms between the parent joint, or the world,
    and this joint, from the top down.
    """

    node: Node
    name: str
    parent: int
    between: tuple[Node, ...]


def joint_places(scene: Scene, controls: bool = False) -> list[JointPlace]:
    """Joints of a scene or, with `controls`, its controls; parents before their children.

    A node that does not inherit its parent's transform starts a new root. Raises MayaAsciiError if
    the scene has none (the message names missing references) or its hierarchy is too deep.
    """
    found = places(scene, controls)
    if not found:
        raise _without_subjects(scene, controls)
    return found


def places(scene: Scene, controls: bool = False) -> list[JointPlace]:
    """Places as from :func:`joint_places`; none for a scene without joints or controls."""
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
        if is_subject(scene, node, controls):
            found.append((node, parent, between))
            parent, between = len(found) - 1, ()
        elif node.is_transform:
            between = (*between, node)
        children = reversed(node.children.values())
        todo.extend((child, depth + 1, parent, between) for child in children)
    counts = Counter(node.name for node, _, _ in found)
    return [
        JointPlace(node, node.name if counts[node.name] == 1 else node.path, parent, between)
        for node, parent, between in found
    ]


def _without_subjects(scene: Scene, controls: bool) -> MayaAsciiError:
    """Error about a scene without joints or, with `controls`, without controls."""
    none = "no controls (transforms with curve shapes)" if controls else "no joints"
    keyed = [] if controls else keyed_controls(scene)
    if keyed:
        words = f"the scene has {none}; its keys are on {controls_words(keyed)}: measure them with "
        return without_skeleton(MayaAsciiError(scene.path, OptionText(words, "controls", "")))
    missing = [ref.stored_path for ref in scene.references if ref.found is None]
    if missing:
        listed = ", ".join(repr(path) for path in missing[:5])
        text = (
            f"the scene has {none}; it references files that were not found: {listed}. "
            "Put them next to the scene, or import the references in Maya and save again"
        )
        return MayaAsciiError(scene.path, text)
    what = "whose controls have curve shapes" if controls else "that contains a skeleton"
    text = f"the scene has {none}; save a scene {what}"
    return without_skeleton(MayaAsciiError(scene.path, text))


def rotate_order(node: Node) -> str:
    """Name of a node's rotate order; xyz for an invalid number."""
    return rotate_order_name(node.number("rotateOrder"))


HOLDERS = ("dagPose", "skinCluster")
"""Types of nodes that store poses of several joints."""


def bind_records(scene: Scene, places: Sequence[JointPlace]) -> list[BindRecords]:
    """Stored poses of every joint, from dagPose nodes, bindPose attributes and skins."""
    members: dict[Node, list[tuple[Hashable, PoseRecord | None]]] = {}
    # Inverse world matrices at binding, from the first skin that stores one.
    skinned: dict[Node, Floats] = {}
    # By name, as in an open scene: if poses or skins disagree, the first one counts.
    held = (one for one in scene.sources.items() if one[0][0].node_type in HOLDERS)
    for (holder, plug), (joint, _) in sorted(held, key=lambda one: one[0][0].name):
        index = plug[plug.find("[") :]
        if holder.node_type == "dagPose" and plug.startswith("members["):
            values = holder.matrices.get(f"xformMatrix{index}")
            # The world matrix is stored in the pose, or connected from the joint's bindPose.
            world = holder.matrices.get(f"worldMatrix{index}")
            source = scene.sources.get((holder, f"worldMatrix{index}"))
            if source is not None:
                world = source[0].matrices.get(source[1], world)
            # ``pose.members[j]`` of the member above is connected to ``pose.parents[i]``.
            source = scene.sources.get((holder, f"parents{index}"))
            above = None if source is None else scene.sources.get((holder, source[1]))
            record = None
            if values is not None:
                parent = None if above is None else above[0]
                record = PoseRecord(values, optional_matrix(world), parent)
            members.setdefault(holder, []).append((joint, record))
        elif holder.node_type == "skinCluster" and plug.startswith("matrix["):
            stored = holder.matrices.get(f"bindPreMatrix{index}")
            if stored is not None:
                skinned.setdefault(joint, stored)
    poses = [DagPose(bool(pose.number("bindPose")), found) for pose, found in members.items()]
    records = best_records(poses, {place.node for place in places})
    return [
        BindRecords.from_matrices(
            records.get(place.node),
            optional_matrix(place.node.matrices.get("bindPose")),
            optional_matrix(skinned.get(place.node)),
        )
        for place in places
    ]
