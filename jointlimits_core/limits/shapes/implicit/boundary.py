"""Samples on the boundary of a cloud: the outermost in overlapping solid angles."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats, Integers
from ....sphere import sphere_points

CONES = 300
HALF_ANGLE = float(np.radians(18.0))
"""The axes of 300 cones are about 12 degrees apart, so neighbouring cones overlap widely."""


def boundary_samples(
    points: Floats, centre: Floats, cones: int = CONES, half_angle: float = HALF_ANGLE
) -> Integers:
    """Indices of the farthest point in each non-empty cone, increasing, without duplicates.

    Parameters
    ----------
    points : array, shape (samples, 3)
    centre : array, shape (3,)
        Apex of the cones, the centre of mass; a point there is in no cone.
    cones : int
        Number of cones, spread evenly over the sphere.
    half_angle : float
        Radians between the axis of a cone and its side.

    Notes
    -----
    Source: Herda and others, section 4.3, which gives neither the number nor the width of cones.
    """
    apart = points - centre
    length = np.linalg.norm(apart, axis=-1)
    along = apart @ sphere_points(cones).T
    within = (along >= np.cos(half_angle) * length[:, None]) & (length > 0.0)[:, None]
    reach = np.where(within, length[:, None], -1.0)
    farthest = np.argmax(reach, axis=0)
    return np.unique(farthest[within.any(axis=0)])
