"""Removal of primitives that a fit has blown up, driven away or left without points."""

from __future__ import annotations

import numpy as np

from ....arrays import Booleans, Floats
from .field import Primitives

LARGEST_RADIUS, FARTHEST_CENTRE = 1.4, 1.75
"""In units of the fit, where the paper has 1.0 for both. Its units hold every rotation within a
radius of 1; ours make clouds of all sizes equal, and a long one reaches farther."""
FEWEST = 0.03
"""Share of the points that a primitive has to have."""


def worth_keeping(primitives: Primitives, points: Floats) -> Booleans:
    """Tell which primitives are neither too large, too far away nor nearly without points.

    A point belongs to every primitive that is nearer than halfway from its radius to its reach.

    Parameters
    ----------
    points : array, shape (n, 3)
        The centre of mass is the origin.

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
    """Leave out what is not worth keeping; all stay where nothing would be left."""
    keep = worth_keeping(primitives, points)
    return primitives.chosen(keep) if keep.any() else primitives
