"""A fit that stands up to what goes wrong: outliers and swapped tracks, each in its turn.

Frames that fit no joint are set aside first; then swapped tracks, which explain some of them, are
changed back and all is looked at again.
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
    """A fit of several clips, and what was changed before it.

    Parameters
    ----------
    whole : BodyFit
        To all clips end to end.
    clips : tuple of BodyTracks
        With swapped tracks changed back.
    swaps : tuple of tuple of BodySwap
        Of each clip.
    """

    whole: BodyFit
    clips: tuple[BodyTracks, ...]
    swaps: tuple[tuple[BodySwap, ...], ...]


def careful_fit(clips: Sequence[BodyTracks], options: BodyOptions) -> CarefulFit:
    """Fit one skeleton to the frames that agree with it.

    Parameters
    ----------
    clips : sequence of BodyTracks
        Of the same bodies in the same order.
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
