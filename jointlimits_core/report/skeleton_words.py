"""Sentences of the skeleton page: whether to trust it, and what to check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..bodies.body_fit import BodyFit, BodyJoint
from ..bodies.doubts import CLOSE_CALL, Doubt
from ..bodies.limbs import NO_LENGTH_M
from ..wording import millimetres, plural

HOW_TO_READ = (
    "The skeleton was fitted to bodies of which only position and orientation are known. A joint "
    "is a point shared by two bodies; its gap is the distance between their two estimates of it, "
    "frame by frame. A joint is right if its gap is small, and far smaller than the gap to any "
    "other body. Check that the names in the picture are connected as they should be, then "
    "anything in the table that is orange."
)


HOW_TO_READ_THE_TABLE = (
    "Bars are gaps, with a mark at the gap of the runner-up parent: the further away, the surer "
    "the parent. Limb: from the joint above to this one; “about” if a joint at one of its ends "
    "could not be located. Place: one standard deviation, in the direction in which it is known "
    "least."
)
NOT_BY_GAPS = (
    "Where skin slides or little moves, gaps alone do not separate parents; the parent is then "
    "chosen by the repeating part of the motion, however near the marks are."
)


def how_to_read_the_table(fit: BodyFit, doubts: Mapping[int, Sequence[Doubt]]) -> str:
    """Meaning of the columns, and how a parent can be sure that the gaps leave open."""
    near = (joint for joint in fit.joints if joint.margin_m <= CLOSE_CALL * joint.residual_m)
    if any("close call" not in _kinds(doubts.get(joint.child, ())) for joint in near):
        return f"{HOW_TO_READ_THE_TABLE} {NOT_BY_GAPS}"
    return HOW_TO_READ_THE_TABLE


def _kinds(doubts: Sequence[Doubt]) -> set[str]:
    return {doubt.kind for doubt in doubts}


def verdict(fits: Sequence[BodyFit], doubts: Mapping[int, Sequence[Doubt]]) -> str:
    """Whether the skeleton can be trusted, in a sentence."""
    joints = fits[0].joints
    if not joints:
        return "No skeleton: no two bodies are joined."
    if not doubts:
        found = "Skeleton" if len(fits[0].figures) == 1 else f"{len(fits[0].figures)} skeletons"
        count = plural(len(joints), "joint")
        return f"{found} found: {count}, no doubtful parents."
    need = "needs" if len(doubts) == 1 else "need"
    return f"{len(doubts)} of {plural(len(joints), 'joint')} {need} a look."


def doubt_lines(fit: BodyFit, doubts: Mapping[int, Sequence[Doubt]]) -> list[tuple[str, str]]:
    """Names of the bodies whose joints are doubtful, with the reasons."""
    return [
        (fit.names[body], "; ".join(doubt.words for doubt in found))
        for body, found in doubts.items()
    ]


def facts(fits: Sequence[BodyFit]) -> list[str]:
    """Results of the fit, a sentence each."""
    fit = fits[0]
    names = fit.names
    bodies = "1 body" if len(names) == 1 else f"{len(names)} bodies"
    lines = [f"{bodies}, {_figures(fit)}."]
    if fit.joints:
        gaps = [1000.0 * joint.residual_m for joint in fit.joints]
        worst = fit.joints[int(np.argmax(gaps))]
        lines.append(
            f"Gaps are {np.median(gaps):.1f} mm rms at most joints, {max(gaps):.1f} mm at "
            f"{names[worst.child]}, the widest."
        )
    if fit.free:
        lines.append(f"Joined to nothing: {', '.join(names[body] for body in fit.free)}.")
    slips = sum(len(one.slips) for one in fits)
    if slips:
        lines.append(f"{plural(slips, 'slip')} found, listed below.")
    left_out = _left_out(fits)
    if left_out > 0.0:
        lines.append(f"{max(left_out, 0.1):.1f} % of what was seen fits no joint and was left out.")
    return lines


def _figures(fit: BodyFit) -> str:
    joints = plural(len(fit.joints), "joint")
    if len(fit.figures) > 1:
        return f"{joints} in {len(fit.figures)} figures"
    return f"{joints} in one figure" if fit.figures else "no joint"


def _left_out(fits: Sequence[BodyFit]) -> float:
    seen = sum(int(fit.tracks.present.sum()) for fit in fits)
    used = sum(int((fit.used & fit.tracks.present).sum()) for fit in fits)
    return 100.0 * (seen - used) / max(seen, 1)


def place_words(joint: BodyJoint) -> str:
    """Uncertainty of a joint's place."""
    if joint.kind == "rigid":
        return "unknown"
    if joint.kind == "single-axis":
        return f"± {millimetres(float(joint.deviation_m[1:].max()))} mm off its axis"
    worst = float(joint.deviation_m.max())
    return f"± {millimetres(worst)} mm" if np.isfinite(worst) else "unknown"


def length_words(length_m: float, deviation_m: float) -> str:
    """Length of a limb with its uncertainty; none for a root with only one joint."""
    if length_m < NO_LENGTH_M:
        return "–"
    if not np.isfinite(deviation_m):
        return f"about {millimetres(length_m, 0)} mm"
    return f"{millimetres(length_m, 0)} ± {millimetres(deviation_m)} mm"


def margin_words(joint: BodyJoint, names: Sequence[str]) -> str:
    """How much wider the gap to the runner-up parent is, and its name."""
    if joint.next_best is None:
        return "no other"
    margin = 1000.0 * joint.margin_m
    sign = "+" if margin >= 0.0 else "−"
    return f"{sign}{abs(margin):.1f} mm, {names[joint.next_best]}"
