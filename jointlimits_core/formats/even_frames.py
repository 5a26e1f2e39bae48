"""Rows of a table put on frames that are evenly apart, with gaps where the table has none.

Motions, BVH files and what is computed along the frames know a frame rate and no times. A row that
a recorder left out would make all later ones come too early.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..rotation import normalized, slerp

STEADY = 0.25
"""Largest difference of a row from its place among even frames, as a share of their distance."""
BETWEEN = 2.5
"""Rows that are further apart than so many frames say nothing of those between them."""


@dataclass(frozen=True, eq=False)
class EvenFrames:
    """Which rows every even frame is made of.

    Parameters
    ----------
    before, after : array of int, shape (frames,)
        The rows around each frame; the same row twice where there is one at that time.
    share : array, shape (frames,)
        How far it is on the way from one to the other, from 0 to 1.
    known : array of bool, shape (frames,)
        False where the table has no row near enough.
    """

    before: Integers
    after: Integers
    share: Floats
    known: Booleans

    @property
    def as_they_are(self) -> bool:
        """Whether every row is a frame, and no frame is without one."""
        return bool(self.known.all()) and not self.between

    @property
    def between(self) -> bool:
        """Whether frames are between rows, so that their values are, too."""
        return bool(self.share.any())

    def places(self, values: Floats) -> Floats:
        """Positions at the even frames.

        Parameters
        ----------
        values : array, shape (things, rows, 3)
            NaN where there are none.

        Returns
        -------
        array, shape (things, frames, 3)
            NaN in gaps.
        """
        one, other = values[:, self.before], values[:, self.after]
        return np.asarray(
            np.where(self.known[:, None], one + self.share[:, None] * (other - one), np.nan)
        )

    def turns(self, values: Floats) -> Floats:
        """Rotations at the even frames; quaternions, shape (things, rows or frames, 4)."""
        found = values[:, self.before]
        if self.between:
            found = normalized(slerp(found, values[:, self.after], self.share))
        return np.asarray(np.where(self.known[:, None], found, np.nan))


def even_frames(steps: Floats) -> EvenFrames:
    """Find even frames for rows that are so far apart.

    Parameters
    ----------
    steps : array, shape (rows - 1,)
        From each row to the next, of :func:`steps_of`.

    Returns
    -------
    EvenFrames
        Rows that are whole numbers of frames apart, to within a quarter of one, stay what they are,
        and what is missing between them are gaps. Others are put on even frames in proportion.
    """
    whole = np.rint(steps)
    if (whole >= 1.0).all() and (np.abs(steps - whole) <= STEADY).all():
        at = np.concatenate([[0], np.cumsum(whole)]).astype(np.int64)
        rows = np.searchsorted(at, np.arange(at[-1] + 1), side="right") - 1
        return EvenFrames(rows, rows, np.zeros(len(rows)), at[rows] == np.arange(len(rows)))
    return _in_proportion(np.concatenate([[0.0], np.cumsum(steps)]))


def _in_proportion(at: Floats) -> EvenFrames:
    """Even frames among rows at any times, in frames from the first."""
    frames = np.arange(np.floor(at[-1] + STEADY) + 1.0)
    after = np.clip(np.searchsorted(at, frames), 1, len(at) - 1)
    before = after - 1
    apart = at[after] - at[before]
    share = np.clip((frames - at[before]) / apart, 0.0, 1.0)
    near = np.minimum(np.abs(frames - at[before]), np.abs(frames - at[after])) <= STEADY
    close = apart <= BETWEEN
    # Beside a long gap a frame is the row that is next to it.
    share = np.where(close, share, np.rint(share))
    before, after = np.where(share == 1.0, after, before), np.where(share == 0.0, before, after)
    return EvenFrames(before, after, np.where(before == after, 0.0, share), close | near)


def steps_of(times: Floats) -> tuple[Floats, float]:
    """From each row to the next in frames, and what a frame is.

    Parameters
    ----------
    times : array, shape (rows,)
        Increasing: seconds, or frame numbers.

    Returns
    -------
    (array, shape (rows - 1,), float)
        The mean of all steps that are near the median one: files round times.
    """
    steps = np.diff(times)
    # The lower one of two: there is always a step that is usual.
    usual = float(np.sort(steps)[(len(steps) - 1) // 2])
    steady: Booleans = np.abs(steps / usual - 1.0) <= STEADY
    frame = float(np.mean(steps[steady]))
    return steps / frame, frame
