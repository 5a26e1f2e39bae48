"""Decide the type of every joint: fixed, hinge, universal or ball.

The paper thresholds the eigenvalues of a covariance of quaternion vector parts, which depend on
the number of samples, on quaternion signs and on the joint's frame. Here the residual of every
candidate is in degrees, the noise floor of the whole character is taken off, and the tolerance
grows with the size of the motion, because skin and solver cross-talk do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from .moments import Moment
from .universal import UniversalFit, fit_universal

TYPES = ("fixed", "hinge", "universal", "ball")
MOST_NOISE = 3.0
"""Degrees; a larger estimate of the noise floor is not believed."""
ENOUGH_JOINTS = 5
"""A noise floor cannot be told from fewer joints."""
CLEAR = 0.5
"""A margin of this many degrees, or of a quarter of the threshold, is clear."""


@dataclass(frozen=True, eq=False)
class TypeDecision:
    """Types and why, all in degrees.

    Parameters
    ----------
    types : tuple of str
    residuals : array, shape (joints, 4)
        Root mean square rotation that each type leaves over; NaN where it was not worked out.
    runner_ups : tuple of str
    margins : array, shape (joints,)
        Distance of the deciding residual from its threshold.
    clear : array of bool, shape (joints,)
    noise : float
    universal : UniversalFit or None
        Fits of the joints in `universal_of`.
    universal_of : array of int
    """

    types: tuple[str, ...]
    residuals: Floats
    runner_ups: tuple[str, ...]
    margins: Floats
    clear: Booleans
    noise: float
    universal: UniversalFit | None
    universal_of: Integers


def noise_floor(moment: Moment, moving: Booleans) -> float:
    """Noise of the rotations of a character, degrees.

    A joint with at most two degrees of freedom shows nothing but noise in its smallest spread; the
    20 % quantile over the joints that move is taken, at most :data:`MOST_NOISE`.
    """
    smallest = np.degrees(moment.spreads[moving, 2])
    if smallest.size < ENOUGH_JOINTS:
        return 0.0
    return float(min(np.quantile(smallest, 0.2), MOST_NOISE))


def _less_noise(residual: Floats, noise: float, axes: float) -> Floats:
    return np.asarray(np.sqrt(np.maximum(residual**2 - axes * noise**2, 0.0)))


def decide_types(rotations: Floats, moment: Moment, noise: float) -> TypeDecision:
    """Decide the type of every joint.

    Parameters
    ----------
    rotations : array, shape (joints, 4, samples)
    moment : Moment
        Of `rotations`.
    noise : float
        Noise floor, degrees.

    Returns
    -------
    TypeDecision
    """
    spreads = np.degrees(moment.spreads)
    fixed, hinge = np.degrees(moment.residual_fixed), np.degrees(moment.residual_hinge)
    # What each residual may be, after noise, for its type to be taken.
    over_fixed = _less_noise(fixed, noise, 3.0) - (1.0 + noise)
    allowed = 1.6 + 0.10 * _less_noise(spreads[:, 0], noise, 1.0) + 0.10 * noise
    over_hinge = _less_noise(hinge, noise, 2.0) - allowed
    open_joints = np.flatnonzero((over_fixed >= 0.0) & (over_hinge > 0.0))
    universal, fit = np.full(len(spreads), np.nan), None
    if open_joints.size:
        fit = fit_universal(rotations[open_joints])
        universal[open_joints] = np.degrees(fit.residual)
    allowed_universal = 0.9 + 0.05 * _less_noise(spreads[:, 1], noise, 1.0) + 0.15 * noise
    over_universal = _less_noise(universal, noise, 1.0) - allowed_universal
    over = np.stack([over_fixed, over_hinge, over_universal], axis=1)
    limits = np.stack([np.full_like(allowed, 1.0 + noise), allowed, allowed_universal], axis=1)
    decided = [_decision(row, limit) for row, limit in zip(over, limits)]
    residuals = np.stack([fixed, hinge, universal, np.zeros_like(fixed)], axis=1)
    return TypeDecision(
        types=tuple(item[0] for item in decided),
        residuals=residuals,
        runner_ups=tuple(item[1] for item in decided),
        margins=np.array([item[2] for item in decided]),
        clear=np.array([item[3] for item in decided], dtype=bool),
        noise=noise,
        universal=fit,
        universal_of=open_joints,
    )


def _decision(over: Floats, limits: Floats) -> tuple[str, str, float, bool]:
    """Type, runner-up, margin in degrees and whether that is clear, from the three tests."""
    chosen = 0 if over[0] < 0.0 else next((k for k in (1, 2) if over[k] <= 0.0), 3)
    # The tests that led here: had one of them come out the other way, so had the type.
    flips = [(abs(float(over[k])), TYPES[k], k) for k in range(chosen)]
    if chosen < 3:
        following = next((k for k in range(chosen + 1, 3) if over[k] <= 0.0), chosen + 1)
        flips.append((abs(float(over[chosen])), TYPES[following], chosen))
    margin, runner_up, test = min(flips)
    return TYPES[chosen], runner_up, margin, margin >= min(CLEAR, 0.25 * float(limits[test]))
