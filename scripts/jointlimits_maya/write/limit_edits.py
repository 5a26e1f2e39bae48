"""Edits of joint limits, ordered so that no pose is clamped in between.

Limits changed by hand since they were applied are kept, limits that would clamp are written but
left off (and recorded for Limits on/off), and joints that cannot be written are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jointlimits_core.base.errors import OptionText
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.rig import limit_plan

from ..base.open_maya import om
from ..scene.edit import SceneEdit
from ..scene.joints import references_of
from ..scene.plugs import find_plug, put, read
from ..scene.record import ATTRIBUTE, Number, Provenance, unreadable

REPLACE = OptionText("use ", "replace")


def keep_manual_edits(
    plan: limit_plan.JointPlan, joint: str, node: om.MObject, record: Provenance
) -> None:
    """Drop channels from a plan whose limits, or switches, differ from what was applied.

    `plan`: changed in place. `joint`: for messages.
    """
    for axis, channel in enumerate(CHANNELS):
        names = [triple.name(axis) for triple in limit_plan.LIMIT]
        ours = [n for n in names if n in record.written and n not in record.switched_off]
        if all(read(find_plug(node, name), name) == record.written[name] for name in ours):
            continue
        if limit_plan.drop_from_plan(plan, axis, limit_plan.LIMIT):
            reason = "limits changed by hand"
            plan.skipped.append(
                limit_plan.Skipped(joint, channel, reason, f"{REPLACE} to overwrite them")
            )


def joint_obstacle(name: str, node: om.MObject) -> limit_plan.Skipped | None:
    """Why a joint can neither be written nor restored, or None. `name`: for the message."""
    if any(reference.isLocked() for reference in references_of(node)):
        return limit_plan.Skipped(name, "", *limit_plan.IN_LOCKED_REFERENCE)
    if om.MFnDependencyNode(node).isLocked:
        # A locked node takes no new attribute, so nothing could be restored.
        return limit_plan.Skipped(name, "", "the node is locked", "unlock it (lockNode -lock off)")
    if unreadable(node):
        advice = (
            f"its attribute {ATTRIBUTE} was written by another version or edited by hand; use that "
            "version, or delete the attribute and set the limits by hand"
        )
        return limit_plan.Skipped(name, "", "unreadable record", advice)
    return None


def write_switched_off(
    plan: limit_plan.JointPlan,
    joint: str,
    change: limit_plan.JointChange,
    states: limit_plan.PlugStates,
    may_replace: bool,
) -> Iterator[str]:
    """Make a plan switch no limit on, and switch off those that it may change.

    `plan`: changed in place. `joint`: for messages. `may_replace`: whether limits that are on may
    be switched off. Yields switches that would otherwise be on.
    """
    for side, switch in enumerate((limit_plan.MINIMUM_ON, limit_plan.MAXIMUM_ON)):
        for axis, channel in enumerate(CHANNELS):
            if change.limits_deg.get(channel, (None, None))[side] is None:
                continue
            wanted = plan.wanted[switch][axis]
            if wanted == 1.0:
                plan.wanted[switch][axis] = None
                yield switch.name(axis)
            elif may_replace and wanted is None and states[switch].values[axis] == 1.0:
                why = states[switch].obstacle(axis)
                if why is not None:
                    plan.skipped.append(limit_plan.Skipped(joint, switch.name(axis), *why))
                    continue
                plan.wanted[switch][axis] = 0.0
                yield switch.name(axis)


ENDS = ((limit_plan.MINIMUM_ON, limit_plan.MINIMUM), (limit_plan.MAXIMUM_ON, limit_plan.MAXIMUM))
"""Each enable attribute with its limit."""
LIMITS = tuple(end.name(axis) for axis in range(3) for pair in ENDS for end in pair)
"""All limit attributes."""


class LimitEdits:
    """Edits of all joints, in four stages: off, values, on, records."""

    def __init__(self, label: str) -> None:
        self._label = label
        self.off, self.values = SceneEdit(label), SceneEdit(label)
        self.on, self.records = SceneEdit(label), SceneEdit(label)

    def put(
        self,
        node: om.MObject,
        states: limit_plan.PlugStates,
        new: Mapping[str, Number],
        reframed: bool,
    ) -> None:
        """Set attributes of a joint.

        `states`: current states. `new`, by attribute: internal units. `reframed`: whether the joint
        is re-oriented, so that its limits must be off meanwhile.
        """
        for switch, bound in ENDS:
            for axis in range(3):
                name, value = switch.name(axis), bound.name(axis)
                was_on = states[switch].values[axis] == 1.0
                plug = find_plug(node, name)
                if was_on and (name in new or value in new or reframed):
                    put(self.off, plug, name, False)
                    if name not in new:
                        put(self.on, plug, name, True)
                elif name in new:
                    put(self.on, plug, name, new[name])
        for name, number in new.items():
            if not name.endswith("Enable"):
                put(self.values, find_plug(node, name), name, number)

    def in_order(self, *frames: SceneEdit) -> SceneEdit:
        """All edits in order, with re-orientation while the limits are off."""
        edit = SceneEdit(self._label)
        for part in (self.off, *frames, self.values, self.on, self.records):
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
