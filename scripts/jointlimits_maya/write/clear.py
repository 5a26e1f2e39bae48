"""Removal of applied limits: every attribute gets its old value back, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import maya.api.OpenMaya as om

from jointlimits_core.rig import Skipped, skipped_attribute

from ..scene import (
    ClearResult,
    Provenance,
    SceneEdit,
    find_plug,
    joint_names,
    node_name,
    obstacle,
    put,
    read,
    record_of,
    text_of,
)
from .limit_edits import LimitEdits, joint_obstacle
from .reorient_revert import OrientationRestore, plan_restore

LABEL = "Clear Joint Limits"


def plan_clear(joints: Sequence[om.MDagPath]) -> tuple[SceneEdit, ClearResult]:
    """Plan the restoration of what joints had before limits were applied.

    `edit`: empty if there is nothing to restore. `result`: an orientation changed by hand since
    stays; old limits, which were made for the old orientation, then come back switched off.
    """
    nodes = {name: joint.node() for name, joint in zip(joint_names(joints), joints)}
    left = {name: joint_obstacle(name, node) for name, node in nodes.items()}
    free = {name: node for name, node in nodes.items() if left[name] is None}
    planner = _Planner(plan_restore(free, LABEL))
    for name, node in nodes.items():
        planner.take(name, node, left[name])
    return planner.finished()


class _Planner:
    """Plan for some joints."""

    def __init__(self, frames: OrientationRestore) -> None:
        self._frames = frames
        self._unlocked, self._edits = SceneEdit(LABEL), LimitEdits(LABEL)
        self._restored: dict[str, tuple[str, ...]] = {}
        self._untouched: list[str] = []
        self._changed: dict[str, tuple[str, ...]] = {}
        self._skipped: list[Skipped] = list(frames.skipped)
        self._seen: set[str] = set()

    def take(self, name: str, node: om.MObject, why: Skipped | None) -> None:
        """Plan one joint, unless it cannot be written."""
        record = record_of(node)
        if why is not None and text_of(node) is not None:
            self._skipped.append(why)
            return
        if record is None:
            self._untouched.append(name)
            return
        self._note_changes(name, node, record)
        self._seen.add(node_name(node))
        stuck, off = self._values(name, node, record)
        locks = self._locks(name, node, record)
        frame = self._frames.restored.get(name, ())
        restored = (*(n for n in record.before if n not in stuck | off), *locks, *frame)
        if restored:
            self._restored[name] = restored
        left = replace(
            record,
            before={n: value for n, value in record.before.items() if n in stuck | off},
            written={n: value for n, value in record.written.items() if n in stuck},
            locks={n: value for n, value in record.locks.items() if n not in locks},
            switched_off=tuple(n for n in record.switched_off if n in stuck - {*record.before}),
        )
        self._edits.keep(node, self._without_frame(node, left))

    def _without_frame(self, node: om.MObject, record: Provenance) -> Provenance:
        """Drop the orientation from a record if the old one is restored."""
        back = node_name(node) in self._frames.nodes
        return replace(record, frame=None, backup=None) if back else record

    def _values(self, name: str, node: om.MObject, record: Provenance) -> tuple[set[str], set[str]]:
        """Restore values; names of those that cannot be restored, and of limits that stay off."""
        stuck, off = set(), set()
        others = {name: True for name in record.switched_off if name not in record.before}
        for attribute, value in {**record.before, **others}.items():
            plug = find_plug(node, attribute)
            why, now = obstacle(plug), read(plug, attribute)
            if why is not None and _same_bits(now, value):
                continue
            if why is not None:
                stuck.add(attribute)
                self._skipped.append(skipped_attribute(name, attribute, why))
                continue
            enable = attribute.endswith("Enable")
            if enable and value and name in self._frames.kept:
                if attribute in record.before and attribute not in record.written:
                    # Cleared before and switched on since: meant for the new orientation.
                    off.add(attribute)
                    continue
                value = False
                off.add(attribute)
                reason = "the joint keeps its new orientation, so its old limit stays off"
                advice = "switch it on if it fits the new orientation"
                self._skipped.append(Skipped(name, attribute, reason, advice))
            if enable:
                if now:
                    put(self._edits.off, plug, attribute, False)
                if value:
                    put(self._edits.on, plug, attribute, True)
            elif not _same_bits(now, value):
                put(self._edits.values, plug, attribute, value)
        return stuck, off

    def _locks(self, name: str, node: om.MObject, record: Provenance) -> list[str]:
        """Restore locks; names of the channels."""
        done = []
        for channel, locked in record.locks.items():
            self._unlocked.set_locked(find_plug(node, channel), locked)
            done.append(channel)
        return done

    def _note_changes(self, name: str, node: om.MObject, record: Provenance) -> None:
        others = tuple(
            attribute
            for attribute, value in record.written.items()
            if attribute not in record.switched_off
            and not _same_bits(read(find_plug(node, attribute), attribute), value)
        )
        if others:
            self._changed[name] = others

    def finished(self) -> tuple[SceneEdit, ClearResult]:
        """Edit and result."""
        for name, node in self._frames.nodes.items():
            record = record_of(node)
            if name not in self._seen and record is not None:
                self._edits.keep(node, self._without_frame(node, record))
        frames = self._frames
        edit = self._edits.in_order(self._unlocked, frames.edit)
        result = ClearResult(
            self._restored,
            tuple(self._untouched),
            self._changed,
            tuple(frames.kept),
            tuple(self._skipped),
            tuple(frames.restored),
        )
        return edit, result


def _same_bits(now: float | bool, value: float | bool) -> bool:
    """Whether two values are identical, including the sign of zero."""
    return now == value and repr(float(now)) == repr(float(value))
