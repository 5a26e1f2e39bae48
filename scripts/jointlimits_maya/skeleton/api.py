"""Skeletons from tracked transforms: functions for scripts and commands, as in :mod:`.api`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jointlimits_core.base import Progress
from jointlimits_core.motion import matched_joints
from jointlimits_core.skeleton_fit import BodyOptions, body_options_of, fit_pooled

from ..base import actions
from ..limits import Names
from ..read import joints_from_options, names_given, time_choice_from_options, values_of
from ..scene import JointQuality, Prepared, SkeletonResult, joint_names, undo
from .build import plan_skeleton
from .quality import quality_of
from .sources import (
    source_names,
    tracked_transforms,
    tracks_from_scene,
    without_built,
)


def estimate_skeleton(
    sources: Names = (), *, progress: Progress | None = None, **options: Any
) -> SkeletonResult:
    """Work out how animated transforms are connected, and build joints for them.

    Parameters
    ----------
    sources : str or sequence of str
        Locators, groups or joints, each one tracked body; a group that does not move stands for
        what moves below it. Default: the selection. Joints built by this function are left out.
    **options
        Those of the command ``estimateSkeleton``.

    Returns
    -------
    SkeletonResult
        The sources are untouched and the root joints selected; one undo.

    Raises
    ------
    SceneError, EstimationError, ValueError
        The message says what to do; nothing was changed.
    Cancelled
        If `progress` returned False.
    RuntimeError
        If Maya rejected a change; the scene is as it was.
    """
    return undo.done(prepare_skeleton(sources, options, progress))


def prepare_skeleton(
    sources: Names, options: Mapping[str, Any], progress: Progress | None = None
) -> Prepared[SkeletonResult]:
    """Plan :func:`estimate_skeleton`."""
    values = values_of(options, actions.SKELETON)
    asked = body_options_of(values)
    time = time_choice_from_options(values)
    chosen, built = without_built(tracked_transforms(names_given(sources)))
    found = tracks_from_scene(chosen, time, progress)
    fit = fit_pooled([found.tracks], _with_names(asked, found.tracks.names), progress)[0]
    edit, result = plan_skeleton(found, fit, values["joint_suffix"], values["constrained"])
    return Prepared(replace(result, left_out=tuple(source_names(built))), edit)


def joint_quality(joints: Names = (), **options: Any) -> dict[str, JointQuality]:
    """Fit of built joints to their sources, read from their attributes.

    Parameters
    ----------
    joints : str or sequence of str
        Joints, or groups above them; default: the selection.
    **options
        From the group "scene".

    Returns
    -------
    dict of joint name to JointQuality
        For joints built by :func:`estimate_skeleton` that have a parent joint.
    """
    values = values_of(options, ("scene",))
    chosen = joints_from_options(joints, values)
    found = {name: quality_of(path.node()) for name, path in zip(joint_names(chosen), chosen)}
    return {name: one for name, one in found.items() if one is not None}


def _with_names(asked: BodyOptions, names: tuple[str, ...]) -> BodyOptions:
    """Options with full body names where they were given without namespaces."""
    given = [asked.root, *asked.parents, *asked.parents.values()]
    found = matched_joints([name for name in given if name], names)

    def own(name: str | None) -> str | None:
        return names[found[name]] if name in found else name

    parents = {own(child) or child: own(parent) for child, parent in asked.parents.items()}
    return replace(asked, root=own(asked.root), parents=parents)
