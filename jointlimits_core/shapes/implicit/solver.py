"""Least-squares iterations over centres and radii, with the stickiness fixed.

Energy of a fit of primitives: the paper's with both of its penalties, and two more terms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...geometry import Floats
from .field import SMALLEST, Primitives, fall, solved, square

ISO = 1.0
"""Level of the surface in the paper."""
SIZE_PENALTY, DISTANCE_PENALTY = 1e-3, 1e-3
"""Weights of the squared radii and of the squared distances from the centre of mass, in units of
the fit. The paper gives neither form nor weight of its terms alpha and beta."""
OUTSIDE_WEIGHT = 0.5
"""Weight of outside points that are inside, relative to 1 for samples that are outside."""


@dataclass(frozen=True, eq=False)
class Target:
    """Target of a surface fit, with the centre of mass at the origin.

    Parameters
    ----------
    boundary : array, shape (m, 3)
        Points on the surface.
    inside : array, shape (samples, 3)
        Points that must be inside; they count only if outside.
    outside : array, shape (places, 3)
        Points that must be outside; they count only if inside.
    """

    boundary: Floats
    inside: Floats
    outside: Floats

    @property
    def points(self) -> Floats:
        """All points, shape (n, 3)."""
        return np.concatenate([self.boundary, self.inside, self.outside])

    @property
    def weights(self) -> Floats:
        """Weight of the square at each point, shape (n,); all terms are per boundary point."""
        own = np.ones(len(self.boundary) + len(self.inside))
        others = np.full(len(self.outside), OUTSIDE_WEIGHT)
        return np.concatenate([own, others]) / len(self.boundary)

    def misfits(self, values: Floats) -> Floats:
        """Field minus iso where it counts, else 0; shape (n,)."""
        first = len(self.boundary)
        second = first + len(self.inside)
        misfit = values - ISO
        misfit[first:second] = np.minimum(misfit[first:second], 0.0)
        misfit[second:] = np.maximum(misfit[second:], 0.0)
        return misfit


def energy(primitives: Primitives, target: Target) -> float:
    """Mean square misfit and penalties, equation 3 of the paper with one-sided terms added."""
    values = fall(primitives.distances(target.points), primitives)[0].sum(axis=-1)
    squares = target.weights @ target.misfits(values) ** 2
    return float(squares + _penalty_weights(primitives) @ _parameters(primitives) ** 2)


def normal_equations(primitives: Primitives, target: Target) -> tuple[Floats, Floats]:
    """Half the gradient of the energy and its Gauss-Newton matrix.

    Returns
    -------
    gradient : array, shape (4 k,)
        By x, y, z and radius of each primitive.
    matrix : array, shape (4 k, 4 k)
    """
    points = target.points
    distances = primitives.distances(points)
    values, slopes = fall(distances, primitives)
    misfits = target.misfits(values.sum(axis=-1))
    counts = misfits != 0.0
    toward = (primitives.centres - points[counts, None]) / np.maximum(
        distances[counts, :, None], SMALLEST
    )
    change = np.concatenate([toward, -np.ones((*toward.shape[:2], 1))], axis=-1)
    rooted = np.sqrt(target.weights[counts])
    jacobian = (slopes[counts, :, None] * change).reshape(len(rooted), -1) * rooted[:, None]
    penalty = _penalty_weights(primitives)
    gradient = np.einsum("nk,n->k", jacobian, misfits[counts] * rooted)
    gradient += penalty * _parameters(primitives)
    return np.asarray(gradient), square(jacobian) + np.diag(penalty)


def _parameters(primitives: Primitives) -> Floats:
    return np.concatenate([primitives.centres, primitives.radii[:, None]], axis=1).ravel()


def _penalty_weights(primitives: Primitives) -> Floats:
    each = [DISTANCE_PENALTY] * 3 + [SIZE_PENALTY]
    return np.tile(each, len(primitives))


MOST_STEPS = 30
MOST_TRIALS = 10
ENOUGH = 1e-4
"""Relative decrease of the energy below which the iteration stops."""


def fitted(primitives: Primitives, target: Target) -> Primitives:
    """Move and resize primitives to a local minimum of the energy.

    Uses Levenberg-Marquardt damping: the energy never rises.
    """
    now, damping = energy(primitives, target), 1e-2
    for _ in range(MOST_STEPS):
        gradient, matrix = normal_equations(primitives, target)
        for _ in range(MOST_TRIALS):
            tried = _moved(primitives, gradient, matrix, damping)
            after = energy(tried, target)
            if after < now:
                break
            damping *= 4.0
        else:
            return primitives
        gained, now, primitives = now - after, after, tried
        damping = max(damping / 5.0, 1e-8)
        if gained <= ENOUGH * (now + gained):
            break
    return primitives


def _moved(primitives: Primitives, gradient: Floats, matrix: Floats, damping: float) -> Primitives:
    scale = np.diag(matrix)
    step = solved(matrix + np.diag(damping * (scale + 1e-9)), -gradient).reshape(-1, 4)
    return replace(
        primitives, centres=primitives.centres + step[:, :3], radii=primitives.radii + step[:, 3]
    )
