"""Outlier frames in tracks, detected by joint gaps, and repair of swapped tracks.

The tree is fitted; frames with gaps far above their joint's median are removed from the body to
blame; and this is repeated until nothing changes. The median tolerates outliers in nearly half of
the frames. Trackers also confuse left and right hands: both bodies then look like outliers, and all
their joints fit again after the two tracks are swapped back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..base.findings import Finding
from ..geometry.arrays import Booleans, Floats, Integers, frame_ranges, in_ranges
from .joint_centres import joint_centres, pair_moments, pair_table
from .residuals import JointEnds, gap_lengths, joint_gap
from .tracks import BodyTracks
from .tree import spanning_forest

MAX_ROUNDS = 12
MAX_GAP_DEVIATIONS = 6.0
"""Largest gap, in standard deviations, that is not an outlier: with normal errors, one frame in ten
million exceeds it. Skin and joints other than ball joints have longer tails, which are kept."""
MAX_FAR_FACTOR = 6.0
"""Largest deviation from a body's usual distance, in multiples of the usual deviation."""
MAX_COMPANY_BODIES = 24
PARTNER_COUNT = 8
MEDIAN_FRAMES = 600
MEDIAN_LENGTH_RATIO = 1.538
"""Median length of a vector of three independent standard normal numbers."""
MIN_DEVIATION_M = 1e-4
"""Lower bound of a deviation, metres, for data without noise."""
MIN_FRAMES = 3
"""Minimum number of frames that fit again after swapping back."""
SHORT_SECONDS = 0.25
"""Longest gap between swapped frames that is also swapped, unless the joints then fit worse."""


def inlier_frames(tracks: BodyTracks) -> Booleans:
    """Frames in which each body agrees with its joints, bool, shape (bodies, frames)."""
    company = frames_in_company(tracks)
    good = company
    for _ in range(MAX_ROUNDS):
        ends, gaps = _tree_gaps(tracks, good)
        guilty = outlier_bodies(ends, wrong_gaps(gaps, ends.shared_frames(good)), gaps, len(tracks))
        # No evidence supports a body whose neighbours are all missing or to blame.
        supported: Booleans = np.zeros_like(guilty)
        for one, other, known in zip(ends.child, ends.parent, np.isfinite(gaps)):
            supported[one] |= known & ~guilty[other]
            supported[other] |= known & ~guilty[one]
        renewed: Booleans = tracks.present & ~guilty & (company | supported)
        if np.array_equal(renewed, good):
            break
        good = renewed
    return good


def frames_in_company(tracks: BodyTracks) -> Booleans:
    """Frames, (bodies, frames), in which a body is at its usual distance from most other bodies."""
    places = np.where(tracks.present[..., None], tracks.positions, np.nan)
    good: Booleans = tracks.present.copy()
    if len(tracks) < 4:
        return good
    for body in range(len(tracks)):
        others = np.delete(np.arange(len(tracks)), body)
        others = others[:: -(-len(others) // MAX_COMPANY_BODIES)]
        apart = np.linalg.norm(places[others] - places[body], axis=2)
        off = np.abs(apart - _median(apart, 1)[:, None])
        unusual = off / np.maximum(_median(off, 1)[:, None], MIN_DEVIATION_M)
        good[body] &= ~(_median(unusual, 0) > MAX_FAR_FACTOR)
    return good


def _median(values: Floats, axis: int) -> Floats:
    """Lower median, ignoring NaN; zero where all values are NaN."""
    ordered = np.sort(values, axis=axis)
    count = np.isfinite(values).sum(axis=axis, keepdims=True)
    middle = np.take_along_axis(ordered, np.maximum(count - 1, 0) // 2, axis=axis)
    return np.asarray(np.nan_to_num(middle, nan=0.0).squeeze(axis))


def _tree_gaps(tracks: BodyTracks, good: Booleans) -> tuple[JointEnds, Floats]:
    """Joints of the lightest tree, and the lengths of their gaps, shape (joints, frames)."""
    moments = pair_moments(tracks, good)
    centres = joint_centres(moments)
    bodies = len(tracks)
    row = np.zeros((bodies, bodies), dtype=np.int64)
    row[moments.child, moments.parent] = np.arange(len(moments))
    residuals = pair_table(moments, bodies).residuals_m
    # Pairs in which one body is among the other's best partners, and pairs of the lightest tree.
    near: Booleans = np.zeros((bodies, bodies), dtype=bool)
    best = np.argsort(residuals + np.diag(np.full(bodies, np.inf)), axis=1)[:, :PARTNER_COUNT]
    np.put_along_axis(near, best, True, axis=1)
    for one, other in spanning_forest(residuals):
        near[one, other] = True
    chosen = row[np.nonzero(np.tril((near | near.T) & np.isfinite(residuals), -1))]
    # Pairs are compared by their median gaps: a few remaining outliers would dominate a mean
    # square, and keep a wrong tree that hides them.
    few = np.arange(0, tracks.frame_count, max(1, tracks.frame_count // MEDIAN_FRAMES))
    part, weights = tracks.keep_frames(few), np.full((bodies, bodies), np.inf)
    for pair in chosen:
        child, parent = int(moments.child[pair]), int(moments.parent[pair])
        gap = joint_gap(part, child, parent, centres.in_child[pair], centres.in_parent[pair])
        length = np.linalg.norm(gap, axis=1)[good[child, few] & good[parent, few]]
        if length.size:
            weights[child, parent] = weights[parent, child] = np.median(length)
    edges = np.array(spanning_forest(weights), dtype=np.int64).reshape(-1, 2)
    parents, children = np.sort(edges, axis=1).T
    chosen = row[children, parents]
    ends = JointEnds(children, parents, centres.in_child[chosen], centres.in_parent[chosen])
    return ends, gap_lengths(tracks, ends)


def gap_limits(gaps: Floats, good: Booleans) -> Floats:
    """Length above which a gap of each joint is an outlier, metres, shape (joints,)."""
    limits = np.full(len(gaps), np.inf)
    for row, (length, mask) in enumerate(zip(gaps, good)):
        chosen = length[mask & np.isfinite(length)]
        if chosen.size:
            deviation = max(float(np.median(chosen)) / MEDIAN_LENGTH_RATIO, MIN_DEVIATION_M)
            limits[row] = MAX_GAP_DEVIATIONS * deviation
    return limits


def wrong_gaps(gaps: Floats, good: Booleans) -> Booleans:
    """Gaps that are too long for their joint, compared with its good frames, (joints, frames)."""
    limits = gap_limits(gaps, good)
    return np.asarray(np.nan_to_num(gaps, nan=0.0) > limits[:, None])


def outlier_bodies(ends: JointEnds, wrong: Booleans, gaps: Floats, bodies: int) -> Booleans:
    """Bodies to blame, (bodies, frames): most wrong gaps first, until all gaps are explained."""
    guilty: Booleans = np.zeros((bodies, wrong.shape[1]), dtype=bool)
    touches = np.zeros((bodies, len(gaps)))
    touches[[ends.child, ends.parent], np.arange(len(gaps))] = 1.0
    columns = np.flatnonzero(wrong.any(axis=0))
    left = wrong[:, columns].astype(np.float64)
    share = touches @ np.isfinite(gaps[:, columns])
    while columns.size:
        count = touches @ left
        worst = np.argmax(count + count / np.maximum(share, 1.0), axis=0)
        guilty[worst, columns] = True
        left = left * (1.0 - touches[worst].T)
        open_ = left.any(axis=0)
        columns, left, share = columns[open_], left[:, open_], share[:, open_]
    return guilty


@dataclass(frozen=True)
class BodySwap:
    """Two bodies that have each other's tracks in some frames.

    `frame_ranges`: first and last frame of each stretch, as numbered in the source.
    """

    first: str
    second: str
    frame_ranges: tuple[tuple[float, float], ...]

    def finding(self, clip: str) -> Finding:
        """The swap as a finding."""
        message = f"{self.first} and {self.second} have each other's tracks in some frames"
        return Finding("swapped-bodies", message, self.first, clip, self.frame_ranges)


def find_swaps(tracks: BodyTracks, ends: JointEnds, good: Booleans) -> tuple[BodySwap, ...]:
    """Swapped bodies; each frame belongs to the pair whose swap repairs the joints best."""
    lengths = gap_lengths(tracks, ends)
    limits = gap_limits(lengths, ends.shared_frames(good))
    bad: Booleans = tracks.present & ~good

    def gaps_if_swapped(
        pair: tuple[int, int], frames: Integers
    ) -> tuple[Floats, Floats, Booleans, Floats]:
        """Gaps of two bodies' joints before and after a swap, masks of sound gaps, and limits."""
        rows = np.flatnonzero(np.isin(ends.child, pair) | np.isin(ends.parent, pair))
        part = _exchange_tracks(tracks.keep_frames(frames), pair, np.ones(frames.size, dtype=bool))
        # Joints to other bodies that are outliers themselves do not count.
        judges = ~bad[:, frames]
        judges[list(pair)] = True
        own = ends.choose(rows)
        before, after = lengths[np.ix_(rows, frames)], gap_lengths(part, own)
        return before, after, own.shared_frames(judges), limits[rows, None]

    pairs, frames = _pairs_to_test(ends, bad), np.flatnonzero(bad.any(axis=0))
    best, winner = np.zeros(frames.size), np.full(frames.size, -1)
    for number, pair in enumerate(pairs):
        both = tracks.present[pair[0], frames] & tracks.present[pair[1], frames]
        gain = np.where(both, _gain(*gaps_if_swapped(pair, frames)), 0.0)
        better = gain > best
        best[better], winner[better] = gain[better], number
    found = []
    for number in np.unique(winner[winner >= 0]).tolist():
        own, pair = frames[winner == number], pairs[number]
        if len(own) >= MIN_FRAMES:
            # Frames in short gaps between swapped frames, as joints often do not show a swap.
            between = np.setdiff1d(np.arange(own[0], own[-1]), own)
            place = np.searchsorted(own, between)
            short = own[place] - own[place - 1] <= round(SHORT_SECONDS * tracks.frame_rate)
            between = between[short]
            if between.size:
                before, after, sound, limit = gaps_if_swapped(pair, between)
                held, holds = (np.sum(sound & (gaps <= limit), axis=0) for gaps in (before, after))
                own = np.concatenate([own, between[holds >= held]])
            chosen = np.isin(np.arange(tracks.frame_count), own)
            first, second = (tracks.names[body] for body in pair)
            found.append(BodySwap(first, second, frame_ranges(tracks.frames, chosen)))
    return tuple(found)


def _pairs_to_test(ends: JointEnds, bad: Booleans) -> list[tuple[int, int]]:
    """Pairs of outliers, or of an outlier and a neighbour, since one body may get all the blame."""
    wrong = np.flatnonzero(bad.any(axis=1)).tolist()
    joined = [tuple(sorted(pair)) for pair in zip(ends.child.tolist(), ends.parent.tolist())]
    return sorted({*combinations(wrong, 2), *(p for p in joined if not {*p}.isdisjoint(wrong))})


def _gain(before: Floats, after: Floats, sound: Booleans, limit: Floats) -> Floats:
    """Reduction of gaps by a swap; 0 if a joint does not fit afterwards, or all fitted before."""
    known = np.isfinite(after) & np.isfinite(before) & sound
    holds = known.any(axis=0) & ~(known & (after > limit)).any(axis=0)
    broken = (known & (before > limit)).any(axis=0)
    gained = np.where(known, before - after, 0.0).sum(axis=0)
    return np.asarray(np.where(holds & broken, np.maximum(gained, 0.0), 0.0))


def swap_back(tracks: BodyTracks, swaps: Sequence[BodySwap]) -> BodyTracks:
    """The tracks with swapped bodies swapped back, and a finding for each swap."""
    for swap in swaps:
        mask = in_ranges(tracks.frames, swap.frame_ranges)
        pair = (tracks.index(swap.first), tracks.index(swap.second))
        tracks = _exchange_tracks(tracks, pair, mask)
    findings = tuple(swap.finding(tracks.name) for swap in swaps)
    return replace(tracks, findings=tracks.findings + findings)


def _exchange_tracks(tracks: BodyTracks, pair: tuple[int, int], mask: Booleans) -> BodyTracks:
    source = np.arange(len(tracks))
    source[list(pair)] = pair[::-1]
    return replace(
        tracks,
        positions=np.where(mask[:, None], tracks.positions[source], tracks.positions),
        rotations=np.where(mask, tracks.rotations[source], tracks.rotations),
        present=np.where(mask, tracks.present[source], tracks.present),
    )
