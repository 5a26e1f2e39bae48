"""A joint as a robot model has it, and what is made of several of them: a skeleton's joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Floats
from ..findings import Finding
from ..joint_frame import CHANNELS
from ..rotation import IDENTITY
from ..skeleton import Declaration, Skeleton
from .hinge_stack import channel_stack


@dataclass(frozen=True, eq=False)
class ModelHinge:
    """One hinge.

    Parameters
    ----------
    axis : array, shape (3,)
        Unit, in the frame of the body that turns.
    low_deg, high_deg : float, optional
        None where there is no bound.
    channel : int, optional
        The rotate channel that its name says it is.
    """

    axis: Floats
    low_deg: float | None = None
    high_deg: float | None = None
    channel: int | None = None


@dataclass(frozen=True, eq=False)
class ModelJoint:
    """What joins a body to its parent.

    Parameters
    ----------
    name : str
    parent : int
        Index of the parent joint, -1 for none.
    turn : array, shape (4,)
        Rotation of the body relative to its parent where every hinge is at zero.
    hinges : sequence of ModelHinge
        The outermost first.
    ball_deg : float, optional
        Instead of hinges: turns freely, up to so far from `turn`; infinite for no limit.
    """

    name: str
    parent: int
    turn: Floats = field(default_factory=lambda: IDENTITY)
    hinges: Sequence[ModelHinge] = ()
    ball_deg: float | None = None


def model_skeleton(joints: Sequence[ModelJoint], name: str) -> tuple[Skeleton, tuple[Finding, ...]]:
    """Skeleton of the frames and declarations of a model, and what could not be taken over.

    Parameters
    ----------
    joints : sequence of ModelJoint
        Parents first, names unique.
    name : str

    Returns
    -------
    skeleton : Skeleton
        Without places: limits do not need them.
    findings : tuple of Finding
    """
    findings: list[Finding] = []
    orders, orients, axes, declarations = [], [], [], {}
    for joint in joints:
        order, orient, axis, declared = _maya_joint(joint, findings)
        orders.append(order)
        orients.append(orient)
        axes.append(axis)
        declarations[joint.name] = declared
    skeleton = Skeleton(
        tuple(joint.name for joint in joints),
        np.array([joint.parent for joint in joints], dtype=np.int64),
        rest_rotations=np.array([joint.turn for joint in joints]),
        rest_source="zero of the model",
        rotate_orders=tuple(orders),
        joint_orients=np.array(orients),
        rotate_axes=np.array(axes),
        declarations=declarations,
        name=name,
    )
    return skeleton, tuple(findings)


def _maya_joint(
    joint: ModelJoint, findings: list[Finding]
) -> tuple[str, Floats, Floats, Declaration]:
    """Rotate order, jointOrient, rotateAxis and limits that stand for a joint of a model."""
    if joint.ball_deg is not None:
        return "xyz", joint.turn, IDENTITY, _ball(joint.name, joint.ball_deg, findings)
    named = [hinge.channel for hinge in joint.hinges if hinge.channel is not None]
    all_named = named if len(named) == len(joint.hinges) else None
    stack = channel_stack(joint.turn, [hinge.axis for hinge in joint.hinges], all_named)
    if stack is None:
        text = (
            f"its {len(joint.hinges)} hinges are not the rotate channels of one joint (at most "
            "three, at right angles); it is free here"
        )
        findings.append(Finding("not-channels", text, joint.name))
        return "xyz", joint.turn, IDENTITY, Declaration()
    limits = {}
    for hinge, channel, sign in zip(joint.hinges, stack.channels, stack.signs):
        ends = hinge.low_deg, hinge.high_deg
        if sign < 0.0:
            low, high = ends
            ends = None if high is None else 0.0 - high, None if low is None else 0.0 - low
        if ends != (None, None):
            limits[CHANNELS[channel]] = ends
    dof = tuple(CHANNELS[channel] for channel in sorted(stack.channels))
    frame = stack.frame
    return frame.rotate_order, frame.joint_orient, frame.rotate_axis, Declaration(dof, limits)


def _ball(name: str, degrees: float, findings: list[Finding]) -> Declaration:
    """Smallest ranges of the channels that hold all turns up to so many degrees.

    Below a quarter turn no angle of a turn is more than the turn; from there on the outer two may
    be anything.
    """
    if not np.isfinite(degrees):
        return Declaration()
    inner = min(degrees, 90.0)
    around = (-degrees, degrees) if degrees < 90.0 else (None, None)
    text = (
        f"a ball joint that turns {degrees:.6g} degrees in all directions; the smallest ranges of "
        "the channels that hold this let more through"
    )
    findings.append(Finding("ball-range", text, name))
    limits = {"rotateX": around, "rotateY": (-inner, inner), "rotateZ": around}
    return Declaration(
        CHANNELS, {key: ends for key, ends in limits.items() if ends != (None, None)}
    )
