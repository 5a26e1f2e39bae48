"""Choice of the tree where residuals are not decisive.

The closed form mistakes a sensor's wobble for motion: it pulls joints towards the sensors; where
joints turn little its residuals no longer separate neighbours from other bodies. There the lines of
the motion decide (:mod:`.line_evidence`), for both sides of a figure together if it has two
(:mod:`.mirror_pairs`). If every joint moves all the time, the motion fills its band: there are no
lines, and none are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..arrays import Booleans, Floats
from .clips import frames_of
from .hierarchy import neighbours, spanning_forest, tree_order
from .line_evidence import evidence_weights
from .mirror_pairs import mean_distances, mirror_partners, with_both_sides
from .motion_lines import MotionLines, all_lines, motion_lines
from .tracks import BodyTracks

CLEAR_MARGIN = 1.1
"""Ratio of the best other pair's residual to a joint's, above which residuals decide."""
EXACT_M = 5e-4
"""Joints with smaller residuals need no lines: nothing slides, whatever else fits."""


def deciding_lines(
    clips: Sequence[BodyTracks],
    used: Booleans,
    residuals: Floats,
    clear: Callable[[int, int], float],
) -> MotionLines | None:
    """Lines of the motion, if they must decide the tree.

    Parameters
    ----------
    used : array of bool, shape (bodies, frames of all clips)
    residuals : array, shape (bodies, bodies)
        Metres rms; inf for pairs that are not joined.
    clear : callable
        Takes a pair of bodies; as in :func:`leaves_open`.

    Returns
    -------
    MotionLines or None
        None where residuals are decisive, or no clip has lines.
    """
    if len(residuals) < 3 or not leaves_open(residuals, clear):
        return None
    found = [motion_lines(clip, used[:, part]) for clip, part in zip(clips, frames_of(clips))]
    lines = [one for one in found if one is not None]
    return all_lines(lines) if lines else None


def line_weights(clips: Sequence[BodyTracks], lines: MotionLines, joined: Booleans) -> Floats:
    """Weights for the tree from the lines of the motion.

    Parameters
    ----------
    lines : MotionLines
        Of all clips.
    joined : array of bool, shape (bodies, bodies)
        Pairs that may have a joint.

    Returns
    -------
    array, shape (bodies, bodies)
        inf for pairs without a joint, and for mirror images of each other.
    """
    evidence = np.where(joined, evidence_weights(lines), np.inf)
    partner = mirror_partners(mean_distances(clips))
    return evidence if partner is None else with_both_sides(evidence, partner)


def leaves_open(residuals: Floats, clear: Callable[[int, int], float] | None = None) -> bool:
    """Whether some joint of the lightest tree fits hardly better than its best replacement.

    Parameters
    ----------
    residuals : array, shape (bodies, bodies)
        Metres rms; inf where there is none.
    clear : callable, optional
        Ratio above which the residual of a joint decides; called only for ratios below 1.1, the
        threshold without it.

    Returns
    -------
    bool
        Joints that fit exactly leave nothing open: those of solved motion, and of bodies that
        never move against each other.
    """
    edges = spanning_forest(residuals)
    for one, other in edges:
        if residuals[one, other] < EXACT_M:
            continue
        side = _side(len(residuals), edges, one, other)
        across = np.where(side[:, None] & ~side[None, :], residuals, np.inf)
        weakest = across.copy()
        weakest[(one, other) if side[one] else (other, one)] = np.inf
        ratio = weakest.min() / max(float(residuals[one, other]), 1e-300)
        if ratio < CLEAR_MARGIN and (clear is None or ratio < clear(one, other)):
            return True
    return False


def _side(count: int, edges: list[tuple[int, int]], one: int, other: int) -> Booleans:
    """Bodies on the first body's side of a joint."""
    near = neighbours(count, [edge for edge in edges if edge != (one, other)])
    side: Booleans = np.zeros(count, dtype=bool)
    side[tree_order(near, one)[0]] = True
    return side
