"""The search against the same steps done frame by frame, joint by joint."""

from dataclasses import replace

import numpy as np

from jointlimits_core.geometry.quaternion import (
    IDENTITY,
    angle_between,
    multiply,
    normalized,
    quaternion_from_rotation_vector,
)
from jointlimits_core.ik.constraints import (
    FixedJoint,
    FreeJoint,
    HingeJoint,
    JointConstraint,
    UniversalJoint,
)
from jointlimits_core.ik.jacobian import Effector, damped_step, figure_of
from jointlimits_core.ik.rotate_box import RotateBox, stacked_by_kind
from jointlimits_core.ik.solver import IkOptions, solve
from jointlimits_core.motion.motion import Motion

FRAMES = 6


class SometimesHinge(JointConstraint):
    """Turns about one axis in some poses, and freely in others."""

    def movable(self, rotation):
        axis = np.array([0.6, 0.0, 0.8])
        some = (rotation[..., 0] > 0.0)[..., None, None]
        return np.where(some, np.outer(axis, axis), np.eye(3))


def case(seed):
    """Figure, targets of which half are in reach, start poses and limits."""
    random = np.random.default_rng(seed)
    # Joint 6 moves no effector.
    parents = [-1, 0, 1, 2, 1, 4, 4]
    offsets = random.normal(size=(7, 3)) + np.array([0.0, 1.0, 0.0])
    motion = Motion.from_quaternions(
        tuple("abcdefg"),
        parents,
        normalized(random.normal(size=(FRAMES, 7, 4))),
        30.0,
        offsets=offsets,
    )
    ends = [Effector(3, (0.3, 0.8, 0.0)), Effector(5, (0.0, 1.0, 0.2))]
    figure = figure_of(motion, ends, [1, 2, 3, 4, 5, 6])
    scales = np.ones((FRAMES, 7, 3))
    scales[:, 3] = [1.0, 2.0, 0.5]
    figure = replace(figure, scales=scales)
    limits = {
        1: RotateBox("zxy", IDENTITY, IDENTITY, np.full(3, -0.9), np.full(3, 0.7)),
        2: HingeJoint(np.array([1.0, 0.0, 0.0]), np.array(IDENTITY), -0.8, 0.9),
        3: UniversalJoint(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])),
        4: SometimesHinge(),
        5: FixedJoint(normalized(random.normal(size=4))),
        6: HingeJoint(np.array([0.0, 1.0, 0.0]), np.array(IDENTITY), 0.1, 0.2),
    }
    pose = normalized(random.normal(size=(FRAMES, 7, 4)))
    goal = pose.copy()
    for joint, limit in limits.items():
        turn = quaternion_from_rotation_vector(random.normal(size=(FRAMES, 3)) * 0.4)
        goal[:, joint] = limit.project(multiply(limit.project(goal[:, joint]), turn))
    targets = figure.points(figure.world(goal))
    targets[1::2] += random.normal(size=(FRAMES // 2, 2, 3)) * 3.0
    return figure, targets, pose, limits


def gap(figure, pose, target):
    """Root mean square distance of the effectors of one frame from their targets."""
    points = figure.points(figure.world(pose[None]))[0]
    return np.sqrt(np.mean([np.sum((a - b) ** 2) for a, b in zip(points, target)]))


def push(figure, target, pose, limits, options):
    """Damped least squares of one frame: pose, distance, steps, rounds."""
    near, distance, damping, steps, rounds = options.tolerance * figure.reach, None, 1e-2, 0, 0
    distance = gap(figure, pose, target)
    groups = stacked_by_kind(figure.joints.tolist(), limits)
    while distance > near and rounds < options.iterations:
        rounds += 1
        world = figure.world(pose[None])
        points = figure.points(world)
        pull = (target - points) / figure.reach
        pull *= min(1.0, 0.25 / max(np.linalg.norm(end) for end in pull[0]))
        jacobian = figure.jacobian(world, points) / figure.reach
        now = pose[None, figure.joints]
        step = damped_step(jacobian, pull, np.array([damping]), now, groups, options.active_set)[0]
        tried = pose.copy()
        for column, joint in enumerate(figure.joints):
            turned = multiply(pose[joint], quaternion_from_rotation_vector(step[column]))
            tried[joint] = limits.get(joint, FreeJoint()).project(turned)
        before, reached = distance, gap(figure, tried, target)
        damping *= 0.3 if reached < before else 4.0
        if reached < before:
            pose, distance, steps = tried, reached, steps + 1
            if before - reached < 1e-3 * before and damping <= 1e-2:
                break
        if damping >= 1e2:
            break
        damping = max(damping, 1e-6)
    return pose, distance, steps, rounds


def naive(figure, targets, pose, limits, options):
    """Each frame for itself, and once more from the middle of the limits where it failed."""
    found, rounds = [], []
    middle = pose[0].copy()
    for frame in range(len(pose)):
        own = figure.take(np.array([frame]))
        tries = []
        for start in (pose[frame], middle):
            start = start.copy()
            for joint, limit in limits.items():
                start[joint] = limit.middle() if tries else limit.project(start[joint])
            start[0] = pose[frame, 0]
            tries.append(push(own, targets[frame], start, limits, options))
            if tries[-1][1] <= options.tolerance * figure.reach:
                break
        found.append((*min(tries, key=lambda one: one[1])[:2], sum(one[2] for one in tries)))
        rounds.append(tries[0][3])
    return *(np.array(part) for part in zip(*found)), np.array(rounds)


def test_searches_take_the_steps_of_frame_by_frame_code():
    figure, targets, pose, limits = case(6)
    options = IkOptions(24, 0.02)
    received = []
    found = solve(figure, targets, pose, limits, options, lambda *now: received.append(now[:2]))
    rotations, residual, steps, rounds = naive(figure, targets, pose, limits, options)
    np.testing.assert_allclose(found.residual, residual, atol=1e-9)
    np.testing.assert_array_equal(found.iterations, steps)
    assert angle_between(found.rotations, rotations).max() < 1e-6
    np.testing.assert_array_equal(found.converged, residual <= 0.02 * figure.reach)
    assert 0 < found.converged.sum() < FRAMES
    row = np.array([1])
    alone = solve(figure.take(row), targets[row], pose[row], limits, options)
    np.testing.assert_allclose(alone.residual, residual[row], atol=1e-9)
    first = [done for done, total in received if total == FRAMES]
    done = [int(np.sum(rounds <= turn)) for turn in range(max(rounds))]
    assert first[: len(done)] == done
    assert first[len(done) :] in ([], [FRAMES])
