"""Detection and repair of bodies whose tracks were swapped for a while.

Trackers confuse what they follow: left hand and right hand, two props. Such frames look like
outliers of two bodies at once, and swapping the two back makes all their joints hold again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..findings import Finding, frame_ranges
from .residuals import joint_gaps
from .robust import gap_limits
from .tracks import BodyTracks

FEWEST_FRAMES = 3
"""Frames that must hold again after swapping back."""
SHORT_SECONDS = 0.25
"""Largest gap between swapped frames that is swapped too unless that is worse."""

Ends = tuple[Integers, Integers, Floats, Floats]
"""Children, parents, and the joints' places in both."""


@dataclass(frozen=True)
class BodySwap:
    """Two bodies that have each other's tracks in some frames.

    Parameters
    ----------
    frame_ranges : tuple of (first, last)
        The source's own frame numbers, both ends included.
    """

    first: str
    second: str
    frame_ranges: tuple[tuple[float, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        ranges = [list(pair) for pair in self.frame_ranges]
        return {"first": self.first, "second": self.second, "frame_ranges": ranges}

    def finding(self, clip: str) -> Finding:
        """The swap as a finding."""
        message = f"{self.first} and {self.second} have each other's tracks in some frames"
        return Finding("swapped-bodies", message, self.first, clip, self.frame_ranges)


def find_swaps(
    tracks: BodyTracks,
    child: Integers,
    parent: Integers,
    in_child: Floats,
    in_parent: Floats,
    good: Booleans,
) -> tuple[BodySwap, ...]:
    """Find exchanged bodies with the joints of a robust fit.

    Parameters
    ----------
    child, parent : array of int, shape (joints,)
    in_child, in_parent : array, shape (joints, 3)
        Fitted to the good frames, metres.
    good : array of bool, shape (bodies, frames)
        Of :func:`.robust.good_frames`.

    Returns
    -------
    tuple of BodySwap
        Each frame goes to the pair whose swap repairs it best; isolated frames that hold only by
        chance are left out.
    """
    child, parent = np.asarray(child, np.int64), np.asarray(parent, np.int64)
    ends = (child, parent, np.asarray(in_child), np.asarray(in_parent))
    lengths = np.linalg.norm(joint_gaps(tracks, *ends), axis=2)
    limits = gap_limits(lengths, good[child] & good[parent])
    bad: Booleans = tracks.present & ~good
    found = []
    for pair, chosen in _best_pairs(tracks, ends, limits, lengths, bad):
        if chosen.sum() >= FEWEST_FRAMES:
            chosen = chosen | _between(tracks, ends, limits, lengths, bad, pair, chosen)
            first, second = (tracks.names[body] for body in pair)
            found.append(BodySwap(first, second, frame_ranges(tracks.frames, chosen)))
    return tuple(found)


def _best_pairs(
    tracks: BodyTracks, ends: Ends, limits: Floats, lengths: Floats, bad: Booleans
) -> list[tuple[tuple[int, int], Booleans]]:
    """Pairs whose swap repairs frames best, and those frames."""
    frames = np.flatnonzero(bad.any(axis=0))
    best, winner = np.zeros(frames.size), np.full(frames.size, -1)
    pairs = _suspects(*ends[:2], np.asarray(bad.any(axis=1), dtype=bool)) if frames.size else []
    for number, pair in enumerate(pairs):
        judges = ~bad[:, frames]
        judges[list(pair)] = True
        gain = _gain(tracks, ends, limits, frames, lengths[:, frames], pair, judges)
        better = gain > best
        best[better], winner[better] = gain[better], number
    numbers = np.unique(winner[winner >= 0])
    everywhere = np.arange(tracks.frame_count)
    return [(pairs[n], np.isin(everywhere, frames[winner == n])) for n in numbers]


def _between(
    tracks: BodyTracks,
    ends: Ends,
    limits: Floats,
    lengths: Floats,
    bad: Booleans,
    pair: tuple[int, int],
    chosen: Booleans,
) -> Booleans:
    """Frames in short runs between swapped ones in which as many joints hold after a swap.

    Where two bodies come close to each other, or one was not seen, no joint shows that they were
    swapped; but they were before and after.
    """
    known = np.flatnonzero(chosen)
    after = np.searchsorted(known, np.arange(len(chosen)))
    inside = (after > 0) & (after < len(known)) & ~chosen
    last, following = known[after[inside] - 1], known[after[inside]]
    short = following - last <= round(SHORT_SECONDS * tracks.frame_rate)
    frames = np.flatnonzero(inside)[short]
    found: Booleans = np.zeros(len(chosen), dtype=bool)
    if frames.size:
        touched, changed = _changed_gaps(tracks, ends, frames, pair)
        before = lengths[np.ix_(touched, frames)]
        judges = ~bad[:, frames]
        judges[list(pair)] = True
        sound = judges[ends[0][touched]] & judges[ends[1][touched]]
        limit = limits[touched, None]
        held, holds = (np.sum(sound & (gaps <= limit), axis=0) for gaps in (before, changed))
        found[frames[holds >= held]] = True
    return found


def _changed_gaps(
    tracks: BodyTracks, ends: Ends, frames: Integers, pair: tuple[int, int]
) -> tuple[Integers, Floats]:
    """Joints of two bodies, and their gaps in some frames if the two are swapped."""
    touched = np.flatnonzero(np.isin(ends[0], pair) | np.isin(ends[1], pair))
    part = _exchanged(tracks.take(frames), pair, np.ones(frames.size, dtype=bool))
    child, parent, in_child, in_parent = ends
    gaps = joint_gaps(part, child[touched], parent[touched], in_child[touched], in_parent[touched])
    return touched, np.asarray(np.linalg.norm(gaps, axis=2))


def _suspects(child: Integers, parent: Integers, bad: Booleans) -> list[tuple[int, int]]:
    """Pairs of bodies that are wrong at times, and of these with their neighbours.

    When two joined bodies are swapped, one of them may get all the blame.
    """
    joined = {
        (int(a), int(b)) for a, b in zip(np.minimum(child, parent), np.maximum(child, parent))
    }
    wrong = combinations(np.flatnonzero(bad).tolist(), 2)
    return sorted(set(wrong) | {pair for pair in joined if bad[list(pair)].any()})


def _gain(
    tracks: BodyTracks,
    ends: Ends,
    limits: Floats,
    frames: Integers,
    before: Floats,
    pair: tuple[int, int],
    judges: Booleans,
) -> Floats:
    """Reduction of the pair's gaps by a swap; 0 where a joint then does not hold.

    Joints to bodies that are wrong themselves (not in `judges`) are ignored.
    """
    both = tracks.present[pair[0], frames] & tracks.present[pair[1], frames]
    touched, after = _changed_gaps(tracks, ends, frames, pair)
    if not touched.size or not both.any():
        return np.zeros(frames.size)
    child, parent = ends[0][touched], ends[1][touched]
    known = np.isfinite(after) & np.isfinite(before[touched]) & judges[child] & judges[parent]
    beyond = limits[touched, None]
    holds = both & known.any(axis=0) & ~(known & (after > beyond)).any(axis=0)
    broken = (known & (before[touched] > beyond)).any(axis=0)
    gained = np.where(known, before[touched] - after, 0.0).sum(axis=0)
    return np.asarray(np.where(holds & broken, np.maximum(gained, 0.0), 0.0))


def changed_back(tracks: BodyTracks, swaps: Sequence[BodySwap]) -> BodyTracks:
    """The tracks with swapped bodies swapped back, and a finding for each swap."""
    for swap in swaps:
        mask: Booleans = np.zeros(tracks.frame_count, dtype=bool)
        for first, last in swap.frame_ranges:
            mask |= (tracks.frames >= first) & (tracks.frames <= last)
        pair = (tracks.index(swap.first), tracks.index(swap.second))
        tracks = _exchanged(tracks, pair, mask)
    findings = tuple(swap.finding(tracks.name) for swap in swaps)
    return replace(tracks, findings=tracks.findings + findings)


def _exchanged(tracks: BodyTracks, pair: tuple[int, int], mask: Booleans) -> BodyTracks:
    one, other = pair
    positions, rotations = tracks.positions.copy(), tracks.rotations.copy()
    present = tracks.present.copy()
    for a, b in ((one, other), (other, one)):
        positions[a, mask] = tracks.positions[b, mask]
        rotations[a][:, mask] = tracks.rotations[b][:, mask]
        present[a, mask] = tracks.present[b, mask]
    return replace(tracks, positions=positions, rotations=rotations, present=present)
