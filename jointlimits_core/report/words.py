"""Sentences of the report: reasons for a joint's type, sources of limits, poses."""

from __future__ import annotations

from ..limits.limit_set import AxisLimit, BoundSource, Evidence, JointLimit, LimitSet, RestPose
from ..wording import ON_CHANNEL_DEG, channel_letter, number, only_bound, plural, range_digits

TYPE_NAMES = {
    "fixed": "a fixed joint",
    "hinge": "a hinge",
    "universal": "a universal joint",
    "ball": "a ball joint",
}
TYPE_MEANINGS = {
    "fixed": "does not move",
    "hinge": "turns about one axis",
    "universal": "turns about two axes",
    "ball": "turns freely",
}
REMEDY_NAMES = {
    "nearest-pose": "nearest pose of the motion",
    "middle": "middle of the range",
    "circular-mean": "circular mean of the motion",
}

STRICTNESS = {
    "lossless": "every sample is inside",
    "robust": "extremes reached only in single frames are outside, and listed",
    "generous": "wider than the motion on every side",
}

HOW_TO_READ = (
    "This page shows how far the recorded motion turned every joint of the character. Start with "
    "the table, and follow a joint’s name to its pictures.",
    "A joint’s type says how it moves: a fixed joint not at all, a hinge about one axis, a "
    "universal joint about two, a ball joint freely. Its limits are the range of each "
    "rotate channel in degrees.",
    "In every picture blue is the measured range, dashed green the gap that the motion never "
    "entered, and the orange diamond the rest pose.",
)


def degrees(value: float, digits: int = 1) -> str:
    """Degrees with a true minus sign."""
    return number(value, digits).replace("-", "−") + "°"


def range_text(limit: AxisLimit) -> str:
    """Range of a channel for the page: "−12.3° to 140.0°", "from −12.3°", "locked at 0.0°"."""
    only = only_bound(limit)
    if only is not None:
        return f"{'from' if only[0] else 'up to'} {degrees(only[1])}"
    if limit.state == "free" or limit.min_deg is None or limit.max_deg is None:
        return "no limit"
    low, high = degrees(limit.min_deg), degrees(limit.max_deg)
    if limit.state == "locked":
        return f"locked at {low}" if low == high else f"locked, {low} to {high}"
    digits = range_digits(limit.min_deg, limit.max_deg)
    return f"{degrees(limit.min_deg, digits)} to {degrees(limit.max_deg, digits)}"


def verdict(joint: JointLimit) -> str:
    """Reason for the joint's type, in two or three sentences."""
    evidence = joint.evidence
    if evidence.sure == "no motion":
        return "There is no motion to determine the type; the joint is treated as fixed."
    sentences = [_explains(joint.type, evidence)]
    runner_up = evidence.runner_up
    if runner_up is not None:
        left = evidence.residual_deg.get(runner_up)
        residual = "" if left is None or runner_up == "ball" else f", residual {degrees(left)}"
        close = "Close runner-up" if evidence.sure == "close" else "Runner-up"
        sentences.append(f"{close}: {TYPE_NAMES[runner_up]}{residual}.")
    if joint.parent is None and all(limit.state == "free" for limit in joint.limits.values()):
        sentences.append("As the root it carries the whole character, so it has no limits.")
    return " ".join(sentences)


def _explains(kind: str, evidence: Evidence) -> str:
    own = evidence.residual_deg.get(kind)
    if kind == "fixed":
        within = "close to" if own is None else f"within {degrees(own)} of"
        return f"The joint stays {within} one pose."
    if kind == "ball":
        lefts = ((other, evidence.residual_deg.get(other)) for other in ("universal", "hinge"))
        each = [f"{TYPE_NAMES[other]} would leave {degrees(left)}" for other, left in lefts if left]
        reason = f": {' and '.join(each)} unexplained" if each else ""
        return f"Only a ball joint explains the motion{reason}."
    name = TYPE_NAMES[kind].capitalize()
    if own is None:
        return f"{name} explains the motion."
    return f"{name} explains all but {degrees(own)} of the motion."


def evidence_basis(evidence: Evidence) -> str:
    """Basis of the evidence: samples, spread and noise."""
    spread = " × ".join(degrees(value) for value in evidence.spread_deg)
    noise = (
        f"noise of {degrees(evidence.noise_deg)} subtracted"
        if evidence.noise_deg > 0.0
        else "no noise subtracted"
    )
    return f"{plural(evidence.samples, 'sample')}, spread {spread} in three directions, {noise}."


def purpose_words(limit_set: LimitSet) -> str:
    """Purpose and strictness of the limits, in a sentence each; "" if neither is given."""
    sentences = [f"For {limit_set.purpose}."] if limit_set.purpose else []
    strictness = limit_set.options.get("strictness")
    if isinstance(strictness, str) and limit_set.mode != "paper":
        meaning = STRICTNESS.get(strictness)
        sentences.append(f"Strictness: {strictness}{f' ({meaning})' if meaning else ''}.")
    if limit_set.options.get("frame") == "advised":
        sentences.append("Limits are given in the advised orientations.")
    return " ".join(sentences)


def axis_words(joint: JointLimit) -> str | None:
    """Short form of a hinge's axis: "about X", "20.3° off X"; None for other joints."""
    if joint.hinge is None or joint.type != "hinge":
        return None
    letter, off = channel_letter(joint.hinge.channel), joint.hinge.off_channel_deg
    return f"about {letter}" if abs(off) < ON_CHANNEL_DEG else f"{degrees(off)} off {letter}"


def hinge_words(joint: JointLimit) -> str | None:
    """Axis and signed angle of a hinge; None for other joints."""
    hinge = joint.hinge
    if hinge is None:
        return None
    axis = ", ".join(number(value, 3).replace("-", "−") for value in hinge.axis_child)
    return (
        f"The axis is ({axis}) in the joint’s own frame, {degrees(hinge.off_channel_deg)} from "
        f"{channel_letter(hinge.channel)}; the angle about it ranges from {degrees(hinge.min_deg)} "
        f"to {degrees(hinge.max_deg)}, zero at the rest pose."
    )


def bound_words(bound: BoundSource | None) -> str:
    """Source of a limit."""
    if bound is None:
        return "–"
    if bound.kind == "prior":
        return "from published ranges"
    if bound.kind == "artist":
        return "set by the artist"
    words = bound.clip or "the motion"
    if bound.frame is not None:
        words += f", frame {bound.frame:.10g}"
    if bound.kind == "padded" and bound.value_deg is not None:
        words += f", padded beyond {degrees(bound.value_deg)}"
    return words


def pose_words(pose: RestPose) -> str:
    """Whether a pose is inside the limits."""
    return "inside the limits" if pose.feasible else f"{degrees(pose.outside_deg)} outside"
