"""Universal joint fit: two axes, one in the parent and one in the child, at right angles.

An exact joint has ``a1 . (R a2) = 0`` for every rotation R. With ``K = mean(vec R vec R^T)``, the
mean square of that product is ``(a1 x a2)^T K (a1 x a2)`` (x is the Kronecker product), so once K
is known, the cost does not depend on the number of samples. Alternating eigenvectors give a
starting point, and damped Gauss-Newton steps on the four free parameters improve it; alternation
alone does not converge.

If K is singular, the joint may be exact. Small motion, or motion of both axes in step, then spreads
the eigenvalues of K over many orders of magnitude, and the cost has long valleys with local minima.
A solution with no residual stays a solution for any weights of the eigenvectors, so for these
joints the search also tries more starts, with almost equal weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import Booleans, Floats, values_at
from .quaternion import matrix_from_quaternion

MAX_SAMPLES = 2000
"""Maximum number of evenly spaced samples for the matrix K, which has only 45 numbers."""
ALTERNATION_COUNT = 4
MAX_NEWTON_STEPS = 4
MIN_GAIN_SHARE = 1e-4
"""Relative gain in cost below which the steps end: three digits are enough."""
FINALIST_COUNT = 1
"""Number of starts that Newton steps refine after the alternation."""
START_COUNT = 6
"""Number of start directions to follow: those with the smallest estimated cost."""
MAX_SINGULAR_RATIO = 1e-12
"""Maximum ratio of the smallest to the largest eigenvalue of K for joints that may be exact."""
MIN_SECOND_RATIO = 1e-7
"""Minimum ratio of the second-smallest to the largest eigenvalue for K alone to give exact axes."""
MAX_EXACT_COST = 1e-17
"""Largest cost, radians squared, of an exact joint."""
LEVEL_EXPONENT = 0.07
"""Exponent applied to the singular values that weight directions in the search for exact joints."""
ROUNDING_RATIO = 1e-14
"""Singular values, and K's smallest eigenvalue, count as zero below this share of the largest."""
EXACT_START_COUNT = 8
"""Number of directions to refine fully in the search for exact joints."""
MAX_EXACT_STEPS = 6
QR_ROWS = 512
"""Number of rows factored at once, few enough for one thread; more threads are 300 times slower."""
CHILD_START: Floats = np.array([0.36, 0.48, 0.8])
"""Asymmetric direction: inverse iteration fails from a direction perpendicular to its goal."""


def _half_sphere(count: int) -> Floats:
    """Directions spread evenly over half a sphere, (count, 3): a spiral with the golden angle."""
    height = (np.arange(count) + 0.5) / count
    turn = np.arange(count) * np.pi * (3.0 - np.sqrt(5.0))
    radius = np.sqrt(1.0 - height**2)
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=-1)


DIRECTIONS: Floats = _half_sphere(32)
"""Parent axes to try; an axis and its opposite are equivalent."""
_OUTER: Floats = (DIRECTIONS[:, :, None] * DIRECTIONS[:, None, :]).reshape(-1, 9)
"""Outer products of the directions, (32, 9)."""


MATRIX_OF_PRODUCTS: Floats = np.array(
    [
        [1, 0, 0, 0, -1, 0, 0, -1, 0, 1],
        [0, 2, 0, 0, 0, 0, 0, 0, -2, 0],
        [0, 0, 2, 0, 0, 0, 2, 0, 0, 0],
        [0, 2, 0, 0, 0, 0, 0, 0, 2, 0],
        [-1, 0, 0, 0, 1, 0, 0, -1, 0, 1],
        [0, 0, 0, -2, 0, 2, 0, 0, 0, 0],
        [0, 0, 2, 0, 0, 0, -2, 0, 0, 0],
        [0, 0, 0, 2, 0, 2, 0, 0, 0, 0],
        [-1, 0, 0, 0, -1, 0, 0, 1, 0, 1],
    ],
    dtype=np.float64,
)
"""Maps products of quaternion components to a rotation matrix, row by row."""
FACTORS = np.triu_indices(4)
"""The two factors of these products: xx, xy, xz, xw, yy, yz, yw, zz, zw, ww."""


def _products(rotations: Floats) -> Floats:
    """Products of quaternion components of one joint, from (4, samples) to (10, samples)."""
    first, second = FACTORS
    return np.asarray(rotations.take(first, axis=0) * rotations.take(second, axis=0))


def sums_of_products(weights: Floats, rotations: Floats) -> Floats:
    """Weighted sums of quaternion products, shape (joints, sums, samples).

    `weights` has shape (joints, sums, 10); the weights for ``u^T R v`` are ``u v^T @
    MATRIX_OF_PRODUCTS``.
    """
    each = zip(weights, map(_products, rotations))
    return np.array([np.einsum("sp,pn->sn", *pair) for pair in each])


class UniversalFit(NamedTuple):
    """Universal joints fitted to rotations.

    `parent_axes` and `child_axes` have shape (joints, 3): unit axes in the parent and in the joint;
    the largest component is positive. `residual` has shape (joints,): root mean square deviation
    from a right angle, radians.
    """

    parent_axes: Floats
    child_axes: Floats
    residual: Floats


def fit_universal(rotations: Floats) -> UniversalFit:
    """Fit a universal joint to each joint's samples; `rotations`: shape (joints, 4, samples)."""
    some = rotations[:, :, :: max(1, rotations.shape[2] // MAX_SAMPLES)]
    # K of each joint, (joints, 9, 9).
    fourth = np.array([np.einsum("pn,qn->pq", one, one) for one in map(_products, some)])
    moment = np.asarray(MATRIX_OF_PRODUCTS @ fourth @ MATRIX_OF_PRODUCTS.T / some.shape[2])
    root, singular = _root(moment)
    state = _refine(root, _search(moment, root, START_COUNT, FINALIST_COUNT), MAX_NEWTON_STEPS)
    axes = state.axes[:, :, 0].copy()
    rows = np.flatnonzero(singular & (state.cost[:, 0] > MAX_EXACT_COST))
    if rows.size:
        exact = _search_exact(matrix_from_quaternion(np.swapaxes(some[rows], 1, 2)))
        lower = exact.cost[:, 0] < state.cost[rows, 0]
        axes[:, rows[lower]] = exact.axes[:, lower, 0]
    parent, child = _point_forward(axes)
    pairs = (parent[:, :, None] * child[:, None, :]).reshape(-1, 9)
    sine = sums_of_products(pairs[:, None] @ MATRIX_OF_PRODUCTS, some)[:, 0]
    residual = np.sqrt(np.mean(np.arcsin(np.clip(sine, -1.0, 1.0)) ** 2, axis=1))
    return UniversalFit(parent, child, residual)


def _root(moment: Floats) -> tuple[Floats, Booleans]:
    """Root G with ``G^T G = K``, as :func:`_both_ways` arranges it, and whether K is singular.

    If only the smallest eigenvalue is lost to rounding, it is set to zero: K then determines the
    axes of an exact joint, and their cost is zero.
    """
    _, values, vectors = np.linalg.svd(moment)  # K is symmetric, and no eigenvalue is negative
    largest, second, smallest = values[:, 0], values[:, -2], values[:, -1]
    singular = smallest <= MAX_SINGULAR_RATIO * largest
    values[(smallest <= ROUNDING_RATIO * largest) & (second > MIN_SECOND_RATIO * largest), -1] = 0.0
    return _both_ways(np.sqrt(values)[:, :, None] * vectors), singular


def _both_ways(root: Floats) -> Floats:
    """G arranged for products with the child's axis and the parent's, (2, joints, 27, 3)."""
    whole = root.reshape(-1, 9, 3, 3)
    return np.array([whole, whole.swapaxes(2, 3)]).reshape(2, -1, 27, 3)


def _search(moment: Floats, root: Floats, starts: int, finalists: int) -> _State:
    """Axes by alternating eigenvectors, from the best of several starts."""
    # K arranged to map ``a1 a1^T``, or ``a2 a2^T``, to the 3x3 moment of the other axis.
    fourfold = moment.reshape(-1, 3, 3, 3, 3)
    by_parent = fourfold.transpose(0, 2, 4, 1, 3).reshape(-1, 9, 9)
    by_child = fourfold.transpose(0, 1, 3, 2, 4).reshape(-1, 9, 9)
    by_parent, by_child = by_parent.take(_UPPER, axis=1), by_child.take(_UPPER, axis=1)
    parent = np.ascontiguousarray(_best_starts(by_parent, starts).transpose(2, 0, 1))
    child = np.broadcast_to(CHILD_START[:, None, None], parent.shape)
    for contraction in (by_parent, by_child):  # add a little of the trace to each moment
        contraction[:, :3] += 1e-4 * np.add.reduce(contraction[:, :3], axis=1, keepdims=True)
    for _ in range(ALTERNATION_COUNT):
        child = _nearer_to_smallest(by_parent, parent, child)
        parent = _nearer_to_smallest(by_child, child, parent)
    axes = np.array([parent, child]).transpose(0, 2, 3, 1)
    return _keep_best(_state(root, axes), finalists, root)


def _refine(root: Floats, state: _State, steps: int) -> _State:
    """Axes after Newton steps, which end when no start improves."""
    for _ in range(steps):
        before, state = state, _newton_step(root, state)
        if (before.cost - state.cost <= MIN_GAIN_SHARE * before.cost + 1e-18).all():
            break
    return state


def _search_exact(matrices: Floats) -> _State:
    """Best axes for joints that may be exact, with almost equal weights from singular values."""
    flat = matrices.reshape(len(matrices), -1, 9) / np.sqrt(matrices.shape[1])
    if flat.shape[1] < 9:
        flat = np.pad(flat, ((0, 0), (0, 9 - flat.shape[1]), (0, 0)))
    # The triangular factors of all blocks have the same singular values and need little memory.
    starts = range(0, flat.shape[1], QR_ROWS)
    parts = [[np.linalg.qr(one[k : k + QR_ROWS], mode="r") for k in starts] for one in flat]
    triangles = np.array([np.concatenate(blocks) for blocks in parts])
    _, values, vectors = np.linalg.svd(triangles, full_matrices=False)
    weights = np.maximum(values / values[:, :1] - ROUNDING_RATIO, 0.0) ** LEVEL_EXPONENT
    rows = weights[:, :, None] * vectors
    root, level = _both_ways(values[:, :, None] * vectors), _both_ways(rows)
    state = _search(np.swapaxes(rows, 1, 2) @ rows, level, EXACT_START_COUNT, EXACT_START_COUNT)
    state = _refine(level, state, MAX_EXACT_STEPS)
    state = _refine(root, _state(root, state.axes), MAX_EXACT_STEPS)
    return _keep_best(state, 1, root)


_UPPER = np.array([0, 4, 8, 1, 2, 5])
"""Positions of the entries 00, 11, 22, 01, 02 and 12 in a 3x3 matrix."""


def _best_starts(by_parent: Floats, starts: int) -> Floats:
    """Best of :data:`DIRECTIONS` as parent axes, shape (joints, starts, 3).

    They are ranked by the determinant of the child's 3x3 moment divided by the sum of its principal
    minors; this ratio is close to the smallest eigenvalue if it is small.
    """
    m = by_parent @ _OUTER.T
    a, d, f, b, c, e = (m[:, entry] for entry in range(6))
    minors = a * d - b * b + a * f - c * c + d * f - e * e
    determinant = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
    best = np.argsort(determinant / (minors + 1e-300), axis=1, kind="stable")[:, :starts]
    return DIRECTIONS[best]


_MINORS = np.array(
    [[[1, 0, 0, 4, 3, 3], [5, 4, 3, 3, 4, 0]], [[2, 2, 1, 5, 5, 4], [5, 4, 3, 2, 1, 5]]]
)
"""Factors of each adjugate entry, which is a difference of two products of the six entries."""
_SYMMETRIC = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])


def _nearer_to_smallest(contraction: Floats, fixed: Floats, axis: Floats) -> Floats:
    """Improve one axis by one inverse iteration while the other is fixed.

    The adjugate needs no division and is exact if a perfect axis exists; an eigenvalue solver for
    thousands of 3x3 matrices takes ten times as long. `contraction` has shape (joints, 6, 9), the
    axes have shape (3, joints, starts).
    """
    outer = (fixed[:, None] * fixed).reshape(9, *fixed.shape[1:])
    m = (contraction @ outer.transpose(1, 0, 2)).transpose(1, 0, 2)
    factors = m.take(_MINORS, axis=0)
    products = factors[0] * factors[1]
    adjugate = (products[0] - products[1]).take(_SYMMETRIC, axis=0)
    moved = np.add.reduce(adjugate * axis, axis=1)
    length = np.sqrt(np.add.reduce(moved * moved, axis=0))
    return np.where(length > 0.0, moved / np.where(length > 0.0, length, 1.0), axis)


class _State(NamedTuple):
    """Axes for all starts of all joints, with the terms of their cost."""

    axes: Floats
    """Axes in the parents and in the children, (2, joints, starts, 3)."""
    rows: Floats
    """``G (parent x child)``, (joints, starts, 9)."""
    halves: Floats
    """G contracted with one axis only, the child's or the parent's, (2, joints, starts, 9, 3)."""
    cost: Floats
    """Cost of each start, (joints, starts)."""


def _state(root: Floats, axes: Floats) -> _State:
    halves = (root[:, :, None] @ axes[::-1, ..., None]).reshape(*axes.shape[:3], 9, 3)
    rows = (halves[0] @ axes[0, ..., None])[..., 0]
    return _State(axes, rows, halves, np.add.reduce(rows * rows, axis=-1))


def _keep_best(state: _State, count: int, root: Floats) -> _State:
    """Keep the starts with the lowest cost, best first."""
    best = np.argsort(state.cost, axis=1, kind="stable")[:, :count]
    return _state(root, state.axes[:, np.arange(len(best))[:, None], best])


def _tangents(axis: Floats) -> Floats:
    """Two unit vectors perpendicular to each axis, (..., 2, 3), by reflecting z onto the axis."""
    ahead = axis.copy()
    ahead[..., 2] += np.copysign(1.0, axis[..., 2])
    share = ahead[..., :2] / np.abs(ahead[..., 2:])
    return np.asarray(np.eye(2, 3) - share[..., None] * ahead[..., None, :])


def _newton_step(root: Floats, state: _State) -> _State:
    """One damped Gauss-Newton step, taken only where it lowers the cost."""
    across = _tangents(state.axes)
    jacobian = np.concatenate(list(state.halves @ np.swapaxes(across, -1, -2)), axis=-1)
    turned = np.swapaxes(jacobian, -1, -2)
    damping = 1e-12 + 1e-3 * state.cost
    normal = turned @ jacobian + damping[..., None, None] * np.eye(4)
    step = np.linalg.solve(normal, turned @ state.rows[..., None])
    both = step.reshape(*step.shape[:2], 2, 1, 2).transpose(2, 0, 1, 3, 4)
    axes = state.axes - (both @ across)[..., 0, :]
    axes /= np.sqrt(np.add.reduce(axes * axes, axis=-1, keepdims=True))
    better = (_state(root, axes).cost < state.cost)[..., None]
    return _state(root, np.where(better, axes, state.axes))


def _point_forward(axis: Floats) -> Floats:
    # Rounding must not decide between components of equal size: the first one counts.
    largest = values_at(axis, np.abs(axis).round(9).argmax(axis=-1))
    return np.asarray(axis * np.where(largest < 0.0, -1.0, 1.0)[..., None])


def universal_coordinates(rotations: Floats, fit: UniversalFit) -> tuple[Floats, Floats, Floats]:
    """Angles about both axes of universal joints, and the axes' deviation from a right angle.

    `rotations` has shape (joints, 4, samples). `fit`: fit to these rotations. Returns the outer and
    the inner angles, shape (joints, samples): radians from their means, in [-pi, pi]; and the
    deviation, shape (joints, 1, samples): degrees.
    """
    parent, child = fit.parent_axes, fit.child_axes
    second = rotations @ np.swapaxes(rotations, 1, 2) / rotations.shape[2]
    mean = (second[:, FACTORS[0], FACTORS[1]] @ MATRIX_OF_PRODUCTS.T).reshape(-1, 3, 3)
    towards = np.concatenate([(mean @ child[..., None])[..., 0], (parent[:, None] @ mean)[:, 0]])
    across = _frame_across(np.concatenate([parent, child]), towards)
    across_parent, across_child = across[: len(parent)], across[len(parent) :]
    # Every result is u^T R v for some u and v, so it is a weighted sum of the products.
    left = np.concatenate([across_parent, np.repeat(parent[:, None], 3, axis=1)], axis=1)
    right = np.concatenate(
        [np.repeat(child[:, None], 2, axis=1), across_child, child[:, None]], axis=1
    )
    pairs = (left[..., :, None] * right[..., None, :]).reshape(len(left), 5, 9)
    parts = sums_of_products(pairs @ MATRIX_OF_PRODUCTS, rotations)
    outer, inner = np.arctan2(parts[:, 1], parts[:, 0]), np.arctan2(parts[:, 3], parts[:, 2])
    return outer, inner, np.degrees(np.arcsin(np.clip(parts[:, 4:], -1.0, 1.0)))


def _frame_across(axis: Floats, towards: Floats) -> Floats:
    """Unit vectors perpendicular to each axis, (joints, 2, 3), the first nearest to `towards`."""
    ahead = towards - np.einsum("jk,jk->j", towards, axis)[:, None] * axis
    # Motion all the way round has no mean; any direction will do.
    spare = np.cross(axis, np.eye(3)[np.abs(axis).argmin(axis=1)])
    is_short = np.linalg.norm(ahead, axis=1, keepdims=True) < 1e-6
    ahead = np.where(is_short, spare, ahead)
    ahead = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    return np.stack([ahead, np.cross(axis, ahead)], axis=1)
