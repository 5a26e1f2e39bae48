"""Joints of one body: stacked hinges equal to Maya's rotate channels, or a ball.

MuJoCo rotates a body by its own quaternion and then by its joints in file order, each about an
axis of the body. Maya's rotation is ``JO Rk Rj Ri RO``: three hinges, written in reverse order of
application. A constant rotation C after a hinge about ``e`` can be moved in front of it,
``J(e) C = C J(C^-1 e)``; this is how rotateAxis and locked channels become part of the body,
exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..euler import axes_of
from ..joint_frame import CHANNELS, local_from_rotate
from ..limits.limit_set import Hinge as HingeLimit
from ..reframe import hinge_rest
from ..rotation import IDENTITY, conjugate, multiply, quaternion_from_axis_angle, rotated
from .ball_range import ALL_ROUND, BallRange, ball_range
from .figure import FigureJoint
from .options import ExportOptions

OWN_AXIS = 3
"""Channel number of a hinge about the joint's own axis, which is no rotate channel."""
ONE_SIDED = 1e6
"""Radians written for a missing limit where the other end is limited."""


@dataclass(frozen=True, eq=False)
class Hinge:
    """One rotate channel of a joint.

    Parameters
    ----------
    channel : int
        0 for rotateX; :data:`OWN_AXIS` for a hinge about the joint's own axis.
    axis : array, shape (3,)
        In body coordinates.
    low, high : float, optional
        Radians; both None for a free channel.
    """

    channel: int
    axis: Floats
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class BodyJoints:
    """Rotation of one body.

    Parameters
    ----------
    turn : array, shape (4,)
        Rotation of the body relative to its parent body.
    hinges : tuple of Hinge
        In file order.
    ball : BallRange, optional
        Used instead of hinges.
    free : bool
        Whether it moves freely in the world.
    rest : tuple of float
        Coordinates of the rest pose: of each hinge, or the quaternion (w, x, y, z) of a ball.
    """

    turn: Floats
    hinges: tuple[Hinge, ...] = ()
    ball: BallRange | None = None
    free: bool = False
    rest: tuple[float, ...] = ()


def body_joints(joint: FigureJoint, options: ExportOptions) -> BodyJoints:
    """Return the joints of a joint's body."""
    box = joint.box
    if joint.is_root and options.root_joint == "free":
        return BodyJoints(_whole_turn(joint, joint.rest), free=True)
    if joint.limit is None or (joint.is_root and options.root_joint == "fixed"):
        return BodyJoints(_whole_turn(joint, joint.held))
    if options.ball_joints == "ball" and joint.limit.type == "ball":
        if np.isfinite(box.high - box.low).all():
            return _on_a_ball(joint, ball_range(box.low, box.high, box.rotate_order))
        if np.isinf([box.low, box.high]).all():
            return _on_a_ball(joint, BallRange(IDENTITY, ALL_ROUND, 1.0, 1.0))
    if options.hinge_joints == "axis" and joint.limit.hinge is not None and not joint.decided:
        return _on_its_axis(joint, joint.limit.hinge)
    return _on_hinges(joint, options.locked)


def _whole_turn(joint: FigureJoint, rotates: Floats) -> Floats:
    box = joint.box
    local = local_from_rotate(rotates, box.joint_orient, box.rotate_axis, box.rotate_order)
    return multiply(joint.before, local)


def _on_hinges(joint: FigureJoint, locked: str) -> BodyJoints:
    box = joint.box
    after = box.rotate_axis
    hinges: list[Hinge] = []
    # From the right: the channel that is applied first.
    for axis in axes_of(box.rotate_order):
        unit = np.eye(3)[axis]
        if _stands_still(joint, axis, locked):
            after = multiply(quaternion_from_axis_angle(unit, joint.held[axis]), after)
            continue
        bounds = _bounds(float(box.low[axis]), float(box.high[axis]))
        hinges.append(Hinge(axis, rotated(conjugate(after), unit), *bounds))
    turn = multiply(joint.before, multiply(box.joint_orient, after))
    hinges.reverse()
    rest = tuple(float(joint.held[hinge.channel]) for hinge in hinges)
    return BodyJoints(turn, tuple(hinges), rest=rest)


def _on_its_axis(joint: FigureJoint, hinge: HingeLimit) -> BodyJoints:
    """One hinge about the joint's own axis, zero at the angle nearest to the rest pose."""
    box = joint.box
    local = local_from_rotate(joint.rest, box.joint_orient, box.rotate_axis, box.rotate_order)
    at_rest = hinge_rest(local, hinge.axis_parent, hinge.axis_child)
    turn = multiply(joint.before, at_rest)
    axis = np.array(hinge.axis_child)
    low, high = np.radians([hinge.min_deg, hinge.max_deg]).tolist()
    if low >= high:
        return BodyJoints(turn)
    rest = float(np.clip(0.0, low, high))
    return BodyJoints(turn, (Hinge(OWN_AXIS, axis, low, high),), rest=(rest,))


def _stands_still(joint: FigureJoint, axis: int, locked: str) -> bool:
    """Whether a channel is fixed; MuJoCo also rejects ranges of zero width."""
    has_width = bool(joint.box.low[axis] < joint.box.high[axis])
    return (joint.locked[axis] and locked == "hold") or not has_width


def _bounds(low: float, high: float) -> tuple[float | None, float | None]:
    if np.isneginf(low) and np.isposinf(high):
        return None, None
    return max(low, -ONE_SIDED), min(high, ONE_SIDED)


def _on_a_ball(joint: FigureJoint, ball: BallRange) -> BodyJoints:
    """A ball joint whose zero is the middle of its range."""
    box = joint.box
    turn = multiply(box.joint_orient, multiply(ball.middle, box.rotate_axis))
    turn = multiply(joint.before, turn)
    local = _whole_turn(joint, joint.held)
    x, y, z, w = multiply(conjugate(turn), local).tolist()
    return BodyJoints(turn, ball=ball, rest=(w, x, y, z))


def channel_name(joint: str, channel: int) -> str:
    """Name of a hinge: its Maya plug, or "hinge" for the joint's own axis."""
    return f"{joint}.{(*CHANNELS, 'hinge')[channel]}"
