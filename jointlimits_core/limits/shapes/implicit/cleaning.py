"""Removal of primitives that a fit made too large, too distant or nearly empty."""

from __future__ import annotations

import numpy as np

from ....arrays import Booleans, Floats
from .field import Primitives

LARGEST_RADIUS, FARTHEST_CENTRE = 1.4, 1.75
"""In units of the fit; the paper uses 1.0 for both. In its units every rotation is within a radius
of 1; ours make clouds of all sizes equal, and a long one reaches farther."""
FEWEST = 0.03
"""Minimum share of the points in a primitive."""


def worth_keeping(primitives: Primitives, points: Floats) -> Booleans:
    """Which primitives are neither too large, too distant nor nearly empty.

    A point belongs to every primitive for which it is nearer than halfway from radius to reach.

    Parameters
    ----------
    points : array, shape (n, 3)
        With the centre of mass at the origin.

    Notes
    -----
    Source: Herda and others, section 4.3, (a) to (c).
    """
    near = primitives.distances(points) < primitives.radii + 1.0 / primitives.stickiness
    return np.asarray(
        (primitives.radii <= LARGEST_RADIUS)
        & (np.linalg.norm(primitives.centres, axis=1) <= FARTHEST_CENTRE)
        & (near.sum(axis=0) >= FEWEST * len(points))
    )


def cleaned(primitives: Primitives, points: Floats) -> Primitives:
    """Primitives without those not worth keeping; all if none would remain."""
    keep = worth_keeping(primitives, points)
    return primitives.chosen(keep) if keep.any() else primitives
