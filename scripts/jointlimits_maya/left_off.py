"""Limits that are written but left off, and recorded for Limits on/off."""

from __future__ import annotations

from collections.abc import Iterator

from jointlimits_core.applying.joint_attributes import MAXIMUM_ON, MINIMUM_ON, PlugStates
from jointlimits_core.applying.joint_plan import JointChange, JointPlan, skipped_attribute
from jointlimits_core.joint_frame import CHANNELS


def leave_off(
    plan: JointPlan, joint: str, change: JointChange, states: PlugStates, may_replace: bool
) -> Iterator[str]:
    """Make a plan switch no limit on, and switch off those that it may change.

    Parameters
    ----------
    plan : JointPlan
        Changed in place.
    joint : str
        For messages.
    may_replace : bool
        Whether limits that are on may be switched off.

    Yields
    ------
    str
        Switches that would otherwise be on.
    """
    for side, switch in enumerate((MINIMUM_ON, MAXIMUM_ON)):
        for axis, channel in enumerate(CHANNELS):
            if change.limits_deg.get(channel, (None, None))[side] is None:
                continue
            wanted = plan.wanted.get(switch, [None] * 3)[axis]
            if wanted == 1.0:
                plan.wanted[switch][axis] = None
                yield switch.name(axis)
            elif may_replace and wanted is None and states[switch].values[axis] == 1.0:
                why = states[switch].obstacle(axis)
                if why is not None:
                    plan.skipped.append(skipped_attribute(joint, switch.name(axis), why))
                    continue
                plan.want(switch, axis, 0.0)
                yield switch.name(axis)
