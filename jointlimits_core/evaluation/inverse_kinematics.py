"""Inverse kinematics under limits: damped least squares, all frames of a clip at once.

Limits are kept in every step, not repaired at the end: the start is made feasible, directions at a
bound leave the system and the rest is solved again (active set), the step is projected, and it is
taken only if the effectors come nearer. Damping (Levenberg and Marquardt's, one number a frame)
grows where a step fails and shrinks where it succeeds, so limits cannot make a frame get worse from
one step to the next; clamping after each step without this stalls, and may end further away than no
limits at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..arrays import ArrayLike, Booleans, Floats, Integers
from ..rotation import normalized
from .damped_step import Limits, damped_step, turned
from .jacobian import Figure
from .joint_constraint import JointConstraint
from .stacked_limits import grouped

Constraints = Mapping[int, JointConstraint]
"""Constraints by joint index; joints without one are free."""

START_DAMPING = 1e-2
LEAST_DAMPING, MOST_DAMPING = 1e-6, 1e2
"""Damping in squares of the figure's reach."""
EASED, RAISED = 0.3, 4.0
"""What the damping is multiplied by after a step that was taken, and one that was not."""
LONGEST_PULL = 0.25
"""Effectors are pulled at most this share of the reach in one step, so that the path is smooth."""
STALLED = 1e-5
"""A step that gains a smaller share is the last: this is as near as the limits let it come."""


@dataclass(frozen=True)
class IkOptions:
    """How a pose is searched.

    Parameters
    ----------
    iterations : int
        Steps at most.
    tolerance : float
        Share of the figure's reach within which the effectors are where they should be.
    active_set : int
        How often directions are taken out in one step; 0 is clamping after the step alone.
    restart : bool
        Whether frames that do not get there are tried once more from the middle of the limits. A
        straight limb whose hinge stands at its bound cannot be shortened by any small step.
    """

    iterations: int = 60
    tolerance: float = 1e-3
    active_set: int = 4
    restart: bool = True


@dataclass(frozen=True, eq=False)
class IkSolution:
    """Poses that were found, and how near they come.

    Parameters
    ----------
    rotations : array, shape (frames, joints, 4)
        Inside all limits.
    residual : array, shape (frames,)
        Root mean square distance of the effectors from their targets, in the source's unit.
    converged : array of bool, shape (frames,)
        Whether that is within the tolerance. A frame that did not converge has the nearest pose
        that was found: its target may be out of reach.
    iterations : array of int, shape (frames,)
        Steps that were taken.
    """

    rotations: Floats
    residual: Floats
    converged: Booleans
    iterations: Integers


def solve(
    figure: Figure,
    targets: ArrayLike,
    start: ArrayLike,
    constraints: Constraints | None = None,
    options: IkOptions = IkOptions(),
) -> IkSolution:
    """Find poses whose effectors are at their targets, by damped least squares.

    Parameters
    ----------
    figure : Figure
    targets : array-like, shape (frames, effectors, 3)
        World positions.
    start : array-like, shape (frames, joints, 4) or (joints, 4)
        Poses to start from; joints that turn are brought inside their limits first.
    constraints : mapping of joint index to JointConstraint, optional
    options : IkOptions

    Returns
    -------
    IkSolution

    Raises
    ------
    ValueError
        For targets or starts that are not finite or have another shape.
    """
    goal = _checked(targets, (len(figure.translations), len(figure.effectors), 3), "targets")
    shape = (len(goal), len(figure.skeleton), 4)
    pose = _checked(np.broadcast_to(np.asarray(start, np.float64), shape), shape, "start")
    limits = grouped(figure.joints.tolist(), constraints or {})
    found = _searched(figure, goal, normalized(pose), limits, options)
    rows = np.flatnonzero(~found.converged)
    if not (options.restart and limits and len(rows)):
        return found
    again = normalized(pose[rows])
    for group in limits:
        again[:, figure.joints[group.columns]] = group.constraint.middle()
    second = _searched(figure.take(rows), goal[rows], again, limits, options)
    return _nearer(found, second, rows)


def _searched(
    figure: Figure, targets: Floats, pose: Floats, limits: Limits, options: IkOptions
) -> IkSolution:
    search = _Search(figure, targets, pose, limits, options)
    for _ in range(options.iterations):
        if not search.step():
            break
    return search.solution()


def _nearer(first: IkSolution, second: IkSolution, rows: Integers) -> IkSolution:
    """Poses of the second in those of `rows` where they come nearer."""
    better = second.residual < first.residual[rows]
    for name in ("rotations", "residual", "converged"):
        getattr(first, name)[rows[better]] = getattr(second, name)[better]
    first.iterations[rows] += second.iterations
    return first


def _checked(values: ArrayLike, shape: tuple[int, ...], name: str) -> Floats:
    array = np.array(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite with shape {shape}, not {array.shape}")
    return array


class _Search:
    """The state of all frames; a step works on those that are not done."""

    def __init__(
        self,
        figure: Figure,
        targets: Floats,
        pose: Floats,
        limits: Limits,
        options: IkOptions,
    ) -> None:
        self._figure, self._targets, self._options = figure, targets, options
        self._limits = limits
        self._reach = figure.reach
        self._near = options.tolerance * self._reach
        turning = pose[:, figure.joints]
        pose[:, figure.joints] = turned(turning, np.zeros((*turning.shape[:2], 3)), self._limits)
        self._pose, self._world = pose, figure.world(pose)
        self._distance = _distance(figure.points(self._world), targets)
        self._damping = np.full(len(targets), START_DAMPING)
        self._taken = np.zeros(len(targets), dtype=np.int64)
        self._open = self._distance > self._near

    def step(self) -> bool:
        """One step in every frame that is not done; False if there is none."""
        rows = np.flatnonzero(self._open)
        if len(rows) == 0:
            return False
        part = self._figure.take(rows)
        world, pose = self._world[rows], self._pose[rows]
        points = part.points(world)
        pull = (self._targets[rows] - points) / self._reach
        longest = np.linalg.norm(pull, axis=-1).max(axis=-1)[:, None, None]
        pull *= np.minimum(1.0, LONGEST_PULL / np.maximum(longest, 1e-300))
        jacobian = part.jacobian(world, points) / self._reach
        now = pose[:, part.joints]
        step = damped_step(
            jacobian, pull, self._damping[rows], now, self._limits, self._options.active_set
        )
        pose[:, part.joints] = turned(now, step, self._limits)
        self._judge(rows, part, pose)
        return True

    def _judge(self, rows: Integers, part: Figure, pose: Floats) -> None:
        """Take the steps that bring the effectors nearer, and adapt the damping."""
        world = part.world(pose)
        distance = _distance(part.points(world), self._targets[rows])
        before = self._distance[rows]
        better = distance < before
        good = rows[better]
        self._pose[good], self._world[good] = pose[better], world[better]
        self._distance[good] = distance[better]
        self._taken[good] += 1
        damping = self._damping[rows] * np.where(better, EASED, RAISED)
        self._damping[rows] = np.maximum(damping, LEAST_DAMPING)
        stalled = better & (before - distance < STALLED * before)
        self._open[rows] = (self._distance[rows] > self._near) & (damping < MOST_DAMPING) & ~stalled

    def solution(self) -> IkSolution:
        """What was found."""
        return IkSolution(self._pose, self._distance, self._distance <= self._near, self._taken)


def _distance(points: Floats, targets: Floats) -> Floats:
    """Root mean square distance of the effectors from their targets, shape (frames,)."""
    return np.asarray(np.sqrt(np.sum((targets - points) ** 2, axis=-1).mean(axis=-1)))
