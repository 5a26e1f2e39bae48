"""Evidence of a motion's lines for joints: which pairs have one, and where.

A joint is a linear equation in the entries of rotations and positions, R_c c + t_c = R_p l + t_p,
so every filter over time leaves it as it is. The lines and the mean of a clip are its filtered
frames with the least noise.

Few equations are left, and the pair with the most freedom would fit best. Pairs are therefore
weighed by their evidence: the probability of what was measured with the joint's place integrated
out, under a normal prior for the distances from sensor to joint, whose size is a share of the
distances between neighbouring sensors (MacKay 1992, "Bayesian interpolation", equation 3.7). The
place itself is the likeliest one, and its covariance that of the same normal equations.

Wobble in step with the motion cannot be separated from it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Integers
from .hierarchy import spanning_forest
from .motion_lines import MotionLines

LEVER_SHARE = 1.1
"""Typical distance from sensor to joint that turns orientation noise into gaps, and ..."""
PRIOR_SHARE = 0.18
"""... one sd per axis of that distance beforehand, as shares of the distance of neighbours. Both
were chosen on 40 simulated walks; others confirm them."""
CENTRE_PRIOR_SHARE = 0.3
CENTRE_NOISE = 2.0
"""Joint places use a wider prior and double noise, as lines of rotations are noisy too: errors
then are 1.4 times what the covariance says, not twice."""
MEAN_SD = 1e-3
"""Accuracy to which a joint holds on average, metres."""


@dataclass(frozen=True, eq=False)
class LineCentres:
    """Joints from the lines of a motion.

    Parameters
    ----------
    in_child, in_parent : array, shape (pairs, 3)
        Metres.
    covariance_in_child : array, shape (pairs, 3, 3)
        Square metres.
    """

    in_child: Floats
    in_parent: Floats
    covariance_in_child: Floats


def neighbour_distance(means: Floats) -> float:
    """Median distance of bodies in the shortest tree through their mean places, metres."""
    places = np.swapaxes(means[..., 3], 1, 2)
    apart = np.linalg.norm(places[:, :, None] - places[:, None], axis=3).mean(axis=0)
    return float(np.median([apart[edge] for edge in spanning_forest(apart)]))


def evidence_weights(lines: MotionLines) -> Floats:
    """Negative log evidence of a joint for every pair, shape (bodies, bodies).

    Returns
    -------
    array, shape (bodies, bodies)
        Shifted so that the least is 1; inf on the diagonal. The lightest spanning tree is the
        likeliest.
    """
    bodies = lines.means.shape[2]
    scale = neighbour_distance(lines.means)
    weights = np.full((bodies, bodies), np.inf)
    for one in range(1, bodies):
        found = -_log_evidence(lines, one, np.arange(one), scale)
        weights[one, :one] = weights[:one, one] = found
    return np.asarray(weights - weights.min() + 1.0)


def line_centres(lines: MotionLines, child: Integers, parent: Integers) -> LineCentres:
    """Find the places of joints.

    Parameters
    ----------
    child, parent : array of int, shape (pairs,)
    """
    scale = neighbour_distance(lines.means)
    places, covariances = np.empty((len(child), 6)), np.empty((len(child), 3, 3))
    for row, (one, other) in enumerate(zip(child.tolist(), parent)):
        problem = _problem(lines, one, np.array([other]), scale, CENTRE_NOISE)
        normal = problem.moments[0, :6, :6] + np.eye(6) / (CENTRE_PRIOR_SHARE * scale) ** 2
        inverse = np.linalg.inv(normal)
        places[row] = inverse @ problem.moments[0, :6, 6]
        covariances[row] = inverse[:3, :3]
    return LineCentres(places[:, :3], places[:, 3:], covariances)


def _log_evidence(lines: MotionLines, one: int, others: Integers, scale: float) -> Floats:
    """Of joints between one body and some others, shape (others,)."""
    problem = _problem(lines, one, others, scale)
    moments, prior = problem.moments, (PRIOR_SHARE * scale) ** 2
    normal = moments[:, :6, :6] + np.eye(6) / prior
    pull, squared = moments[:, :6, 6], moments[:, 6, 6]
    explained = np.sum(pull * np.linalg.solve(normal, pull[..., None])[..., 0], axis=1)
    freedom = np.linalg.slogdet(normal * prior)[1]
    return np.asarray(-0.5 * (squared - explained) - 0.5 * freedom - problem.log_deviations)


@dataclass(frozen=True, eq=False)
class _Problem:
    """Weighted equations of joints between a body and some others.

    ``moments`` are products of all columns of :func:`_equations`, shape (others, 7, 7);
    ``log_deviations`` the sums of the logarithms of the equations' deviations.
    """

    moments: Floats
    log_deviations: Floats


def _problem(
    lines: MotionLines, one: int, others: Integers, scale: float, noise: float = 1.0
) -> _Problem:
    shifted = lines.level[:, one, 3, None] + lines.level[:, others, 3]
    turned = lines.level[:, one, :3].sum(axis=1)[:, None] + lines.level[:, others, :3].sum(axis=2)
    variance = noise * np.maximum(shifted + turned * (LEVER_SHARE * scale) ** 2 / 3.0, 1e-18)
    rows = _equations(lines.lines, one, others) / np.sqrt(variance).T[:, :, None, None]
    mean = _equations(lines.means, one, others) / MEAN_SD
    design = np.concatenate([rows, mean], axis=1).reshape(len(others), -1, 7)
    return _Problem(np.swapaxes(design, 1, 2) @ design, 1.5 * np.log(variance).sum(axis=0))


def _equations(values: Floats, one: int, others: Integers) -> Floats:
    """Columns of R_one, -R_other and t_other - t_one, shape (others, rows, 3, 7)."""
    theirs = np.moveaxis(values[:, :, others], 2, 0)
    ours = np.broadcast_to(values[:, :, one], theirs.shape)
    return np.concatenate(
        [ours[..., :3], -theirs[..., :3], theirs[..., 3:] - ours[..., 3:]], axis=-1
    )
