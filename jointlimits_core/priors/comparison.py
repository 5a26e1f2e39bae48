"""Comparison of measured ranges with published normal ranges.

Only hinges are compared: their angle is the anatomical one up to an offset. Flexion is assumed to
be the direction with the clearly larger range, and the rest pose the anatomical position; since
that pose may be bent, only the size of the range counts. The channels of ball and universal joints
are not anatomical axes, so these are not compared; the published figures of
:func:`jointlimits_core.priors.collection.matched_prior` can be shown beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..limits.limit_set import Hinge, LimitSet
from .collection import PriorRange

SLACK_DEG = 5.0
"""Accuracy of goniometers and rest poses."""
FAR_INSIDE = 0.5
"""Share of the normal range below which a joint is far inside it."""

CLEAR_SIDE = 1.5
"""Least ratio of the two sides of the rest pose for the larger to count as flexion."""

VERDICTS = ("beyond", "within", "far inside", "not compared")


@dataclass(frozen=True)
class PriorComparison:
    """Comparison of one joint with its normal range.

    Parameters
    ----------
    verdict : str
        "beyond" the widest published range, "within" it, "far inside" the typical range, or
        "not compared".
    data_deg : (float, float), optional
        Measured hinge range with flexion positive.
    typical_deg, widest_deg : (float, float), optional
        Published range on the same scale.
    beyond_deg : float
        Excess over the widest range, at least 0.
    used : float, optional
        Size of the measured range as a share of the typical one.
    why : str
        Explanation.
    """

    joint: str
    part: str
    verdict: str
    data_deg: tuple[float, float] | None
    typical_deg: tuple[float, float] | None
    widest_deg: tuple[float, float] | None
    beyond_deg: float
    used: float | None
    why: str


def compared_with_prior(
    limit_set: LimitSet, prior: Mapping[str, PriorRange]
) -> tuple[PriorComparison, ...]:
    """Compare every joint that has a prior.

    Parameters
    ----------
    prior : mapping of joint name to PriorRange
        From :func:`jointlimits_core.priors.collection.matched_prior`.

    Returns
    -------
    tuple of PriorComparison
        In the order of the limit set.
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
    verdict, why = _verdict(prior, beyond, used)
    data = (ends[0], ends[1])
    beyond = beyond if verdict == "beyond" else 0.0
    return PriorComparison(joint, prior.part, verdict, data, typical, widest, beyond, used, why)


def _verdict(prior: PriorRange, beyond: float, used: float | None) -> tuple[str, str]:
    if beyond > SLACK_DEG:
        why = f"its range is {beyond:.0f} degrees larger than any published for the {prior.part}"
        return "beyond", why
    share = 100.0 * (used or 0.0)
    if used is not None and used < FAR_INSIDE:
        return "far inside", f"used {share:.0f} % of the normal range of the {prior.part}"
    return "within", f"used {share:.0f} % of the normal range of the {prior.part}"
