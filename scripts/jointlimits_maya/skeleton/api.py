"""Functions that build skeletons from tracked transforms; conventions as in `limits.api`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
from maya import cmds

from jointlimits_core.base.errors import OptionText
from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry import arrays, quaternion
from jointlimits_core.motion.joint_names import node_name
from jointlimits_core.motion.name_matching import matched_joints
from jointlimits_core.skeleton_fit.build import joint_places, motions
from jointlimits_core.skeleton_fit.fit import fit_pooled
from jointlimits_core.skeleton_fit.result import BodyFit, body_options_of

from ..base import actions, host
from ..base.open_maya import om
from ..limits.api import Names
from ..read.options import joints_from_options, names_given, time_choice_of, values_of
from ..scene import plugs, results, undo
from ..scene.edit import SceneEdit, put_value
from ..scene.joints import joint_names
from .quality import CM_PER_M, Chain, put_quality, quality_of
from .sources import (
    SceneTracks,
    separate_built,
    source_names,
    tracked_transforms,
    tracks_from_scene,
)

SUFFIX = "_joint"
"""Suffix of joint names; without it, joints have the names of their sources."""


@undo.runs_plan
def estimate_skeleton(
    sources: Names = (), *, progress: Progress | None = None, **options: Any
) -> undo.Prepared[results.SkeletonResult]:
    """Work out how animated transforms are connected, and build joints for them.

    Parameters
    ----------
    sources : str or sequence of str
        Locators, groups or joints, each a tracked body; a group that does not move stands for the
        moving nodes below it. Default: the selection. Joints built by this function are left out.
    **options
        Those of the command ``estimateSkeleton``.

    Returns
    -------
    SkeletonResult
        One undo step; it leaves the sources untouched and selects the root joints.

    Raises
    ------
    SceneError, EstimationError, ValueError
        The message says what to do; nothing was changed.
    Cancelled
        If `progress` returned False.
    RuntimeError
        If Maya rejected a change; the scene was restored.
    """
    values = values_of(options, actions.SKELETON)
    asked = body_options_of(values)
    time = time_choice_of(values["time"])
    chosen, built = separate_built(tracked_transforms(names_given(sources)))
    found = tracks_from_scene(chosen, time, progress)
    # Names of bodies may be given without their namespaces.
    names = found.tracks.names
    given = [asked.root, *asked.parents, *asked.parents.values()]
    places = matched_joints([name for name in given if name], names)
    full: dict[Any, str] = {name: names[place] for name, place in places.items()}
    parents = {full.get(c, c): full.get(p, p) for c, p in asked.parents.items()}
    asked = replace(asked, root=full.get(asked.root or "", asked.root), parents=parents)
    fit = fit_pooled([found.tracks], asked, progress)[0]
    if values["constrained"]:
        undo.load_matrix_nodes()
    edit, result = _plan(found, fit, values["constrained"])
    return undo.Prepared(replace(result, left_out=tuple(source_names(built))), edit)


def joint_quality(joints: Names = (), **options: Any) -> dict[str, results.JointQuality]:
    """Quality of fit between built joints and their sources, read from the joints' attributes.

    Parameters
    ----------
    joints : str or sequence of str
        Joints, or groups above them; default: the selection.
    **options
        Options in the group "scene".

    Returns
    -------
    dict of joint name to JointQuality
        For joints built by :func:`estimate_skeleton` that have a parent joint.
    """
    values = values_of(options, ("scene",))
    chosen = joints_from_options(joints, values)
    found = {name: quality_of(path.node()) for name, path in zip(joint_names(chosen), chosen)}
    return {name: one for name, one in found.items() if one is not None}


def _plan(
    found: SceneTracks, fit: BodyFit, constrained: bool
) -> tuple[SceneEdit, results.SkeletonResult]:
    """Plan the joints of every figure of a fit.

    `constrained`: whether the joints follow their sources live; else they get keys. Raises
    SceneError if no two sources are joined.
    """
    if not fit.figures:
        free = ", ".join(fit.names[body] for body in fit.free)
        gap = 1000.0 * fit.options.free_beyond_m
        raise host.SceneError(
            OptionText(
                f"no skeleton found, as no two of these tracks are joined: {free}; choose the "
                "tracks of one figure, frames with more motion, or a larger maximum joint gap (",
                "free_beyond_mm",
                f", now {gap:g})",
            )
        )
    edit = SceneEdit("Skeleton from Tracks")
    every = motions(fit)
    names = _names_for_joints([name for one in every for name in one.joint_names])
    chains, figures = [], []
    for number, motion in enumerate(every):
        count = len(motion.skeleton)
        chain, names = Chain(motion, names[:count]), names[count:]
        _add_chain(edit, chain, found, fit, number if constrained else None)
        chains.append(chain)
        paths = chain.paths()
        figures.append(results.BuiltFigure(paths[0], dict(zip(motion.joint_names, paths)), motion))
    edit.select(lambda: [chain.made[0] for chain in chains])
    return edit, results.SkeletonResult(fit, tuple(figures), constrained)


def _add_chain(
    edit: SceneEdit, chain: Chain, found: SceneTracks, fit: BodyFit, figure: int | None
) -> None:
    """Add a chain to an edit; it follows its sources live if its figure number is given."""
    chain.make(edit)
    if figure is None:
        chain.key(edit)
    else:
        bodies, (origins, axes) = list(fit.figures[figure]), joint_places(fit, figure)
        sources = [found.sources[body] for body in bodies]
        # Every joint rotates with its source, in the orientation found for it; only the root also
        # moves with it, so that bones keep their length. Riggers call this a matrix constraint.
        for joint, source in enumerate(sources):
            # Matrix of the joint relative to its source, for row vectors, in centimetres.
            offset = np.eye(4)
            offset[:3, :3] = quaternion.matrix_from_quaternion(axes[joint]).T
            offset[3, :3] = CM_PER_M * origins[joint]
            offset = offset @ np.diag([*(1.0 / found.scales[bodies][joint]), 1.0])
            back = np.eye(4)
            back[:3, :3] = quaternion.matrix_from_quaternion(
                chain.motion.skeleton.joint_orients[joint]
            )
            _drive(edit, chain, joint, source, "rotate", [offset, back])
            if chain.parents[joint] < 0:
                _drive(edit, chain, joint, source, "translate", [offset])
    put_quality(edit, chain, fit)


def _drive(
    edit: SceneEdit,
    chain: Chain,
    joint: int,
    source: om.MDagPath,
    compound: str,
    matrices: list[arrays.Floats],
) -> None:
    """Drive a joint's compound by its source: offset * source * parent inverse * orientation."""
    name = f"{chain.names[joint]}_{compound}"
    product = edit.create("multMatrix", f"{name}_follow")
    parts = edit.create("decomposeMatrix", f"{name}_parts")

    def connect(modifier: om.MDGModifier) -> None:
        for place, matrix in zip((0, 3), matrices):
            value = om.MMatrix(matrix.tolist())
            put_value(modifier, plugs.find_plug(product(), f"matrixIn[{place}]"), value)
        world = plugs.find_plug(source.node(), f"worldMatrix[{source.instanceNumber()}]")
        above = chain.plug(joint, "parentInverseMatrix[0]")
        for place, matrix_plug in ((1, world), (2, above)):
            modifier.connect(matrix_plug, plugs.find_plug(product(), f"matrixIn[{place}]"))
        into = plugs.find_plug(parts(), "inputMatrix")
        modifier.connect(plugs.find_plug(product(), "matrixSum"), into)
        for axis in plugs.AXES:
            output = plugs.find_plug(parts(), f"output{compound.capitalize()}{axis}")
            modifier.connect(output, chain.plug(joint, f"{compound}{axis}"))

    edit.modify(connect)


def _names_for_joints(sources: Sequence[str]) -> list[str]:
    """Names of joints, in the current namespace and unused in the scene.

    `sources`: names or paths of nodes. Their namespaces are dropped, as the joints do not belong to
    the sources' references.
    """
    namespace = str(cmds.namespaceInfo(currentNamespace=True)).strip(":")
    prefix = f"{namespace}:" if namespace else ""
    names: list[str] = []
    for source in sources:
        name = f"{prefix}{node_name(source)}{SUFFIX}"
        tried = (f"{name}{number or ''}" for number in count())
        names.append(next(one for one in tried if one not in names and not cmds.objExists(one)))
    return names
