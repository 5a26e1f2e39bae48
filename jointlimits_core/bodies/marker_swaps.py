"""Two markers that exchange their labels: found by each jumping to where the other was."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats, Integers
from ..findings import Finding
from .markers import MarkerTracks

_JUMP_METERS, _JUMP_STEPS = 0.015, 6.0
"""A marker jumps if it goes farther from one frame to the next, and by so many usual steps."""
_NEARER = 0.35
"""Each lands where the other was, up to this share of the distance between the two."""
_LONGEST_GAP = 5
"""Frames without either marker in which an exchange is still seen as one."""


@dataclass(frozen=True)
class MarkerSwap:
    """Two labels that change places.

    Parameters
    ----------
    first, second : int
        Indices of the markers, as labelled by the file.
    frame : int
        Position in the file's frames from which on they have changed places.
    """

    first: int
    second: int
    frame: int


def marker_swaps(markers: MarkerTracks) -> tuple[MarkerSwap, ...]:
    """Find exchanged labels.

    A marker's jump alone is no evidence: two must jump at the same time, each to where the other
    was. No motion of a body does that within a frame.

    Returns
    -------
    tuple of MarkerSwap
        In the order of their frames.
    """
    jumps = [_jumps(markers, index) for index in range(len(markers.names))]
    jumping = [index for index, (before, _) in enumerate(jumps) if len(before)]
    found = []
    for place, one in enumerate(jumping):
        for other in jumping[place + 1 :]:
            pairs = _same_time(jumps[one], jumps[other])
            found += [
                MarkerSwap(one, other, int(frame))
                for frame, before, after in pairs
                if _exchanged(markers.positions[[one, other]], before, after)
            ]
    return tuple(sorted(found, key=lambda swap: (swap.frame, swap.first, swap.second)))


def without_swaps(markers: MarkerTracks) -> MarkerTracks:
    """Give every label to one and the same marker over the whole clip.

    Returns
    -------
    MarkerTracks
        With the labels of the first frames, and a finding for each exchange; the same object if
        there is none.
    """
    swaps = marker_swaps(markers)
    if not swaps:
        return markers
    # Which label's marker each column of the file holds, from one exchange to the next.
    holds = np.arange(len(markers.names))
    positions, present = np.array(markers.positions), np.array(markers.present)
    for swap, until in zip(swaps, [*(after.frame for after in swaps[1:]), markers.frame_count]):
        pair = [swap.first, swap.second]
        holds[pair] = holds[pair[::-1]]
        positions[holds, swap.frame : until] = markers.positions[:, swap.frame : until]
        present[holds, swap.frame : until] = markers.present[:, swap.frame : until]
    findings = (*markers.findings, *(_finding(markers, swap) for swap in swaps))
    return replace(markers, positions=positions, present=present, findings=findings)


def _jumps(markers: MarkerTracks, index: int) -> tuple[Integers, Integers]:
    """Frames before and after each jump of a marker, over short gaps as well."""
    seen = np.flatnonzero(markers.present[index])
    if len(seen) < 3:
        return seen[:0], seen[:0]
    steps = np.linalg.norm(np.diff(markers.positions[index, seen], axis=0), axis=1)
    limit = max(_JUMP_METERS, _JUMP_STEPS * float(np.median(steps)))
    jumps = np.flatnonzero((steps > limit) & (np.diff(seen) <= _LONGEST_GAP + 1))
    return seen[jumps], seen[jumps + 1]


def _same_time(
    one: tuple[Integers, Integers], other: tuple[Integers, Integers]
) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Jumps of two markers at one time: the frame, the frames before and after of both."""
    pairs = []
    for before, after in zip(*one):
        overlap = np.flatnonzero((other[0] < after) & (other[1] > before))
        for at in overlap[:1].tolist():
            first, second = int(other[0][at]), int(other[1][at])
            frame = max(int(before), first) + 1
            pairs.append((frame, (int(before), first), (int(after), second)))
    return pairs


def _exchanged(positions: Floats, before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Whether each of two markers lands where the other was, shape of positions (2, frames, 3)."""
    old = positions[[0, 1], before]
    new = positions[[0, 1], after]
    apart = np.linalg.norm(old[1] - old[0])
    return bool((np.linalg.norm(new - old[::-1], axis=1) < _NEARER * apart).all())


def _finding(markers: MarkerTracks, swap: MarkerSwap) -> Finding:
    one, other = markers.names[swap.first], markers.names[swap.second]
    number = float(markers.frames[swap.frame])
    message = f"{one} and {other} change places at frame {number:g}; they were changed back."
    last = float(markers.frames[-1])
    return Finding("swapped-markers", message, clip=markers.name, frame_ranges=((number, last),))
