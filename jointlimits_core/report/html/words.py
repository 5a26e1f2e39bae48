"""Sentences of the page: types, sources of limits, poses, orientations, and marks of grades."""

from __future__ import annotations

from functools import lru_cache

from ...base.text import channel_letter, number, plural
from ...limits import vocabulary
from ...limits.limit_set import BoundSource, Evidence, Frame, JointLimit, LimitSet, RestPose
from ...limits.ranges import is_unexplained
from .dials import glyph
from .document import Html, element, joined

REMEDY_NAMES = {
    "nearest-pose": "nearest pose of the motion",
    "middle": "middle of the range",
    "circular-mean": "circular mean of the motion",
}

STRICTNESS = {
    "lossless": "every sample that is not left out is inside",
    "robust": "extremes reached only in single frames are outside, and listed",
    "generous": "wider than the motion on every side",
}

HOW_TO_READ = (
    "Click a joint, on the figure or in the list, to open it. Point at a limit to see the pose "
    "behind it, and click to go to that frame.",
    "A joint’s type says how it moves: a fixed joint not at all, a hinge about one axis, a "
    "universal joint about two, a ball joint freely. Its limits are the range of each "
    "rotate channel in degrees.",
    "Blue is the measured range, dashed green the gap that the motion never entered, and the "
    "hollow diamond the rest pose.",
)


def verdict(joint: JointLimit) -> str:
    """Reason for the joint's type, in two or three sentences."""
    evidence = joint.evidence
    if evidence.sure == "no motion" and is_unexplained(joint):
        return "Its rotate channels do not explain how it turns, so its type is not measured."
    if evidence.sure == "no motion":
        return "There is no motion to determine the type; the joint is treated as fixed."
    sentences = [_explains(joint.type, evidence)]
    runner_up = evidence.runner_up
    if runner_up is not None:
        left = evidence.residual_deg.get(runner_up)
        residual = (
            "" if left is None or runner_up == "ball" else f", residual {vocabulary.degrees(left)}"
        )
        close = "Close runner-up" if evidence.sure == "close" else "Runner-up"
        sentences.append(f"{close}: {vocabulary.TYPE_NAMES[runner_up]}{residual}.")
    if joint.is_root and all(limit.state == "free" for limit in joint.limits.values()):
        sentences.append("As the root it carries the whole character, so it has no limits.")
    return " ".join(sentences)


def _explains(kind: str, evidence: Evidence) -> str:
    own = evidence.residual_deg.get(kind)
    if kind == "fixed":
        within = "close to" if own is None else f"within {vocabulary.degrees(own)} of"
        return f"The joint stays {within} one pose."
    if kind == "ball":
        lefts = ((other, evidence.residual_deg.get(other)) for other in ("universal", "hinge"))
        each = [
            f"{vocabulary.TYPE_NAMES[other]} would leave {vocabulary.degrees(left)}"
            for other, left in lefts
            if left
        ]
        reason = f": {' and '.join(each)} unexplained" if each else ""
        return f"Only a ball joint explains the motion{reason}."
    name = vocabulary.TYPE_NAMES[kind].capitalize()
    if own is None:
        return f"{name} explains the motion."
    return f"{name} explains all but {vocabulary.degrees(own)} of the motion."


def evidence_basis(evidence: Evidence) -> str:
    """Basis of the evidence: samples, spread and noise."""
    spread = " × ".join(vocabulary.degrees(value) for value in evidence.spread_deg)
    noise = (
        f"noise of {vocabulary.degrees(evidence.noise_deg)} subtracted"
        if evidence.noise_deg > 0.0
        else "no noise subtracted"
    )
    return f"{plural(evidence.samples, 'sample')}, spread {spread} in three directions, {noise}."


def strictness_words(limit_set: LimitSet) -> str:
    """Strictness of the limits, and advised orientations, in a sentence each."""
    sentences = []
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
    return (
        f"about {letter}"
        if abs(off) < vocabulary.ON_CHANNEL_DEG
        else f"{vocabulary.degrees(off)} off {letter}"
    )


def hinge_words(joint: JointLimit) -> str | None:
    """Axis and signed angle of a hinge; None for other joints."""
    hinge = joint.hinge
    if hinge is None:
        return None
    axis = ", ".join(number(value, 3).replace("-", vocabulary.MINUS) for value in hinge.axis_child)
    off, low, high = map(vocabulary.degrees, (hinge.off_channel_deg, hinge.min_deg, hinge.max_deg))
    return (
        f"The axis is ({axis}) in the joint’s own frame, {off} from "
        f"{channel_letter(hinge.channel)}; "
        f"the angle about it ranges from {low} to {high}, zero at the rest pose."
    )


def limit_source(bound: BoundSource | None) -> str:
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
        words += f", padded beyond {vocabulary.degrees(bound.value_deg)}"
    return words


def pose_words(pose: RestPose) -> str:
    """Whether a pose is inside the limits."""
    return (
        "inside the limits" if pose.feasible else f"{vocabulary.degrees(pose.outside_deg)} outside"
    )


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
    """Orient advice of a joint, with its gain and its cost; empty without advice."""
    advice = joint.advice
    if advice is None or not advice.text:
        return ""
    followed = joint.frame.kind == "advised" and advice.changes
    sentences = [f"{advice.text}."]
    if advice.mode in ("R", "C"):
        setting = _setting(advice.rotate_order, advice.joint_orient_deg, advice.rotate_axis_deg)
        sentences += [] if followed else [f"It takes {setting}."]
        before, after = advice.box_share_before, advice.box_share_after
        if before is not None and after is not None:
            shares = (f"{100.0 * share:.2g} %" for share in (before, after))
            sentences.append(
                "The box of its channels shrinks from {} to {} of all rotations.".format(*shares)
            )
        if advice.strict_max_deg is not None and advice.locked:
            sentences.append(
                f"Holding the other channels at zero changes no pose by more than "
                f"{vocabulary.degrees(advice.strict_max_deg)}."
            )
    if followed:
        sentences.append("The limits above are those of the advised orientation.")
    return " ".join(sentences)


def _setting(
    order: str, orient: tuple[float, float, float], axis: tuple[float, float, float]
) -> str:
    words = f"rotate order {order}, joint orient {_triple(orient)}"
    return f"{words}, rotate axis {_triple(axis)}" if any(axis) else words


def _triple(angles: tuple[float, float, float]) -> str:
    return ", ".join(vocabulary.degrees(angle) for angle in angles)


FLAT = "flat"
"""Kind of the shapes of hinges and universal joints, which have no volume."""


def coupled_words(limit: JointLimit) -> str:
    """Caption for the net in the cloud; empty for a joint whose shape has no volume."""
    coupled = limit.coupled
    if coupled is None or coupled.kind == FLAT:
        return ""
    return (
        f"The net is its coupled limit ({coupled.kind}, {coupled.pad_deg:g}° beyond the samples): "
        f"{100 * coupled.freedom:.2g} % of all rotations. "
    )


@lru_cache(maxsize=64)
def grade_mark(word: str) -> Html:
    """Shape and word of a grade or a layer, given as stored."""
    known = word if word in (*vocabulary.GRADE_NAMES, *vocabulary.LAYERS) else "untested"
    return element(
        "span",
        glyph(word),
        vocabulary.mark_name(word),
        class_=f"grade grade-{known}",
        title=vocabulary.GRADE_MEANINGS.get(word),
    )


def limit_mark(bound: BoundSource | None) -> Html | None:
    """Mark of a limit; None for one without a grade."""
    if bound is None:
        return None
    if bound.kind in vocabulary.LAYERS:
        return grade_mark(bound.kind)
    return grade_mark(bound.grade) if vocabulary.is_graded(bound) else None


def grades_legend() -> Html:
    """All grades with their meanings, in one sentence."""
    parts: list[object] = ["Every limit has a grade: "]
    for grade in (*reversed(vocabulary.GRADES), vocabulary.TURNS):
        parts += [grade_mark(grade), f" – {vocabulary.GRADE_MEANINGS[grade]}; "]
    return joined(
        [
            *parts,
            "the pale ends of a range show how far more motion of the same kind may move the limit "
            "(90 % band). Grades are about limits, “how sure” is about the joint type.",
        ]
    )
