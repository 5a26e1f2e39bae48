"""Cyclic coordinate descent under limits: one joint after the other, from the tips to the root.

Each joint makes the best turn for all effectors below it while the others are held. That turn is
exact: an angle for a joint with one axis, otherwise the rotation that brings the arms nearest to
their goals (Wahba's problem, solved as Davenport's eigenvalue problem). It is projected into the
limits and kept only if the effectors come nearer.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, Integers
from ..progress import Progress, tell
from ..rotation import multiply, quaternion_from_rotation_vector, rotation_vector_from_quaternion
from .damped_step import Limits, turned
from .ik_solution import POSING, IkOptions, IkSolution, distances
from .jacobian import Figure
from .joint_constraint import FreeJoint, JointConstraint

SHRINKS = (1.0, 0.5, 0.2)
"""Shares of the best turn to try, in this order."""
PREFER_NO_TURN = 1e-3
"""Weight of the smallest among equally good rotations, such as any twist along an arm."""
STALLED = 1e-4
"""Stop after a sweep that gains less than this share."""


def cyclic_descent(
    figure: Figure,
    targets: Floats,
    pose: Floats,
    limits: Limits,
    options: IkOptions,
    progress: Progress | None = None,
) -> IkSolution:
    """Solve for poses; arguments as checked by :func:`.inverse_kinematics.solve`."""
    turning = pose[:, figure.joints]
    pose[:, figure.joints] = turned(turning, np.zeros((*turning.shape[:2], 3)), limits)
    single = _by_column(limits, len(figure.joints))
    near = options.tolerance * figure.reach
    distance = distances(figure.points(figure.world(pose)), targets)
    taken = np.zeros(len(targets), dtype=np.int64)
    rows = np.flatnonzero(distance > near)
    for _ in range(options.iterations):
        if len(rows) == 0:
            break
        tell(progress, len(targets) - len(rows), len(targets), POSING)
        before = distance[rows]
        pose[rows], distance[rows] = _sweep(
            figure.take(rows), targets[rows], pose[rows], before, single
        )
        taken[rows] += 1
        active = (distance[rows] > near) & (distance[rows] < (1.0 - STALLED) * before)
        rows = rows[active]
    return IkSolution(pose, distance, distance <= near, taken)


def _by_column(limits: Limits, count: int) -> list[tuple[Integers, JointConstraint]]:
    """Constraint group of each turning joint, with the group's columns."""
    table: list[tuple[Integers, JointConstraint]] = [
        (np.array([column]), FreeJoint()) for column in range(count)
    ]
    for group in limits:
        for column in group.columns.tolist():
            table[column] = (group.columns, group.constraint)
    return table


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
            wanted = multiply(now, quaternion_from_rotation_vector(step))
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
    whole = rotation_vector_from_quaternion(_nearest_rotation(arms, goals))
    alone = np.trace(movable, axis1=1, axis2=2) < 1.5
    if not alone.any():
        return (movable @ whole[..., None])[..., 0]
    best = np.argmax(np.diagonal(movable, axis1=1, axis2=2), axis=1)
    axis = np.take_along_axis(movable, best[:, None, None], axis=2)[..., 0]
    axis = axis / np.maximum(np.linalg.norm(axis, axis=-1, keepdims=True), 1e-12)
    about = _angle_about(arms, goals, axis)[:, None] * axis
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


def _angle_about(arms: Floats, goals: Floats, axis: Floats) -> Floats:
    """Angle about an axis that brings arms nearest to their goals, shape (frames,)."""
    along = axis[:, None]
    flat_arms = arms - np.sum(arms * along, axis=-1, keepdims=True) * along
    flat_goals = goals - np.sum(goals * along, axis=-1, keepdims=True) * along
    sine = np.sum(np.cross(flat_arms, flat_goals) * along, axis=(1, 2))
    return np.asarray(np.arctan2(sine, np.sum(flat_arms * flat_goals, axis=(1, 2))))
