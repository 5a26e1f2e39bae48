"""How noisy the rotations of a character are, and how much of a residual noise alone explains.

No sensor is asked: joints with fewer than three degrees of freedom show the noise in the directions
in which they cannot move, and every character has some.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats
from .moments import Moment

MOST_NOISE = 4.0
"""Degrees; a larger estimate of the noise floor is not believed."""
ENOUGH_JOINTS = 5
"""A noise floor cannot be told from fewer joints."""
STILLEST = 0.2
"""Share of the moving joints that are taken for the stillest."""
ROUND = 2.0
"""A cloud whose first spread is less than this many times its second is noise on three axes."""
MOST_ABOVE_THINNEST = 1.5
"""A floor this many times the smallest spreads is motion, in a character without hinges."""
AVERAGED = 3
"""Neighbouring samples that are averaged: motion stays, sensor noise does not."""


def noise_floor(moment: Moment, moving: Booleans, off_hinge: Floats | None = None) -> float:
    """Noise of the rotations of a character, degrees about each axis.

    A joint that hardly moves shows noise in all three of its spreads, a hinge in two. The joint at
    the 20 % quantile is taken, which is one of those in most characters; in one without hinges the
    smallest spreads, which universal joints leave to noise, hold it down.

    Parameters
    ----------
    moving : array of bool, shape (joints,)
        Joints that move at all; the others would say that there is no noise.
    off_hinge : array, shape (joints,), optional
        Mean square rotation off the best hinge, degrees squared, without cross-talk; by default
        all that the moment shows.

    Returns
    -------
    float
        At most :data:`MOST_NOISE`; 0 for fewer than :data:`ENOUGH_JOINTS` moving joints.
    """
    if np.count_nonzero(moving) < ENOUGH_JOINTS:
        return 0.0
    spreads = np.degrees(moment.spreads[moving])
    power = spreads**2
    across = power[:, 1] + power[:, 2] if off_hinge is None else off_hinge[moving]
    is_round = spreads[:, 0] < ROUND * spreads[:, 1]
    about_each_axis = np.where(is_round, power.sum(axis=1) / 3.0, across / 2.0)
    quiet, thinnest = np.quantile([about_each_axis, power[:, 2]], STILLEST, axis=1)
    return float(min(np.sqrt(quiet), MOST_ABOVE_THINNEST * np.sqrt(thinnest), MOST_NOISE))


def averaged(series: Floats) -> Floats:
    """Means of :data:`AVERAGED` neighbours, shape (..., samples - 2)."""
    return np.asarray((series[..., :-2] + series[..., 1:-1] + series[..., 2:]) / AVERAGED)


@dataclass(frozen=True)
class Noise:
    """Noise of a character as the type decision uses it.

    Parameters
    ----------
    level : float
        Degrees about each axis.
    left : float
        Degrees about each axis after averaging neighbours.
    scatter : float
        Standard deviation of a measured noise power, as a share of that power. It shrinks with the
        number of samples, slower where the noise is smooth.
    """

    level: float
    left: float
    scatter: float

    @property
    def averages(self) -> bool:
        """Whether residuals are to be averaged: only where there is noise to be got rid of."""
        return self.left < self.level


def noise_model(level: float, off_hinge: Floats, moving: Booleans) -> Noise:
    """Find out how the noise of a character behaves over time.

    Parameters
    ----------
    level : float
        Noise floor, degrees.
    off_hinge : array, shape (joints, 2, samples)
        Rotation off the best hinge, degrees, in order of time; cross-talk taken out.
    moving : array of bool, shape (joints,)

    Returns
    -------
    Noise
        Told from the stillest of the moving joints; of too few joints or samples nothing is
        assumed that would lessen the noise.
    """
    samples = off_hinge.shape[2]
    if level <= 0.0 or moving.sum() < ENOUGH_JOINTS or samples <= AVERAGED:
        return Noise(level, level, float(np.sqrt(2.0 / max(samples, 1))))
    size = np.where(moving, np.einsum("jkn,jkn->j", off_hinge, off_hinge), np.inf)
    count = int(np.ceil(STILLEST * moving.sum()))
    still = off_hinge[np.argpartition(size, count - 1)[:count]]
    still = still - still.mean(axis=2, keepdims=True)
    calm = averaged(still)
    kept = float(np.mean(calm**2)) / max(float(np.mean(still**2)), 1e-300)
    return Noise(level, level * float(np.sqrt(min(kept, 1.0))), _scatter(calm))


def _scatter(series: Floats) -> float:
    """Sampling error of a mean square, relative, from the periodogram.

    For a process with spectrum P over N frequencies it is ``sqrt(2 sum P^2) / sum P``. The square
    of a periodogram, which is exponentially distributed about P, is twice too large on average.
    """
    spectrum = np.mean(np.abs(np.fft.rfft(series, axis=2)[:, :, 1:]) ** 2, axis=1)
    squares, total = np.sum(spectrum**2, axis=1), np.sum(spectrum, axis=1) ** 2
    # Two components are averaged, so a square is 1 + 1/2 times too large, and rfft gives half.
    shares = squares / (1.5 * np.maximum(total, 1e-300))
    return float(np.sqrt(np.mean(shares)))
