"""Limits into the open scene: planned here, done by a SceneEdit.

What a joint should have is decided by the same code that writes .ma files. Limits are switched off
while their ends change and on at the very end, so that no pose is ever clamped on the way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import maya.api.OpenMaya as om

from jointlimits_core.applying.changes import advice_to_follow, branch_of, changes_from_limit_set
from jointlimits_core.applying.joint_attributes import JOINT_TYPE
from jointlimits_core.applying.joint_plan import (
    SAME_DEG,
    JointChange,
    JointPlan,
    Skipped,
    planned,
    skipped_attribute,
)
from jointlimits_core.evaluation.matching import matched_joints, possible_joints
from jointlimits_core.joint_frame import CHANNELS
from jointlimits_core.limits.frame_advice import FrameAdvice
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.progress import Progress

from .clipping import Rotates, keyed_rotates, skipped_clip, worst_first
from .errors import SceneError
from .frame_backup import Backup
from .hand_edits import LIMIT, REPLACE, leave_hand_edits, take_out
from .joint_obstacles import left_joint
from .left_off import leave_off
from .limit_edits import LIMITS, LimitEdits, limits_are_ours
from .limit_switch import ENABLES
from .names import joint_names, node_name
from .plugs import find_plug, obstacle, read, states_of
from .provenance import Number, Provenance, record_of, unreadable
from .reorient import ReorientPlan, is_in_place, plan_reorient
from .results import NOT_CHOSEN, Clipped, WriteResult
from .scene_edit import SceneEdit
from .write_options import WriteOptions

__all__ = ["WriteOptions", "plan_limits"]


def plan_limits(
    limit_set: LimitSet,
    joints: Sequence[om.MDagPath],
    options: WriteOptions | None = None,
    progress: Progress | None = None,
) -> tuple[SceneEdit, WriteResult]:
    """Work out what has to change so that joints have the limits of a set.

    Limits that are to be switched on are held against the animation of the joints; those that would
    clip it stay off, unless it is asked for. Where solvers turn joints, the scene is played for
    that, and poses that were not keyed are gone, as after every change of time.

    Parameters
    ----------
    limit_set : LimitSet
        Of the standard mode. Its joints are found by name, else by the last part of the name.
    joints : sequence of MDagPath
        Joints that may be written.
    options : WriteOptions, optional
    progress : callable, optional
        Of reading the animation.

    Returns
    -------
    edit : SceneEdit
        Empty if everything is as it should be.
    result : WriteResult

    Raises
    ------
    SceneError
        For a limit set of the paper's mode, or limits that make no sense.
    Cancelled
        If `progress` returned False.
    """
    options = options or WriteOptions()
    try:
        changes = dict(changes_from_limit_set(limit_set, options.lock_unmoved))
        for name, change in changes.items():
            change.checked(name)
    except ValueError as error:
        raise SceneError(str(error)) from None
    planner = _Planner(limit_set, joints, options, progress)
    planner.match(changes)
    planner.reorient()
    for target in planner.targets:
        planner.plan(target)
    return planner.edit(), planner.result()


@dataclass(frozen=True)
class _Target:
    """A joint of the scene and what it should have."""

    name: str
    path: om.MDagPath
    limit: JointLimit
    change: JointChange

    @property
    def node(self) -> om.MObject:
        node: om.MObject = self.path.node()
        return node


class _Planner:
    """One run over one limit set."""

    def __init__(
        self,
        limit_set: LimitSet,
        joints: Sequence[om.MDagPath],
        options: WriteOptions,
        progress: Progress | None,
    ) -> None:
        self.limit_set, self.joints, self.options = limit_set, joints, options
        self._progress = progress
        self._rotates: dict[str, Rotates] | None = None
        self._clips: list[Clipped] = []
        self.targets: list[_Target] = []
        self._frames: ReorientPlan | None = None
        self._backups: dict[str, tuple[om.MObject, Backup]] = {}
        self._edits = LimitEdits()
        self._written: dict[str, tuple[str, ...]] = {}
        self._unchanged: list[str] = []
        self._skipped: list[Skipped] = []
        self._matched: dict[str, str] = {}
        self._without: list[str] = []

    # Which joints ---------------------------------------------------------------------------------

    def match(self, changes: Mapping[str, JointChange]) -> None:
        """Find the joints that limits are for."""
        names = joint_names(self.joints)
        places = matched_joints(self.limit_set.joints, names)
        for name, change in changes.items():
            if name not in places:
                self._leave(name, *_not_matched(possible_joints(name, names, places)))
                continue
            place = places[name]
            if names[place] != name:
                self._matched[name] = names[place]
            joint = self.limit_set.joints[name]
            self._take(_Target(names[place], self.joints[place], joint, change))
        wanted = {places[name] for name in changes if name in places}
        self._without = [name for index, name in enumerate(names) if index not in wanted]

    def _take(self, target: _Target) -> None:
        """Keep a joint, unless it cannot be written at all."""
        why = left_joint(target.name, target.node)
        if why is None:
            self.targets.append(target)
        else:
            self._skipped.append(why)

    def _leave(self, name: str, reason: str, advice: str) -> None:
        self._skipped.append(Skipped(name, "", reason, advice))

    def reorient(self) -> None:
        """Plan other frames where limits need them; without, such joints are left."""
        advice = dict(self._advice())
        if not advice:
            return
        if self.options.reorient is None:
            for name in advice:
                why = "its limits hold in another frame"
                self._leave(name, why, "re-orient it (R or C) to give the joint that frame")
            left = set(advice)
        else:
            targets = [target for target in self.targets if target.name in advice]
            self._frames = plan_reorient(
                {target.name: advice[target.name] for target in targets},
                self.joints,
                self.options.reorient,
                replaces_limits=frozenset(t.name for t in targets if self._may_replace(t.node)),
                branches_deg={target.name: branch_of(target.limit) for target in targets},
            )
            self._backups = dict(self._frames.backups)
            self._skipped += self._frames.result.skipped
            left = {skipped.joint for skipped in self._frames.result.skipped}
        self.targets = [target for target in self.targets if target.name not in left]

    def _advice(self) -> Iterator[tuple[str, FrameAdvice]]:
        """Frames that joints do not have yet."""
        for target in self.targets:
            advice, record = advice_to_follow(target.limit), record_of(target.node)
            if advice is None:
                continue
            frame = None if record is None else record.frame
            mode = self.options.reorient
            if mode is None or not is_in_place(target.node, frame, advice, mode):
                yield target.name, advice

    def _may_replace(self, node: om.MObject) -> bool:
        """Whether limits that are enabled may be changed: asked for, or they are ours."""
        return self.options.replace or limits_are_ours(node, record_of(node))

    # One joint ------------------------------------------------------------------------------------

    def plan(self, target: _Target) -> None:
        """Plan the attributes of one joint."""
        node, states = target.node, states_of(target.node)
        record = record_of(node) or Provenance()
        replaces = self._may_replace(node)
        plan = planned(target.name, target.change, states, replaces, REPLACE)
        if not self.options.replace:
            leave_hand_edits(plan, target.name, node, record)
        off: tuple[str, ...] = ()
        if self.options.enable:
            self._screen(target, plan)
        else:
            off = tuple(leave_off(plan, target.name, target.change, states, replaces))
        new = dict(_radians_and_switches(plan))
        new.update(self._further(target, plan))
        locks = list(self._locks(target, plan))
        self._skipped += plan.skipped
        changed_frame = self._frames is not None and target.name in self._frames.result.joints
        if new or locks or changed_frame:
            self._written[target.name] = (*new, *locks)
        elif not plan.skipped:
            self._unchanged.append(target.name)
        if target.name in self._written or not {*off} <= {*record.switched_off}:
            self._edits.put(node, states, new, changed_frame)
            self._edits.lock(node, locks)
            self._keep(node, self._record(target, new, locks, off))

    def _screen(self, target: _Target, plan: JointPlan) -> None:
        """Take out channels whose limits would clip, or note them if that is asked for."""
        touched = {
            channel
            for axis, channel in enumerate(CHANNELS)
            if any(plan.wanted.get(triple, [None] * 3)[axis] is not None for triple in LIMIT)
        }
        if not touched:
            return
        rotates = self._animation()[target.name]
        for one in rotates.clipped(target.name, target.change.limits_deg):
            if one.channel not in touched:
                continue
            if self.options.may_move:
                self._clips.append(one)
                continue
            # The joint is not what the limits say, so nothing is said of its degrees of freedom.
            take_out(plan, CHANNELS.index(one.channel), (*LIMIT, JOINT_TYPE))
            plan.skipped.append(skipped_clip(one))

    def _animation(self) -> dict[str, Rotates]:
        """Rotate channels of all joints, read once, and only if limits are to be switched on."""
        if self._rotates is None:
            reframed = {} if self._frames is None else self._frames.rotates
            paths = {one.name: one.path for one in self.targets if one.name not in reframed}
            self._rotates = {**keyed_rotates(paths, self._progress), **reframed}
        return self._rotates

    def _further(self, target: _Target, plan: JointPlan) -> Iterator[tuple[str, float]]:
        """Stiffness and damping that a joint does not have yet."""
        for name, value in self.options.further().items():
            plug = find_plug(target.node, name)
            if abs(plug.asDouble() - value) <= math.radians(SAME_DEG):
                continue
            why = obstacle(plug)
            if why is None:
                yield name, value
            else:
                plan.skipped.append(skipped_attribute(target.name, name, why))

    def _locks(self, target: _Target, plan: JointPlan) -> Iterator[str]:
        """Channels to lock."""
        still = [c for c in CHANNELS if target.limit.limits[c].state == "locked"]
        for channel in still if self.options.lock_channels else ():
            plug = find_plug(target.node, channel)
            if plug.isLocked:
                continue
            if obstacle(plug) is None:
                yield channel
            else:
                advice = "delete its keys, which do not move it, if it should be locked"
                plan.skipped.append(Skipped(target.name, channel, "driven, so not locked", advice))

    def _record(
        self,
        target: _Target,
        new: Mapping[str, Number],
        locks: Sequence[str],
        off: Sequence[str],
    ) -> Provenance:
        node, limit_set = target.node, self.limit_set
        old = record_of(node) or Provenance()
        frame = old.frame
        if self._frames is not None and target.name in self._frames.frames:
            # Whatever limits it had were about the old frame, changed now or not.
            limits = {name: read(find_plug(node, name), name) for name in LIMITS}
            new = {**limits, **new}
            frame = self._frames.frames[target.name]
            frame = frame if old.frame is None else {**frame, "before": old.frame["before"]}
        # What is left off is as if it had been written, and then switched off.
        new = {**new, **dict.fromkeys(off, True)}
        now = {name: read(find_plug(node, name), name) for name in new}
        was_off = [name for name in old.switched_off if not new.get(name)]
        return replace(
            old.with_written(now, new),
            character=limit_set.character,
            clips=tuple(clip.name for clip in limit_set.clips),
            program=limit_set.program_version,
            locks={**dict.fromkeys(locks, False), **old.locks},
            switched_off=tuple(name for name in ENABLES if name in was_off or name in off),
            frame=frame,
        )

    def _keep(self, node: om.MObject, record: Provenance) -> None:
        """Store a record, with what becomes of the node's frame."""
        name = node_name(node)
        if name in self._backups:
            record = replace(record, backup=self._backups.pop(name)[1])
        self._edits.keep(node, record)

    def edit(self) -> SceneEdit:
        """Everything in an order in which no limit clamps anything on the way."""
        for node, _ in list(self._backups.values()):
            # What is turned back below a joint; a record that we cannot read is left as it is.
            if not unreadable(node):
                self._keep(node, record_of(node) or Provenance())
        return self._edits.in_order([] if self._frames is None else [self._frames.edit])

    def result(self) -> WriteResult:
        """Give the result."""
        return WriteResult(
            self._written,
            tuple(self._unchanged),
            tuple(self._skipped),
            self._matched,
            tuple(self._without),
            None if self._frames is None else self._frames.result,
            worst_first(self._clips),
        )


def _not_matched(possible: Sequence[str]) -> tuple[str, str]:
    """Why no joint was found for a name of the limits, and what to do."""
    if not possible:
        advice = "choose the joint, too, or check the name and its namespace"
        return NOT_CHOSEN, advice
    listed = ", ".join(possible[:3]) + (", ..." if len(possible) > 3 else "")
    if len(possible) > 1:
        return f"the name may mean {listed}", "choose the joints of one character only"
    reason = f"several joints of the limits have the name of {listed}"
    return reason, "estimate the chosen character alone, or choose all that the limits are of"


def _radians_and_switches(plan: JointPlan) -> Iterator[tuple[str, Number]]:
    """What a plan wants, by attribute, in internal units."""
    for triple, values in plan.wanted.items():
        for axis, value in enumerate(values):
            if value is not None:
                yield triple.name(axis), math.radians(value) if triple.is_angle else bool(value)
