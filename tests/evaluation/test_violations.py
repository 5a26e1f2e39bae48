"""Where a clip leaves the limits."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import EstimationError, LimitSetError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import ROTATE_ORDERS, other_euler, quaternion_from_euler
from jointlimits_core.limits.limit_set import Orientation
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.name_matching import matched_joints, possible_joints
from tests.support.evaluation_examples import CHANNELS, box, limits, one_sided, without_rotates
from tests.support.limit_set_examples import joint
from tests.support.made_motion import clip, rotate, waves
from tests.support.shared_data import shared_path

KNEE = limits({"knee": box((0.0, 40.0), (0.0, 0.0), (0.0, 0.0), kind="hinge")})


def naive(limit_set, motion, tolerance):
    """(joint, channel, side) to (frames, worst degrees, worst frame), one sample at a time."""
    found = {}
    for name, limit in limit_set.joints.items():
        values = motion.rotate_deg(name)
        for axis, channel in enumerate(CHANNELS):
            bounds = limit.limits[channel]
            for side, bound, sign in (("min", bounds.min_deg, -1), ("max", bounds.max_deg, 1)):
                if bounds.state == "free" or bound is None:
                    continue
                beyond = [sign * (row[axis] - bound) for row in values]
                frames = [frame for frame, off in zip(motion.frames, beyond) if off > tolerance]
                if frames:
                    worst = max(beyond)
                    where = motion.frames[beyond.index(worst)]
                    found[name, channel, side] = (frames, worst, where)
    return found


def as_naive(found):
    result = {}
    for item in found.bounds:
        frames = [
            frame
            for frame in found.frames
            if any(first <= frame <= last for first, last in item.frame_ranges)
        ]
        assert item.frames == len(frames)
        result[item.joint, item.channel, item.side] = (frames, item.worst_deg, item.worst_frame)
    return result


@pytest.mark.thorough
@given(seed=st.integers(0, 10_000), tolerance=st.sampled_from([0.0, 0.1, 3.0]))
def test_the_same_as_one_sample_at_a_time(seed, tolerance):
    rng = np.random.default_rng(seed)
    curves = {name: np.cumsum(rng.normal(0.0, 4.0, (50, 3)), axis=0) for name in "abc"}
    motion = clip(curves)
    joints = {}
    for name in "abc":
        ends = np.sort(rng.uniform(-25.0, 25.0, (3, 2)), axis=1)
        ranges = [None if rng.random() < 0.2 else tuple(pair) for pair in ends]
        joints[name] = box(*ranges)
    limit_set = limits(joints)
    found = violations(limit_set, motion, tolerance, branch="keys")
    expected = naive(limit_set, motion, tolerance)
    reported = as_naive(found)
    assert reported.keys() == expected.keys()
    for key, (frames, worst, where) in expected.items():
        assert reported[key][0] == frames
        assert reported[key][1] == pytest.approx(worst, abs=1e-9)
        assert reported[key][2] == where
    assert [item.worst_deg for item in found.bounds] == sorted(
        (item.worst_deg for item in found.bounds), reverse=True
    )
    frames = {frame for passed, _, _ in expected.values() for frame in passed}
    assert found.frames_outside == len(frames)
    # On small curves no flips can be: the default says the same.
    assert as_naive(violations(limit_set, motion, tolerance)) == reported


def test_what_a_violation_says():
    motion = clip({"knee": rotate(x=[0, 10, 41, 47, 20, 40.05, -2])}, frames=np.arange(7) + 11.0)
    found = violations(KNEE, motion)
    high, low = found.bounds
    assert (high.joint, high.channel, high.side, high.bound_deg) == ("knee", "rotateX", "max", 40)
    assert (high.frames, high.frame_ranges, high.worst_frame) == (2, ((13.0, 14.0),), 14.0)
    assert high.worst_deg == pytest.approx(7.0)
    assert high.worst_value_deg == pytest.approx(47.0)
    assert (low.side, low.frame_ranges) == ("min", ((17.0, 17.0),))
    assert found.joints_outside == ("knee",)
    assert found.frames_outside == 3
    assert found.worst_deg == pytest.approx(7.0)
    # 0.05 degrees are within the tolerance that is the default, and not within none.
    assert violations(KNEE, motion, 0.0).frames_outside == 4
    assert violations(KNEE, motion, 7.1).bounds == ()
    data = found.to_dict()
    assert data["violations"][0]["worst_frame"] == 14.0
    assert data["frames_outside"] == 3


def test_free_channels_and_one_sided_bounds():
    motion = clip({"a": rotate(x=[0, 500, -500], y=[0, 30, -30], z=[0, 9, -30])})
    axes = (one_sided(None, None), one_sided(None, 10.0), one_sided(-10.0, None))
    found = violations(limits({"a": joint("ball", axes)}), motion)
    worst = {(item.channel, item.side): item.worst_deg for item in found.bounds}
    assert worst == pytest.approx({("rotateY", "max"): 20.0, ("rotateZ", "min"): 20.0})
    assert violations(limits({"a": box(None, None, None)}), motion).bounds == ()


# The branch of the keys


def flip_keys(motion, joint_name, chosen, order="xyz", mirror=True, turns=0):
    """The same poses; the keys of some frames on another branch."""
    rotates = motion.rotates.copy()
    row = motion.joint_names.index(joint_name)
    here = rotates[row][:, chosen].T
    moved = other_euler(here, order) if mirror else here
    rotates[row][:, chosen] = (moved + 2 * np.pi * turns).T
    return dataclasses.replace(motion, rotates=rotates)


@pytest.mark.thorough
@pytest.mark.parametrize("order", ROTATE_ORDERS)
@pytest.mark.parametrize(
    ("mirror", "turns", "frames"),
    [(True, 0, (40, 60)), (False, 1, (40, 60)), (True, -1, (40, 60)), (True, 0, (0, 99))],
)
def test_flips_are_told_apart(order, mirror, turns, frames):
    """Maya would clamp other numbers for the same poses, which are inside."""
    x, y, z = waves((-30, 40), (-20, 20), (5, 60), frames=100)
    motion = clip({"hip": rotate(x, y, z)}, orders=order)
    limit_set = limits({"hip": box((-30, 40), (-20, 20), (5, 60), order=order)})
    bad = flip_keys(motion, "hip", np.arange(frames[0], frames[1] + 1), order, mirror, turns)
    assert violations(limit_set, motion, 1e-9).bounds == ()
    for branch in ("main", "circle"):
        found = violations(limit_set, bad, 1e-6, branch)
        assert found.bounds == ()
        (finding,) = found.findings
        assert finding.rule == "other-branch"
        assert finding.joint == "hip"
        assert finding.frame_ranges == (frames,)
    clamped = violations(limit_set, bad, 1e-6, "keys")
    assert clamped.frames_outside == frames[1] - frames[0] + 1
    assert clamped.worst_deg > 90.0
    assert [one.frame_ranges for one in clamped.findings] == [(frames,)]
    # Rotations have no keys, so nothing can be on the wrong branch.
    bare = violations(limit_set, without_rotates(bad), 1e-6)
    assert (bare.bounds, bare.findings) == ((), ())


def test_on_the_branch_of_the_keys_a_joint_bent_too_far_is_no_flip():
    bent = clip({"knee": rotate(x=[0.0, 10.0, 90.0, 20.0])})
    found = violations(KNEE, bent, branch="keys")
    assert found.frames_outside == 1
    assert found.findings == ()


@pytest.mark.parametrize("turns", [-2, 1])
def test_a_clip_that_is_full_turns_away(turns):
    values = np.array([0.0, 10.0, 41.0, 20.0])
    motion = clip({"knee": rotate(x=values + 360.0 * turns)})
    found = violations(KNEE, motion)
    assert found.bounds[0].worst_deg == pytest.approx(1.0)
    assert found.bounds[0].frame_ranges == ((2.0, 2.0),)
    assert found.findings[0].frame_ranges == ((0.0, 1.0), (3.0, 3.0))
    assert violations(KNEE, motion, branch="keys").frames_outside == 4


def test_a_value_far_outside_is_measured_where_it_is_keyed():
    """-150 is 210 too, nearer to the maximum; but by 150 degrees Maya would move it."""
    wide = limits({"knee": box((0.0, 140.0), (0.0, 0.0), (0.0, 0.0), kind="hinge")})
    motion = clip({"knee": rotate(x=[0, 5, 10, -30, -60, -90, -120, -150, -120, -60, -20, 0])})
    found = violations(wide, motion)
    assert [(item.side, round(item.worst_deg)) for item in found.bounds] == [("min", 150)]
    on_circle = violations(wide, motion, branch="circle")
    reported = [(item.side, round(item.worst_deg), item.worst_frame) for item in on_circle.bounds]
    assert reported == [("max", 100, 6.0), ("min", 90, 5.0)]


def test_a_pose_outside_on_the_other_set_of_angles_is_outside_by_its_rotation():
    """Keyed half a turn away, but only 5 degrees outside as a rotation."""
    x, y, z = waves((-30, 45), (-20, 20), (5, 60), frames=50)
    motion = flip_keys(clip({"hip": rotate(x, y, z)}), "hip", np.arange(50))
    limit_set = limits({"hip": box((-30, 40), (-20, 20), (5, 60))})
    (found,) = violations(limit_set, motion).bounds
    assert (found.channel, found.side) == ("rotateX", "max")
    assert found.worst_deg == pytest.approx(5.0, abs=0.1)
    assert violations(limit_set, motion, branch="keys").worst_deg > 150.0


# The frame of the limits


def test_limits_in_another_rotate_order():
    motion = clip({"knee": rotate(x=[0, 10, 50, 20])})
    other = limits({"knee": box((0.0, 40.0), (0.0, 0.0), (0.0, 0.0), order="zyx")})
    found = violations(other, motion)
    assert found.bounds[0].worst_deg == pytest.approx(10.0)
    assert [finding.rule for finding in found.findings] == ["other-frame"]


@given(seed=st.integers(0, 10_000), order=st.sampled_from(ROTATE_ORDERS))
def test_limits_in_another_frame_are_met_by_the_motion_in_that_frame(seed, order):
    """local = JO R RO, so a motion made of R in the limits' frame has R's own angles there."""
    rng = np.random.default_rng(seed)
    orient, axis = rng.uniform(-170.0, 170.0, (2, 3))
    own = np.degrees(np.cumsum(rng.normal(0.0, 0.05, (30, 3)), axis=0))
    x = rotate(*own.T)
    local = clip(
        {"j": x},
        orders={"j": order},
        joint_orients=np.stack([quaternion_from_euler(np.zeros(3)), *_turn(orient)]),
        rotate_axes=np.stack([quaternion_from_euler(np.zeros(3)), *_turn(axis)]),
    ).quaternion("j")
    plain = Motion.from_quaternions(["j"], [-1], local[:, None], 30.0)
    ranges = [tuple(pair) for pair in np.stack([own.min(axis=0), own.max(axis=0) - 1.0], axis=1)]
    limit = joint(
        "ball",
        box(*ranges).limits.values(),
        orientation=Orientation(order, tuple(orient), tuple(axis)),
    )
    found = violations(limits({"j": limit}), plain, 0.5)
    # Every channel's maximum is a degree beyond its bound.
    assert {(item.channel, item.side) for item in found.bounds} == {(c, "max") for c in CHANNELS}
    for item in found.bounds:
        assert item.worst_deg == pytest.approx(1.0, abs=1e-6)


def _turn(degrees):
    return [quaternion_from_euler(np.radians(degrees))]


# Joints by name


def test_a_short_name_that_two_joints_have_is_not_guessed():
    assert matched_joints(["a:arm"], ["b:arm", "c:arm"]) == {}
    assert matched_joints(["a:arm", "b:arm"], ["arm"]) == {}
    assert matched_joints(["a:arm", "b:arm"], ["a:arm", "c:arm"]) == {"a:arm": 0, "b:arm": 1}


def test_of_joints_with_the_same_name_the_longest_common_path_counts():
    ours = ["|rig|hip|knee", "|rig2|hip|knee"]
    assert matched_joints(ours, ["|x|n:rig2|n:hip|n:knee", "|y|rig|hip|knee"]) == {
        "|rig|hip|knee": 1,
        "|rig2|hip|knee": 0,
    }
    assert matched_joints(["knee"], ours) == {}
    assert matched_joints(ours, ["knee"]) == {}
    assert matched_joints(ours[:1], ["|y|knee", "|y|hip|knee"]) == {ours[0]: 1}


def test_joints_that_a_name_may_stand_for():
    there = ["a:arm", "b:arm", "c:arm", "leg"]
    found = matched_joints(["a:arm", "d:arm", "foot"], there)
    assert found == {"a:arm": 0}
    assert possible_joints("d:arm", there, found) == ["b:arm", "c:arm"]
    assert possible_joints("foot", there, found) == []


def test_joints_that_the_motion_does_not_have_are_reported():
    joints = {"hero:knee": KNEE.joints["knee"], "tail": box(None, None, None)}
    found = violations(limits(joints), clip({"knee": rotate(x=[0, 50])}))
    assert found.joints == ("hero:knee",)
    assert found.missing == ("tail",)
    assert found.bounds[0].joint == "hero:knee"


# What cannot be compared


def test_frames_that_are_not_numbers_are_left_out_and_reported():
    motion = clip({"knee": rotate(x=[0, 10, 50, 20])})
    rotations, rotates = motion.rotations.copy(), motion.rotates.copy()
    rotations[:, :, 1] = np.nan
    rotates[:, :, 1] = np.nan
    found = violations(KNEE, dataclasses.replace(motion, rotations=rotations, rotates=rotates))
    assert list(found.frames) == [0.0, 2.0, 3.0]
    assert found.bounds[0].worst_frame == 2.0
    assert found.findings[0].rule == "non-finite"
    rotations[:] = np.nan
    with pytest.raises(EstimationError):
        violations(KNEE, dataclasses.replace(motion, rotations=rotations, rotates=rotates))


def test_arguments_that_make_no_sense():
    motion = clip({"knee": rotate(x=[0, 10])})
    for tolerance in (-0.1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="tolerance"):
            violations(KNEE, motion, tolerance)
    with pytest.raises(ValueError, match="branch"):
        violations(KNEE, motion, branch="elsewhere")


def test_the_papers_angles_are_no_rotate_channels():
    motion = clip({"knee": rotate(*waves((0, 90), (-10, 10), (0, 20)))})
    printed = estimate(motion, EstimateOptions(mode="paper"))
    with pytest.raises(LimitSetError, match="rotate"):
        violations(printed, motion)


# Lossless limits


def inserted_pose_clip():
    x, y, z = waves((20, 60), (30, 50), (40, 80), frames=60)
    curves = np.concatenate([np.zeros((2, 3)), rotate(x, y, z)])
    return clip({"a": curves, "b": curves[:, ::-1]}, name="pose")


def spinning_clip():
    """A channel that goes on and on, too fast to be all the way round."""
    return clip({"a": rotate(x=np.arange(9) * 130.0 + 5.0, y=np.arange(9) * 3.0)}, name="spin")


def far_clip():
    x, y, z = waves((300, 330), (-10, 50), (700, 710), frames=60)
    return clip({"a": rotate(x, y, z), "b": rotate(x=-x)}, name="far")


@pytest.mark.thorough
@pytest.mark.parametrize("pool", [False, True])
@pytest.mark.parametrize("from_source", [False, True])
def test_lossless_limits_have_no_violations_of_their_own(pool, from_source):
    curves = waves((-30, 40), (-60, 60), (100, 250), frames=80)
    near = clip({"a": rotate(*curves), "b": rotate(*curves[::-1])}, name="near")
    bad = flip_keys(near, "a", np.arange(20, 30))
    clips = [near, bad, inserted_pose_clip(), far_clip()]
    if not from_source:
        clips = [without_rotates(motion) for motion in clips]
    for group in [clips] if pool else [[motion] for motion in clips]:
        limit_set = estimate(group)
        for motion in group:
            assert violations(limit_set, motion, 1e-9).bounds == ()


def test_lossless_limits_of_a_spinning_joint():
    limit_set = estimate(spinning_clip())
    assert violations(limit_set, spinning_clip(), 1e-9).bounds == ()


@pytest.mark.thorough
@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    order=st.sampled_from(ROTATE_ORDERS),
    size=st.sampled_from([0.02, 0.2, 1.5]),
    from_source=st.booleans(),
)
def test_lossless_limits_of_random_motion(seed, order, size, from_source):
    rng = np.random.default_rng(seed)
    clips = []
    for name in ("one", "two"):
        curves = {
            joint_name: np.degrees(np.cumsum(rng.normal(0.0, size, (40, 3)), axis=0))
            for joint_name in "ab"
        }
        clips.append(clip(curves, name=name, orders=order, from_source=from_source))
    limit_set = estimate(clips)
    for motion in clips:
        found = violations(limit_set, motion, 1e-9)
        assert found.bounds == (), found.bounds[0]


@pytest.mark.thorough
def test_lossless_limits_of_subject_02():
    folder = shared_path("data/mocap/cmu_asfamc/02")
    clips = [read_motion(path, skeleton=folder / "02.asf") for path in sorted(folder.glob("*.amc"))]
    pooled = estimate(clips)
    for motion in clips:
        assert violations(pooled, motion, 1e-9).bounds == ()
        assert violations(estimate(motion), motion, 1e-9).bounds == ()
    walk, run = clips[:2]
    assert violations(estimate(walk), run).bounds


@pytest.mark.thorough
def test_lossless_limits_of_other_files():
    """BVH from many programs: wrapped channels, flips, gimbal lock, inserted poses."""
    paths = sorted(shared_path("data/mocap").glob("*/*.bvh"))
    assert len(paths) > 10
    for path in paths:
        motion = read_motion(path)
        found = violations(estimate(motion), motion, 1e-9)
        assert found.bounds == (), (path.name, found.bounds[0])
