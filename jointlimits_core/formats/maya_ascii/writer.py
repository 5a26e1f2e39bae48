"""Writer of joint limits into a copy of a Maya ASCII scene, every other byte unchanged."""

from __future__ import annotations

import dataclasses
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Union

from ...base.errors import InputError, MayaAsciiError
from ...base.text import plural
from ...io.input import DEFAULT_LIMITS, ReadLimits
from ...limits.limit_set import LimitSet
from ...rig import limit_plan
from ...rig.clamping import (
    Clamped,
    HeldRotates,
    keep_poses,
    on_branch_of_keys,
    reaching_between_frames,
    still_clamped,
    worst_first,
)
from ...rig.filter_keys import FilteredJoint, KeyFilterReport
from .edits import Edit, Pen, Placement, number_text, placements, write_edited
from .filter_keys import filter_scene_keys
from .held_rotates import SceneHolds
from .lexer import PathLike, Statement
from .referenced_joints import EditRecord, ReferencedJoint, ReferencedJoints
from .references import find_reference
from .scene_file import SceneFile, scene_file
from .statements import LimitAssignment, SceneStates

MayMove = Union[bool, Callable[[Sequence[Clamped]], bool]]
"""Whether limits may change poses, or who is asked where they would."""


@dataclass(frozen=True)
class WriteReport:
    """Attributes written, and joints skipped.

    `written`: long names of the attributes that changed, by joint. `unchanged`: joints that were up
    to date. `left_off`: channels without limits, since these would change poses of the scene.
    `moved`: channels on which limits do so, where that was asked for, and channels that limits
    clamped before. `still_clamped`: channels that limits clamp which were on in the scene and were
    not replaced. All worst first. `filtered`: rotate keys brought to one branch, if that was asked
    for.
    """

    out_path: str
    written: Mapping[str, tuple[str, ...]]
    unchanged: tuple[str, ...]
    skipped: tuple[limit_plan.Skipped, ...]
    left_off: tuple[Clamped, ...] = ()
    moved: tuple[Clamped, ...] = ()
    filtered: KeyFilterReport | None = None
    still_clamped: tuple[Clamped, ...] = ()


def apply_limit_set(
    limit_set: LimitSet,
    scene_path: PathLike,
    out_path: str | os.PathLike[str],
    *,
    replace: bool = False,
    lock_unmoved: bool = False,
    may_move: MayMove = False,
    filter_keys: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> WriteReport:
    """Write joint limits, degrees of freedom and preferred angles into a copy of a scene.

    No pose of the scene changes: limits are moved to the Euler branch and turns of its keys, and a
    channel on which they would still clamp anything gets none, unless `may_move` is set.

    Joints whose limits hold in an advised orientation are skipped.
    Raises MayaAsciiError as :func:`write_joint_attributes`, and if every joint is skipped. Raises
    ValueError for a limit set of the paper's mode.

    `limit_set`: in standard mode. `replace`: replace limits that joints already have.
    `lock_unmoved`: also write joints that do not move in the source. `may_move`: whether poses may
    change, or a function that is asked with the channels on which they would. `filter_keys`: also
    bring the rotate keys of these joints to one branch, see
    :func:`.filter_keys.filter_scene_keys`. `limits`: bounds of reading the scene and the files that
    it references.
    """
    changes = limit_plan.changes_from_limit_set(limit_set, lock_unmoved)
    elsewhere = [name for name in changes if limit_plan.advice_to_follow(limit_set.joints[name])]
    own = {name: change for name, change in changes.items() if name not in elsewhere}
    advice = "give the joint that orientation in Maya (applyJointLimits -reorient R or C)"
    reason = "its limits use another orientation"
    skipped = [limit_plan.Skipped(name, "", reason, advice) for name in elsewhere]
    if not own:
        reject_all_skipped(os.fspath(scene_path), skipped)
    file, keys = scene_file(scene_path, limits), None
    if filter_keys:
        keys = filter_scene_keys(file, changes, limits, replaces_limits=replace)
    report = write_joint_attributes(
        file,
        out_path,
        own,
        replace=replace,
        may_move=may_move,
        further=keys.edits if keys else (),
        filtered=keys.plan.joints if keys else None,
        some=True,
    )
    name = os.path.basename(scene_path)
    is_own = any(os.path.basename(clip.file or "") == name for clip in limit_set.clips)
    return dataclasses.replace(
        report,
        skipped=(*report.skipped, *skipped),
        left_off=tuple(dataclasses.replace(one, is_own=is_own) for one in report.left_off),
        filtered=keys.plan.report if keys else None,
    )


def write_joint_attributes(
    scene_path: PathLike,
    out_path: str | os.PathLike[str],
    changes: Mapping[str, limit_plan.JointChange],
    *,
    replace: bool = False,
    may_move: MayMove = False,
    further: Sequence[Edit] = (),
    held: Mapping[str, HeldRotates] | None = None,
    filtered: Mapping[str, FilteredJoint] | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    some: bool = False,
) -> WriteReport:
    """Write a copy of a scene in which only attributes of joints differ.

    Raises MayaAsciiError if the scene cannot be read or changed since, or if the copy cannot be
    written or would overwrite the scene or a file that it references. Raises ValueError for an
    invalid change; the message names the joint.

    `changes`: by joint names as the reader gives them, short with namespace, or full paths where
    those repeat. `replace`: whether enabled limits may be changed; joints that have some are
    skipped otherwise. `may_move`: whether limits may change poses of the scene, or a function that
    is asked; channels on which they would are left off otherwise. `further`: other changes for the
    same copy; `held`, `filtered`: what the rotate channels of joints hold after these, and their
    new keys. `limits`: input budget for the scene and the files that it references. `some`: raise
    MayaAsciiError, and write nothing, if every change is skipped.
    """
    file, out = scene_file(scene_path, limits), os.fspath(out_path)
    scene = file.path
    checked = {joint: change.checked(joint) for joint, change in changes.items()}
    reject_target(out, [scene], "the scene itself")
    files = (find_reference(scene, reference.path) for reference in file.index().references)
    reject_target(out, [place for place in files if place], "a file that the scene references")
    scene_holds = SceneHolds(file, held or {}, filtered or {})
    session = _Session(file, replace, may_move is True, scene_holds)
    session.change_all(checked)
    if callable(may_move) and session.left_off and may_move(worst_first(session.left_off)):
        session = _Session(file, replace, True, scene_holds)
        session.change_all(checked)
    edits = [*session.all_edits(), *further]
    reject_target(out, session.files_read(), "a file that the scene references")
    file.check_unchanged()
    if some and not (session.written or session.unchanged or session.left_off):
        reject_all_skipped(scene, session.skipped)
    write_edited(file.data, out, edits)
    return WriteReport(
        out, session.written, tuple(session.unchanged), tuple(session.skipped),
        worst_first(session.left_off), worst_first(session.moved), None,
        worst_first(session.still_clamped),
    )  # fmt: skip


def reject_all_skipped(
    path: str, skipped: Sequence[limit_plan.Skipped], error: type[InputError] = MayaAsciiError
) -> None:
    """Raise `error`, with the most common reason, where every change was skipped."""
    if not skipped:
        raise error(path, "no joint that moves has limits; --lock-unmoved locks the others")
    (reason, advice), _ = Counter((one.reason, one.advice) for one in skipped).most_common(1)[0]
    joints = list(dict.fromkeys(one.joint for one in skipped if one.reason == reason))
    which = joints[0] if len(joints) == 1 else f"{plural(len(joints), 'joint')}, {joints[0]} ..."
    words = "; ".join(part for part in (f"{reason} ({which})", advice) if part)
    raise error(path, f"none of the limits can be written: {words}")


def reject_target(
    out: str, inputs: Sequence[str], what: str, error: type[InputError] = MayaAsciiError
) -> None:
    """Raise `error` if the target is one of the inputs, links resolved."""
    if os.path.isdir(out):
        ending = os.path.splitext(inputs[0])[1] if inputs else ".ma"
        raise error(out, f"this is a directory; give the path of a new {ending} file")
    for path in inputs:
        same = os.path.exists(out) and os.path.exists(path) and os.path.samefile(out, path)
        if same or os.path.realpath(out) == os.path.realpath(path):
            raise error(out, f"this is {what}; write the copy to another file")


def _in_units(placement: Placement, degrees_per_unit: float) -> list[str]:
    scale = degrees_per_unit if placement.triple.is_angle else 1.0
    return [number_text(value / scale if scale != 1.0 else value) for value in placement.values]


def _statement_value(placement: Placement, degrees_per_unit: float) -> str:
    """Text after the attribute's name in a setAttr, including the semicolon."""
    if not placement.triple.is_angle:
        return "".join(" yes" if value else " no" for value in placement.values) + ";"
    numbers = _in_units(placement, degrees_per_unit)
    if placement.axis is None:
        return f' -type "double3" {" ".join(numbers)} ;'
    return f" {numbers[0]};"


_NewEdits = dict[str, list[tuple[str, str, str]]]
"""Path, attribute and value of new reference edits, by reference node."""


class _Session:
    """One run of the writer over one scene."""

    def __init__(self, file: SceneFile, replace: bool, may_move: bool, held: SceneHolds) -> None:
        self.index, self.buffer, self._limits = file.index(), file.data, file.limits
        self.replace, self.may_move, self._held = replace, may_move, held
        self.left_off: list[Clamped] = []
        self.moved: list[Clamped] = []
        self.still_clamped: list[Clamped] = []
        self._pen = Pen(self.buffer, self.index.short_names)
        self.written: dict[str, tuple[str, ...]] = {}
        self.unchanged: list[str] = []
        self.skipped: list[limit_plan.Skipped] = []
        self._edits: list[Edit] = []
        self._changed_paths: dict[str, str] = {}
        self._referenced: ReferencedJoints | None = None
        self._new: dict[str, tuple[EditRecord | None, _NewEdits]] = {}

    def files_read(self) -> list[str]:
        """Referenced files that were read."""
        return self._referenced.files if self._referenced else []

    def change_all(self, changes: Mapping[str, limit_plan.JointChange]) -> None:
        """Plan all joints."""
        for joint, change in changes.items():
            self._change(joint, change)
        for node in self.index.joints:
            path = self.index.path_of(node)
            states = self._states_of(node, path)
            if path not in self._changed_paths and any(map(any, states.limits_deg().values())):
                name = path.rpartition("|")[2]
                name = name if len(self.index.joints_named(name)) == 1 else path
                self._look_at_kept(limit_plan.JointPlan(), name, states, self._held.of(name, path))

    def _states_of(self, node: int, path: str) -> SceneStates:
        states = SceneStates()
        states.assign(self.index.joints[node].assignments, self.index.degrees_per_unit)
        states.connect(self.index.plugs_connected_of(path))
        return states

    def _look_at_kept(
        self, plan: limit_plan.JointPlan, joint: str, states: SceneStates, held: HeldRotates | None
    ) -> None:
        if held is not None:
            self.still_clamped += still_clamped(plan, joint, states, held)

    def _change(self, joint: str, change: limit_plan.JointChange) -> None:
        """Plan one joint."""
        nodes = self.index.joints_named(joint)
        if nodes:
            if self._is_one(joint, [self.index.path_of(node) for node in nodes]):
                self._change_own(joint, nodes[0], change)
            return
        if self._referenced is None:
            self._referenced = ReferencedJoints(self.index, self._limits)
        found = self._referenced.named(joint)
        if found:
            if self._is_one(joint, [one.path for one in found]):
                self._change_referenced(joint, found[0], change)
            return
        why = self._referenced.reason_missing(joint)
        if why is None:
            self._skip(joint, "joint not in scene", "check the name and the namespace")
        else:
            self._skip(joint, "in a missing reference", f"make the file readable: {why}")

    def _skip(self, joint: str, reason: str, advice: str) -> None:
        self.skipped.append(limit_plan.Skipped(joint, "", reason, advice))

    def _is_one(self, joint: str, paths: Sequence[str]) -> bool:
        """Whether a name means exactly one joint, and no earlier name means the same."""
        if len(paths) > 1:
            self._skip(joint, "name is ambiguous", f"use a full path, such as {paths[0]}")
            return False
        other = self._changed_paths.setdefault(paths[0], joint)
        if other != joint:
            self._skip(joint, "named twice", f"{other} is the same joint; name it once")
        return other == joint

    def _planned(
        self, joint: str, path: str, change: limit_plan.JointChange, states: SceneStates
    ) -> limit_plan.JointPlan:
        """Plan of a joint that changes none of its poses, unless they may move."""
        held = self._held.of(joint, path)
        if held is None:
            advice = "save the scene again in Maya"
            return limit_plan.JointPlan(
                skipped=[limit_plan.Skipped(joint, "", "its poses were not found", advice)]
            )
        asked, change = change, reaching_between_frames(on_branch_of_keys(change, held), held)
        plan = limit_plan.planned(joint, change, states, self.replace)
        left_off, moved = keep_poses(plan, joint, change, states, held, self.may_move, asked)
        self.left_off += left_off
        self.moved += moved
        self._look_at_kept(plan, joint, states, held)
        return plan

    def _noted(self, joint: str, plan: limit_plan.JointPlan) -> None:
        self.skipped += plan.skipped
        written = plan.written()
        if written:
            self.written[joint] = written
        elif not plan.skipped and not any(one.joint == joint for one in self.left_off):
            self.unchanged.append(joint)

    # Joints of the scene itself.

    def _change_own(self, joint: str, node: int, change: limit_plan.JointChange) -> None:
        block, path = self.index.joints[node], self.index.path_of(node)
        states = self._states_of(node, path)
        plan = self._planned(joint, path, change, states)
        new: list[Placement] = []
        for placement in self._placements(plan, states, block.assignments):
            if placement.place is None:
                new.append(placement)
            else:
                text = _statement_value(placement, self.index.degrees_per_unit)
                place = placement.place
                self._edits.append(Edit(place.start, place.end, text.encode()))
        if new:
            lines = []
            for one in new:
                name = one.triple.name(one.axis, short=self.index.short_names)
                lines.append(
                    f'setAttr ".{name}"{_statement_value(one, self.index.degrees_per_unit)}'
                )
            self._edits.append(self._inserted(block.last, lines))
        self._noted(joint, plan)

    def _placements(
        self, plan: limit_plan.JointPlan, states: SceneStates, own: Sequence[LimitAssignment]
    ) -> list[Placement]:
        unit = self.index.degrees_per_unit
        return [
            placement
            for triple in limit_plan.TRIPLES
            if triple in plan.wanted
            for placement in placements(triple, plan.wanted[triple], states, own, unit)
        ]

    def _inserted(self, last: Statement, lines: Sequence[str]) -> Edit:
        """Insert lines after a statement, with the indentation and line ends around it."""
        found = re.search(rb"[ \t]*\Z", self.buffer[max(0, last.start - 64) : last.start])
        indent = found.group().decode() if found else ""
        indent = "\t" if last.command == "createNode" else indent
        return self._pen.inserted(last.end, [indent + line for line in lines])

    # Joints of referenced files.

    def _change_referenced(
        self, joint: str, found: ReferencedJoint, change: limit_plan.JointChange
    ) -> None:
        node = self.index.reference_nodes.get(found.holder)
        if node is None or node.locked:
            reason = "in a missing reference" if node is None else "in a locked reference"
            self._skip(joint, reason, f"load and unlock the reference {found.holder} in Maya")
            return
        record = self._referenced.record(self.index, found.holder) if self._referenced else None
        _, new = self._new.setdefault(found.holder, (record, {}))
        states = SceneStates()
        for assignments, degrees_per_unit in found.assigned:
            states.assign(assignments, degrees_per_unit)
        states.connect(found.connected)
        group = None if record is None else record.group_for(found.node)
        own: list[LimitAssignment] = []
        if group is not None:
            assigned = found.assigned[-1][0]
            own = [one for one in assigned if group.count.end <= one.start <= group.end]
        plan = self._planned(joint, found.path, change, states)
        for placement in self._placements(plan, states, own):
            flags = placement.place.flags if placement.place else ""
            kind = (
                ' -type \\"double3\\"'
                if placement.triple.is_angle and placement.axis is None
                else ""
            )
            value = f'"{flags}{kind} {" ".join(_in_units(placement, self.index.degrees_per_unit))}"'
            if placement.place is not None:
                place = placement.place
                self._edits.append(Edit(place.start, place.end, value.encode()))
            else:
                name = placement.triple.name(placement.axis)
                new.setdefault(found.node, []).append((found.path, name, value))
        self._noted(joint, plan)

    def all_edits(self) -> list[Edit]:
        """All edits, including records of reference edits."""
        for name, (record, new) in self._new.items():
            if record is None:
                self._edits += [self._new_record(name, new)] if new else []
                continue
            for node, edits in new.items():
                self._edits += self._appended(record, node, edits)
        return self._edits

    def _appended(
        self, record: EditRecord, node: str, new: Sequence[tuple[str, str, str]]
    ) -> list[Edit]:
        newline = self._pen.newline(record.statement.start) + b"\t\t"
        group = record.group_for(node)
        text = b"".join(newline + _record_line(*one) for one in new)
        if group is None:
            heading = newline + f'"{node}" {len(new)}'.encode("utf-8", "surrogateescape")
            return [Edit(record.end, record.end, heading + text)]
        count = str(int(group.count.text) + len(new)).encode()
        if group.end == group.count.end:
            return [Edit(group.count.start, group.count.end, count + text)]
        return [Edit(group.count.start, group.count.end, count), Edit(group.end, group.end, text)]

    def _new_record(self, name: str, edits: _NewEdits) -> Edit:
        attribute = "ed" if self.index.short_names else "edits"
        parts = [f'setAttr ".{attribute}" -type "dataReferenceEdits" ', f'"{name}"', f'"{name}" 0']
        for child, new in edits.items():
            parts.append(f'"{child}" {len(new)}')
            parts += [_record_line(*one).decode("utf-8", "surrogateescape") for one in new]
        last = self.index.reference_nodes[name].last
        return self._inserted(last, ["\n\t\t".join(parts) + ";"])


def _record_line(path: str, name: str, value: str) -> bytes:
    return f'2 "{path}" "{name}" {value}'.encode("utf-8", "surrogateescape")
