"""Warnings about joints that should be checked, and rejection of useless skeletons.

A joint is doubtful if the evidence for its parent or position is weak, if it fits far worse than
the other joints of its figure, or if one of its bodies slipped. Clips can only be pooled if every
sensor stays in place: after a sensor is moved, a joint fits each clip alone, but none fits all
clips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import EstimationError, OptionText
from ..base.findings import Finding
from ..base.text import millimetres, plural
from . import likelihood, residuals, result, tree
from .joint_centres import joint_centres, pair_moments
from .joints import WHITE_SHARE

CLOSE_SHARE = 0.15
"""In a close call, another pair's weight exceeds the joint's by at most this share, in exact data
and for motion lines. Of 900 joints in simulated 45 s walks with 30 mm of sliding skin, 9 had a
wrong parent; 7 of these and 1 % of the others were close calls (in 15 s walks, 90 % and 57 %)."""
NEAR_IN_NOISE = likelihood.POSE_COUNT * float(np.log(2.0))
"""Largest likelihood excess of a close call in white noise: that of twice the turn on one axis."""
NEAR_UNDER_SKIN = 3.0 * likelihood.POSE_COUNT * float(np.log(2.0))
"""Largest likelihood excess of a close call if skin slides: that of halving the sliding."""
SAME_M = 5e-5
"""Two parents fit equally well if their gaps differ by less than this."""
MAX_TIES = 3
"""Maximum number of ties named in a message; the JSON file lists all."""
MAX_GAP_FACTOR = 3.0
"""A joint is loose if its gap exceeds the figure's median joint gap by this factor."""
MAX_GAP_M = 0.005
"""Largest gap that is always acceptable, even if the other gaps are much smaller."""
UNCERTAIN_M = 0.02
"""Standard deviation of a joint's position above which bones and limits become unreliable."""
HIDDEN_FACTOR = 3.0
"""``BodyJoint.hidden_m`` in standard deviations: 68 % of errors are below a third of its value."""
MIN_SEEN_SHARE = 0.5
RULE = "doubtful-joint"
REPORTED_BY = {"no motion": "no-relative-motion", "slip": "slip"}
"""Rules for findings that already report a warning, by the kind of warning."""
MAX_POOLED_RATIO = 2.0
MAX_POOLED_M = 0.005
"""Largest ratio and largest difference between a joint's pooled gap and its gap in one clip alone;
if both are exceeded, a sensor was moved."""


@dataclass(frozen=True)
class JointWarning:
    """One reason to doubt a joint.

    `kind`, one of "no motion", "close call", "wide gap", "open position", "slip", "seldom seen";
    `words`: a clause for messages, such as "its bodies do not move relative to each other".
    """

    kind: str
    words: str


def joint_warnings(
    fits: Sequence[result.BodyFit], joint: result.BodyJoint
) -> tuple[JointWarning, ...]:
    """Reasons to doubt a joint of one skeleton, the most serious first; `fits`: one per clip."""
    if joint.kind == "rigid":
        return (JointWarning("no motion", "its bodies do not move relative to each other"),)
    found = [_close_call(fits[0], joint)]
    usual = float(np.median([other.residual_m for other in fits[0].joints]))
    if joint.residual_m > max(MAX_GAP_FACTOR * usual, MAX_GAP_M):
        times = joint.residual_m / usual if usual > 0.0 else float("inf")
        many = f"{times:.0f} times as wide as" if times < 100.0 else "far wider than"
        found.append(JointWarning("wide gap", f"its gap is {many} that of most joints"))
    found.append(_place(joint))
    names, slips = fits[0].names, [slip for fit in fits for slip in fit.slips]
    child, parent = names[joint.child], names[joint.parent]
    clauses = []
    for body, who in ((child, "it"), (parent, f"{parent}, which carries it,")):
        moments = [f"{slip.seconds:.1f} s" for slip in slips if slip.body == body]
        if moments:
            clauses.append(f"{who} slipped at {', '.join(moments)}")
    if clauses:
        found.append(JointWarning("slip", "; ".join(clauses)))
    total = sum(fit.tracks.frame_count for fit in fits)
    if joint.frames_used < MIN_SEEN_SHARE * total:
        share = 100.0 * joint.frames_used / total
        words = f"its bodies were seen together in only {share:.0f} % of frames"
        found.append(JointWarning("seldom seen", words))
    return tuple(doubt for doubt in found if doubt is not None)


def _close_call(fit: result.BodyFit, joint: result.BodyJoint) -> JointWarning | None:
    """Warning about other pairs that would fit the tree about as well as the joint, or None."""
    names = fit.names
    if joint.next_best is not None and abs(joint.margin_m) < SAME_M:
        words = f"{names[joint.next_best]} fits just as well as its parent"
        pair = {joint.parent, joint.next_best}
        if any(one.kind == "rigid" and {one.child, one.parent} == pair for one in fit.joints):
            words += ", since the two do not move relative to each other"
        return JointWarning("close call", words)
    ties = joint_ties(fit, joint)
    if not ties:
        return None
    # Another parent for the same body, or a joint between a different pair.
    others = [
        names[outside]
        if inside == joint.child
        else f"a joint between {names[inside]} and {names[outside]}"
        for inside, outside in ties[:MAX_TIES]
    ]
    words = " or ".join([", ".join(others[:-1]), others[-1]] if len(others) > 1 else others)
    if fit.weights[ties[0]] < fit.weights[joint.child, joint.parent]:
        return JointWarning("close call", f"its parent was given; {words} would fit better")
    more = len(ties) - MAX_TIES
    words += f" (or {plural(more, 'other pair')})" if more > 0 else ""
    return JointWarning("close call", f"{words} would fit nearly as well as its parent")


def joint_ties(fit: result.BodyFit, joint: result.BodyJoint) -> tuple[tuple[int, int], ...]:
    """Pairs that may be joined instead of a joint's bodies, most likely first."""
    likely = fit.model == "likelihood"
    margin = CLOSE_SHARE * float(fit.weights[joint.child, joint.parent])
    if likely:
        white = joint.independent_frames > WHITE_SHARE * joint.frames_used
        margin = NEAR_IN_NOISE if white else NEAR_UNDER_SKIN
    near = tree.near_ties(fit.weights, fit.parents, joint.child, margin)
    return tuple(pair for pair in near if likely or pair[0] == joint.child)


def _place(joint: result.BodyJoint) -> JointWarning | None:
    worst, hidden = joint.lateral_m, joint.hidden_m
    if max(worst, hidden / HIDDEN_FACTOR) <= UNCERTAIN_M:
        return None
    words = f"its position is known only to within {millimetres(worst, 0)} mm"
    if not np.isfinite(worst):
        words = "its position is unknown: the bodies move too little"
    elif worst <= UNCERTAIN_M:
        words = "its position depends on whether markers slide with the skin"
    return JointWarning("open position", words)


def skin_note(fits: Sequence[result.BodyFit]) -> Finding | None:
    """Note on joints whose position is even less certain if skin slides, the worst joint first."""
    found = [
        (joint.hidden_m, joint.lateral_m, fits[0].names[joint.child])
        for joint in fits[0].joints
        if joint.kind != "rigid" and _place(joint) and joint.hidden_m > joint.lateral_m
    ]
    words = [
        f"{name} by {millimetres(hidden, 0)} mm, not {millimetres(worst, 0)}"
        for hidden, worst, name in sorted(found, reverse=True)
    ]
    text = "if markers slide with the skin as joints turn, positions may be off by more: "
    return Finding("sliding-skin", text + "; ".join(words)) if found else None


def joint_warning_findings(fits: Sequence[result.BodyFit]) -> tuple[Finding, ...]:
    """Warnings about the doubtful joints of one skeleton, then the note on sliding skin."""
    names = fits[0].names
    reported = {(item.rule, item.joint) for fit in fits for item in fit.findings}
    found = []
    for joint in fits[0].joints:
        child, parent = names[joint.child], names[joint.parent]
        doubts = [
            doubt
            for doubt in joint_warnings(fits, joint)
            if (REPORTED_BY.get(doubt.kind), child) not in reported
        ]
        if doubts:
            words = "; ".join(doubt.words for doubt in doubts)
            text = f"{child}'s joint with {parent} is in doubt: {words}"
            found.append(Finding(RULE, text, child))
    skin = skin_note(fits)
    return (*found, skin) if skin else tuple(found)


def reject_no_motion(fits: Sequence[result.BodyFit]) -> None:
    """Raise EstimationError if no joint of a skeleton turns."""
    joints = fits[0].joints
    if joints and all(joint.kind == "rigid" for joint in joints):
        raise EstimationError(
            f"no body of {_clip_names(fits)} moves relative to another, so no joint can be found; "
            "give a clip in which the joints bend, or tracks of bodies that move independently"
        )


def _clip_names(fits: Sequence[result.BodyFit]) -> str:
    return ", ".join(repr(fit.tracks.name) for fit in fits)


def find_remounts(fits: Sequence[result.BodyFit]) -> tuple[result.BodyFit, ...]:
    """Fits of one skeleton, with findings on joints whose sensors were moved between clips."""
    if len(fits) < 2:
        return tuple(fits)
    found = []
    for fit in fits:
        ends, findings = residuals.joint_ends(fit), list(fit.findings)
        pooled = residuals.fitted_gaps_m(fit)
        moments = pair_moments(fit.tracks, fit.used)
        alone = joint_centres(moments.select_pairs(ends.child, ends.parent)).residual_m
        worse = np.isfinite(pooled) & (
            pooled > np.maximum(MAX_POOLED_RATIO * alone, alone + MAX_POOLED_M)
        )
        for row in np.flatnonzero(worse):
            one, other = fit.names[ends.child[row]], fit.names[ends.parent[row]]
            text = (
                f"the joint between {one} and {other} has gaps of {millimetres(pooled[row], 0)} mm "
                f"here, but {millimetres(alone[row], 0)} mm without the other clips: one of the "
                "two sensors was moved between clips; fit such clips separately"
            )
            findings.append(Finding("moved-between-clips", text, one, fit.tracks.name))
        found.append(replace(fit, findings=tuple(findings)))
    return tuple(found)


def reject_wide_gaps(fits: Sequence[result.BodyFit]) -> None:
    """Raise EstimationError, listing possible causes, if every gap is above ``free_beyond_m``."""
    most = fits[0].options.free_beyond_m
    gaps = [joint.residual_m for joint in fits[0].joints]
    if not gaps or min(gaps) <= most:
        return
    wide = " to ".join(dict.fromkeys(millimetres(gap, 0) for gap in (min(gaps), max(gaps))))
    advice = (
        f"no joint fits the bodies of {_clip_names(fits)}: all gaps are wider than "
        f"{1000.0 * most:g} mm ({wide} mm). Check for left-handed axes, inverse rotations, a wrong "
        "rotate order, quaternions not read as x, y, z, w, or markers of one body that move "
        "relative to each other. If such wide gaps are expected, allow them with "
    )
    raise EstimationError(OptionText(advice, "free_beyond_mm"))
