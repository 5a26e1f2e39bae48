"""How far each bound can be trusted: how it was reached, a band, and a grade in one word.

A bound that was read from motion is never too wide and often too narrow: what was not shown may
still be possible. Two things tell how much may be missing. The extremes of the stretches of the
clips scatter, and a bound that many stretches come near to will hardly move when more is recorded.
And the number of clips: one clip shows one activity, and another may go as far again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..euler import TURN
from .channel_box import LOCKED, ChannelBox
from .reach import CUT, HELD, NEAR, Reach
from .samples import Samples

SCATTER = 1.5
"""Standard deviations of the stretches' extremes that the band goes beyond the bound."""
ONE_CLIP = 1.5
"""Widths of the range that the band of a single clip goes beyond; falls with clips squared."""
LEAST = np.radians(0.5)
"""No bound is known better than this."""
ROUNDING = 1e-9
"""Radians by which equal angles on different turns may differ."""
FIRM = np.radians(5.0)
"""A firm bound's band goes no further beyond it."""

GRADES = ("untested", "open", "seen", "firm")
"""Not exercised; reached once in passing, or the clip was cut there; stopped there or came back
there; reached again and again, in several clips, and unlikely to move."""


@dataclass(frozen=True, eq=False)
class Trust:
    """Trust in one side of the ranges of the chosen joints; shapes (joints, 3).

    Parameters
    ----------
    clips : array of int
        Clips that come within a degree of the bound.
    visits : array of int
        How often they do.
    stop : array of int
        The best of how they stopped there, as in :class:`jointlimits_core.estimation.reach.Reach`.
    beyond : array
        How far beyond the bound its 90 % band goes, radians.
    within : array
        How far inside the bound the band begins: what fewer than three frames in a row reached.
    steady_clip : array of int
        Clip whose held extreme is furthest.
    steady_frame : array
        Its frame.
    grade : array of int
        Index of :data:`GRADES`.
    """

    clips: Integers
    visits: Integers
    stop: Integers
    beyond: Floats
    within: Floats
    steady_clip: Integers
    steady_frame: Floats
    grade: Integers


def trust_in_bounds(box: ChannelBox, samples: Samples) -> tuple[Trust, Trust]:
    """Trust in the lower and in the upper bounds.
    Returns
    -------
    lower, upper : Trust
    """
    lower, upper = zip(*((clip.lower, clip.upper) for clip in samples.clips))
    below = _trust([reach.mirrored() for reach in lower], -box.low, box)
    above = _trust(upper, box.high, box)
    # Where nothing is held, as in a clip of three frames, nothing tells outliers from motion.
    crossed = below.within + above.within > box.high - box.low + ROUNDING
    return _with_all(below, crossed), _with_all(above, crossed)


def _with_all(trust: Trust, where: Booleans) -> Trust:
    """The same with nothing beyond what was held."""
    return replace(trust, within=np.where(where, 0.0, trust.within))


def _trust(reaches: Sequence[Reach], bound: Floats, box: ChannelBox) -> Trust:
    """Trust in upper bounds; lower ones come negated."""
    short = np.stack([_short_of(bound, reach.value) for reach in reaches], axis=-1)
    near = short < NEAR
    visits = np.stack([reach.visits for reach in reaches], axis=-1)
    stops = np.stack([reach.stop for reach in reaches], axis=-1)
    held = np.stack([_short_of(bound, reach.steady) for reach in reaches], axis=-1)
    at = held.argmin(axis=-1)
    frames = np.stack([reach.steady_frame for reach in reaches], axis=-1)
    blocks = np.concatenate([reach.blocks for reach in reaches], axis=-1)
    trust = Trust(
        # A bound was reached at least once, also where it is not the end of a clip's own range.
        clips=np.maximum(near.sum(axis=-1), 1),
        visits=np.maximum(np.where(near, visits, 0).sum(axis=-1), 1),
        stop=np.where(near, stops, 0).max(axis=-1),
        beyond=_beyond(_short_of(bound[..., None], blocks).std(axis=-1), len(reaches), box),
        within=np.where(short.min(axis=-1) < ROUNDING, held.min(axis=-1), 0.0),
        steady_clip=at,
        steady_frame=np.take_along_axis(frames, at[..., None], axis=-1)[..., 0],
        grade=np.zeros(bound.shape, dtype=np.int64),
    )
    return replace(trust, grade=_grades(trust, box))


def _short_of(bound: Floats, values: Floats) -> Floats:
    """How much values stay below a bound, on the circle where they are on another turn."""
    return np.asarray(np.maximum(np.mod(bound - values + ROUNDING, TURN) - ROUNDING, 0.0))


def _beyond(scatter: Floats, clips: int, box: ChannelBox) -> Floats:
    """How far the band goes beyond the bound; half of the gap belongs to the other bound."""
    beyond = np.maximum(SCATTER * scatter, ONE_CLIP * (box.high - box.low) / clips**2)
    return np.asarray(np.maximum(np.minimum(beyond, 0.5 * box.gap), LEAST))


def _grades(trust: Trust, box: ChannelBox) -> Integers:
    """One word for a person: see :data:`GRADES`."""
    back = trust.stop > CUT
    stopped = (trust.stop == HELD) | (back & (trust.visits >= 2))
    often = back & (trust.clips >= 2) & (trust.visits >= 3)
    grades = np.where(stopped, GRADES.index("seen"), GRADES.index("open"))
    grades = np.where(often & (trust.beyond < FIRM), GRADES.index("firm"), grades)
    return np.where(box.high - box.low < LOCKED, GRADES.index("untested"), grades)
