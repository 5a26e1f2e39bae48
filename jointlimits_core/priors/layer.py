"""Prior as the lowest layer of limits: it can widen measured limits, never narrow them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..findings import Finding
from ..joint_frame import CHANNELS
from ..limits.layers import edits_of, with_edits, without_edits
from ..limits.limit_set import AxisLimit, AxisSource, BoundSource, Hinge, JointLimit, LimitSet
from ..limits.ranges import ranged, span_of, with_limits
from .collection import PriorRange
from .comparison import PriorComparison, compared_with_prior, flexion_sign, hinge_ranges

MODES = ("widen", "report")
ON_CHANNEL_DEG = 10.0
"""Largest angle of a hinge from the channel that is widened."""
SAME_DEG = 5.0
"""Largest difference between channel and hinge angle."""
ENOUGH_DEG = 0.1
"""Smallest change of a limit."""
VERDICT_RULES = ("prior-beyond", "prior-far-inside")


def with_prior(
    limit_set: LimitSet, prior: Mapping[str, PriorRange], mode: str = "widen"
) -> LimitSet:
    """Apply a prior below the measured limits.

    Measured limits are never narrowed, and an artist's edits stay on top.

    Parameters
    ----------
    prior : mapping of joint name to PriorRange
        From :func:`jointlimits_core.priors.collection.matched_prior`.
    mode : str
        "report" only adds findings where the motion exceeds the published ranges or uses little
        of them. "widen" also moves the limits of hinges that lie on a channel out to the typical
        range; such limits have the source kind "prior" and a finding.

    Raises
    ------
    ValueError
        For an unknown mode.
    """
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    edits = edits_of(limit_set)
    data = without_edits(limit_set)
    joints = dict(data.joints)
    for found in compared_with_prior(data, prior):
        joints[found.joint] = _judged(joints[found.joint], found)
    if mode == "widen":
        for name in joints.keys() & prior.keys():
            joints[name] = _widened(name, joints[name], prior[name])
    under = replace(data, joints=joints)
    return with_edits(under, edits) if edits else under


def _judged(joint: JointLimit, found: PriorComparison) -> JointLimit:
    """Joint with the finding of its verdict, replacing an earlier one."""
    rule = f"prior-{found.verdict.replace(' ', '-')}"
    wanted = [Finding(rule, found.why, found.joint)] if rule in VERDICT_RULES else []
    if [finding for finding in joint.findings if finding.rule in VERDICT_RULES] == wanted:
        return joint
    kept = [finding for finding in joint.findings if finding.rule not in VERDICT_RULES]
    return replace(joint, findings=(*kept, *wanted))


def _with_finding(joint: JointLimit, finding: Finding) -> JointLimit:
    return replace(joint, findings=(*joint.findings, finding))


def _widened(name: str, joint: JointLimit, prior: PriorRange) -> JointLimit:
    hinge = joint.hinge
    if hinge is None or prior.hinge is None or hinge.off_channel_deg > ON_CHANNEL_DEG:
        return joint
    if flexion_sign(hinge) == 0:
        return joint
    axis = joint.limits.get(hinge.channel)
    span = None if axis is None else span_of(axis)
    rest = joint.rest.rotate_deg[CHANNELS.index(hinge.channel)]
    turns = None if axis is None else _direction(axis, hinge, rest)
    if axis is None or span is None or turns is None:
        return joint
    typical, _ = hinge_ranges(prior, prior.hinge)
    sign = turns * flexion_sign(hinge)
    low, high = sorted(rest + sign * end for end in typical)
    lower, higher = low < span[0] - ENOUGH_DEG, high > span[1] + ENOUGH_DEG
    if not (lower or higher):
        return joint
    source = AxisSource(
        BoundSource("prior", value_deg=low) if lower else axis.source.min,
        BoundSource("prior", value_deg=high) if higher else axis.source.max,
    )
    bounds = (low if lower else span[0], high if higher else span[1])
    wider = ranged(axis, *bounds, source, False)
    text = (
        f"{hinge.channel} was widened from {span[0]:.1f}..{span[1]:.1f} to {bounds[0]:.1f}.."
        f"{bounds[1]:.1f}, the normal range of the {prior.part}: "
        + "; ".join(prior.sources(prior.hinge))
    )
    noted = _with_finding(joint, Finding("prior-widened", text, name))
    return with_limits(noted, {**joint.limits, hinge.channel: wider})


def _direction(axis: AxisLimit, hinge: Hinge, rest_deg: float) -> int | None:
    """Sense of the channel relative to the hinge angle: +1, -1, or None if unrelated."""
    low, high = (
        bound if source is None or source.value_deg is None else source.value_deg
        for bound, source in ((axis.min_deg, axis.source.min), (axis.max_deg, axis.source.max))
    )
    if low is None or high is None:
        return None
    along = max(abs(rest_deg + hinge.min_deg - low), abs(rest_deg + hinge.max_deg - high))
    against = max(abs(rest_deg - hinge.max_deg - low), abs(rest_deg - hinge.min_deg - high))
    if min(along, against) > SAME_DEG:
        return None
    return 1 if along <= against else -1
