"""Prior as the lowest layer of limits: it can widen measured limits, but never narrow them.

Only hinges are compared with published ranges, because their angle is the anatomical one up to an
offset. Flexion is assumed to be the direction with the clearly larger range, and the rest pose to
be the anatomical position. The channels of ball and universal joints are not anatomical axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..base.findings import Finding
from ..geometry.euler import CHANNELS
from . import layers, priors, ranges
from .limit_set import AxisLimit, AxisSource, BoundSource, Hinge, JointLimit, LimitSet

SLACK_DEG = 5.0
"""Accuracy of goniometers and rest poses."""
MIN_USED_SHARE = 0.5
"""A joint is far inside the normal range if it uses less than this share of it."""

MIN_SIDES_RATIO = 1.5
"""The larger side of the rest pose counts as flexion if it is this many times the smaller."""

MODES = ("widen", "report")
RULES = ("prior-beyond", "prior-far-inside")
"""Rules for findings from a comparison, which replace findings from earlier comparisons."""
MAX_OFF_CHANNEL_DEG = 10.0
"""Largest angle between a hinge's axis and the channel that is widened."""
SAME_DEG = 5.0
"""Channel angle and hinge angle count as equal if they differ by no more than this."""
MIN_CHANGE_DEG = 0.1
"""Changes of a limit smaller than this are skipped."""


def flexion_sign(hinge: Hinge) -> int:
    """Direction in which a hinge has clearly more range: +1 or -1; 0 if undecided."""
    low, high = abs(min(hinge.min_deg, 0.0)), abs(max(hinge.max_deg, 0.0))
    if hinge.min_deg > 0.0 or hinge.max_deg < 0.0:
        return 1 if hinge.min_deg > 0.0 else -1
    if max(low, high) < MIN_SIDES_RATIO * min(low, high):
        return 0
    return 1 if high >= low else -1


def typical_range(prior: priors.PriorRange, pair: tuple[str, str]) -> tuple[float, float]:
    """Typical range of a hinge with flexion positive, degrees."""
    return 0.0 - prior.typical_deg(pair[1]), prior.typical_deg(pair[0])


def prior_finding(name: str, joint: JointLimit, prior: priors.PriorRange) -> Finding | None:
    """Finding about a hinge beyond every published range, or far inside the typical one.

    A bent rest pose shifts both ends equally, so only the size is compared.
    """
    hinge, pair = joint.hinge, prior.hinge
    if joint.type == "fixed" or hinge is None or pair is None or flexion_sign(hinge) == 0:
        return None
    size, (low, high) = hinge.max_deg - hinge.min_deg, typical_range(prior, pair)
    beyond = size - (prior.widest_deg(pair[0]) + prior.widest_deg(pair[1]))
    if beyond > SLACK_DEG:
        text = f"bends {beyond:.0f} degrees more than published {prior.part} ranges"
        return Finding("prior-beyond", text, name)
    used = size / (high - low) if high > low else 1.0
    if used >= MIN_USED_SHARE:
        return None
    text = f"used {100.0 * used:.0f} % of the normal range of the {prior.part}"
    return Finding("prior-far-inside", text, name)


def with_prior(
    limit_set: LimitSet, prior: Mapping[str, priors.PriorRange], mode: str = "widen"
) -> LimitSet:
    """Apply a prior as a layer below the measured limits.

    Measured limits are never narrowed, and an artist's edits stay on top. Raises ValueError for an
    unknown mode. `prior`, mapping of joint name to PriorRange: from
    :func:`jointlimits_core.limits.priors.matched_prior`. `mode`: "report" only adds findings about
    motion that exceeds the published ranges or uses little of them; "widen" also moves the limits
    of hinges on a channel out to the typical range, with the source kind "prior" and a finding.
    """
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    data = layers.without_edits(limit_set)
    joints = dict(data.joints)
    for name in [name for name in joints if name in prior]:
        joint, found = joints[name], prior_finding(name, joints[name], prior[name])
        new = () if found is None else (found,)
        before = tuple(one for one in joint.findings if one.rule in RULES)
        if new != before:
            kept = (one for one in joint.findings if one not in before)
            joints[name] = replace(joint, findings=(*kept, *new))
        if mode == "widen":
            joints[name] = _widen(name, joints[name], prior[name])
    under = replace(data, joints=joints)
    return layers.with_edits(under, limit_set.edits) if limit_set.edits else under


def _widen(name: str, joint: JointLimit, prior: priors.PriorRange) -> JointLimit:
    """Joint with its hinge's channel widened to the typical range."""
    hinge = joint.hinge
    if hinge is None or prior.hinge is None or hinge.off_channel_deg > MAX_OFF_CHANNEL_DEG:
        return joint
    axis = joint.limits.get(hinge.channel, AxisLimit("free"))
    span = ranges.span_of(axis)
    if span is None:
        return joint
    rest = joint.rest.rotate_deg[CHANNELS.index(hinge.channel)]
    sign = flexion_sign(hinge) * _channel_sense(hinge, rest, span, axis.source)
    if not sign:
        return joint
    low, high = sorted(rest + sign * end for end in typical_range(prior, prior.hinge))
    lower, higher = low < span[0] - MIN_CHANGE_DEG, high > span[1] + MIN_CHANGE_DEG
    if not (lower or higher):
        return joint
    source = AxisSource(
        BoundSource("prior", value_deg=low) if lower else axis.source.min,
        BoundSource("prior", value_deg=high) if higher else axis.source.max,
    )
    bounds = (low if lower else span[0], high if higher else span[1])
    wider = ranges.make_range((), *bounds, source, False)
    text = (
        f"{hinge.channel} was widened from {span[0]:.1f}..{span[1]:.1f} to {bounds[0]:.1f}.."
        f"{bounds[1]:.1f}, the normal range of the {prior.part}: "
        + "; ".join(prior.sources(prior.hinge))
    )
    noted = replace(joint, findings=(*joint.findings, Finding("prior-widened", text, name)))
    return ranges.with_limits(noted, {**joint.limits, hinge.channel: wider})


def _channel_sense(hinge: Hinge, rest: float, span: tuple[float, float], source: AxisSource) -> int:
    """Sign of a channel relative to its hinge's angle, from the limits; 0 if neither sign fits."""
    reached = [
        bound if one is None or one.value_deg is None else one.value_deg
        for bound, one in zip(span, (source.min, source.max))
    ]
    senses = {1: (hinge.min_deg, hinge.max_deg), -1: (-hinge.max_deg, -hinge.min_deg)}
    differences = {
        sense: max(abs(rest + end - at) for end, at in zip(ends, reached))
        for sense, ends in senses.items()
    }
    best = min(differences, key=lambda sense: differences[sense])
    return best if differences[best] <= SAME_DEG else 0
