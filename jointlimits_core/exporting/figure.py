"""Joints of a skeleton with their limits, for formats with bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..errors import ExportError
from ..evaluation.matching import matched_joints
from ..evaluation.rotate_box import RotateBox, rotate_box_of
from ..joint_frame import CHANNELS
from ..limits.in_force import joints_decided
from ..limits.limit_set import JointLimit, LimitSet
from ..rotation import angle_between
from ..skeleton import Skeleton
from .loss import Loss, losses_of
from .rigid_bones import RigidBones, rigid_bones

OTHER_FRAME_DEG = 1e-4
"""Largest rotation in radians between orientations that count as the same."""
NO_LENGTH = 1e-12
SAME = 1e-9
"""Largest difference in radians between angles that count as the same."""


@dataclass(frozen=True, eq=False)
class FigureJoint:
    """A joint with its limits.

    Parameters
    ----------
    index : int
        Index in the skeleton.
    name : str
        Name in the skeleton.
    parent : int
        -1 for a root.
    is_root : bool
        Whether it places the character in the world.
    limit_name : str
        Name in the limits; "" for a joint without limits.
    limit : JointLimit, optional
        None for a joint without limits.
    box : RotateBox
        Orientation and ranges; those of the skeleton, without ranges, if `limit` is None.
    rest : array, shape (3,)
        Rotate channels of the rest pose, radians, on the branch of the limits.
    locked : tuple of bool
        Which channels are locked.
    decided : bool
        Whether an artist decided ranges or type, which overrides measurements.
    place, before : array, shapes (3,), (4,)
        See :class:`.rigid_bones.RigidBones`.
    """

    index: int
    name: str
    parent: int
    is_root: bool
    limit_name: str
    limit: JointLimit | None
    box: RotateBox
    rest: Floats
    locked: tuple[bool, bool, bool]
    decided: bool
    place: Floats
    before: Floats

    @property
    def held(self) -> Floats:
        """Rotate channels of the rest pose clamped to the ranges, radians, shape (3,)."""
        return np.clip(self.rest, self.box.low, self.box.high)

    @property
    def rests_outside(self) -> bool:
        """Whether the rest pose is outside the ranges."""
        return bool((np.abs(self.held - self.rest) > SAME).any())


@dataclass(frozen=True, eq=False)
class Figure:
    """Every joint of a skeleton, parents first, and the losses of matching it."""

    skeleton: Skeleton
    joints: tuple[FigureJoint, ...]
    losses: tuple[Loss, ...]

    def height(self) -> float:
        """Largest extent of the rest pose in the source's unit; 1 for a single point."""
        places = self.skeleton.rest_world_matrices()[:, :3, 3]
        extent = float(np.ptp(places, axis=0).max()) if len(places) else 0.0
        return extent if extent > NO_LENGTH else 1.0

    def limited_names(self) -> list[str]:
        """Limit-set names of the joints that are in the skeleton, parents first."""
        return [joint.limit_name for joint in self.joints if joint.limit is not None]

    def children(self) -> list[list[int]]:
        """Indices of the children of every joint."""
        found: list[list[int]] = [[] for _ in self.joints]
        for joint in self.joints:
            if joint.parent >= 0:
                found[joint.parent].append(joint.index)
        return found


def figure_of(limit_set: LimitSet, skeleton: Skeleton) -> Figure:
    """Combine limits and skeleton.

    Parameters
    ----------
    limit_set : LimitSet
        In standard mode.

    Returns
    -------
    Figure
        Joints whose limits use another orientation than the skeleton get that orientation: the
        poses are the same, the channels are those of the limits.

    Raises
    ------
    ExportError
        If no joint of the limits is in the skeleton.
    """
    found = matched_joints(limit_set.joints, skeleton.names)
    if not found:
        raise ExportError(
            "the skeleton and the limits have no joint in common; use a motion of this character"
        )
    names = {index: name for name, index in found.items()}
    bones = rigid_bones(skeleton)
    joints = tuple(
        _joint(skeleton, bones, index, names.get(index, ""), limit_set)
        for index in range(len(skeleton))
    )
    missing = [name for name in limit_set.joints if name not in found]
    return Figure(skeleton, joints, tuple(_losses(skeleton, bones, joints, missing)))


def _joint(
    skeleton: Skeleton, bones: RigidBones, index: int, name: str, limit_set: LimitSet
) -> FigureJoint:
    limit = limit_set.joints[name] if name else None
    if limit is None:
        box = RotateBox(
            skeleton.rotate_orders[index],
            skeleton.joint_orients[index],
            skeleton.rotate_axes[index],
            np.full(3, -np.inf),
            np.full(3, np.inf),
        )
        rest = box.channels(skeleton.rest_rotations[index])
    else:
        box, rest = rotate_box_of(limit), np.radians(limit.rest.rotate_deg)
    locked = [limit is not None and limit.limits[one].state == "locked" for one in CHANNELS]
    return FigureJoint(
        index,
        skeleton.names[index],
        int(skeleton.parents[index]),
        skeleton.is_root(index),
        name,
        limit,
        box,
        rest,
        (locked[0], locked[1], locked[2]),
        name in joints_decided(limit_set),
        bones.places[index],
        bones.before[index],
    )


def _losses(
    skeleton: Skeleton, bones: RigidBones, joints: tuple[FigureJoint, ...], missing: list[str]
) -> Iterator[Loss]:
    names = skeleton.names
    yield from losses_of(
        [
            (
                "no-such-joint",
                "the skeleton does not have the joint; its limits are not in the file",
                missing,
            ),
            (
                "no-limits",
                "the joint has no limits; it stays in its rest pose",
                [joint.name for joint in joints if joint.limit is None],
            ),
            (
                "other-frame",
                "the limits use another orientation than this skeleton (rotate order, jointOrient "
                "or rotateAxis); the joint was written with the orientation of its limits",
                [joint.name for joint in joints if _has_other_frame(skeleton, joint)],
            ),
            (
                "mirrored",
                "the joint is mirrored in the source; its axes are flipped in the file, its "
                "position and angles are the same",
                [names[index] for index in bones.mirrored],
            ),
            (
                "uneven-scale",
                "non-uniform or zero scales cannot be written; the joint is placed with the mean "
                "scale",
                [names[index] for index in bones.sheared],
            ),
        ]
    )


def _has_other_frame(skeleton: Skeleton, joint: FigureJoint) -> bool:
    """Whether the limits use another orientation that no edit or advice explains."""
    if joint.limit is None or joint.limit.frame.kind == "advised":
        return False
    pairs = (
        (joint.box.joint_orient, skeleton.joint_orients[joint.index]),
        (joint.box.rotate_axis, skeleton.rotate_axes[joint.index]),
    )
    apart = max(float(np.degrees(angle_between(ours, theirs))) for ours, theirs in pairs)
    order = skeleton.rotate_orders[joint.index]
    return joint.box.rotate_order != order or apart > OTHER_FRAME_DEG
