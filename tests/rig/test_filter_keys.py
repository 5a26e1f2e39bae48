"""Filtered keys, evaluated by the stand-in's curves, which share no code with the program's."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.geometry.branches import mixes_branches
from jointlimits_core.rig.curves import AnimCurve
from jointlimits_core.rig.filter_keys import plan_key_filter
from tests.support.flipped_keys import (
    CYCLE,
    FPS,
    LINEAR,
    OFFSET,
    STEP,
    Rig,
    curve,
    dense_times,
    is_listed,
    joint,
    pose_changes,
)


def plan_one(keys, **rest):
    return plan_key_filter({"knee": keys}, FPS, **rest)


def filter_knee(keys, **rest):
    """The filtered joint, and its channels."""
    found = plan_one(keys, **rest).joints["knee"]
    channels = list(keys.channels)
    for axis, one in found.curves.items():
        channels[axis] = one.after
    return found, channels


def degrees(channel):
    return np.degrees(channel.values).round(9).tolist()


# Cases


def test_flipped_run_comes_back():
    frames = [1, 2, 3, 4, 5]
    x, y, z = ([10, 20, 210, 220, 50], [1, 2, 177, 176, 5], [3, 4, 185, 186, 7])
    found, channels = filter_knee(joint(curve(frames, x), curve(frames, y), curve(frames, z)))
    assert degrees(channels[0]) == [10, 20, 30, 40, 50]
    assert degrees(channels[1]) == [1, 2, 3, 4, 5]
    assert degrees(channels[2]) == [3, 4, 5, 6, 7]
    assert found.changes.keys == 6
    assert [(one.start, one.end, one.frames) for one in found.changes.changed] == [
        (2, 3, 0),
        (4, 5, 0),
    ]


@pytest.mark.parametrize("order", ["xyz", "yzx", "zxy", "xzy", "yxz", "zyx"])
def test_middle_axis_of_the_rotate_order_is_mirrored(order):
    straight, frames = [10.0, 20.0, 30.0], [1, 2, 3]
    middle = "xyz".index(order[1])
    channels = [curve(frames, [10, 20, 150 if axis == middle else 210]) for axis in range(3)]
    _, after = filter_knee(joint(*channels, order))
    assert [degrees(one) for one in after] == [straight] * 3


def test_wrapped_turn_of_one_channel():
    x = curve([1, 10, 20, 30, 40], [100, 170, -170, -150, 120])
    found, channels = filter_knee(joint(x, 0.1, curve([3, 17], [5, 9])))
    assert degrees(channels[0]) == [100, 170, 190, 210, 120]
    assert list(found.curves) == [0]
    assert [(one.start, one.end, one.frames) for one in found.changes.changed] == [
        (10, 20, 9),
        (30, 40, 9),
    ]
    assert found.changes.changed[0].worst_deg == pytest.approx(180.0, abs=20.0)


def test_keys_go_to_the_turn_and_branch_nearest_to_zero():
    x = curve([1, 2, 3, 4, 20], [5, 10, 370, 375, 365])
    _, channels = filter_knee(joint(x, 0.0, 0.0))
    assert degrees(channels[0]) == [5, 10, 10, 15, 5]
    frames = [1, 2, 3, 20]
    x, y, z = ([10, 200, 210, 220], [1, 178, 177, 176], [3, 184, 185, 186])
    _, channels = filter_knee(joint(curve(frames, x), curve(frames, y), curve(frames, z)))
    assert [degrees(one)[-1] for one in channels] == [40, 4, 6]


def test_plain_motion_and_filtered_keys_stay_as_they_are():
    frames = [1, 5, 9, 12]
    keys = joint(curve(frames, [0, 90, 200, 100]), 0.0, curve(frames, [10, -60, 40, 120]))
    assert plan_one(keys).joints == {}
    x = curve(frames, [10, 370, 20, 15])
    _, channels = filter_knee(joint(x, 0.0, 0.0))
    assert plan_one(joint(*channels)).joints == {}


@pytest.mark.parametrize(
    ("frames", "values"),
    [([0, 60], [0, 10800]), ([0, 30, 60], [0, 360, 360]), ([0, 20, 40, 60], [0, 360, 720, 1080])],
)
def test_spins_are_no_jumps(frames, values):
    assert plan_one(joint(curve(frames, values), 0.0, 0.0)).joints == {}


def test_wheel_that_wraps_goes_on_wrapping():
    frames = list(range(40))
    wrapped = [(50 * frame + 180) % 360 - 180 for frame in frames]
    assert plan_one(joint(curve(frames, wrapped), 0.0, 0.0)).joints == {}


def test_turn_between_steps_changes_nothing():
    x = curve([1, 10, 20, 30], [10, 370, 12, 14], STEP)
    keys = joint(x, 0.3, 0.2)
    found, channels = filter_knee(keys)
    assert degrees(channels[0]) == [10, 10, 12, 14]
    assert found.changes.changed == ()
    assert pose_changes(keys, channels, np.linspace(-1, 2, 500).tolist()) == []


def test_fixed_tangents_of_mirrored_keys_are_mirrored():
    frames = [1, 5, 9, 13]
    plain = {"in_types": [1] * 4, "out_types": [1] * 4}
    slopes = {**plain, "in_x": [0.1] * 4, "in_y": [0.3] * 4, "out_x": [0.1] * 4, "out_y": [0.2] * 4}
    x, z = curve(frames, [0, 0, 180, 180]), curve(frames, [0, 5, 185, 190])
    y = curve(frames, [10, 20, 150, 140], **slopes)
    _, channels = filter_knee(joint(x, y, z))
    after = channels[1]
    assert degrees(after) == [10, 20, 30, 40]
    assert after.tangents.out_y[2] == -0.2
    assert after.out_types.tolist() == [1, LINEAR, 1, 1]
    assert after.tangents.in_y[3] == -0.3
    assert after.in_types.tolist() == [1, 1, LINEAR, 1]


# What cannot be rewritten


def reason(keys):
    plan = plan_one(keys)
    assert plan.joints == {}
    (refused,) = plan.refused
    assert refused.joint == "knee"
    assert "bake" in refused.advice
    return refused.reason


def test_cycle_with_offset_is_refused():
    x = curve([1, 5, 6], [10, 20, 380], post=OFFSET)
    assert reason(joint(x, 0.0, 0.0)) == "rotateX cycles with offset beyond its keys"
    plain = curve([1, 5, 6], [10, 20, 30], post=OFFSET)
    assert plan_one(joint(plain, 0.0, 0.0)).refused == []


def test_branch_that_changes_without_keys_is_refused():
    frames = [1, 2, 3, 4]
    x, z = curve(frames, [10, 20, 210, 220]), curve(frames, [1, 2, 183, 184])
    y = curve([1, 4], [88, 92])
    expected = "its Euler branch changes between frames 2 and 3, and rotateY has no keys there"
    assert reason(joint(x, y, z)) == expected
    assert reason(joint(x, np.pi / 2, z)) == expected


def test_curves_that_repeat_differently_are_refused():
    frames = [1, 2, 3, 4]
    x, z = curve(frames, [10, 20, 210, 220], post=CYCLE), curve(frames, [1, 2, 183, 184])
    y = curve(frames, [3, 4, 175, 174])
    assert reason(joint(x, y, z)) == "its curves repeat differently beyond their keys"


def test_sampled_values_that_mix_branches():
    plain = np.radians([[10.0, 20, 30], [12, 22, 33], [50, 60, 70]])
    assert not mixes_branches(plain, "xyz")
    assert mixes_branches(plain + np.radians([[0.0, 0, 0], [0, 0, 360], [0, 0, 0]]), "xyz")
    flipped = plain.copy()
    flipped[1] = np.radians([192, 158, 213])
    assert mixes_branches(flipped, "xyz")


# Any keys


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.thorough)])
def test_any_keys(count):
    """Poses of joints change in the listed intervals only, and nearly all runs are found."""
    filtered_joints = refused = right = changed = 0
    for seed in range(count):
        rig = Rig(seed)
        plan = plan_one(rig.keys, playback_seconds=(-2.1, 6.1))
        refused += len(plan.refused)
        channels = list(rig.keys.channels)
        for found in plan.joints.values():
            for axis, one in found.curves.items():
                channels[axis] = one.after
            moved = pose_changes(rig.keys, channels, dense_times(rig.keys))
            outside = [time for time in moved if not is_listed(found.changes)(time)]
            assert outside == [], (seed, found.changes)
            keyed = set(rig.keys.times.tolist()) & set(moved)
            assert all(is_listed(found.changes, -1e-6)(time) for time in keyed), seed
            filtered_joints += 1
            changed += len(moved)
        if not plan.refused:
            right += all(
                np.ptp(one.values) <= np.radians(np.ptp(plain)) + 1e-9
                for one, plain in zip(channels, rig.plain)
                if isinstance(one, AnimCurve)
            )
    assert filtered_joints > count / 2 < changed
    assert refused < 0.15 * count
    assert right >= 0.95 * (count - refused)
