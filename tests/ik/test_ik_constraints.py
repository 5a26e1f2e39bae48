"""What limits tell a solver: the nearest allowed rotation, what can turn, and what is blocked."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.geometry.euler import ROTATE_ORDERS, local_from_rotate, quaternion_from_euler
from jointlimits_core.geometry.quaternion import (
    angle_between,
    multiply,
    normalize,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
)
from jointlimits_core.ik import constraints
from jointlimits_core.ik.from_limits import constraints_of, hinge_of
from jointlimits_core.ik.rotate_box import RotateBox, stacked_by_kind
from jointlimits_core.shapes.coupled_limit import CoupledLimit
from jointlimits_core.shapes.fitting import fit_shape
from tests.support.made_motion import clip, rotate, waves

SEEDS = st.integers(0, 2**32 - 1)
KINDS = ("free", "fixed", "hinge", "open hinge", "universal", "box", "locked box", "hull")


def unit(random, *shape):
    values = random.normal(size=(*shape, 3))
    return values / np.linalg.norm(values, axis=-1, keepdims=True)


def turns(random, count):
    return normalize(random.normal(size=(count, 4)))


def made(kind, random):
    """A constraint of a kind, at random."""
    if kind == "free":
        return constraints.JointConstraint()
    if kind == "fixed":
        return constraints.FixedJoint(turns(random, 1)[0])
    if kind in ("hinge", "open hinge"):
        low = random.uniform(-4.0, 2.0)
        ends = (low, low + random.uniform(0.0, 4.0)) if kind == "hinge" else (-np.inf, np.inf)
        return constraints.HingeJoint(unit(random), turns(random, 1)[0], *ends)
    if kind == "universal":
        return constraints.UniversalJoint(unit(random), unit(random))
    if kind == "hull":
        spread = quaternion_from_rotation_vector(random.normal(size=(200, 3)) * [0.6, 0.4, 0.2])
        return constraints.ShapeLimit(fit_shape("hull", multiply(turns(random, 1)[0], spread)))
    low = random.uniform(-1.2, 0.2, 3)
    high = low + random.uniform(0.1, 1.0, 3)
    if kind == "locked box":
        high[int(random.integers(3))] = low[int(random.integers(3))] = 0.3
        locked = int(random.integers(3))
        low, high = np.minimum(low, high), np.maximum(low, high)
        high[locked] = low[locked]
    order = ROTATE_ORDERS[int(random.integers(6))]
    return RotateBox(order, turns(random, 1)[0], turns(random, 1)[0], low, high)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_a_projected_rotation_is_allowed_and_stays(kind, seed):
    random = np.random.default_rng(seed)
    constraint = made(kind, random)
    once = constraint.project(turns(random, 30))
    assert angle_between(once, constraint.project(once)).max() < 1e-6
    middle = constraint.middle()
    assert angle_between(middle, constraint.project(middle)).max() < 1e-6
    flipped = constraint.project(-once)
    assert angle_between(once, flipped).max() < 1e-6


@pytest.mark.parametrize("kind", ["hinge", "open hinge", "universal"])
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_no_allowed_rotation_of_a_type_is_nearer(kind, seed):
    random = np.random.default_rng(seed)
    constraint = made(kind, random)
    asked = turns(random, 20)
    allowed = constraint.project(turns(random, 500))
    if kind == "hinge":
        ends = np.linspace(constraint.low, constraint.high, 500)
        turned = quaternion_from_axis_angle(constraint.axis, ends)
        allowed = multiply(constraint.reference, turned)
    own = angle_between(asked, constraint.project(asked))
    others = angle_between(asked[:, None], allowed[None])
    assert (own <= others.min(axis=1) + 1e-9).all()


@pytest.mark.thorough
@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_a_box_clamps_every_channel_by_itself(seed):
    """Channels inside one turn and away from gimbal lock come back clamped, as in Maya."""
    random = np.random.default_rng(seed)
    order = ROTATE_ORDERS[int(random.integers(6))]
    orient, axis = turns(random, 2)
    low = random.uniform(-0.6, -0.1, 3)
    high = random.uniform(0.1, 0.6, 3)
    box = RotateBox(order, orient, axis, low, high)
    channels = random.uniform(-0.9, 0.9, (40, 3))
    expected = [
        local_from_rotate(
            [min(max(v, a), b) for v, a, b in zip(row, low, high)], orient, axis, order
        )
        for row in channels
    ]
    found = box.project(local_from_rotate(channels, orient, axis, order))
    assert angle_between(found, np.array(expected)).max() < 1e-9


@pytest.mark.parametrize("kind", ["fixed", "hinge", "open hinge", "universal", "locked box"])
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_what_a_type_can_turn_keeps_to_the_type(kind, seed):
    """A small turn in a movable direction needs no correction; one across is taken back."""
    random = np.random.default_rng(seed)
    constraint = made(kind, random)
    here = constraint.project(constraint.middle())[None]
    if kind == "locked box":
        constraint = RotateBox(
            constraint.rotate_order,
            constraint.joint_orient,
            constraint.rotate_axis,
            *np.where(
                constraint.high - constraint.low < 1e-6, [constraint.low] * 2, [[-9.0], [9.0]]
            ),
        )
        here = constraint.project(here)
    movable = constraint.movable(here)[0]
    np.testing.assert_allclose(movable @ movable, movable, atol=1e-9)
    np.testing.assert_allclose(movable, movable.T, atol=1e-12)
    direction = random.normal(size=3)
    for step, moves in ((movable @ direction, True), (direction - movable @ direction, False)):
        tried = multiply(here, quaternion_from_rotation_vector(1e-4 * step))
        kept = angle_between(tried, constraint.project(tried))[0]
        if moves and not kind.startswith("hinge"):
            assert kept < 1e-6
        elif not moves:
            assert kept > 0.5 * 1e-4 * np.linalg.norm(step) - 1e-7


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["hinge", "box", "hull"])
@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_what_is_blocked_is_what_a_small_step_would_leave(kind, seed):
    random = np.random.default_rng(seed)
    constraint = made(kind, random)
    here = constraint.project(turns(random, 60))
    step = random.normal(size=(60, 3))
    step = (constraint.movable(here) @ step[..., None])[..., 0]
    wall = constraint.blocked_direction(here, step)
    length = np.linalg.norm(step, axis=1)
    leaves, probed = (
        angle_between(tried, constraint.project(tried)) > 1e-7 * length
        for tried in (
            multiply(here, quaternion_from_rotation_vector(size[:, None] * step))
            for size in (np.full(60, 1e-5), constraints.PROBE_RAD / np.maximum(length, 1e-12))
        )
    )
    blocked = wall.any(axis=1)
    lengths = np.linalg.norm(wall, axis=1)
    np.testing.assert_allclose(lengths[blocked], 1.0, atol=1e-9)
    assert (np.sum(wall * step, axis=1)[blocked] > 0.0).all()
    # A grazing step may count as either, and a bound within a probe's length counts as reached.
    outward = np.sum(wall * step, axis=1) > 0.05 * length
    assert not (outward & ~leaves & ~probed).any()
    assert (blocked[leaves]).mean() > 0.9 if leaves.any() else True


@pytest.mark.parametrize("kind", KINDS)
def test_stacked_limits_say_what_each_says_alone(kind):
    random = np.random.default_rng(5)
    some = {joint: made(kind, random) for joint in range(4)}
    here = {joint: one.project(turns(random, 7)) for joint, one in some.items()}
    step = random.normal(size=(7, 4, 3))
    groups = stacked_by_kind([0, 1, 2, 3], some)
    covered = sorted(column for group in groups for column in group.columns.tolist())
    assert covered == ([] if kind == "free" else [0, 1, 2, 3])
    for group in groups:
        columns = group.columns.tolist()
        pose = np.stack([here[column] for column in columns], axis=1)
        walls = group.constraint.blocked_direction(pose, step[:, columns])
        free = group.constraint.movable(pose)
        back = group.constraint.project(np.roll(pose, 1, axis=0))
        for place, column in enumerate(columns):
            alone, now = some[column], here[column]
            np.testing.assert_allclose(
                walls[:, place], alone.blocked_direction(now, step[:, column])
            )
            np.testing.assert_allclose(free[:, place], alone.movable(now), atol=1e-12)
            expected = alone.project(np.roll(now, 1, axis=0))
            assert angle_between(back[:, place], expected).max() < 1e-9


# --- forms of an estimated limit set ------------------------------------------------------------


@pytest.fixture(scope="module")
def character():
    """A ball, a universal joint, a hinge and a joint that stays."""
    x, y, z = waves((-40.0, 60.0), (-30.0, 30.0), (-70.0, 20.0))
    return clip(
        {
            "ball": rotate(x, y, z),
            "universal": rotate(x, 0.0, z),
            "hinge": rotate(0.0, x, 0.0),
            "still": rotate(np.full(len(x), 12.0), 0.0, 0.0),
        }
    )


@pytest.mark.parametrize("form", ["types", "box", "coupled"])
def test_every_form_holds_the_motion_it_comes_from(character, form):
    bones = character.skeleton
    shapes = {"ball": fit_shape("hull", character.quaternion("ball"))}
    found = constraints_of(estimate(character), bones, form, shapes)
    assert sorted(found) == [1, 2, 3, 4]
    for joint, constraint in found.items():
        own = character.quaternion(bones.names[joint])
        assert np.degrees(angle_between(own, constraint.project(own))).max() < 0.01
    far = quaternion_from_euler(np.radians([[10.0, 80.0, 0.0]]))
    kept = {joint: one.project(far) for joint, one in found.items()}
    moved = {bones.names[joint]: float(angle_between(far, q)[0]) for joint, q in kept.items()}
    assert moved["still"] > 0.5
    assert moved["hinge"] > 0.1
    assert (moved["ball"] > 0.1) is (form != "types")


def test_a_coupled_limit_of_the_file_is_used_where_none_is_given(character):
    limit_set = estimate(character)
    shape = fit_shape("hull", character.quaternion("ball"))
    data = shape.to_dict()
    coupled = CoupledLimit("hull", data["coordinates"], data["region"], 3.0, 0.1, 240)
    ball = replace(limit_set.joints["ball"], coupled=coupled)
    limit_set = replace(limit_set, joints={**limit_set.joints, "ball": ball})
    found = constraints_of(limit_set, character.skeleton, "coupled")[1]
    assert isinstance(found, constraints.ShapeLimit)
    asked = turns(np.random.default_rng(1), 50)
    assert angle_between(found.project(asked), shape.project(asked)).max() < 1e-9


def test_a_limit_without_an_axis_is_free(character):
    ball = replace(estimate(character).joints["ball"], hinge=None)
    free = hinge_of(ball, True)
    assert type(free) is constraints.JointConstraint
    np.testing.assert_array_equal(free.middle(), [0.0, 0.0, 0.0, 1.0])


def test_no_form_and_no_such_form(character):
    limit_set = estimate(character)
    assert constraints_of(limit_set, character.skeleton, "none") == {}
    with pytest.raises(ValueError, match="form must be one of"):
        constraints_of(limit_set, character.skeleton, "cone")
