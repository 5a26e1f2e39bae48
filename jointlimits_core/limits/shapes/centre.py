"""Centre of a motion, used as the origin of its coordinates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...arrays import Floats
from ...rotation import normalized
from .charts import Chart, RotationVectors
from .principal_axes import principal_axes
from .unroll import unrolled

STEPS = 15
"""Three or four suffice for most joints; joints with a wide motion need more."""
CLOSE = float(np.radians(0.02))


def chordal_mean(rotations: Floats) -> Floats:
    """Mean rotation independent of signs (Markley), the first eigenvector of ``sum q q^T``.

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
    """Rotation at which the oriented box of the coordinates is centred at zero.

    The box is oriented so that the choice of axes does not matter and flat motion stays flat. The
    extremes count, not how often a pose was held, so that half a turn away is as far as possible
    from all samples. Each step moves to the middle of the box as seen from the previous step. If
    that does not converge, because the motion goes all the way round, the result is the step whose
    farthest sample is nearest.

    Parameters
    ----------
    rotations : array, shape (samples, 4)
        Unit quaternions of any sign, in time order.
    chart_at : function
        Returns the chart at a centre.

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
    """Centre rounded to 12 decimals: the last digits depend on the memory layout of the samples."""
    return normalized(np.round(centre, 12))
