"""Advice on orientations and rotate orders: the right channels, an exact gain, unchanged poses."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.orient_advice import advise_joints, order_boxes
from jointlimits_core.estimation.orient_search import euler_box, haar_share, off_hinge
from jointlimits_core.estimation.pipeline import estimate, estimate_from_summary, summarize
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.geometry import euler
from jointlimits_core.geometry.quaternion import (
    IDENTITY,
    angle_between,
    multiply,
    normalize,
    quaternion_from_axis_angle,
    quaternion_from_matrix,
    quaternion_from_rotation_vector,
    rotate,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.reorient import (
    JointOrientation,
    OrientAdvice,
    advised_orientation,
    degrees_of,
    reoriented_rotates,
)
from tests.support.naive_rotation import affine, euler_matrix, product, quaternion_matrix, transpose

SEEDS = st.integers(0, 2**32 - 1)
PLAIN = JointOrientation(IDENTITY, IDENTITY, "xyz")


def random_rotation(random):
    return normalize(random.normal(size=4))


def random_axis(random):
    axis = random.normal(size=3)
    return axis / np.linalg.norm(axis)


def hinge_motion(axis_child, at_zero, angles):
    """Rotations (4, samples) about an axis of the joint; `at_zero`: rotation at angle zero."""
    return multiply(at_zero, quaternion_from_axis_angle(axis_child, np.asarray(angles))).T


def advise(rotations, kind, own=PLAIN, *, rest=IDENTITY, axes=None, mode="R", **about):
    """Advice on one joint in its own orientation."""
    known = {"reaches": [about.get("reach")]}
    if "rotates" in about:
        known["rotates"] = about["rotates"][None]
    (advice,) = advise_joints(rotations[None], [kind], [own], np.array([rest]), [axes], **known)
    return advice.in_mode(mode)


def ball_motion(random, samples=250, reach=0.8):
    """A patch of rotations about a random one."""
    vectors = random.uniform(-reach, reach, (samples, 3)) * random.uniform(0.3, 1.0, 3)
    return multiply(random_rotation(random), quaternion_from_rotation_vector(vectors)).T


def local_of(advice, rotates):
    """Local rotations (samples, 4) of a joint that follows the advice."""
    frame = advice.joint_orient, advice.rotate_axis, advice.rotate_order
    return euler.local_from_rotate(rotates.T, *frame)


# The measure of boxes -----------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_share_counts_random_rotations(order):
    random = np.random.default_rng(5)
    low, high = np.array([-1.0, -0.7, -0.2]), np.array([1.5, 1.2, 1.4])
    quaternions = normalize(random.normal(size=(200_000, 4)))
    box = euler_box(quaternions.T, order)
    assert np.all(box.high - box.low > 3.1)
    angles = euler.euler_from_quaternion(quaternions, order)
    inside = np.mean(np.all((angles >= low) & (angles <= high), axis=1))
    assert haar_share(low, high, order) == pytest.approx(inside, rel=0.05)


# Hinges -------------------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(SEEDS, st.sampled_from(euler.ROTATE_ORDERS), st.sampled_from("RC"))
def test_a_hinge_turns_about_one_channel(seed, order, mode):
    random = np.random.default_rng(seed)
    child, rest = random_axis(random), random_rotation(random)
    # Up to 150 degrees either way, zero at the rest pose: the branch cannot be in doubt.
    angles = np.cumsum(random.uniform(-0.3, 0.3, 60))
    angles = np.clip(angles - np.median(angles), -2.6, 2.6)
    rotations = hinge_motion(child, rest, angles)
    orient, axis = random_rotation(random), random_rotation(random)
    sign = random.choice([-1.0, 1.0])
    advice = advise(
        rotations * random.choice([-1.0, 1.0], 60),
        "hinge",
        JointOrientation(orient, axis, order),
        rest=rest,
        axes=(sign * rotate(rest, child), sign * child),
        mode=mode,
    )
    # By chance the axis may be a channel already, and only the order may have to change.
    assert advice.mode in (mode, "K", "order")
    if advice.mode != mode:
        return
    along = rotate(axis, child)
    channel = int(np.argmax(np.abs(along)))
    assert advice.used == (euler.CHANNELS[channel],)
    rotates = reoriented_rotates(rotations, advice)
    wanted = np.zeros((3, 60))
    wanted[channel] = angles * np.sign(along[channel])
    np.testing.assert_allclose(rotates, wanted, atol=1e-7)
    # In mode C the joint's own frame is turned by D: local rotations are the old ones times D.
    shown = local_of(advice, rotates)
    np.testing.assert_allclose(
        angle_between(shown, multiply(rotations.T, advice.frame_turn)), 0.0, atol=1e-12
    )
    if mode == "C":
        assert advice.rotate_axis_deg == (0.0, 0.0, 0.0)
    assert advice.strict_max_deg == pytest.approx(0.0, abs=1e-9)
    assert advice.box_share_after == 0.0
    assert len(advice.locked) == 2


def test_a_hinge_that_is_on_a_channel_keeps_its_frame():
    random = np.random.default_rng(3)
    orient, axis = random_rotation(random), random_rotation(random)
    for off, kept in ((np.radians(2.5), True), (np.radians(8.0), False)):
        tilt = quaternion_from_axis_angle([1.0, 0.0, 0.0], off)
        angles = np.linspace(-1.2, 1.0, 80)
        turns = hinge_motion(rotate(tilt, [0.0, 1.0, 0.0]), IDENTITY, angles)
        rotations = multiply(orient, multiply(turns.T, axis)).T
        child = rotate(np.array([-1, -1, -1, 1]) * axis, rotate(tilt, [0.0, 1.0, 0.0]))
        advice = advise(
            rotations,
            "hinge",
            JointOrientation(orient, axis, "zxy"),
            rest=multiply(orient, axis),
            axes=(rotate(rotations[:, 0], child), child),
        )
        assert (advice.mode == "K") == kept
        assert advice.used == ("rotateY",)
        if kept:
            np.testing.assert_allclose(angle_between(advice.joint_orient, orient), 0.0, atol=1e-12)
            assert advice.text.startswith("orientation kept: it turns about rotateY")


def test_a_wide_hinge_leaves_the_middle_channel():
    child = np.array([0.3, 1.0, -0.2]) / np.linalg.norm([0.3, 1.0, -0.2])
    for reach, order in ((1.0, "xyz"), (2.5, "yzx")):
        rotations = hinge_motion(child, IDENTITY, np.linspace(-0.2, reach, 200))
        advice = advise(rotations, "hinge", axes=(child, child))
        assert (advice.used, advice.rotate_order) == (("rotateY",), order)
        rotates = np.degrees(reoriented_rotates(rotations, advice))
        assert rotates[1].max() == pytest.approx(np.degrees(reach))


def test_a_wide_hinge_on_the_middle_channel_gets_another_order():
    rotates = np.zeros((3, 100))
    rotates[1] = np.linspace(0.0, 2.6, 100)
    rotations = euler.quaternion_from_euler(rotates.T, "xyz").T
    axes = np.eye(3)[1], np.eye(3)[1]
    advice = advise(rotations, "hinge", axes=axes, rotates=rotates)
    assert (advice.mode, advice.rotate_order, advice.used) == ("order", "yzx", ("rotateY",))
    assert advice.gimbal_margin_before_deg < 2.0
    assert advice.gimbal_margin_after_deg == pytest.approx(90.0)
    # On the branch of its keys the joint's own box is a line, off it it is half of everything.
    assert advice.off_axis_max_deg == pytest.approx(0.0, abs=1e-6)
    blind = advise(rotations, "hinge", axes=axes)
    assert blind.off_axis_max_deg > 90.0
    np.testing.assert_allclose(reoriented_rotates(rotations, advice), rotates, atol=1e-9)


def test_what_a_strict_hinge_costs():
    random = np.random.default_rng(1)
    child = random_axis(random)
    exact = hinge_motion(child, IDENTITY, np.linspace(-1.0, 1.0, 250))
    shake = quaternion_from_rotation_vector(np.radians(random.normal(scale=1.5, size=(250, 3))))
    noisy = multiply(exact.T, shake).T
    advice = advise(noisy, "hinge", axes=(child, child), reach=45.0)
    # Angles between where the axis goes and where it should go.
    gone = [np.array(quaternion_matrix(turn)) @ child for turn in noisy.T]
    naive = [np.arctan2(np.linalg.norm(np.cross(to, child)), to @ child) for to in gone]
    assert advice.strict_rms_deg == pytest.approx(np.degrees(np.sqrt(np.mean(np.square(naive)))))
    assert advice.strict_max_deg == pytest.approx(np.degrees(max(naive)))
    assert advice.strict_move == pytest.approx(2 * np.sin(max(naive) / 2) * 45.0)
    assert 1.5 < advice.strict_rms_deg < 2.7  # two of three directions of 1.5 degrees


def test_what_the_own_box_lets_through():
    """A hinge half way between X and Y: the box of its channels allows other rotations."""
    child = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    rotations = hinge_motion(child, IDENTITY, np.linspace(0.0, 1.5, 300))
    advice = advise(rotations, "hinge", axes=(child, child))
    box = euler_box(rotations, "xyz")
    random = np.random.default_rng(0)
    angles = random.uniform(box.low, box.high, (20_000, 3))
    weights = np.cos(angles[:, 1])
    off = off_hinge(euler.quaternion_from_euler(angles, "xyz"), child, child)
    assert advice.off_axis_mean_deg == pytest.approx(
        np.degrees(np.average(off, weights=weights)), 0.05
    )
    assert advice.off_axis_max_deg >= np.degrees(off.max()) - 0.5


# Universal joints ---------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(SEEDS, st.sampled_from(euler.ROTATE_ORDERS), st.sampled_from("RC"))
def test_a_universal_joint_turns_about_two_channels(seed, order, mode):
    random = np.random.default_rng(seed)
    before, between, after = (random_rotation(random) for _ in range(3))
    rotates = np.zeros((80, 3))
    first, _, last = euler.axes_of(order)
    rotates[:, first], rotates[:, last] = (
        random.uniform(0.3, 1.3) * np.sin(np.linspace(0, n, 80)) for n in (7.0, 17.0)
    )
    # The same joint seen in a frame of its own: order `order`, turned before and behind.
    turns = euler.quaternion_from_euler(rotates, order)
    rotations = multiply(before, multiply(turns, after)).T
    parent = rotate(before, np.eye(3)[last])
    child = rotate(np.array([-1, -1, -1, 1]) * after, np.eye(3)[first])
    own_orient, own_axis = multiply(before, between), random_rotation(random)
    advice = advise(
        rotations,
        "universal",
        JointOrientation(own_orient, own_axis, random.choice(euler.ROTATE_ORDERS)),
        rest=multiply(before, after),
        axes=(random.choice([-1, 1]) * parent, random.choice([-1, 1]) * child),
        mode=mode,
    )
    if advice.mode == "K":
        return
    assert advice.mode == mode
    found = reoriented_rotates(rotations, advice)
    locked = [euler.CHANNELS.index(name) for name in advice.locked]
    assert locked == [euler.axes_of(advice.rotate_order)[1]]
    assert np.degrees(np.abs(found[locked]).max()) < 1e-9
    np.testing.assert_allclose(found[:, 0], 0.0, atol=1e-9)  # the rest pose
    shown = local_of(advice, found)
    wanted = multiply(rotations.T, advice.frame_turn)
    np.testing.assert_allclose(angle_between(shown, wanted), 0.0, atol=1e-12)
    ranges = np.sort(np.ptp(found, axis=1))
    np.testing.assert_allclose(ranges[1:], np.sort(np.ptp(rotates, axis=0))[1:], atol=1e-9)


def test_a_universal_joint_on_its_channels_keeps_its_frame():
    angles = np.stack([np.sin(np.linspace(0, 9, 90)), np.zeros(90), np.cos(np.linspace(0, 5, 90))])
    for unused in range(3):
        moved = np.roll(angles, unused - 1, axis=0)
        rotations = euler.quaternion_from_euler(moved.T, "xyz").T
        first, last = (n for n in range(3) if n != unused)
        axes = np.eye(3)[last], np.eye(3)[first]
        advice = advise(rotations, "universal", axes=axes)
        assert advice.mode == "K"
        assert advice.locked == (euler.CHANNELS[unused],)


# Balls --------------------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(euler.ROTATE_ORDERS))
def test_the_order_is_clear_of_gimbal_lock_and_then_small(seed, own):
    random = np.random.default_rng(seed)
    rotations = ball_motion(random, reach=random.uniform(0.3, 1.6))
    orient, axis = random_rotation(random), random_rotation(random)
    frame = JointOrientation(orient, axis, own)
    advice = advise(rotations, "ball", frame)
    boxes = {box.rotate_order: box for box in order_boxes(frame.turns(rotations))}
    chosen = boxes[advice.rotate_order]
    np.testing.assert_allclose(angle_between(advice.joint_orient, orient), 0.0, atol=1e-12)
    np.testing.assert_allclose(angle_between(advice.rotate_axis, axis), 0.0, atol=1e-12)
    clear = [box for box in boxes.values() if box.margin >= np.radians(30)]
    if clear:
        assert chosen.margin >= np.radians(30)
        smallest = min(float(box.share(np.radians(2))) for box in clear)
        assert chosen.share(np.radians(2)) <= smallest / 0.9 + 1e-12
    else:
        most = max(float(box.margin) for box in boxes.values())
        assert chosen.margin >= most - np.radians(1.0)
    assert (advice.mode == "none") == (advice.rotate_order == own)
    assert advice.gimbal_margin_before_deg == pytest.approx(np.degrees(boxes[own].margin))
    assert advice.box_share_after == pytest.approx(float(chosen.share()))
    if advice.mode == "order":
        assert advice.text.startswith(f"rotate order {advice.rotate_order}: box ")
        assert advice.text.endswith("degrees away")


# Many at once, other types, bad input -------------------------------------------------------------


def test_many_joints_at_once_agree_with_one_by_one():
    random = np.random.default_rng(4)
    child = random_axis(random)
    rests = normalize(random.normal(size=(4, 4)))
    rotations = np.stack(
        [
            hinge_motion(child, rests[0], np.linspace(-1, 1, 200)),
            ball_motion(random, 200),
            np.tile(rests[2], (200, 1)).T,
            ball_motion(random, 200, reach=1.4),
        ]
    )
    frames = [
        JointOrientation(random_rotation(random), random_rotation(random), order)
        for order in ("xyz", "zxy", "yxz", "xzy")
    ]
    types = ["hinge", "ball", "fixed", "ball"]
    axes = [(rotate(rests[0], child), child), None, None, None]
    many = advise_joints(rotations, types, frames, rests, axes, reaches=[9.0, None, None, None])
    for row, frame in enumerate(frames):
        one = advise(
            rotations[row],
            types[row],
            frame,
            rest=rests[row],
            axes=axes[row],
            reach=9.0 if row == 0 else None,
        )
        assert many[row] == one
    assert many[2].mode == "none"
    assert not many[2].changes


def test_bad_input():
    still = OrientAdvice("none", "xyz", (0, 0, 0), (0, 0, 0))
    with pytest.raises(ValueError, match="mode must be R or C, not"):
        still.in_mode("K")
    with pytest.raises(ValueError, match="mode must be one of R, C, K, order, none, not 'Q'"):
        OrientAdvice("Q", "xyz", (0, 0, 0), (0, 0, 0))


def test_a_joint_that_does_not_move_at_all():
    one = np.tile(IDENTITY, (1, 1)).T
    for name in ("fixed", "ball"):
        assert advise(one, name).mode == "none"
    axes = np.eye(3)[2], np.eye(3)[2]
    assert advise(one, "hinge", axes=axes).mode == "K"


# Advice as data, and its channels -----------------------------------------------------------------


@given(SEEDS, st.sampled_from(euler.ROTATE_ORDERS))
def test_advice_is_plain_data_and_changes_modes(seed, order):
    random = np.random.default_rng(seed)
    angles = [degrees_of(random_rotation(random)) for _ in range(2)]
    advice = OrientAdvice("R", order, *angles, used=("rotateX",), locked=("rotateY", "rotateZ"))
    assert OrientAdvice.from_dict(json.loads(json.dumps(advice.to_dict()))) == advice
    turned = advice.in_mode("C")
    assert turned.rotate_axis_deg == (0.0, 0.0, 0.0)
    back = turned.in_mode("R")
    np.testing.assert_allclose(angle_between(back.rotate_axis, advice.rotate_axis), 0, atol=1e-12)
    one, other = advised_orientation(advice), advised_orientation(turned)
    np.testing.assert_allclose(angle_between(one.rotate_axis, other.rotate_axis), 0, atol=1e-12)
    kept = OrientAdvice("K", order, *angles)
    assert kept.in_mode("C") is kept


def test_channels_are_continuous_and_near_zero():
    advice = OrientAdvice("R", "xyz", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    spin = np.linspace(-4.0 * np.pi, 4.2 * np.pi, 500)
    rotations = hinge_motion([0.0, 0.0, 1.0], IDENTITY, spin)
    found = reoriented_rotates(rotations, advice)
    assert np.abs(np.diff(found[2])).max() < 0.1
    assert abs(np.median(found[2])) <= np.pi
    np.testing.assert_allclose(found[2] - found[2, 0], spin - spin[0], atol=1e-9)
    # Two clips of the same joint: each is brought near to zero by itself.
    clips = reoriented_rotates(rotations, advice, clip_starts=np.array([0, 400]))
    assert abs(np.median(clips[2, 400:])) <= np.pi
    np.testing.assert_array_equal(clips[:2], 0.0)


# Nothing moves ------------------------------------------------------------------------------------


def tree_world(parents, offsets, frames, rotates):
    """World matrices of one pose of a tree, by products of elementary matrices."""
    world = []
    for joint, parent in enumerate(parents):
        orient, order, axis = frames[joint]
        local = product(
            quaternion_matrix(orient),
            product(euler_matrix(rotates[joint], order), quaternion_matrix(axis)),
        )
        placed = affine(local, offsets[joint])
        world.append(placed if parent < 0 else product(world[parent], placed))
    return np.array(world)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(SEEDS, st.sampled_from("RC"))
def test_world_matrices_of_random_trees(seed, mode):
    """Six joints with random orientations and orders, 60 % hinges and 40 % balls, do not move."""
    random = np.random.default_rng(seed)
    parents = [-1, *(int(random.integers(n)) for n in range(1, 6))]
    offsets = random.normal(scale=10.0, size=(6, 3))
    frames = [
        (random_rotation(random), str(random.choice(euler.ROTATE_ORDERS)), random_rotation(random))
        for _ in range(6)
    ]
    advices, old, new = [], [], []
    for orient, order, axis in frames:
        rest = random_rotation(random)
        hinge = random.random() < 0.6
        child = random_axis(random)
        if hinge:
            rotations = hinge_motion(child, rest, random.uniform(-1.5, 1.5, 12))
        else:
            rotations = ball_motion(random, 12, reach=1.5)
        advice = advise(
            rotations,
            "hinge" if hinge else "ball",
            JointOrientation(orient, axis, order),
            rest=rest,
            axes=(rotate(rest, child), child) if hinge else None,
            mode=mode,
        )
        advices.append(advice)
        own = OrientAdvice("order", order, degrees_of(orient), degrees_of(axis))
        old.append(reoriented_rotates(rotations, own))
        new.append(reoriented_rotates(rotations, advice))
    turns = [quaternion_matrix(advice.frame_turn) for advice in advices]
    new_offsets, new_frames = [], []
    for joint, parent in enumerate(parents):
        advice = advices[joint]
        back = np.eye(3) if parent < 0 else np.array(transpose(turns[parent]))
        new_offsets.append(back @ offsets[joint])
        orient = multiply(quaternion_from_matrix(back), advice.joint_orient)
        new_frames.append((orient, advice.rotate_order, advice.rotate_axis))
    for sample in range(12):
        before = tree_world(parents, offsets, frames, [rotates[:, sample] for rotates in old])
        after = tree_world(
            parents, new_offsets, new_frames, [rotates[:, sample] for rotates in new]
        )
        for joint in range(6):
            turned = before[joint] @ np.array(affine(turns[joint], [0.0, 0.0, 0.0]))
            np.testing.assert_allclose(after[joint], turned, atol=1e-9)


def test_limits_in_advised_frames_hold_every_frame_of_a_long_clip():
    """Limits include frames that a summary drops; for a summary, a finding reports the loss."""
    rng = np.random.default_rng(8)
    steps = rng.normal(size=(4000, 3)) * 0.05
    wander = np.stack([np.convolve(axis, np.hanning(40), "same") for axis in steps.T], axis=1)
    turns = quaternion_from_rotation_vector(np.cumsum(wander, axis=0) * [0.02, 0.02, 0.4])
    still = np.broadcast_to(IDENTITY, turns.shape)
    frames = np.stack([IDENTITY, quaternion_from_rotation_vector([0.4, 0.5, 0.2])])
    motion = Motion.from_quaternions(
        ["root", "arm"], [-1, 0], np.stack([still, turns], 1), 30.0, joint_orients=frames
    )
    options = EstimateOptions(orientation="advised")
    found = estimate(motion, options)
    assert found.joints["arm"].orientation.kind == "advised"
    assert violations(found, motion, 1e-9).bounds == ()
    assert "kept-poses" not in {finding.rule for finding in found.findings}
    thin = estimate_from_summary(summarize([motion]), options)
    assert "kept-poses" in {finding.rule for finding in thin.findings}
    assert thin.joints["arm"].orientation.kind == "advised"


# Limits that mean little --------------------------------------------------------------------------


def elbow(order, bend=120.0, sway=4.0):
    """A joint that bends about Y with a little sway, in a given rotate order."""
    angles = np.linspace(0.0, bend, 200)
    turns = quaternion_from_rotation_vector(
        np.radians(np.stack([sway * np.sin(angles), angles, sway * np.cos(angles)], axis=1))
    )
    still = np.broadcast_to(IDENTITY, turns.shape)
    rotations = np.stack([still, turns], axis=1)
    return Motion.from_quaternions(["arm", "elbow"], [-1, 0], rotations, 30.0, rotate_orders=order)


def useless(motion, **options):
    findings = estimate(motion, EstimateOptions(**options)).joints["elbow"].findings
    return [finding for finding in findings if finding.rule == "order-useless"]


def test_an_elbow_that_bends_past_the_gimbal_lock_of_its_order_is_reported():
    (found,) = useless(elbow("xyz"))
    assert "gimbal lock" in found.message
    assert found.degrees > 120.0
    # Followed, advice leaves nothing to say.
    assert useless(elbow("xyz"), orientation="advised") == []


@pytest.mark.parametrize("order", ["yxz", "yzx", "xzy", "zxy"])
def test_in_an_order_that_starts_or_ends_with_the_axis_nothing_is_reported(order):
    assert useless(elbow(order)) == []


def test_limits_short_of_gimbal_lock_mean_what_they_say():
    assert useless(elbow("xyz", bend=80.0)) == []


@pytest.mark.thorough
def test_boxes_hold_every_sample_and_margins_are_the_nearest():
    random = np.random.default_rng(2)
    rotations = ball_motion(random, reach=1.0)
    for order in euler.ROTATE_ORDERS:
        box = euler_box(rotations, order)
        middle = euler.axes_of(order)[1]
        for quaternion in rotations.T:
            # The middle angle from one element of the matrix: sine of it, up to the sign.
            matrix = np.array(quaternion_matrix(quaternion))
            i, _, k = euler.axes_of(order)
            sine = -matrix[k, i] if order in ("xyz", "yzx", "zxy") else matrix[k, i]
            angle = np.arcsin(np.clip(sine, -1, 1))
            assert box.low[middle] - 1e-9 <= angle <= box.high[middle] + 1e-9
            assert 0.5 * np.pi - abs(angle) >= box.margin - 1e-9
