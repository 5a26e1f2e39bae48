"""Reasons why limits cannot be mirrored to the other side of the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.partners import Partner, mirrorable


def why_not_mirrored(
    limits: LimitSet, joints: Sequence[str], partner_of: Mapping[str, Partner]
) -> str:
    """Reason why none of these joints can be mirrored; empty if any can."""
    if has_no_channels(limits):
        return "Limits in the paper's mode cannot be mirrored; Estimate measures them again."
    if mirrorable(joints, partner_of):
        return ""
    if any(name in partner_of for name in joints):
        return "The channels of the two sides do not map one to one."
    return "No selected joint has a partner on the other side."


def has_no_channels(limits: LimitSet) -> bool:
    """Whether limits use the paper's angles, which have neither dials nor mirroring."""
    return limits.mode == "paper"
