"""Smallest ellipsoid around points.

Khachiyan's ascent on the weights of the points with the away steps of Todd and Yildirim ("On
Khachiyan's algorithm for the computation of minimum-volume enclosing ellipsoids", 2007), on a few
relevant points; the others are checked at the end, and those outside are added.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Integers
from ...sphere import sphere_points

CLOSE = 1e-7
"""Relative excess of a squared radius at which a point counts as inside."""
ROUNDS = 30
ASCENT_STEPS = 400


def least_ellipsoid(points: Floats) -> tuple[Floats, Floats, Floats]:
    """Ellipsoid of least volume that contains all points.

    Parameters
    ----------
    points : array, shape (n, 3)
        Spread in all three directions.

    Returns
    -------
    middle, axes, radii : arrays, shapes (3,), (3, 3), (3,)
        Axes in rows, the longest radius first. All points are inside; the volume is within
        1e-6 of the least.
    """
    scale, origin = _whitening(points)
    white = (points - origin) @ scale
    chosen = _outermost(white)
    weights = np.full(len(chosen), 1.0 / len(chosen))
    for _ in range(ROUNDS):
        weights = _ascent(white[chosen], weights)
        middle, form = _ellipsoid_of(white[chosen], weights)
        apart = white - middle
        reach = np.einsum("ij,ij->i", apart @ form, apart)
        beyond = np.flatnonzero(reach > 1.0 + 4.0 * CLOSE)
        if beyond.size == 0:
            break
        # Points without weight are dropped; points outside are added, the farthest first.
        farthest = np.setdiff1d(beyond[np.argsort(-reach[beyond], kind="stable")[:20]], chosen)
        held = weights > 0.0
        chosen = np.concatenate([chosen[held], farthest])
        weights = np.concatenate([weights[held], np.zeros(len(farthest))])
    # Enlarged to contain the last point.
    return _unwhitened(middle, form / (float(reach.max()) * (1.0 + 1e-12)), scale, origin)


def _whitening(points: Floats) -> tuple[Floats, Floats]:
    """Map that makes the spread of the points equal in all directions, and its origin."""
    origin = points.mean(axis=0)
    apart = points - origin
    values, vectors = np.linalg.eigh(apart.T @ apart / len(points))
    floor = max(float(values[-1]) * 1e-14, 1e-24)
    return np.asarray(vectors / np.sqrt(np.maximum(values, floor))), origin


def _outermost(white: Floats, directions: int = 60) -> Integers:
    unit = sphere_points(directions)
    along = white @ unit.T
    return np.unique(np.concatenate([along.argmax(axis=0), along.argmin(axis=0)]))


def _ascent(points: Floats, weights: Floats) -> Floats:
    """Optimal weights of the points in the dual problem, shape (n,), from initial weights."""
    size = points.shape[1] + 1
    lifted = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    weights = np.array(weights)
    for _ in range(ASCENT_STEPS):
        reach = np.diagonal(_products(lifted, weights))
        toward = int(np.argmax(reach))
        away = int(np.argmin(np.where(weights > 0.0, reach, np.inf)))
        gain, loss = reach[toward] / size - 1.0, 1.0 - reach[away] / size
        if max(gain, loss) < CLOSE:
            break
        at = toward if gain >= loss else away
        step = _best_step(float(reach[at]), size, float(weights[at]))
        weights *= 1.0 - step
        weights[at] = max(weights[at] + step, 0.0)
        weights = _newton(lifted, weights)
    return weights


def _products(lifted: Floats, weights: Floats) -> Floats:
    """Products of points in their weighted moment's metric, (n, n); the diagonal is the reach."""
    moment = (lifted * weights[:, None]).T @ lifted
    return np.asarray(lifted @ np.linalg.solve(moment, lifted.T))


def _newton(lifted: Floats, weights: Floats) -> Floats:
    """Weights after a Newton step towards equal reach of all weighted points.

    ``d reach_i / d weight_j`` is minus the squared product of i and j. A step that would not
    enlarge the moment's determinant is rejected.
    """
    held = np.flatnonzero(weights > 0.0)
    products = _products(lifted[held], weights[held])
    wanted = np.diagonal(products) - lifted.shape[1]
    change = np.linalg.lstsq(products**2, wanted, rcond=1e-10)[0]
    falls = change < 0.0
    longest = float(np.min(weights[held][falls] / -change[falls], initial=1.0))
    moved = np.zeros_like(weights)
    moved[held] = np.maximum(weights[held] + min(longest, 1.0) * change, 0.0)
    moved /= moved.sum()
    return moved if _volume(lifted, moved) >= _volume(lifted, weights) else weights


def _volume(lifted: Floats, weights: Floats) -> float:
    return float(np.linalg.det((lifted * weights[:, None]).T @ lifted))


def _best_step(reach: float, size: int, weight: float) -> float:
    """Share of weight that a point gains, or loses, at most down to zero."""
    none_left = -weight / max(1.0 - weight, 1e-12)
    if reach <= 1.0:
        return none_left
    return max((reach - size) / (size * (reach - 1.0)), none_left)


def _ellipsoid_of(points: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Middle and the matrix M of ``(p - m)^T M (p - m) <= 1``."""
    middle = weights @ points
    apart = points - middle
    spread = (apart * weights[:, None]).T @ apart
    return np.asarray(middle), np.asarray(np.linalg.inv(spread) / points.shape[1])


def _unwhitened(
    middle: Floats, form: Floats, scale: Floats, origin: Floats
) -> tuple[Floats, Floats, Floats]:
    back = np.linalg.inv(scale)
    values, vectors = np.linalg.eigh(scale @ form @ scale.T)
    axes = vectors.T
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    axes = axes * np.where(largest < 0.0, -1.0, 1.0)
    return middle @ back + origin, np.asarray(axes), np.asarray(1.0 / np.sqrt(values))
