"""Sentences on a joint's orientation: the one its limits use, and a better one if there is."""

from __future__ import annotations

from ..limits.frame_advice import FrameAdvice
from ..limits.limit_set import Frame, JointLimit
from .words import degrees

_WHOSE = {
    "own": "In the joint’s own orientation",
    "advised": "In the advised orientation, not the joint’s own",
}


def frame_words(frame: Frame) -> str:
    """Orientation that limits use: "In the joint’s own orientation: rotate order xyz, ..."."""
    whose = _WHOSE.get(frame.kind, f"In an orientation of kind “{frame.kind}”")
    setting = _setting(frame.rotate_order, frame.joint_orient_deg, frame.rotate_axis_deg)
    return f"{whose}: {setting}."


def advice_words(joint: JointLimit) -> str:
    """Orient advice of a joint, with its gain and its cost.

    Returns
    -------
    str
        Sentences; "" without advice.
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
        sentences.append("The limits above are those of the advised orientation.")
    return " ".join(sentences)


def _setting(
    order: str, orient: tuple[float, float, float], axis: tuple[float, float, float]
) -> str:
    words = f"rotate order {order}, joint orient {_triple(orient)}"
    return f"{words}, rotate axis {_triple(axis)}" if any(axis) else words


def _triple(angles: tuple[float, float, float]) -> str:
    return ", ".join(degrees(angle) for angle in angles)


def _figures(advice: FrameAdvice) -> list[str]:
    """Gain of the advice in box size, and the loss of a strict hold."""
    sentences = []
    before, after = advice.box_share_before, advice.box_share_after
    if before is not None and after is not None:
        shares = (f"{100.0 * share:.2g} %" for share in (before, after))
        sentences.append(
            "The box of its channels shrinks from {} to {} of all rotations.".format(*shares)
        )
    if advice.strict_max_deg is not None and advice.locked:
        sentences.append(
            f"Holding the other channels at zero changes no pose by more than "
            f"{degrees(advice.strict_max_deg)}."
        )
    return sentences
