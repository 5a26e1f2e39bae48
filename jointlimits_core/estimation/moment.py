"""Moments of rotations, their noise, and cross-talk: rotation that follows the joint's angles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..geometry.arrays import Booleans, Floats, Integers, quantiles, values_at

MAX_NOISE_DEG = 4.0
"""Largest plausible noise floor, degrees."""
MIN_JOINTS = 5
"""Minimum number of moving joints for measuring a noise floor."""
STILLEST_SHARE = 0.2
"""Share of the moving joints that counts as the stillest."""
MAX_ROUND_RATIO = 2.0
"""Maximum ratio of the two largest spreads of samples that are noise about three axes."""
MAX_ABOVE_THINNEST_RATIO = 1.5
"""Maximum ratio between the floor and the smallest spreads; above this, the floor is motion."""
EXACT_DEG = 1e-4
"""Largest noise, degrees, in exact data; rounding to six decimals causes 4e-5."""
MAX_CHANCE_DEVIATIONS = 2.1
"""Allowance for chance: in thirty clouds of pure noise, the smallest spread is too small by a
factor whose logarithm is this many relative standard deviations of the noise power."""
MIN_SAMPLES_PER_TERM = 4
"""Minimum number of samples per term of a fit; with fewer samples, any function would fit."""
MIN_KEPT_SHARE = 0.2
"""Minimum share of the noise that remains after a fit."""
AVERAGED_SAMPLES = 3
"""Number of neighbouring samples to average, which keeps motion and reduces sensor noise."""


class Moment(NamedTuple):
    """Eigenvalues and eigenvectors of the joints' 4x4 moments.

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
    """Moments of samples, (joints, 4, samples): unit quaternions of either sign."""
    return moment_from_second(rotations @ np.swapaxes(rotations, 1, 2))


def moment_from_second(second: Floats) -> Moment:
    """Moments from sums of ``q q^T``, (joints, 4, 4); the largest components are positive."""
    mean = second / np.trace(second, axis1=1, axis2=2)[:, None, None]
    values, vectors = np.linalg.eigh(mean)
    values = np.maximum(values[:, ::-1], 0.0)
    rows = np.swapaxes(vectors[:, :, ::-1], 1, 2)
    largest = values_at(rows, np.abs(rows).argmax(axis=2))
    return Moment(values, rows * np.where(largest < 0.0, -1.0, 1.0)[..., None])


def noise_floor(moment: Moment, moving: Booleans, off_hinge: Floats) -> float:
    """Noise in the rotations of a character, degrees about each axis.

    A joint that hardly moves shows noise in all three spreads, a hinge in two; in most characters,
    the 20th percentile of the joints is one of these. In a character without hinges, the smallest
    spreads are an upper limit. The result is at most :data:`MAX_NOISE_DEG`, and 0 for fewer than
    :data:`MIN_JOINTS` moving joints. `off_hinge`: mean square rotation off the best hinge, degrees
    squared, without cross-talk.
    """
    if np.count_nonzero(moving) < MIN_JOINTS:
        return 0.0
    spreads = np.degrees(moment.spreads[moving])
    power = spreads**2
    is_round = spreads[:, 0] < MAX_ROUND_RATIO * spreads[:, 1]
    about_each_axis = np.where(is_round, power.sum(axis=1) / 3.0, off_hinge[moving] / 2.0)
    stillest, thinnest = quantiles(np.stack([about_each_axis, power[:, 2]]), STILLEST_SHARE)
    return float(
        min(np.sqrt(stillest), MAX_ABOVE_THINNEST_RATIO * np.sqrt(thinnest), MAX_NOISE_DEG)
    )


def is_exact(moment: Moment, moving: Booleans) -> bool:
    """Whether enough moving joints are exact hinges to rule out noise."""
    if np.count_nonzero(moving) < MIN_JOINTS:
        return False
    off_hinge = np.degrees(moment.residual_hinge[moving])
    return bool(quantiles(off_hinge, STILLEST_SHARE) <= EXACT_DEG)


def average_neighbours(series: Floats) -> Floats:
    """Means of :data:`AVERAGED_SAMPLES` neighbours, shape (..., samples - 2)."""
    return np.asarray((series[..., :-2] + series[..., 1:-1] + series[..., 2:]) / AVERAGED_SAMPLES)


class Noise(NamedTuple):
    """Noise of a character for the type decision."""

    level: float
    """Degrees about each axis."""
    left: float
    """Degrees about each axis after averaging neighbours."""
    scatter: float
    """Standard deviation of a measured noise power, as a share of that power. It decreases with the
    number of samples, but more slowly if the noise is smooth."""
    samples: int = 0
    clips: int = 1
    fitted: int = 0
    """Number of terms that were fitted to each clip before `left` was measured."""

    def power_after(self, terms: int) -> float:
        """Noise power about one axis after fitting `terms` to each clip, degrees squared."""
        return self.left**2 * self._kept_share(terms) / self._kept_share(self.fitted)

    def _kept_share(self, terms: int) -> float:
        every = terms * self.clips
        if self.samples < MIN_SAMPLES_PER_TERM * every:
            return 1.0
        kept = (1.0 - 0.5 * every * self.scatter**2) / (1.0 - every / max(self.samples, 1))
        return max(kept, MIN_KEPT_SHARE)

    def deviation(self, axes: int) -> float:
        """Standard deviation of the noise power about several axes, degrees squared."""
        return float(np.sqrt(axes)) * self.power_after(0) * self.scatter

    def limit_to(self, thinnest_deg: Floats) -> Noise:
        """Noise limited to the smallest spread of moving joints, with an allowance for chance."""
        least = float(thinnest_deg.min(initial=np.inf))
        level = min(self.level, least * float(np.exp(MAX_CHANCE_DEVIATIONS * self.scatter)))
        left = self.left * level / self.level if self.level > 0.0 else 0.0
        return self._replace(level=level, left=left)

    @property
    def averages(self) -> bool:
        """Whether to average residuals, which is useful only if it reduces noise."""
        return self.left < self.level


def noise_model(
    level: float, off_hinge: Floats, moving: Booleans, clips: int = 1, fitted: int = 0
) -> Noise:
    """Noise level of a character and its behaviour over time, from the stillest moving joints.

    `level`: noise floor, degrees. `off_hinge`, shape (joints, 2, samples): rotation off the best
    hinge, degrees, in time order, without cross-talk. `fitted`: number of terms fitted per clip.
    """
    samples = off_hinge.shape[2]
    if level <= 0.0 or moving.sum() < MIN_JOINTS or samples <= AVERAGED_SAMPLES:
        return Noise(level, level, float(np.sqrt(2.0 / max(samples, 1))), samples, clips)
    size = np.where(moving, np.einsum("jkn,jkn->j", off_hinge, off_hinge), np.inf)
    count = int(np.ceil(STILLEST_SHARE * moving.sum()))
    still = off_hinge[np.argpartition(size, count - 1)[:count]]
    still = still - still.mean(axis=2, keepdims=True)
    calm = average_neighbours(still)
    kept = float(np.mean(calm**2)) / max(float(np.mean(still**2)), 1e-300)
    left = level * float(np.sqrt(min(kept, 1.0)))
    return Noise(level, left, _scatter(calm), samples, clips, fitted)


def _scatter(series: Floats) -> float:
    """Relative sampling error of a mean square, from the periodogram.

    For a process with spectrum P over N frequencies, it is ``sqrt(2 sum P^2) / sum P``. A
    periodogram is exponentially distributed about P, so its square is on average twice P squared.
    """
    spectrum = np.mean(np.abs(np.fft.rfft(series, axis=2)[:, :, 1:]) ** 2, axis=1)
    squares, total = np.sum(spectrum**2, axis=1), np.sum(spectrum, axis=1) ** 2
    # Averaging two components makes squares 1.5 times too large; rfft returns half a spectrum.
    shares = squares / (1.5 * np.maximum(total, 1e-300))
    return float(np.sqrt(np.mean(shares)))


Terms = Callable[..., Floats]
"""Function of the joint's angles and the clip starts; returns terms, (joints, terms, samples)."""


class CrossTalk(NamedTuple):
    """Cross-talk of a character, measured on its hinges."""

    coupled: float
    """Rotation off the hinge that follows the hinge's angle, as a share of the motion about it."""
    between: float
    """Rotation by which hinges differ between clips, as a share of the motion about the hinge."""
    measured: bool = True
    """False for a character with too few hinges."""


USUAL = CrossTalk(coupled=0.15, between=0.1, measured=False)
"""Cross-talk of characters with too few hinges to measure it."""


class Residual(NamedTuple):
    """Residual rotation of a joint type: mean squares, degrees squared, shapes (joints,)."""

    free: Floats
    """Part not explained by a smooth function of the joint's angles."""
    coupled: Floats
    """Part explained by such a function: cross-talk, or motion in step."""
    between: Floats
    """Part explained by separate axes for each clip; 0 for a single clip."""

    @property
    def total(self) -> Floats:
        """Sum of the three parts."""
        return np.asarray(self.free + self.coupled + self.between)


def hinge_coordinates(rotations: Floats, moment: Moment) -> tuple[Floats, Floats]:
    """Angle about the best hinge, radians, and rotation off it, degrees, (joints, 2, samples)."""
    parts = moment.vectors @ rotations
    parts *= np.where(parts[:, :1] < 0.0, -2.0, 2.0)
    return 2.0 * np.arctan2(parts[:, 1], parts[:, 0]), np.degrees(parts[:, 2:])


def hinge_terms(angle: Floats, starts: Integers) -> Floats:
    """Terms of the smooth function for a hinge, shape (joints, 4, samples)."""
    x = _standardize(angle)
    return np.stack([np.ones_like(x), x, x * x, _sense(angle, starts)], axis=1)


def universal_terms(outer: Floats, inner: Floats, starts: Integers) -> Floats:
    """Terms of the smooth function for a universal joint, shape (joints, 8, samples)."""
    x, y = _standardize(outer), _standardize(inner)
    senses = _sense(outer, starts), _sense(inner, starts)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, *senses], axis=1)


def _standardize(angle: Floats) -> Floats:
    centred = angle - angle.mean(axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(_size(centred), 1e-12))


def _sense(angle: Floats, starts: Integers) -> Floats:
    """Direction of the motion, changing smoothly from -1 to 1; 0 at the ends of clips."""
    speed = np.zeros_like(angle)
    # Averages of neighbours keep the speed of a slow joint from getting lost in noise.
    calm = average_neighbours(angle)
    np.subtract(calm[:, 2:], calm[:, :-2], out=speed[:, 2:-2])
    for start in starts[starts > 0]:
        speed[:, max(start - 2, 0) : start + 2] = 0.0
    return np.asarray(np.tanh(speed / np.maximum(_size(speed), 1e-12)))


def _size(series: Floats) -> Floats:
    """Root mean square over samples, shape (joints, 1)."""
    return np.asarray(np.sqrt(np.einsum("jn,jn->j", series, series) / series.shape[1]))[:, None]


def fit_residual(series: Floats, terms: Floats) -> Floats:
    """Residual of a series after a least-squares fit of the terms, scaled to be unbiased.

    With fewer than :data:`MIN_SAMPLES_PER_TERM` samples per term, the series is returned unchanged.
    """
    count, samples = terms.shape[1:]
    if samples < MIN_SAMPLES_PER_TERM * count:
        return series
    # The terms of a still joint vanish; a small diagonal keeps the system solvable.
    gram = np.einsum("jan,jbn->jab", terms, terms)
    gram.reshape(-1, count * count)[:, :: count + 1] += 1e-9 * samples
    right = np.einsum("jan,jkn->jka", terms, series)
    weights = np.linalg.solve(gram[:, None], right[..., None])[..., 0]
    rest = series - np.einsum("jka,jan->jkn", weights, terms)
    return np.asarray(rest * np.sqrt(samples / (samples - count)))


def without_cross_talk(
    series: Floats, angles: Sequence[Floats], terms: Terms, starts: Integers
) -> tuple[Floats, Floats]:
    """Residual about each clip's own axes, with and without cross-talk; shaped like `series`."""
    if len(starts) < 2:
        return series, fit_residual(series, terms(*angles, starts))
    own, rest = np.empty_like(series), np.empty_like(series)
    for here in map(slice, starts, [*starts[1:], series.shape[2]]):
        functions = terms(*(angle[:, here] for angle in angles), np.zeros(1, np.int64))
        # The first terms, a constant and the angles themselves, represent turned axes.
        own[..., here] = fit_residual(series[..., here], functions[:, : 1 + len(angles)])
        rest[..., here] = fit_residual(own[..., here], functions)
    return own, rest


def split_residual(series: Floats, own: Floats, rest: Floats, average: bool) -> Residual:
    """Residual split into three parts; `average`: whether to average neighbouring samples."""
    free, about_own, whole = (
        mean_square(average_neighbours(part) if average else part) for part in (rest, own, series)
    )
    coupled, between = np.maximum(about_own - free, 0.0), np.maximum(whole - about_own, 0.0)
    return Residual(free, coupled, between)


def cross_talk_of(off_hinge: Residual, motion: Floats, like_hinges: Booleans) -> CrossTalk:
    """Cross-talk of a character: the median over the joints that may be hinges."""
    if np.count_nonzero(like_hinges) < MIN_JOINTS:
        return USUAL
    size = motion[like_hinges]
    coupled, between = (
        float(np.median(np.sqrt(np.maximum(part[like_hinges], 0.0)) / size))
        for part in (off_hinge.coupled, off_hinge.between)
    )
    return CrossTalk(coupled, between)


def mean_square(series: Floats) -> Floats:
    """Mean squared length over all samples, shape (joints,)."""
    return np.asarray(np.einsum("jkn,jkn->j", series, series) / series.shape[2])
