"""Sentences on a joint's frame: which one its limits hold in, and which one would be better."""

from __future__ import annotations

from ..limits.frame_advice import FrameAdvice
from ..limits.limit_set import Frame, JointLimit
from .words import degrees

_WHOSE = {
    "own": "In the joint’s own frame",
    "advised": "In the advised frame, not the joint’s own",
}


def frame_words(frame: Frame) -> str:
    """Frame that limits hold in: "In the joint’s own frame: rotate order xyz, joint orient ..."."""
    whose = _WHOSE.get(frame.kind, f"In a frame of kind “{frame.kind}”")
    setting = _setting(frame.rotate_order, frame.joint_orient_deg, frame.rotate_axis_deg)
    return f"{whose}: {setting}."


def advice_words(joint: JointLimit) -> str:
    """Advice on a joint's frame, with what it gains and what it costs.
    Returns
    -------
    str
        Sentences; "" where there is no advice.
    """
    advice = joint.advice
    if advice is None or not advice.text:
        return ""
    followed = joint.frame.kind == "advised" and advice.changes
    sentences = [f"{advice.text}."]
    if advice.mode in ("R", "C"):
        setting = _setting(advice.rotate_order, advice.joint_orient_deg, advice.rotate_axis_deg)
        sentences += [] if followed else [f"It takes {setting}."]
        sentences += _figures(advice)
    if followed:
        sentences.append("The limits above are those of the advised frame.")
    return " ".join(sentences)


def _setting(
    order: str, orient: tuple[float, float, float], axis: tuple[float, float, float]
) -> str:
    words = f"rotate order {order}, joint orient {_triple(orient)}"
    return f"{words}, rotate axis {_triple(axis)}" if any(axis) else words


def _triple(angles: tuple[float, float, float]) -> str:
    return ", ".join(degrees(angle) for angle in angles)


def _figures(advice: FrameAdvice) -> list[str]:
    """What the advice gains in the size of the box, and what a strict hold would lose."""
    sentences = []
    before, after = advice.box_share_before, advice.box_share_after
    if before is not None and after is not None:
        shares = (f"{100.0 * share:.2g} %" for share in (before, after))
        sentences.append(
            "The box of its channels shrinks from {} to {} of all turns.".format(*shares)
        )
    if advice.strict_max_deg is not None and advice.locked:
        sentences.append(
            f"Holding the other channels at zero changes no pose by more than "
            f"{degrees(advice.strict_max_deg)}."
        )
    return sentences
