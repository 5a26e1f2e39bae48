"""Positions and rotations that contradict each other: mirrored axes, quaternions of other kinds.

Nothing in a table says how its numbers are meant. Taken otherwise they still give bodies that
move, but no two of these have a point in common. What the numbers may mean instead is tried, and
what makes them fit is named.
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
"""Gaps up to which nothing is tried."""
CLEARLY = 0.6
"""What gaps shrink to, at most, where numbers are meant otherwise. Of simulated figures in our own
convention none fell below 0.95, and no single pair of their bodies below 0.85, with up to 20 mm of
sliding skin along each axis; exercises in other conventions all fell below 0.3."""
AS_GOOD = 0.02
"""Of meanings whose gaps differ by no more, as a share of what they are, the simplest is named."""


class _Turns(NamedTuple):
    """How the four numbers of a rotation may be meant; `words` say what to do."""

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
    """Another meaning of the numbers, with which they fit.

    Parameters
    ----------
    words : str
        What they mean, and what to do about it.
    gap_m, own_gap_m : float
        Gap of a typical joint with it, and as the numbers are taken now, metres rms.
    """

    words: str
    gap_m: float
    own_gap_m: float

    def sentence(self) -> str:
        """All of it for people."""
        own, found = millimetres(self.own_gap_m, 0), millimetres(self.gap_m, 0)
        return (
            f"positions and rotations contradict each other: joints have gaps of {own} mm. "
            f"They would be {found} mm if {self.words}"
        )


def other_convention(tracks: BodyTracks) -> Convention | None:
    """The convention that tracks seem to follow, if it is none of ours.

    Left-handed tracks whose positions and rotations are both left-handed agree with each other: a
    mirrored skeleton is as good as another, and nothing can be told. Positions that are negated
    in all axes fit as well as they did (with the joints on the other side of the bodies), so that
    one mirrored axis and the two others mirrored are the same here.

    Parameters
    ----------
    tracks : BodyTracks
        As a file has them: not turned upright yet.

    Returns
    -------
    Convention or None
        None where gaps are small, or nothing else makes them much smaller.
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
    """Median gap over the tree of least gaps, metres; 0 for bodies that are never seen together."""
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
    """Orders and signs of the axes of positions, of which no two are each other's negative."""
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
    return f"positions have other axes than rotations: write their {order} in place of x, y, z"
