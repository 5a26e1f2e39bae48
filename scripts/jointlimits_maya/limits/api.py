"""Functions for scripts in Maya, which take names and return plain data.

Every function takes one or several names of joints, of controls (transforms with curve shapes), or
of groups above them, and options by their names or by the long flags of the commands. Without
names, a root, a namespace, a pattern or `everything`, it uses the selection. Several characters,
each with its own latest estimate, share one edit. A function that changes the scene does so
completely or not at all, as one undo step; its ``plan`` attribute plans the same changes without
making them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Union

from maya import cmds

from jointlimits_core.base.errors import OptionError, OptionText
from jointlimits_core.base.options import options_of
from jointlimits_core.base.progress import Progress
from jointlimits_core.estimation import coupled, pipeline
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate as estimate_motion
from jointlimits_core.evaluation.baseline import read_baseline
from jointlimits_core.evaluation.check_result import CheckedClip, CheckResult
from jointlimits_core.evaluation.gate import OPTIONS, Gate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.importers.declared import carried_edits
from jointlimits_core.limits import layers, ranges
from jointlimits_core.limits.exclusions import is_left_out
from jointlimits_core.limits.limit_set import JointLimit, LimitSet, read_limit_set
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.rig.limit_plan import Skipped

from ..base import actions
from ..base.open_maya import om
from ..read.evaluation import play_everything
from ..read.limits import LimitSource, has_limits_or_record, limit_set_from, limits_on_joints
from ..read.motion import current_pose_motion, motion_from_scene
from ..read.options import (
    joints_and_controls,
    joints_from_options,
    rest_choice_from_options,
    time_choice_of,
    values_of,
)
from ..scene.edit import SceneEdit
from ..scene.estimates import keep, latest_per_character
from ..scene.joints import is_control, joint_names, noun_of
from ..scene.results import ClearResult, FilterResult, SwitchResult, WriteResult
from ..scene.undo import Prepared, runs_plan
from ..write.clear import plan_clear, plan_switch
from ..write.filter_keys import plan_filter
from ..write.limits import WriteOptions, plan_limits
from ..write.mirror import plan_mirror
from .control_limits import ControlLimits, carry_over, controls_with_limits_of, plan_on_controls


def limits_of_each(
    source: LimitSource | None, joints: Sequence[om.MDagPath]
) -> tuple[list[tuple[LimitSet, list[om.MDagPath]]], tuple[Skipped, ...]]:
    """Limit sets, each with the joints that it is meant for.

    `source`: None or "" means the latest estimate for every character. `parts`, (LimitSet, list of
    MDagPath): at least one. `skipped`: characters without an estimate, if others have one. Raises
    the same errors as :func:`~jointlimits_maya.read.limits.limit_set_from`.
    """
    each = latest_per_character(joints) if source is None or source == "" else []
    parts = [(found, group) for found, group in each if found is not None]
    if not parts:
        return [(limit_set_from(source, joints), list(joints))], ()
    without = [group[0] for found, group in each if found is None]
    why = "no estimate yet", "estimate it first, or give a limits file"
    skipped = [Skipped(name, "", *why) for name in joint_names(without)]
    return [(limit_set_from(found, group), group) for found, group in parts], tuple(skipped)


def _joints_or_controls(
    names: Names, values: Mapping[str, Any], *tests: Callable[[list[om.MDagPath]], object]
) -> list[om.MDagPath]:
    """Joints or controls chosen by the names: the first kind that passes the earliest test.

    For example, the name of a character's top group chooses its controls if the limits are for
    controls.
    """
    kinds = [kind for kind in joints_and_controls(names, values) if kind]
    return next((kind for test in tests for kind in kinds[1:] and kinds if test(kind)), kinds[0])


def _are_estimated(joints: list[om.MDagPath]) -> bool:
    return any(found is not None for found, _ in latest_per_character(joints))


def _limits_and_targets(
    limits: LimitSource | None, names: Names, values: Mapping[str, Any]
) -> tuple[LimitSource | None, list[om.MDagPath]]:
    """Limits (read from their source, if given), and the joints or controls they are meant for."""
    if limits is None or limits == "":
        return None, _joints_or_controls(names, values, _are_estimated, limits_on_joints)
    given = limit_set_from(limits, ())

    def are_matched(joints: list[om.MDagPath]) -> object:
        is_kind = is_control(joints[0]) or not given.of_controls
        return is_kind and matched_joints(given.joints, joint_names(joints))

    return given, _joints_or_controls(names, values, are_matched)


def _joints_and_touched_controls(names: Names, values: Mapping[str, Any]) -> list[om.MDagPath]:
    """Joints chosen by the names, and their controls with limits, whether named or not."""
    joints, controls = joints_and_controls(names, values)
    touched = [one for one in controls if has_limits_or_record(one.node())]
    touched += [one for one in controls_with_limits_of(joints) if one not in touched]
    return [*joints, *touched] if joints else controls


def combine_plans(
    parts: Sequence[Prepared[WriteResult]], skipped: Sequence[Skipped] = ()
) -> Prepared[WriteResult]:
    """Combine plans for different joints.

    `parts`: at least one, with edits not yet made. `skipped`: further skipped items.
    """
    result = _merge_values([part.result for part in parts])
    result = replace(result, skipped=(*result.skipped, *skipped))
    if len(parts) == 1:
        return replace(parts[0], result=result)
    edits = [part.edit for part in parts if part.edit is not None]
    edit = SceneEdit(edits[0].label)
    for one in edits:
        edit.extend(one)
    return Prepared(result, edit)


def _merge_values(values: Sequence[Any]) -> Any:
    """Combine values recursively: merge mappings and tuples, else keep the first value."""
    known = [value for value in values if value is not None]
    first = known[0] if known else None
    if isinstance(first, Mapping):
        return {key: item for value in known for key, item in value.items()}
    if isinstance(first, tuple):
        return tuple(item for value in known for item in value)
    if is_dataclass(first) and not isinstance(first, type):
        names = [item.name for item in fields(first)]
        return replace(first, **{n: _merge_values([getattr(v, n) for v in known]) for n in names})
    return first


def _reason_without(joint: JointLimit | None, limit_set: LimitSet) -> str:
    """Reason why a joint of :attr:`WriteResult.without_limits` has no limits."""
    if joint is None:
        return "not in the limit set; include it in the estimate"
    if any(limit.state != "free" for limit in joint.limits.values()):
        return OptionText("no motion; ", "lock_unmoved", " locks it anyway")
    if is_left_out(joint):
        return "all its frames are excluded; include some again"
    if ranges.is_unexplained(joint):
        return "its rotate channels do not fully explain its rotation; its notes name the cause"
    is_still = joint.evidence.sure == "no motion" and joint.evidence.samples > 0
    if (joint.is_root or is_still) and not limit_set.options.get("limit_root"):
        place = "root of the estimated joints; " if joint.is_root else "unmoved, above the root; "
        return OptionText(place, "limit_root", " gives it limits as well")
    return "it turned full circle, so it has no limits"


Names = Union[str, Sequence[str], None]
"""One or several names of joints or groups, or None."""


@runs_plan
def estimate(
    joints: Names = (), *, progress: Progress | None = None, **options: Any
) -> Prepared[LimitSet]:
    """Estimate joint types and limits from the animation of the open scene.

    Parameters
    ----------
    joints : str or sequence of str
        Joints, or groups above them.
    **options
        Those of the command ``estimateJointLimits``.

    Returns
    -------
    LimitSet
        Also remembered for these joints, as the default of :func:`apply` and :func:`check`. The
        scene is unchanged.

    Raises
    ------
    SceneError, EstimationError, ValueError
        The message says what to do.
    Cancelled
        If `progress` returned False.
    """
    values = values_of(options, actions.ESTIMATE)
    paths = joints_from_options(joints, values)
    asked = EstimateOptions(**{item.name: values[item.name] for item in options_of("estimate")})
    before = read_limit_set(values["keep_edits"]) if values["keep_edits"] else None
    motion = _motion(paths, values, progress)
    found = estimate_motion(motion, asked, progress)
    pipeline.reject_still_estimate(found)
    if values["coupled"]:
        found = coupled.with_requested_shapes(found, [motion], values, asked, progress)
    name = values["character"] or motion.skeleton.name
    found = replace(found, character=name)
    found = found if before is None else layers.with_edits(found, carried_edits(before, found))
    keep(found, paths)
    return Prepared(found)


def read_motion(joints: Names = (), *, progress: Progress | None = None, **options: Any) -> Motion:
    """Read the motion that :func:`estimate` uses.

    Parameters
    ----------
    **options
        Options in the groups "scene", "time", "evaluation" and "rest pose".
    """
    values = values_of(options, ("scene", "time", "evaluation", "rest pose"))
    return _motion(joints_from_options(joints, values), values, progress)


def _motion(
    joints: Sequence[om.MDagPath], values: Mapping[str, Any], progress: Progress | None
) -> Motion:
    if values["time"] == "current":
        return current_pose_motion(joints)
    time = time_choice_of(values["time"])
    # The options of a check include no rest pose.
    rest = rest_choice_from_options(values) if "bind" in values else None
    with play_everything(values["play"]):
        return motion_from_scene(joints, time, rest, progress)


@runs_plan
def apply(
    limits: LimitSource | None = None,
    joints: Names = (),
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Prepared[WriteResult]:
    """Write limits, types and preferred angles to joints.

    Channels on which limits would change poses are left off, unless `may_move` is set.

    Parameters
    ----------
    limits : LimitSet, path or JSON text, optional
        Default: the latest estimate for these joints.
    **options
        Those of the command ``applyJointLimits``.

    Raises
    ------
    SceneError, LimitSetError, ValueError
        The message says what to do; nothing was changed.
    RuntimeError
        If Maya rejected a change; the scene was restored.
    """
    values = values_of(options, actions.APPLY)
    limits, paths = _limits_and_targets(limits, joints, values)
    parts, skipped = limits_of_each(limits, paths)
    writing = WriteOptions(
        **{item.name: values[item.name] for item in options_of("write", "clamping")}
    )
    prepared = []
    for limit_set, group in parts:
        with play_everything(values["play"]):
            plan = plan_on_controls if values["to_controls"] else plan_limits
            edit, result = plan(limit_set, group, writing, progress)
        without = result.without_limits
        places = matched_joints(limit_set.joints, without)
        found = {without[place]: limit_set.joints[name] for name, place in places.items()}
        why = {name: _reason_without(found.get(name), limit_set) for name in without}
        prepared.append(Prepared(replace(result, why_without=why), edit))
    return combine_plans(prepared, skipped)


def limits_on_controls(
    limits: LimitSource | None = None,
    joints: Names = (),
    *,
    progress: Progress | None = None,
    **options: Any,
) -> ControlLimits:
    """Carry the limits of joints over to the controls that drive them; the scene is unchanged.

    Parameters
    ----------
    limits : LimitSet, path or JSON text, optional
        Default: the latest estimate for these joints.
    **options
        Options in the groups "scene" and "evaluation".

    Returns
    -------
    ControlLimits
        Limits by control, and joints that were skipped, with the reasons. ``apply(...,
        to_controls=True)`` writes these limits.

    Raises
    ------
    SceneError, LimitSetError, ValueError
        The message says what to do.
    """
    values = values_of(options, actions.CARRY)
    paths = joints_from_options(joints, values)
    with play_everything(values["play"]):
        return carry_over(limit_set_from(limits, paths), paths, progress)


@runs_plan
def filter_keys(
    joints: Names = (), *, progress: Progress | None = None, **options: Any
) -> Prepared[FilterResult]:
    """Bring rotate keys that mix Euler branches or turns to one branch and turn.

    Poses stay the same at keys and between keys of one run. Frames between two runs change and are
    listed. Joints with layers, shared or referenced curves, or driven keys are skipped and listed.

    Parameters
    ----------
    **options
        Those of the command ``applyJointLimits`` that choose joints.

    Raises
    ------
    SceneError, ValueError
        The message says what to do; nothing was changed.
    """
    values = values_of(options, actions.FILTER)
    paths = joints_from_options(joints, values)
    with play_everything(values["play"]):
        edit, plan = plan_filter(dict(zip(joint_names(paths), paths)), progress)
    return Prepared(FilterResult(plan.report, tuple(plan.refused)), edit)


@runs_plan
def mirror_limits(
    joints: Names = (), *, progress: Progress | None = None, **options: Any
) -> Prepared[WriteResult]:
    """Mirror the limits on joints to the joints on the other side, whose limits are replaced.

    Degrees of freedom and preferred angles are also mirrored. As with :func:`apply`, channels on
    which limits would change poses are left off, unless `may_move` is set.

    Parameters
    ----------
    **options
        Those of the command ``mirrorJointLimits``.

    Raises
    ------
    SceneError, ValueError
        No joint can be mirrored; the message says why. Nothing was changed.
    """
    values = values_of(options, actions.MIRROR)
    paths = _joints_or_controls(joints, values, limits_on_joints)
    edit, result = plan_mirror(paths, values["from_side"], values["may_move"], progress)
    return Prepared(result, edit)


@runs_plan
def clear(joints: Names = (), **options: Any) -> Prepared[ClearResult]:
    """Restore joints to their state before limits were applied.

    Parameters
    ----------
    **options
        Those of the command ``clearJointLimits``.
    """
    values = values_of(options, actions.CLEAR)
    edit, result = plan_clear(_joints_and_touched_controls(joints, values))
    return Prepared(result, edit)


@runs_plan
def switch_limits(
    on: bool | None = None, joints: Names = (), **options: Any
) -> Prepared[SwitchResult]:
    """Switch applied limits off for baking and recording, or on again; their values stay.

    Parameters
    ----------
    on : bool, optional
        True restores switched-off limits, False switches limits off; by default, they go off if any
        is on, else on.
    joints : str or sequence of str
    **options
        Those of the command ``switchJointLimits``.
    """
    given = options if on is None else {**options, "on": on}
    values = values_of(given, actions.SWITCH)
    paths = _joints_and_touched_controls(joints, values)
    with play_everything(values["play"]):
        edit, result = plan_switch(paths, bool(values["on"]), everybodys=values["everybodys"])
        if values["on"] is None and not result.switched:
            edit, result = plan_switch(paths, True)
    return Prepared(result, edit)


@runs_plan
def check(
    limits: LimitSource | None = None,
    joints: Names = (),
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Prepared[CheckResult]:
    """Find the frames of the open scene that are outside limits.

    Parameters
    ----------
    limits : LimitSet, path or JSON text, optional
        Default: the latest estimate for these joints, or else the limits on the joints.
    **options
        Those of the command ``checkJointLimits``.

    Returns
    -------
    CheckResult
        One part per estimate. Limits that are switched on in the scene are bypassed.
    """
    values = values_of(options, actions.CHECK)
    given, paths = _limits_and_targets(limits, joints, values)
    scene = str(cmds.file(query=True, sceneName=True) or "untitled scene")
    if given is None:
        existing = None if _are_estimated(paths) else limits_on_joints(paths)
        if existing is not None:
            checks = [(existing, "those on the joints", paths)]
        else:
            checks = [(found, "", group) for found, group in limits_of_each(None, paths)[0]]
    else:
        text = "" if isinstance(limits, LimitSet) else os.fspath(limits or "")
        name = "" if text.lstrip().startswith("{") else text
        checks = [(limit_set_from(given, paths), name, paths)]
    limit_sets, clips = [limit_set for limit_set, _, _ in checks], []
    gate = _gate(limit_sets, values)
    for limit_set, _, group in checks:
        motion = _motion(group, values, progress)
        found = violations(limit_set, motion, gate.tolerance, values["branch"], values["shapes"])
        clips.append(CheckedClip.judge(scene, found, gate))
    character = ", ".join(dict.fromkeys(limit_set.character for limit_set in limit_sets))
    noun = noun_of(path for _, _, group in checks for path in group)
    return Prepared(CheckResult(checks[0][1], character, gate, tuple(clips), noun))


def _gate(limit_sets: Sequence[LimitSet], values: Mapping[str, Any]) -> Gate:
    """Gate of a check by its options, for one or several characters."""
    baseline = None
    if values["baseline"] and len(limit_sets) > 1:
        text = "must be of one character; choose the joints of one, not of"
        raise OptionError("baseline", f"{text} {len(limit_sets)}")
    if values["baseline"]:
        baseline = read_baseline(values["baseline"], limit_sets[0])
    joints = dict.fromkeys(name for limit_set in limit_sets for name in limit_set.joints)
    return Gate.from_values(joints, **{name: values[name] for name in OPTIONS}, baseline=baseline)
