"""Detection of mirrored axes and other quaternion conventions in tracks.

A table does not state its conventions. Read by the wrong ones, its numbers still give bodies that
move, but no two of them share a point. The alternatives are tried, and the one that makes the
bodies fit is named.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Integers
from ..rotation import conjugate
from ..wording import millimetres
from .hierarchy import spanning_forest
from .options import MINIMUM_FRAMES
from .pair_moments import pair_moments
from .pair_table import pair_table
from .tracks import BodyTracks

MOST_FRAMES = 300
"""Enough to tell gaps of millimetres from gaps of decimetres."""
NO_TROUBLE_M = 0.005
"""Gaps up to this size are not investigated."""
CLEARLY = 0.6
"""Largest share to which another convention must shrink the gaps. On simulated figures in our own
convention no other fell below 0.95, and no single pair below 0.85, with up to 20 mm of sliding skin
along each axis; exercises in other conventions all fell below 0.3."""
AS_GOOD = 0.02
"""Conventions whose gaps differ by at most this share count as equal: the simplest is named."""


class _Turns(NamedTuple):
    """A reading of a rotation's four numbers; `words` is the instruction to fix them."""

    order: tuple[int, ...]
    inverse: bool
    words: str


_TURNS = (
    _Turns((0, 1, 2, 3), False, ""),
    _Turns((1, 2, 3, 0), False, "quaternions are w, x, y, z: name their columns so"),
    _Turns((0, 1, 2, 3), True, "rotations are from world to body: negate qx, qy and qz"),
    _Turns(
        (1, 2, 3, 0),
        True,
        "quaternions are w, x, y, z, and from world to body: name their columns so, and negate "
        "qx, qy and qz",
    ),
)


@dataclass(frozen=True)
class Convention:
    """Another convention in which the numbers fit.

    Parameters
    ----------
    words : str
        The convention, and how to fix the file.
    gap_m, own_gap_m : float
        Gap of a typical joint in it, and as the file is read now, metres rms.
    """

    words: str
    gap_m: float
    own_gap_m: float

    def sentence(self) -> str:
        """The full message."""
        own, found = millimetres(self.own_gap_m, 0), millimetres(self.gap_m, 0)
        return (
            f"positions and rotations contradict each other: joints have gaps of {own} mm. "
            f"They would be {found} mm if {self.words}"
        )


def other_convention(tracks: BodyTracks) -> Convention | None:
    """Find the convention that tracks seem to follow, if it is not ours.

    Left-handed tracks agree with themselves if positions and rotations are both left-handed: a
    mirrored skeleton fits as well, so this goes unnoticed. Positions negated in all axes fit
    equally well (with the joints on the other side of the bodies), so mirroring one axis and
    mirroring the two others are the same here.

    Parameters
    ----------
    tracks : BodyTracks
        As in the file, before the up axis is corrected.

    Returns
    -------
    Convention or None
        None where gaps are small, or no other convention shrinks them enough.
    """
    step = max(1, tracks.frame_count // MOST_FRAMES)
    some = tracks.take(np.arange(0, tracks.frame_count, step))
    own = _typical_gap(some)
    if not own > NO_TROUBLE_M:
        return None
    tried = [(_typical_gap(meant), words) for meant, words in _meanings(some)]
    least = min(gap for gap, _ in tried)
    if not least < CLEARLY * own:
        return None
    gap, words = next(one for one in tried if one[0] <= least + AS_GOOD * own)
    return Convention(words, gap, own)


def _typical_gap(tracks: BodyTracks) -> float:
    """Median gap over the tree of least gaps, metres; 0 if no bodies are ever seen together."""
    residuals = pair_table(pair_moments(tracks), len(tracks), MINIMUM_FRAMES).residuals_m
    tree = spanning_forest(residuals)
    return float(np.median([residuals[edge] for edge in tree])) if tree else 0.0


def _meanings(tracks: BodyTracks) -> Iterator[tuple[BodyTracks, str]]:
    """Tracks in other conventions, the simplest first."""
    for (axes, signs), turns in sorted(
        itertools.product(_placements(), _TURNS), key=lambda one: _strangeness(*one)
    ):
        words = " and ".join(part for part in (turns.words, _place_words(axes, signs)) if part)
        if words:
            yield _meant(tracks, axes, signs, turns), words


def _placements() -> list[tuple[Integers, Floats]]:
    """Orders and signs of the position axes, no two of them each other's negative."""
    orders = [np.array(order) for order in itertools.permutations(range(3))]
    signs = [np.array(sign) for sign in itertools.product((1.0, -1.0), repeat=3) if sum(sign) > 0]
    return list(itertools.product(orders, signs))


def _strangeness(placement: tuple[Integers, Floats], turns: _Turns) -> int:
    axes, signs = placement
    moved = int(np.sum(axes != np.arange(3)) + np.sum(signs < 0.0))
    return moved + _TURNS.index(turns)


def _meant(tracks: BodyTracks, axes: Integers, signs: Floats, turns: _Turns) -> BodyTracks:
    rotations = tracks.rotations[:, list(turns.order)]
    if turns.inverse:
        rotations = np.moveaxis(conjugate(np.moveaxis(rotations, 1, 2)), 2, 1)
    return replace(tracks, positions=tracks.positions[..., axes] * signs, rotations=rotations)


def _place_words(axes: Integers, signs: Floats) -> str:
    if (axes == np.arange(3)).all():
        mirrored = ", ".join("xyz"[axis] for axis in np.flatnonzero(signs < 0.0))
        if not mirrored:
            return ""
        return f"positions are left-handed and rotations are not: negate {mirrored} of positions"
    order = ", ".join(f"{'-' if sign < 0 else ''}{'xyz'[axis]}" for axis, sign in zip(axes, signs))
    return f"positions and rotations use different axes: write {order} in place of x, y, z"
