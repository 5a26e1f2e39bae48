"""What a joint's author declared: limits, degrees of freedom and locks, as they were before ours.

What we wrote on a joint is no declaration of anybody's. Taken for one, it would look as if the
motion had been clamped by it, and estimating again after applying would find something else.
"""

from __future__ import annotations

from jointlimits_core.maya_rig.declared import declaration_from
from jointlimits_core.skeleton import Declaration

from .attributes import Attributes
from .provenance import Provenance, record_of

_SAME = 1e-12
"""Radians; a value that differs by more from what we wrote is somebody else's by now."""


def declaration_of(joint: Attributes) -> Declaration:
    """What a joint declares, our own writing taken off."""
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
