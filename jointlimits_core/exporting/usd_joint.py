"""UsdPhysics joint of a joint: its frames and its limits.

A UsdPhysics joint has a frame on either body and rotates the second in the first: the body turns
by ``frame0 J frame1^-1`` relative to its parent. So Maya's rotations before and after the rotate
channels are the two frames, and ``J`` is the channels. Angles are degrees, as in the format:
https://openusd.org/release/api/usd_physics_page_front.html.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..arrays import Floats
from ..euler import axes_of
from ..rotation import (
    IDENTITY,
    conjugate,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    rotated,
)
from .ball_range import ALL_ROUND
from .body_joints import OWN_AXIS, BodyJoints
from .cone_range import cone_range
from .figure import FigureJoint

TURN_DEG = 360.0
LETTERS = "XYZ"
ONE_SIDED_DEG = 1e6
"""Degrees written for a missing limit where the other end is limited: UsdPhysics' own parser takes
a revolute joint with an infinite limit for one without limits."""
WIDEST_CONE_DEG = 179.9
"""Half angle in degrees above which no cone is written; it excludes under a millionth."""
Bounds = tuple[float, float]
LOCKED: Bounds = (1.0, -1.0)
"""Lower limit above the upper one: how the format locks a direction."""


@dataclass(frozen=True, eq=False)
class UsdJoint:
    """A UsdPhysics joint.

    Parameters
    ----------
    kind : str
        "fixed", "revolute", "spherical" or "d6".
    frame0, frame1 : array, shape (4,)
        Rotations of its frames in the parent body and in the body.
    axis : str
        "X", "Y" or "Z", for a revolute or spherical joint.
    limits_deg : dict of letter to (low, high)
        Degrees; both infinite without limits. For the axis of a revolute joint, for those axes of
        a D6 that do not turn freely; for a spherical joint, half the opening angle of its cone.
    moved : bool
        Whether ranges are on another full turn than the limits.
    """

    kind: str
    frame0: Floats
    frame1: Floats
    axis: str = "X"
    limits_deg: dict[str, Bounds] = field(default_factory=dict)
    moved: bool = False

    @property
    def cone_deg(self) -> float | None:
        """Half the opening angle of the cone of a spherical joint; None without one."""
        bounds = self.limits_deg.get(self.axis) if self.kind == "spherical" else None
        return None if bounds is None else bounds[0]


def usd_joint(joint: FigureJoint, turning: BodyJoints, bone: Floats) -> UsdJoint | None:
    """Return the UsdPhysics joint of a joint.

    Parameters
    ----------
    turning : BodyJoints
        Joints of its body, from :func:`.body_joints.body_joints`.
    bone : array, shape (3,)
        Direction of its bone in joint coordinates; zero if it has none.

    Returns
    -------
    UsdJoint, or None for a body that moves freely
    """
    if turning.free:
        return None
    if turning.ball is not None:
        return _spherical(joint, turning, bone)
    if not turning.hinges:
        return UsdJoint("fixed", turning.turn, IDENTITY)
    return _revolute(joint, turning) if len(turning.hinges) == 1 else _d6(joint, turning)


def rest_turn(turning: BodyJoints) -> Floats:
    """Rotation of a body relative to its parent in the rest pose, shape (4,)."""
    if turning.ball is not None:
        w, x, y, z = turning.rest
        return multiply(turning.turn, np.array([x, y, z, w]))
    turn = turning.turn
    for hinge, angle in zip(turning.hinges, turning.rest):
        turn = multiply(turn, quaternion_from_axis_angle(hinge.axis, np.asarray(angle)))
    return turn


def _revolute(joint: FigureJoint, turning: BodyJoints) -> UsdJoint:
    (hinge,) = turning.hinges
    letter = "X" if hinge.channel == OWN_AXIS else LETTERS[hinge.channel]
    unit = np.eye(3)[LETTERS.index(letter)]
    onto = quaternion_between_vectors(unit, hinge.axis)
    if hinge.channel == OWN_AXIS:
        bounds, moved = _bounds_deg(hinge.low or 0.0, hinge.high or 0.0)
    else:
        bounds, moved = _bounds_deg(*_channel_bounds(joint, hinge.channel))
    frame0 = multiply(turning.turn, onto)
    return UsdJoint("revolute", frame0, onto, letter, {letter: bounds}, moved)


def _d6(joint: FigureJoint, turning: BodyJoints) -> UsdJoint:
    """All three channels; fixed ones are locked at their value."""
    moving = {hinge.channel for hinge in turning.hinges}
    limits: dict[str, Bounds] = {}
    any_moved = False
    for channel, letter in enumerate(LETTERS):
        if channel not in moving:
            still = float(np.degrees(joint.held[channel]))
            bounds, moved = _bounds_deg(np.radians(still), np.radians(still))
            limits[letter] = LOCKED if still == 0.0 else bounds
        else:
            bounds, moved = _bounds_deg(*_channel_bounds(joint, channel))
            if np.isfinite(bounds).any():
                limits[letter] = bounds
        any_moved |= moved
    frame0, frame1 = _outer(joint), conjugate(_inner(joint))
    return UsdJoint("d6", frame0, frame1, limits_deg=limits, moved=any_moved)


def _spherical(joint: FigureJoint, turning: BodyJoints, bone: Floats) -> UsdJoint:
    """Joint whose X axis lies along the bone and stays in a cone."""
    ball = turning.ball
    assert ball is not None
    unit = np.eye(3)[0]
    length = float(np.linalg.norm(bone))
    if length < 1e-12:
        first = np.eye(3)[axes_of(joint.box.rotate_order)[0]]
        along, length = rotated(conjugate(_inner(joint)), first), 1.0
    else:
        along = bone / length
    frame1 = quaternion_between_vectors(unit, along)
    if ball.radius >= ALL_ROUND and not np.isfinite(joint.box.low).all():
        return UsdJoint("spherical", multiply(turning.turn, frame1), frame1)
    box = joint.box
    cone = cone_range(box.low, box.high, box.rotate_order, rotated(_inner(joint), along))
    middle = rotated(_outer(joint), cone.middle)
    # The frames coincide where the joint is in the middle of its range.
    at_middle = rotated(turning.turn, along)
    onto = multiply(quaternion_between_vectors(at_middle, middle), turning.turn)
    radius = float(np.degrees(cone.radius))
    limits = {"X": (radius, radius)} if radius < WIDEST_CONE_DEG else {}
    return UsdJoint("spherical", multiply(onto, frame1), frame1, "X", limits)


def _outer(joint: FigureJoint) -> Floats:
    return multiply(joint.before, joint.box.joint_orient)


def _inner(joint: FigureJoint) -> Floats:
    return joint.box.rotate_axis


def _channel_bounds(joint: FigureJoint, channel: int) -> Bounds:
    return float(joint.box.low[channel]), float(joint.box.high[channel])


def _bounds_deg(low: float, high: float) -> tuple[Bounds, bool]:
    """Degrees on the turn around zero, and whether they were on another turn."""
    ends = [value for value in (low, high) if np.isfinite(value)]
    turns = round(sum(np.degrees(ends)) / len(ends) / TURN_DEG) if ends else 0
    shift = TURN_DEG * turns
    if not ends:
        return (low, high), False
    least = max(float(np.degrees(low)) - shift, -ONE_SIDED_DEG)
    return (least, min(float(np.degrees(high)) - shift, ONE_SIDED_DEG)), turns != 0
