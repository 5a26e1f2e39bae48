"""The paper as printed, including its errors, compared with its equations one by one."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from hypothesis import assume, given

from jointlimits_core.estimation.as_printed import (
    GIMBAL_THRESHOLD,
    interval_as_printed,
    is_feasible_as_printed,
    zyz_as_printed,
)
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import quaternion
from jointlimits_core.geometry.euler import quaternion_from_euler
from tests.support import naive_estimation as naive
from tests.support.made_motion import clip, noisy, rotate, waves
from tests.support.rotation_strategies import unit_quaternions
from tests.support.shared_data import SHARED, shared_path
from tests.support.unscreened import without_rules


def arm(motion, **options):
    return estimate(motion, EstimateOptions(mode="paper", **options)).joints["arm"]


def degrees(limit):
    return limit.min_deg, limit.max_deg


def positive(q):
    return q * np.where(q[..., 3:] < 0.0, -1.0, 1.0)


# Equations 4 to 7: types --------------------------------------------------------------------------


def test_the_threshold_grows_with_the_number_of_samples():
    """The sums are not divided by N, so the same noise makes a ball of a hinge in a longer clip."""
    swing = rotate(x=np.linspace(0, 120, 100))
    types = []
    for repeats in (1, 10):
        motion = clip({"arm": np.repeat(swing, repeats, axis=0)})
        shaken = noisy(motion.rotations[1], 1.0, np.random.default_rng(1))
        motion.rotations[1] = shaken
        with without_rules("euler-flip"):
            types.append(arm(motion).type)
    assert types == ["hinge", "ball"]


@pytest.mark.parametrize(
    ("curves", "expected"),
    [
        ([(0, 0)] * 3, "fixed"),
        ([(0, 90), (0, 0), (0, 0)], "hinge"),
        ([(0, 90), (-40, 40), (0, 0)], "ball"),
        ([(0, 90), (-40, 40), (-60, 60)], "ball"),
    ],
)
def test_dimensions_are_types(curves, expected):
    joint = arm(clip({"arm": rotate(*waves(*curves, frames=100))}))
    assert joint.type == expected
    assert list(joint.limits) == (["theta"] if expected == "hinge" else ["phi", "psi", "theta"])
    assert joint.hinge is joint.universal is None


def test_an_offset_makes_a_hinge_look_like_more():
    """The vector parts are on an ellipse instead of a line."""
    offset = quaternion_from_euler([np.radians(90.0), 0, 0])
    motion = clip(
        {"arm": rotate(y=np.linspace(-100, 100, 100))},
        joint_orients=np.stack([quaternion.IDENTITY, offset]),
    )
    assert arm(motion).type == "ball"
    assert estimate(motion).joints["arm"].type == "hinge"


# Equations 11 and 12: the angle of a hinge --------------------------------------------------------


def test_from_minus_20_to_100_degrees_becomes_80_to_180():
    x = np.linspace(-20, 100, 101)
    joint = arm(clip({"arm": rotate(x=x)}))
    low, high = degrees(joint.limits["theta"])
    q = positive(quaternion_from_euler(np.radians(rotate(x=x))))
    expected = [np.degrees(naive.angle_of_equation_12(one)) for one in q.tolist()]
    assert (low, high) == pytest.approx((min(expected), max(expected)))
    assert (low, high) == pytest.approx((80.0, 179.6), abs=0.05)
    standard = estimate(clip({"arm": rotate(x=x)})).joints["arm"].limits["rotateX"]
    assert degrees(standard) == pytest.approx((-20, 100))


def test_folded_angles_that_meet_are_repeats():
    """-20..100 in steps that are the same on both sides of zero: equation 16 sees a full turn."""
    low, high = degrees(arm(clip({"arm": rotate(x=np.arange(-20.0, 101.0, 10.0))})).limits["theta"])
    assert high - low == pytest.approx(360)


# Equations 16 to 19: the interval -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((10, 20, 20, 35, 50), (20, 380)),
        ((12, 12, 12), (12, 372)),
        ((12,), (12, 372)),
        ((10, 20, 35, 50), (10, 50)),
        ((-170, 170, 175), (170, 190)),
        ((0, 120, 240.5), (240.5, 480)),
    ],
)
def test_intervals_as_printed(values, expected):
    assert np.degrees(interval_as_printed(np.radians(values))) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("angle", "feasible"),
    [(0, True), (60, True), (-20, False), (-19, True), (370, False), (61, False)],
)
def test_the_strict_test_of_the_bind_pose(angle, feasible):
    value, low, high = np.radians([angle, -20, 60]).tolist()
    assert is_feasible_as_printed(value, low, high)[0] is feasible


# Appendix: ZYZ ------------------------------------------------------------------------------------


@pytest.mark.thorough
@given(unit_quaternions())
def test_zyz_as_the_appendix(q):
    found = zyz_as_printed(q)
    # Where the polar angle is near its ends both arc cosines have lost their digits.
    assume(abs(found[1]) < GIMBAL_THRESHOLD / 2 or 2 * GIMBAL_THRESHOLD < found[1] < np.pi - 1e-3)
    expected = np.array(naive.zyz_of_the_appendix(q.tolist(), GIMBAL_THRESHOLD))
    off = np.mod(found - expected + np.pi, 2 * np.pi) - np.pi
    np.testing.assert_allclose(off, 0.0, atol=1e-6)
    # Equation 36 gives up to two turns.
    assert -2 * np.pi <= found[2] <= 2 * np.pi


def quaternion_from_zyz(angles):
    """``Rz(phi) Ry(psi) Rz(theta)``, equation 25 of the paper."""
    angles = np.asarray(angles)
    turns = (
        quaternion.quaternion_from_axis_angle(axis, angles[..., n])
        for n, axis in enumerate(np.eye(3)[[2, 1, 2]])
    )
    return reduce(quaternion.multiply, turns)


def test_near_the_bind_pose_a_real_turn_is_thrown_away():
    q = quaternion_from_zyz([0.3, 0.9e-3, 0.5])
    found = zyz_as_printed(q)
    assert tuple(found[1:]) == (0.0, 0.0)
    assert found[0] == pytest.approx(0.8)
    lost = quaternion.angle_between(quaternion_from_zyz(found), q)
    assert lost == pytest.approx(0.9e-3, rel=1e-3)


def test_the_pole_is_the_bind_pose():
    """A wobble of 10 degrees about the pole fills the circles of two of the three angles."""
    wobble = clip({"arm": rotate(*waves((-10, 10), (-10, 10), (-10, 10), frames=400))})
    joint = arm(wobble)
    assert joint.type == "ball"
    widths = {name: limit.max_deg - limit.min_deg for name, limit in joint.limits.items()}
    assert widths["phi"] > 300
    assert widths["theta"] > 300
    standard = estimate(wobble).joints["arm"].limits
    assert all(limit.max_deg - limit.min_deg < 21 for limit in standard.values())


# Section 2.4: the bind pose -----------------------------------------------------------------------


def test_remedies_are_not_checked():
    """About -100, 0 and 100 degrees: the mean is at 180, which counts as feasible."""
    z = np.concatenate([np.linspace(-100, -97, 20), [0.3], np.linspace(97, 100, 20)])
    y = np.linspace(20, 80, 41)[np.random.default_rng(1).permutation(41)]
    joint = arm(clip({"arm": rotate(y=y, z=z)}), leave_out=())
    assert joint.type == "ball"
    assert degrees(joint.limits["phi"]) == pytest.approx((-100, 100))
    mean = joint.remedies["circular-mean"]
    assert abs(mean.rotate_deg[0]) > 175
    assert mean.feasible


def test_the_mean_angle_of_a_hinge():
    x = np.linspace(20, 100, 61)
    joint = arm(clip({"arm": rotate(x=x)}))
    q = positive(quaternion_from_euler(np.radians(rotate(x=x))))
    theta = np.array([naive.angle_of_equation_12(one) for one in q.tolist()])
    mean = np.degrees(np.arctan2(np.sin(theta).mean(), np.cos(theta).mean()))
    assert joint.remedies["circular-mean"].rotate_deg == pytest.approx((0, 0, mean))
    low, high = degrees(joint.limits["theta"])
    assert joint.remedies["middle"].rotate_deg == pytest.approx((0, 0, 0.5 * (low + high)))
    # The bind pose is no turn at all: printed as 180 degrees, outside 80 to 160.
    assert not joint.rest.feasible
    assert joint.rest.rotate_deg == pytest.approx((0, 0, 180))
    assert joint.rest.outside_deg == pytest.approx(20)


# As a whole ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_real_clip_and_its_json():
    path = shared_path("data/mocap/cmu_asfamc/02/02_01.amc")
    motion = read_motion(path, read_asf(SHARED / "data/mocap/cmu_asfamc/02/02.asf"))
    found = estimate(motion, EstimateOptions(mode="paper", samples=100))
    assert found.mode == "paper"
    assert {joint.type for joint in found.joints.values()} <= {"fixed", "hinge", "ball"}
    assert type(found).from_json(found.to_json()) == found
