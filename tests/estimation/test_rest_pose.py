"""Rest poses inside and outside the limits, and their remedies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.estimation.rest_pose import checked_poses
from jointlimits_core.geometry import euler
from jointlimits_core.geometry.quaternion import IDENTITY, angle_between
from jointlimits_core.limits.limit_set import RestPose, preferred_pose
from tests.support.made_motion import clip, rotate, there_and_back, waves


def arm(motion, **options):
    return estimate(motion, EstimateOptions(**options)).joints["arm"]


def resting(degrees, order="xyz"):
    """Rest rotations of root and arm."""
    turn = euler.quaternion_from_euler(np.radians(degrees), order)
    return {"rest_rotations": np.stack([IDENTITY, turn])}


def with_rest(degrees, x=(-20.0, 60.0), **fields):
    return clip({"arm": rotate(x=there_and_back(*x))}, **resting(degrees), **fields)


@pytest.mark.parametrize(
    ("rest", "feasible", "placed", "outside"),
    [
        (0, True, 0, 0),
        (-20, True, -20, 0),  # strictly as printed: infeasible
        (370, True, 10, 0),
        (60, True, 60, 0),
        (60.05, True, 60.05, 0),  # within the tolerance
        (61, False, 61, 1),
        (-25, False, -25, 5),
        (180, False, 180, 120),
        (215, False, -145, 125),
    ],
)
def test_a_rest_pose_and_the_range(rest, feasible, placed, outside):
    joint = arm(with_rest([rest, 0, 0]))
    assert joint.rest.feasible is feasible
    assert joint.rest.rotate_deg == pytest.approx((placed, 0, 0), abs=1e-9)
    assert joint.rest.outside_deg == pytest.approx(outside, abs=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
@pytest.mark.parametrize("turns", [(0, 0, 0), (1, 0, -1)])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_rest_pose_is_found_on_the_branch_of_the_keys(order, turns, mirrored):
    curves = rotate(*waves((-40, 60), (-30, 20), (-20, 70)))
    if mirrored:
        curves = np.degrees(euler.other_euler(np.radians(curves), order))
    curves = curves + 360.0 * np.array(turns)
    motion = clip({"arm": curves}, orders=order, **resting([10, -5, 15], order))
    joint = arm(motion, leave_out=())
    assert joint.rest.feasible
    for axis, channel in enumerate(euler.CHANNELS):
        limit = joint.limits[channel]
        assert limit.min_deg <= joint.rest.rotate_deg[axis] <= limit.max_deg
    turn = euler.quaternion_from_euler(np.radians(joint.rest.rotate_deg), order)
    assert angle_between(turn, euler.quaternion_from_euler(np.radians([10, -5, 15]), order)) < 1e-9


@pytest.mark.parametrize("order", euler.ROTATE_ORDERS)
@pytest.mark.parametrize("lock", [90.0, -90.0])
def test_a_rest_pose_exactly_in_gimbal_lock(order, lock):
    """Only the sum of its outer channels is defined, so any division inside the limits is valid."""
    middle = "xyz".index(order[1])
    curves, rest = np.full((60, 3), 30.0), np.full(3, 30.0)
    curves[:, middle] = there_and_back(lock - 25.0, lock + 25.0)
    rest[middle] = lock
    joint = arm(clip({"arm": curves}, orders=order, **resting(rest, order)))
    assert joint.rest.feasible
    assert joint.rest.rotate_deg == pytest.approx(rest, abs=1e-5)


def test_in_the_frame_of_the_joint():
    rng = np.random.default_rng(1)
    orient, axis = (euler.quaternion_from_euler(rng.uniform(-3, 3, (2, 3))) for _ in range(2))
    rest = euler.local_from_rotate(np.radians([10, 20, 30]), orient[1], axis[1], "zyx")
    motion = clip(
        {"arm": rotate(*waves((0, 40), (0, 40), (0, 40)))},
        orders="zyx",
        joint_orients=orient,
        rotate_axes=axis,
        rest_rotations=np.stack([IDENTITY, rest]),
    )
    assert arm(motion).rest.rotate_deg == pytest.approx((10, 20, 30), abs=1e-9)


# Which pose ---------------------------------------------------------------------------------------


def test_rest_poses_that_can_be_asked_for():
    motion = clip(
        {"arm": rotate(x=np.linspace(5, 65, 61))}, frames=np.arange(61) + 100.0, name="lift"
    )
    cases = {
        "bind": ("identity", 0.0),
        "first": ("first frame of lift", 5.0),
        "frame:120": ("frame 120 of lift", 25.0),
        "mean": ("mean of the motion", 35.0),
    }
    for asked, (source, x) in cases.items():
        found = estimate(motion, EstimateOptions(rest=asked))
        assert found.rest_source == source
        assert found.joints["arm"].rest.rotate_deg[0] == pytest.approx(x, abs=0.01)


def test_a_frame_that_took_no_part_will_do():
    x, y, z = (curve + 30 for curve in waves((25, 70), (20, 40), (-10, 15), frames=80))
    curves = rotate(x, y, z)
    curves[0] = 0.0
    names = ("arm", "leg", "tail", "neck")
    motion = clip(dict.fromkeys(names, curves), frames=np.arange(80) + 1.0)
    found = estimate(motion, EstimateOptions(rest="frame:1", samples=20))
    assert [f.rule for f in found.findings if f.left_out] == ["inserted-pose"]
    assert found.joints["arm"].rest.rotate_deg == pytest.approx((0, 0, 0))
    assert not found.joints["arm"].rest.feasible


def test_a_frame_of_the_second_clip():
    one = clip({"arm": rotate(x=there_and_back(0, 30)), "leg": np.zeros(3)}, name="one")
    two = clip(
        {"leg": np.zeros(3), "arm": rotate(x=np.linspace(0, 59, 60))},
        name="two",
        frames=np.arange(60) + 500.0,
    )
    found = estimate([one, two], EstimateOptions(rest="frame:517"))
    assert found.rest_source == "frame 517 of two"
    assert found.joints["arm"].rest.rotate_deg[0] == pytest.approx(17)


def test_frames_that_cannot_be_a_rest_pose():
    curves = rotate(x=there_and_back(0, 30, 20))
    curves[4] = np.nan
    motion = clip({"arm": curves}, name="lift")
    with pytest.raises(EstimationError, match="frame 4 of lift has non-finite values"):
        arm(motion, rest="frame:4")
    with pytest.raises(EstimationError, match=r"no clip has frame 99, .* 0 to 19"):
        arm(motion, rest="frame:99")


# Remedies -----------------------------------------------------------------------------------------


def test_a_rest_pose_outside_and_its_three_remedies():
    joint = arm(with_rest([90, 0, 0]))
    assert list(joint.remedies) == ["nearest-pose", "middle", "circular-mean"]
    assert all(pose.feasible and pose.outside_deg == 0.0 for pose in joint.remedies.values())
    assert joint.remedies["nearest-pose"].rotate_deg == pytest.approx((60, 0, 0))
    assert joint.remedies["middle"].rotate_deg == pytest.approx((20, 0, 0))
    x = np.radians(there_and_back(-20, 60))
    mean = np.degrees(np.arctan2(np.sin(x).mean(), np.cos(x).mean()))
    assert joint.remedies["circular-mean"].rotate_deg == pytest.approx((mean, 0, 0))
    assert joint.preferred_deg == joint.remedies["nearest-pose"].rotate_deg


def test_a_rest_pose_inside_is_preferred():
    joint = arm(with_rest([5, 0, 0]))
    assert joint.preferred_deg == joint.rest.rotate_deg == pytest.approx((5, 0, 0))


def test_the_circular_mean_of_a_wide_range_is_outside():
    x = np.repeat([-100.0, 0.0, 100.0], [5, 1, 5])
    joint = arm(clip({"arm": rotate(x=x)}, **resting([180, 0, 0])), leave_out=())
    limit = joint.limits["rotateX"]
    assert (limit.min_deg, limit.max_deg) == pytest.approx((-100, 100))
    mean = joint.remedies["circular-mean"]
    assert abs(mean.rotate_deg[0]) == pytest.approx(180)
    assert not mean.feasible
    assert mean.outside_deg == pytest.approx(80)
    assert joint.remedies["middle"].rotate_deg == pytest.approx((0, 0, 0), abs=1e-9)
    assert joint.remedies["middle"].feasible


def test_there_is_no_circular_mean_of_a_motion_that_goes_round_evenly():
    joint = arm(clip({"arm": rotate(x=np.arange(0.0, 360.0, 5.0))}))
    assert joint.remedies["circular-mean"] is None
    assert joint.rest.feasible
    opposite = arm(clip({"arm": rotate(x=np.tile([-90.0, 90.0], 20))}))
    assert opposite.remedies["circular-mean"] is None


def test_the_circular_mean_is_on_the_branch_of_the_limits():
    joint = arm(clip({"arm": rotate(x=there_and_back(500, 520))}))
    assert joint.remedies["circular-mean"].rotate_deg[0] == pytest.approx(150, abs=1.0)
    assert joint.remedies["circular-mean"].feasible


def test_the_nearest_pose_is_nearest_as_a_rotation():
    rng = np.random.default_rng(2)
    motion = clip({"arm": rng.uniform(20, 60, (40, 3))}, **resting([-30, 10, 0]))
    joint = arm(motion, leave_out=())
    off = angle_between(motion.quaternion("arm"), motion.skeleton.rest_rotations[1])
    nearest = motion.rotate_deg("arm")[np.argmin(off)]
    assert joint.remedies["nearest-pose"].rotate_deg == pytest.approx(tuple(nearest))
    assert joint.remedies["nearest-pose"].feasible


def test_free_channels_keep_any_pose_on_the_turn_nearest_to_zero():
    low, high = np.array([[np.nan, -10.0, 0.0]]), np.array([[np.nan, 10.0, 0.0]])
    pose = checked_poses(np.array([[777.0, 365.0, 0.0]]), low, high)[0]
    assert pose.rotate_deg == pytest.approx((57, 5, 0))
    assert pose.feasible


@given(
    st.lists(st.floats(-1000, 1000), min_size=3, max_size=3),
    st.floats(-400, 400),
    st.floats(0, 359),
)
def test_placed_poses_differ_by_full_turns(angles, low, width):
    lows, highs = np.full((1, 3), low), np.full((1, 3), low + width)
    pose = checked_poses(np.array([angles]), lows, highs)[0]
    turns = (np.array(pose.rotate_deg) - angles) / 360.0
    np.testing.assert_allclose(turns, np.round(turns), atol=1e-9)
    beyond = np.maximum(low - np.array(pose.rotate_deg), np.array(pose.rotate_deg) - low - width)
    assert pose.feasible == (beyond.max() <= 0.1)
    assert pose.outside_deg == (0.0 if pose.feasible else pytest.approx(beyond.max()))


def test_nothing_feasible_leaves_the_rest_pose():
    out = RestPose((1.0, 2.0, 3.0), False, 9.0)
    assert preferred_pose(out, {"nearest-pose": out, "circular-mean": None}) == (1.0, 2.0, 3.0)
    inside = RestPose((0.0, 0.0, 0.0), True, 0.0)
    assert preferred_pose(out, {"circular-mean": None, "middle": inside}) == (0.0, 0.0, 0.0)


def test_a_rest_pose_off_the_hinge_is_reported():
    swing = rotate(x=there_and_back(0, 90))
    off = arm(clip({"arm": swing}, **resting([0, 8, 0])))
    assert [f.rule for f in off.findings] == ["rest-off-hinge"]
    assert "8.0 degrees" in off.findings[0].message
    on = arm(clip({"arm": swing}, **resting([-40, 0.5, 0])))
    assert on.findings == ()
