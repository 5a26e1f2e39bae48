"""Ranges that depend on other joints, such as a knee's on its hip, as a constraint.

A joint's other limit comes first, then its ranges, given the rotations of the joints that drive
them. Clamping a channel can move a rotation out of the joint's shape, and projecting into the shape
can move it out of the range. Alternating the two converges to a rotation inside both if there is
one (Bauschke and Borwein, SIAM Review 38, 1996, for convex sets, which these nearly are). Clamping
aims slightly inside the ranges, so that a few rounds suffice instead of ever smaller steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..geometry import euler, quaternion
from ..geometry.arrays import Floats
from ..limits.limit_set import AxisLimit, JointLimit, LimitSet
from ..limits.ranges import ends_of
from ..limits.records import Dependency
from ..shapes.scalar_ranges import INWARD_DEG, MAX_ROUNDS, MAX_SETTLED_DEG
from .constraints import JointConstraint
from .rotate_box import RotateBox, rotate_box_of


@dataclass(frozen=True, eq=False)
class Tie:
    """A dependency of a joint's channel, and where the constraint finds its driver.

    `place`: index of the driver among the constraint's drivers. `box`: the driver's orientation and
    branch.
    """

    dependency: Dependency
    place: int
    box: RotateBox


@dataclass(frozen=True, eq=False)
class DependentRanges(JointConstraint):
    """Limit of a joint whose ranges depend on other joints.

    Rotations have the shape (..., drivers + 1, 4): those of the drivers, which never change, then
    the joint's own. Steps and directions are those of the joint alone, (..., 1, 3).

    Parameters
    ----------
    limit : JointConstraint
        The joint's limit without the ranges; it takes precedence where the two conflict.
    box : RotateBox
        The joint's orientation, and the branch of its channels.
    ties : tuple of Tie
    drivers : tuple of int
        Indices of the joints that the ranges depend on.
    """

    limit: JointConstraint
    box: RotateBox
    ties: tuple[Tie, ...]
    drivers: tuple[int, ...]

    def middle(self) -> Floats:
        """See :class:`JointConstraint`; the middle of the joint's limit without the ranges."""
        return self.limit.middle()

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`; rotations that are inside both limits are unchanged."""
        result = np.array(rotation)
        low, high = self._ranges_deg(rotation)
        now = self.limit.project(rotation[..., -1:, :])[..., 0, :]
        result[..., -1, :] = now
        left = np.ones(now.shape[:-1], dtype=bool)
        for _ in range(MAX_ROUNDS + 1):
            channels = _channels_deg(now, self.box)
            beyond = np.maximum(low[left] - channels, channels - high[left]).max(axis=-1)
            unsettled = beyond > MAX_SETTLED_DEG
            settled = left.copy()
            settled[left] = ~unsettled
            result[settled, -1] = now[~unsettled]
            left &= ~settled
            if not left.any():
                break
            inward = np.minimum(INWARD_DEG, 0.5 * (high - low))[left]
            channels = np.clip(channels[unsettled], low[left] + inward, high[left] - inward)
            how = self.box.joint_orient, self.box.rotate_axis, self.box.rotate_order
            clamped = euler.local_from_rotate(np.radians(channels), *how)
            now = self.limit.project(clamped[..., None, :])[..., 0, :]
        return result

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return self.limit.movable(rotation[..., -1:, :])

    def blocked_direction(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`; first the limit's direction, then the ranges'."""
        own = rotation[..., -1:, :]
        wall = self.limit.blocked_direction(own, step)
        low, high = self._ranges_deg(rotation)
        inward = np.minimum(2.0 * INWARD_DEG, 0.5 * (high - low))
        ends = np.radians([low + inward, high - inward])[..., None, :]
        values = self.box.channels(own)
        range_wall = self.box.wall_at(values, step, *ends)
        return np.asarray(np.where(wall.any(axis=-1, keepdims=True), wall, range_wall))

    def _ranges_deg(self, rotation: Floats) -> tuple[Floats, Floats]:
        """Minimum and maximum of the channels, (..., 3), degrees; infinite without a dependency.

        Where ranges from several drivers do not overlap, the range is the middle of the gap.
        """
        low = np.full((*rotation.shape[:-2], 3), -np.inf)
        high = -low
        for tie in self.ties:
            item = tie.dependency
            channels = _channels_deg(rotation[..., tie.place, :], tie.box)
            ends = item.bounds_deg(channels[..., euler.CHANNELS.index(item.on_channel)])
            axis = euler.CHANNELS.index(item.channel)
            low[..., axis] = np.maximum(low[..., axis], ends[0])
            high[..., axis] = np.minimum(high[..., axis], ends[1])
        crossed = low > high
        low[crossed] = high[crossed] = 0.5 * (low[crossed] + high[crossed])
        return low, high


def _channels_deg(rotation: Floats, box: RotateBox) -> Floats:
    """Rotate channels in degrees, (..., 3); NaN where a rotation is not finite."""
    usable = np.isfinite(rotation).all(axis=-1, keepdims=True)
    channels = np.degrees(box.channels(np.where(usable, rotation, quaternion.IDENTITY)))
    return np.where(usable, channels, np.nan)


def with_dependent_ranges(
    limit: JointConstraint,
    limit_set: LimitSet,
    depending: Sequence[Dependency],
    places: Mapping[str, int],
) -> JointConstraint:
    """Limit of a joint, plus those of its ranges that depend on joints with known indices.

    `depending`: dependencies of this joint. `places`: indices of joints by their names in the limit
    set; dependencies on other joints are left out. Without any, the result is `limit`.
    """
    known = [item for item in depending if item.on_joint in places]
    if not known:
        return limit
    drivers = tuple(sorted({places[item.on_joint] for item in known}))
    ties = tuple(
        Tie(
            item,
            drivers.index(places[item.on_joint]),
            rotate_box_of(limit_set.joints[item.on_joint]),
        )
        for item in known
    )
    own = rotate_box_of(limit_set.joints[known[0].joint])
    return DependentRanges(limit, own, ties, drivers)


def ranges_data(limit_set: LimitSet, depending: Sequence[Dependency]) -> dict[str, Any]:
    """Plain data of a joint's ranges that depend on other joints, for a rig node.

    `depending`: dependencies of one joint, at least one. "drivers" are the names of the other
    joints, each with its box; the numbers of a tie are those of
    :class:`~jointlimits_core.shapes.scalar_ranges.ScalarRanges`.
    """
    own, joints = depending[0].joint, limit_set.joints
    drivers = [name for name in dict.fromkeys(d.on_joint for d in depending) if name != own]
    ties = []
    for item in depending:
        low, high = (np.round(side, 6).tolist() for side in item.sides_deg())
        driver = -1 if item.on_joint == own else drivers.index(item.on_joint)
        axis, on_axis = map(euler.CHANNELS.index, (item.channel, item.on_channel))
        ties.append([axis, driver, on_axis, low, high])
    boxes = [[name, _box_data(joints[name])] for name in drivers]
    return {"box": _box_data(joints[own]), "drivers": boxes, "ties": ties}


def _box_data(joint: JointLimit) -> dict[str, Any]:
    frame, free = joint.orientation, AxisLimit("free")
    ends = [ends_of(joint.limits.get(channel, free)) for channel in euler.CHANNELS]
    return {
        "order": euler.ROTATE_ORDERS.index(frame.rotate_order),
        "joint_orient_deg": list(frame.joint_orient_deg),
        "rotate_axis_deg": list(frame.rotate_axis_deg),
        "limits_deg": [[end if np.isfinite(end) else None for end in pair] for pair in ends],
    }
