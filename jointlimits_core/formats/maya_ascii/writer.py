"""Writer of joint limits into a copy of a Maya ASCII scene; all other bytes stay the same."""

from __future__ import annotations

import dataclasses
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Union

from ...base.errors import MayaAsciiError
from ...base.findings import JointDriver
from ...base.text import plural
from ...io.input import DEFAULT_LIMITS, ReadLimits
from ...limits.limit_set import LimitSet
from ...rig import clamping, limit_plan
from ...rig.controls import is_limitable
from ...rig.filter_keys import KeyFilterReport
from ...rig.rest_pose import rotate_order
from ...rig.scene import Node
from . import held_rotates, lexer, reference_edits, references, scene_file, scene_text
from .edits import Edit, Pen, Placement, number_text, placements, write_edited
from .filter_keys import SceneKeyFilter, filter_scene_keys

MayMove = Union[bool, Callable[[Sequence[clamping.Clamped]], bool]]
"""Whether limits may change poses, or a function that decides for the clamped channels."""
TurnOn = Union[bool, Callable[[Mapping[str, JointDriver]], bool]]
"""Whether to turn on limits of joints that follow controls, or a function that decides."""


@dataclass(frozen=True)
class WriteReport:
    """Attributes written, and joints skipped.

    `written`: long names of the attributes that changed, by joint. `unchanged`: joints that were up
    to date. `left_off`: channels that got no limits, since limits would change poses of the scene.
    `moved`: channels on which the new limits change poses, because that was allowed or the old
    limits clamped these poses. `still_clamped`: channels clamped by limits that were on in the
    scene and were not replaced. `left_off`, `moved` and `still_clamped` are sorted, worst first.
    `filtered`: rotate keys brought to one Euler branch, if requested. `noun`: word for the nodes
    with limits.
    """

    out_path: str
    written: Mapping[str, tuple[str, ...]]
    unchanged: tuple[str, ...]
    skipped: tuple[limit_plan.Skipped, ...]
    left_off: tuple[clamping.Clamped, ...] = ()
    moved: tuple[clamping.Clamped, ...] = ()
    filtered: KeyFilterReport | None = None
    still_clamped: tuple[clamping.Clamped, ...] = ()
    following: Mapping[str, JointDriver] = dataclasses.field(default_factory=dict)
    boxed: Mapping[str, str] = dataclasses.field(default_factory=dict)
    noun: str = "joint"


def apply_limit_set(
    limit_set: LimitSet,
    scene_path: lexer.PathLike,
    out_path: str | os.PathLike[str],
    *,
    replace: bool = False,
    lock_unmoved: bool = False,
    may_move: MayMove = False,
    enable_driven: TurnOn = False,
    filter_keys: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> WriteReport:
    """Write joint limits, degrees of freedom and preferred angles into a copy of a scene.

    No pose of the scene changes: limits are moved to the Euler branch and full turns of the keys,
    and a channel that they would still clamp gets none, unless `may_move` is set.

    Joints whose limits apply in an advised orientation are skipped. Raises MayaAsciiError as
    :func:`write_joint_attributes` does, and if every joint is skipped. Raises ValueError for a
    limit set measured in paper mode.

    `limit_set`: in standard mode. `replace`: replace limits that joints already have.
    `lock_unmoved`: also write joints that do not move in the source. `may_move`: whether poses may
    change, or a function that decides, given the channels on which poses would change.
    `enable_driven`: likewise, whether to turn on limits of joints that follow a control.
    `filter_keys`: also bring the rotate keys of these joints to one Euler branch, see
    :func:`.filter_keys.filter_scene_keys`. `limits`: input budget for the scene and the files that
    it references.
    """
    changes = limit_plan.changes_from_limit_set(limit_set, lock_unmoved)
    advice = "give the joint that orientation in Maya (applyJointLimits -reorient R or C)"
    skipped = [
        limit_plan.Skipped(name, "", "its limits use another orientation", advice)
        for name in changes
        if limit_plan.advice_to_follow(limit_set.joints[name])
    ]
    advised = {one.joint for one in skipped}
    file, keys = scene_file.scene_file(scene_path, limits), None
    named = {
        name: file.text.find_by_name(file.scene, name, limit_set.of_controls)
        for name in changes
        if name not in advised
    }
    orders = {name: rotate_order(nodes[0]) for name, nodes in named.items() if len(nodes) == 1}
    fitted = limit_plan.fit_rotate_orders(limit_set, orders)
    skipped += fitted.skipped
    own = limit_plan.changes_from_limit_set(fitted.limits, lock_unmoved)
    own = {name: change for name, change in own.items() if name not in advised}
    if not own:
        reject_all_skipped(os.fspath(scene_path), skipped)
    if filter_keys:
        keys = filter_scene_keys(
            file, changes, limits, replaces_limits=replace, of_controls=limit_set.of_controls
        )
    report = write_joint_attributes(
        file,
        out_path,
        own,
        replace=replace,
        may_move=may_move,
        enable_driven=enable_driven,
        keys=keys,
        some=True,
    )
    name = os.path.basename(scene_path)
    is_own = any(os.path.basename(clip.file or "") == name for clip in limit_set.clips)
    left_off = tuple(dataclasses.replace(one, is_own=is_own) for one in report.left_off)
    every = (*report.skipped, *skipped)
    boxed = {name: why for name, why in fitted.boxed.items() if name in report.written}
    return dataclasses.replace(
        report, skipped=every, left_off=left_off, boxed=boxed, noun=limit_set.noun
    )


def write_joint_attributes(
    scene_path: lexer.PathLike,
    out_path: str | os.PathLike[str],
    changes: Mapping[str, limit_plan.JointChange],
    *,
    replace: bool = False,
    may_move: MayMove = False,
    enable_driven: TurnOn = False,
    keys: SceneKeyFilter | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    some: bool = False,
) -> WriteReport:
    """Write a copy of a scene in which only attributes of joints or controls differ.

    Raises MayaAsciiError if the scene cannot be read or has changed since it was read, or if the
    copy cannot be written or would overwrite the scene or a file that it references. Raises
    ValueError for an invalid change; the message names the joint.

    `changes`: by joint name as the reader gives it: short with namespace, or a full path if short
    names repeat. `replace`: whether enabled limits may be changed; otherwise joints with enabled
    limits are skipped. `may_move`: whether limits may change poses of the scene, or a function that
    decides; otherwise channels on which they would do so get no limits. `enable_driven`: the
    same for turning on limits of joints that follow a control; else they are only written. `keys`:
    planned keys that are written into the same copy. `limits`: input budget for the scene and the
    files that it references. `some`: raise MayaAsciiError, and write nothing, if every change is
    skipped.
    """
    file, out = scene_file.scene_file(scene_path, limits), os.fspath(out_path)
    path, scene = file.path, file.scene
    checked = {joint: change.validate(joint) for joint, change in changes.items()}
    reject_target(out, [path], "the scene itself")
    files = (references.find_reference(one.scene, one.stored_path) for one in scene.references)
    reject_target(out, [place for place in files if place], "a file that the scene references")
    scene_holds = held_rotates.SceneHolds(file, keys.plan.joints if keys else {})
    turn_on, move = enable_driven is True, may_move is True
    session = _Session(file, replace, move, turn_on, scene_holds, checked)
    if callable(enable_driven) and session.following and enable_driven(session.following):
        turn_on = True
        session = _Session(file, replace, move, turn_on, scene_holds, checked)
    if callable(may_move) and session.left_off and may_move(clamping.worst_first(session.left_off)):
        session = _Session(file, replace, True, turn_on, scene_holds, checked)
    file.check_unchanged()
    if some and not (session.written or session.unchanged or session.left_off):
        reject_all_skipped(path, session.skipped)
    write_edited(file.data, out, [*session.all_edits(), *(keys.edits if keys else ())])
    return session.report(out, keys.plan.report if keys else None)


def reject_all_skipped(path: str, skipped: Sequence[limit_plan.Skipped]) -> NoReturn:
    """Raise MayaAsciiError, stating the most common reason why changes were skipped."""
    if not skipped:
        message = "no joint that moves has limits; --lock-unmoved locks the others"
        raise MayaAsciiError(path, message)
    (reason, advice), _ = Counter((one.reason, one.advice) for one in skipped).most_common(1)[0]
    joints = list(dict.fromkeys(one.joint for one in skipped if one.reason == reason))
    which = joints[0] if len(joints) == 1 else f"{plural(len(joints), 'joint')}, {joints[0]} ..."
    words = "; ".join(part for part in (f"{reason} ({which})", advice) if part)
    raise MayaAsciiError(path, f"none of the limits can be written: {words}")


def reject_target(out: str, inputs: Sequence[str], what: str) -> None:
    """Raise MayaAsciiError if the target is a directory or, after links, one of the inputs."""
    if os.path.isdir(out):
        ending = os.path.splitext(inputs[0])[1] if inputs else ".ma"
        raise MayaAsciiError(out, f"this is a directory; give the path of a new {ending} file")
    if out.lower().endswith(".mb"):
        raise MayaAsciiError(out, "the copy is Maya ASCII; give it a name that ends in .ma")
    for path in inputs:
        same = os.path.exists(out) and os.path.exists(path) and os.path.samefile(out, path)
        if same or os.path.realpath(out) == os.path.realpath(path):
            raise MayaAsciiError(out, f"this is {what}; write the copy to another file")


def _in_units(placement: Placement, degrees_per_unit: float) -> list[str]:
    scale = degrees_per_unit if placement.triple.is_angle else 1.0
    return [number_text(value / scale if scale != 1.0 else value) for value in placement.values]


def _statement_value(placement: Placement, degrees_per_unit: float) -> str:
    """Text after the attribute's name in a setAttr, including the semicolon."""
    if not placement.triple.is_angle:
        return "".join(" yes" if value else " no" for value in placement.values) + ";"
    numbers = " ".join(_in_units(placement, degrees_per_unit))
    return f' -type "double3" {numbers} ;' if placement.axis is None else f" {numbers};"


_NewEdits = dict[str, list[str]]
"""Lines of new reference edits, by reference node."""


class _Session:
    """One run of the writer over one scene, which plans the changes of every joint."""

    def __init__(
        self,
        file: scene_file.SceneFile,
        replace: bool,
        may_move: bool,
        enable_driven: bool,
        held: held_rotates.SceneHolds,
        changes: Mapping[str, limit_plan.JointChange],
    ) -> None:
        self._scene, self._text = file.scene, file.text
        self._unit = self._text.degrees_per_unit
        self._replace, self._may_move, self._held = replace, may_move, held
        self._enable_driven = enable_driven
        self.following: dict[str, JointDriver] = {}
        self.left_off: list[clamping.Clamped] = []
        self.moved: list[clamping.Clamped] = []
        self.still_clamped: list[clamping.Clamped] = []
        self._pen = Pen(file.data, self._text.long_names <= 0)
        self.written: dict[str, tuple[str, ...]] = {}
        self.unchanged: list[str] = []
        self.skipped: list[limit_plan.Skipped] = []
        self._edits: list[Edit] = []
        self._changed_paths: dict[str, str] = {}
        self._new: dict[str, tuple[reference_edits.EditRecord | None, _NewEdits]] = {}
        for joint, change in changes.items():
            self._change(joint, change)
        self._find_clamping()

    def _find_clamping(self) -> None:
        """Find the nodes without changes whose own limits clamp their keys."""
        for node, text in self._text.transforms.items():
            if text.references or not is_limitable(self._scene, node):
                continue
            path, states = self._text.path_of(node), self._text.states_of(self._scene, node)
            if path not in self._changed_paths and any(map(any, states.limits_deg().values())):
                name = node.name
                if self._text.find_by_name(self._scene, name, not node.is_joint) != [node]:
                    name = path
                held = self._held.rotates_of(name, node)
                self.still_clamped += clamping.find_still_clamped(
                    limit_plan.JointPlan(), name, states, held
                )

    def report(self, out: str, filtered: KeyFilterReport | None) -> WriteReport:
        """Report on the planned changes."""
        return WriteReport(
            out,
            self.written,
            tuple(self.unchanged),
            tuple(self.skipped),
            clamping.worst_first(self.left_off),
            clamping.worst_first(self.moved),
            filtered,
            clamping.worst_first(self.still_clamped),
            self.following,
        )

    def _change(self, joint: str, change: limit_plan.JointChange) -> None:
        """Plan the changes of one joint."""
        nodes = self._text.find_by_name(self._scene, joint, change.of_controls)
        if not nodes:
            short = joint.rpartition("|")[2]
            whys = [why for prefix, why in self._text.missing if short.startswith(prefix)]
            if self._text.find_by_name(self._scene, joint, not change.of_controls):
                is_joint = change.of_controls
                self._skip(joint, *(limit_plan.OF_CONTROLS if is_joint else limit_plan.OF_JOINTS))
            elif whys:
                self._skip(joint, "in a missing reference", f"make the file readable: {whys[0]}")
            else:
                self._skip(joint, "not in scene", "check the name and the namespace")
            return
        path = self._text.path_of(nodes[0])
        if len(nodes) > 1:
            self._skip(joint, "name is ambiguous", f"use a full path, such as {path}")
            return
        other = self._changed_paths.setdefault(path, joint)
        if other != joint:
            self._skip(joint, "named twice", f"{other} is the same joint; name it once")
            return
        text = self._text.transforms[nodes[0]]
        change_it = self._change_referenced if text.references else self._change_own
        change_it(joint, nodes[0], text, change)

    def _skip(self, joint: str, reason: str, advice: str) -> None:
        self.skipped.append(limit_plan.Skipped(joint, "", reason, advice))

    def _plan_joint(
        self, joint: str, node: Node, change: limit_plan.JointChange, states: limit_plan.PlugStates
    ) -> limit_plan.JointPlan:
        """Plan for a joint; it keeps all poses unless poses may change."""
        held = self._held.rotates_of(joint, node)
        fitted = clamping.fit_to_keys(change, held)
        plan = limit_plan.plan_change(joint, fitted, states, self._replace)
        driver = self._held.joint_drivers.driver_of(node)
        # Joint types and preferred angles change what a solver does, so they are dropped below.
        if driver and driver.control and not (self._enable_driven or held.is_solved):
            if any(limit_plan.leave_off(plan, joint, fitted, states, self._replace)):
                self.following[joint] = driver
            self.still_clamped += clamping.find_still_clamped(plan, joint, states, held)
            return plan
        left_off, moved, still_clamped = clamping.keep_poses(
            plan, joint, fitted, states, held, self._may_move, change
        )
        self.left_off += left_off
        self.moved += moved
        self.still_clamped += still_clamped
        return plan

    def _note_result(self, joint: str, plan: limit_plan.JointPlan) -> None:
        self.skipped += plan.skipped
        written = plan.attribute_names()
        if written:
            self.written[joint] = written
        elif not plan.skipped and not any(one.joint == joint for one in self.left_off):
            self.unchanged.append(joint)

    # Joints of the scene itself.

    def _change_own(
        self, joint: str, node: Node, text: scene_text.TransformText, change: limit_plan.JointChange
    ) -> None:
        states = self._text.states_of(self._scene, node)
        plan = self._plan_joint(joint, node, change, states)
        new = []
        for placement in placements(plan, states, text.own, self._unit):
            value = _statement_value(placement, self._unit)
            if placement.place is not None:
                place = placement.place
                self._edits.append(Edit(place.start, place.end, value.encode()))
            else:
                name = placement.triple.name(placement.axis, short=self._pen.short_names)
                new.append(f'setAttr ".{name}"{value}')
        if new:
            self._edits.append(self._insert_lines(text.last, new))
        self._note_result(joint, plan)

    def _insert_lines(self, last: scene_text.Place, lines: Sequence[str]) -> Edit:
        """Insert lines after a statement, with the indentation and line ends around it."""
        found = re.search(rb"[ \t]*\Z", self._pen.buffer[max(0, last.start - 64) : last.start])
        indent = found.group().decode() if found else ""
        indent = "\t" if last.command == "createNode" else indent
        return self._pen.insert_lines(last.end, [indent + line for line in lines])

    # Joints of referenced files.

    def _change_referenced(
        self, joint: str, node: Node, text: scene_text.TransformText, change: limit_plan.JointChange
    ) -> None:
        nearest, holder = text.references[0], text.references[-1]
        reference = self._text.references.get(holder)
        if reference is None or reference.locked:
            reason = "in a missing reference" if reference is None else "in a locked reference"
            self._skip(joint, reason, f"load and unlock the reference {holder} in Maya")
            return
        record = reference.record
        _, new = self._new.setdefault(holder, (record, {}))
        states = self._text.states_of(self._scene, node)
        group = None if record is None else record.group_for(nearest)
        begin, end = (0, -1) if group is None else (group.count.end, group.end)
        own = [one for one in text.own if begin <= one.start <= end]
        plan = self._plan_joint(joint, node, change, states)
        for placement in placements(plan, states, own, self._unit):
            flags = placement.place.flags if placement.place else ""
            is_triple = placement.triple.is_angle and placement.axis is None
            kind = ' -type \\"double3\\"' if is_triple else ""
            value = f'"{flags}{kind} {" ".join(_in_units(placement, self._unit))}"'
            if placement.place is not None:
                place = placement.place
                self._edits.append(Edit(place.start, place.end, value.encode()))
            else:
                name = placement.triple.name(placement.axis)
                line = f'2 "{self._text.path_of(node)}" "{name}" {value}'
                new.setdefault(nearest, []).append(line)
        self._note_result(joint, plan)

    def all_edits(self) -> list[Edit]:
        """All edits, including records of reference edits."""
        for name, (record, new) in self._new.items():
            if record is None:
                self._edits += [self._new_record(name, new)] if new else []
                continue
            for node, edits in new.items():
                self._edits += self._append_edits(record, node, edits)
        return self._edits

    def _append_edits(
        self, record: reference_edits.EditRecord, node: str, new: Sequence[str]
    ) -> list[Edit]:
        newline = self._pen.newline(record.statement.start) + b"\t\t"
        group = record.group_for(node)
        lines = new if group is not None else [f'"{node}" {len(new)}', *new]
        text = b"".join(newline + line.encode("utf-8", "surrogateescape") for line in lines)
        if group is None:
            return [Edit(record.end, record.end, text)]
        count = str(int(group.count.text) + len(new)).encode()
        if group.end == group.count.end:
            return [Edit(group.count.start, group.count.end, count + text)]
        return [Edit(group.count.start, group.count.end, count), Edit(group.end, group.end, text)]

    def _new_record(self, name: str, edits: _NewEdits) -> Edit:
        attribute = "ed" if self._pen.short_names else "edits"
        parts = [f'setAttr ".{attribute}" -type "dataReferenceEdits" ', f'"{name}"', f'"{name}" 0']
        for child, new in edits.items():
            parts += [f'"{child}" {len(new)}', *new]
        last = self._text.references[name].last
        return self._insert_lines(last, ["\n\t\t".join(parts) + ";"])
