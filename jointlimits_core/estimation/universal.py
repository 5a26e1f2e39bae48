"""Best universal joint: two axes, one in the parent and one in the child, always at right angles.

``a1 . (R a2) = 0`` for every rotation R. With ``K = mean(vec R vec R^T)`` the mean square of that
is ``(a1 x a2)^T K (a1 x a2)`` (x the Kronecker product), so after K the cost does not depend on the
number of samples. Alternating eigenvectors give a start, damped Gauss-Newton on the four free
parameters the answer; alternation alone stops short of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..rotation import matrix_from_quaternion

MOST_SAMPLES = 2000
"""Evenly spaced samples are enough for K: it has 45 numbers."""
ALTERNATIONS = 3
NEWTON_STEPS = 8


@dataclass(frozen=True, eq=False)
class UniversalFit:
    """Universal joints.

    Parameters
    ----------
    parent_axes, child_axes : array, shapes (joints, 3)
        Unit axes in the parent's and in the joint's own frame; largest component positive.
    residual : array, shape (joints,)
        Root mean square departure from the right angle, radians.
    """

    parent_axes: Floats
    child_axes: Floats
    residual: Floats


def fit_universal(rotations: Floats) -> UniversalFit:
    """Fit a universal joint to the samples of each joint.

    Parameters
    ----------
    rotations : array, shape (joints, 4, samples)

    Returns
    -------
    UniversalFit
    """
    root, matrices = _root_of_moment(rotations)
    starts = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    others = np.eye(3)[[1, 2, 0, 2, 0, 1]]
    shape = (len(rotations), len(starts), 3)
    parent, child = np.broadcast_to(starts, shape), np.broadcast_to(others, shape)
    for _ in range(ALTERNATIONS):
        child = _smallest_direction(_rows(root, parent, child)[2])
        parent = _smallest_direction(_rows(root, parent, child)[1])
    state = _state(root, parent, child)
    for _ in range(NEWTON_STEPS):
        before, state = state, _newton_step(root, state)
        if (before.cost - state.cost <= 1e-9 * before.cost + 1e-18).all():
            break
    best = np.argmin(state.cost, axis=1)[:, None, None]
    parent = _positive(np.take_along_axis(state.parent, best, axis=1)[:, 0])
    child = _positive(np.take_along_axis(state.child, best, axis=1)[:, 0])
    sine = (matrices @ child[:, None, :, None])[..., 0] @ parent[..., None]
    residual = np.sqrt(np.mean(np.arcsin(np.clip(sine[..., 0], -1.0, 1.0)) ** 2, axis=1))
    return UniversalFit(parent, child, residual)


def _root_of_moment(rotations: Floats) -> tuple[Floats, Floats]:
    """G with ``G^T G = K``, shape (joints, 9, 3, 3), and the matrices used."""
    step = max(1, rotations.shape[2] // MOST_SAMPLES)
    matrices = matrix_from_quaternion(np.swapaxes(rotations[:, :, ::step], 1, 2))
    flat = matrices.reshape(len(rotations), -1, 9)
    values, vectors = np.linalg.eigh(np.swapaxes(flat, 1, 2) @ flat / flat.shape[1])
    root = np.sqrt(np.maximum(values, 0.0))[:, :, None] * np.swapaxes(vectors, 1, 2)
    return root.reshape(len(rotations), 9, 3, 3), matrices


def _smallest_direction(rows: Floats) -> Floats:
    """Unit vector that makes ``rows @ vector`` smallest, shape (joints, starts, 3)."""
    return np.asarray(np.linalg.eigh(np.swapaxes(rows, -1, -2) @ rows)[1][..., 0])


def _rows(root: Floats, parent: Floats, child: Floats) -> tuple[Floats, Floats, Floats]:
    """``G (parent x child)`` and its two halves, in which one axis is not yet contracted.

    Shapes (joints, starts, 9), (joints, starts, 9, 3) over the parent axis and over the child axis.
    """
    joints, starts = parent.shape[:2]
    over_parent = (root.reshape(joints, 1, 27, 3) @ child[..., None]).reshape(joints, starts, 9, 3)
    flipped = np.swapaxes(root, 2, 3).reshape(joints, 1, 27, 3)
    over_child = (flipped @ parent[..., None]).reshape(joints, starts, 9, 3)
    return (over_parent @ parent[..., None])[..., 0], over_parent, over_child


@dataclass(frozen=True, eq=False)
class _State:
    """Axes of all starts of all joints, (joints, starts, 3), and what follows from them."""

    parent: Floats
    child: Floats
    rows: tuple[Floats, Floats, Floats]
    cost: Floats


def _state(root: Floats, parent: Floats, child: Floats) -> _State:
    rows = _rows(root, parent, child)
    return _State(parent, child, rows, np.sum(rows[0] * rows[0], axis=-1))


def _tangents(axis: Floats) -> Floats:
    """Two unit vectors across each axis, shape (..., 2, 3), without a cross product.

    Duff et al., "Building an Orthonormal Basis, Revisited", 2017.
    """
    x, y, z = np.moveaxis(axis, -1, 0)
    sign = np.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    first = [1.0 + sign * x * x * a, sign * b, -sign * x]
    second = [b, sign + y * y * a, -y]
    return np.moveaxis(np.array([first, second]), (0, 1), (-2, -1))


def _newton_step(root: Floats, state: _State) -> _State:
    """One damped Gauss-Newton step; a step that does not help is not taken."""
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
    better = (_state(root, parent, child).cost < state.cost)[..., None]
    parent, child = np.where(better, parent, state.parent), np.where(better, child, state.child)
    return _state(root, parent, child)


def _moved(axis: Floats, tangents: Floats, step: Floats) -> Floats:
    moved = axis + (step[..., None, :] @ tangents)[..., 0, :]
    return np.asarray(moved / np.linalg.norm(moved, axis=-1, keepdims=True))


def _positive(axis: Floats) -> Floats:
    largest = np.take_along_axis(axis, np.abs(axis).argmax(axis=1)[:, None], axis=1)
    return np.asarray(axis * np.where(largest < 0.0, -1.0, 1.0))
