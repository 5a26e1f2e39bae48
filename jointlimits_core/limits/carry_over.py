"""Limits of a joint carried over to the control that drives it, or to another rotate order.

The limits are a box in the joint's channels. In other channels its image is again a box only if
axes and rotate orders agree; otherwise the smallest box around the image is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..geometry import circle, euler, quaternion
from ..geometry.arrays import Booleans, Floats
from ..motion.reorient import JointOrientation, hinge_orientation
from . import ranges
from .constant_link import MAX_RESIDUAL_DEG, ConstantLink
from .limit_set import AxisLimit, AxisSource, BoundSource, Hinge, JointLimit, Orientation, RestPose
from .symmetry import Axes, carry_axes

RULE = "carried-over"
"""Rule for findings that say which joint a control's limits come from."""
FROM_KEYS = "measure the control from its own keys: estimateJointLimits -controls"
"""Advice for limits that cannot be carried over."""
EDGE_POINTS = 25
"""Points along each edge of a box; its lattice has 15,625 points."""
MAX_STEP_RAD = np.radians(12.0)
"""Maximum step along which an Euler branch is followed."""
MAX_JUMP_RAD = np.radians(90.0)
"""Neighbouring points whose angles differ by more than this have gimbal lock between them."""
LATTICE = np.array(list(product((0.0, -1.0, 1.0), repeat=3)))
"""Lattice offsets from a point to itself (first) and to its neighbours."""
MAX_SEARCHES, MIN_STEP_RAD, MIN_GAIN_RAD = 400, 1e-8, 1e-14
LOSS_POINTS, MIN_LOSS_DEG = 9, 0.01
"""Points along each edge of the box whose loss is measured, and the smallest loss that counts."""
MIN_MARGIN_RAD = 1e-6
"""Nearer to gimbal lock than this, two rotate channels are not determined to the last digits."""
SAME_RAD = 1e-9
"""Largest rounding error between equal angles."""


class CarryOverError(ValueError):
    """Limits that cannot be carried over. `reason`, `advice`: clauses."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(f"{reason}; {advice}")
        self.reason, self.advice = reason, advice


@dataclass(frozen=True, eq=False)
class LinkedMotion:
    """Motion of a joint and of the control that drives it, and their link.

    `frame`: orientation of the joint's limits. `joint`, (frames, 4): its local rotations.
    `control`, (frames, 3): rotate channels, radians. `orientation`: that of the control, whose
    rotations are those of its channels alone.
    """

    frame: JointOrientation
    joint: Floats
    control: Floats
    orientation: Orientation
    link: ConstantLink


def _joint_channels(frame: JointOrientation, joint: Floats) -> Floats:
    """Rotate channels, (..., 3), of local rotations, (..., 4), in an orientation."""
    turns = euler.turn_from_local(joint, frame.joint_orient, frame.rotate_axis)
    return euler.euler_from_quaternion(turns, frame.rotate_order)


class Region(NamedTuple):
    """Box in rotate channels of the joint, radians, in an orientation.

    `low`, `high`, shape (3,). `axes`: the ranges that the box consists of; a free channel is a full
    turn. `at`: frame of the clip from which Euler branches are followed. `start`, shape (3,): the
    joint's channels in it. `held`, shape (n, 4): rotations of the joint outside the box that belong
    to its limits.
    """

    frame: JointOrientation
    axes: tuple[AxisLimit, ...]
    low: Floats
    high: Floats
    at: int
    start: Floats
    held: Floats

    @classmethod
    def from_limit(cls, limit: JointLimit, motion: LinkedMotion) -> Region:
        """Region that a joint's limits allow.

        A hinge about a slanted axis only turns about it; the box of its channels is far looser.
        """
        frame, axes = motion.frame, tuple(limit.limits[channel] for channel in euler.CHANNELS)
        if _is_slanted(limit):
            frame, axes = _along_hinge(limit, frame)
        low, high = np.radians([ranges.ends_of(axis) for axis in axes]).T
        angles = _joint_channels(frame, motion.joint)
        angles = circle.euler_in_box(angles, low, high, frame.rotate_order)
        outside = circle.outside_box(angles, low, high).max(axis=-1)
        far = np.abs(angles - circle.middle_of_box(low, high)).max(axis=-1)
        at = int(np.lexsort((far, np.round(outside, 9)))[0])
        begin = np.where(np.isfinite(high), high - euler.TURN, angles[at] - np.pi)
        low = np.where(np.isfinite(low), low, begin)
        high = np.where(np.isfinite(high), high, low + euler.TURN)
        held = motion.joint[_is_inside(limit, motion) & (outside > SAME_RAD)]
        return cls(frame, axes, low, high, at, angles[at], held)

    def rotations(self, points: Floats) -> Floats:
        """Local rotations of the joint at points, (..., 3) to (..., 4)."""
        frame = self.frame
        return euler.local_from_rotate(
            points, frame.joint_orient, frame.rotate_axis, frame.rotate_order
        )

    @property
    def moving(self) -> list[int]:
        """Channels whose range is more than one value."""
        return np.flatnonzero(self.high - self.low > SAME_RAD).tolist()

    def lattice(self) -> Floats:
        """Points of the box, boundary included, shape (x, y, z, 3)."""
        counts = [EDGE_POINTS if axis in self.moving else 1 for axis in range(3)]
        lines = map(np.linspace, self.low, self.high, counts)
        return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)


def _is_inside(limit: JointLimit, motion: LinkedMotion) -> Booleans:
    """Whether the joint is inside its limits, shape (frames,)."""
    low, high = np.radians([ranges.ends_of(limit.limits[name]) for name in euler.CHANNELS]).T
    angles = _joint_channels(motion.frame, motion.joint)
    angles = circle.euler_in_box(angles, low, high, motion.frame.rotate_order)
    return np.asarray(circle.outside_box(angles, low, high).max(axis=-1) <= SAME_RAD)


def _is_slanted(limit: JointLimit) -> bool:
    """Whether a joint is a hinge that turns more than one of its channels."""
    turning = [axis for axis in limit.limits.values() if axis.state != "locked"]
    return limit.type == "hinge" and limit.hinge is not None and len(turning) > 1


def _along_hinge(
    limit: JointLimit, frame: JointOrientation
) -> tuple[JointOrientation, tuple[AxisLimit, ...]]:
    """Orientation with a channel about the axis of a hinge, and the hinge's range in it."""
    hinge, orients = limit.hinge, (frame.joint_orient, frame.rotate_axis)
    assert hinge is not None
    rest = euler.local_from_rotate(np.radians(limit.rest.rotate_deg), *orients, frame.rotate_order)
    turned, place = hinge_orientation(frame, hinge.axis_parent, hinge.axis_child, rest)
    axes = [AxisLimit("locked", 0.0, 0.0)] * 3
    is_along = quaternion.rotate(turned.rotate_axis, hinge.axis_child)[place] > 0.0
    range_of_hinge = AxisLimit("limited", hinge.min_deg, hinge.max_deg)
    axes[place] = ranges.move_range(range_of_hinge, 0.0, 1.0 if is_along else -1.0)
    return turned, tuple(axes)


class Image:
    """Image of a region in the rotate channels of the control."""

    def __init__(self, region: Region, motion: LinkedMotion) -> None:
        self._region, self._motion = region, motion
        self._order = motion.orientation.rotate_order
        self._points = region.lattice()
        self._angles = self._follow(self._points)

    def nearest_angles(self, joint: Floats, angles: Floats) -> Floats:
        """Channels of the control, (..., 3), for rotations of the joint, nearest to `angles`."""
        return euler.euler_near(self._motion.link.control_of(joint), angles, self._order)

    def _follow(self, points: Floats) -> Floats:
        """Channels of the control on the branch of its own values, starting from one of them.

        Raises CarryOverError if branches differ between neighbours, as around gimbal lock.
        """
        region = self._region
        apart = points - region.start
        steps = int(np.ceil(np.abs(apart).max() / MAX_STEP_RAD)) + 1
        angles = np.broadcast_to(self._motion.control[region.at], points.shape)
        for step in range(steps + 1):
            angles = self.nearest_angles(
                region.rotations(region.start + apart * (step / steps)), angles
            )
        jumps = [np.abs(np.diff(angles, axis=axis)).max(initial=0.0) for axis in range(3)]
        if max(jumps) > MAX_JUMP_RAD:
            raise self._gimbal_lock()
        return angles

    def _gimbal_lock(self) -> CarryOverError:
        reason = f"the control's rotate order {self._order} reaches gimbal lock within the limits"
        return CarryOverError(reason, f"choose another rotate order for it, or {FROM_KEYS}")

    def limits(self) -> dict[str, AxisLimit]:
        """Ranges of the control's channels.

        Raises CarryOverError if gimbal lock is within them, unless all channels map one to one.
        """
        exact = [self._same_channel(channel) for channel in range(3)]
        found = [one or self._limit(channel) for channel, one in enumerate(exact)]
        middle = euler.axes_of(self._order)[1]
        low, high = ranges.ends_of(found[middle])
        if not all(exact[at] for at in (0, 1, 2) if found[at].state != "locked") and (
            np.ceil(low / 180.0 - 0.5) < high / 180.0 - 0.5
        ):
            raise self._gimbal_lock()
        return dict(zip(euler.CHANNELS, found))

    def _limit(self, channel: int) -> AxisLimit:
        low, low_at = self._extreme(channel, -1.0)
        high, high_at = self._extreme(channel, 1.0)
        held = self.nearest_angles(self._region.held, self._motion.control[self._region.at])[
            :, channel
        ]
        low, high = min(low, held.min(initial=low)), max(high, held.max(initial=high))
        if high - low > euler.TURN - SAME_RAD:
            return AxisLimit("free", gap_deg=0.0)
        source = AxisSource(self._source(low_at), self._source(high_at))
        ends = np.degrees([low, high]).tolist()
        return ranges.make_range((), ends[0], ends[1], source, locked=True)

    def _same_channel(self, channel: int) -> AxisLimit | None:
        """Range of a channel that equals one of the joint's except for sign and offset."""
        every, points = self._angles, self._points
        # At gimbal lock, the outer channels share a turn in arbitrary proportions.
        clear = euler.gimbal_margin(every, self._order) > MIN_MARGIN_RAD
        for place in self._region.moving:
            for sign in (1.0, -1.0):
                offset = every[clear][:, channel] - sign * points[clear][:, place]
                if len(offset) and np.ptp(offset) < SAME_RAD:
                    degrees = float(np.degrees(offset.mean()))
                    return ranges.move_range(self._region.axes[place], degrees, sign)
        return None

    def _extreme(self, channel: int, sign: float) -> tuple[float, Floats]:
        """Largest value of a channel times a sign, and the point of the region that has it.

        The best points of the lattice's layers are improved by searches among their neighbours in
        ever finer lattices (Hooke and Jeeves, "Direct search", 1961).
        """
        region = self._region
        layers, rows = (len(self._points), -1, 3), np.arange(len(self._points))
        best = (sign * self._angles.reshape(layers)[..., channel]).argmax(axis=1)
        points, angles = (one.reshape(layers)[rows, best] for one in (self._points, self._angles))
        step = (region.high - region.low) / (EDGE_POINTS - 1)
        for _ in range(MAX_SEARCHES):
            if step.max() < MIN_STEP_RAD:
                break
            tried = np.clip(points[:, None] + step * LATTICE, region.low, region.high)
            found = self.nearest_angles(region.rotations(tried), angles[:, None])
            gain = sign * (found[..., channel] - angles[:, None, channel])
            at = np.where(gain.max(axis=1) > MIN_GAIN_RAD, gain.argmax(axis=1), 0)
            if not at.any():
                step = 0.5 * step
            points, angles = tried[rows, at], found[rows, at]
        winner = int(np.argmax(sign * angles[:, channel]))
        return float(angles[winner, channel]), points[winner]

    def _source(self, point: Floats) -> BoundSource | None:
        """Source of the limit at a point, without its value; None if several ranges move."""
        if len(self._region.moving) != 1:
            return None
        (place,) = self._region.moving
        source, ends = self._region.axes[place].source, (self._region.low, self._region.high)
        for bound, end in zip((source.min, source.max), ends):
            if bound is not None and abs(point[place] - end[place]) < SAME_RAD:
                return replace(bound, value_deg=None, band_deg=None)
        return None

    def unknown_deg(self) -> float:
        """Largest turn of the region, in degrees, into directions where the link is not known."""
        return self._motion.link.unknown_deg(self._region.rotations(self._points))

    def loss_deg(self, limits: Mapping[str, AxisLimit]) -> float:
        """Largest angle by which the control's ranges let a channel of the joint go too far.

        If the link is known only in the plane of a hinge, it is the angle out of this plane.
        """
        ends = np.radians([ranges.ends_of(axis) for axis in limits.values()])
        ends = np.where(np.isfinite(ends), ends, [-np.pi, np.pi])
        points = np.array(list(product(*np.linspace(ends[:, 0], ends[:, 1], LOSS_POINTS).T)))
        region, link = self._region, self._motion.link
        joint = link.joint_of(euler.quaternion_from_euler(points, self._order))
        if len(link.known) < 4:
            return link.unknown_deg(joint)
        angles = _joint_channels(region.frame, joint)
        inside = circle.euler_in_box(angles, region.low, region.high, region.frame.rotate_order)
        return float(np.degrees(circle.outside_box(inside, region.low, region.high).max()))

    def rest_of(self, limit: JointLimit) -> tuple[float, float, float]:
        """The joint's rest pose in the control's channels, degrees."""
        frame, rotates = self._motion.frame, np.radians(limit.rest.rotate_deg)
        local = euler.local_from_rotate(
            rotates, frame.joint_orient, frame.rotate_axis, frame.rotate_order
        )
        angles = self.nearest_angles(local, self._motion.control[self._region.at])
        x, y, z = np.degrees(angles).tolist()
        return x, y, z


def limit_in_order(limit: JointLimit, rotate_order: str) -> tuple[JointLimit, float]:
    """Limits in another rotate order that allow the same turns about the same axes.

    Also returns the largest angle in degrees by which they let a channel go too far. Raises
    CarryOverError if they contain gimbal lock of that order.
    """
    own = limit.orientation
    if rotate_order == own.rotate_order:
        return limit, 0.0
    turned = replace(limit, orientation=replace(own, rotate_order=rotate_order))
    if not any(axis.is_limited for axis in limit.limits.values()):
        return turned, 0.0
    orient, axis = ranges.orientation_of(own)
    pose = np.radians([limit.preferred_deg])
    joint = euler.local_from_rotate(pose, orient, axis, own.rotate_order)
    link = ConstantLink(quaternion.conjugate(orient), quaternion.conjugate(axis), 0.0, np.eye(4))
    angles = euler.euler_near(link.control_of(joint), pose, rotate_order)
    frame = JointOrientation(orient, axis, own.rotate_order)
    motion = LinkedMotion(frame, joint, angles, turned.orientation, link)
    image = Image(Region.from_limit(limit, motion), motion)
    limits, (x, y, z) = image.limits(), np.degrees(angles[0]).tolist()
    return replace(turned, limits=limits, preferred_deg=(x, y, z)), image.loss_deg(limits)


def carried_limit(
    limit: JointLimit, motion: LinkedMotion, joint: str, parent: str | None = None
) -> JointLimit:
    """Limits for the control; a finding says where they come from and what is lost.

    `joint`: its name. `parent`: nearest control above. Raises CarryOverError if the control's
    channels cannot hold the limits, or if the motion does not determine the link.
    """
    if not any(axis.is_limited for axis in limit.limits.values()):
        raise CarryOverError("the joint has no limits", "estimate it first")
    image = Image(Region.from_limit(limit, motion), motion)
    unknown = image.unknown_deg()
    if unknown > MAX_RESIDUAL_DEG:
        raise CarryOverError(
            f"the limits turn the joint {unknown:.1f} degrees in directions in which it does not "
            "move in this clip, where its link to the control is unknown",
            f"turn the control about all three axes in the clip, or {FROM_KEYS}",
        )
    limits = image.limits()
    loss = image.loss_deg(limits)
    rest = RestPose(image.rest_of(limit), True, 0.0)
    made = replace(
        limit,
        parent=parent,
        orientation=motion.orientation,
        limits=limits,
        rest=rest,
        remedies={},
        preferred_deg=rest.rotate_deg,
        hinge=None if limit.hinge is None else _carry_hinge(limit.hinge, motion.link),
        universal=None if limit.universal is None else _carry_axes(limit.universal, motion.link),
        candidate=None,
        advice=None,
        coupled=None,
        root=False,
        findings=(Finding(RULE, _sentence(limit, joint, limits, loss)),),
    )
    return ranges.with_limits(made, limits)


def _carry_axes(axes: Axes, link: ConstantLink) -> Axes:
    """Axes of a joint in the spaces of the control."""
    return carry_axes(axes, link.before, quaternion.conjugate(link.after))


def _carry_hinge(hinge: Hinge, link: ConstantLink) -> Hinge:
    found = _carry_axes(hinge, link)
    along = np.abs(found.axis_child)
    place = int(along.argmax())
    across = float(np.linalg.norm(np.delete(along, place)))
    off = float(np.degrees(np.arctan2(across, along[place])))
    return replace(found, channel=euler.CHANNELS[place], off_channel_deg=off)


def _sentence(
    limit: JointLimit, joint: str, limits: Mapping[str, AxisLimit], loss_deg: float
) -> str:
    """Origin of a control's limits, and what is lost."""
    text = f"limits carried over from the {limit.type} joint {joint}"
    if loss_deg > MIN_LOSS_DEG:
        turning = [channel for channel, axis in limits.items() if axis.state != "locked"]
        spread = f" on {', '.join(turning)}" if limit.type != "ball" else ""
        text += f"; the box{spread} allows up to {loss_deg:.1f} degrees beyond the joint's limits"
    if limit.coupled is not None:
        text += f"; its {limit.coupled.kind} shape stays on the joint"
    return text
