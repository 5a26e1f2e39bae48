"""Writing of limits to the open scene: planned here, carried out by a SceneEdit.

The same code that writes .ma files decides which limits a joint gets. Limits are off while their
values change and are switched on last, so that no pose is clamped in between.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from jointlimits_core.base.errors import OptionText
from jointlimits_core.base.findings import JointDriver
from jointlimits_core.base.options import default_field
from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.motion.name_matching import matched_joints, possible_joints
from jointlimits_core.rig import clamping, limit_plan
from jointlimits_core.rig.filter_keys import KeyFilterPlan

from ..base import host
from ..base.open_maya import om
from ..read.drivers import Drivers
from ..read.joint_drivers import drivers_of_joints
from ..scene import plugs, results
from ..scene.edit import SceneEdit
from ..scene.joints import is_control, joint_names, node_name, noun_of
from ..scene.record import Backup, Number, Provenance, keep, record_of, unreadable
from . import filter_keys, limit_edits
from .reorient import ReorientPlan, is_in_place, plan_reorient


@dataclass(frozen=True)
class WriteOptions:
    """Options for writing limits: the groups "write" and "clamping" of the option table."""

    replace: bool = default_field("replace")
    lock_unmoved: bool = default_field("lock_unmoved")
    filter_keys: bool = default_field("filter_keys")
    reorient: str | None = default_field("reorient")
    enable: bool = default_field("enable")
    enable_driven: bool = default_field("enable_driven")
    may_move: bool = default_field("may_move")
    lock_channels: bool = default_field("lock_channels")


def plan_limits(
    limit_set: LimitSet,
    joints: Sequence[om.MDagPath],
    options: WriteOptions | None = None,
    progress: Progress | None = None,
    changes: Mapping[str, limit_plan.JointChange] | None = None,
) -> tuple[SceneEdit, results.WriteResult]:
    """Plan the changes that give joints the limits of a limit set.

    Limits are moved to the Euler branch and turn of each joint's values; a channel on which they
    would still change a pose gets no limits, unless `may_move` is set. The limits of joints that
    follow a control are written but stay off, unless `enable_driven` is set. If IK solvers drive
    joints, the scene is played to read them, and unkeyed poses are lost, as with every change of
    time.

    `limit_set`: in the standard mode. Its joints are matched by name, else by the last part of the
    name. `joints`: joints that may be written. `progress`: for reading the animation. `changes`: by
    default those of the limit set. The edit is empty if everything is up to date. Raises SceneError
    for a limit set in the paper mode, or invalid limits, and Cancelled if `progress` returned
    False.
    """
    options, boxed = options or WriteOptions(), dict[str, str]()
    skipped: list[limit_plan.Skipped] = []
    try:
        if changes is None:
            wanted = limit_plan.changes_from_limit_set(limit_set, options.lock_unmoved)
            limit_set, boxed, skipped = _fit_limits(limit_set, wanted, joints)
            changes = limit_plan.changes_from_limit_set(limit_set, options.lock_unmoved)
        for name, change in changes.items():
            change.validate(name)
    except ValueError as error:
        raise host.SceneError(str(error)) from None
    planner = _Planner(limit_set, joints, options, progress, skipped)
    planner.match(changes)
    planner.reorient()
    planner.filter_keys()
    planner.read_animation()
    for target in planner.targets:
        planner.plan(target)
    edit, result = planner.edit(), planner.result()
    found = {result.matched.get(name, name): why for name, why in boxed.items()}
    written = {name: why for name, why in found.items() if name in result.written}
    return edit, replace(result, boxed=written)


def _fit_limits(
    limit_set: LimitSet, wanted: Iterable[str], joints: Sequence[om.MDagPath]
) -> limit_plan.FittedLimits:
    """Limits in the rotate orders of the scene."""
    places = matched_joints(limit_set.joints, joint_names(joints))
    orders = {
        name: plugs.Attributes(joints[places[name]].node()).rotate_order
        for name in wanted
        if name in places and limit_plan.advice_to_follow(limit_set.joints[name]) is None
    }
    return limit_plan.fit_rotate_orders(limit_set, orders)


@dataclass(frozen=True)
class _Target:
    """A joint of the scene and its new limits."""

    name: str
    path: om.MDagPath
    limit: JointLimit
    change: limit_plan.JointChange

    @property
    def node(self) -> om.MObject:
        return self.path.node()


class _Planner:
    def __init__(
        self,
        limit_set: LimitSet,
        joints: Sequence[om.MDagPath],
        options: WriteOptions,
        progress: Progress | None,
        skipped: list[limit_plan.Skipped],
    ) -> None:
        self.limit_set, self.joints, self.options = limit_set, joints, options
        self._progress = progress
        self._held: dict[str, clamping.HeldRotates] = {}
        self._clips: list[clamping.Clamped] = []
        self._left_off: list[clamping.Clamped] = []
        self._still_clamped: list[clamping.Clamped] = []
        self.targets: list[_Target] = []
        self._frames: ReorientPlan | None = None
        self._keys: tuple[SceneEdit, KeyFilterPlan] | None = None
        self._backups: dict[str, tuple[om.MObject, Backup]] = {}
        self._edits = limit_edits.LimitEdits("Apply Joint Limits")
        self._written: dict[str, tuple[str, ...]] = {}
        self._unchanged: list[str] = []
        self._skipped = skipped
        self._matched: dict[str, str] = {}
        self._without: list[str] = []
        self._search = Drivers()
        self._drivers: dict[str, JointDriver] = {}
        self._following: list[str] = []

    # Joints ---------------------------------------------------------------------------------------

    def match(self, changes: Mapping[str, limit_plan.JointChange]) -> None:
        names = joint_names(self.joints)
        places = matched_joints(self.limit_set.joints, names)
        for name, change in changes.items():
            if name not in places:
                reason, advice = _unmatched_reason(possible_joints(name, names, places))
                self._skipped.append(limit_plan.Skipped(name, "", reason, advice))
                continue
            place = places[name]
            if names[place] != name:
                self._matched[name] = names[place]
            joint, path = self.limit_set.joints[name], self.joints[place]
            target = _Target(names[place], path, joint, change)
            why = limit_edits.joint_obstacle(target.name, target.node) or _unlike(target)
            if why is None:
                self.targets.append(target)
            else:
                self._skipped.append(why)
        wanted = {places[name] for name in changes if name in places}
        self._without = [name for index, name in enumerate(names) if index not in wanted]
        paths = {target.name: str(target.path.fullPathName()) for target in self.targets}
        self._drivers = drivers_of_joints(paths, self._search, self._progress)

    def reorient(self) -> None:
        """Plan the re-orientation that limits need, or skip such joints if the option is off."""
        mode = self.options.reorient
        advice = {}
        for target in self.targets:
            wanted = limit_plan.advice_to_follow(target.limit)
            frame = (record_of(target.node) or Provenance()).frame
            if wanted and not (mode and is_in_place(target.node, frame, wanted, mode)):
                advice[target.name] = wanted
        if not advice:
            return
        if mode is None:
            needed = ("its limits need another orientation", "re-orient the joint (R or C)")
            self._skipped += [limit_plan.Skipped(name, "", *needed) for name in advice]
            left = set(advice)
        else:
            targets = [target for target in self.targets if target.name in advice]
            self._frames = plan_reorient(
                {target.name: advice[target.name] for target in targets},
                self.joints,
                mode,
                replaces_limits=frozenset(t.name for t in targets if self._may_replace(t.node)),
                branches_deg={
                    target.name: limit_plan.branch_of(target.limit) for target in targets
                },
            )
            self._backups = dict(self._frames.backups)
            self._skipped += self._frames.result.skipped
            left = {skipped.joint for skipped in self._frames.result.skipped}
        self.targets = [target for target in self.targets if target.name not in left]

    def filter_keys(self) -> None:
        """Plan the filtering of keys; keys of re-oriented joints are on one branch anyway."""
        if self.options.filter_keys:
            reframed = {} if self._frames is None else self._frames.held
            targets = [one for one in self.targets if one.name not in reframed]
            paths = {one.name: one.path for one in targets}
            replaces = {one.name for one in targets if self._may_replace(one.node)}
            self._keys = filter_keys.plan_filter(paths, self._progress, replaces)
            self._skipped += [
                replace(one, reason=f"keys not filtered: {one.reason}")
                for one in self._keys[1].refused
            ]

    def read_animation(self) -> None:
        """Read the rotate values of all joints, as they are after re-orientation and filtering."""
        reframed = {} if self._frames is None else self._frames.held
        paths = {one.name: one.path for one in self.targets if one.name not in reframed}
        held = filter_keys.held_rotates(paths, self._progress, self._search)
        self._held = {**held, **reframed}
        for name, joint in self._keys[1].joints.items() if self._keys else ():
            self._held[name] = filter_keys.filtered_rotates(self._held[name], joint)

    def _may_replace(self, node: om.MObject) -> bool:
        """Whether limits that are on may be changed: on request, or if they are our own."""
        return self.options.replace or limit_edits.limits_are_ours(node, record_of(node))

    # One joint ------------------------------------------------------------------------------------

    def plan(self, target: _Target) -> None:
        node, held = target.node, self._held[target.name]
        states, asked = plugs.states_of(node), target.change
        change = clamping.fit_to_keys(asked, held)
        record = record_of(node) or Provenance()
        replaces = self._may_replace(node)
        plan = limit_plan.plan_change(target.name, change, states, replaces, limit_edits.REPLACE)
        if not self.options.replace:
            limit_edits.keep_manual_edits(plan, target.name, node, record)
        off: tuple[str, ...] = ()
        driver = self._drivers.get(target.name)
        follows = driver is not None and bool(driver.control) and not self.options.enable_driven
        if self.options.enable and not follows:
            left_off, clips, still_clamped = clamping.keep_poses(
                plan, target.name, change, states, held, self.options.may_move, asked
            )
            self._left_off += left_off
            self._clips += clips
            self._still_clamped += still_clamped
        else:
            off = tuple(limit_plan.leave_off(plan, target.name, change, states, replaces))
            self._still_clamped += clamping.find_still_clamped(plan, target.name, states, held)
            self._following += [target.name] * (follows and bool(off))
        new = {
            triple.name(axis): math.radians(value) if triple.is_angle else bool(value)
            for triple, values in plan.wanted.items()
            for axis, value in enumerate(values)
            if value is not None
        }
        locks = list(self._channels_to_lock(target, plan))
        self._skipped += plan.skipped
        changed_frame = self._frames is not None and target.name in self._frames.result.joints
        if new or locks or changed_frame:
            self._written[target.name] = (*new, *locks)
        elif not plan.skipped and target.name not in {one.joint for one in self._left_off}:
            self._unchanged.append(target.name)
        kept_off = {*(record.left_off if follows else record.switched_off)}
        if target.name in self._written or not {*off} <= kept_off:
            self._edits.put(node, new, changed_frame)
            for channel in locks:
                self._edits.records.set_lock(plugs.find_plug(node, channel), True)
            self._keep_record(node, self._record(target, new, locks, off, follows))

    def _channels_to_lock(self, target: _Target, plan: limit_plan.JointPlan) -> Iterator[str]:
        still = [c for c in CHANNELS if target.limit.limits[c].state == "locked"]
        for channel in still if self.options.lock_channels else ():
            plug = plugs.find_plug(target.node, channel)
            if plug.isLocked:
                continue
            if plugs.obstacle(plug) is None:
                yield channel
            else:
                advice = "to lock it, delete its keys, which do not move it"
                plan.skipped.append(
                    limit_plan.Skipped(target.name, channel, "driven, so not locked", advice)
                )

    def _record(
        self,
        target: _Target,
        new: Mapping[str, Number],
        locks: Sequence[str],
        off: Sequence[str],
        follows: bool,
    ) -> Provenance:
        node, limit_set = target.node, self.limit_set
        old = record_of(node) or Provenance()
        frame = old.frame
        if self._frames is not None and target.name in self._frames.frames:
            # Existing limits belong to the old orientation, whether or not they change now.
            new = {**{name: plugs.read(node, name) for name in limit_edits.LIMITS}, **new}
            frame = self._frames.frames[target.name]
            frame = frame if old.frame is None else {**frame, "before": old.frame["before"]}
        # Limits that are off are recorded as written and then switched off, so that Limits on/off
        # switches them on; it must not do so where the joint follows a control.
        new = {**new, **dict.fromkeys(off, not follows)}
        first = {name: plugs.read(node, name) for name in new if name not in old.before}
        changed = {name for name in new if new[name] or name in off}
        switched, left = {*old.switched_off} - changed, {*old.left_off} - changed
        (left if follows else switched).update(off)
        return replace(
            old,
            before={**old.before, **first},
            written={**old.written, **new},
            character=limit_set.character,
            clips=tuple(clip.name for clip in limit_set.clips),
            program=limit_set.program_version,
            locks={**dict.fromkeys(locks, False), **old.locks},
            switched_off=tuple(name for name in plugs.ENABLES if name in switched),
            left_off=tuple(name for name in plugs.ENABLES if name in left),
            frame=frame,
        )

    def _keep_record(self, node: om.MObject, record: Provenance) -> None:
        """Store a record, with the node's re-orientation backup."""
        name = node_name(node)
        if name in self._backups:
            record = replace(record, backup=self._backups.pop(name)[1])
        keep(self._edits.records, node, record)

    def edit(self) -> SceneEdit:
        """All edits, ordered so that no limit clamps a value partway through."""
        for node, _ in list(self._backups.values()):
            # Counter-rotated children; an unreadable record is left unchanged.
            if not unreadable(node):
                self._keep_record(node, record_of(node) or Provenance())
        frames = () if self._frames is None else (self._frames.edit,)
        keys = () if self._keys is None else (self._keys[0],)
        return self._edits.in_order(*frames, *keys)

    def result(self) -> results.WriteResult:
        return results.WriteResult(
            self._written,
            tuple(self._unchanged),
            tuple(self._skipped),
            self._matched,
            tuple(self._without),
            None if self._frames is None else self._frames.result,
            clamping.worst_first(self._clips),
            clamping.worst_first(self._left_off),
            clamping.worst_first(self._still_clamped),
            filtered=None if self._keys is None else self._keys[1].report,
            drivers=self._drivers,
            following=tuple(self._following),
            noun=noun_of(self.joints),
        )


def _unlike(target: _Target) -> limit_plan.Skipped | None:
    """Reason why limits for another kind of node or orientation are not written; else None."""
    kind, control = target.change.of_controls, is_control(target.path)
    if kind != control:
        why = limit_plan.OF_CONTROLS if kind else limit_plan.OF_JOINTS
        return limit_plan.Skipped(target.name, "", *why)
    if not control or limit_plan.advice_to_follow(target.limit) is None:
        return None
    reason = "its limits need another orientation, and a control keeps its own"
    advice = OptionText("estimate it again, with ", "orientation", " own")
    return limit_plan.Skipped(target.name, "", reason, advice)


def _unmatched_reason(possible: Sequence[str]) -> tuple[str, str]:
    """Reason why a joint of the limits was not matched, and advice."""
    if not possible:
        advice = "add it to the selection, or check its name and namespace"
        return results.NOT_CHOSEN, advice
    listed = ", ".join(possible[:3]) + (", ..." if len(possible) > 3 else "")
    if len(possible) > 1:
        return f"ambiguous name: {listed}", "select the joints of one character only"
    reason = f"several joints in the limits match {listed}"
    return reason, "estimate the selected character alone, or select all joints in the limits"
