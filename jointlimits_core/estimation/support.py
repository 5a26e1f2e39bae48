"""Representative frames of a clip.

Types and shapes need samples spread over the clip; ranges need the extreme frames. A few hundred
whole poses contain both, so a clip of any length is reduced to the same small size, and every limit
is still a value of a numbered frame.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Booleans, Floats, Integers
from .interval import contiguous_interval

EVEN = 512
"""Number of evenly spaced frames to keep."""


def support_frames(count: int, furthest: Integers, even: int = EVEN) -> tuple[Integers, Booleans]:
    """Choose frames.

    Parameters
    ----------
    count : int
        Frames of the clip.
    furthest : array of int
        Frames needed for some joint's range, in any order; see :func:`furthest_frames`.
    even : int
        Number of evenly spaced frames.

    Returns
    -------
    chosen : array of int, shape (chosen,)
        Increasing; all frames of a clip with no more than `even`.
    is_even : array of bool, shape (chosen,)
        The evenly spaced ones.
    """
    if count <= even:
        return np.arange(count), np.ones(count, dtype=bool)
    spaced = np.unique(np.round(np.linspace(0, count - 1, even)).astype(np.int64))
    chosen = np.unique(np.concatenate([spaced, furthest]))
    return chosen, np.isin(chosen, spaced)


def furthest_frames(
    rotates: Floats, rotations: Floats, circle: Floats, from_source: bool
) -> Integers:
    """Extreme frames of all ranges.

    Parameters
    ----------
    rotates : array, shape (joints, 3, frames)
        Rotate channels on one branch, radians.
    rotations : array, shape (joints, 4, frames)
    circle : array, shape (joints, 2, 4)
        Best hinge of each joint in this clip.
    from_source : bool
        Whether the channels come from the source.

    Returns
    -------
    array of int, shape (n,)
    """
    extremes = [rotates.argmin(axis=2), rotates.argmax(axis=2), *_hinge_extremes(rotations, circle)]
    return np.concatenate([at.ravel() for at in extremes + _arc_ends(rotates, from_source)])


def _hinge_extremes(rotations: Floats, circle: Floats) -> list[Integers]:
    """Frames of the smallest and largest angle about the best hinge.

    The angle from the mean rotation grows with the ratio of the two parts, so it is not computed.
    """
    cosine, sine = np.moveaxis(circle @ rotations, 1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.nan_to_num(sine / cosine)
    return [slope.argmin(axis=1), slope.argmax(axis=1)]


def _arc_ends(rotates: Floats, from_source: bool) -> list[Integers]:
    """Frames at both sides of the largest gap, for channels that may turn all the way round."""
    wide = np.ptp(rotates, axis=2) >= (1.5 if from_source else 1.0) * np.pi
    if not wide.any():
        return []
    arc = contiguous_interval(rotates[wide])
    return [arc.low_at, arc.high_at]
