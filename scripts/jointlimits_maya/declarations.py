"""Limits, degrees of freedom and locks declared by a joint's author.

Applied limits do not count as declarations: they would look as if they had clamped the motion, and
estimating again after Apply would give another result.
"""

from __future__ import annotations

from jointlimits_core.maya_rig.declared import declaration_from
from jointlimits_core.skeleton import Declaration

from .attributes import Attributes
from .provenance import Provenance, record_of

_SAME = 1e-12
"""Radians; a value that differs more from the applied one was changed by hand."""


def declaration_of(joint: Attributes) -> Declaration:
    """Declaration of a joint, without applied limits."""
    record = record_of(joint.node) or Provenance()

    def number(attribute: str, default: float) -> float:
        now = 1.0 if attribute in record.switched_off else joint.number(attribute, default)
        ours = record.written.get(attribute)
        if ours is None or abs(now - float(ours)) > _SAME:
            return now
        return float(record.before[attribute])

    def is_locked(channel: str) -> bool:
        return bool(record.locks.get(channel, joint.is_locked(channel)))

    return declaration_from(number, is_locked)
