"""Trust in each limit: how it was reached, a confidence band, and a grade.

A measured limit is never too wide and often too narrow: more may be possible than was recorded. Two
things indicate how much may be missing: the scatter of the extremes of the stretches of a clip (a
limit that many stretches approach will hardly move), and the number of clips (one clip shows one
activity, and another may go as far again).
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
"""Width of the band beyond the limit, in standard deviations of the stretches' extremes."""
ONE_CLIP = 1.5
"""Width of a single clip's band, in widths of the range; falls with clips squared."""
LEAST = np.radians(0.5)
"""Smallest band."""
ROUNDING = 1e-9
"""Rounding difference, radians, of equal angles on different turns."""
FIRM = np.radians(5.0)
"""Largest band beyond a firm limit."""

GRADES = ("untested", "open", "seen", "firm")
"""Not moved; reached once in passing, or at the end of the clip; stopped there or returned there;
reached repeatedly in several clips, and unlikely to move."""


@dataclass(frozen=True, eq=False)
class Trust:
    """Trust in one side of the ranges of the chosen joints; shapes (joints, 3).

    Parameters
    ----------
    clips : array of int
        Clips that come within a degree of the limit.
    visits : array of int
        Number of times they do.
    stop : array of int
        Best of their stops there, as in :class:`jointlimits_core.estimation.reach.Reach`.
    beyond : array
        Extent of the 90 % band beyond the limit, radians.
    within : array
        Extent of the band inside the limit: reached by fewer than three frames in a row.
    steady_clip : array of int
        Clip with the most extreme held value.
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
    """Trust in minima and maxima.

    Returns
    -------
    lower, upper : Trust
    """
    lower, upper = zip(*((clip.lower, clip.upper) for clip in samples.clips))
    below = _trust([reach.mirrored() for reach in lower], -box.low, box)
    above = _trust(upper, box.high, box)
    # Where nothing is held, as in a clip of three frames, outliers cannot be identified.
    crossed = below.within + above.within > box.high - box.low + ROUNDING
    return _with_all(below, crossed), _with_all(above, crossed)


def _with_all(trust: Trust, where: Booleans) -> Trust:
    """Copy in which nothing counts as an outlier where `where` is true."""
    return replace(trust, within=np.where(where, 0.0, trust.within))


def _trust(reaches: Sequence[Reach], bound: Floats, box: ChannelBox) -> Trust:
    """Trust in maxima; minima are passed negated."""
    short = np.stack([_short_of(bound, reach.value) for reach in reaches], axis=-1)
    near = short < NEAR
    visits = np.stack([reach.visits for reach in reaches], axis=-1)
    stops = np.stack([reach.stop for reach in reaches], axis=-1)
    held = np.stack([_short_of(bound, reach.steady) for reach in reaches], axis=-1)
    at = held.argmin(axis=-1)
    frames = np.stack([reach.steady_frame for reach in reaches], axis=-1)
    blocks = np.concatenate([reach.blocks for reach in reaches], axis=-1)
    trust = Trust(
        # A limit was reached at least once, even if it is not the end of a clip's own range.
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
    """Distance of values below a limit, on the circle."""
    return np.asarray(np.maximum(np.mod(bound - values + ROUNDING, TURN) - ROUNDING, 0.0))


def _beyond(scatter: Floats, clips: int, box: ChannelBox) -> Floats:
    """Extent of the band beyond the limit; half of the gap belongs to the other limit."""
    beyond = np.maximum(SCATTER * scatter, ONE_CLIP * (box.high - box.low) / clips**2)
    return np.asarray(np.maximum(np.minimum(beyond, 0.5 * box.gap), LEAST))


def _grades(trust: Trust, box: ChannelBox) -> Integers:
    """Grade: index of :data:`GRADES`."""
    back = trust.stop > CUT
    stopped = (trust.stop == HELD) | (back & (trust.visits >= 2))
    often = back & (trust.clips >= 2) & (trust.visits >= 3)
    grades = np.where(stopped, GRADES.index("seen"), GRADES.index("open"))
    grades = np.where(often & (trust.beyond < FIRM), GRADES.index("firm"), grades)
    return np.where(box.high - box.low < LOCKED, GRADES.index("untested"), grades)
