"""Detection of two markers that swap labels: each jumps to the other's place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats, Integers
from ..findings import Finding
from .markers import MarkerTracks

_JUMP_METERS, _JUMP_STEPS = 0.015, 6.0
"""Distance from frame to frame, and multiple of the usual step, above which a marker jumps."""
_NEARER = 0.35
"""Largest distance from the other's place after a jump, as a share of the pair's distance."""
_LONGEST_GAP = 5
"""Most frames without either marker across which a swap is still recognised."""


@dataclass(frozen=True)
class MarkerSwap:
    """Two labels that swap.

    Parameters
    ----------
    first, second : int
        Indices of the markers, as labelled by the file.
    frame : int
        Index of the first frame after the swap.
    """

    first: int
    second: int
    frame: int


def marker_swaps(markers: MarkerTracks) -> tuple[MarkerSwap, ...]:
    """Find swapped labels.

    A single marker's jump is no evidence: two must jump at the same time, each to the other's
    place. No body moves like that within a frame.

    Returns
    -------
    tuple of MarkerSwap
        In order of frames.
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
    """Keep every label on the same marker over the whole clip.

    Returns
    -------
    MarkerTracks
        With the labels of the first frames, and a finding for each swap; the same object if there
        is none.
    """
    swaps = marker_swaps(markers)
    if not swaps:
        return markers
    # Which label's marker each column of the file holds, from one swap to the next.
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
    """Frames before and after each jump of a marker, also across short gaps."""
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
    """Simultaneous jumps of two markers: the frame, the frames before and after of both."""
    pairs = []
    for before, after in zip(*one):
        overlap = np.flatnonzero((other[0] < after) & (other[1] > before))
        for at in overlap[:1].tolist():
            first, second = int(other[0][at]), int(other[1][at])
            frame = max(int(before), first) + 1
            pairs.append((frame, (int(before), first), (int(after), second)))
    return pairs


def _exchanged(positions: Floats, before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Whether each of two markers lands in the other's place; positions of shape (2, frames, 3)."""
    old = positions[[0, 1], before]
    new = positions[[0, 1], after]
    apart = np.linalg.norm(old[1] - old[0])
    return bool((np.linalg.norm(new - old[::-1], axis=1) < _NEARER * apart).all())


def _finding(markers: MarkerTracks, swap: MarkerSwap) -> Finding:
    one, other = markers.names[swap.first], markers.names[swap.second]
    number = float(markers.frames[swap.frame])
    message = f"{one} and {other} swap labels at frame {number:g}; they were swapped back."
    last = float(markers.frames[-1])
    return Finding("swapped-markers", message, clip=markers.name, frame_ranges=((number, last),))
