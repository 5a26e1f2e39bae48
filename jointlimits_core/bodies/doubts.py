"""What somebody should look at before a joint is trusted, in words.

Nothing here changes a fit. A joint is in doubt if nothing or little speaks for its parent or its
place, if it fits far worse than the others of its figure, or if a body that it joins slipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..wording import millimetres
from .body_fit import BodyFit, BodyJoint
from .hierarchy import hangs_below, next_best_parent

CLOSE_CALL = 0.15
"""By how much more the next-best parent weighs, as a share, up to which a parent is a close call.
Of 900 joints of simulated walks of 45 s with 30 mm of sliding skin, 9 had a wrong parent, and 7 of
these were below it, with 1 % of the others; of walks of 15 s 90 % of the wrong ones were, with 57 %
of the others. With 40 mm it is silent on two thirds of the wrong ones: no margin tells them."""
SAME_M = 5e-5
"""Gaps of two parents that differ by less are the same, however small they are."""
LOOSE = 3.0
"""A gap this many times the median of the figure's joints does not belong to the same figure."""
LOOSE_M = 0.005
"""Smaller gaps are no trouble, however small the others are."""
UNCERTAIN_M = 0.02
"""Standard deviation of a joint's place from which bones and limits suffer."""
MOSTLY_UNSEEN = 0.5


@dataclass(frozen=True)
class Doubt:
    """One reason.

    Parameters
    ----------
    kind : {"no motion", "close call", "wide gap", "open place", "slip", "seldom seen"}
    words : str
        A clause for people: "its bodies do not move against each other".
    """

    kind: str
    words: str


def joint_doubts(fits: Sequence[BodyFit], joint: BodyJoint) -> tuple[Doubt, ...]:
    """Everything that speaks against a joint.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, of one skeleton.
    joint : BodyJoint
        One of their joints.

    Returns
    -------
    tuple of Doubt
        The gravest first; empty for a joint that can be trusted.
    """
    if joint.kind == "rigid":
        return (Doubt("no motion", "its bodies do not move against each other"),)
    found = [
        _close_call(fits[0], joint),
        _loose(fits[0], joint),
        _place(joint),
        _slips(fits, joint),
        _unseen(fits, joint),
    ]
    return tuple(doubt for doubt in found if doubt is not None)


def _close_call(fit: BodyFit, joint: BodyJoint) -> Doubt | None:
    """By what the tree was chosen by, which tells more than the gaps where skin slides."""
    if joint.next_best is not None and abs(joint.margin_m) < SAME_M:
        return Doubt("close call", _same_gap(fit, joint.parent, joint.next_best))
    own = float(fit.weights[joint.child, joint.parent])
    below = hangs_below(fit.parents)
    best, margin = next_best_parent(fit.weights, fit.parents, below, joint.child)
    if best is None or margin > CLOSE_CALL * own:
        return None
    if margin >= 0.0:
        return Doubt("close call", f"{fit.names[best]} would fit nearly as well as its parent")
    return Doubt("close call", f"its parent was given; {fit.names[best]} would fit better")


def _same_gap(fit: BodyFit, parent: int, other: int) -> str:
    as_well = f"{fit.names[other]} fits just as well as its parent"
    for joint in fit.joints:
        if joint.kind == "rigid" and {joint.child, joint.parent} == {parent, other}:
            return f"{as_well}, against which it does not move"
    return as_well


def _loose(fit: BodyFit, joint: BodyJoint) -> Doubt | None:
    usual = float(np.median([other.residual_m for other in fit.joints]))
    if joint.residual_m <= max(LOOSE * usual, LOOSE_M):
        return None
    times = joint.residual_m / usual if usual > 0.0 else float("inf")
    many = f"{times:.0f} times as wide as" if times < 100.0 else "far wider than"
    return Doubt("wide gap", f"its gap is {many} that of most joints")


def _place(joint: BodyJoint) -> Doubt | None:
    """A single-axis joint may be anywhere along its axis: that is no doubt, its kind says it."""
    across = joint.deviation_m[1:] if joint.kind == "single-axis" else joint.deviation_m
    worst = float(across.max())
    if worst <= UNCERTAIN_M:
        return None
    if not np.isfinite(worst):
        return Doubt("open place", "where it is cannot be told from so little motion")
    return Doubt("open place", f"its place is known to {millimetres(worst, 0)} mm only")


def _slips(fits: Sequence[BodyFit], joint: BodyJoint) -> Doubt | None:
    names, slips = fits[0].names, [slip for fit in fits for slip in fit.slips]
    clauses = []
    for body, who in (
        (names[joint.child], "it"),
        (names[joint.parent], f"{names[joint.parent]}, which carries it,"),
    ):
        times = [f"{slip.seconds:.1f} s" for slip in slips if slip.body == body]
        if times:
            clauses.append(f"{who} slipped at {', '.join(times)}")
    return Doubt("slip", "; ".join(clauses)) if clauses else None


def _unseen(fits: Sequence[BodyFit], joint: BodyJoint) -> Doubt | None:
    total = sum(fit.tracks.frame_count for fit in fits)
    if joint.frames_used >= MOSTLY_UNSEEN * total:
        return None
    share = 100.0 * joint.frames_used / total
    return Doubt(
        "seldom seen", f"its bodies were seen together in {share:.0f} % of the frames only"
    )
