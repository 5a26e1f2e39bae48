"""A limit set written into a copy of a Maya ASCII scene."""

from __future__ import annotations

import dataclasses
import os

from ...io import DEFAULT_LIMITS, ReadLimits
from ...limits import LimitSet
from ...rig import Skipped, advice_to_follow, branch_of, changes_from_limit_set
from .reorient import ReorientReport, plan_reorientation
from .writer import WriteReport, write_joint_attributes


def apply_limit_set(
    limit_set: LimitSet,
    scene_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    *,
    replace: bool = False,
    lock_unmoved: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> WriteReport:
    """Write joint limits, degrees of freedom and preferred angles into a copy of a scene.

    Joints whose limits hold in an advised orientation are skipped: see :func:`apply_reoriented`.
    Raises MayaAsciiError as
    :func:`~jointlimits_core.formats.maya_ascii.writer.write_joint_attributes`. Raises ValueError
    for a limit set of the paper's mode.

    `limit_set`: in standard mode. `replace`: replace limits that joints already have.
    `lock_unmoved`: also write joints that do not move in the source. `limits`: bounds of
    reading the scene and the files that it references.
    """
    changes = changes_from_limit_set(limit_set, lock_unmoved)
    elsewhere = [name for name in changes if advice_to_follow(limit_set.joints[name])]
    own = {name: change for name, change in changes.items() if name not in elsewhere}
    report = write_joint_attributes(scene_path, out_path, own, replace=replace, limits=limits)
    advice = "use --reorient R or C to give the joint that orientation"
    reason = "its limits use another orientation"
    skipped = [Skipped(name, "", reason, advice) for name in elsewhere]
    return dataclasses.replace(report, skipped=(*report.skipped, *skipped))


def apply_reoriented(
    limit_set: LimitSet,
    scene_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    mode: str,
    *,
    replace: bool = False,
    lock_unmoved: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> tuple[WriteReport, ReorientReport]:
    """Re-orient joints to match their limits and write the limits, in one copy.

    A joint that cannot be re-oriented gets no limits: they would hold in the wrong orientation.
    Raises MayaAsciiError, ValueError as :func:`apply_limit_set`, and for a mode that is not known.

    Parameters
    ----------
    limit_set : LimitSet
        Of the standard mode.
    mode : str
        "R" to use rotateAxis, "C" to keep it zero and compensate what hangs on the joint.
    replace, lock_unmoved, limits
        As in :func:`apply_limit_set`.

    Returns
    -------
    limits : WriteReport
    frames : ReorientReport
    """
    changes = dict(changes_from_limit_set(limit_set, lock_unmoved))
    advised = {name: advice_to_follow(limit_set.joints[name]) for name in changes}
    advice = {name: one for name, one in advised.items() if one is not None}
    branches = {name: branch_of(limit_set.joints[name]) for name in advice}
    plan = plan_reorientation(
        scene_path, advice, mode, replaces_limits=replace, branches_deg=branches, limits=limits
    )
    for skipped in plan.plan.skipped:
        del changes[skipped.joint]
    report = write_joint_attributes(
        scene_path,
        out_path,
        changes,
        replace=replace,
        further=plan.edits,
        limits=limits,
        index=plan.index,
    )
    return report, plan.report(report.out_path)
