"""Which joint a window shows first: the one with the most to see."""

from __future__ import annotations

from jointlimits_core.limits.limit_set import JointLimit, LimitSet


def most_to_see(limit_set: LimitSet) -> str | None:
    """Name of the joint to begin with.
    Returns
    -------
    str or None
        Of the joints that move and have limits the one that moves most; None where there is no
        joint.
    """
    joints = limit_set.joints
    return max(joints, key=lambda name: _interest(joints[name]), default=None)


def _interest(joint: JointLimit) -> tuple[bool, bool, float, int]:
    """More interesting joints have the greater one; findings decide where nothing moves."""
    has_limits = any(limit.state == "limited" for limit in joint.limits.values())
    spread = max(joint.evidence.spread_deg, default=0.0)
    return joint.type != "fixed", has_limits, spread, len(joint.findings)
