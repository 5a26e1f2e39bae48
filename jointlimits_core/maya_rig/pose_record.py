"""What is stored of a joint when it is bound: a dagPose's records, bindPose, bindPreMatrix."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Floats
from ..euler import quaternion_from_euler
from ..rotation import IDENTITY, multiply, normalized
from .matrices import parts_of, rotate_order_name, stored_matrix

XFORM_NUMBERS = 37
"""Numbers of an "xform" record behind its name; the last one is a yes or no."""


@dataclass(frozen=True)
class LocalPose:
    """A joint's place below its parent: ``T(translation) * R(rotation) * S(scale)``."""

    translation: Floats
    rotation: Floats
    scale: Floats


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
        return rotate_order_name(self.values[6])

    def joint_pose(self) -> LocalPose:
        """As a joint's pose; joints have neither shear nor pivots."""
        return LocalPose(self.values[7:10].copy(), self.rotation, self.values[:3].copy())


@dataclass(frozen=True, eq=False)
class PoseRecord:
    """What a dagPose has of one member.

    Parameters
    ----------
    values : array, shape (16,) or (37,)
        Its local matrix, or its channels as in :class:`Xform`.
    world : array (4, 4), optional
        Its world matrix.
    parent : hashable, optional
        The member above it, None for the world.
    """

    values: Floats
    world: Floats | None
    parent: Hashable | None

    def local(self, taken_back: Floats, current: LocalPose) -> LocalPose | None:
        """Local pose as recorded."""
        if len(self.values) == XFORM_NUMBERS:
            return Xform(self.values).joint_pose()
        return local_pose_from(stored_matrix(self.values), taken_back, current)

    def fits(self, parent: Hashable | None, between: Sequence[Hashable]) -> bool:
        """True if the joint still hangs below what the pose knows as its parent."""
        if self.parent is None:
            return parent is None
        return self.parent == parent or self.parent in between


@dataclass(frozen=True, eq=False)
class BindRecords:
    """All that is stored of one joint.

    Parameters
    ----------
    dag_pose : PoseRecord, optional
    worlds : mapping of source to array (4, 4)
        World matrices for column vectors: of "bindPose", and of "bindPreMatrix" the inverse.
    """

    dag_pose: PoseRecord | None = None
    worlds: Mapping[str, Floats] = field(default_factory=dict)


NO_RECORDS = BindRecords()
"""Of a joint that was never bound."""


@dataclass(frozen=True)
class DagPose:
    """A dagPose node: who is in it, and what it has of them.

    Parameters
    ----------
    is_bind : bool
        Whether it is marked as a bind pose.
    members : sequence of (member, record)
        The record is None where nothing is stored.
    """

    is_bind: bool
    members: Sequence[tuple[Hashable, PoseRecord | None]]


def best_records(poses: Iterable[DagPose], joints: set[Hashable]) -> dict[Hashable, PoseRecord]:
    """One record per member: bind poses, and those of most joints, go first.

    Parameters
    ----------
    joints : set
        The members that count.
    """

    def rank(pose: DagPose) -> tuple[bool, int]:
        return pose.is_bind, sum(member in joints for member, _ in pose.members)

    records: dict[Hashable, PoseRecord] = {}
    for pose in sorted(poses, key=rank, reverse=True):
        for member, record in pose.members:
            if record is not None:
                records.setdefault(member, record)
    return records


def local_pose_from(local: Floats, taken_back: Floats, current: LocalPose) -> LocalPose | None:
    """Pose of ``T * S(1 / taken_back) * R * S``; None if singular."""
    matrix = local.copy()
    matrix[:3, :3] *= taken_back[:, None]
    parts = parts_of(matrix, current.scale)
    return None if parts is None else LocalPose(*parts)


def inverted(matrix: Floats) -> Floats | None:
    """Inverse; None if singular."""
    if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-18:
        return None
    return np.asarray(np.linalg.inv(matrix))


def _unit(quaternion: Floats) -> Floats:
    """Unit quaternion; the identity for zeros."""
    return normalized(quaternion) if np.linalg.norm(quaternion) > 1e-9 else np.array(IDENTITY)
