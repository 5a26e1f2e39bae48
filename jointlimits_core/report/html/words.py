"""Text, marks, bars and dials of pages."""

from __future__ import annotations

from ...base.text import channel_letter, number
from ...limits import limit_set, ranges, vocabulary
from ...limits.exclusions import is_left_out
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
    "lossless": "every frame that was not left out is inside",
    "robust": "one-frame outliers are outside, and listed",
    "generous": "wider than the motion on every side",
}
LAYER_SOURCES = {
    "prior": "from published ranges",
    "people": "from other people",
    "artist": "set by the artist",
}

HOW_TO_READ = (
    "Click a joint in the figure or in the list to open it. Point at a limit to see the pose "
    "that set it, and click to go to that frame.",
    "A joint’s type says how it moves: a fixed joint does not move, a hinge turns about one "
    "axis, a universal joint about two, and a ball joint freely. Its limits are the range of "
    "each rotate channel in degrees.",
    "Blue is the measured range, dashed green the gap that the motion never entered, and the "
    "hollow diamond the rest pose.",
)


def verdict(joint: limit_set.JointLimit) -> str:
    """Reason for the joint's type, in two or three sentences."""
    evidence = joint.evidence
    if evidence.sure == "no motion" and ranges.is_unexplained(joint):
        return "Its rotate channels do not explain how it turns, so its type is not measured."
    if is_left_out(joint):
        return "All its frames are excluded, so nothing is known about it and it has no limits."
    if evidence.sure == "no motion":
        return "There is no motion to determine the type; the joint is treated as fixed."
    if joint.is_from_people:
        return "Its type and limits come from other people; its own motion was not used."
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
    own, name = evidence.residual_deg.get(kind), vocabulary.TYPE_NAMES[kind].capitalize()
    if kind == "fixed":
        within = "close to" if own is None else f"within {vocabulary.degrees(own)} of"
        return f"The joint stays {within} one pose."
    if kind == "ball":
        each = [
            f"{vocabulary.TYPE_NAMES[other]} would leave {vocabulary.degrees(left)}"
            for other in ("universal", "hinge")
            if (left := evidence.residual_deg.get(other))
        ]
        reason = f": {' and '.join(each)} unexplained" if each else ""
        return f"Only a ball joint explains the motion{reason}."
    but = "" if own is None or number(own) == "0.0" else f" but {vocabulary.degrees(own)}"
    return f"{name} explains {'the' if own is None else f'all{but} of the'} motion."


def strictness_words(limits: limit_set.LimitSet) -> str:
    """Sentences on the limits' strictness and on advised orientations."""
    words, strictness = "", limits.options.get("strictness")
    if isinstance(strictness, str) and limits.mode != "paper":
        meaning = f" ({STRICTNESS[strictness]})" if strictness in STRICTNESS else ""
        words = f"Strictness: {strictness}{meaning}. "
    if limits.options.get("orientation") == "advised":
        words += "Limits are given in the advised orientations."
    return words.rstrip()


def axis_words(joint: limit_set.JointLimit) -> str | None:
    """Short form of a hinge's axis: "about X", "20.3° off X"; None for other joints."""
    hinge = joint.hinge
    if hinge is None or joint.type != "hinge":
        return None
    where = "about" if hinge.is_on_channel else f"{vocabulary.degrees(hinge.off_channel_deg)} off"
    return f"{where} {channel_letter(hinge.channel)}"


def hinge_words(hinge: limit_set.Hinge) -> str:
    """Axis and signed angle of a hinge."""
    axis = ", ".join(number(value, 3).replace("-", vocabulary.MINUS) for value in hinge.axis_child)
    off, low, high = map(vocabulary.degrees, (hinge.off_channel_deg, hinge.min_deg, hinge.max_deg))
    return (
        f"The axis is ({axis}) in the joint’s coordinates, {off} from "
        f"{channel_letter(hinge.channel)}; the angle about it ranges from {low} to {high} and is "
        "zero at the rest pose."
    )


def limit_source(bound: limit_set.BoundSource | None) -> str:
    """Source of a limit, such as "walk, frame 3"."""
    if bound is None:
        return "–"
    if bound.kind in LAYER_SOURCES:
        return LAYER_SOURCES[bound.kind]
    words = bound.clip or "the motion"
    if bound.frame is not None:
        words += f", frame {bound.frame:.10g}"
    if bound.kind == "padded" and bound.value_deg is not None:
        words += f", padded beyond {vocabulary.degrees(bound.value_deg)}"
    return words


def orientation_words(orientation: limit_set.Orientation) -> str:
    """Orientation of the limits: "In the joint’s own orientation: rotate order xyz, ..."."""
    whose = {
        "own": "In the joint’s own orientation",
        "advised": "In the advised orientation, not the joint’s own",
    }.get(orientation.kind, f"In an orientation of kind “{orientation.kind}”")
    return f"{whose}: {_setting(orientation)}."


def advice_words(joint: limit_set.JointLimit) -> str:
    """Orient advice of a joint, with its gain and its cost; empty without advice."""
    advice = joint.advice
    if advice is None or not advice.text:
        return ""
    followed = joint.orientation.kind == "advised" and advice.changes
    words = f"{advice.text}."
    if advice.mode in ("R", "C"):
        words += "" if followed else f" It needs {_setting(advice)}."
        before, after = advice.box_share_before, advice.box_share_after
        if before is not None and after is not None:
            shares = f"from {100.0 * before:.2g} % to {100.0 * after:.2g} %"
            words += f" The box of its channels shrinks {shares} of all rotations."
        if advice.strict_max_deg is not None and advice.locked:
            most = vocabulary.degrees(advice.strict_max_deg)
            words += f" Holding the other channels at zero changes no pose by more than {most}."
    if followed:
        words += " The limits above are those of the advised orientation."
    return words


def _setting(of: limit_set.Orientation | OrientAdvice) -> str:
    orient = ", ".join(map(vocabulary.degrees, of.joint_orient_deg))
    axis = ", ".join(map(vocabulary.degrees, of.rotate_axis_deg))
    words = f"rotate order {of.rotate_order}, joint orient {orient}"
    return f"{words}, rotate axis {axis}" if any(of.rotate_axis_deg) else words


def coupled_words(limit: limit_set.JointLimit) -> str:
    """Caption for the net in the cloud; empty for a shape without volume."""
    coupled = limit.coupled
    if coupled is None or coupled.kind == "flat":
        return ""
    return (
        f"The net is its coupled limit ({coupled.kind}, {coupled.pad_deg:g}° beyond the samples): "
        f"it allows {100 * coupled.freedom:.2g} % of all rotations. "
    )


def mark(kind: str, word: str, class_: str, title: str | None = None) -> Piece:
    """Glyph and word."""
    return piece("span", piece("glyph", of=kind), word, class_=class_, title=title)


def type_badge(kind: str) -> Piece:
    """Glyph and word of a joint's type."""
    return mark(kind, kind, f"type type-{kind}")


def grade_mark(word: str) -> Piece:
    """Glyph and word of a grade or layer; `word` is its stored name."""
    known = word if word in (*vocabulary.GRADE_NAMES, *vocabulary.LAYERS) else "untested"
    meaning = vocabulary.GRADE_MEANINGS.get(word)
    return mark(word, vocabulary.mark_name(word), f"grade grade-{known}", meaning)


def limit_mark(bound: limit_set.BoundSource | None) -> Piece | None:
    """Mark of a limit; None if it has no grade."""
    if bound is not None and bound.kind in vocabulary.LAYERS:
        return grade_mark(bound.kind)
    return grade_mark(bound.grade) if bound and vocabulary.is_graded(bound) else None


def grades_legend() -> list[object]:
    """One sentence that lists all grades with their meanings."""
    parts: list[object] = ["Every limit has a grade: "]
    for grade in (*reversed(vocabulary.GRADES), vocabulary.TURNS):
        parts += [grade_mark(grade), f" – {vocabulary.GRADE_MEANINGS[grade]}; "]
    return [
        *parts,
        "the pale ends of a range show how far the limit may move with more motion of the same "
        "kind (90 % band).",
    ]


def bar_part(
    kind: str, start: float, length: float, top: float = 2, height: float = 7
) -> list[object]:
    """One piece of a bar, which is 100 wide and 11 high; `kind` is a class in the style sheet."""
    return [kind, round(start, 2), round(length, 2), top, height]


def share_bar(share: float, chosen: bool) -> Piece:
    """Bar for a number between 0 and 1."""
    width = 100.0 * min(max(share, 0.0), 1.0)
    kind = "range" if chosen else "share"
    return piece("bar", parts=[bar_part("rail", 0, 100), bar_part(kind, 0, max(width, 0.6))])


def range_bar(limit: limit_set.AxisLimit, widest: float | None = None) -> Piece:
    """Bar of a channel's range from -180 to 180, with bands as thin ends and a mark at zero.

    `widest`: the joint's widest anatomical range, in degrees.
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

    `widest`: the joint's widest anatomical range, in degrees. `axis`: index, 0 to 2, of the channel
    whose poses the page's script adds, or 3 for the angle about a hinge's axis.
    """
    letter, span = channel_letter(channel), ranges.span_of(limit)
    words, bands = vocabulary.range_text(limit), vocabulary.band_stretches(limit, widest)
    width = words if span is None else f"{number(span[1] - span[0])}° wide"
    if span is not None and limit.state == "limited":
        words = f"{number(span[0])} to {number(span[1])} degrees"
    if bands:
        words += f", 90 % band {number(bands[0][0])} to {number(bands[-1][1])}"
    if rest_deg is not None:
        words += f", rest pose at {number(rest_deg)} degrees"
    return piece(
        "dial",
        letter=letter,
        words="locked" if limit.state == "locked" else width,
        label=f"Angle circle of {letter}: {words}",
        arcs=circle.dial_arcs(limit, bands),
        ends=circle.limit_angles(limit),
        rest=rest_deg,
        axis=axis,
    )
