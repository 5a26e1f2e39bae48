"""Clearing of applied limits, and switching limits off and on for baking and recording.

Clearing gives every attribute its old value back, bit for bit.

Re-oriented joints get their original attributes, curves and matrices back. Joints whose
orientations depend on each other (mode C) are restored together or not at all. Later changes are
not overwritten: joints that were edited, bound or given new children since keep their new
orientation and are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from jointlimits_core.rig import clamping, limit_plan, reorient_checks, scene

from ..base.open_maya import om
from ..read import scene_graph
from ..scene.edit import SceneEdit
from ..scene.joints import joint_names, node_name, noun_of
from ..scene.plugs import ENABLES, find_plug, obstacle, put, read, rotation_limits
from ..scene.record import Backup, Provenance, backup_on, keep, record_of, text_of
from ..scene.results import ClearResult, SwitchResult
from . import curves, filter_keys, limit_edits

LABEL = "Clear Joint Limits"


def plan_clear(joints: Sequence[om.MDagPath]) -> tuple[SceneEdit, ClearResult]:
    """Plan the return of joints to their state before limits were applied.

    The edit is empty if there is nothing to restore. An orientation that was later changed by hand
    stays; old limits, which were made for the old orientation, are then restored but switched off.
    """
    nodes = {name: joint.node() for name, joint in zip(joint_names(joints), joints)}
    left = {name: limit_edits.joint_obstacle(name, node) for name, node in nodes.items()}
    planner = _Planner(
        _Orientations(
            {
                name: node
                for name, node in nodes.items()
                if left[name] is None and _is_reoriented(node)
            }
        )
    )
    for name, node in nodes.items():
        planner.plan_joint(name, node, left[name])
    edit, result = planner.finish()
    restored = [one for one, name in zip(joints, nodes) if name in result.restored]
    return edit, replace(result, noun=noun_of(restored or joints))


class _Planner:
    def __init__(self, frames: _Orientations) -> None:
        self._frames = frames
        self._unlocked, self._edits = SceneEdit(LABEL), limit_edits.LimitEdits(LABEL)
        self._restored: dict[str, tuple[str, ...]] = {}
        self._untouched: list[str] = []
        self._changed: dict[str, tuple[str, ...]] = {}
        self._skipped: list[limit_plan.Skipped] = list(frames.skipped)
        self._seen: set[str] = set()

    def plan_joint(self, name: str, node: om.MObject, why: limit_plan.Skipped | None) -> None:
        """Plan one joint, unless it cannot be written."""
        record = record_of(node)
        if why is not None and text_of(node) is not None:
            self._skipped.append(why)
            return
        if record is None:
            self._untouched.append(name)
            return
        changed = tuple(
            attribute
            for attribute, value in record.written.items()
            if attribute not in record.switched_off and not _same_bits(read(node, attribute), value)
        )
        if changed:
            self._changed[name] = changed
        self._seen.add(node_name(node))
        stuck, off = self._restore_values(name, node, record)
        for channel, locked in record.locks.items():
            self._unlocked.set_lock(find_plug(node, channel), locked)
        frame = self._frames.restored.get(name, ())
        restored = (*(n for n in record.before if n not in stuck | off), *record.locks, *frame)
        if restored:
            self._restored[name] = restored
        left = replace(
            record,
            before={n: value for n, value in record.before.items() if n in stuck | off},
            written={n: value for n, value in record.written.items() if n in stuck},
            locks={},
            switched_off=tuple(n for n in record.switched_off if n in stuck - {*record.before}),
            left_off=(),
        )
        keep(self._edits.records, node, self._without_frame(node, left))

    def _without_frame(self, node: om.MObject, record: Provenance) -> Provenance:
        """Drop the orientation from a record if the old orientation is restored."""
        back = node_name(node) in self._frames.nodes
        return replace(record, frame=None, backup=None) if back else record

    def _restore_values(
        self, name: str, node: om.MObject, record: Provenance
    ) -> tuple[set[str], set[str]]:
        """Restore values; return names of values that cannot be restored and of limits left off."""
        stuck, off = set(), set()
        others = {name: True for name in record.switched_off if name not in record.before}
        for attribute, value in {**record.before, **others}.items():
            why, now = obstacle(find_plug(node, attribute)), read(node, attribute)
            if why is not None and _same_bits(now, value):
                continue
            if why is not None:
                stuck.add(attribute)
                self._skipped.append(limit_plan.Skipped(name, attribute, *why))
                continue
            enable = attribute.endswith("Enable")
            if enable and value and name in self._frames.kept:
                if attribute in record.before and attribute not in record.written:
                    # Cleared before and switched on since: it is meant for the new orientation.
                    off.add(attribute)
                    continue
                value = False
                off.add(attribute)
                reason = "the joint keeps its new orientation, so its old limit stays off"
                advice = "switch it on if it fits the new orientation"
                self._skipped.append(limit_plan.Skipped(name, attribute, reason, advice))
            if enable:
                if now:
                    put(self._edits.off, node, attribute, False)
                if value:
                    put(self._edits.on, node, attribute, True)
            elif not _same_bits(now, value):
                put(self._edits.values, node, attribute, value)
        return stuck, off

    def finish(self) -> tuple[SceneEdit, ClearResult]:
        for name, node in self._frames.nodes.items():
            record = record_of(node)
            if name not in self._seen and record is not None:
                keep(self._edits.records, node, self._without_frame(node, record))
        frames = self._frames
        edit = self._edits.in_order(self._unlocked, frames.edit)
        return edit, ClearResult(
            self._restored,
            tuple(self._untouched),
            self._changed,
            tuple(frames.kept),
            tuple(self._skipped),
            tuple(frames.restored),
        )


def _same_bits(now: float | bool, value: float | bool) -> bool:
    """Whether two values are identical, including the sign of zero."""
    return now == value and repr(float(now)) == repr(float(value))


_KEEP = "leave it if the new orientation should stay; else undo that change and clear again"


def _is_reoriented(node: om.MObject) -> bool:
    record = record_of(node)
    return record is not None and record.frame is not None


class _Orientations:
    """Re-oriented joints that get their old orientation back, and joints that keep the new one.

    `edit`: the joints' limits and the locks set by Apply must be off while it runs. `restored`, by
    joint name: long names of the attributes restored on re-oriented joints. `kept`: joints that
    keep their new orientation. `skipped`: reasons. `nodes`, by full node name: all restored nodes,
    whose backups are no longer needed.
    """

    def __init__(self, chosen: Mapping[str, om.MObject]) -> None:
        self.edit = SceneEdit(LABEL)
        self.restored: dict[str, tuple[str, ...]] = {}
        self.kept: list[str] = []
        self.skipped: list[limit_plan.Skipped] = []
        self.nodes: dict[str, om.MObject] = {}
        if chosen:
            self._model = scene_graph.SceneModel()
            self._object = self._model.object
            self._names = {self._model.joint(node): name for name, node in chosen.items()}
            for root in list(dict.fromkeys(map(self._root, self._names))):
                self._plan_group(root)

    def _root(self, node: scene.Node) -> scene.Node:
        """Top joint of the joints whose orientations depend on each other."""
        above = node.parent
        if above is None or not self._is_turned(above) or not _inherits(node):
            return node
        self._model.joint(self._object(above))
        return self._root(above)

    def _is_turned(self, node: scene.Node) -> bool:
        backup = backup_on(self._object(node))
        return backup is not None and backup.turned and _is_reoriented(self._object(node))

    def _group(self, node: scene.Node) -> Iterator[scene.Node]:
        """Yield a re-oriented joint and everything that must be restored with it."""
        self._model.joint(self._object(node))
        yield node
        if not self._is_turned(node):
            return
        for child in node.children.values():
            if child.node_type not in ("joint", "transform") or not _inherits(child):
                continue
            if child.is_joint and _is_reoriented(self._object(child)):
                yield from self._group(child)
            else:
                yield child

    def _plan_group(self, root: scene.Node) -> None:
        """Plan a group of joints that depend on each other, from its top joint down."""
        group = list(self._group(root))
        checks = reorient_checks.Checks(
            self._model.scene, self._model, scene_graph.OpenDrivers(self._model)
        )
        why = next((one for one in (self._obstacle(n, checks) for n in group) if one), None)
        names = [self._names[node] for node in group if node in self._names]
        if why is not None:
            self.kept += names
            self.skipped += [
                limit_plan.Skipped(name, "", f"keeps its new orientation: {why[0]}", why[1])
                for name in names
            ]
            return
        for node in group:
            maya_node = self._object(node)
            backup = backup_on(maya_node)
            assert backup is not None, "checked"
            if node in self._names:
                changed = [*backup.channels, *(place[1] for place, _ in backup.matrices)]
                self.restored[self._names[node]] = tuple(dict.fromkeys(changed))
            curves.restore_originals(self.edit, self._model, node, backup)
            self.nodes[node_name(maya_node)] = maya_node

    # Obstacles ------------------------------------------------------------------------------------

    def _obstacle(self, node: scene.Node, checks: reorient_checks.Checks) -> tuple[str, str] | None:
        """Reason why a node cannot get its old orientation back, and advice; None if it can."""
        record = record_of(self._object(node))
        if record is None or record.backup is None:
            return f"{node.name!r} has since been parented below it", _KEEP
        why = None if record.frame is None else self._joint_obstacle(node, record, checks)
        return why or self._backup_obstacle(node, record, record.backup)

    def _joint_obstacle(
        self, node: scene.Node, record: Provenance, checks: reorient_checks.Checks
    ) -> tuple[str, str] | None:
        if node not in self._names:
            return f"{node.name!r} was re-oriented with it", "select that joint as well"
        found: object = checks.joint_obstacle(node, True)
        if found is None and self._is_turned(node):
            found = checks.turn_obstacle(node)
        if found is None:
            found = checks.channels(node, "rotate")
        if isinstance(found, reorient_checks.Obstacle):
            skipped = found.skipped_joint(node.name)
            inside = found.kind in ("child", "scaled")
            advice = "undo that change and clear again" if inside else skipped.advice
            return f"{node.name!r}: {skipped.reason}", advice
        maya_node = self._object(node)
        for name in limit_edits.LIMITS:
            before = record.before.get(name, read(maya_node, name))
            if read(maya_node, name) != before and obstacle(find_plug(maya_node, name)):
                return f"{node.name}.{name} cannot be restored", "unlock or disconnect it"
        for name in ENABLES:
            is_ours = name in record.before or name in record.switched_off
            if not is_ours and read(maya_node, name):
                return f"{node.name}.{name} has been switched on", "switch it off and clear again"
        return None

    def _backup_obstacle(
        self, node: scene.Node, record: Provenance, backup: Backup
    ) -> tuple[str, str] | None:
        maya_node = self._object(node)
        changed = curves.manual_changes(self._model, node, backup)
        if changed or backup.changed:
            what = ", ".join(changed) or "something"
            return f"{what} of {node.name!r} has since been changed", _KEEP
        new = set(self._model.pose_holders(node)) - set(backup.holders)
        if new:
            return f"its pose has since been stored in {min(new)}", _KEEP
        if any(curves.curve_aside(maya_node, name) is None for name in backup.aside):
            return f"old keys of {node.name!r} were deleted", "keep the new keys; no action needed"
        for name in backup.channels:
            plug = find_plug(maya_node, name)
            whole = plug.parent().isLocked if plug.isChild else False
            if whole or (plug.isLocked and record.locks.get(name) is not False):
                return f"{node.name}.{name} is locked", "unlock it and clear again"
        return None


def _inherits(node: scene.Node) -> bool:
    return node.number("inheritsTransform", 1.0) != 0.0


def plan_switch(
    joints: Sequence[om.MDagPath], on: bool, *, everybodys: bool = False
) -> tuple[SceneEdit, SwitchResult]:
    """Plan the switching of joint limits.

    `on`: if true, only limits that were switched off this way are switched on again. `everybodys`:
    also switch off limits that were not applied by this program. Limits are switched on even if
    they clamp animation, which the result then reports.
    """
    edit = SceneEdit("Joint Limits On" if on else "Joint Limits Off")
    switched: dict[str, tuple[str, ...]] = {}
    unchanged: list[str] = []
    skipped: list[limit_plan.Skipped] = []
    following: list[str] = []
    for name, joint in zip(joint_names(joints), joints):
        node = joint.node()
        why = limit_edits.joint_obstacle(name, node)
        if why is not None:
            skipped.append(why)
            continue
        record = record_of(node) or Provenance()
        if on:
            names = record.switched_off
        else:
            ours = ENABLES if everybodys else tuple(n for n in ENABLES if n in record.written)
            names = tuple(name for name in ours if read(node, name))
        whys = {n: obstacle(find_plug(node, n)) for n in names}
        skipped += [limit_plan.Skipped(name, n, *stuck) for n, stuck in whys.items() if stuck]
        if on and record.left_off:
            following.append(name)
        free = tuple(n for n, stuck in whys.items() if not stuck)
        if not free:
            unchanged.append(name)
            continue
        switched[name] = free
        for switch in free:
            if read(node, switch) != on:
                put(edit, node, switch, on)
        off = {*record.switched_off} - {*free} if on else {*record.switched_off, *free}
        in_order = tuple(one for one in ENABLES if one in off)
        keep(edit, node, replace(record, switched_off=in_order))
    paths = {name: path for name, path in zip(joint_names(joints), joints) if name in switched}
    clips: list[clamping.Clamped] = []  # animation clamped by limits that are switched on
    for name, held in filter_keys.held_rotates(paths).items() if on and paths else ():
        going_on = {f"rotate{enable[6]}" for enable in switched[name]}  # minRotXLimitEnable
        clipped = held.find_changes(name, rotation_limits(paths[name].node(), switched[name]), {})
        clips += [one for one in clipped if one.channel in going_on]
    return edit, SwitchResult(
        on,
        switched,
        tuple(unchanged),
        tuple(skipped),
        clamping.worst_first(clips),
        tuple(following),
        noun_of(list(paths.values()) or joints),
    )
