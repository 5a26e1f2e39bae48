"""What no other format has of a limit set, in one sentence: all that is known about the limits."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..limits.limit_set import LimitSet
from ..wording import all_findings, listed, plural
from .loss import Loss

SOURCES, TYPES, PREFERRED = "sources", "types", "preferred"
"""What a format may hold."""


def only_in_json(limit_set: LimitSet, holds: Collection[str] = ()) -> tuple[Loss, ...]:
    """One loss that names everything of this limit set that only the JSON keeps.

    Parameters
    ----------
    holds : collection of str
        What the format holds: :data:`SOURCES` (kind, grade, clip and frame of bounds),
        :data:`TYPES` of joints, :data:`PREFERRED` angles.

    Returns
    -------
    tuple of Loss
        None for a limit set that has nothing of the kind.
    """
    kept = [*_of_bounds(limit_set, holds), *_of_joints(limit_set, holds), *_of_all(limit_set)]
    return (Loss("only-in-json", f"kept only in the JSON: {listed(kept)}"),) if kept else ()


def _of_bounds(limit_set: LimitSet, holds: Collection[str]) -> Iterator[str]:
    axes = [axis for joint in limit_set.joints.values() for axis in joint.limits.values()]
    bounds = [end for axis in axes for end in (axis.source.min, axis.source.max) if end is not None]
    if bounds and SOURCES not in holds:
        yield "sources and grades of bounds"
    if any(bound.band_deg is not None for bound in bounds):
        yield "bands of bounds"


def _of_joints(limit_set: LimitSet, holds: Collection[str]) -> Iterator[str]:
    joints = list(limit_set.joints.values())
    if joints and TYPES not in holds:
        yield "types of joints"
    if any(joint.evidence.samples > 0 for joint in joints):
        yield "evidence for types"
    elsewhere = [joint for joint in joints if joint.preferred_deg != joint.rest.rotate_deg]
    if elsewhere and PREFERRED not in holds:
        yield "preferred angles other than the rest pose"
    if any(joint.advice is not None for joint in joints):
        yield "advice on frames"


def _of_all(limit_set: LimitSet) -> Iterator[str]:
    if limit_set.symmetry is not None:
        yield "how left and right differ"
    findings = all_findings(limit_set)
    if findings:
        yield plural(len(findings), "finding")
    if limit_set.edits:
        yield "the record of the artist's edits (what they decided is written)"
    if limit_set.clips:
        yield "names and hashes of clips"
    if limit_set.purpose:
        yield "the purpose"
    if limit_set.options:
        yield "options of the estimate"
