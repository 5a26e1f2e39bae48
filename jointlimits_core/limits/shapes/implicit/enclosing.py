"""The level at which a surface encloses its samples."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
from .energy import ISO
from .field import Primitives, field

SHARE = 0.995
"""Of the samples, inside before anything is padded."""
STRAY_RADIUS = 0.1
MOST_STRAYS = 64


def enclosing_level(samples: Floats, primitives: Primitives) -> float:
    """Give the largest level, no more than 1, at which :data:`SHARE` of the samples is inside.

    A level of zero would let in everything; where a sample lies beyond the reach of all
    primitives the level is the smallest one that any sample has.
    """
    values = np.sort(field(samples, primitives))
    level = float(values[int((1.0 - SHARE) * (len(values) - 1))])
    felt = values[values > 0.0]
    return min(ISO, max(level, float(felt[0]) if len(felt) else ISO))


def with_strays(samples: Floats, primitives: Primitives, level: float, pad: float) -> Primitives:
    """Give samples that even the padded surface leaves outside small primitives of their own.

    The one that is farthest out gets the first. That brings its neighbours in, and so on.

    Returns
    -------
    Primitives
        Not padded; padded, they have every sample inside.
    """
    outside = samples
    for _ in range(MOST_STRAYS):
        values = field(outside, primitives.grown(pad))
        outside, values = outside[values < level], values[values < level]
        if not len(outside):
            break
        farthest = outside[np.argmin(values)]
        primitives = primitives.joined(farthest[None], np.array([STRAY_RADIUS]))
    return primitives
