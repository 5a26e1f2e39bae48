"""Restoration of old joint orientations: the original attributes, curves and matrices.

Joints whose orientations depend on each other (mode C) are restored together or not at all. Nothing
changed by others is overwritten: joints that were edited, got new children or were bound since keep
their new orientation and are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import maya.api.OpenMaya as om

from jointlimits_core.rig import Checks, Node, Obstacle, Skipped

from ..scene import (
    ENABLES,
    Angle,
    Backup,
    Length,
    Provenance,
    SceneEdit,
    backup_on,
    find_plug,
    node_name,
    obstacle,
    read,
    record_of,
)
from .keys import (
    OLD,
    curve_aside,
    curve_of,
    delete_curve,
    manual_changes,
    remove_places,
    restore_curve,
    restore_matrix,
)
from .limit_edits import LIMITS
from .scene_graph import OpenDrivers, SceneModel

_KEEP = "leave it if the new orientation should stay; else undo that change and clear again"


@dataclass
class OrientationRestore:
    """Orientations that are restored, and those that are not.

    `edit`: while it runs, limits of the joints and locks set by Apply must be off. `restored`, by
    joint name: long names of what is restored on re-oriented joints. `kept`: joints that keep their
    new orientation. `skipped`: reasons. `nodes`, by full node name: everything that is restored, so
    that its backup is no longer needed.
    """

    edit: SceneEdit
    restored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    nodes: dict[str, om.MObject] = field(default_factory=dict)


def plan_restore(chosen: Mapping[str, om.MObject], label: str) -> OrientationRestore:
    """Plan the restoration of re-oriented joints.

    `chosen`: by joint name. `label`: undo label.
    """
    plan = OrientationRestore(SceneEdit(label))
    framed = {name: node for name, node in chosen.items() if _frame(node)}
    if framed:
        returning = _Restoring(framed, plan)
        for root in returning.roots():
            returning.take(root)
    return plan


def _frame(node: om.MObject) -> bool:
    record = record_of(node)
    return record is not None and record.frame is not None


class _Restoring:
    """Plan for some joints."""

    def __init__(self, chosen: Mapping[str, om.MObject], plan: OrientationRestore) -> None:
        self._model, self._plan = SceneModel(), plan
        self._names = {self._model.joint(node): name for name, node in chosen.items()}

    def roots(self) -> list[Node]:
        """Top joint of each group of joints that depend on each other."""
        return list(dict.fromkeys(map(self._root, self._names)))

    def _root(self, node: Node) -> Node:
        above = node.parent
        if above is None or not self._is_turned(above) or not _inherits(node):
            return node
        self._model.joint(self._object(above))
        return self._root(above)

    def _object(self, node: Node) -> om.MObject:
        return self._model.object(node)

    def _is_turned(self, node: Node) -> bool:
        backup = backup_on(self._object(node))
        return backup is not None and backup.turned and _frame(self._object(node))

    def _group(self, node: Node) -> Iterator[Node]:
        """Yield a re-oriented joint and everything that must be restored with it."""
        self._model.joint(self._object(node))
        yield node
        if not self._is_turned(node):
            return
        for child in node.children.values():
            if child.node_type not in ("joint", "transform") or not _inherits(child):
                continue
            if child.is_joint and _frame(self._object(child)):
                yield from self._group(child)
            else:
                yield child

    def take(self, root: Node) -> None:
        """Plan a group of joints that depend on each other, from its top joint down."""
        group = list(self._group(root))
        checks = Checks(self._model.scene, self._model, OpenDrivers(self._model))
        why = next((one for one in (self._obstacle(n, checks) for n in group) if one), None)
        names = [self._names[node] for node in group if node in self._names]
        if why is not None:
            self._plan.kept += names
            self._plan.skipped += [
                Skipped(name, "", f"keeps its new orientation: {why[0]}", why[1]) for name in names
            ]
            return
        for node in group:
            maya_node = self._object(node)
            backup = backup_on(maya_node)
            assert backup is not None, "checked"
            if node in self._names:
                changed = [*backup.channels, *(place[1] for place, _ in backup.matrices)]
                self._plan.restored[self._names[node]] = tuple(dict.fromkeys(changed))
            self._restore(node, backup)
            self._plan.nodes[node_name(maya_node)] = maya_node

    # Obstacles ------------------------------------------------------------------------------------

    def _obstacle(self, node: Node, checks: Checks) -> tuple[str, str] | None:
        """Reason and advice."""
        maya_node = self._object(node)
        record = record_of(maya_node)
        if record is None or record.backup is None:
            return f"{node.name!r} was parented below it since", _KEEP
        if _frame(maya_node):
            why = self._of_joint(node, record, checks)
            if why is not None:
                return why
        return self._of_backup(node, record, record.backup)

    def _of_joint(self, node: Node, record: Provenance, checks: Checks) -> tuple[str, str] | None:
        if node not in self._names:
            return f"{node.name!r} was re-oriented with it", "select that joint as well"
        found: object = checks.joint(node, True)
        if found is None and self._is_turned(node):
            found = checks.turned_joint(node)
        if found is None:
            found = checks.channels(node, "rotate")
        if isinstance(found, Obstacle):
            skipped = found.skipped(node.name)
            inside = found.kind in ("child", "scaled")
            advice = "undo that change and clear again" if inside else skipped.advice
            return f"{node.name!r}: {skipped.reason}", advice
        maya_node = self._object(node)
        plugs = {name: find_plug(maya_node, name) for name in record.before if name in LIMITS}
        stuck = next(
            (n for n, p in plugs.items() if obstacle(p) and read(p, n) != record.before[n]), None
        )
        if stuck is not None:
            return f"{node.name}.{stuck} cannot be restored", "unlock or disconnect it"
        ours = {*record.before, *record.switched_off}
        on = (
            name for name in ENABLES if name not in ours and read(find_plug(maya_node, name), name)
        )
        other = next(on, None)
        if other is not None:
            return f"{node.name}.{other} was switched on since", "switch it off and clear again"
        return None

    def _of_backup(self, node: Node, record: Provenance, backup: Backup) -> tuple[str, str] | None:
        maya_node = self._object(node)
        changed = manual_changes(self._model, node, backup)
        if changed or backup.changed:
            what = ", ".join(changed) or "something"
            return f"{what} of {node.name!r} was changed since", _KEEP
        new = set(self._model.stored_in(node)) - set(backup.holders)
        if new:
            return f"its pose was stored since, in {min(new)}", _KEEP
        if any(curve_aside(maya_node, name) is None for name in backup.aside):
            return f"old keys of {node.name!r} were deleted", "keep the new ones; no action needed"
        for name in backup.channels:
            plug = find_plug(maya_node, name)
            whole = plug.parent().isLocked if plug.isChild else False
            if whole or (plug.isLocked and record.locks.get(name) is not False):
                return f"{node.name}.{name} is locked", "unlock it and clear again"
        return None

    # Restoring ------------------------------------------------------------------------------------

    def _restore(self, node: Node, backup: Backup) -> None:
        edit, maya_node = self._plan.edit, self._object(node)
        for name, (before, _) in backup.channels.items():
            plug = find_plug(maya_node, name)
            curve, old = curve_of(plug), curve_aside(maya_node, name) if before is None else None
            if curve is not None:
                own = str(om.MFnDependencyNode(curve).name())
                delete_curve(edit, plug, curve)
                if old is not None:
                    _rename_back(edit, old, own)
            if old is not None:
                restore_curve(edit, plug, old)
            elif before is not None:
                _set(edit, plug, name, before)
        for place, (where, _) in enumerate(backup.matrices):
            target = self._model.stored_plug(node, where)
            assert target is not None, "compared before"
            restore_matrix(edit, maya_node, place, target)
        remove_places(edit, maya_node)


def _inherits(node: Node) -> bool:
    return node.number("inheritsTransform", 1.0) != 0.0


def _rename_back(edit: SceneEdit, old: om.MObject, name: str) -> None:
    """Give an old curve its name back, unless it was renamed by hand."""
    if str(om.MFnDependencyNode(old).name()) == f"{name}{OLD}":
        edit.modify(lambda modifier: modifier.renameNode(old, name), when_reached=True)


def _set(edit: SceneEdit, plug: om.MPlug, name: str, value: float) -> None:
    if name == "rotateOrder":
        edit.set(plug, int(value))
    else:
        edit.set(plug, Length(value) if name.startswith("translate") else Angle(value))
