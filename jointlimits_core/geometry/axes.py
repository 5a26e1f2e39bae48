"""Universal joint fit: two axes, one in the parent and one in the child, at right angles.

``a1 . (R a2) = 0`` for every rotation R. With ``K = mean(vec R vec R^T)`` the mean square of that
is ``(a1 x a2)^T K (a1 x a2)`` (x the Kronecker product), so after K the cost does not depend on the
number of samples. Alternating eigenvectors give a start, damped Gauss-Newton on the four free
parameters the answer; alternation alone stops short of it.

Where K is singular the joint may be exact. Small motion, or motion of both axes in step, then
grades the eigenvalues of K over many orders of magnitude, and the cost has long valleys with minima
of their own. A solution without residual is one for any weights of the eigenvectors, so these
joints are also searched with weights that are nearly level, from more starts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import Booleans, Floats
from .quaternion import matrix_from_quaternion

MOST_SAMPLES = 2000
"""Most evenly spaced samples for K, which has only 45 numbers."""
ALTERNATIONS = 4
NEWTON_STEPS = 4
ENOUGH = 1e-4
"""Smallest relative decrease of the cost to continue: a residual needs three digits."""
FINALISTS = 1
"""Starts that get Newton steps after the alternation."""
STARTS = 6
"""Number of directions, those with the smallest estimate, that are followed."""
SINGULAR = 1e-12
"""Largest ratio of the eigenvalues of K, smallest to largest, of joints that may be exact."""
EXACT_COST = 1e-17
"""Largest cost, radians squared, of an exact joint."""
LEVEL = 0.07
"""Power of the singular values that weights their directions in the search for exact joints."""
ROUNDING = 1e-14
"""Ratio of a singular value to the largest, up to which it is taken for zero."""
EXACT_STARTS = 8
"""Directions followed to the end in the search for exact joints."""
EXACT_STEPS = 6
CHILD_START: Floats = np.array([0.36, 0.48, 0.8])
"""Generic direction: inverse iteration cannot leave one perpendicular to its goal."""


def _half_sphere(count: int) -> Floats:
    """Directions spread evenly over half a sphere, (count, 3): a spiral with the golden angle."""
    height = (np.arange(count) + 0.5) / count
    turn = np.arange(count) * np.pi * (3.0 - np.sqrt(5.0))
    radius = np.sqrt(1.0 - height**2)
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=-1)


DIRECTIONS: Floats = _half_sphere(32)
"""Parent axes to try; an axis and its opposite are the same."""


class UniversalFit(NamedTuple):
    """Universal joints.

    `parent_axes` and `child_axes` have shape (joints, 3): unit axes in the parent's and in the
    joint's own frame; largest component positive. `residual` has shape (joints,): root mean square
    departure from the right angle, radians.
    """

    parent_axes: Floats
    child_axes: Floats
    residual: Floats


def fit_universal(rotations: Floats) -> UniversalFit:
    """Fit a universal joint to the samples of each joint.

    `rotations` has shape (joints, 4, samples).
    """
    step = max(1, rotations.shape[2] // MOST_SAMPLES)
    matrices = matrix_from_quaternion(np.swapaxes(rotations[:, :, ::step], 1, 2))
    moment, root, singular = _moment(matrices)
    state = _best(_refined(root, _search(moment, root, STARTS, FINALISTS), NEWTON_STEPS), 1, root)
    parent, child = state.parent[:, 0].copy(), state.child[:, 0].copy()
    rows = np.flatnonzero(singular & (state.cost[:, 0] > EXACT_COST))
    if rows.size:
        exact = _search_exact(matrices[rows])
        lower = exact.cost[:, 0] < state.cost[rows, 0]
        parent[rows[lower]], child[rows[lower]] = exact.parent[lower, 0], exact.child[lower, 0]
    parent, child = _positive(parent), _positive(child)
    sine = (matrices @ child[:, None, :, None])[..., 0] @ parent[..., None]
    residual = np.sqrt(np.mean(np.arcsin(np.clip(sine[..., 0], -1.0, 1.0)) ** 2, axis=1))
    return UniversalFit(parent, child, residual)


def _moment(matrices: Floats) -> tuple[Floats, Floats, Booleans]:
    """K, its root G with ``G^T G = K`` as (joints, 9, 3, 3), and whether K is singular."""
    flat = matrices.reshape(len(matrices), -1, 9)
    moment = np.swapaxes(flat, 1, 2) @ flat / flat.shape[1]
    values, vectors = np.linalg.eigh(moment)
    root = np.sqrt(np.maximum(values, 0.0))[:, :, None] * np.swapaxes(vectors, 1, 2)
    return moment, root.reshape(-1, 9, 3, 3), values[:, 0] <= SINGULAR * values[:, -1]


def _search(moment: Floats, root: Floats, starts: int, finalists: int) -> _State:
    """Axes from alternating eigenvectors, the best of several starts."""
    by_parent, by_child = _contractions(moment)
    parent = _promising(by_parent, starts)
    child = np.broadcast_to(CHILD_START, parent.shape)
    for _ in range(ALTERNATIONS):
        child = _nearer_to_smallest(by_parent, parent, child)
        parent = _nearer_to_smallest(by_child, child, parent)
    return _best(_state(root, parent, child), finalists, root)


def _refined(root: Floats, state: _State, steps: int) -> _State:
    """Newton steps until no start gains."""
    for _ in range(steps):
        before, state = state, _newton_step(root, state)
        if (before.cost - state.cost <= ENOUGH * before.cost + 1e-18).all():
            break
    return state


def _search_exact(matrices: Floats) -> _State:
    """Best axes of joints that may be exact, found with level weights, then refined with true ones.

    The root is from singular values, since the smallest eigenvalues of K drown in rounding.
    """
    flat = matrices.reshape(len(matrices), -1, 9) / np.sqrt(matrices.shape[1])
    if flat.shape[1] < 9:
        flat = np.pad(flat, ((0, 0), (0, 9 - flat.shape[1]), (0, 0)))
    _, values, vectors = np.linalg.svd(flat, full_matrices=False)
    weights = np.maximum(values / values[:, :1] - ROUNDING, 0.0) ** LEVEL
    root, level = ((size[:, :, None] * vectors).reshape(-1, 9, 3, 3) for size in (values, weights))
    rows = level.reshape(*values.shape, 9)
    state = _search(np.swapaxes(rows, 1, 2) @ rows, level, EXACT_STARTS, EXACT_STARTS)
    state = _refined(level, state, EXACT_STEPS)
    state = _refined(root, _state(root, state.parent, state.child), EXACT_STEPS)
    return _best(state, 1, root)


def _contractions(moment: Floats) -> tuple[Floats, Floats]:
    """K ordered so that it takes ``a1 a1^T``, or ``a2 a2^T``, to the 3x3 moment of the other."""
    fourfold = moment.reshape(-1, 3, 3, 3, 3)
    by_parent = np.moveaxis(fourfold, (1, 3), (3, 4)).reshape(-1, 1, 9, 9)
    by_child = np.moveaxis(fourfold, (2, 4), (3, 4)).reshape(-1, 1, 9, 9)
    return by_parent, by_child


def _promising(by_parent: Floats, starts: int) -> Floats:
    """Best of :data:`DIRECTIONS` as parent axes, shape (joints, starts, 3).

    Judged by determinant over the sum of the principal minors of the child's 3x3 moment, which is
    nearly its smallest eigenvalue where that is small.
    """
    outer = (DIRECTIONS[:, :, None] * DIRECTIONS[:, None, :]).reshape(-1, 9)
    m = by_parent[:, 0] @ outer.T
    a, b, c, d, e, f = m[:, 0], m[:, 1], m[:, 2], m[:, 4], m[:, 5], m[:, 8]
    minors = a * d - b * b + a * f - c * c + d * f - e * e
    determinant = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
    best = np.argsort(determinant / (minors + 1e-300), axis=1, kind="stable")[:, :starts]
    return DIRECTIONS[best]


def _nearer_to_smallest(contraction: Floats, fixed: Floats, axis: Floats) -> Floats:
    """Improve one axis while the other is held, by one inverse iteration.

    Uses the adjugate, which needs no division and is exact where a perfect axis exists; an
    eigenvalue solver for thousands of 3x3 matrices takes ten times as long.
    """
    outer = (fixed[..., :, None] * fixed[..., None, :]).reshape(*fixed.shape[:-1], 9, 1)
    m = (contraction @ outer)[..., 0]
    shift = 1e-4 * (m[..., 0] + m[..., 4] + m[..., 8]) + 1e-300
    a, d, f = m[..., 0] + shift, m[..., 4] + shift, m[..., 8] + shift
    b, c, e = m[..., 1], m[..., 2], m[..., 5]
    x, y, z = axis[..., 0], axis[..., 1], axis[..., 2]
    xy, xz, yz = c * e - b * f, b * e - c * d, b * c - a * e
    moved = np.empty(axis.shape)
    moved[..., 0] = (d * f - e * e) * x + xy * y + xz * z
    moved[..., 1] = xy * x + (a * f - c * c) * y + yz * z
    moved[..., 2] = xz * x + yz * y + (a * d - b * b) * z
    length = np.linalg.norm(moved, axis=-1, keepdims=True)
    return np.where(length > 0.0, moved / np.where(length > 0.0, length, 1.0), axis)


def _rows(root: Floats, parent: Floats, child: Floats) -> tuple[Floats, Floats, Floats]:
    """``G (parent x child)`` and its two halves, in which one axis is not yet contracted.

    Shapes (joints, starts, 9), (joints, starts, 9, 3) over the parent axis and over the child axis.
    """
    joints, starts = parent.shape[:2]
    over_parent = (root.reshape(joints, 1, 27, 3) @ child[..., None]).reshape(joints, starts, 9, 3)
    flipped = np.swapaxes(root, 2, 3).reshape(joints, 1, 27, 3)
    over_child = (flipped @ parent[..., None]).reshape(joints, starts, 9, 3)
    return (over_parent @ parent[..., None])[..., 0], over_parent, over_child


class _State(NamedTuple):
    """Axes of all starts of all joints, (joints, starts, 3), and what follows from them."""

    parent: Floats
    child: Floats
    rows: tuple[Floats, Floats, Floats]
    cost: Floats


def _state(root: Floats, parent: Floats, child: Floats) -> _State:
    rows = _rows(root, parent, child)
    return _State(parent, child, rows, np.sum(rows[0] * rows[0], axis=-1))


def _best(state: _State, count: int, root: Floats) -> _State:
    """Keep the starts with the lowest cost, best first."""
    if state.cost.shape[1] == 1:
        return state
    rows = np.argsort(state.cost, axis=1, kind="stable")[:, :count, None]
    parent = np.take_along_axis(state.parent, rows, axis=1)
    return _state(root, parent, np.take_along_axis(state.child, rows, axis=1))


def _tangents(axis: Floats) -> Floats:
    """Two unit vectors across each axis, shape (..., 2, 3), without a cross product.

    Duff et al., "Building an Orthonormal Basis, Revisited", 2017.
    """
    x, y, z = axis[..., 0], axis[..., 1], axis[..., 2]
    sign = np.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    basis = np.empty((*axis.shape[:-1], 2, 3))
    basis[..., 0, 0], basis[..., 0, 1], basis[..., 0, 2] = (
        1.0 + sign * x * x * a,
        sign * b,
        -sign * x,
    )
    basis[..., 1, 0], basis[..., 1, 1], basis[..., 1, 2] = b, sign + y * y * a, -y
    return basis


def _newton_step(root: Floats, state: _State) -> _State:
    """One damped Gauss-Newton step, taken only where it lowers the cost."""
    rows, over_parent, over_child = state.rows
    across_parent, across_child = _tangents(state.parent), _tangents(state.child)
    by_parent = over_parent @ np.swapaxes(across_parent, -1, -2)
    by_child = over_child @ np.swapaxes(across_child, -1, -2)
    jacobian = np.concatenate([by_parent, by_child], axis=-1)
    normal = np.swapaxes(jacobian, -1, -2) @ jacobian
    damping = 1e-12 + 1e-3 * state.cost
    right = np.swapaxes(jacobian, -1, -2) @ rows[..., None]
    step = -np.linalg.solve(normal + damping[..., None, None] * np.eye(4), right)[..., 0]
    parent = _moved(state.parent, across_parent, step[..., :2])
    child = _moved(state.child, across_child, step[..., 2:])
    moved = _state(root, parent, child)
    return _chosen(moved.cost < state.cost, moved, state)


def _chosen(better: Booleans, one: _State, other: _State) -> _State:
    """Each start from `one` where it is better, else from `other`."""
    if better.all():
        return one
    by_vector, by_row = better[..., None], better[..., None, None]
    rows = (
        np.where(by_vector, one.rows[0], other.rows[0]),
        np.where(by_row, one.rows[1], other.rows[1]),
        np.where(by_row, one.rows[2], other.rows[2]),
    )
    return _State(
        np.where(by_vector, one.parent, other.parent),
        np.where(by_vector, one.child, other.child),
        rows,
        np.where(better, one.cost, other.cost),
    )


def _moved(axis: Floats, tangents: Floats, step: Floats) -> Floats:
    moved = axis + (step[..., None, :] @ tangents)[..., 0, :]
    return np.asarray(moved / np.linalg.norm(moved, axis=-1, keepdims=True))


def _positive(axis: Floats) -> Floats:
    # Of components that are as large but for rounding errors, the first.
    place = np.abs(axis).round(9).argmax(axis=1)[:, None]
    largest = np.take_along_axis(axis, place, axis=1)
    return np.asarray(axis * np.where(largest < 0.0, -1.0, 1.0))
