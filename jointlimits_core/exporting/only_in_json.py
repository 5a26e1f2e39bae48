"""Loss that names everything in a limit set that only the JSON holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..limits.limit_set import LimitSet
from ..wording import all_findings, listed, plural
from .loss import Loss

SOURCES, TYPES, PREFERRED = "sources", "types", "preferred"
"""Kinds of content that a format may hold."""


def only_in_json(limit_set: LimitSet, holds: Collection[str] = ()) -> tuple[Loss, ...]:
    """One loss that lists everything in this limit set that only the JSON keeps.

    Parameters
    ----------
    holds : collection of str
        What the format holds: :data:`SOURCES` (kind, grade, clip and frame of limits),
        :data:`TYPES` of joints, :data:`PREFERRED` angles.

    Returns
    -------
    tuple of Loss
        Empty for a limit set with no such content.
    """
    kept = [*_of_bounds(limit_set, holds), *_of_joints(limit_set, holds), *_of_all(limit_set)]
    return (Loss("only-in-json", f"kept only in the JSON: {listed(kept)}"),) if kept else ()


def _of_bounds(limit_set: LimitSet, holds: Collection[str]) -> Iterator[str]:
    axes = [axis for joint in limit_set.joints.values() for axis in joint.limits.values()]
    bounds = [end for axis in axes for end in (axis.source.min, axis.source.max) if end is not None]
    if bounds and SOURCES not in holds:
        yield "sources and grades of limits"
    if any(bound.band_deg is not None for bound in bounds):
        yield "bands of limits"


def _of_joints(limit_set: LimitSet, holds: Collection[str]) -> Iterator[str]:
    joints = list(limit_set.joints.values())
    if joints and TYPES not in holds:
        yield "joint types"
    if any(joint.evidence.samples > 0 for joint in joints):
        yield "evidence for joint types"
    elsewhere = [joint for joint in joints if joint.preferred_deg != joint.rest.rotate_deg]
    if elsewhere and PREFERRED not in holds:
        yield "preferred angles other than the rest pose"
    if any(joint.advice is not None for joint in joints):
        yield "orient advice"


def _of_all(limit_set: LimitSet) -> Iterator[str]:
    if limit_set.symmetry is not None:
        yield "left/right differences"
    findings = all_findings(limit_set)
    if findings:
        yield plural(len(findings), "finding")
    if limit_set.edits:
        yield "the record of artist edits (their values are written)"
    if limit_set.clips:
        yield "clip names and hashes"
    if limit_set.purpose:
        yield "the purpose"
    if limit_set.options:
        yield "estimate options"
