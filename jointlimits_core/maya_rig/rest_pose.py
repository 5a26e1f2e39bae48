"""Rest pose from stored data: dagPose, else bindPose, else bindPreMatrix.

A dagPose stores every member's channels, which are used directly while the joint still has the
parent it had when the pose was saved. Otherwise, and for the other two, the local pose follows from
the stored world matrix, joint by joint from the root down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from .matrices import joint_matrix
from .pose_record import BindRecords, LocalPose, PoseRecord, inverted, local_pose_from
from .rig_joint import RigJoint

SOURCES = ("dagPose", "bindPose", "bindPreMatrix", "scene")
"""Sources of a joint's rest pose, best first."""


@dataclass(frozen=True)
class RestPose:
    """Rest pose of a skeleton.

    Parameters
    ----------
    local : list of LocalPose
        Per joint, lengths in centimetres.
    between : list of array (4, 4)
        Per joint, the transform between it and its parent joint.
    sources : list of str
        Per joint, one of :data:`SOURCES`.
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

    Parameters
    ----------
    records : sequence of BindRecords
        Stored data of each joint.
    current : sequence of LocalPose
        Current pose, for joints without stored data.
    between : sequence of array (4, 4)
        Current transforms between parent joints and joints.
    """
    result = RestPose([], [], [])
    world: list[Floats] = []
    for joint, stored, now, above in zip(joints, records, current, between):
        parent = joint.parent
        parent_world = np.eye(4) if parent < 0 else world[parent]
        taken_back = result.local[parent].scale if joint.compensates_scale else np.ones(3)
        record, pose = stored.dag_pose, None
        if record is not None and record.fits(
            None if parent < 0 else joints[parent].key, joint.between
        ):
            pose, source = record.local(taken_back, now), "dagPose"
            if pose is not None and joint.between:
                above = _recorded_between(record, pose, parent_world, taken_back, above)
        if pose is None:
            pose, source = _from_world(stored, parent_world @ above, taken_back, now)
        result.local.append(pose)
        result.between.append(above)
        result.sources.append(source)
        world.append(parent_world @ above @ _matrix(pose, taken_back))
    return result


def _matrix(pose: LocalPose, taken_back: Floats) -> Floats:
    return joint_matrix(pose.translation, pose.rotation, pose.scale, taken_back)


def _recorded_between(
    record: PoseRecord,
    pose: LocalPose,
    parent_world: Floats,
    taken_back: Floats,
    current: Floats,
) -> Floats:
    """Transform between a joint and its parent joint when the pose was saved."""
    local, outside = inverted(_matrix(pose, taken_back)), inverted(parent_world)
    if record.world is None or local is None or outside is None:
        return current
    then = outside @ record.world @ local
    return current if np.allclose(then, current, rtol=1e-9, atol=1e-9) else then


def _from_world(
    stored: BindRecords, above: Floats, taken_back: Floats, current: LocalPose
) -> tuple[LocalPose, str]:
    """Local pose from the first usable world matrix, else the current one."""
    outside = inverted(above)
    worlds = dict(stored.worlds)
    if stored.dag_pose is not None and stored.dag_pose.world is not None:
        worlds["dagPose"] = stored.dag_pose.world
    for source in SOURCES:
        matrix = worlds.get(source)
        if matrix is None or outside is None:
            continue
        local = local_pose_from(outside @ matrix, taken_back, current)
        if local is not None:
            return local, source
    return current, "scene"
