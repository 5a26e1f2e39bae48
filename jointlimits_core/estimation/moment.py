"""Moments of a character's rotations, and the noise in them.

The moment ``S = mean(q q^T)`` does not know signs, the order of the samples or their number. Its
rank is 1 for a rigid joint and 2 for a hinge, whatever the joint's frame; the eigenvector of the
largest eigenvalue is the mean rotation (Markley et al., Averaging Quaternions, 2007), the first
two, e1 and e2, span the great circle of the best hinge. Noise shows in the directions in which
joints with fewer than three degrees of freedom cannot move.
"""

from __future__ import annotations

import numpy as np

from ..base.records import NamedTuple
from ..geometry import Booleans, Floats, quantiles

MOST_NOISE = 4.0
"""Largest plausible noise floor, degrees."""
ENOUGH_JOINTS = 5
"""Fewest moving joints for a noise floor."""
STILLEST = 0.2
"""Share of the moving joints that count as the stillest."""
ROUND = 2.0
"""A cloud whose first spread is less than this many times its second is noise on three axes."""
MOST_ABOVE_THINNEST = 1.5
"""A floor this many times the smallest spreads is motion, in a character without hinges."""
EXACT_DEG = 1e-4
"""Largest noise, degrees, of data that are exact; six decimals in a text leave 4e-5."""
BY_CHANCE = 2.1
"""Relative standard deviations of the power by which the thinnest spread of thirty clouds of pure
noise is too thin, in the logarithm."""
SAMPLES_PER_TERM = 4
"""Fewest samples per term of a fit; with fewer a function would fit anything."""
LEAST_KEPT = 0.2
"""Smallest share of the noise that is believed to be left of it."""
AVERAGED = 3
"""Neighbouring samples averaged, which keeps motion and reduces sensor noise."""


class Moment(NamedTuple):
    """Eigenvalues and eigenvectors of the 4x4 moments of joints.

    `values` has shape (joints, 4): largest first, not negative, sum 1. `vectors` has shape (joints,
    4, 4): ``vectors[j, k]`` is the unit quaternion of ``values[j, k]``.
    """

    values: Floats
    vectors: Floats

    @property
    def mean_rotation(self) -> Floats:
        """Mean rotations, shape (joints, 4)."""
        return np.asarray(self.vectors[:, 0])

    @property
    def spreads(self) -> Floats:
        """Principal spreads in radians, largest first, shape (joints, 3)."""
        return np.asarray(2.0 * np.sqrt(self.values[:, 1:]))

    @property
    def residual_fixed(self) -> Floats:
        """Root mean square rotation about the mean, radians, shape (joints,)."""
        return np.asarray(2.0 * np.sqrt(self.values[:, 1:].sum(axis=1)))

    @property
    def residual_hinge(self) -> Floats:
        """Root mean square rotation off the best hinge, radians, shape (joints,)."""
        return np.asarray(2.0 * np.sqrt(self.values[:, 2:].sum(axis=1)))


def moment_from_rotations(rotations: Floats) -> Moment:
    """Moments of the samples of joints.

    `rotations` has shape (joints, 4, samples): unit quaternions of any sign. The result comes with
    the signs of the vectors fixed by rule (largest component positive).
    """
    return moment_from_second(rotations @ np.swapaxes(rotations, 1, 2))


def moment_from_second(second: Floats) -> Moment:
    """Moments from sums over the samples.

    `second` has shape (joints, 4, 4): sum of ``q q^T``; its trace is the number of samples. The
    result comes with the signs of the vectors fixed by rule (largest component positive).
    """
    mean = second / np.trace(second, axis1=1, axis2=2)[:, None, None]
    values, vectors = np.linalg.eigh(mean)
    values = np.maximum(values[:, ::-1], 0.0)
    rows = np.swapaxes(vectors[:, :, ::-1], 1, 2)
    largest = np.take_along_axis(rows, np.abs(rows).argmax(axis=2)[..., None], axis=2)
    return Moment(values, rows * np.where(largest < 0.0, -1.0, 1.0))


def noise_floor(moment: Moment, moving: Booleans, off_hinge: Floats | None = None) -> float:
    """Noise of the rotations of a character, degrees about each axis.

    A joint that hardly moves shows noise in all three spreads, a hinge in two. The 20 % quantile of
    joints is one of these in most characters; without hinges, the smallest spreads, which in
    universal joints are noise, bound the estimate. The result is at most :data:`MOST_NOISE`; 0 for
    fewer than :data:`ENOUGH_JOINTS` moving joints. `moving` (bool) has shape (joints,): joints that
    move; still ones would hide the noise. `off_hinge` has shape (joints,): mean square rotation off
    the best hinge, degrees squared, without cross-talk; by default from the moment.
    """
    if np.count_nonzero(moving) < ENOUGH_JOINTS:
        return 0.0
    spreads = np.degrees(moment.spreads[moving])
    power = spreads**2
    across = power[:, 1] + power[:, 2] if off_hinge is None else off_hinge[moving]
    is_round = spreads[:, 0] < ROUND * spreads[:, 1]
    about_each_axis = np.where(is_round, power.sum(axis=1) / 3.0, across / 2.0)
    stillest, thinnest = quantiles(np.stack([about_each_axis, power[:, 2]]), STILLEST)
    return float(min(np.sqrt(stillest), MOST_ABOVE_THINNEST * np.sqrt(thinnest), MOST_NOISE))


def is_exact(moment: Moment, moving: Booleans) -> bool:
    """Whether rotations are free of noise: enough joints are hinges to rounding.

    Cross-talk would show in those hinges, too. `moving` (bool) has shape (joints,): joints that
    move; False for fewer than :data:`ENOUGH_JOINTS` of them.
    """
    if np.count_nonzero(moving) < ENOUGH_JOINTS:
        return False
    off_hinge = np.degrees(moment.residual_hinge[moving])
    return bool(quantiles(off_hinge, STILLEST) <= EXACT_DEG)


def averaged(series: Floats) -> Floats:
    """Means of :data:`AVERAGED` neighbours, shape (..., samples - 2)."""
    return np.asarray((series[..., :-2] + series[..., 1:-1] + series[..., 2:]) / AVERAGED)


class Noise(NamedTuple):
    """Noise of a character for the type decision."""

    level: float
    """Degrees about each axis."""
    left: float
    """Degrees about each axis after averaging neighbours."""
    scatter: float
    """Standard deviation of a measured noise power, as a share of that power. It shrinks with the
    number of samples, slower where the noise is smooth."""
    samples: int = 0
    clips: int = 1
    fitted: int = 0
    """Terms that had been fitted to each clip where `left` was measured."""

    def after(self, terms: int) -> float:
        """Noise power about an axis after a fit of so many terms to each clip, degrees squared.

        A term explains one of the independent samples, of which smooth noise has few, but the rest
        of a fit is scaled as if all samples were independent.
        """
        return self.left**2 * self._kept(terms) / self._kept(self.fitted)

    def _kept(self, terms: int) -> float:
        every = terms * self.clips
        if self.samples < SAMPLES_PER_TERM * every:
            return 1.0
        kept = (1.0 - 0.5 * every * self.scatter**2) / (1.0 - every / max(self.samples, 1))
        return max(kept, LEAST_KEPT)

    def deviation(self, axes: int) -> float:
        """Standard deviation of the noise power about so many axes, degrees squared."""
        return float(np.sqrt(axes)) * self.after(0) * self.scatter

    def at_most(self, thinnest_deg: Floats) -> Noise:
        """Noise that no joint contradicts.

        `thinnest_deg`: smallest spread of every moving joint. Noise reaches all joints about all
        axes, so it is no larger than the smallest of these may be by chance; anything above is
        small motion of the other joints.
        """
        least = float(thinnest_deg.min(initial=np.inf))
        level = min(self.level, least * float(np.exp(BY_CHANCE * self.scatter)))
        left = self.left * level / self.level if self.level > 0.0 else 0.0
        return self._replace(level=level, left=left)

    @property
    def averages(self) -> bool:
        """Whether residuals should be averaged: only where that reduces noise."""
        return self.left < self.level


def noise_model(
    level: float, off_hinge: Floats, moving: Booleans, clips: int = 1, fitted: int = 0
) -> Noise:
    """Noise of a character and its behaviour over time.

    The result is from the stillest of the moving joints; with too few joints or samples, averaging
    is assumed not to help. `level`: noise floor, degrees. `off_hinge` has shape (joints, 2,
    samples): rotation off the best hinge, degrees, in time order, without cross-talk. `moving`
    (bool) has shape (joints,). `fitted`: terms that had been fitted to each of the clips where
    `level` was measured.
    """
    samples = off_hinge.shape[2]
    if level <= 0.0 or moving.sum() < ENOUGH_JOINTS or samples <= AVERAGED:
        return Noise(level, level, float(np.sqrt(2.0 / max(samples, 1))), samples, clips)
    size = np.where(moving, np.einsum("jkn,jkn->j", off_hinge, off_hinge), np.inf)
    count = int(np.ceil(STILLEST * moving.sum()))
    still = off_hinge[np.argpartition(size, count - 1)[:count]]
    still = still - still.mean(axis=2, keepdims=True)
    calm = averaged(still)
    kept = float(np.mean(calm**2)) / max(float(np.mean(still**2)), 1e-300)
    left = level * float(np.sqrt(min(kept, 1.0)))
    return Noise(level, left, _scatter(calm), samples, clips, fitted)


def _scatter(series: Floats) -> float:
    """Sampling error of a mean square, relative, from the periodogram.

    For a process with spectrum P over N frequencies it is ``sqrt(2 sum P^2) / sum P``. The square
    of a periodogram, which is exponentially distributed about P, is twice too large on average.
    """
    spectrum = np.mean(np.abs(np.fft.rfft(series, axis=2)[:, :, 1:]) ** 2, axis=1)
    squares, total = np.sum(spectrum**2, axis=1), np.sum(spectrum, axis=1) ** 2
    # Two components are averaged, so a square is 1 + 1/2 times too large; rfft returns half.
    shares = squares / (1.5 * np.maximum(total, 1e-300))
    return float(np.sqrt(np.mean(shares)))
