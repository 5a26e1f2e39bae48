"""Damped least squares over all frames of a clip at once.

Damping (Levenberg and Marquardt, one number per frame) grows where a step fails and shrinks where
it succeeds; only steps that bring the effectors nearer are kept. So limits cannot make a frame
worse from one step to the next. Clamping after each step without this stalls, and may end further
away than solving without limits.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, Integers
from ..progress import Progress, tell
from .damped_step import Limits, damped_step, turned
from .ik_solution import POSING, IkOptions, IkSolution, distances
from .jacobian import Figure

START_DAMPING = 1e-2
LEAST_DAMPING, MOST_DAMPING = 1e-6, 1e2
"""Damping in squares of the figure's reach."""
EASED, RAISED = 0.3, 4.0
"""Factors of the damping after a kept and a rejected step."""
LONGEST_PULL = 0.25
"""Maximum pull per step as a share of the reach, for a smooth path."""
STALLED = 1e-3
"""Gain below which a lightly damped step is the last: the limits hold the frame there."""


def least_squares(
    figure: Figure,
    targets: Floats,
    pose: Floats,
    limits: Limits,
    options: IkOptions,
    progress: Progress | None = None,
) -> IkSolution:
    """Solve for poses; arguments as checked by :func:`.inverse_kinematics.solve`."""
    search = _Search(figure, targets, pose, limits, options)
    for _ in range(options.iterations):
        tell(progress, search.done, len(targets), POSING)
        if not search.step():
            break
    return search.solution()


class _Search:
    """State of all frames; each step works on the active ones."""

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
        self._distance = distances(figure.points(self._world), targets)
        self._damping = np.full(len(targets), START_DAMPING)
        self._taken = np.zeros(len(targets), dtype=np.int64)
        self._open = self._distance > self._near

    @property
    def done(self) -> int:
        """Number of frames that are finished."""
        return int(np.count_nonzero(~self._open))

    def step(self) -> bool:
        """One step in every active frame; False if there is none."""
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
        """Keep the steps that bring the effectors nearer, and adapt the damping."""
        world = part.world(pose)
        distance = distances(part.points(world), self._targets[rows])
        before = self._distance[rows]
        better = distance < before
        good = rows[better]
        self._pose[good], self._world[good] = pose[better], world[better]
        self._distance[good] = distance[better]
        self._taken[good] += 1
        damping = self._damping[rows] * np.where(better, EASED, RAISED)
        self._damping[rows] = np.maximum(damping, LEAST_DAMPING)
        stalled = better & (before - distance < STALLED * before) & (damping <= START_DAMPING)
        self._open[rows] = (self._distance[rows] > self._near) & (damping < MOST_DAMPING) & ~stalled

    def solution(self) -> IkSolution:
        """Poses found so far."""
        return IkSolution(self._pose, self._distance, self._distance <= self._near, self._taken)
