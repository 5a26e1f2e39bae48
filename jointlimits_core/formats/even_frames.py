"""Table rows resampled to evenly spaced frames, with gaps where rows are missing.

Motions, BVH files and calculations along the frames assume a frame rate, not times. A row that a
recorder skipped would otherwise shift all later ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..rotation import normalized, slerp

STEADY = 0.25
"""Largest deviation of a row from even spacing, as a share of a frame."""
BETWEEN = 2.5
"""Largest distance of rows in frames that is interpolated."""


@dataclass(frozen=True, eq=False)
class EvenFrames:
    """Rows that every even frame is made from.

    Parameters
    ----------
    before, after : array of int, shape (frames,)
        Rows around each frame; equal if one is at that time.
    share : array, shape (frames,)
        Position between the two rows, from 0 to 1.
    known : array of bool, shape (frames,)
        False where no row is near enough.
    """

    before: Integers
    after: Integers
    share: Floats
    known: Booleans

    @property
    def as_they_are(self) -> bool:
        """Whether rows and frames correspond one to one."""
        return bool(self.known.all()) and not self.between

    @property
    def between(self) -> bool:
        """Whether frames lie between rows, so that values are interpolated."""
        return bool(self.share.any())

    def places(self, values: Floats) -> Floats:
        """Positions at the even frames.

        Parameters
        ----------
        values : array, shape (things, rows, 3)
            NaN where missing.

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
    """Find even frames for rows with given steps.

    Parameters
    ----------
    steps : array, shape (rows - 1,)
        From each row to the next, from :func:`steps_of`.

    Returns
    -------
    EvenFrames
        Rows whole numbers of frames apart, to within a quarter frame, are kept, with gaps between
        them. Others are resampled in proportion.
    """
    whole = np.rint(steps)
    if (whole >= 1.0).all() and (np.abs(steps - whole) <= STEADY).all():
        at = np.concatenate([[0], np.cumsum(whole)]).astype(np.int64)
        rows = np.searchsorted(at, np.arange(at[-1] + 1), side="right") - 1
        return EvenFrames(rows, rows, np.zeros(len(rows)), at[rows] == np.arange(len(rows)))
    return _in_proportion(np.concatenate([[0.0], np.cumsum(steps)]))


def _in_proportion(at: Floats) -> EvenFrames:
    """Even frames for rows at any times, in frames from the first."""
    frames = np.arange(np.floor(at[-1] + STEADY) + 1.0)
    after = np.clip(np.searchsorted(at, frames), 1, len(at) - 1)
    before = after - 1
    apart = at[after] - at[before]
    share = np.clip((frames - at[before]) / apart, 0.0, 1.0)
    near = np.minimum(np.abs(frames - at[before]), np.abs(frames - at[after])) <= STEADY
    close = apart <= BETWEEN
    # Next to a long gap, a frame takes the nearest row.
    share = np.where(close, share, np.rint(share))
    before, after = np.where(share == 1.0, after, before), np.where(share == 0.0, before, after)
    return EvenFrames(before, after, np.where(before == after, 0.0, share), close | near)


def steps_of(times: Floats) -> tuple[Floats, float]:
    """Steps between rows in frames, and the length of a frame.

    Parameters
    ----------
    times : array, shape (rows,)
        Increasing: seconds, or frame numbers.

    Returns
    -------
    (array, shape (rows - 1,), float)
        The mean of all steps near the median one, as files round times.
    """
    steps = np.diff(times)
    # The lower median, which is always an actual step.
    usual = float(np.sort(steps)[(len(steps) - 1) // 2])
    steady: Booleans = np.abs(steps / usual - 1.0) <= STEADY
    frame = float(np.mean(steps[steady]))
    return steps / frame, frame
