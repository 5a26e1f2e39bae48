"""Inverse kinematics under limits, all frames of a clip at once.

Limits hold in every step: joints at a limit drop out while the others make up for them, and only
steps that bring the effectors nearer are kept; clamping alone stalls. In damped least squares
(Levenberg and Marquardt, one number per frame) damping grows where a step fails. In cyclic
coordinate descent, from the tips to the root, each joint makes the best turn for all effectors
below it: an angle for one axis, else the rotation that solves Wahba's problem (Davenport). Frames
that stall are tried once more from the middle of the limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..base.progress import Progress, report_progress
from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers
from .constraints import FreeJoint, JointConstraint
from .jacobian import Figure, Limits, damped_step, turned
from .rotate_box import grouped

POSING = "posing"
"""Progress label of a search; the count is of finished frames."""

METHODS = ("dls", "ccd")


@dataclass(frozen=True)
class IkOptions:
    """Options of a pose search."""

    method: str = "dls"
    """Either "dls", damped least squares, or "ccd", cyclic coordinate descent."""
    iterations: int = 40
    """Maximum number of steps, or of sweeps over all joints."""
    tolerance: float = 1e-3
    """Share of the figure's reach within which effectors count as on target."""
    active_set: int = 3
    """Rounds of removing blocked directions per step; 0 only clamps after the step."""
    restart: bool = True
    """Whether frames that fail are tried once more from the middle of the limits. A straight limb
    whose hinge is at its limit cannot be shortened by any small step."""


@dataclass(frozen=True, eq=False)
class IkSolution:
    """Poses found, and how near they come."""

    rotations: Floats
    """Inside all limits, shape (frames, joints, 4)."""
    residual: Floats
    """Root mean square distance of the effectors from their targets, in the source's unit, shape
    (frames,)."""
    converged: Booleans
    """Whether that is within the tolerance, shape (frames,). Other frames have the nearest pose
    found; their targets may be out of reach."""
    iterations: Integers
    """Steps taken, shape (frames,)."""


def distances(points: Floats, targets: Floats) -> Floats:
    """Root mean square distance of effectors (frames, effectors, 3) from targets, (frames,)."""
    return np.asarray(np.sqrt(np.sum((targets - points) ** 2, axis=-1).mean(axis=-1)))


SHRINKS = (1.0, 0.5, 0.2)
"""Shares of the best turn to try, in this order."""
PREFER_NO_TURN = 1e-3
"""Weight of the smallest among equally good rotations, such as any twist along an arm."""
SWEEP_STALLED = 1e-4
"""Stop after a sweep that gains less than this share."""


def cyclic_descent(
    figure: Figure,
    targets: Floats,
    pose: Floats,
    limits: Limits,
    options: IkOptions,
    progress: Progress | None,
) -> IkSolution:
    """Solve for poses; arguments as checked by :func:`solve`."""
    turning = pose[:, figure.joints]
    pose[:, figure.joints] = turned(turning, np.zeros((*turning.shape[:2], 3)), limits)
    # Columns and constraint of each turning joint's group.
    single: list[tuple[Integers, JointConstraint]] = [
        (np.array([column]), FreeJoint()) for column in range(len(figure.joints))
    ]
    for group in limits:
        for column in group.columns.tolist():
            single[column] = (group.columns, group.constraint)
    near = options.tolerance * figure.reach
    distance = distances(figure.points(figure.world(pose)), targets)
    steps = np.zeros(len(targets), dtype=np.int64)
    rows = np.flatnonzero(distance > near)
    for _ in range(options.iterations):
        if len(rows) == 0:
            break
        report_progress(progress, len(targets) - len(rows), len(targets), POSING)
        before = distance[rows]
        pose[rows], distance[rows] = _sweep(
            figure.take(rows), targets[rows], pose[rows], before, single
        )
        steps[rows] += 1
        active = (distance[rows] > near) & (distance[rows] < (1.0 - SWEEP_STALLED) * before)
        rows = rows[active]
    return IkSolution(pose, distance, distance <= near, steps)


def _sweep(
    figure: Figure,
    targets: Floats,
    pose: Floats,
    distance: Floats,
    limits: list[tuple[Integers, JointConstraint]],
) -> tuple[Floats, Floats]:
    """One sweep over all joints; poses and distances."""
    carries = figure.carries.astype(bool)
    world = figure.world(pose)
    for column in reversed(range(len(figure.joints))):
        effectors = np.flatnonzero(carries[:, column])
        if len(effectors) == 0:
            continue
        columns, constraint = limits[column]
        joint = figure.joints[column]
        place = int(np.flatnonzero(columns == column)[0])
        now = pose[:, figure.joints[columns]]
        movable = constraint.movable(now)[:, place]
        wish = _best_turn(world[:, joint], figure.points(world), targets, effectors, movable)
        for share in SHRINKS:
            step = np.zeros((*now.shape[:2], 3))
            step[:, place] = share * wish
            wanted = quaternion.multiply(now, quaternion.quaternion_from_rotation_vector(step))
            tried = np.array(pose)
            tried[:, joint] = constraint.project(wanted)[:, place]
            moved = figure.world(tried)
            reached = distances(figure.points(moved), targets)
            better = reached < distance
            pose[better], world[better] = tried[better], moved[better]
            distance = np.where(better, reached, distance)
            wish = np.where(better[:, None], 0.0, wish)
            if better.all():
                break
    return pose, distance


def _best_turn(
    world: Floats, points: Floats, targets: Floats, effectors: Integers, movable: Floats
) -> Floats:
    """Best rotation vector in the joint's own frame, shape (frames, 3)."""
    axes = world[:, :3, :3] / np.linalg.norm(world[:, :3, :3], axis=1, keepdims=True)
    arms = (points[:, effectors] - world[:, None, :3, 3]) @ axes
    goals = (targets[:, effectors] - world[:, None, :3, 3]) @ axes
    whole = quaternion.rotation_vector_from_quaternion(_nearest_rotation(arms, goals))
    alone = np.trace(movable, axis1=1, axis2=2) < 1.5
    if not alone.any():
        return (movable @ whole[..., None])[..., 0]
    best = np.argmax(np.diagonal(movable, axis1=1, axis2=2), axis=1)
    axis = np.take_along_axis(movable, best[:, None, None], axis=2)[..., 0]
    axis = axis / np.maximum(np.linalg.norm(axis, axis=-1, keepdims=True), 1e-12)
    along = axis[:, None]
    # What lies along the axis adds nothing to either sum once it is taken from one of the two.
    flat_arms = arms - np.sum(arms * along, axis=-1, keepdims=True) * along
    sine = np.sum(np.cross(arms, goals) * along, axis=(1, 2))
    angle = np.arctan2(sine, np.sum(flat_arms * goals, axis=(1, 2)))
    about = angle[:, None] * axis
    return np.where(alone[:, None], about, (movable @ whole[..., None])[..., 0])


def _nearest_rotation(arms: Floats, goals: Floats) -> Floats:
    """Rotations that bring arms nearest to their goals, shapes (frames, n, 3) to (frames, 4)."""
    outer = np.swapaxes(goals, 1, 2) @ arms
    trace = np.trace(outer, axis1=1, axis2=2)
    form = np.empty((len(outer), 4, 4))
    form[:, :3, :3] = outer + np.swapaxes(outer, 1, 2) - trace[:, None, None] * np.eye(3)
    form[:, :3, 3] = form[:, 3, :3] = np.cross(arms, goals).sum(axis=1)
    weight = np.linalg.norm(arms, axis=-1) * np.linalg.norm(goals, axis=-1)
    form[:, 3, 3] = trace + PREFER_NO_TURN * weight.sum(axis=1)
    return np.asarray(np.linalg.eigh(form)[1][..., -1])


START_DAMPING = 1e-2
LEAST_DAMPING, MOST_DAMPING = 1e-6, 1e2
"""Damping in squares of the figure's reach."""
EASED, RAISED = 0.3, 4.0
"""Factors of the damping after a kept and a rejected step."""
LONGEST_PULL = 0.25
"""Maximum pull per step as a share of the reach, for a smooth path."""
STEP_STALLED = 1e-3
"""Gain below which a lightly damped step is the last: the limits hold the frame there."""


def least_squares(
    figure: Figure,
    targets: Floats,
    pose: Floats,
    limits: Limits,
    options: IkOptions,
    progress: Progress | None,
) -> IkSolution:
    """Solve for poses; arguments as checked by :func:`solve`."""
    search = _Search(figure, targets, pose, limits, options)
    for _ in range(options.iterations):
        report_progress(progress, search.done, len(targets), POSING)
        if not search.step():
            break
    return search.solution()


class _Search:
    """State of all frames; each step works on the active ones."""

    def __init__(
        self, figure: Figure, targets: Floats, pose: Floats, limits: Limits, options: IkOptions
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
        self._steps = np.zeros(len(targets), dtype=np.int64)
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
        self._steps[good] += 1
        damping = self._damping[rows] * np.where(better, EASED, RAISED)
        self._damping[rows] = np.maximum(damping, LEAST_DAMPING)
        stalled = better & (before - distance < STEP_STALLED * before) & (damping <= START_DAMPING)
        self._open[rows] = (self._distance[rows] > self._near) & (damping < MOST_DAMPING) & ~stalled

    def solution(self) -> IkSolution:
        """Poses found so far."""
        return IkSolution(self._pose, self._distance, self._distance <= self._near, self._steps)


Constraints = Mapping[int, JointConstraint]
"""Constraints by joint index; joints without one are free."""

SEARCHES = dict(zip(METHODS, (least_squares, cyclic_descent)))


def solve(
    figure: Figure,
    targets: ArrayLike,
    start: ArrayLike,
    constraints: Constraints | None = None,
    options: IkOptions = IkOptions(),
    progress: Progress | None = None,
) -> IkSolution:
    """Find poses inside the limits whose effectors are on target.

    Raises ValueError for targets or starts that are not finite or have another shape, or an unknown
    method. `targets` has shape (frames, effectors, 3): world positions. `start` has shape (frames,
    joints, 4) or (joints, 4): start poses; turning joints are brought inside their limits first.
    """
    if options.method not in SEARCHES:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {options.method!r}")
    goal = _checked(targets, (len(figure.translations), len(figure.effectors), 3), "targets")
    shape = (len(goal), len(figure.skeleton), 4)
    pose = _checked(np.broadcast_to(np.asarray(start, np.float64), shape), shape, "start")
    limits = grouped(figure.joints.tolist(), constraints or {})
    search = SEARCHES[options.method]
    found = search(figure, goal, quaternion.normalized(pose), limits, options, progress)
    rows = np.flatnonzero(~found.converged)
    if not (options.restart and limits and len(rows)):
        return found
    again = quaternion.normalized(pose[rows])
    for group in limits:
        again[:, figure.joints[group.columns]] = group.constraint.middle()
    second = search(figure.take(rows), goal[rows], again, limits, options, progress)
    better = second.residual < found.residual[rows]
    found.rotations[rows[better]] = second.rotations[better]
    found.residual[rows[better]] = second.residual[better]
    found.converged[rows[better]] = second.converged[better]
    found.iterations[rows] += second.iterations
    return found


def _checked(values: ArrayLike, shape: tuple[int, ...], name: str) -> Floats:
    array = np.array(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite with shape {shape}, not {array.shape}")
    return array
