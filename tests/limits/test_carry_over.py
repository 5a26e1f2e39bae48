"""Constant links between joints and controls, and limits carried over by them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.geometry import euler, quaternion
from jointlimits_core.geometry.quaternion import IDENTITY
from jointlimits_core.limits.carry_over import (
    EDGE_POINTS,
    CarryOverError,
    LinkedMotion,
    carried_limit,
    limit_in_order,
)
from jointlimits_core.limits.constant_link import ConstantLink, constant_link
from jointlimits_core.limits.limit_set import Orientation
from jointlimits_core.motion.reorient import JointOrientation
from jointlimits_core.shapes.coupled_limit import CoupledLimit
from tests.support.limit_set_examples import CHANNELS, FREE, joint, lock, span

SEEDS = [0, 1, 2, *(pytest.param(one, marks=pytest.mark.thorough) for one in range(3, 12))]
NONE = (0.0, 0.0, 0.0)


def turn(*degrees, order="xyz"):
    return euler.quaternion_from_euler(np.radians(degrees), order)


def random_turns(rng, count):
    return quaternion.normalize(rng.normal(size=(count, 4)))


def about_one_axis(rng, count=40, widest=1.0):
    axis = quaternion.normalize(rng.normal(size=3))
    turned = quaternion.quaternion_from_axis_angle(axis, rng.uniform(-widest, widest, count))
    return quaternion.multiply(random_turns(rng, 1)[0], turned)


def linked(rng, rotations, before, after):
    """The control's rotations, with quaternions of random signs."""
    signs = rng.choice([-1.0, 1.0], len(rotations))[:, None]
    return signs * quaternion.multiply(before, quaternion.multiply(rotations, after))


# Links --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["any", "small", "half turns", "two axes"])
def test_constants_are_recovered_whatever_the_signs(kind, seed):
    rng = np.random.default_rng(seed)
    before, after, rotations = *random_turns(rng, 2), random_turns(rng, 60)
    if kind == "small":
        rotations = quaternion.quaternion_from_rotation_vector(0.02 * rng.normal(size=(60, 3)))
    elif kind == "half turns":
        rotations[:, 3] = 0.0
        rotations = quaternion.normalize(rotations)
    elif kind == "two axes":
        first, second = np.radians(rng.uniform(-60, 60, (2, 60)))
        zero = np.zeros(60)
        rotations = euler.quaternion_from_euler(np.stack([first, zero, second], axis=-1))
    control = linked(rng, rotations, before, after)
    link = constant_link(rotations * rng.choice([-1.0, 1.0], 60)[:, None], control)
    assert link.residual_deg < 1e-10
    assert len(link.known) == 4
    assert np.degrees(quaternion.angle_between(link.before, before)) < 1e-8
    assert np.degrees(quaternion.angle_between(link.after, after)) < 1e-8


@pytest.mark.parametrize("seed", SEEDS)
def test_motion_about_one_axis_leaves_other_directions_unknown(seed):
    rng = np.random.default_rng(seed)
    before, after, rotations = *random_turns(rng, 2), about_one_axis(rng)
    control = linked(rng, rotations, before, after)
    link = constant_link(rotations, control)
    assert link.residual_deg < 1e-10
    assert len(link.known) == 2
    assert link.unknown_deg(rotations) < 1e-6
    further = quaternion.slerp(rotations[0], rotations[1], 3.0)
    expected = quaternion.multiply(before, quaternion.multiply(further, after))
    assert np.degrees(quaternion.angle_between(link.control_of(further), expected)) < 1e-6
    across = quaternion.multiply(rotations[0], random_turns(rng, 1)[0])
    assert link.unknown_deg(across) > 1.0
    # The structure of the rig says the rest.
    known = constant_link(rotations, control, before)
    assert len(known.known) == 4
    assert np.degrees(quaternion.angle_between(known.after, after)) < 1e-8
    # A structure that the motion contradicts does not count.
    wrong = constant_link(rotations, control, random_turns(rng, 1)[0])
    assert len(wrong.known) == 2
    assert wrong.residual_deg < 1e-10


def test_a_still_joint_says_nothing_about_other_poses():
    rng = np.random.default_rng(0)
    pose, before, after = random_turns(rng, 3)
    rotations = np.tile(pose, (5, 1))
    link = constant_link(rotations, linked(rng, rotations, before, after))
    assert link.residual_deg < 1e-10
    assert len(link.known) == 1
    assert link.unknown_deg(turn(0, 0, 40)) > 1.0


def test_poses_half_a_turn_apart_leave_the_signs_open():
    rotations = np.array([turn(0, 0, 0), turn(180, 0, 0)])
    link = constant_link(rotations, rotations)
    assert not len(link.known)


@pytest.mark.parametrize("noise_deg", [0.001, 0.1, 5.0])
def test_the_residual_is_that_of_the_noise(noise_deg):
    rng = np.random.default_rng(1)
    before, after, rotations = *random_turns(rng, 2), random_turns(rng, 200)
    apart = quaternion.quaternion_from_rotation_vector(
        np.radians(noise_deg) * quaternion.normalize(rng.normal(size=(200, 3)))
    )
    control = quaternion.multiply(linked(rng, rotations, before, after), apart)
    link = constant_link(rotations, control)
    assert 0.9 * noise_deg < link.residual_deg < 1.3 * noise_deg
    assert link.is_constant == (noise_deg < 0.005)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_constants_nearby_fit_better(seed):
    """The fit against a plain search: sums of squares of sines of half the angles."""
    rng = np.random.default_rng(seed)
    rotations = random_turns(rng, 30)
    noise = quaternion.quaternion_from_rotation_vector(0.1 * rng.normal(size=(30, 3)))
    control = quaternion.multiply(linked(rng, rotations, *random_turns(rng, 2)), noise)
    link = constant_link(rotations, control)

    def cost(before, after):
        made = quaternion.multiply(before, quaternion.multiply(rotations, after))
        return np.sin(0.5 * quaternion.angle_between(made, control)) ** 2 @ np.ones(30)

    least = cost(link.before, link.after)
    for size in (1e-3, 1e-2, 0.1):
        for _ in range(40):
            steps = quaternion.quaternion_from_rotation_vector(size * rng.normal(size=(2, 3)))
            tried = (
                quaternion.multiply(one, step)
                for one, step in zip((link.before, link.after), steps)
            )
            assert cost(*tried) >= least - 1e-12


# Limits -------------------------------------------------------------------------------------------


def motion_of(limit, before, after, order="xyz", frame=None, seed=0):
    """Poses within the limits, and the control's channels in them."""
    rng = np.random.default_rng(seed)
    frame = frame or JointOrientation(IDENTITY, IDENTITY, limit.orientation.rotate_order)
    ends = [(a.min_deg, a.max_deg) if a.is_limited else (-50, 50) for a in limit.limits.values()]
    low, high = np.radians(ends).T
    poses = rng.uniform(low, high, (80, 3))
    own = frame.joint_orient, frame.rotate_axis, frame.rotate_order
    rotations = euler.local_from_rotate(poses, *own)
    link = ConstantLink(before, after, 0.0, np.eye(4))
    channels = euler.euler_from_quaternion(link.control_of(rotations), order)
    found = constant_link(rotations, euler.quaternion_from_euler(channels, order), before)
    return LinkedMotion(frame, rotations, channels, Orientation(order, NONE, NONE), found)


def ends(limit):
    return np.array([[limit[c].min_deg, limit[c].max_deg] for c in CHANNELS])


BALL = joint("ball", (span(-30, 40), span(-20, 25), span(-50, 60)))


def test_single_channels_keep_their_evidence():
    knee = joint("hinge", (span(0, 140), lock(), lock()))
    turned = carried_limit(knee, motion_of(knee, turn(0, 0, 90), turn(0, 0, -90)), "knee")
    assert turned["rotateY"].min_deg == pytest.approx(0.0, abs=1e-9)
    assert turned["rotateY"].max_deg == pytest.approx(140.0)
    assert turned["rotateY"].source.max.clip == "walk"
    assert turned["rotateY"].source.max.value_deg == pytest.approx(140.0)
    assert {turned[c].state for c in ("rotateX", "rotateZ")} == {"locked"}
    assert turned.findings[0].message == "limits carried over from the hinge joint knee"
    mirrored = carried_limit(knee, motion_of(knee, turn(0, 180, 0), turn(0, 180, 0)), "knee")
    assert mirrored["rotateX"].min_deg == pytest.approx(-140.0)
    assert mirrored["rotateX"].source.min.value_deg == pytest.approx(-140.0)


def test_a_hinge_between_channels_says_its_loss():
    knee = joint("hinge", (span(0, 140), lock(), lock()))
    motion = motion_of(knee, turn(10, 20, 30), turn(5, 6, 7))
    found = carried_limit(knee, motion, "knee")
    assert all(found[channel].state == "limited" for channel in CHANNELS)
    message = found.findings[0].message
    assert "; the box on rotateX, rotateY, rotateZ allows up to" in message
    assert message.endswith("degrees beyond the joint's limits")
    # So it does if the motion alone says how both are linked.
    seen = constant_link(motion.joint, euler.quaternion_from_euler(motion.control))
    alone = carried_limit(knee, replace(motion, link=seen), "knee")
    np.testing.assert_allclose(ends(alone), ends(found), atol=1e-6)
    assert "degrees beyond the joint's limits" in alone.findings[0].message
    # One end of the joint's range maps to one end of a monotonic channel.
    assert found["rotateX"].source.max.clip == "walk"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_box_of_a_ball_is_tight_and_holds_the_whole_region(seed):
    rng = np.random.default_rng(seed)
    before, after = (turn(*rng.uniform(-12, 12, 3)) for _ in range(2))
    order = euler.ROTATE_ORDERS[seed % 6]
    motion = motion_of(BALL, before, after, order, seed=seed)
    found = ends(carried_limit(BALL, motion, "hip"))
    grids = [np.linspace(low, high, 120) for low, high in np.radians(ends(BALL))]
    points = [
        np.stack(np.meshgrid(*[grids[a][[0, -1]] if a == side else grids[a] for a in range(3)]))
        for side in range(3)
    ]
    every = np.concatenate([one.reshape(3, -1).T for one in points])
    turned = motion.link.control_of(euler.quaternion_from_euler(every))
    angles = np.degrees(euler.euler_from_quaternion(turned, order))
    assert (angles >= found[:, 0] - 1e-7).all()
    assert (angles <= found[:, 1] + 1e-7).all()
    assert np.abs(angles.min(axis=0) - found[:, 0]).max() < 0.02
    assert np.abs(angles.max(axis=0) - found[:, 1]).max() < 0.02
    inside = rng.uniform(*np.radians(ends(BALL)).T, (2_000, 3))
    turned = motion.link.control_of(euler.quaternion_from_euler(inside))
    angles = np.degrees(euler.euler_from_quaternion(turned, order))
    assert (angles >= found[:, 0]).all()
    assert (angles <= found[:, 1]).all()
    assert EDGE_POINTS**3 >= 10_000


def test_the_branch_of_the_controls_values_is_kept():
    motion = motion_of(BALL, IDENTITY, IDENTITY)
    other = replace(motion, control=euler.other_euler(motion.control))
    found = ends(carried_limit(BALL, other, "hip"))
    np.testing.assert_allclose(found, [[150, 220], [155, 200], [130, 240]], atol=1e-9)
    whole = replace(motion, control=motion.control + np.array([0, 0, 2 * np.pi]))
    found = ends(carried_limit(BALL, whole, "hip"))
    np.testing.assert_allclose(found[2], [310, 420], atol=1e-9)


def test_a_range_beyond_gimbal_lock_and_a_free_channel_map_one_to_one():
    wide = joint("ball", (span(-30, 40), span(-20, 125), FREE))
    found = carried_limit(wide, motion_of(wide, IDENTITY, IDENTITY), "hip")
    assert (found["rotateY"].min_deg, found["rotateY"].max_deg) == pytest.approx((-20, 125))
    assert found["rotateZ"].state == "free"


def test_coupled_shapes_stay_on_the_joint():
    shape = replace(BALL, coupled=CoupledLimit("hull", {}, {}, 3.0, 0.1, 80))
    found = carried_limit(shape, motion_of(BALL, IDENTITY, IDENTITY), "hip")
    assert found.coupled is None
    assert found.findings[0].message.endswith("; its hull shape stays on the joint")


@pytest.mark.parametrize("case", ["no limits", "one axis", "gimbal"])
def test_what_cannot_be_carried_over_is_refused_by_name(case):
    limit, motion = BALL, motion_of(BALL, IDENTITY, IDENTITY)
    if case == "no limits":
        limit, words = joint("ball", (FREE, FREE, FREE)), "no limits"
    elif case == "one axis":
        still = joint("hinge", (span(-30, 40), lock(), lock()))
        motion = motion_of(still, IDENTITY, IDENTITY)
        link = constant_link(motion.joint, euler.quaternion_from_euler(motion.control))
        motion, words = replace(motion, link=link), "its link to the control is unknown"
    else:
        limit, words = joint("ball", (span(-60, 90), span(-80, 80), span(-90, 90))), "gimbal lock"
        motion = motion_of(limit, turn(20, 2, 3), turn(30, 14, 5), "zyx")
    with pytest.raises(CarryOverError, match=words) as caught:
        carried_limit(limit, motion, "hip")
    assert caught.value.advice


@pytest.mark.parametrize("seed", SEEDS)
def test_a_change_of_the_parents_space_changes_nothing(seed):
    """Another jointOrient, undone by the first constant, leaves the control's limits alone."""
    rng = np.random.default_rng(seed)
    before, after, orient = turn(10, 5, 20), turn(-5, 10, 0), random_turns(rng, 1)[0]
    plain = carried_limit(BALL, motion_of(BALL, before, after), "hip")
    frame = JointOrientation(orient, IDENTITY, "xyz")
    back = quaternion.multiply(before, quaternion.conjugate(orient))
    moved = carried_limit(BALL, motion_of(BALL, back, after, frame=frame), "hip")
    np.testing.assert_allclose(ends(moved), ends(plain), atol=1e-6)


# Rotate orders ------------------------------------------------------------------------------------


def turned_in(order, limit, orient=NONE):
    return replace(limit, orientation=Orientation(order, orient, (0.0, 30.0, 0.0)))


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
def test_a_hinge_has_the_same_range_in_every_order(order):
    knee = turned_in("xyz", joint("hinge", (lock(), span(0, 140), lock())), (10.0, 20.0, 30.0))
    found, loss = limit_in_order(knee, order)
    assert ends(found).tolist() == [[0, 0], [0, 140], [0, 0]]
    assert found["rotateY"].source.max.clip == "walk"
    assert loss < 1e-9


def orders_of(seed):
    """Two rotate orders; 36 seeds have all pairs."""
    return euler.ROTATE_ORDERS[seed % 6], euler.ROTATE_ORDERS[(seed // 6 + seed) % 6]


PAIRS_OF_ORDERS = [
    n if n % 7 in (0, 3) else pytest.param(n, marks=pytest.mark.thorough) for n in range(36)
]


@pytest.mark.parametrize("seed", PAIRS_OF_ORDERS)
def test_limits_in_another_order_hold_the_same_turns_and_little_more(seed):
    """Unless gimbal lock is within them, which is refused."""
    rng = np.random.default_rng(seed)
    order, other = orders_of(seed)
    middle, width = rng.uniform(-25, 25, 3), rng.uniform(0, 45, 3)
    axes = [span(a - w, a + w) for a, w in zip(middle, width)]
    ball = replace(turned_in(order, joint("ball", axes)), preferred_deg=tuple(middle))
    low, high = np.radians(ends(ball)).T
    poses = rng.uniform(low, high, (4_000, 3))
    poses[:2_000] = np.where(rng.random((2_000, 3)) < 0.5, low, poses[:2_000])
    turns = euler.quaternion_from_euler(poses, order)
    expected = np.degrees(euler.euler_near(turns, np.radians(middle), other))
    if np.abs(expected[:, euler.axes_of(other)[1]]).max() > 80.0:
        with pytest.raises(CarryOverError, match="gimbal lock"):
            limit_in_order(ball, other)
        return
    found, loss = limit_in_order(ball, other)
    assert (expected >= ends(found)[:, 0] - 1e-7).all()
    assert (expected <= ends(found)[:, 1] + 1e-7).all()
    # Plain samples come close to the ends, and nothing is lost between equal orders.
    assert (ends(found)[:, 1] - expected.max(axis=0) < 0.12 * np.ptp(expected, axis=0) + 0.5).all()
    assert (loss == 0.0) == (order == other)


def test_free_limits_are_the_same_in_every_order():
    free = turned_in("xyz", joint("ball", (FREE, FREE, FREE)))
    found, loss = limit_in_order(free, "zyx")
    assert (found.limits, found.orientation.rotate_order, loss) == (free.limits, "zyx", 0.0)
    one = turned_in("xyz", joint("ball", (FREE, span(-10, 20), FREE)))
    with pytest.raises(CarryOverError, match="gimbal lock"):
        limit_in_order(one, "yxz")
