"""What we wrote on joints taken back: every attribute as it was, to the bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_plan import Skipped, skipped_attribute

from .joint_obstacles import left_joint
from .names import joint_names
from .plugs import find_plug, obstacle, put, read
from .provenance import Provenance, keep, record_of, text_of
from .results import ClearResult
from .scene_edit import SceneEdit

LABEL = "Clear Joint Limits"


def plan_clear(joints: Sequence[om.MDagPath]) -> tuple[SceneEdit, ClearResult]:
    """Work out how joints get back what they had before we wrote on them.

    Parameters
    ----------
    joints : sequence of MDagPath

    Returns
    -------
    edit : SceneEdit
        Empty if there is nothing of ours.
    result : ClearResult
        Frames stay as they are: a joint that was re-oriented keeps its new one, and limits that
        it had before, which held in the old one, come back switched off.
    """
    planner = _Planner()
    for name, joint in zip(joint_names(joints), joints):
        planner.take(name, joint.node())
    return planner.finished()


class _Planner:
    """One run over some joints."""

    def __init__(self) -> None:
        self._off, self._edit = SceneEdit(LABEL), SceneEdit(LABEL)
        self._on, self._records = SceneEdit(LABEL), SceneEdit(LABEL)
        self._restored: dict[str, tuple[str, ...]] = {}
        self._untouched: list[str] = []
        self._changed: dict[str, tuple[str, ...]] = {}
        self._frames_kept: list[str] = []
        self._skipped: list[Skipped] = []

    def take(self, name: str, node: om.MObject) -> None:
        """Plan one joint."""
        record, why = record_of(node), left_joint(name, node)
        if why is not None and text_of(node) is not None:
            self._skipped.append(why)
            return
        if record is None:
            self._untouched.append(name)
            return
        self._note_changes(name, node, record)
        self._frames_kept += [name] if record.frame else []
        stuck = self._values(name, node, record)
        locks = self._locks(name, node, record)
        restored = (*(n for n in record.before if n not in stuck), *locks)
        if restored:
            self._restored[name] = restored
        left = replace(
            record,
            before={n: value for n, value in record.before.items() if n in stuck},
            written={n: value for n, value in record.written.items() if n in stuck},
            locks={n: value for n, value in record.locks.items() if n not in locks},
            switched_off=tuple(n for n in record.switched_off if n in stuck - {*record.before}),
        )
        keep(self._records, node, left)

    def _values(self, name: str, node: om.MObject, record: Provenance) -> set[str]:
        """Put values back; names of those that cannot be."""
        stuck = set()
        others = {name: True for name in record.switched_off if name not in record.before}
        for attribute, value in {**record.before, **others}.items():
            plug = find_plug(node, attribute)
            why = obstacle(plug)
            if why is not None:
                stuck.add(attribute)
                self._skipped.append(skipped_attribute(name, attribute, why))
                continue
            now, enable = read(plug, attribute), attribute.endswith("Enable")
            if enable and value and record.frame is not None:
                value = False
                reason = "its frame was changed, so its old limit stays off"
                advice = "switch it on if it should hold in the new frame"
                self._skipped.append(Skipped(name, attribute, reason, advice))
            if enable:
                if now:
                    put(self._off, plug, attribute, False)
                if value:
                    put(self._on, plug, attribute, True)
            elif not _same_bits(now, value):
                put(self._edit, plug, attribute, value)
        return stuck

    def _locks(self, name: str, node: om.MObject, record: Provenance) -> list[str]:
        """Put locks back; names of the channels."""
        done = []
        for channel, locked in record.locks.items():
            self._edit.set_locked(find_plug(node, channel), locked)
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
        """Give the edit and the result."""
        edit = SceneEdit(LABEL)
        for part in (self._off, self._edit, self._on, self._records):
            edit.extend(part)
        result = ClearResult(
            self._restored,
            tuple(self._untouched),
            self._changed,
            tuple(self._frames_kept),
            tuple(self._skipped),
        )
        return edit, result


def _same_bits(now: float | bool, value: float | bool) -> bool:
    """Whether two values are the same, signs of zero included."""
    return now == value and repr(float(now)) == repr(float(value))
