"""Limits into the open scene: planned here, done by a SceneEdit.

What a joint should have is decided by the same code that writes .ma files. Limits are switched off
while their ends change and on at the very end, so that no pose is ever clamped on the way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import maya.api.OpenMaya as om

from jointlimits_core.applying.changes import advice_to_follow, branch_of, changes_from_limit_set
from jointlimits_core.applying.joint_attributes import (
    MAXIMUM,
    MAXIMUM_ON,
    MINIMUM,
    MINIMUM_ON,
    PlugStates,
)
from jointlimits_core.applying.joint_plan import (
    SAME_DEG,
    JointChange,
    JointPlan,
    Skipped,
    planned,
    skipped_attribute,
)
from jointlimits_core.evaluation.matching import matched_joints
from jointlimits_core.joint_frame import CHANNELS
from jointlimits_core.limits.limit_set import JointLimit, LimitSet

from .errors import SceneError
from .names import joint_names
from .plugs import DAMP_RANGES, DAMP_STRENGTHS, STIFFNESS, find_plug, obstacle, put, read, states_of
from .provenance import Number, Provenance, keep, record_of, unreadable
from .reorient import ReorientPlan, plan_reorient
from .results import WriteResult
from .scene_edit import SceneEdit

LABEL = "Apply Joint Limits"
INSIDE_DEG = 1e-9
"""Degrees by which a pose may be outside a limit for rounding."""


@dataclass(frozen=True)
class WriteOptions:
    """How limits are written.

    Parameters
    ----------
    replace : bool
        Replace limits that joints have from somebody else. What we wrote ourselves, and nobody
        changed since, may always be replaced.
    lock_unmoved : bool
        Also write joints that nothing in the source animates.
    reorient : "R", "C" or None
        Give joints the frames that their limits hold in.
    enable : bool
        Switch the limits on; else only their ends are written, which changes no pose.
    may_move : bool
        Also switch on limits that would move a joint from where it stands now.
    lock_channels : bool
        Lock the channels that did not move in the source.
    stiffness : float, optional
        0 to 100, for every axis; not written by default.
    damp_range_deg, damp_strength : float, optional
        Range before each limit in which the joint stiffens, and how much (0 to 100).
    """

    replace: bool = False
    lock_unmoved: bool = False
    reorient: str | None = None
    enable: bool = True
    may_move: bool = False
    lock_channels: bool = False
    stiffness: float | None = None
    damp_range_deg: float | None = None
    damp_strength: float | None = None

    def __post_init__(self) -> None:
        if self.reorient not in (None, "R", "C"):
            raise SceneError(f"{self.reorient!r} is no way to re-orient joints; give R or C")
        for name, most in (("stiffness", 100.0), ("damp_range_deg", 180.0), ("damp_strength", 100)):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value <= most:
                raise SceneError(f"{name} is {value}; give a number from 0 to {most:g}")

    def further(self) -> dict[str, float]:
        """Attributes beside the limits that are asked for, in internal units."""
        asked = (
            (STIFFNESS, self.stiffness),
            (
                DAMP_RANGES,
                None if self.damp_range_deg is None else math.radians(self.damp_range_deg),
            ),
            (DAMP_STRENGTHS, self.damp_strength),
        )
        return {name: float(v) for names, v in asked if v is not None for name in names}


def plan_limits(
    limit_set: LimitSet, joints: Sequence[om.MDagPath], options: WriteOptions | None = None
) -> tuple[SceneEdit, WriteResult]:
    """Work out what has to change so that joints have the limits of a set.

    Parameters
    ----------
    limit_set : LimitSet
        Of the standard mode. Its joints are found by name, else by the last part of the name.
    joints : sequence of MDagPath
        Joints that may be written.
    options : WriteOptions, optional

    Returns
    -------
    edit : SceneEdit
        Empty if everything is as it should be.
    result : WriteResult

    Raises
    ------
    SceneError
        For a limit set of the paper's mode, or limits that make no sense.
    """
    options = options or WriteOptions()
    try:
        changes = dict(changes_from_limit_set(limit_set, options.lock_unmoved))
        for name, change in changes.items():
            change.checked(name)
    except ValueError as error:
        raise SceneError(str(error)) from None
    planner = _Planner(limit_set, joints, options)
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


@dataclass
class _Parts:
    """Edits of all joints, by when their turn comes."""

    off: SceneEdit = field(default_factory=lambda: SceneEdit(LABEL))
    values: SceneEdit = field(default_factory=lambda: SceneEdit(LABEL))
    on: SceneEdit = field(default_factory=lambda: SceneEdit(LABEL))
    records: SceneEdit = field(default_factory=lambda: SceneEdit(LABEL))


class _Planner:
    """One run over one limit set."""

    def __init__(
        self, limit_set: LimitSet, joints: Sequence[om.MDagPath], options: WriteOptions
    ) -> None:
        self.limit_set, self.joints, self.options = limit_set, joints, options
        self.targets: list[_Target] = []
        self._frames: ReorientPlan | None = None
        self._parts = _Parts()
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
                advice = "choose the joint, too, or check the name and its namespace"
                self._skipped.append(Skipped(name, "", "joint not among the chosen ones", advice))
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
        node, name = target.node, target.name
        states = states_of(node)
        if om.MFnDependencyNode(node).isLocked:
            # A locked node takes no attribute, so nothing could be put back later.
            self._leave(name, "the node is locked", "unlock it (lockNode -lock off)")
        elif any(any(states[t].in_locked_reference) for t in (MINIMUM, MAXIMUM, MINIMUM_ON)):
            self._skipped.append(skipped_attribute(name, "", "in a locked reference"))
        elif unreadable(node):
            advice = "its attribute jointLimitsProvenance is not from this version; remove it"
            self._leave(name, "has a record that cannot be read", advice)
        else:
            self.targets.append(target)

    def _leave(self, name: str, reason: str, advice: str) -> None:
        self._skipped.append(Skipped(name, "", reason, advice))

    def reorient(self) -> None:
        """Plan other frames where limits need them; without, such joints are left."""
        advised = {t.name: advice_to_follow(t.limit) for t in self.targets}
        advice = {name: one for name, one in advised.items() if one is not None}
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
            self._skipped += self._frames.result.skipped
            left = {skipped.joint for skipped in self._frames.result.skipped}
        self.targets = [target for target in self.targets if target.name not in left]

    def _may_replace(self, node: om.MObject) -> bool:
        """Whether limits that are enabled may be changed: asked for, or they are ours."""
        return self.options.replace or limits_are_ours(node, record_of(node))

    # One joint ------------------------------------------------------------------------------------

    def plan(self, target: _Target) -> None:
        """Plan the attributes of one joint."""
        node, states = target.node, states_of(target.node)
        replaces = self._may_replace(node)
        hint = "use the option replace"
        plan = planned(target.name, target.change, states, replaces, hint)
        self._screen(target, plan, states)
        new = dict(_radians_and_switches(plan))
        new.update(self._further(target, plan))
        locks = list(self._locks(target, plan))
        self._skipped += plan.skipped
        changed_frame = self._frames is not None and target.name in self._frames.result.joints
        if not new and not locks and not changed_frame:
            if not plan.skipped:
                self._unchanged.append(target.name)
            return
        self._put(node, states, new, changed_frame)
        self._lock_and_record(target, new, locks)
        self._written[target.name] = (*new, *locks)

    def _screen(self, target: _Target, plan: JointPlan, states: PlugStates) -> None:
        """Take out enables that are not asked for, and those that would move the joint now."""
        if not self.options.enable:
            for switch in (MINIMUM_ON, MAXIMUM_ON):
                values = plan.wanted.get(switch, [None] * 3)
                plan.wanted[switch] = [None if value == 1.0 else value for value in values]
            return
        if self.options.may_move:
            return
        for axis, channel in enumerate(CHANNELS):
            touched = any(plan.wanted.get(t, [None] * 3)[axis] is not None for t in _LIMIT)
            if touched and self._moves(target, axis):
                for triple in _LIMIT:
                    if triple in plan.wanted:
                        plan.wanted[triple][axis] = None
                advice = "go to a frame of the motion, or use the option may_move"
                plan.skipped.append(
                    Skipped(target.name, channel, "would move the joint now", advice)
                )

    def _moves(self, target: _Target, axis: int) -> bool:
        channel = CHANNELS[axis]
        low, high = target.change.limits_deg.get(channel, (None, None))
        value = math.degrees(find_plug(target.node, channel).asDouble())
        if self._frames is not None and target.name in self._frames.rotate_now_deg:
            value = self._frames.rotate_now_deg[target.name][axis]
        below = low is not None and value < low - INSIDE_DEG
        return below or (high is not None and value > high + INSIDE_DEG)

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

    # The edit -------------------------------------------------------------------------------------

    def _put(
        self, node: om.MObject, states: PlugStates, new: Mapping[str, Number], reframed: bool
    ) -> None:
        parts = self._parts
        for switch, bound in ((MINIMUM_ON, MINIMUM), (MAXIMUM_ON, MAXIMUM)):
            for axis in range(3):
                name, value = switch.name(axis), bound.name(axis)
                was_on = states[switch].values[axis] == 1.0
                if was_on and (name in new or value in new or reframed):
                    put(parts.off, find_plug(node, name), name, False)
                    if name not in new:
                        put(parts.on, find_plug(node, name), name, True)
                elif name in new:
                    put(parts.on, find_plug(node, name), name, new[name])
        for name, number in new.items():
            if not name.endswith("Enable"):
                put(parts.values, find_plug(node, name), name, number)

    def _lock_and_record(
        self, target: _Target, new: Mapping[str, Number], locks: Sequence[str]
    ) -> None:
        node = target.node
        old = record_of(node) or Provenance()
        now = {name: read(find_plug(node, name), name) for name in new}
        for channel in locks:
            self._parts.records.set_locked(find_plug(node, channel), True)
        frames = {} if self._frames is None else self._frames.frames_before
        record = replace(
            old.with_written(now, new),
            character=self.limit_set.character,
            clips=tuple(clip.name for clip in self.limit_set.clips),
            program=self.limit_set.program_version,
            locks={**dict.fromkeys(locks, False), **old.locks},
            switched_off=tuple(name for name in old.switched_off if not new.get(name)),
            frame=old.frame or frames.get(target.name),
        )
        keep(self._parts.records, node, record)

    def edit(self) -> SceneEdit:
        """Everything in an order in which no limit clamps anything on the way."""
        edit = SceneEdit(LABEL)
        frames = [] if self._frames is None else [self._frames.edit]
        parts = self._parts
        for part in (parts.off, *frames, parts.values, parts.on, parts.records):
            edit.extend(part)
        return edit

    def result(self) -> WriteResult:
        """Give the result."""
        return WriteResult(
            self._written,
            tuple(self._unchanged),
            tuple(self._skipped),
            self._matched,
            tuple(self._without),
            None if self._frames is None else self._frames.result,
        )


_LIMIT = (MINIMUM, MAXIMUM, MINIMUM_ON, MAXIMUM_ON)


def _radians_and_switches(plan: JointPlan) -> Iterator[tuple[str, Number]]:
    """What a plan wants, by attribute, in internal units."""
    for triple, values in plan.wanted.items():
        for axis, value in enumerate(values):
            if value is not None:
                yield triple.name(axis), math.radians(value) if triple.is_angle else bool(value)


def limits_are_ours(node: om.MObject, record: Provenance | None) -> bool:
    """Whether all limits that are enabled on a joint are as we wrote them."""
    if record is None:
        return False
    for axis in range(3):
        for switch, bound in ((MINIMUM_ON, MINIMUM), (MAXIMUM_ON, MAXIMUM)):
            names = (switch.name(axis), bound.name(axis))
            if not read(find_plug(node, names[0]), names[0]):
                continue
            written = [name for name in names if name in record.written]
            if not written:
                return False
            if any(read(find_plug(node, n), n) != record.written[n] for n in written):
                return False
    return True
