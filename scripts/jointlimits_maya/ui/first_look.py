"""Choice of the joint that a window shows first."""

from __future__ import annotations

from jointlimits_core.limits.limit_set import JointLimit, LimitSet


def most_to_see(limit_set: LimitSet) -> str | None:
    """Name of the joint with the most motion among those that have limits; None without joints."""
    joints = limit_set.joints
    return max(joints, key=lambda name: _interest(joints[name]), default=None)


def _interest(joint: JointLimit) -> tuple[bool, bool, float, int]:
    """Sort key; where nothing moves, the joint with the most findings comes first."""
    has_limits = any(limit.state == "limited" for limit in joint.limits.values())
    spread = max(joint.evidence.spread_deg, default=0.0)
    return joint.type != "fixed", has_limits, spread, len(joint.findings)
