"""Joint of a robot model, and its conversion into a skeleton joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Optional

import numpy as np

from ..arrays import Floats
from ..findings import Finding
from ..joint_frame import CHANNELS
from ..reframe import JointFrame
from ..rotation import IDENTITY
from ..skeleton import Declaration, Skeleton
from .hinge_stack import channel_stack

NOT_CHANNELS = "not-channels"
"""Rule of findings about joints that Maya cannot represent, whose ranges are not imported."""
_Ends = tuple[Optional[float], Optional[float]]


@dataclass(frozen=True, eq=False)
class ModelHinge:
    """One hinge.

    Parameters
    ----------
    axis : array, shape (3,)
        Unit vector in coordinates of the rotating body.
    low_deg, high_deg : float, optional
        None where there is no limit.
    channel : int, optional
        Rotate channel stated by its name.
    """

    axis: Floats
    low_deg: float | None = None
    high_deg: float | None = None
    channel: int | None = None


@dataclass(frozen=True, eq=False)
class ModelJoint:
    """Connection of a body to its parent.

    Parameters
    ----------
    parent : int
        Index of the parent joint, -1 for none.
    turn : array, shape (4,)
        Rotation of the body relative to its parent with every hinge at zero.
    hinges : sequence of ModelHinge
        Outermost first.
    ball_deg : float, optional
        Instead of hinges: rotates freely, up to this far from `turn`; infinite for no limit.
    """

    name: str
    parent: int
    turn: Floats = field(default_factory=lambda: IDENTITY)
    hinges: Sequence[ModelHinge] = ()
    ball_deg: float | None = None


@dataclass(frozen=True, eq=False)
class ModelJoints:
    """Joints of a model.

    Parameters
    ----------
    skeleton : Skeleton
        Orientations and declarations, without positions, which limits do not need.
    stands_deg : mapping of joint name to array, shape (3,)
        Values of locked channels, for joints where they are not zero.
    findings : tuple of Finding
        What could not be imported.
    """

    skeleton: Skeleton
    stands_deg: Mapping[str, Floats]
    findings: tuple[Finding, ...]


def model_joints(
    joints: Sequence[ModelJoint], name: str, findings: Sequence[Finding] = ()
) -> ModelJoints:
    """Convert the joints of a model into Maya joints.

    Parameters
    ----------
    joints : sequence of ModelJoint
        Parents first, names unique.
    findings : sequence of Finding
        From the reader; more are added.
    """
    found_findings = list(findings)
    found = [_maya_joint(joint, found_findings) for joint in joints]
    skeleton = Skeleton(
        tuple(joint.name for joint in joints),
        np.array([joint.parent for joint in joints], dtype=np.int64),
        rest_rotations=np.array([joint.turn for joint in joints]),
        rest_source="zero of the model",
        rotate_orders=tuple(one.frame.rotate_order for one in found),
        joint_orients=np.array([one.frame.joint_orient for one in found]),
        rotate_axes=np.array([one.frame.rotate_axis for one in found]),
        declarations={joint.name: one.declared for joint, one in zip(joints, found)},
        name=name,
    )
    stands = {j.name: np.degrees(one.stands) for j, one in zip(joints, found) if one.stands.any()}
    return ModelJoints(skeleton, stands, tuple(found_findings))


@dataclass(frozen=True, eq=False)
class _MayaJoint:
    frame: JointFrame
    declared: Declaration
    stands: Floats = field(default_factory=lambda: np.zeros(3))


def _maya_joint(joint: ModelJoint, findings: list[Finding]) -> _MayaJoint:
    """Orientation and limits equivalent to a model joint."""
    plain = JointFrame(joint.turn, IDENTITY, "xyz")
    if joint.ball_deg is not None:
        return _MayaJoint(plain, _ball(joint.name, joint.ball_deg, findings))
    named = [hinge.channel for hinge in joint.hinges if hinge.channel is not None]
    all_named = named if len(named) == len(joint.hinges) else None
    stack = channel_stack(joint.turn, [hinge.axis for hinge in joint.hinges], all_named)
    if stack is None:
        text = (
            f"its {len(joint.hinges)} hinges are not the rotate channels of one joint (two about "
            "different axes, or three at right angles); the joint is imported as free"
        )
        findings.append(Finding(NOT_CHANNELS, text, joint.name))
        return _MayaJoint(plain, Declaration())
    ends = {
        CHANNELS[channel]: _turned(hinge.low_deg, hinge.high_deg, sign)
        for hinge, channel, sign in zip(joint.hinges, stack.channels, stack.signs)
    }
    dof = tuple(channel for channel in CHANNELS if channel in ends)
    limited = {channel: pair for channel, pair in ends.items() if pair != (None, None)}
    return _MayaJoint(stack.frame, Declaration(dof, limited), stack.stands)


def _turned(low: float | None, high: float | None, sign: float) -> _Ends:
    """Limits of a channel that turns with its hinge, or against it."""
    if sign > 0.0:
        return low, high
    return None if high is None else 0.0 - high, None if low is None else 0.0 - low


def _ball(name: str, degrees: float, findings: list[Finding]) -> Declaration:
    """Smallest channel ranges that contain all rotations up to an angle.

    Below 90 degrees no channel exceeds the rotation angle; above, the outer two may take any
    value.
    """
    if not np.isfinite(degrees):
        return Declaration()
    inner = min(degrees, 90.0)
    around: _Ends = (-degrees, degrees) if degrees < 90.0 else (None, None)
    text = (
        f"a ball joint that rotates up to {degrees:.6g} degrees in all directions; the channel "
        "ranges that contain this allow more"
    )
    findings.append(Finding("ball-range", text, name))
    limits = {"rotateX": around, "rotateY": (-inner, inner), "rotateZ": around}
    return Declaration(
        CHANNELS, {key: ends for key, ends in limits.items() if ends != (None, None)}
    )
