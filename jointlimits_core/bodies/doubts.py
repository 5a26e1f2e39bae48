"""Reasons to check a joint before trusting it, in words.

The fit is not changed. A joint is doubtful if the evidence for its parent or its place is weak, if
it fits far worse than the others of its figure, or if a body that it joins slipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..wording import millimetres
from .body_fit import BodyFit, BodyJoint
from .hierarchy import hangs_below, next_best_parent

CLOSE_CALL = 0.15
"""Share by which the runner-up parent may weigh more and still make the parent a close call. Of
900 joints of simulated 45 s walks with 30 mm of sliding skin, 9 had a wrong parent; 7 of these fell
below it, and 1 % of the right ones. In 15 s walks 90 % of the wrong parents did, and 57 % of the
right ones. With 40 mm it misses two thirds of the wrong ones: no margin separates them."""
SAME_M = 5e-5
"""Gaps of two parents that differ by less count as equal, however small they are."""
LOOSE = 3.0
"""Multiple of the figure's median joint gap above which a joint is loose."""
LOOSE_M = 0.005
"""Gaps up to this size are acceptable, however small the others are."""
UNCERTAIN_M = 0.02
"""Standard deviation of a joint's place above which bones and limits suffer."""
MOSTLY_UNSEEN = 0.5


@dataclass(frozen=True)
class Doubt:
    """One reason to doubt a joint.

    Parameters
    ----------
    kind : {"no motion", "close call", "wide gap", "open place", "slip", "seldom seen"}
    words : str
        A clause for people: "its bodies do not move relative to each other".
    """

    kind: str
    words: str


def joint_doubts(fits: Sequence[BodyFit], joint: BodyJoint) -> tuple[Doubt, ...]:
    """Every reason to doubt a joint.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, of one skeleton.
    joint : BodyJoint
        A joint of these fits.

    Returns
    -------
    tuple of Doubt
        The gravest first; empty for a joint that can be trusted.
    """
    if joint.kind == "rigid":
        return (Doubt("no motion", "its bodies do not move relative to each other"),)
    found = [
        _close_call(fits[0], joint),
        _loose(fits[0], joint),
        _place(joint),
        _slips(fits, joint),
        _unseen(fits, joint),
    ]
    return tuple(doubt for doubt in found if doubt is not None)


def _close_call(fit: BodyFit, joint: BodyJoint) -> Doubt | None:
    """Compare parents by the tree's weights, which tell more than the gaps where skin slides."""
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
            return f"{as_well}, relative to which it does not move"
    return as_well


def _loose(fit: BodyFit, joint: BodyJoint) -> Doubt | None:
    usual = float(np.median([other.residual_m for other in fit.joints]))
    if joint.residual_m <= max(LOOSE * usual, LOOSE_M):
        return None
    times = joint.residual_m / usual if usual > 0.0 else float("inf")
    many = f"{times:.0f} times as wide as" if times < 100.0 else "far wider than"
    return Doubt("wide gap", f"its gap is {many} that of most joints")


def _place(joint: BodyJoint) -> Doubt | None:
    """Ignore the place along a single axis: the joint's kind already says it is a guess."""
    across = joint.deviation_m[1:] if joint.kind == "single-axis" else joint.deviation_m
    worst = float(across.max())
    if worst <= UNCERTAIN_M:
        return None
    if not np.isfinite(worst):
        return Doubt("open place", "its place is unknown: the bodies move too little")
    return Doubt("open place", f"its place is known only to within {millimetres(worst, 0)} mm")


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
    return Doubt("seldom seen", f"its bodies were seen together in only {share:.0f} % of frames")
