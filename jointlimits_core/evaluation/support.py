"""Proximity of rotations to samples."""

from __future__ import annotations

import numpy as np

from ..arrays import Booleans, Floats, Integers

RUN = 32
"""Samples handled together; neighbours in time are close in rotation."""
BLOCK = 1 << 20
"""Maximum number of quaternion products in memory at once."""


def is_near(points: Floats, samples: Floats, radius: float) -> Booleans:
    """Which rotations are within a distance of any sample; exact.

    Samples are grouped in runs. Points near the middle of a run are accepted at once; the others
    are compared with the samples of the runs that reach far enough.

    Parameters
    ----------
    points : array, shape (points, 4)
        Unit quaternions of any sign.
    samples : array, shape (samples, 4)
        Unit quaternions of any sign, at least one; fastest in time order.
    radius : float
        Radians, less than a half turn.

    Returns
    -------
    array of bool, shape (points,)
    """
    # |p . q| is the cosine of half the angle between two rotations.
    padding = -len(samples) % RUN
    runs = np.concatenate([samples, np.repeat(samples[-1:], padding, axis=0)]).reshape(-1, RUN, 4)
    middles = runs[:, RUN // 2]
    smallest = np.abs(np.einsum("rkc,rc->rk", runs, middles)).min(axis=1)
    reach = 0.5 * radius + np.arccos(np.minimum(smallest, 1.0))
    reaches = np.cos(np.minimum(reach, 0.5 * np.pi))
    near = np.zeros(len(points), dtype=bool)
    step = max(BLOCK // len(runs), 1)
    for start in range(0, len(points), step):
        piece = points[start : start + step]
        cosines = np.abs(piece @ middles.T)
        found = cosines.max(axis=1) >= np.cos(0.5 * radius)
        # Slightly wider: arccos of a cosine near 1 keeps only half its digits.
        pairs = np.argwhere((cosines >= reaches - 1e-7) & ~found[:, None])
        found[_near_pairs(piece, runs, pairs, radius)] = True
        near[start : start + step] = found
    return near


def _near_pairs(points: Floats, runs: Floats, pairs: Integers, radius: float) -> Integers:
    """Points near a sample of a run, among pairs (point, run)."""
    found = []
    step = BLOCK // (4 * RUN)
    for start in range(0, len(pairs), step):
        point, run = pairs[start : start + step].T
        cosines = np.abs(np.einsum("pkc,pc->pk", runs[run], points[point]))
        found.append(point[cosines.max(axis=1) >= np.cos(0.5 * radius)])
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
