"""Damped least squares step that leaves out joints at their limits.

With the Jacobian J, the pull e and, per joint, a projector P on its free directions, the step is
``P J^T (J P J^T + damping)^-1 e``. Directions in which the solution leaves a limit are removed from
P and it is solved again: the joints that are still free make up for the clamped ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..rotation import angle_between, multiply, quaternion_from_rotation_vector
from .joint_constraint import without
from .stacked_limits import LimitGroup

CLIPPED = 1e-7
"""Radians removed by a projection before a joint counts as clamped."""

Limits = Sequence[LimitGroup]


def turned(rotations: Floats, step: Floats, limits: Limits) -> Floats:
    """Rotations (frames, turning, 4) after a step (frames, turning, 3), inside the limits."""
    result = multiply(rotations, quaternion_from_rotation_vector(step))
    for group in limits:
        result[:, group.columns] = group.constraint.project(result[:, group.columns])
    return result


def damped_step(
    jacobian: Floats,
    pull: Floats,
    damping: Floats,
    rotations: Floats,
    limits: Limits,
    rounds: int,
    wish: Floats | None = None,
) -> Floats:
    """Step that brings the effectors nearer and stays inside the limits.

    Parameters
    ----------
    jacobian : array, shape (frames, effectors, 3, turning, 3)
    pull : array, shape (frames, effectors, 3)
        Desired displacement of the effectors.
    damping : array, shape (frames,)
        In squared units of `pull`.
    rotations : array, shape (frames, turning, 4)
        Inside the limits.
    limits : sequence of LimitGroup
    rounds : int
        Maximum number of searches for blocked directions.
    wish : array, shape (frames, turning, 3), optional
        Preferred step, used as far as it moves no effector.

    Returns
    -------
    array, shape (frames, turning, 3)
        Rotation vectors in the joints' own frames.
    """
    frames, turning = rotations.shape[:2]
    free = np.tile(np.eye(3), (frames, turning, 1, 1))
    for group in limits:
        free[:, group.columns] = group.constraint.movable(rotations[:, group.columns])
    system = _System(jacobian.reshape(frames, -1, turning, 3), pull.reshape(frames, -1), damping)
    step = system.solved(free, wish, np.arange(frames))
    rows = np.arange(frames)
    for _ in range(rounds):
        found = _remove_blocked(free, rotations, step, limits, rows)
        rows = rows[found]
        if len(rows) == 0:
            break
        step[rows] = system.solved(free, wish, rows)
    return step


def _remove_blocked(
    free: Floats, rotations: Floats, step: Floats, limits: Limits, rows: Integers
) -> Booleans:
    """Remove blocked directions from `free`; returns which of `rows` had any."""
    found = np.zeros(len(rows), dtype=bool)
    for group in limits:
        columns, limit = group.columns, group.constraint
        now, wish = rotations[rows[:, None], columns], step[rows[:, None], columns]
        wanted = multiply(now, quaternion_from_rotation_vector(wish))
        off = angle_between(limit.project(wanted), wanted)
        some = np.flatnonzero((off > CLIPPED).any(axis=1))
        if len(some) == 0:
            continue
        wall = limit.blocked(now[some], wish[some])
        where = rows[some, None], columns
        free[where] = without(free[where], wall)
        found[some] |= wall.any(axis=(1, 2))
    return found


class _System:
    """Linear system of a step: Jacobian (frames, rows, turning, 3), pull and damping."""

    def __init__(self, jacobian: Floats, pull: Floats, damping: Floats) -> None:
        self._jacobian, self._pull, self._damping = jacobian, pull, damping

    def solved(self, free: Floats, wish: Floats | None, rows: Integers) -> Floats:
        """Step of some frames within the free directions, shape (rows, turning, 3)."""
        own = free[rows]
        moved = (self._jacobian[rows][..., None, :] @ own[:, None])[..., 0, :]
        flat = moved.reshape(*moved.shape[:2], -1)
        across = np.swapaxes(flat, 1, 2)
        square = flat @ across
        square += self._damping[rows, None, None] * np.eye(square.shape[-1])
        pull = self._pull[rows]
        if wish is None:
            free_wish = np.zeros((len(rows), flat.shape[-1]))
        else:
            free_wish = (own @ wish[rows][..., None]).reshape(len(rows), -1)
            pull = pull - (flat @ free_wish[..., None])[..., 0]
        weights = np.linalg.solve(square, pull[..., None])
        step = (across @ weights)[..., 0] + free_wish
        return np.asarray(step.reshape(len(rows), -1, 3))
