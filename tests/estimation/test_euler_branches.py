"""The same rotations give the same limits, regardless of the Euler branches of their keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, summarize
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry import euler
from jointlimits_core.geometry.branches import one_branch
from jointlimits_core.limits.review_entries import review
from jointlimits_core.limits.vocabulary import grade_marks, mark_name
from tests.support.made_motion import clip, rotate, there_and_back, waves
from tests.support.other_branches import KINDS, keyed_otherwise, rewritten
from tests.support.shared_data import shared_path

SEEDS, ORDERS = st.integers(0, 2**32 - 1), st.sampled_from(euler.ROTATE_ORDERS)
ANY_KIND = st.sampled_from(KINDS)
ABOUT_KEYS = ("euler-flip", "clamped-source")


def assert_same(one, other):
    """Equal limits within a millionth of a degree, and equal findings except those about keys."""
    for name, a in one.joints.items():
        b = other.joints[name]
        assert (a.type, a.evidence.sure, grade_marks(a)) == (
            b.type,
            b.evidence.sure,
            grade_marks(b),
        )
        for channel, x in a.limits.items():
            y = b.limits[channel]
            assert x.state == y.state, (name, channel)
            if x.state == "free":
                continue
            assert (x.min_deg, x.max_deg) == pytest.approx((y.min_deg, y.max_deg), abs=1e-6)
            for p, q in zip(x.source.known, y.source.known):
                assert p.band_deg == pytest.approx(q.band_deg, abs=1e-5)
                assert (p.clip, p.frame, p.visits, p.stop) == (q.clip, q.frame, q.visits, q.stop)
        ours, theirs = (
            [item.message for item in joint.findings if item.rule not in ABOUT_KEYS]
            for joint in (a, b)
        )
        assert ours == theirs
    assert [e.text for e in review(one).entries] == [e.text for e in review(other).entries]


def made_curve(rng, frames, kinds=3):
    """A smooth curve, a random walk or random poses, (3, frames)."""
    t, kind = np.linspace(0.0, 2.0 * np.pi, frames), rng.integers(kinds)
    if kind == 0:
        sizes, paces = rng.uniform(0.0, 120.0, (3, 1)), rng.integers(1, 4, (3, 1))
        curve = rng.uniform(-200.0, 200.0, (3, 1)) + sizes * np.sin(
            paces * t + rng.uniform(0.0, 6.0, (3, 1))
        )
    elif kind == 1:
        curve = np.cumsum(rng.normal(0.0, rng.uniform(1.0, 15.0), (3, frames)), axis=1)
    else:
        # Many are equally near to each other.
        grid = (15.0, 22.5, 45.0, 90.0)[rng.integers(4)]
        curve = grid * rng.integers(-360 // grid, 360 // grid, (3, frames))
    return np.radians(curve)


@pytest.mark.thorough
@given(SEEDS, ORDERS, ANY_KIND, st.integers(1, 60))
def test_one_branch_does_not_depend_on_the_keys(seed, order, kind, frames):
    rng, middle = np.random.default_rng(seed), euler.axes_of(order)[1]
    curve = made_curve(rng, frames)
    other = rewritten(curve, order, kind, rng)
    found, again = (one_branch(keys, order).apply(keys, middle) for keys in (curve, other))
    np.testing.assert_allclose(found, again, atol=1e-11)
    turns = [euler.quaternion_from_euler(angles.T, order) for angles in (found, curve)]
    np.testing.assert_allclose(np.abs((turns[0] * turns[1]).sum(axis=1)), 1.0, atol=1e-12)
    assert (np.abs(0.5 * (found.min(axis=1) + found.max(axis=1))) <= np.pi + 1e-6).all()


@pytest.mark.thorough
@given(SEEDS, ORDERS, ANY_KIND)
def test_limits_of_clips_do_not_depend_on_the_keys(seed, order, kind):
    rng = np.random.default_rng(seed)
    clips = [
        clip({"arm": np.degrees(made_curve(rng, 90, kinds=2)).T}, orders=order, name=f"{n}")
        for n in range(int(rng.integers(1, 4)))
    ]
    others = [keyed_otherwise(one, 1, kind, rng) for one in clips]
    options = EstimateOptions(leave_out=())
    assert_same(estimate(clips, options), estimate(others, options))


CLIPS = [
    *(f"cmu_bvh/{n}.bvh" for n in ("10_03", "11_01", "131_01")),
    *(f"other_bvh/{n}.bvh" for n in ("test_freebvh", "test_mocapbank", "walk01")),
    "bandai/dataset-1_bye_normal_001.bvh",
    "cmu_asfamc/03/03_02.amc",
]


@pytest.mark.parametrize(
    "path", [CLIPS[0], *(pytest.param(path, marks=pytest.mark.thorough) for path in CLIPS[1:])]
)
def test_limits_of_recordings_do_not_depend_on_the_keys(path):
    motion = read_motion(shared_path(f"data/mocap/{path}"))
    motion = motion.keep_frames(range(min(motion.frame_count, 400)))
    found, rng = estimate(motion), np.random.default_rng(len(path))
    moving = np.flatnonzero(np.ptp(motion.rotates, axis=2).max(axis=1) > 0.01)
    for kind, row in zip(KINDS, rng.choice(moving, 3, replace=False)):
        other = keyed_otherwise(motion, row, kind, rng)
        again = estimate(other)
        assert_same(found, again)
        # Its own clip is inside, whichever branch either of them is on.
        for limits, one in ((found, other), (again, motion)):
            assert violations(limits, one).worst_deg <= 1e-6


@pytest.mark.thorough
def test_the_clip_of_the_report():
    folder = "data/reports/euler-branches"
    a, b, other = (
        read_motion(shared_path(f"{folder}/{name}.bvh")) for name in ("a", "b", "b_other_branch")
    )
    assert_same(estimate([a, b]), estimate([a, replace(other, name="b", source=b.source)]))


def test_takes_on_different_branches_have_the_ranges_of_one():
    curves = waves((-20, 30), (-10, 15), (60, 120))
    keys = rotate(*curves)
    other = np.degrees(euler.other_euler(np.radians(keys), "xyz"))
    clips = [clip({"arm": one}, name=f"{n}") for n, one in enumerate((keys, other, keys + 360.0))]
    one, all_of_them = (estimate(some).joints["arm"].limits for some in (clips[:1], clips))
    for channel, limit in one.items():
        same = all_of_them[channel]
        assert (same.min_deg, same.max_deg) == pytest.approx((limit.min_deg, limit.max_deg))
        assert same.source.max.clips == 3


def test_the_stretch_on_another_branch_is_named():
    keys = rotate(*waves((-20, 30), (-10, 15), (60, 120)))
    keys[100:120] += (0.0, 0.0, 360.0)
    joint = estimate(clip({"arm": keys})).joints["arm"]
    (finding,) = (item for item in joint.findings if item.rule == "euler-flip")
    assert finding.frame_ranges == ((100.0, 119.0),)


def test_a_hinge_beyond_a_half_turn_and_one_through_the_gimbal_stay_whole():
    wide = clip(
        {"arm": rotate(x=there_and_back(-100, 170)), "leg": rotate(y=there_and_back(0, 150))}
    )
    joints = estimate(wide).joints
    arm, leg = joints["arm"].limits["rotateX"], joints["leg"].limits["rotateY"]
    assert (arm.min_deg, arm.max_deg) == pytest.approx((-100, 170))
    assert (leg.min_deg, leg.max_deg) == pytest.approx((0, 150))
    assert joints["leg"].limits["rotateX"].width_deg == pytest.approx(0.0, abs=1e-9)


def test_summaries_of_clips_on_other_branches_merge_to_the_same_limits():
    keys = rotate(*waves((-20, 30), (-10, 15), (60, 120), frames=700))
    clips = [
        clip(
            {"arm": np.degrees(euler.other_euler(np.radians(keys), "xyz")) if n % 2 else keys},
            name=str(n),
        )
        for n in range(3)
    ]
    together, one_by_one = summarize(clips), [summarize([one]) for one in clips]
    again = summarize([], known=one_by_one[::-1])
    for a, b in zip(together.clips, again.clips):
        assert a.content == b.content


def test_sides_are_compared_as_rotations():
    """Two arms with equal motion, whose two sets of angles are equally near to zero."""
    x, y, z = waves((-10, 10), (-8, 8), (-12, 12))
    places = [[0, 0, 0], [0, 1, 0], [2, 1, 0], [-2, 1, 0]]
    channels = {
        "Spine": rotate(y=waves((-5, 5))[0]),
        "LeftArm": rotate(160 + x, 70 + y, 38 + z),
        "RightArm": rotate(164 + x, -70 - y, -40 - z),
    }
    found = estimate(clip(channels, offsets=places))
    left, right = (found.joints[f"{side}Arm"].limits["rotateY"] for side in ("Left", "Right"))
    assert left.max_deg < 90.0 < abs(right.min_deg)
    (pair,) = found.symmetry.pairs
    assert pair.asymmetry_deg < 5.0
    rules = {item.rule for joint in found.joints.values() for item in joint.findings}
    assert "asymmetry" not in rules


# Whole turns --------------------------------------------------------------------------------------


def knee(keys, order="xyz", channel=0, beside=None):
    curves = np.zeros((len(keys), 3))
    curves[:, channel] = keys
    if beside is not None:
        curves[:, (channel + 1) % 3] = beside
    return estimate(
        clip(
            {"knee": curves, "foot": rotate(x=waves((-20, 20), frames=len(keys))[0])}, orders=order
        )
    ).joints["knee"]


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["xyz", "zxy"])
@pytest.mark.parametrize("channel", [0, 1, 2])
@pytest.mark.parametrize("step", [360.0, 720.0, -360.0, 180.0, 200.0, 3600.0, 347.0])
def test_a_channel_that_turns_between_frames_is_free(step, channel, order):
    joint = knee(step * np.arange(40.0), order, channel)
    turning = f"rotate{'XYZ'[channel]}"
    assert joint.limits[turning].state == "free"
    assert all(limit.state == "locked" for name, limit in joint.limits.items() if name != turning)
    assert joint.type == "hinge"
    assert [mark_name(mark) for mark in grade_marks(joint)] == ["turns all the way"]
    assert not {"never-moves", "euler-flip"} & {item.rule for item in joint.findings}


def test_two_frames_ten_turns_apart():
    joint = knee(np.array([0.0, 3600.0]))
    assert (joint.type, joint.limits["rotateX"].state) == ("hinge", "free")
    # As a turn that ends and is held.
    held = np.concatenate([[0.0], np.full(30, 3600.0)])
    assert knee(held).limits["rotateX"].state == "free"


def test_a_steered_wheel_is_free_on_one_channel():
    steering = waves((-30, 30), frames=60)[0]
    joint = knee(360.0 * np.arange(60.0), channel=0, beside=steering)
    assert joint.type == "universal"
    assert joint.limits["rotateX"].state == "free"
    side = joint.limits["rotateY"]
    assert (side.min_deg, side.max_deg) == pytest.approx((steering.min(), steering.max()))
    assert joint.limits["rotateZ"].width_deg == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("frames", [[30], [30, 45], [20, 21, 50]])
def test_numbers_that_an_exporter_wrapped_are_no_turns(frames):
    keys = there_and_back(150, 178, 60)
    for number, frame in enumerate(frames):
        keys[frame:] += 360.0 if number % 2 else -360.0
    limit = knee(keys).limits["rotateX"]
    assert limit.state == "limited"
    assert (limit.min_deg, limit.max_deg) == pytest.approx((150, 178))


def test_a_glitch_of_many_turns_is_no_wheel():
    keys = there_and_back(0, 60, 60)
    keys[30] += 3600.0
    limit = knee(keys).limits["rotateX"]
    assert (limit.min_deg, limit.max_deg) == pytest.approx((0, 60))


@pytest.mark.parametrize("path", ["9-whole-turns-per-frame/wheel360.ma", "unseen/six_axis_arm.bvh"])
def test_the_wheels_of_the_report(path):
    found = estimate(read_motion(shared_path(f"data/reports/{path}"))).joints
    free = [joint for name, joint in found.items() if joint.limits["rotateX"].state == "free"]
    turning = [joint for joint in free if any(f.rule == "unlimited" for f in joint.findings)]
    assert turning
    for joint in turning:
        assert [mark_name(mark) for mark in grade_marks(joint)] == ["turns all the way"]
