"""Skeleton joints with their limits, for formats that have rigid bodies.

Such formats have only rotations and translations, and shapes along the bones for display and mass.
Maya places a joint as ``world(parent) B T S(1 / parent scale) R S``. The rotation of a joint is
kept separate from its scale: ``world = Q D`` with a rotation Q. The next joint then has ``D B S(1 /
parent scale)`` before its own rotation. If that is a rotation times a length, as it is for uniform
scales and for scales that the child compensates, nothing is lost. This is also true of mirrored
groups: minus the identity commutes with every rotation, so a mirrored joint has the same rotations,
and only the positions below it are mirrored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.errors import ExportError
from ..geometry import arrays, circle, euler, quaternion
from ..ik.rotate_box import RotateBox, rotate_box_of
from ..limits.layers import edited_joints
from ..limits.limit_set import JointLimit, LimitSet
from ..motion.name_matching import matched_joints
from ..motion.skeleton import Skeleton
from .formats import ExportOptions
from .losses import Loss, losses_of

DENSITY_KG_PER_M3 = 1000.0
"""Density of the bones: that of water."""
THICKNESS_SHARE, MIN_THICKNESS_SHARE, MAX_THICKNESS_SHARE = 0.12, 0.008, 0.024
"""Bone radius as a share of the bone's length; its minimum and maximum as shares of the height."""


@dataclass(frozen=True, eq=False)
class BoneShape:
    """Capsule from a joint along a bone; a sphere if the bone has no length.

    `bone`, shape (3,): from the joint to the end of the bone, in body coordinates.
    """

    bone: arrays.Floats
    radius: float

    @property
    def length(self) -> float:
        """Length of the bone, which is that of the capsule without its caps."""
        return float(np.linalg.norm(self.bone))

    def volume(self) -> float:
        """Volume, in the cube of the bone's length unit."""
        return float(np.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius))


def bone_shapes(bones: Sequence[arrays.Floats], height: float) -> list[BoneShape]:
    """Shapes of one body.

    `bones`, each of shape (3,): positions of its children; `height`: size of the figure. There is
    one shape for each child that is far enough away, or a single sphere if none is.
    """
    thinnest, thickest = MIN_THICKNESS_SHARE * height, MAX_THICKNESS_SHARE * height
    lengths = [float(np.linalg.norm(bone)) for bone in bones]
    found = [
        BoneShape(bone, min(max(THICKNESS_SHARE * length, thinnest), thickest))
        for bone, length in zip(bones, lengths)
        if length > thinnest
    ]
    return found or [BoneShape(np.zeros(3), 1.5 * thinnest)]


MAX_UNEVEN_SCALE_SHARE = 1e-5
"""Largest relative difference between scales that count as uniform; some files round them to single
precision at every joint."""


class RigidBones(NamedTuple):
    """Constant parts of every joint's transform, in the source's length unit.

    `places`, shape (joints, 3): relative to the parent joint, in its orientation; in the world for
    a root. `before`, shape (joints, 4): rotations before jointOrient. `mirrored`: joints
    mirrored in the source; their axes are flipped. `sheared`: joints below non-uniform scales that
    are not compensated.
    """

    places: arrays.Floats
    before: arrays.Floats
    mirrored: list[int]
    sheared: list[int]


def rigid_bones(skeleton: Skeleton) -> RigidBones:
    """Split the joint transforms into rotations, positions and lengths."""
    count = len(skeleton)
    stretches, uneven = np.tile(np.eye(3), (count, 1, 1)), np.zeros(count, dtype=bool)
    places, before = np.zeros((count, 3)), np.tile(quaternion.IDENTITY, (count, 1))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        between = skeleton.between.get(joint, np.eye(4))
        above, length = np.eye(3) if parent < 0 else stretches[parent], 1.0
        places[joint] = above @ (between[:3, 3] + between[:3, :3] @ skeleton.offsets[joint])
        part = above @ between[:3, :3]
        if parent >= 0:
            uneven[joint] = uneven[parent]
            if skeleton.compensates_scale[joint]:
                # Divide by the parent's scale, except by a scale of zero.
                scale = skeleton.scales[parent]
                part = part @ np.diag(1.0 / np.where(scale == 0.0, 1.0, scale))
        if not np.isfinite(part).all() or not part.any():
            uneven[joint] = True  # a zero scale leaves nothing to keep
        elif not np.array_equal(part, np.eye(3)):
            # The nearest rotation and a signed length.
            left, sizes, right = np.linalg.svd(part)
            sign = 1.0 if np.linalg.det(left @ right) > 0.0 else -1.0
            before[joint] = quaternion.quaternion_from_matrix(sign * (left @ right))
            length = float(sign * sizes.mean())
            uneven[joint] |= bool(np.ptp(sizes) > MAX_UNEVEN_SCALE_SHARE * sizes.max())
        stretches[joint] = length * np.diag(skeleton.scales[joint])
    mirrored = np.flatnonzero(np.linalg.det(stretches) < 0.0)
    return RigidBones(places, before, mirrored.tolist(), np.flatnonzero(uneven).tolist())


OTHER_FRAME_DEG = 1e-4
"""Largest rotation in degrees between orientations that count as the same."""
MIN_EXTENT = 1e-12
MAX_SAME_ANGLE_RAD = 1e-9
"""Largest difference in radians between angles that count as the same."""


@dataclass(frozen=True, eq=False)
class FigureJoint:
    """A joint of the skeleton with its limits.

    `limit_name`: name in the limits; "" for a joint without limits, whose `limit` is None.
    `is_root`: whether it places the character in the world. `box`: orientation and ranges; the
    skeleton's orientation without ranges if `limit` is None. `rest`, shape (3,): rotate channels of
    the rest pose, radians, on the branch of the limits. `edited`: whether an artist set ranges or
    type, which override measurements. `place`, `before`, shapes (3,), (4,): see
    :class:`RigidBones`.
    """

    index: int
    name: str
    parent: int
    is_root: bool
    limit_name: str
    limit: JointLimit | None
    box: RotateBox
    rest: arrays.Floats
    locked: tuple[bool, bool, bool]
    edited: bool
    place: arrays.Floats
    before: arrays.Floats

    @property
    def is_limited(self) -> bool:
        """Whether any channel has a limit."""
        return bool(np.isfinite([self.box.low, self.box.high]).any())

    @property
    def is_one_sided(self) -> bool:
        """Whether any channel has a limit at one end only."""
        return bool((np.isfinite(self.box.low) != np.isfinite(self.box.high)).any())

    @property
    def clamped_rest(self) -> arrays.Floats:
        """Rotate channels of the rest pose clamped to the ranges, radians, shape (3,)."""
        return np.clip(self.rest, self.box.low, self.box.high)

    @property
    def rests_outside(self) -> bool:
        """Whether the rest pose is outside the ranges."""
        return bool((np.abs(self.clamped_rest - self.rest) > MAX_SAME_ANGLE_RAD).any())


@dataclass(frozen=True, eq=False)
class Figure:
    """Every joint of a skeleton, parents first, and the losses from matching limits to it."""

    skeleton: Skeleton
    joints: tuple[FigureJoint, ...]
    losses: tuple[Loss, ...]

    def height(self) -> float:
        """Largest extent of the rest pose in the source's unit; 1 for a single point."""
        places = self.skeleton.rest_world_matrices()[:, :3, 3]
        extent = float(np.ptp(places, axis=0).max()) if len(places) else 0.0
        return extent if extent > MIN_EXTENT else 1.0

    def unit(self, options: ExportOptions) -> float:
        """Metres per length unit of the source; 1 if unknown."""
        return options.meters_per_unit or self.skeleton.meters_per_unit or 1.0

    def limited_names(self) -> list[str]:
        """Limit-set names of the joints that have limits, parents first."""
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

    `limit_set` must be in standard mode. Joints whose limits use a different orientation from the
    skeleton's get that orientation: poses stay the same, and the channels match the limits. Raises
    ExportError if the limits and the skeleton have no joint in common.
    """
    found = matched_joints(limit_set.joints, skeleton.names)
    if not found:
        text = "the skeleton and the limits have no joint in common; use a motion of this character"
        raise ExportError(text)
    named = {index: name for name, index in found.items()}
    bones = rigid_bones(skeleton)
    names = [named.get(index, "") for index in range(len(skeleton))]
    joints = [_figure_joint(skeleton, bones, *row, limit_set) for row in enumerate(names)]
    rules = {
        "no-such-joint": [name for name in limit_set.joints if name not in found],
        "no-limits": [joint.name for joint in joints if joint.limit is None],
        "other-frame": [one.name for one in joints if _has_other_orientation(one, skeleton)],
        "mirrored": [skeleton.names[index] for index in bones.mirrored],
        "uneven-scale": [skeleton.names[index] for index in bones.sheared],
    }
    return Figure(skeleton, tuple(joints), tuple(losses_of(_MESSAGES, rules)))


def _figure_joint(
    skeleton: Skeleton, bones: RigidBones, index: int, limit_name: str, limit_set: LimitSet
) -> FigureJoint:
    """One joint of the skeleton, in the orientation of its limits if it has any."""
    limit = limit_set.joints[limit_name] if limit_name else None
    if limit is None:
        orientation = skeleton.joint_orients[index], skeleton.rotate_axes[index]
        low, high = np.full(3, -np.inf), np.full(3, np.inf)
        box = RotateBox(skeleton.rotate_orders[index], *orientation, low, high)
        rest = box.channels(skeleton.rest_rotations[index])
    else:
        box = rotate_box_of(limit)
        rest = circle.into_box(np.radians(limit.rest.rotate_deg), box.low, box.high)
    x, y, z = (limit is not None and limit.limits[one].state == "locked" for one in euler.CHANNELS)
    return FigureJoint(
        index=index,
        name=skeleton.names[index],
        parent=int(skeleton.parents[index]),
        is_root=skeleton.is_root(index),
        limit_name=limit_name,
        limit=limit,
        box=box,
        rest=rest,
        locked=(x, y, z),
        edited=limit_name in edited_joints(limit_set),
        place=bones.places[index],
        before=bones.before[index],
    )


def _has_other_orientation(joint: FigureJoint, skeleton: Skeleton) -> bool:
    """Whether a joint's limits use an orientation that is neither the skeleton's nor advised."""
    box, index = joint.box, joint.index
    if joint.limit is None or joint.limit.orientation.kind == "advised":
        return False
    ours = np.array([box.joint_orient, box.rotate_axis])
    theirs = np.array([skeleton.joint_orients[index], skeleton.rotate_axes[index]])
    off_deg = float(np.degrees(quaternion.angle_between(ours, theirs)).max())
    return box.rotate_order != skeleton.rotate_orders[index] or off_deg > OTHER_FRAME_DEG


_MESSAGES = {
    "no-such-joint": "the skeleton does not have this joint; its limits are not in the file",
    "no-limits": "the joint has no limits; it stays in its rest pose",
    "other-frame": "the limits use a different orientation from this skeleton (rotate order, "
    "jointOrient or rotateAxis); the joint was written with the orientation of its limits",
    "mirrored": "the joint is mirrored in the source; its axes are flipped in the file, but its "
    "position and angles are the same",
    "uneven-scale": "non-uniform or zero scales cannot be written; the joint is placed with the "
    "mean scale",
}
