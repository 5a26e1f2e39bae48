"""Removal of slips: after a slip the sensor is put back to its place before.

Joints fitted over a slip lie between their two places. So slips are found and removed from the
tracks, and everything is fitted again, which may reveal smaller ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Booleans
from ..rotation import conjugate, multiply, rotated
from .body_fit import BodyFit
from .careful_fit import CarefulFit
from .clips import frames_of
from .residuals import joint_ends
from .slip import BodySlip, find_slips
from .tracks import BodyTracks

ROUNDS = 3
SAME_SECONDS = 1.0
"""Slips found again this close to a known one are remainders of it, not slips of their own."""
SLIPPED_SHARE, SLIPPED_SECONDS = 0.9, 1.0
"""Least share of left-out frames at an end of a clip, and least duration."""
MEASURED = "measured"

Fit = Callable[[Sequence[BodyTracks]], CarefulFit]
Slips = tuple[tuple[BodySlip, ...], ...]


def without_slips(fitted: CarefulFit, fit: Fit) -> tuple[CarefulFit, Slips]:
    """Fit again with slips removed, until there are none.

    Parameters
    ----------
    fit : callable
        Fits a skeleton to clips.

    Returns
    -------
    fitted : CarefulFit
        With slips removed from ``clips``.
    slips : tuple of tuple of BodySlip
        Of each clip, in the order of time.
    """
    slips: Slips = ((),) * len(fitted.clips)
    for _ in range(ROUNDS):
        found = _found(fitted)
        if not any(found):
            break
        slips = tuple(_joined(*pair, fitted.whole) for pair in zip(slips, found))
        swaps = fitted.swaps
        fitted = fit([mended(*pair) for pair in zip(fitted.clips, found)])
        both = tuple(old + new for old, new in zip(swaps, fitted.swaps))
        fitted = replace(fitted, swaps=both)
    return fitted, slips


def mended(tracks: BodyTracks, slips: Sequence[BodySlip]) -> BodyTracks:
    """Tracks in which sensors stay in place as before each slip.

    Parameters
    ----------
    slips : sequence of BodySlip
        Found in these tracks, in the order of time.
    """
    if not slips:
        return tracks
    positions, rotations = tracks.positions.copy(), tracks.rotations.copy()
    # The last slip of a body first, as each is given in the sensor's axes before it.
    for slip in reversed(slips):
        body, after = tracks.index(slip.body), tracks.frames >= slip.frame
        turns = multiply(rotations[body].T[after], conjugate(slip.change.turn))
        positions[body, after] -= rotated(turns, slip.change.shift)
        rotations[body][:, after] = turns.T
    return replace(tracks, positions=positions, rotations=rotations)


def as_measured(fit: BodyFit) -> BodyTracks:
    """The tracks of a fit with their slips still in them."""
    measured = fit.extra.get(MEASURED, fit.tracks)
    assert isinstance(measured, BodyTracks)
    return measured


def _found(fitted: CarefulFit) -> Slips:
    if not fitted.whole.joints:
        return ((),) * len(fitted.clips)
    ends = joint_ends(fitted.whole)
    return tuple(
        find_slips(clip, *ends, used=_slipped_or_used(clip, fitted.whole.used[:, part]))
        for clip, part in zip(fitted.clips, frames_of(fitted.clips))
    )


def _slipped_or_used(clip: BodyTracks, used: Booleans) -> Booleans:
    """Frames in which to look for slips.

    After a large slip near the end of a clip, or before one near its start, no frame fits the
    other joints: frames left out there up to the last one may have slipped.
    """
    wanted = used.copy()
    for row, (seen, kept) in enumerate(zip(clip.present, used)):
        frames = np.flatnonzero(seen)
        for way in (frames, frames[::-1]):
            left_out = np.cumsum(~kept[way[::-1]])
            share = left_out / np.arange(1, len(way) + 1)
            many = np.flatnonzero((share >= SLIPPED_SHARE) & ~kept[way[::-1]])
            if many.size and many[-1] + 1 >= SLIPPED_SECONDS * clip.frame_rate:
                wanted[row, way[::-1][: many[-1] + 1]] = True
    return wanted


def _joined(
    known: Sequence[BodySlip], found: Sequence[BodySlip], whole: BodyFit
) -> tuple[BodySlip, ...]:
    """All slips in order of time, without remainders of known ones."""
    new = [slip for slip in found if not any(_is_rest(slip, one, whole) for one in known)]
    return tuple(sorted((*known, *new), key=lambda slip: slip.seconds))


def _is_rest(slip: BodySlip, known: BodySlip, whole: BodyFit) -> bool:
    if abs(slip.seconds - known.seconds) > SAME_SECONDS:
        return False
    one, other = (whole.tracks.index(name) for name in (slip.body, known.body))
    return one == other or whole.parents[one] == other or whole.parents[other] == one
