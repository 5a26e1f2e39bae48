"""Selection of the pairs of bodies that may be joined, for several figures and free props."""

from __future__ import annotations

import numpy as np

from ..arrays import Booleans, Floats
from .hierarchy import spanning_forest
from .options import BodyOptions

TYPICAL_TIMES = 3.0
CAP_TIMES = 2.5


def may_be_joined(residuals: Floats, spreads: Floats, options: BodyOptions) -> Booleans:
    """Separate pairs that may have a joint from those that only move near each other.

    A pair is not joined if its gap is large for this recording and also large relative to the
    motion between the two bodies, so that the best joint explains almost nothing. Large for the
    recording means three times the gap of its typical joint, but at least ``free_beyond_m`` and at
    most 2.5 times that: where all bodies move freely, no joint is typical.

    Parameters
    ----------
    residuals : array, shape (bodies, bodies)
        Gap of each pair at its best joint, metres rms; inf where there is none.
    spreads : array, shape (bodies, bodies)
        Motion of the two relative to each other in the world, metres rms.

    Returns
    -------
    array of bool, shape (bodies, bodies)
    """
    tree = spanning_forest(residuals)
    typical = float(np.median([residuals[edge] for edge in tree])) if tree else 0.0
    limit = options.free_beyond_m * np.clip(
        TYPICAL_TIMES * typical / options.free_beyond_m, 1.0, CAP_TIMES
    )
    fits = (residuals <= limit) | (residuals <= options.free_share * spreads)
    return np.asarray(fits & np.isfinite(residuals))
