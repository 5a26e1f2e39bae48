"""Colours of clips on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import AnyArray
from ..motion import Motion
from ..wording import plural
from .samples import JointSamples
from .style import CLIP_COLOURS, GREY, TIME_COLOURS, TIME_SHARE


@dataclass(frozen=True)
class ClipColours:
    """Colours of the clips of a report.

    Parameters
    ----------
    names : tuple of str
        Name of each motion.
    colours : tuple of str
        Colour of each motion.
    by_time : bool
        True for a single clip: its samples are coloured from start to end of the motion.
    """

    names: tuple[str, ...]
    colours: tuple[str, ...]
    by_time: bool

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Colours with their names; clips that share grey are counted together."""
        own = [pair for pair in zip(self.colours, self.names) if pair[0] != GREY]
        others = len(self.names) - len(own)
        return [*own, (GREY, plural(others, "other clip"))] if others else own


def clip_colours(motions: Sequence[Motion]) -> ClipColours:
    """Assign a colour to every clip; if there are too many, the shorter ones share grey."""
    order = sorted(range(len(motions)), key=lambda n: (-motions[n].frame_count, n))
    room = len(CLIP_COLOURS)
    kept = sorted(order if len(order) <= room else order[: room - 1])
    own = dict(zip(kept, CLIP_COLOURS))
    colours = tuple(own.get(n, GREY) for n in range(len(motions)))
    return ClipColours(tuple(m.name for m in motions), colours, len(motions) == 1)


def point_colours(samples: JointSamples, shown: AnyArray, clips: ClipColours) -> AnyArray:
    """Colour of each shown sample, shape (shown, 4), red, green, blue and opacity from 0 to 1."""
    import matplotlib
    from matplotlib.colors import to_rgba_array

    if clips.by_time:
        # matplotlib.colormaps came with 3.5; get_cmap went with 3.9.
        return np.asarray(matplotlib.colormaps[TIME_COLOURS](TIME_SHARE * samples.progress[shown]))
    return np.asarray(to_rgba_array(clips.colours)[samples.clip[shown]])
