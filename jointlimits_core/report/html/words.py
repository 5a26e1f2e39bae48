"""Sentences, marks, bars and dials of the page."""

from __future__ import annotations

from ...base.text import channel_letter, number, plural
from ...limits import limit_set, ranges, vocabulary
from ...motion.reorient import OrientAdvice
from ..figures import circle
from .page import Piece, piece

POSE_NAMES = {
    "rest-pose": "rest pose",
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


def verdict(joint: limit_set.JointLimit) -> str:
    """Reason for the joint's type, in two or three sentences."""
    evidence = joint.evidence
    if evidence.sure == "no motion" and ranges.is_unexplained(joint):
        return "Its rotate channels do not explain how it turns, so its type is not measured."
    if evidence.sure == "no motion":
        return "There is no motion to determine the type; the joint is treated as fixed."
    sentences = [_explains(joint.type, evidence)]
    runner_up = evidence.runner_up
    if runner_up is not None:
        left = None if runner_up == "ball" else evidence.residual_deg.get(runner_up)
        residual = "" if left is None else f", residual {vocabulary.degrees(left)}"
        close = "Close runner-up" if evidence.sure == "close" else "Runner-up"
        sentences.append(f"{close}: {vocabulary.TYPE_NAMES[runner_up]}{residual}.")
    if joint.is_root and all(limit.state == "free" for limit in joint.limits.values()):
        sentences.append("As the root it carries the whole character, so it has no limits.")
    return " ".join(sentences)


def _explains(kind: str, evidence: limit_set.Evidence) -> str:
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


def evidence_basis(evidence: limit_set.Evidence) -> str:
    """Basis of the evidence: samples, spread and noise."""
    spread, noise = " × ".join(map(vocabulary.degrees, evidence.spread_deg)), "no noise subtracted"
    if evidence.noise_deg > 0.0:
        noise = f"noise of {vocabulary.degrees(evidence.noise_deg)} subtracted"
    return f"{plural(evidence.samples, 'sample')}, spread {spread} in three directions, {noise}."


def strictness_words(limits: limit_set.LimitSet) -> str:
    """Strictness of the limits, and advised orientations, in a sentence each."""
    sentences = []
    strictness = limits.options.get("strictness")
    if isinstance(strictness, str) and limits.mode != "paper":
        meaning = STRICTNESS.get(strictness)
        sentences.append(f"Strictness: {strictness}{f' ({meaning})' if meaning else ''}.")
    if limits.options.get("orientation") == "advised":
        sentences.append("Limits are given in the advised orientations.")
    return " ".join(sentences)


def axis_words(joint: limit_set.JointLimit) -> str | None:
    """Short form of a hinge's axis: "about X", "20.3° off X"; None for other joints."""
    if joint.hinge is None or joint.type != "hinge":
        return None
    letter, off = channel_letter(joint.hinge.channel), joint.hinge.off_channel_deg
    is_on = joint.hinge.is_on_channel
    return f"about {letter}" if is_on else f"{vocabulary.degrees(off)} off {letter}"


def hinge_words(joint: limit_set.JointLimit) -> str | None:
    """Axis and signed angle of a hinge; None for other joints."""
    hinge = joint.hinge
    if hinge is None:
        return None
    axis = ", ".join(number(value, 3).replace("-", vocabulary.MINUS) for value in hinge.axis_child)
    off, low, high = map(vocabulary.degrees, (hinge.off_channel_deg, hinge.min_deg, hinge.max_deg))
    return (
        f"The axis is ({axis}) in the joint’s own frame, {off} from "
        f"{channel_letter(hinge.channel)}; the angle about it ranges from {low} to {high}, zero at "
        "the rest pose."
    )


def limit_source(bound: limit_set.BoundSource | None) -> str:
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


def pose_words(pose: limit_set.RestPose) -> str:
    """Whether a pose is inside the limits."""
    outside = f"{vocabulary.degrees(pose.outside_deg)} outside"
    return "inside the limits" if pose.feasible else outside


def frame_words(frame: limit_set.Orientation) -> str:
    """Orientation that limits use: "In the joint’s own orientation: rotate order xyz, ..."."""
    whose = {
        "own": "In the joint’s own orientation",
        "advised": "In the advised orientation, not the joint’s own",
    }.get(frame.kind, f"In an orientation of kind “{frame.kind}”")
    return f"{whose}: {_setting(frame)}."


def advice_words(joint: limit_set.JointLimit) -> str:
    """Orient advice of a joint, with its gain and its cost; empty without advice."""
    advice = joint.advice
    if advice is None or not advice.text:
        return ""
    followed = joint.orientation.kind == "advised" and advice.changes
    sentences = [f"{advice.text}."]
    if advice.mode in ("R", "C"):
        sentences += [] if followed else [f"It takes {_setting(advice)}."]
        before, after = advice.box_share_before, advice.box_share_after
        if before is not None and after is not None:
            shares = f"from {100.0 * before:.2g} % to {100.0 * after:.2g} %"
            sentences.append(f"The box of its channels shrinks {shares} of all rotations.")
        if advice.strict_max_deg is not None and advice.locked:
            most = vocabulary.degrees(advice.strict_max_deg)
            held = "Holding the other channels at zero changes no pose"
            sentences.append(f"{held} by more than {most}.")
    if followed:
        sentences.append("The limits above are those of the advised orientation.")
    return " ".join(sentences)


def _setting(of: limit_set.Orientation | OrientAdvice) -> str:
    orient = ", ".join(map(vocabulary.degrees, of.joint_orient_deg))
    words = f"rotate order {of.rotate_order}, joint orient {orient}"
    if not any(of.rotate_axis_deg):
        return words
    return f"{words}, rotate axis {', '.join(map(vocabulary.degrees, of.rotate_axis_deg))}"


def coupled_words(limit: limit_set.JointLimit) -> str:
    """Caption for the net in the cloud; empty for a shape without volume, of fewer axes."""
    coupled = limit.coupled
    if coupled is None or coupled.kind == "flat":
        return ""
    return (
        f"The net is its coupled limit ({coupled.kind}, {coupled.pad_deg:g}° beyond the samples): "
        f"{100 * coupled.freedom:.2g} % of all rotations. "
    )


def mark(kind: str, word: str, class_: str, title: str | None = None) -> Piece:
    """Glyph and word."""
    return piece("span", piece("glyph", of=kind), word, class_=class_, title=title)


def type_badge(kind: str) -> Piece:
    """Glyph and word of a joint's type."""
    return mark(kind, kind, f"type type-{kind}")


def grade_mark(word: str) -> Piece:
    """Shape and word of a grade or a layer, given as stored."""
    known = word if word in (*vocabulary.GRADE_NAMES, *vocabulary.LAYERS) else "untested"
    meaning = vocabulary.GRADE_MEANINGS.get(word)
    return mark(word, vocabulary.mark_name(word), f"grade grade-{known}", meaning)


def limit_mark(bound: limit_set.BoundSource | None) -> Piece | None:
    """Mark of a limit; None if it has no grade."""
    if bound is None:
        return None
    if bound.kind in vocabulary.LAYERS:
        return grade_mark(bound.kind)
    return grade_mark(bound.grade) if vocabulary.is_graded(bound) else None


def grades_legend() -> list[object]:
    """All grades with their meanings, in one sentence."""
    parts: list[object] = ["Every limit has a grade: "]
    for grade in (*reversed(vocabulary.GRADES), vocabulary.TURNS):
        parts += [grade_mark(grade), f" – {vocabulary.GRADE_MEANINGS[grade]}; "]
    return [
        *parts,
        "the pale ends of a range show how far more motion of the same kind may move the limit "
        "(90 % band). Grades are about limits, “how sure” is about the joint type.",
    ]


def bar_part(
    kind: str, start: float, length: float, top: float = 2, height: float = 7
) -> list[object]:
    """One piece of a bar, which is 100 wide and 11 high; `kind` is a class in the style sheet."""
    return [kind, round(start, 2), round(length, 2), top, height]


def share_bar(share: float, chosen: bool) -> Piece:
    """Bar of a number between 0 and 1."""
    width = 100.0 * min(max(share, 0.0), 1.0)
    kind = "range" if chosen else "share"
    return piece("bar", parts=[bar_part("rail", 0, 100), bar_part(kind, 0, max(width, 0.6))])


def range_bar(limit: limit_set.AxisLimit, widest: float | None = None) -> Piece:
    """Bar of a channel's range from -180 to 180, bands as thin ends, zero marked.

    `widest` is the widest range of the joint by anatomy, degrees.
    """
    parts, span = [bar_part("rail", 0, 100, 4, 3)], ranges.span_of(limit)
    if span is None:
        parts.append(bar_part("range free", 0, 100, 3, 5))
    else:
        for band in vocabulary.band_stretches(limit, widest):
            parts += [bar_part("band", *one, 3.5, 4) for one in circle.bar_segments(*band)]
        kind = f"range {limit.state}"
        parts += [bar_part(kind, *one) for one in circle.bar_segments(*span, 1.0)]
    return piece("bar", parts=[*parts, bar_part("zero", 49.7, 0.6, 0, 11)])


def dial(
    channel: str,
    limit: limit_set.AxisLimit,
    rest_deg: float | None,
    widest: float | None = None,
    axis: int | None = None,
) -> Piece:
    """Angle circle of one channel, a rotate channel or a ZYZ angle.

    `widest` is the widest range of the joint by anatomy, degrees. `axis` tells the page's script
    of which channel to add the poses: 0 to 2, or 3 for the angle about a hinge's axis.
    """
    letter, span = channel_letter(channel), ranges.span_of(limit)
    label, bands = f"Angle circle of {letter}: ", vocabulary.band_stretches(limit, widest)
    if limit.min_deg is None or limit.max_deg is None:
        label += vocabulary.range_text(limit)
    else:
        label += f"{number(limit.min_deg)} to {number(limit.max_deg)} degrees"
    if bands:
        label += f", 90 % band {number(bands[0][0])} to {number(bands[-1][1])}"
    if rest_deg is not None:
        label += f", rest pose at {number(rest_deg)} degrees"
    width = vocabulary.range_text(limit) if span is None else f"{number(span[1] - span[0])}° wide"
    return piece(
        "dial",
        letter=letter,
        words="locked" if limit.state == "locked" else width,
        label=label,
        arcs=circle.dial_arcs(limit, bands),
        ends=circle.limit_angles(limit),
        rest=rest_deg,
        axis=axis,
    )
