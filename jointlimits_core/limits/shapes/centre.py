"""The middle of a motion, from which its rotations get their coordinates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...arrays import Floats
from ...rotation import normalized
from .charts import Chart, RotationVectors
from .principal_axes import principal_axes
from .unroll import unrolled

STEPS = 15
"""Three or four are enough for most joints; joints that turn far need more."""
CLOSE = float(np.radians(0.02))


def chordal_mean(rotations: Floats) -> Floats:
    """Mean rotation that no sign can disturb (Markley), the first eigenvector of ``sum q q^T``.

    Parameters
    ----------
    rotations : array, shape (samples, 4)
        Unit quaternions of any sign.

    Returns
    -------
    array, shape (4,)
    """
    mean: Floats = np.linalg.eigh(rotations.T @ rotations)[1][:, -1]
    lead = mean[np.argmax(np.abs(mean))]
    return mean if lead > 0.0 else -mean


def midrange_centre(
    rotations: Floats, chart_at: Callable[[Floats], Chart] = RotationVectors
) -> Floats:
    """Rotation at which the oriented box around the coordinates has its middle at zero.

    Oriented, so that the choice of frames does not matter and flat motion stays flat. The extremes
    count and not how often a pose was held, so that half a turn away is as far as possible from
    everything that was seen. Each step moves to the middle of the box seen from the
    step before. Where that does not settle, because the motion goes all round, the step is taken
    from which the farthest sample is nearest.

    Parameters
    ----------
    rotations : array, shape (samples, 4)
        Unit quaternions of any sign, in the order of time.
    chart_at : function
        Gives the chart at a centre.

    Returns
    -------
    array, shape (4,)
    """
    centre = chordal_mean(rotations)
    best, least = centre, np.inf
    for _ in range(STEPS):
        chart = chart_at(centre)
        seen = unrolled(rotations, chart)
        axes = principal_axes(seen)
        along = seen @ axes.T
        step = 0.5 * (along.min(axis=0) + along.max(axis=0)) @ axes
        if float(np.max(np.abs(step))) < CLOSE:
            return _rounded(centre)
        farthest = float(np.max(np.einsum("ij,ij->i", seen, seen)))
        if farthest < least:
            best, least = centre, farthest
        centre = chart.rotation(step)
    return _rounded(best)


def _rounded(centre: Floats) -> Floats:
    """Twelve decimals: the last digits depend on where in memory the samples lie."""
    return normalized(np.round(centre, 12))
