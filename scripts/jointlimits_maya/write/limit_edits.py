"""Edits to joint limits, ordered so that no pose is clamped on the way.

Limits changed by hand since they were applied are kept, limits that would clamp are written but
left off (and recorded for Limits on/off), and joints that cannot be written are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jointlimits_core.base.errors import OptionText
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.rig import limit_plan

from ..base.open_maya import om
from ..scene.edit import SceneEdit
from ..scene.joints import references_of
from ..scene.plugs import ENABLES, put, read
from ..scene.record import ATTRIBUTE, Number, Provenance, unreadable

REPLACE = OptionText("use ", "replace")


def keep_manual_edits(
    plan: limit_plan.JointPlan, joint: str, node: om.MObject, record: Provenance
) -> None:
    """Drop channels from a plan if their limits or switches differ from those applied.

    `plan`: changed in place. `joint`: for messages.
    """
    for axis, channel in enumerate(CHANNELS):
        names = [triple.name(axis) for triple in limit_plan.LIMIT]
        ours = [n for n in names if n in record.written and n not in record.switched_off]
        if all(read(node, name) == record.written[name] for name in ours):
            continue
        if limit_plan.drop_from_plan(plan, axis, limit_plan.LIMIT):
            reason = "limits changed by hand"
            plan.skipped.append(
                limit_plan.Skipped(joint, channel, reason, f"{REPLACE} to overwrite them")
            )


def joint_obstacle(name: str, node: om.MObject) -> limit_plan.Skipped | None:
    """Reason why a joint can neither be written nor restored, or None. `name`: for the message."""
    if any(reference.isLocked() for reference in references_of(node)):
        return limit_plan.Skipped(name, "", *limit_plan.IN_LOCKED_REFERENCE)
    if om.MFnDependencyNode(node).isLocked:
        # A locked node cannot get the record's attribute, so nothing could be restored.
        return limit_plan.Skipped(name, "", "the node is locked", "unlock it (lockNode -lock off)")
    if unreadable(node):
        advice = (
            f"its attribute {ATTRIBUTE} was written by another version or edited by hand; use that "
            "version, or delete the attribute and set the limits by hand"
        )
        return limit_plan.Skipped(name, "", "unreadable record", advice)
    return None


PAIRS = tuple((enable, enable.removesuffix("Enable")) for enable in ENABLES)
"""Each enable attribute with its limit attribute."""
LIMITS = tuple(name for pair in PAIRS for name in pair)
"""All limit attributes."""


class LimitEdits:
    """Edits of all joints, in four stages: off, values, on, records."""

    def __init__(self, label: str) -> None:
        self._label = label
        self.off, self.values = SceneEdit(label), SceneEdit(label)
        self.on, self.records = SceneEdit(label), SceneEdit(label)

    def put(self, node: om.MObject, new: Mapping[str, Number], reframed: bool) -> None:
        """Set attributes of a joint.

        `new`: values by attribute, in internal units. `reframed`: whether the joint is re-oriented,
        which requires its limits to be off during the change.
        """
        for switch, limit in PAIRS:
            if read(node, switch) and (switch in new or limit in new or reframed):
                put(self.off, node, switch, False)
                if switch not in new:
                    put(self.on, node, switch, True)
            elif switch in new:
                put(self.on, node, switch, new[switch])
        for name, number in new.items():
            if not name.endswith("Enable"):
                put(self.values, node, name, number)

    def in_order(self, *frames: SceneEdit) -> SceneEdit:
        """All edits in order, with re-orientation while the limits are off."""
        edit = SceneEdit(self._label)
        for part in (self.off, *frames, self.values, self.on, self.records):
            edit.extend(part)
        return edit


def limits_are_ours(node: om.MObject, record: Provenance | None) -> bool:
    """Whether no limit that is on was changed after it was applied."""
    if record is None:
        return False
    written = record.written

    def is_ours(names: Sequence[str]) -> bool:
        ours = [name for name in names if name in written]
        return bool(ours) and all(read(node, name) == written[name] for name in ours)

    return all(is_ours(pair) for pair in PAIRS if read(node, pair[0]))
