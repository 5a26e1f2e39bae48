"""Inverse kinematics under limits, for all frames of a clip at once.

Limits hold in every step: the other joints compensate for joints at a limit, and only steps that
bring the effectors closer are kept; clamping alone would stall. The method is damped least squares
(Levenberg and Marquardt) with one damping factor per frame, which grows if a step fails. Frames
that stall are tried once more from the middle of the limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..base.progress import Progress, report_progress
from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers
from .constraints import JointConstraint
from .jacobian import Figure, Limits, damped_step, project_turn
from .rotate_box import stacked_by_kind

POSING = "posing"
"""Progress label of a search, which counts finished frames."""
START_DAMPING = 1e-2
MIN_DAMPING, MAX_DAMPING = 1e-6, 1e2
"""Damping, in squares of the figure's reach."""
EASED, RAISED = 0.3, 4.0
"""Factors applied to the damping after a kept and after a rejected step."""
MAX_PULL = 0.25
"""Maximum pull per step as a share of the reach, for a smooth path."""
MIN_GAIN = 1e-3
"""A lightly damped step that gains less than this ends the search: the limits allow no more."""

Constraints = Mapping[int, JointConstraint]
"""Constraints by joint index; joints without one are free."""


@dataclass(frozen=True)
class IkOptions:
    """Options of a pose search."""

    iterations: int = 40
    """Maximum number of steps."""
    tolerance: float = 1e-3
    """Share of the figure's reach within which effectors count as on target."""
    active_set: int = 3
    """Maximum number of searches for blocked directions per step; 0 only clamps after the step."""
    restart: bool = True
    """Whether failed frames are tried once more from the middle of the limits. A straight limb
    whose hinge is at its limit cannot be shortened by any small step."""


@dataclass(frozen=True, eq=False)
class IkSolution:
    """Poses and their distances from the targets."""

    rotations: Floats
    """Rotations inside all limits, shape (frames, joints, 4)."""
    residual: Floats
    """Rms distance of effectors from their targets, in the source's unit, (frames,)."""
    converged: Booleans
    """Whether the distance is within the tolerance, shape (frames,). Other frames have the nearest
    pose found; their targets may be out of reach."""
    iterations: Integers
    """Number of steps, shape (frames,)."""


def solve(
    figure: Figure,
    targets: ArrayLike,
    start: ArrayLike,
    constraints: Constraints | None = None,
    options: IkOptions = IkOptions(),
    progress: Progress | None = None,
) -> IkSolution:
    """Find poses inside the limits whose effectors are on target.

    `targets`, (frames, effectors, 3): world positions. `start`, (frames, joints, 4) or (joints, 4):
    start poses, whose turning joints are brought inside their limits first. Raises ValueError for
    targets or starts that are not finite or have the wrong shape.
    """
    goal = _check_array(targets, (len(figure.translations), len(figure.effectors), 3), "targets")
    shape = (len(goal), len(figure.skeleton), 4)
    pose = _check_array(np.broadcast_to(np.asarray(start, np.float64), shape), shape, "start")
    limits = stacked_by_kind(figure.joints.tolist(), constraints or {})
    found = _least_squares(figure, goal, quaternion.normalize(pose), limits, options, progress)
    rows = np.flatnonzero(~found.converged)
    if not (options.restart and limits and len(rows)):
        return found
    again = quaternion.normalize(pose[rows])
    for group in limits:
        again[:, figure.joints[group.columns]] = group.constraint.middle()
    second = _least_squares(figure.keep_frames(rows), goal[rows], again, limits, options, progress)
    better = second.residual < found.residual[rows]
    for name in ("rotations", "residual", "converged"):
        getattr(found, name)[rows[better]] = getattr(second, name)[better]
    found.iterations[rows] += second.iterations
    return found


def _check_array(values: ArrayLike, shape: tuple[int, ...], name: str) -> Floats:
    array = np.array(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite with shape {shape}, not {array.shape}")
    return array


def _least_squares(
    figure: Figure,
    targets: Floats,
    pose: Floats,
    limits: Limits,
    options: IkOptions,
    progress: Progress | None,
) -> IkSolution:
    """Search from `pose`, which is changed in place; only unfinished frames take steps."""
    near = options.tolerance * figure.reach
    still = np.zeros((len(pose), len(figure.joints), 3))
    pose[:] = project_turn(pose, figure.joints, still, limits)
    world = figure.world(pose)
    distance = _distances(figure.points(world), targets)
    damping = np.full(len(targets), START_DAMPING)
    steps = np.zeros(len(targets), dtype=np.int64)
    unfinished = distance > near
    for _ in range(options.iterations):
        rows = np.flatnonzero(unfinished)
        report_progress(progress, len(targets) - len(rows), len(targets), POSING)
        if len(rows) == 0:
            break
        part, goal = figure.keep_frames(rows), targets[rows]
        tried, moved = _step(part, goal, pose[rows], world[rows], damping[rows], limits, options)
        reached = _distances(part.points(moved), goal)
        before, used = distance[rows], damping[rows]
        better = reached < before
        good = rows[better]
        pose[good], world[good], distance[good] = tried[better], moved[better], reached[better]
        steps[good] += 1
        # Good steps reduce the damping; once it is small, a small gain ends the search.
        used = used * np.where(better, EASED, RAISED)
        damping[rows] = np.maximum(used, MIN_DAMPING)
        stalled = better & (before - reached < MIN_GAIN * before) & (used <= START_DAMPING)
        unfinished[rows] = (distance[rows] > near) & (used < MAX_DAMPING) & ~stalled
    return IkSolution(pose, distance, distance <= near, steps)


def _step(
    figure: Figure,
    targets: Floats,
    pose: Floats,
    world: Floats,
    damping: Floats,
    limits: Limits,
    options: IkOptions,
) -> tuple[Floats, Floats]:
    """Poses and world matrices after one damped step."""
    points = figure.points(world)
    pull = (targets - points) / figure.reach
    longest = np.linalg.norm(pull, axis=-1).max(axis=-1)[:, None, None]
    pull *= np.minimum(1.0, MAX_PULL / np.maximum(longest, 1e-300))
    jacobian = figure.jacobian(world, points) / figure.reach
    step = damped_step(jacobian, pull, damping, pose, figure.joints, limits, options.active_set)
    tried = project_turn(pose, figure.joints, step, limits)
    return tried, figure.world(tried)


def _distances(points: Floats, targets: Floats) -> Floats:
    """Root mean square distance of effectors (frames, effectors, 3) from targets, (frames,)."""
    return np.asarray(np.sqrt(np.sum((targets - points) ** 2, axis=-1).mean(axis=-1)))
