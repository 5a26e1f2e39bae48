"""Unrolling of motion that turns past half a turn from its centre."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats
from ...rotation import angle_between
from .charts import Chart

LONGEST_STEP = float(np.radians(30.0))
"""A larger turn between samples counts as a cut, with an unknown direction."""


def unrolled(rotations: Floats, chart: Chart) -> Floats:
    """Coordinates that do not switch sides during continuous motion.

    Only motion that crosses the half-turn boundary in small steps is moved, and a stretch of motion
    between two cuts moves as a whole to the side that holds most of it. Holden's article starts
    every clip on the short side and never resets, so a cut can take the rest of the motion to the
    wrong side.

    Parameters
    ----------
    rotations : array, shape (samples, 4)
        Unit quaternions of any sign, in time order.

    Returns
    -------
    array, shape (samples, 3)
    """
    coordinates = chart.coordinates(rotations)
    apart = np.diff(coordinates, axis=0)
    if not np.any(np.einsum("ij,ij->i", apart, apart) > np.pi**2):
        return coordinates
    cut = angle_between(rotations[1:], rotations[:-1]) > LONGEST_STEP
    times = np.concatenate([[0], np.cumsum(np.where(cut, 0, chart.crossings(coordinates)))])
    starts = np.concatenate([[0], np.flatnonzero(cut) + 1])
    counts = np.diff(np.append(starts, len(times)))
    means = np.add.reduceat(times, starts) / counts
    return chart.wound(coordinates, times - np.repeat(np.round(means).astype(np.int64), counts))
