"""Differences between several selected joints, and their marks in the fields."""

from __future__ import annotations

from collections.abc import Sequence

from jointlimits_core.limits.limit_set import AxisLimit, JointLimit
from jointlimits_core.limits.ranges import span_of
from jointlimits_core.wording import channel_letter

from ..words import degrees, tr
from .axis_panel import AxisPanel

_LEAST_DEG = 0.005
"""Values closer than this show as the same number in the fields."""


def differing(first: JointLimit, others: Sequence[JointLimit]) -> tuple[str, ...]:
    """Names of what differs between other joints and the first one."""
    found = [tr("type")] if any(other.type != first.type for other in others) else []
    for channel, axis in first.limits.items():
        there = [other.limits[channel] for other in others if channel in other.limits]
        if any(_is_other(axis, limit) for limit in there):
            found.append(tr("rotate {axis}", axis=channel_letter(channel)))
    return tuple(found)


def mark_mixed(panel: AxisPanel, first: JointLimit, others: Sequence[JointLimit]) -> None:
    """Mark the fields of a channel whose values differ between the selected joints."""
    there = [joint.limits[panel.channel] for joint in others if panel.channel in joint.limits]
    own = first.limits[panel.channel]
    for place, end in enumerate(("min", "max")):
        values = [span[place] for span in map(span_of, (own, *there)) if span is not None]
        mixed = bool(values) and max(values) - min(values) > _LEAST_DEG
        mixed = mixed or any((span_of(own) is None) != (span_of(a) is None) for a in there)
        box = panel.boxes[end]
        box.set_mixed(mixed)
        box.setToolTip(
            tr("The selected joints have {low} to {high} here; a typed number applies to all.",
               low=degrees(min(values)), high=degrees(max(values)))
            if mixed and values else ""
        )  # fmt: skip


def _is_other(axis: AxisLimit, limit: AxisLimit) -> bool:
    one, two = span_of(axis), span_of(limit)
    if one is None or two is None or axis.state != limit.state:
        return axis.state != limit.state or one != two
    return max(abs(a - b) for a, b in zip(one, two)) > _LEAST_DEG
