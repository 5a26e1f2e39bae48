"""One Euler branch per joint for all clips of a character.

The branch of each clip is chosen from its own motion. For an estimate, whole clips are moved to the
branch on which the pooled ranges are narrowest and nearest to zero. The stored summaries do not
change, so they can be merged in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..geometry.arrays import Floats, Integers
from ..geometry.branches import (
    TIE_TOLERANCE,
    UNIQUE_WIDTH,
    Branches,
    both_sets,
    middle_signs,
    nearest_branches,
    zero_branches,
)
from ..geometry.euler import TURN, axes_of, wrap_angle
from .clip_summary import ClipSummary, Reach


def on_one_branch(
    clips: Sequence[ClipSummary], rotate_orders: Sequence[str]
) -> tuple[ClipSummary, ...]:
    """Clips moved to one branch per joint; clips that need no move are returned unchanged."""
    middles = np.array([axes_of(order)[1] for order in rotate_orders])
    # Shapes (clips, 3, joints).
    low = np.array([clip.lower.value.T for clip in clips])
    high = np.array([clip.upper.value.T for clip in clips])
    least, most = low.min(axis=0), high.max(axis=0)
    nearest = zero_branches(least, most, middles)
    is_wide = np.minimum(most - least, TURN).sum(axis=0) >= UNIQUE_WIDTH
    joints = np.flatnonzero(is_wide | nearest.mirrored | nearest.half_turns.any(axis=0))
    if not len(joints):
        return tuple(clips)
    some = _narrowest_branches(low[..., joints], high[..., joints], middles[joints])
    return tuple(
        _move_clip(clip, joints, middles, branches) if branches else clip
        for clip, branches in zip(clips, some)
    )


def _narrowest_branches(low: Floats, high: Floats, middles: Integers) -> list[Branches]:
    """For each clip, branches that widen the pooled ranges least, starting with the widest."""
    rows = np.arange(low.shape[2])
    order = np.argsort(-(high - low).sum(axis=1), axis=0, kind="stable")
    mirrored, half_turns = np.zeros((len(low), len(rows)), dtype=bool), np.zeros(low.shape)
    least, most = low[order[0], :, rows].T, high[order[0], :, rows].T
    for at in order[1:]:
        ends = low[at, :, rows].T, high[at, :, rows].T
        branches = _least_widening(ends, (least, most), middles)
        mirrored[at, rows], half_turns[at, :, rows] = branches.mirrored, branches.half_turns.T
        below, above = _move_ends(branches, ends, middles)
        least, most = np.minimum(least, below), np.maximum(most, above)
    whole = zero_branches(least, most, middles)
    return [Branches(*one).compose(whole, middles) for one in zip(mirrored, half_turns)]


def _least_widening(
    ends: tuple[Floats, Floats], box: tuple[Floats, Floats], middles: Integers
) -> Branches:
    """Branches on which ranges widen a box least; in a tie, those nearest to the box's middle."""
    centre, target = 0.5 * (ends[0] + ends[1]), 0.5 * (box[0] + box[1])
    sets = both_sets(centre, target, middles)
    grown = []
    for branches in sets:
        low, high = _move_ends(branches, ends, middles)
        wider = np.maximum(box[0] - low, 0.0) + np.maximum(high - box[1], 0.0)
        grown.append(wider.sum(axis=0))
    gain = grown[0] - grown[1]
    nearest = nearest_branches(centre, target, middles)
    nearest = nearest.replace_where(gain > TIE_TOLERANCE, sets[1])
    return nearest.replace_where(gain < -TIE_TOLERANCE, sets[0])


def _move_ends(
    branches: Branches, ends: tuple[Floats, Floats], middles: Integers
) -> tuple[Floats, Floats]:
    """Minima and maxima of ranges after moving them to other branches."""
    first, second = (branches.apply(end, middles) for end in ends)
    return np.minimum(first, second), np.maximum(first, second)


def _move_clip(
    clip: ClipSummary, joints: Integers, middles: Integers, branches: Branches
) -> ClipSummary:
    """Clip with some joints moved to other branches."""
    count = len(middles)
    signs, shifts = np.ones((count, 3)), np.zeros((count, 3))
    signs[joints] = middle_signs(branches.mirrored, middles[joints]).T
    shifts[joints] = 0.5 * TURN * branches.half_turns.T
    arcs = clip.arcs
    turned, shift = signs.ravel()[arcs.channel] < 0.0, shifts.ravel()[arcs.channel]
    start = wrap_angle(np.where(turned, -arcs.end, arcs.start) + shift)
    end = wrap_angle(np.where(turned, -arcs.start, arcs.end) + shift)
    full = arcs.end - arcs.start >= TURN
    arcs = replace(
        arcs,
        start=start,
        end=np.where(full, start + TURN, end),
        start_frame=np.where(turned, arcs.end_frame, arcs.start_frame),
        end_frame=np.where(turned, arcs.start_frame, arcs.end_frame),
    )
    return replace(
        clip,
        rotates=signs[..., None] * clip.rotates + shifts[..., None],
        lower=_end(clip.lower, clip.upper.mirror(), signs, shifts),
        upper=_end(clip.upper, clip.lower.mirror(), signs, shifts),
        arcs=arcs,
    )


def _end(own: Reach, opposite: Reach, signs: Floats, shifts: Floats) -> Reach:
    """Reach of shifted channels; mirroring a channel swaps its two reaches."""
    found = Reach._make(np.where(signs < 0.0, b, a) for a, b in zip(own, opposite))
    return found._replace(value=found.value + shifts, steady=found.steady + shifts)
