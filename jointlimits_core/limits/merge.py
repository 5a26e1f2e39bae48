"""Merging of several limit sets of one character."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from ..base import Finding, LimitSetError
from .layers import with_edits, without_edits
from .limit_set import AxisLimit, AxisSource, BoundSource, ClipRecord, Hinge, JointLimit, LimitSet
from .ranges import intersection_of, ranged, same_orientation, span_of, union_of, with_limits
from .records import JOINT_TYPES, combined
from .symmetry import joined_hinge, same_way
from .vocabulary import range_words

MERGE_METHODS = ("union", "intersection", "layers")
_STRENGTHS = {"prior": 0, "observed": 1, "padded": 1, "artist": 2}
"""Strength of a limit by its kind."""


def merge(base: LimitSet, others: Sequence[LimitSet], how: str = "union") -> LimitSet:
    """Merge limit sets of one character.

    Joints in only one set are kept as they are. Artist's edits of all sets are kept, later ones
    replacing earlier ones of the same property. Clips are listed once. A coupled limit is kept only
    where all sets have the same one, as different shapes cannot be merged. Raises LimitSetError
    naming the joint, for limits in different orientations or an empty intersection. Raises
    ValueError for an unknown `how`. `base`: provides the name, the mode and the options. `how`:
    "union" contains every pose that any set contains; its limits do not depend on order or
    grouping. "intersection" contains the poses common to all. "layers" takes each min and max from
    the strongest layer (artist over data over prior), and from the last set among equally strong
    ones.
    """
    if how not in MERGE_METHODS:
        raise ValueError(f"how must be one of {', '.join(MERGE_METHODS)}, not {how!r}")
    sets = [base, *others]
    differing = next((item for item in others if item.mode != base.mode), None)
    if differing is not None:
        raise LimitSetError(
            differing.character,
            f"cannot merge limits of mode {differing.mode!r} with limits of mode {base.mode!r}",
        )
    for item in others:
        if item.character != base.character and not set(item.joints) & set(base.joints):
            raise LimitSetError(
                item.character,
                f"has no joint in common with {base.character}; merge sets of one character",
            )
    edits = combined(*(item.edits for item in sets))
    data = reduce(lambda a, b: _merged(a, b, how), map(without_edits, sets))
    data = replace(data, findings=_once([*data.findings, *_options_findings(sets)]))
    return with_edits(data, edits) if edits else data


def _merged(first: LimitSet, second: LimitSet, how: str) -> LimitSet:
    joints = dict(first.joints)
    for name, joint in second.joints.items():
        own = joints.get(name)
        joints[name] = joint if own is None else _merged_joint(name, own, joint, how)
    return replace(
        first,
        joints=joints,
        clips=_merged_clips(first.clips, second.clips),
        # A dependency that one set has not observed does not hold for both.
        dependencies=tuple(d for d in first.dependencies if d in second.dependencies),
        findings=_once([*first.findings, *second.findings]),
    )


def _merged_joint(name: str, first: JointLimit, second: JointLimit, how: str) -> JointLimit:
    """Joint with merged ranges and the evidence of the estimate with more samples."""
    _check_frames(name, first, second)
    if how == "layers" and first.evidence.samples > second.evidence.samples == 0:
        # Declared limits rank below measured ones; what they leave free carries no information.
        first, second = second, first
    better = max(first, second, key=_weight)
    limits = {
        channel: _merged_axis(how, name, channel, axis, second.limits[channel])
        for channel, axis in first.limits.items()
    }
    mobility = [JOINT_TYPES.index(first.type), JOINT_TYPES.index(second.type)]
    kinds = {"union": max(mobility), "intersection": min(mobility), "layers": mobility[1]}
    kind = JOINT_TYPES[kinds[how]]
    alike = [joint for joint in (first, second) if joint.type == kind]
    coupled = first.coupled if first.coupled == second.coupled else None
    findings = [*first.findings, *second.findings]
    if coupled is None and (first.coupled or second.coupled) is not None:
        text = "the merged sets have different coupled limits; fit one to the clips of all sets"
        findings.append(Finding("shape-dropped", text, name))
    joint = replace(
        better,
        type=kind,
        hinge=_merged_hinge(alike, how),
        universal=max(alike, key=_weight).universal,
        coupled=coupled,
        root=first.is_root or second.is_root,
        animated=first.animated or second.animated,
        findings=_once(findings),
    )
    return with_limits(joint, limits)


def _weight(joint: JointLimit) -> tuple[int, str]:
    """Sort key among estimates of a joint, from fields that merging does not change."""
    return joint.evidence.samples, repr((joint.evidence, joint.frame))


def _merged_hinge(joints: Sequence[JointLimit], how: str) -> Hinge | None:
    """Hinge of the estimate with more samples, with both ranges merged where the axes agree."""
    ranked = sorted(joints, key=_weight, reverse=True)
    own, other = ranked[0].hinge, ranked[-1].hinge
    if own is None or other is None or how == "layers":
        return joints[-1].hinge
    union = joined_hinge(own, other)
    if how == "union":
        return union
    turned = same_way(other, own)
    low, high = max(own.min_deg, turned.min_deg), min(own.max_deg, turned.max_deg)
    return replace(own, min_deg=low, max_deg=high) if low <= high else own


def _check_frames(name: str, first: JointLimit, second: JointLimit) -> None:
    if not same_orientation(first.frame, second.frame):
        raise LimitSetError(
            name,
            "cannot merge limits in different orientations (rotate order, joint orient or rotate "
            "axis); estimate both sets in the same orientation",
        )
    if set(first.limits) != set(second.limits):
        raise LimitSetError(
            name,
            "cannot merge limits of different channels: "
            f"{', '.join(first.limits)} and {', '.join(second.limits)}",
        )


def _merged_axis(how: str, name: str, channel: str, a: AxisLimit, b: AxisLimit) -> AxisLimit:
    if how == "union":
        return union_of(a, b)
    if how == "layers":
        return _strongest(a, b)
    common = intersection_of(a, b)
    if common is None:
        raise LimitSetError(
            name,
            f"{channel} has no angle that all sets allow: {range_words(a)} and {range_words(b)} "
            "degrees; leave the joint out or merge with --how union",
        )
    return common


def _strongest(first: AxisLimit, second: AxisLimit) -> AxisLimit:
    """Each min and max from the stronger layer, from the second set where they are equal."""
    a, b = span_of(first), span_of(second)
    if a is None or b is None:
        return second
    keeps = [
        _strength(mine) > _strength(other)
        for mine, other in zip(
            (first.source.min, first.source.max), (second.source.min, second.source.max)
        )
    ]
    low, high = (mine if keep else other for keep, mine, other in zip(keeps, a, b))
    if low > high:
        return second
    low_source = (first if keeps[0] else second).source.min
    high_source = (first if keeps[1] else second).source.max
    locked = first.state == second.state == "locked" or (
        second.state == "locked" and not any(keeps)
    )
    return ranged(second, low, high, AxisSource(low_source, high_source), locked)


def _strength(source: BoundSource | None) -> int:
    return _STRENGTHS["observed" if source is None else source.kind]


def _merged_clips(
    first: Sequence[ClipRecord], second: Sequence[ClipRecord]
) -> tuple[ClipRecord, ...]:
    clips = {(clip.name, clip.sha256, clip.frames): clip for clip in (*first, *second)}
    return tuple(clips.values())


def _options_findings(sets: Sequence[LimitSet]) -> list[Finding]:
    """Findings about options that differ between the estimates."""
    found = []
    # Sets declared in a file have no options.
    estimated = [item for item in sets if item.options]
    for key in dict.fromkeys(key for item in estimated for key in item.options):
        values = list(dict.fromkeys(repr(item.options.get(key)) for item in estimated))
        if len(values) > 1:
            text = f"the merged sets were estimated with different {key}: {', '.join(values)}"
            found.append(Finding("merged-options", text))
    return found


def _once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(findings))
