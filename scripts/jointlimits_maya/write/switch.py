"""Switching of limits: off for baking and recording, and on again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from jointlimits_core.rig.clamping import Clamped, worst_first
from jointlimits_core.rig.limit_plan import Skipped, skipped_attribute

from ..base.open_maya import om
from ..scene.edit import SceneEdit
from ..scene.joints import joint_names
from ..scene.plugs import ENABLES, find_plug, obstacle, put, read, rotation_limits
from ..scene.record import Provenance, keep, record_of
from ..scene.results import SwitchResult
from .clamping import held_rotates
from .limit_edits import joint_obstacle


def plan_switch(
    joints: Sequence[om.MDagPath], on: bool, *, everybodys: bool = False
) -> tuple[SceneEdit, SwitchResult]:
    """Plan the switching of joint limits.

    `on`: true restores only limits that were switched off this way. `everybodys`: also switch off
    limits that were not applied by this program. `result`: limits go on again even if they clamp
    animation; the result reports it.
    """
    edit = SceneEdit("Joint Limits On" if on else "Joint Limits Off")
    switched: dict[str, tuple[str, ...]] = {}
    unchanged: list[str] = []
    skipped: list[Skipped] = []
    for name, joint in zip(joint_names(joints), joints):
        node = joint.node()
        why = joint_obstacle(name, node)
        if why is not None:
            skipped.append(why)
            continue
        record = record_of(node) or Provenance()
        if on:
            names = record.switched_off
        else:
            ours = ENABLES if everybodys else tuple(n for n in ENABLES if n in record.written)
            names = tuple(name for name in ours if read(find_plug(node, name), name))
        whys = {n: obstacle(find_plug(node, n)) for n in names}
        skipped += [skipped_attribute(name, n, stuck) for n, stuck in whys.items() if stuck]
        free = tuple(n for n, stuck in whys.items() if not stuck)
        if free:
            switched[name] = free
            _switch(edit, node, record, free, on)
        else:
            unchanged.append(name)
    clips = _clips(joints, switched) if on else ()
    return edit, SwitchResult(on, switched, tuple(unchanged), tuple(skipped), clips)


def _clips(
    joints: Sequence[om.MDagPath], switched: Mapping[str, Sequence[str]]
) -> tuple[Clamped, ...]:
    """Animation clamped by limits that are switched on."""
    if not switched:
        return ()
    paths = {name: path for name, path in zip(joint_names(joints), joints) if name in switched}
    found = []
    for name, held in held_rotates(paths).items():
        going_on = {f"rotate{enable[6]}" for enable in switched[name]}  # minRotXLimitEnable
        clipped = held.changed(name, rotation_limits(paths[name].node(), switched[name]), {})
        found += [one for one in clipped if one.channel in going_on]
    return worst_first(found)


def _switch(
    edit: SceneEdit, node: om.MObject, record: Provenance, names: Sequence[str], on: bool
) -> None:
    for name in names:
        plug = find_plug(node, name)
        if bool(read(plug, name)) != on:
            put(edit, plug, name, on)
    left = {name for name in record.switched_off if name not in names}
    remembered = left if on else left | set(names)
    off = tuple(name for name in ENABLES if name in remembered)
    keep(edit, node, replace(record, switched_off=off))
