"""Refinement from the nearest coordinates to the nearest rotation.

Coordinates exaggerate angles far from their centre, so the nearest point of a region is not quite
the nearest rotation of the shape. Projected gradient steps on half the squared angle lead there:
charts never shrink angles, so to first order a whole step along the gradient never overshoots, and
every step ends at an allowed rotation.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Floats
from ...rotation import angle_between, conjugate, multiply, rotation_vector_from_quaternion
from .charts import Chart
from .region import Region

_AHEAD = 1e-6
"""Step for numerical derivatives, radians."""


def nearer_points(
    chart: Chart, region: Region, rotations: Floats, points: Floats, steps: int
) -> Floats:
    """Coordinates of allowed rotations that are nearer by angle.

    Parameters
    ----------
    rotations : array, shape (n, 4)
        Rotations to project.
    points : array, shape (n, 3)
        Start points inside the region.

    Returns
    -------
    array, shape (n, 3)
        Points of the region, none farther from its rotation than its start.
    """
    best = angle_between(rotations, chart.rotation(points))
    for _ in range(steps):
        tried = region.nearest(points + _way(chart, rotations, points))
        angle = angle_between(rotations, chart.rotation(tried))
        points = np.where((angle < best)[:, None], tried, points)
        best = np.minimum(angle, best)
    return points


def _way(chart: Chart, rotations: Floats, points: Floats) -> Floats:
    """Descent direction of half the squared angle, in coordinates, (n, 3)."""
    back = conjugate(chart.rotation(points))
    missing = rotation_vector_from_quaternion(multiply(back, rotations))
    ahead = chart.rotation(points[:, None] + _AHEAD * np.eye(3))
    turns = rotation_vector_from_quaternion(multiply(back[:, None], ahead)) / _AHEAD
    return np.asarray(np.einsum("nij,nj->ni", turns, missing))
