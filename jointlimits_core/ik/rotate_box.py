"""Maya's rotate limits as a constraint, and constraints of one kind stacked over joints.

Each channel is clamped separately, as in Maya. The result is not the nearest rotation in the box,
but the rotation that the rig shows. Boxes with the same rotate order are evaluated together, and so
are hinges, since call overhead would otherwise dominate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..geometry import circle, euler, quaternion
from ..geometry.arrays import Floats, Integers
from ..limits import limit_set, ranges
from .constraints import AT_LIMIT_RAD, HingeJoint, JointConstraint, remove_direction


@dataclass(frozen=True, eq=False)
class RotateBox(JointConstraint):
    """Limits of the rotate channels of a joint, or of joints with the same rotate order.

    `joint_orient`, `rotate_axis`, (4,) or (joints, 4). `low`, `high`, (3,) or (joints, 3): radians,
    infinite for a free channel, equal for a locked one.
    """

    rotate_order: str
    joint_orient: Floats
    rotate_axis: Floats
    low: Floats
    high: Floats

    def channels(self, rotation: Floats, near: Floats | None = None) -> Floats:
        """Rotate channels on the branch nearest to the limits, (..., 3), radians.

        `near`, (3,): channels whose branch is kept if it is inside the limits.
        """
        own = euler.rotate_from_local(
            rotation, self.joint_orient, self.rotate_axis, self.rotate_order
        )
        if near is not None:
            turn = euler.turn_from_local(rotation, self.joint_orient, self.rotate_axis)
            own = euler.euler_near(turn, near, self.rotate_order)
        return circle.euler_in_box(own, self.low, self.high, self.rotate_order)

    def local(self, rotates: Floats) -> Floats:
        """Local rotations, (..., 4), from rotate channels, (..., 3), radians."""
        return euler.local_from_rotate(
            rotates, self.joint_orient, self.rotate_axis, self.rotate_order
        )

    def middle(self) -> Floats:
        """See :class:`JointConstraint`; zero for a free channel."""
        middle = circle.middle_of_box(self.low, self.high)
        return self.local(middle)

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        values = self.channels(rotation)
        kept = np.clip(values, self.low, self.high)
        moved = (np.abs(kept - values) > 1e-12).any(axis=-1, keepdims=True)
        return np.asarray(np.where(moved, self.local(kept), rotation))

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`; locked channels are not free."""
        locked = self.high - self.low < AT_LIMIT_RAD
        free = super().movable(rotation)
        if not locked.any():
            return free
        gradients = _gradients(self.channel_axes(self.channels(rotation)))
        for channel in range(3):
            free = remove_direction(
                free, np.where(locked[..., channel, None], gradients[..., channel, :], 0.0)
            )
        return free

    def blocked_direction(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`; set by the channel that leaves its limits fastest."""
        return self.wall_at(self.channels(rotation), step, self.low, self.high)

    def wall_at(self, values: Floats, step: Floats, low: Floats, high: Floats) -> Floats:
        """Blocked direction at channels `values` within a range, all (..., 3), radians."""
        gradients = _gradients(self.channel_axes(values))
        rate = (gradients @ step[..., None])[..., 0]
        # Channels that are at a limit and about to exceed it.
        most = 1e-9 * (1.0 + np.linalg.norm(rate, axis=-1, keepdims=True))
        up = (values > high - AT_LIMIT_RAD) & (rate > most)
        down = (values < low + AT_LIMIT_RAD) & (rate < -most)
        pushed = up | down
        channel = np.argmax(np.where(pushed, np.abs(rate), -1.0), axis=-1)
        chosen = np.take_along_axis(gradients, channel[..., None, None], axis=-2)[..., 0, :]
        sense = np.sign(np.take_along_axis(rate, channel[..., None], axis=-1))
        return np.asarray(np.where(pushed.any(axis=-1, keepdims=True), sense * chosen, 0.0))

    def channel_axes(self, values: Floats) -> Floats:
        """Directions of the channels, (..., 3, 3): ``ei``, ``Ri^-1 ej``, ``Ri^-1 Rj^-1 ek``."""
        i, j, k = euler.axes_of(self.rotate_order)
        unit = np.eye(3)
        first = quaternion.quaternion_from_axis_angle(unit[i], -values[..., i])
        second = quaternion.quaternion_from_axis_angle(unit[j], -values[..., j])
        axes = np.empty((*values.shape, 3))
        axes[..., i, :] = unit[i]
        axes[..., j, :] = quaternion.rotate(first, unit[j])
        axes[..., k, :] = quaternion.rotate(first, quaternion.rotate(second, unit[k]))
        return quaternion.rotate(quaternion.conjugate(self.rotate_axis)[..., None, :], axes)


def _gradients(axes: Floats) -> Floats:
    """Unit directions in which each channel alone grows fastest, (..., channel, 3), or zero."""
    dual = np.stack(
        [np.cross(axes[..., (n + 1) % 3, :], axes[..., (n + 2) % 3, :]) for n in range(3)], axis=-2
    )
    sense = np.sign(np.sum(dual[..., 0, :] * axes[..., 0, :], axis=-1))[..., None, None]
    length = np.linalg.norm(dual, axis=-1, keepdims=True)
    regular = length > 1e-9
    return np.asarray(np.where(regular, sense * dual / np.where(regular, length, 1.0), 0.0))


def rotate_box_of(joint: limit_set.JointLimit) -> RotateBox:
    """Rotate limits of a joint. `joint`: a limit with rotate channels."""
    ends = [
        ranges.ends_of(joint.limits.get(channel, limit_set.AxisLimit("free")))
        for channel in euler.CHANNELS
    ]
    low, high = np.radians(ends).T
    orient, axis = ranges.orientation_of(joint.orientation)
    return RotateBox(joint.orientation.rotate_order, orient, axis, low, high)


@dataclass(frozen=True, eq=False)
class LimitGroup:
    """Constraint on rotations (..., joints, 4).

    `columns`: turning joints' columns. `joints`: indices of the joints whose rotations it takes.
    """

    columns: Integers
    joints: Integers
    constraint: JointConstraint


def stacked_by_kind(
    joints: Sequence[int], constraints: Mapping[int, JointConstraint]
) -> tuple[LimitGroup, ...]:
    """Constraints of turning joints, stacked by kind; joints without limits belong to no group.

    `joints`: the turning joints, parents first; a joint's index in this sequence is its column.
    Limits that depend on other joints come last.
    """
    boxes: dict[str, list[tuple[int, RotateBox]]] = {}
    hinges: list[tuple[int, HingeJoint]] = []
    groups: list[LimitGroup] = []
    depending: list[LimitGroup] = []
    for column, joint in enumerate(joints):
        constraint = constraints.get(joint, JointConstraint())
        if isinstance(constraint, RotateBox):
            boxes.setdefault(constraint.rotate_order, []).append((column, constraint))
        elif isinstance(constraint, HingeJoint):
            hinges.append((column, constraint))
        elif type(constraint) is not JointConstraint:
            seen = np.array([*constraint.drivers, joint])
            some = depending if constraint.drivers else groups
            some.append(LimitGroup(np.array([column]), seen, constraint))
    for like in boxes.values():
        groups.append(_stack(joints, like, "joint_orient", "rotate_axis", "low", "high"))
    if hinges:
        groups.append(_stack(joints, hinges, "axis", "reference", "low", "high"))
    return (*groups, *depending)


def _stack(
    joints: Sequence[int],
    some: Sequence[tuple[int, RotateBox]] | Sequence[tuple[int, HingeJoint]],
    *names: str,
) -> LimitGroup:
    """Stack the fields `names` of constraints, given with their columns, into one constraint."""
    arrays: dict[str, Any] = {
        name: np.array([getattr(item, name) for _, item in some], dtype=np.float64)
        for name in names
    }
    columns = np.array([column for column, _ in some])
    return LimitGroup(columns, np.asarray(joints)[columns], replace(some[0][1], **arrays))
