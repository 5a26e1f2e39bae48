"""Effectors of a figure, their Jacobian in all frames at once, and steps within limits.

With the Jacobian J, the pull e and, per joint, a projector P onto its free directions, the damped
least squares step is ``P J^T (J P J^T + damping)^-1 e``. Directions in which the solution leaves a
limit are removed from P, and the step is solved again: joints that are still free compensate for
clamped ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.quaternion import angle_between, multiply, quaternion_from_rotation_vector
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton, world_matrices_from_local
from . import constraints, rotate_box

MIN_CLAMPED_RAD = 1e-7
"""A joint counts as clamped if a projection moves it by at least this, in radians."""

Limits = Sequence[rotate_box.LimitGroup]


def project_turn(pose: Floats, joints: Integers, step: Floats, limits: Limits) -> Floats:
    """Poses after a step of the turning joints, inside the limits, (frames, joints, 4).

    `pose`, (frames, joints, 4); `joints`: those that turn; `step`, (frames, turning, 3).
    """
    result = _turn_joints(pose, joints, step)
    for group in limits:
        result[:, group.joints] = group.constraint.project(result[:, group.joints])
    return result


def _turn_joints(pose: Floats, joints: Integers, step: Floats) -> Floats:
    result = np.array(pose)
    result[:, joints] = multiply(pose[:, joints], quaternion_from_rotation_vector(step))
    return result


def damped_step(
    jacobian: Floats,
    pull: Floats,
    damping: Floats,
    pose: Floats,
    joints: Integers,
    limits: Limits,
    rounds: int,
) -> Floats:
    """Step that moves effectors closer and stays inside the limits, (frames, turning, 3).

    Returns rotation vectors in the joints' own axes, radians. `jacobian`, (frames, effectors, 3,
    turning, 3). `pull`, (frames, effectors, 3): desired displacement of the effectors. `damping`,
    (frames,), in squared units of `pull`. `pose`, (frames, joints, 4), inside the limits. `joints`:
    those that turn. `rounds`: maximum number of searches for blocked directions.
    """
    frames, turning = len(pose), len(joints)
    free = np.tile(np.eye(3), (frames, turning, 1, 1))
    for group in limits:
        free[:, group.columns] = group.constraint.movable(pose[:, group.joints])
    jacobian, pull = jacobian.reshape(frames, -1, turning, 3), pull.reshape(frames, -1)
    step, rows = np.zeros((frames, turning, 3)), np.arange(frames)
    for number in range(rounds + 1):
        if number:
            rows = rows[_remove_blocked(free, pose, joints, step, limits, rows)]
        if len(rows) == 0:
            break
        moved = (jacobian[rows][..., None, :] @ free[rows, None])[..., 0, :]
        flat = moved.reshape(*moved.shape[:2], -1)
        across = np.swapaxes(flat, 1, 2)
        square = flat @ across + damping[rows, None, None] * np.eye(flat.shape[1])
        weights = np.linalg.solve(square, pull[rows][..., None])
        step[rows] = (across @ weights).reshape(len(rows), -1, 3)
    return step


def _remove_blocked(
    free: Floats, pose: Floats, joints: Integers, step: Floats, limits: Limits, rows: Integers
) -> Booleans:
    """Remove blocked directions from `free`, and return which rows had any."""
    found = np.zeros(len(rows), dtype=bool)
    wanted = _turn_joints(pose[rows], joints, step[rows])
    for group in limits:
        columns, limit = group.columns, group.constraint
        now, wish = pose[rows[:, None], group.joints], step[rows[:, None], columns]
        there = wanted[:, group.joints]
        off = angle_between(limit.project(there), there)
        some = np.flatnonzero((off > MIN_CLAMPED_RAD).any(axis=1))
        if len(some) == 0:
            continue
        wall = limit.blocked_direction(now[some], wish[some])
        where = rows[some, None], columns
        free[where] = constraints.remove_direction(free[where], wall)
        found[some] |= wall.any(axis=(1, 2))
    return found


@dataclass(frozen=True)
class Effector:
    """Point in the space of a joint (given by its index); zero is the joint itself."""

    joint: int
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Figure:
    """Skeleton posed in every frame, with effectors and the joints that turn to move them."""

    skeleton: Skeleton
    translations: Floats
    scales: Floats
    """Translations and scales of all joints, shape (frames, joints, 3)."""
    between: Mapping[int, Floats]
    """Transforms from the parent joint by joint index, shape (frames, 4, 4)."""
    effectors: tuple[Effector, ...]
    joints: Integers
    """Joints that may turn, parents first, shape (turning,)."""

    @property
    def reach(self) -> float:
        """Longest chain from a root to an effector, in the source's unit; 1 if it is 0."""
        lengths = np.linalg.norm(self.skeleton.offsets, axis=1)
        chains = (
            lengths[self.skeleton.ancestors(one.joint)[:-1]].sum() + np.linalg.norm(one.point)
            for one in self.effectors
        )
        return float(max(chains)) or 1.0

    def keep_frames(self, rows: Integers) -> Figure:
        """Figure in the chosen frames only."""
        return replace(
            self,
            translations=self.translations[rows],
            scales=self.scales[rows],
            between={joint: matrices[rows] for joint, matrices in self.between.items()},
        )

    def world(self, rotations: Floats) -> Floats:
        """World matrices of poses (frames, joints, 4), shape (frames, joints, 4, 4)."""
        return world_matrices_from_local(
            self.skeleton, rotations, self.translations, self.scales, self.between
        )

    def points(self, world: Floats) -> Floats:
        """World positions of the effectors, shape (frames, effectors, 3)."""
        at = [effector.joint for effector in self.effectors]
        own = np.array([[*effector.point, 1.0] for effector in self.effectors])
        return np.asarray((world[:, at, :3, :] @ own[:, :, None])[..., 0])

    def jacobian(self, world: Floats, points: Floats) -> Floats:
        """Velocities of the effectors as each joint turns about its own axes.

        ``d(point) / d(direction)`` for ``q exp(direction)``, (frames, effectors, 3, turning, 3), in
        length units per radian. `world`, (frames, joints, 4, 4); `points`, (frames, effectors, 3).
        """
        turning = world[:, self.joints]
        axes = np.swapaxes(turning[..., :3, :3], 2, 3)
        # Scale is removed, which is exact if it is uniform.
        axes = axes / np.linalg.norm(axes, axis=3, keepdims=True)
        arm = points[:, :, None, :] - turning[:, None, :, :3, 3]
        velocities = np.moveaxis(np.cross(axes[:, None], arm[..., None, :]), -1, 2)
        return np.asarray(velocities * self.carries[None, :, None, :, None])

    @property
    def carries(self) -> Floats:
        """1 where a turning joint carries an effector, else 0, shape (effectors, turning)."""
        table = np.zeros((len(self.effectors), len(self.joints)))
        for row, effector in enumerate(self.effectors):
            table[row] = np.isin(self.joints, self.skeleton.ancestors(effector.joint))
        return table


def figure_of(motion: Motion, effectors: Sequence[Effector], joints: Sequence[int]) -> Figure:
    """Figure of a clip's skeleton in all of its frames.

    `motion`: source of the root and of all animation except rotations. `joints`: joints that may
    turn; the others keep the rotations of the start pose. Raises ValueError if there is no
    effector, or for joints that the skeleton does not have.
    """
    skeleton, count = motion.skeleton, len(motion.skeleton)
    needed = [*joints, *(effector.joint for effector in effectors)]
    if not effectors or any(not 0 <= joint < count for joint in needed):
        raise ValueError(
            f"effectors (at least one) and joints must be indices below {count}, the number of "
            "joints in the skeleton"
        )
    translations, scales = motion.translations_and_scales()
    turning = np.array(sorted(set(joints)), dtype=np.int64)
    return Figure(skeleton, translations, scales, motion.between, tuple(effectors), turning)
