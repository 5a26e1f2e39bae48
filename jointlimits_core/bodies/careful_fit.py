"""Skeleton fit that tolerates outliers and swapped tracks.

Frames that fit no joint are excluded first. Swapped tracks, which explain some of them, are then
swapped back, and outliers and joints are worked out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .body_fit import BodyFit
from .clips import end_to_end, frames_of
from .options import BodyOptions
from .plain_fit import plain_fit
from .residuals import joint_ends
from .robust import good_frames
from .swaps import BodySwap, changed_back, find_swaps
from .tracks import BodyTracks


@dataclass(frozen=True, eq=False)
class CarefulFit:
    """A fit of several clips, with the corrections made before it.

    Parameters
    ----------
    whole : BodyFit
        Fit to all clips end to end.
    clips : tuple of BodyTracks
        Clips with swapped tracks swapped back.
    swaps : tuple of tuple of BodySwap
        Swaps of each clip.
    """

    whole: BodyFit
    clips: tuple[BodyTracks, ...]
    swaps: tuple[tuple[BodySwap, ...], ...]


def careful_fit(clips: Sequence[BodyTracks], options: BodyOptions) -> CarefulFit:
    """Fit one skeleton to the frames that agree with it.

    Parameters
    ----------
    clips : sequence of BodyTracks
        Clips of the same bodies in the same order.
    """
    good = good_frames(end_to_end(clips))
    whole = plain_fit(clips, options, good.astype(np.float64))
    none: tuple[BodySwap, ...] = ()
    swaps = [
        find_swaps(clip, *joint_ends(whole), good[:, part]) if whole.joints else none
        for clip, part in zip(clips, frames_of(clips))
    ]
    if any(swaps):
        clips = [changed_back(clip, found) for clip, found in zip(clips, swaps)]
        good = good_frames(end_to_end(clips))
        whole = plain_fit(clips, options, good.astype(np.float64))
    return CarefulFit(whole, tuple(clips), tuple(swaps))
