"""Inverse kinematics: derivatives, the damped step, what is promised of every solution."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import quaternion
from jointlimits_core.ik.constraints import HingeJoint, ShapeLimit, UniversalJoint
from jointlimits_core.ik.from_limits import constraints_of
from jointlimits_core.ik.jacobian import Effector, damped_step, figure_of
from jointlimits_core.ik.reconstruction import body_figure, reconstruct
from jointlimits_core.ik.rotate_box import RotateBox, stacked_by_kind
from jointlimits_core.ik.solver import IkOptions, solve
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from jointlimits_core.shapes.fitting import chordal_mean, fit_shape
from tests.support.shared_data import shared_path

SEEDS = st.integers(0, 2**32 - 1)
JOINTS = 5


def motion_of(random, frames=4, scale=1.0):
    """A fork: joints 0-1-2-3, and 4 on 1, each a unit or so from its parent."""
    skeleton = Skeleton(
        tuple("abcde"),
        [-1, 0, 1, 2, 1],
        random.normal(size=(JOINTS, 3)) + np.array([0.0, 1.0, 0.0]),
        scales=np.full((JOINTS, 3), scale),
    )
    return Motion.from_quaternions(
        skeleton.names,
        skeleton.parents,
        quaternion.normalize(random.normal(size=(frames, JOINTS, 4))),
        30.0,
        offsets=skeleton.offsets,
    )


def fork(random, frames=4):
    motion = motion_of(random, frames)
    ends = [Effector(3, (0.3, 0.8, 0.0)), Effector(4, (0.0, 1.0, 0.2))]
    return motion, figure_of(motion, ends, [1, 2, 3, 4])


def poses(motion):
    return np.array(np.moveaxis(motion.rotations, 2, 0))


def boxes(random, joints=(1, 2, 3, 4), half=0.5):
    """A constraint of every kind, and boxes for the rest."""
    hull = quaternion.quaternion_from_rotation_vector(random.normal(size=(100, 3)) * half)
    kinds = [
        RotateBox(
            "xyz", quaternion.IDENTITY, quaternion.IDENTITY, np.full(3, -half), np.full(3, half)
        ),
        HingeJoint(np.array([1.0, 0.0, 0.0]), np.array(quaternion.IDENTITY), -half, half),
        ShapeLimit(fit_shape("hull", hull)),
        UniversalJoint(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])),
    ]
    return dict(zip(joints, kinds))


# --- how points move ----------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, scale=st.floats(0.5, 2.0))
def test_the_jacobian_is_what_small_turns_do(seed, scale):
    random = np.random.default_rng(seed)
    motion, figure = fork(random)
    figure = replace(figure, scales=figure.scales * scale)
    pose = poses(motion)
    world = figure.world(pose)
    points = figure.points(world)
    found = figure.jacobian(world, points)
    step = 1e-6
    for column, joint in enumerate(figure.joints.tolist()):
        for axis in range(3):
            places = []
            for sign in (-1.0, 1.0):
                turned = np.array(pose)
                small = quaternion.quaternion_from_rotation_vector(sign * step * np.eye(3)[axis])
                turned[:, joint] = quaternion.multiply(turned[:, joint], small)
                places.append(figure.points(figure.world(turned)))
            slope = (places[1] - places[0]) / (2.0 * step)
            np.testing.assert_allclose(found[:, :, :, column, axis], slope, atol=2e-6)


# --- one step -----------------------------------------------------------------------------------


def test_clamped_joints_leave_the_system_and_the_rest_is_solved_again():
    """Two hinges in a row about Z; the first stands at its bound and is asked to go on."""
    random = np.random.default_rng(5)
    axis = np.array([0.0, 0.0, 1.0])
    limits = {
        0: HingeJoint(axis, np.array(quaternion.IDENTITY), -1.0, 0.0),
        1: HingeJoint(axis, np.array(quaternion.IDENTITY), -1.0, 1.0),
    }
    rotations = np.tile(quaternion.IDENTITY, (1, 2, 1))
    jacobian = random.normal(size=(1, 1, 3, 2, 3))
    jacobian[..., 2] = [[[[2.0, 1.0]], [[0.0, 0.0]], [[0.0, 0.0]]]][0][0][0]
    pull = np.array([[[1.0, 0.0, 0.0]]])
    jacobian[0, 0, 1:, :, 2] = 0.0
    turning = np.array([0, 1])
    groups = stacked_by_kind([0, 1], limits)
    both = damped_step(jacobian, pull, np.array([1e-9]), rotations, turning, groups, 0)
    assert both[0, 0, 2] == pytest.approx(0.4, abs=1e-6)  # the first would take most of it
    found = damped_step(jacobian, pull, np.array([1e-9]), rotations, turning, groups, 3)
    np.testing.assert_allclose(found[0, 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(found[0, 1], [0.0, 0.0, 1.0], atol=1e-6)  # the second does all


# --- solutions ----------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=8, deadline=None)
@given(seed=SEEDS)
def test_solutions_keep_their_limits_and_are_no_further_than_the_start(seed):
    random = np.random.default_rng(seed)
    motion, figure = fork(random)
    limits = boxes(random)
    targets = random.normal(size=(4, 2, 3)) * 3.0
    options = IkOptions(iterations=8)
    found = solve(figure, targets, poses(motion), limits, options)
    start = poses(motion)
    for joint, limit in limits.items():
        own = found.rotations[:, joint]
        assert quaternion.angle_between(own, limit.project(own)).max() < 1e-6
        start[:, joint] = limit.project(start[:, joint])
    before = figure.points(figure.world(start)) - targets
    after = figure.points(figure.world(found.rotations)) - targets
    rms = [np.sqrt((gap**2).sum(axis=2).mean(axis=1)) for gap in (before, after)]
    assert (rms[1] <= rms[0] + 1e-12).all()
    np.testing.assert_allclose(found.residual, rms[1], atol=1e-9)
    np.testing.assert_array_equal(found.converged, rms[1] <= options.tolerance * figure.reach)
    np.testing.assert_array_equal(found.rotations[:, 0], quaternion.normalize(start[:, 0]))


@pytest.mark.thorough
def test_what_can_be_reached_is_reached():
    """Targets come from poses inside the limits."""
    random = np.random.default_rng(11)
    motion, figure = fork(random, 30)
    limits = boxes(random, half=0.8)
    goal = poses(motion)
    for joint, limit in limits.items():
        goal[:, joint] = limit.project(goal[:, joint])
    targets = figure.points(figure.world(goal))
    start = np.tile(quaternion.IDENTITY, (30, JOINTS, 1))
    start[:, 0] = goal[:, 0]
    options = IkOptions(iterations=80, tolerance=5e-3)
    found = solve(figure, targets, start, limits, options)
    free = solve(figure, targets, start, {}, options)
    assert found.converged.mean() >= 0.8
    assert free.converged.all()


def test_targets_out_of_reach_are_reported():
    random = np.random.default_rng(2)
    motion, figure = fork(random)
    targets = np.full((4, 2, 3), 100.0)
    found = solve(figure, targets, poses(motion))
    assert not found.converged.any()
    assert (found.residual > 50.0).all()
    assert np.isfinite(found.rotations).all()


def test_a_straight_limb_at_its_bound_is_bent():
    """Straight along the pull nothing small helps; a second try from the middle does."""
    bones = Skeleton(("root", "hip", "knee"), [-1, 0, 1], [[0, 0, 0], [0, 0, 0], [0, -1, 0]])
    still = np.tile(quaternion.IDENTITY, (1, 3, 1))
    motion = Motion.from_quaternions(bones.names, bones.parents, still, 30.0, offsets=bones.offsets)
    figure = figure_of(motion, [Effector(2, (0.0, -1.0, 0.0))], [1, 2])
    bound = np.radians([90.0, 0.0, 0.0])
    limits = {
        1: RotateBox("xyz", quaternion.IDENTITY, quaternion.IDENTITY, -bound, bound),
        2: HingeJoint(np.array([1.0, 0, 0]), np.array(quaternion.IDENTITY), 0.0, 2.5),
    }
    target = np.array([[[0.0, -1.2, 0.0]]])
    stuck = solve(figure, target, still, limits, IkOptions(restart=False))
    assert not stuck.converged[0]
    assert stuck.residual[0] > 0.1
    bent = solve(figure, target, still, limits)
    assert bent.converged[0]


def test_bad_input_is_named():
    random = np.random.default_rng(7)
    motion, figure = fork(random)
    targets = np.zeros((4, 2, 3))
    with pytest.raises(ValueError, match="targets must be finite"):
        solve(figure, np.where(np.arange(3) == 1, np.nan, targets), poses(motion))
    with pytest.raises(ValueError, match="targets must be finite with shape"):
        solve(figure, targets[:2], poses(motion))
    words = r"effectors .* and joints must be indices below 5, the number of"
    with pytest.raises(ValueError, match=words):
        figure_of(motion, [Effector(9)], [1])
    words = r"effectors \(at least one\) and joints must be indices below 5"
    with pytest.raises(ValueError, match=words):
        figure_of(motion, [], [1])


# --- clips rebuilt from their ends --------------------------------------------------------------


def captured_clip():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    return read_motion(folder / "02_03.amc", skeleton=folder / "02.asf")


@pytest.mark.thorough
def test_a_real_clip_is_rebuilt_better_with_limits():
    clip = captured_clip()
    some = clip.keep_frames(range(0, clip.frame_count, 40))
    figure = body_figure(some)
    assert len(figure.joints) == 22
    assert len(figure.effectors) == 5
    free = reconstruct(some)
    assert free.solution.converged.all()
    limit_set = estimate(clip)
    shapes = {
        name: fit_shape("hull", clip.quaternion(name))
        for name, joint in limit_set.joints.items()
        if joint.type == "ball" and name != "root"
    }
    middle = np.stack([chordal_mean(joint.T) for joint in clip.rotations])
    for form in ("box", "coupled"):
        limits = constraints_of(limit_set, clip.skeleton, form, shapes)
        found = reconstruct(some, limits)
        assert found.solution.converged.all()
        assert found.joint_deg.mean() < 0.6 * free.joint_deg.mean()
        assert found.position.mean() < free.position.mean()
        again = reconstruct(some, limits, middle)
        assert again.joint_deg.mean() < 0.6 * free.joint_deg.mean()


def test_the_captured_pose_itself_is_rebuilt_exactly():
    clip = captured_clip()
    one = clip.keep_frames([50])
    found = reconstruct(one, start=one.rotations[..., 0])
    assert found.joint_deg[0] < 1e-6
    assert found.position[0] < 1e-9
    assert found.solution.iterations[0] == 0


def person(random):
    names = ("hips", "spine", "head", "LeftArm", "LeftForeArm", "LeftHand")
    parents, offsets = [-1, 0, 1, 1, 3, 4], random.normal([0.0, 1.0, 0.0], 1.0, (6, 3))
    turns = quaternion.normalize(random.normal(size=(4, 6, 4)))
    return Motion.from_quaternions(names, parents, turns, 30.0, offsets=offsets)


def test_ends_and_the_top_choose_what_turns():
    motion = person(np.random.default_rng(3))
    whole = body_figure(motion)
    assert {motion.joint_names[effector.joint] for effector in whole.effectors} == {
        "head",
        "LeftHand",
    }
    arm = body_figure(motion, ["LeftHand"], "LeftArm")
    assert [motion.joint_names[joint] for joint in arm.joints] == [
        "LeftArm",
        "LeftForeArm",
        "LeftHand",
    ]
    assert {tip.joint for tip in arm.effectors} == {5}
    with pytest.raises(ValueError, match="joint 'tail' not found"):
        body_figure(motion, ["tail"])
    with pytest.raises(ValueError, match="no turning joint moves any of the ends"):
        body_figure(motion, ["head"], "LeftArm")
    with pytest.raises(ValueError, match="no joint is named like a hand"):
        body_figure(motion_of(np.random.default_rng(1)))
