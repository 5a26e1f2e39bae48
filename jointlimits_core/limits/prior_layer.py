"""Prior as the lowest layer of limits: it can widen measured limits, never narrow them.

Only hinges are compared with published ranges: their angle is the anatomical one up to an offset.
Flexion is assumed to be the direction with the clearly larger range, and the rest pose the
anatomical position; since that pose may be bent, only the size of the range counts. The channels of
ball and universal joints are not anatomical axes; the published figures of
:func:`jointlimits_core.limits.priors.matched_prior` can be shown beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ..base.findings import Finding
from ..geometry.euler import CHANNELS
from .layers import with_edits, without_edits
from .limit_set import AxisLimit, AxisSource, BoundSource, Hinge, JointLimit, LimitSet
from .priors import PriorRange
from .ranges import ranged, span_of, with_limits

SLACK_DEG = 5.0
"""Accuracy of goniometers and rest poses."""
FAR_INSIDE = 0.5
"""Share of the normal range below which a joint is far inside it."""

CLEAR_SIDE = 1.5
"""Least ratio of the two sides of the rest pose for the larger to count as flexion."""

MODES = ("widen", "report")
ON_CHANNEL_DEG = 10.0
"""Largest angle of a hinge from the channel that is widened."""
SAME_DEG = 5.0
"""Largest difference between channel and hinge angle."""
ENOUGH_DEG = 0.1
"""Smallest change of a limit."""
VERDICT_RULES = ("prior-beyond", "prior-far-inside")


class PriorComparison(NamedTuple):
    """Comparison of one joint with its normal range."""

    joint: str
    part: str
    verdict: str
    """One of "beyond" the widest published range, "within" it, "far inside" the typical range, or
    "not compared"."""
    data_deg: tuple[float, float] | None
    """Measured hinge range with flexion positive."""
    typical_deg: tuple[float, float] | None
    widest_deg: tuple[float, float] | None
    """Published range on the same scale."""
    beyond_deg: float
    """Excess over the widest range, at least 0."""
    used: float | None
    """Size of the measured range as a share of the typical one."""
    why: str


def compared_with_prior(
    limit_set: LimitSet, prior: Mapping[str, PriorRange]
) -> tuple[PriorComparison, ...]:
    """Compare every joint that has a prior.

    `prior`, mapping of joint name to PriorRange: from
    :func:`jointlimits_core.limits.priors.matched_prior`. The result is in the order of the limit
    set.
    """
    return tuple(
        _compared(name, joint.type, joint.hinge, prior[name])
        for name, joint in limit_set.joints.items()
        if name in prior
    )


def flexion_sign(hinge: Hinge) -> int:
    """Direction with the clearly larger range of a hinge: +1 or -1; 0 if undecided."""
    low, high = abs(min(hinge.min_deg, 0.0)), abs(max(hinge.max_deg, 0.0))
    if hinge.min_deg > 0.0 or hinge.max_deg < 0.0:
        return 1 if hinge.min_deg > 0.0 else -1
    if max(low, high) < CLEAR_SIDE * min(low, high):
        return 0
    return 1 if high >= low else -1


def hinge_ranges(
    prior: PriorRange, pair: tuple[str, str]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Typical and widest range of a hinge with flexion positive, degrees."""
    far, near = pair
    return (
        (0.0 - prior.typical_deg(near), prior.typical_deg(far)),
        (0.0 - prior.widest_deg(near), prior.widest_deg(far)),
    )


def _compared(joint: str, kind: str, hinge: Hinge | None, prior: PriorRange) -> PriorComparison:
    why = None
    sign = 0 if hinge is None else flexion_sign(hinge)
    if kind == "fixed":
        why = "it did not move"
    elif prior.hinge is None or hinge is None:
        why = f"a {kind} joint: its channels are not the anatomical axes of the {prior.part}"
    elif sign == 0:
        why = "both directions have similar ranges, so flexion cannot be identified"
    if why is not None or prior.hinge is None or hinge is None:
        none = (None, None, None)
        return PriorComparison(joint, prior.part, "not compared", *none, 0.0, None, why or "")
    ends = sorted((sign * hinge.min_deg, sign * hinge.max_deg))
    typical, widest = hinge_ranges(prior, prior.hinge)
    size, normal, most = (high - low for low, high in (ends, typical, widest))
    # A bent rest pose shifts both ends equally, so only the size is compared.
    beyond = max(size - most, 0.0)
    used = size / normal if normal > 0.0 else None
    share = 100.0 * (used or 0.0)
    verdict, why = "within", f"used {share:.0f} % of the normal range of the {prior.part}"
    if beyond > SLACK_DEG:
        verdict = "beyond"
        why = f"its range is {beyond:.0f} degrees larger than any published for the {prior.part}"
    elif used is not None and used < FAR_INSIDE:
        verdict = "far inside"
    data = (ends[0], ends[1])
    beyond = beyond if verdict == "beyond" else 0.0
    return PriorComparison(joint, prior.part, verdict, data, typical, widest, beyond, used, why)


def with_prior(
    limit_set: LimitSet, prior: Mapping[str, PriorRange], mode: str = "widen"
) -> LimitSet:
    """Apply a prior below the measured limits.

    Measured limits are never narrowed, and an artist's edits stay on top. Raises ValueError for an
    unknown mode. `prior`, mapping of joint name to PriorRange: from
    :func:`jointlimits_core.limits.priors.matched_prior`. `mode`: "report" only adds findings where
    the motion exceeds the published ranges or uses little of them. "widen" also moves the limits of
    hinges that lie on a channel out to the typical range; such limits have the source kind "prior"
    and a finding.
    """
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    edits = limit_set.edits
    data = without_edits(limit_set)
    joints = dict(data.joints)
    for found in compared_with_prior(data, prior):
        # Its finding replaces an earlier one.
        joint, rule = joints[found.joint], f"prior-{found.verdict.replace(' ', '-')}"
        wanted = [Finding(rule, found.why, found.joint)] if rule in VERDICT_RULES else []
        if [finding for finding in joint.findings if finding.rule in VERDICT_RULES] != wanted:
            kept = [finding for finding in joint.findings if finding.rule not in VERDICT_RULES]
            joints[found.joint] = replace(joint, findings=(*kept, *wanted))
    if mode == "widen":
        for name in joints.keys() & prior.keys():
            joints[name] = _widened(name, joints[name], prior[name])
    under = replace(data, joints=joints)
    return with_edits(under, edits) if edits else under


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
    wider = ranged((), *bounds, source, False)
    text = (
        f"{hinge.channel} was widened from {span[0]:.1f}..{span[1]:.1f} to {bounds[0]:.1f}.."
        f"{bounds[1]:.1f}, the normal range of the {prior.part}: "
        + "; ".join(prior.sources(prior.hinge))
    )
    noted = replace(joint, findings=(*joint.findings, Finding("prior-widened", text, name)))
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
