"""Level at which a surface encloses its samples."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
from .energy import ISO
from .field import Primitives, field

SHARE = 0.995
"""Share of the samples inside before padding."""
STRAY_RADIUS = 0.1
MOST_STRAYS = 64


def enclosing_level(samples: Floats, primitives: Primitives) -> float:
    """Largest level, at most 1, with at least :data:`SHARE` of the samples inside.

    A level of zero would contain everything; if a sample is beyond the reach of all primitives, the
    level is the smallest nonzero one of any sample.
    """
    values = np.sort(field(samples, primitives))
    level = float(values[int((1.0 - SHARE) * (len(values) - 1))])
    felt = values[values > 0.0]
    return min(ISO, max(level, float(felt[0]) if len(felt) else ISO))


def with_strays(samples: Floats, primitives: Primitives, level: float, pad: float) -> Primitives:
    """Add small primitives for samples that even the padded surface leaves outside.

    The outermost sample gets the first one, which brings its neighbours in, and so on.

    Returns
    -------
    Primitives
        Without padding; with it, they contain every sample.
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
