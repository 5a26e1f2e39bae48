"""Edits of joint limits, ordered so that no pose is clamped in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_attributes import (
    MAXIMUM,
    MAXIMUM_ON,
    MINIMUM,
    MINIMUM_ON,
    PlugStates,
)

from .plugs import find_plug, put, read
from .provenance import Number, Provenance, keep
from .scene_edit import SceneEdit

LABEL = "Apply Joint Limits"
ENDS = ((MINIMUM_ON, MINIMUM), (MAXIMUM_ON, MAXIMUM))
"""Each enable attribute with its limit."""
LIMITS = tuple(end.name(axis) for axis in range(3) for pair in ENDS for end in pair)
"""All limit attributes."""


class LimitEdits:
    """Edits of all joints, in four stages: off, values, on, records."""

    def __init__(self) -> None:
        self._off, self._values = SceneEdit(LABEL), SceneEdit(LABEL)
        self._on, self._records = SceneEdit(LABEL), SceneEdit(LABEL)

    def put(
        self, node: om.MObject, states: PlugStates, new: Mapping[str, Number], reframed: bool
    ) -> None:
        """Set attributes of a joint.

        Parameters
        ----------
        node : MObject
        states : PlugStates
            Current states.
        new : mapping of attribute to bool or float
            Internal units.
        reframed : bool
            Whether the joint is re-oriented, so that its limits must be off meanwhile.
        """
        for switch, bound in ENDS:
            for axis in range(3):
                name, value = switch.name(axis), bound.name(axis)
                was_on = states[switch].values[axis] == 1.0
                plug = find_plug(node, name)
                if was_on and (name in new or value in new or reframed):
                    put(self._off, plug, name, False)
                    if name not in new:
                        put(self._on, plug, name, True)
                elif name in new:
                    put(self._on, plug, name, new[name])
        for name, number in new.items():
            if not name.endswith("Enable"):
                put(self._values, find_plug(node, name), name, number)

    def lock(self, node: om.MObject, channels: Sequence[str]) -> None:
        """Lock channels."""
        for channel in channels:
            self._records.set_locked(find_plug(node, channel), True)

    def keep(self, node: om.MObject, record: Provenance) -> None:
        """Store the record of a joint."""
        keep(self._records, node, record)

    def in_order(self, frames: Sequence[SceneEdit]) -> SceneEdit:
        """All edits in order, with re-orientation while the limits are off."""
        edit = SceneEdit(LABEL)
        for part in (self._off, *frames, self._values, self._on, self._records):
            edit.extend(part)
        return edit


def limits_are_ours(node: om.MObject, record: Provenance | None) -> bool:
    """Whether all limits that are on are unchanged since they were applied."""
    if record is None:
        return False
    for axis in range(3):
        for switch, bound in ENDS:
            names = (switch.name(axis), bound.name(axis))
            if not read(find_plug(node, names[0]), names[0]):
                continue
            written = [name for name in names if name in record.written]
            if not written:
                return False
            if any(read(find_plug(node, n), n) != record.written[n] for n in written):
                return False
    return True
