"""Attribute changes for every joint of a limit set."""

from __future__ import annotations

from collections.abc import Mapping

from ..joint_frame import CHANNELS
from ..limits.frame_advice import FrameAdvice
from ..limits.limit_set import JointLimit, LimitSet
from .joint_plan import JointChange


def advice_to_follow(joint: JointLimit) -> FrameAdvice | None:
    """Orient advice that a joint's limits require; None if they use its own orientation."""
    advice: FrameAdvice | None = getattr(joint, "advice", None)
    follows = joint.frame.kind == "advised" and advice is not None and advice.changes
    return advice if follows else None


def branch_of(joint: JointLimit) -> tuple[float, float, float]:
    """Middles of the ranges, which define the branch of the limits; 0 without a range."""
    x, y, z = (
        0.0 if one.min_deg is None or one.max_deg is None else 0.5 * (one.min_deg + one.max_deg)
        for one in (joint.limits[channel] for channel in CHANNELS)
    )
    return x, y, z


def changes_from_limit_set(limit_set: LimitSet, lock_unmoved: bool) -> Mapping[str, JointChange]:
    """Changes for every joint with at least one limited or locked channel.

    Raises
    ------
    ValueError
        For a limit set of the paper's mode.
    """
    if limit_set.mode == "paper":
        raise ValueError("limits of the paper's mode are on ZYZ angles, not on rotate channels")
    return {
        name: _change(joint)
        for name, joint in limit_set.joints.items()
        if (joint.animated or lock_unmoved)
        and any(joint.limits[channel].state != "free" for channel in CHANNELS)
    }


def _change(joint: JointLimit) -> JointChange:
    return JointChange(
        limits_deg={
            channel: (joint.limits[channel].min_deg, joint.limits[channel].max_deg)
            for channel in CHANNELS
        },
        joint_type={
            f"jointType{channel[-1]}": joint.limits[channel].state != "locked"
            for channel in CHANNELS
        },
        preferred_angle_deg=joint.preferred_deg,
    )
