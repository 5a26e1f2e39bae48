"""Old frames given back: the same attributes, curves and matrices, nothing worked out anew.

Joints whose frames depend on each other (mode C) come back together, or not at all. Nothing of
somebody else's is overwritten: what was changed, put below a joint or bound to it since keeps the
new frames, and is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_plan import Skipped
from jointlimits_core.formats.maya_ascii.reorient_checks import Checks, Obstacle
from jointlimits_core.formats.maya_ascii.scene import Node

from .frame_backup import Backup
from .frame_records import curve_of, holders_of, others_changes, place_of
from .kept_originals import bring_back, curve_aside, matrix_back, remove_places
from .key_edits import OLD, take_out
from .limit_edits import LIMITS
from .limit_switch import ENABLES
from .names import node_name
from .picture_drivers import OpenDrivers
from .plugs import find_plug, obstacle, read
from .provenance import Provenance, backup_on, record_of
from .scene_edit import SceneEdit
from .scene_picture import OpenScene

_KEEP = "nothing to do if the new frame should stay; else undo that change and clear again"


@dataclass
class FrameReturn:
    """Frames that come back, and those that do not.

    Parameters
    ----------
    edit : SceneEdit
        Limits of the joints have to be off while it is done, and locks of ours, too.
    restored : mapping of joint name to tuple of str
        Long names of what comes back on re-oriented joints.
    kept : list of str
        Joints that keep their new frames.
    skipped : list of Skipped
        Why.
    nodes : mapping of full node name to MObject
        Everything that has its old frame or place again: its backup is not needed any more.
    """

    edit: SceneEdit
    restored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    nodes: dict[str, om.MObject] = field(default_factory=dict)


def plan_return(chosen: Mapping[str, om.MObject], label: str) -> FrameReturn:
    """Work out how re-oriented joints get their old frames back.

    Parameters
    ----------
    chosen : mapping of joint name to MObject
    label : str
        What undo calls it.
    """
    plan = FrameReturn(SceneEdit(label))
    framed = {name: node for name, node in chosen.items() if _frame(node)}
    if framed:
        returning = _Returning(framed, plan)
        for root in returning.roots():
            returning.take(root)
    return plan


def _frame(node: om.MObject) -> bool:
    record = record_of(node)
    return record is not None and record.frame is not None


class _Returning:
    """One run over some joints."""

    def __init__(self, chosen: Mapping[str, om.MObject], plan: FrameReturn) -> None:
        self._picture, self._plan = OpenScene(), plan
        self._names = {self._picture.joint(node): name for name, node in chosen.items()}

    def roots(self) -> list[Node]:
        """Topmost of the joints that depend on each other, once each."""
        return list(dict.fromkeys(map(self._root, self._names)))

    def _root(self, node: Node) -> Node:
        above = node.parent
        if above is None or not self._is_turned(above) or not _inherits(node):
            return node
        self._picture.joint(self._object(above))
        return self._root(above)

    def _object(self, node: Node) -> om.MObject:
        return self._picture.object(node)

    def _is_turned(self, node: Node) -> bool:
        backup = backup_on(self._object(node))
        return backup is not None and backup.turned and _frame(self._object(node))

    def _group(self, node: Node) -> Iterator[Node]:
        """Give a re-oriented joint with everything that has to come back with it."""
        self._picture.joint(self._object(node))
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
        """Plan the joints that depend on each other, from the topmost on."""
        group = list(self._group(root))
        checks = Checks(self._picture.scene, self._picture, OpenDrivers(self._picture))
        why = next((one for one in (self._obstacle(n, checks) for n in group) if one), None)
        names = [self._names[node] for node in group if node in self._names]
        if why is not None:
            self._plan.kept += names
            self._plan.skipped += [
                Skipped(name, "", f"keeps its new frame: {why[0]}", why[1]) for name in names
            ]
            return
        for node in group:
            thing = self._object(node)
            backup = backup_on(thing)
            assert backup is not None, "checked"
            if node in self._names:
                changed = [*backup.channels, *(place[1] for place, _ in backup.matrices)]
                self._plan.restored[self._names[node]] = tuple(dict.fromkeys(changed))
            self._give_back(node, backup)
            self._plan.nodes[node_name(thing)] = thing

    # What stands in the way -----------------------------------------------------------------------

    def _obstacle(self, node: Node, checks: Checks) -> tuple[str, str] | None:
        """Reason and advice."""
        thing = self._object(node)
        record = record_of(thing)
        if record is None or record.backup is None:
            return f"{node.name!r} was put below it since", _KEEP
        if _frame(thing):
            why = self._of_joint(node, record, checks)
            if why is not None:
                return why
        return self._of_backup(node, record, record.backup)

    def _of_joint(self, node: Node, record: Provenance, checks: Checks) -> tuple[str, str] | None:
        if node not in self._names:
            return f"{node.name!r} was re-oriented with it", "choose that joint, too"
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
        thing = self._object(node)
        plugs = {name: find_plug(thing, name) for name in record.before if name in LIMITS}
        stuck = next(
            (n for n, p in plugs.items() if obstacle(p) and read(p, n) != record.before[n]), None
        )
        if stuck is not None:
            return f"{node.name}.{stuck} cannot be put back", "unlock or disconnect it"
        ours = {*record.before, *record.switched_off}
        on = (name for name in ENABLES if name not in ours and read(find_plug(thing, name), name))
        other = next(on, None)
        if other is not None:
            return f"{node.name}.{other} was switched on since", "switch it off and clear again"
        return None

    def _of_backup(self, node: Node, record: Provenance, backup: Backup) -> tuple[str, str] | None:
        thing = self._object(node)
        changed = others_changes(self._picture, node, backup)
        if changed or backup.changed:
            what = ", ".join(changed) or "something"
            return f"{what} of {node.name!r} was changed since", _KEEP
        new = set(holders_of(self._picture, node)) - set(backup.holders)
        if new:
            return f"its pose was stored since, in {min(new)}", _KEEP
        if any(curve_aside(thing, name) is None for name in backup.aside):
            return f"old keys of {node.name!r} were deleted", "nothing to do: the new ones stay"
        for name in backup.channels:
            plug = find_plug(thing, name)
            whole = plug.parent().isLocked if plug.isChild else False
            if whole or (plug.isLocked and record.locks.get(name) is not False):
                return f"{node.name}.{name} is locked", "unlock it and clear again"
        return None

    # Giving back ----------------------------------------------------------------------------------

    def _give_back(self, node: Node, backup: Backup) -> None:
        edit, thing = self._plan.edit, self._object(node)
        for name, (before, _) in backup.channels.items():
            plug = find_plug(thing, name)
            curve, old = curve_of(plug), curve_aside(thing, name) if before is None else None
            if curve is not None:
                own = str(om.MFnDependencyNode(curve).name())
                take_out(edit, plug, curve)
                if old is not None:
                    _rename_back(edit, old, own)
            if old is not None:
                bring_back(edit, plug, old)
            elif before is not None:
                _set(edit, plug, name, before)
        for place, (where, _) in enumerate(backup.matrices):
            target = place_of(self._picture, node, where)
            assert target is not None, "compared before"
            matrix_back(edit, thing, place, target)
        remove_places(edit, thing)


def _inherits(node: Node) -> bool:
    return node.number("inheritsTransform", 1.0) != 0.0


def _rename_back(edit: SceneEdit, old: om.MObject, name: str) -> None:
    """Let an old curve have its name again, unless somebody gave it another one."""
    if str(om.MFnDependencyNode(old).name()) == f"{name}{OLD}":
        edit.modify(lambda modifier: modifier.renameNode(old, name), when_reached=True)


def _set(edit: SceneEdit, plug: om.MPlug, name: str, value: float) -> None:
    if name == "rotateOrder":
        edit.set_int(plug, int(value))
    elif name.startswith("translate"):
        edit.set_distance(plug, value)
    else:
        edit.set_angle(plug, value)
