"""Reasons why a limit set has no limits for selected joints."""

from __future__ import annotations

from jointlimits_core.evaluation.matching import matched_joints
from jointlimits_core.limits.limit_set import JointLimit, LimitSet

from .results import WriteResult


def why_without(limit_set: LimitSet, result: WriteResult) -> dict[str, str]:
    """Reason for each joint of :attr:`WriteResult.without_limits`."""
    names = result.without_limits
    places = matched_joints(limit_set.joints, names)
    found = {names[place]: limit_set.joints[name] for name, place in places.items()}
    return {name: _reason(found.get(name), limit_set) for name in names}


def _reason(joint: JointLimit | None, limit_set: LimitSet) -> str:
    if joint is None:
        return "not in the limit set; include it in the estimate"
    if any(limit.state != "free" for limit in joint.limits.values()):
        return "not animated; the option lock_unmoved locks it anyway"
    if joint.parent is None and not limit_set.options.get("limit_root"):
        return "root of the estimated joints; the option limit_root gives it limits as well"
    return "it turned full circle, so it has no limits"
