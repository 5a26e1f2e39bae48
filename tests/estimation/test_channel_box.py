"""Ranges of rotate channels: no measured value is outside, and each limit is a measured value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import CHANNELS, ROTATE_ORDERS, other_euler
from jointlimits_core.motion.screening.rules import screen
from tests.support.made_motion import clip, rotate, there_and_back, waves
from tests.support.naive_estimation import covers
from tests.support.shared_data import shared_path
from tests.support.unscreened import without_rules


def arm_limits(*clips, **options):
    return estimate(list(clips), EstimateOptions(**options)).joints["arm"].limits


def bounds(limit):
    return limit.min_deg, limit.max_deg


# Nothing is lost ----------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from(ROTATE_ORDERS), st.sampled_from([0.0, 3.0]))
def test_every_sample_is_inside_and_each_bound_is_where_it_says(seed, order, pad):
    rng = np.random.default_rng(seed)
    middles = rng.uniform(-300, 300, 3)
    sizes = rng.uniform(1, 80, 3)
    curves = waves(*zip(middles - sizes, middles + sizes), frames=50)
    motion = clip({"arm": rotate(*curves)}, orders=order, frames=np.arange(50) * 0.5 + 3)
    skip = {"leave_out": ()}
    limits = arm_limits(motion, pad_deg=pad, **skip)
    values = np.degrees(screen(motion, **skip).rotates[1].T)
    for axis, channel in enumerate(CHANNELS):
        limit = limits[channel]
        assert limit.state == "limited"
        assert limit.min_deg == pytest.approx(values[:, axis].min() - pad, abs=1e-9)
        assert limit.max_deg == pytest.approx(values[:, axis].max() + pad, abs=1e-9)
        for bound, sign in ((limit.source.min, -1.0), (limit.source.max, 1.0)):
            at = int(np.flatnonzero(motion.frames == bound.frame)[0])
            assert bound.clip == "clip"
            assert bound.value_deg == pytest.approx(values[at, axis], abs=1e-9)
            assert bound.kind == ("padded" if pad else "observed")
            assert bound.clips == 1
            edge = limit.min_deg if sign < 0 else limit.max_deg
            assert edge == pytest.approx(bound.value_deg + sign * pad, abs=1e-9)


# One branch ---------------------------------------------------------------------------------------


def test_the_turn_nearest_to_zero_whatever_the_keys_are_on():
    limits = arm_limits(
        clip({"arm": rotate(x=there_and_back(150, 230), y=there_and_back(-400, -330))})
    )
    assert bounds(limits["rotateX"]) == pytest.approx((-210, -130))
    assert bounds(limits["rotateY"]) == pytest.approx((-40, 30))
    assert limits["rotateX"].gap_deg == pytest.approx(280)


def test_a_clip_a_full_turn_away_is_pooled_on_the_turn_nearest_to_zero():
    long = clip({"arm": rotate(x=there_and_back(-20, 80, 90))}, name="long")
    short = clip({"arm": rotate(x=there_and_back(300, 460, 40))}, name="short")
    for order in ([long, short], [short, long]):
        found = estimate(order).joints["arm"]
        limit = found.limits["rotateX"]
        assert bounds(limit) == pytest.approx((-60, 100))
        assert limit.source.min.clip == "short"
        assert limit.source.max.value_deg == pytest.approx(100)
        assert limit.source.min.clips == 1


@pytest.mark.parametrize(("low", "high"), [(-20, 24), (140, 200)])
def test_the_turn_nearest_to_zero_wherever_most_samples_are(low, high):
    clips = [
        clip({"arm": rotate(x=there_and_back(low + away, high + away, frames))}, name=f"{away}")
        for away, frames in ((0, 30), (360, 10))
    ]
    assert bounds(arm_limits(*clips)["rotateX"]) == pytest.approx((low, high))


def test_how_many_clips_reach_a_bound():
    clips = [
        clip({"arm": rotate(x=there_and_back(low, high))}, name=f"{n}")
        for n, (low, high) in enumerate([(0, 50), (0.4, 20), (-0.5, 49.7), (10, 30)])
    ]
    limit = arm_limits(*clips)["rotateX"]
    assert limit.source.min.clips == 3
    assert limit.source.max.clips == 2
    assert (limit.source.min.clip, limit.source.max.clip) == ("2", "0")


# All the way round --------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [5.0, 40.0, 90.0, 110.0])
@pytest.mark.parametrize("kind", ["keys", "wrapped keys", "rotations"])
def test_a_wheel_is_free(step, kind):
    turns = step * np.arange(100)
    if kind == "wrapped keys":
        turns = (turns + 180.0) % 360.0 - 180.0
    motion = clip({"arm": rotate(x=turns)}, from_source=kind != "rotations")
    found = estimate(motion).joints["arm"]
    assert found.limits["rotateX"].state == "free"
    assert found.limits["rotateX"].min_deg is None
    assert [f.rule for f in found.findings] == ["unlimited"]
    assert "rotateX" in found.findings[0].message


def test_mirrored_keys_are_no_wheel():
    """Every other frame is half a turn ahead, which careless unwrapping would turn into a wheel."""
    curves = rotate(x=there_and_back(0, 40), y=10.0)
    curves[::2] = np.degrees(other_euler(np.radians(curves[::2])))
    with without_rules("euler-flip"):
        limits = arm_limits(clip({"arm": curves}))
    assert [limits[c].state for c in CHANNELS] == ["limited"] * 3
    assert limits["rotateX"].width_deg == pytest.approx(np.ptp(curves[:, 0]))


def test_more_than_a_turn_without_jumps_is_free_even_if_seldom_sampled():
    keys = np.array([0.0, 100.0, 200.0, 300.0, 400.0])
    assert arm_limits(clip({"arm": rotate(x=keys)}))["rotateX"].state == "free"


def test_a_small_gap_is_a_hole_in_the_samples():
    motion = clip({"arm": rotate(x=there_and_back(0, 335, 100))})
    assert arm_limits(motion)["rotateX"].state == "free"
    wider = clip({"arm": rotate(x=there_and_back(0, 325, 100))})
    assert bounds(arm_limits(wider)["rotateX"]) == pytest.approx((0, 325))
    # Padding may close what was open: of 35 degrees, 2 at each end leave 31, and 2.7 leave 29.6.
    for pad, state in ((2.0, "limited"), (2.7, "free")):
        assert arm_limits(wider, pad_deg=pad)["rotateX"].state == state


# Rotations alone ----------------------------------------------------------------------------------


def test_without_channels_the_circle_decides():
    motion = clip({"arm": rotate(x=there_and_back(120, 250, 80))}, from_source=False)
    limit = arm_limits(motion)["rotateX"]
    low, high = bounds(limit)
    assert high - low == pytest.approx(130)
    assert low % 360 == pytest.approx(120)
    assert limit.source.min.clips == limit.source.max.clips == 1


def test_without_channels_clips_on_both_sides_of_half_a_turn_are_pooled():
    clips = [
        clip({"arm": rotate(x=there_and_back(low, high, 30))}, name=name, from_source=False)
        for name, low, high in (("a", 140, 175), ("b", 185, 250))
    ]
    found = estimate(clips).joints["arm"]
    low, high = bounds(found.limits["rotateX"])
    assert (low % 360, high - low) == (pytest.approx(140), pytest.approx(110))
    assert found.limits["rotateX"].source.min.clip == "a"
    assert found.limits["rotateX"].source.max.clip == "b"
    assert found.limits["rotateX"].source.max.clips == 1
    # Their keys are nobody's, so there is nothing to clean up.
    assert [f.rule for f in found.findings] == []


# States -------------------------------------------------------------------------------------------


def test_the_root_is_free_unless_it_is_asked_for():
    motion = clip({"root": rotate(*waves((-300, 300), (-30, 30), (0, 10))), "arm": np.zeros(3)})
    root = estimate(motion).joints["root"]
    assert [limit.state for limit in root.limits.values()] == ["free"] * 3
    assert root.findings == ()
    asked = estimate(motion, EstimateOptions(limit_root=True)).joints["root"]
    assert [limit.state for limit in asked.limits.values()] == ["free", "limited", "limited"]
    assert [f.rule for f in asked.findings] == ["unlimited"]


def test_the_finding_is_about_the_joint_and_not_about_its_place_in_a_selection():
    motion = clip(
        {"hand": rotate(x=there_and_back(0, 9, 90)), "arm": rotate(x=5.0 * np.arange(90))}
    )
    found = estimate(motion, EstimateOptions(joints="arm")).joints
    assert [f.rule for f in found["arm"].findings] == ["unlimited"]


def test_channels_that_do_not_move_are_locked_where_they_are():
    limits = arm_limits(clip({"arm": rotate(x=there_and_back(0, 50), y=12.5)}), pad_deg=4.0)
    assert [limits[c].state for c in CHANNELS] == ["limited", "locked", "locked"]
    assert bounds(limits["rotateX"]) == pytest.approx((-4, 54))
    assert bounds(limits["rotateY"]) == pytest.approx((12.5, 12.5))
    assert limits["rotateY"].source.min.kind == "observed"
    assert bounds(limits["rotateZ"]) == (0.0, 0.0)


def test_a_fixed_joint_is_locked_to_all_that_it_was_seen_at():
    limits = arm_limits(clip({"arm": rotate(x=there_and_back(-0.4, 0.5))}), pad_deg=3.0)
    assert limits["rotateX"].state == "locked"
    assert bounds(limits["rotateX"]) == pytest.approx((-0.4, 0.5))


REAL = [
    *(f"cmu_bvh/{n}.bvh" for n in ("10_03", "11_01", "131_01", "cmu_12_01_walk")),
    *(
        f"other_bvh/{n}.bvh"
        for n in ("pybvh_bvh_test1", "test_freebvh", "test_mocapbank", "walk01")
    ),
    "cmu_asfamc/01_fairmotion/01_01.bvh",
    *(f"cmu_asfamc/02/02_{n:02d}.amc" for n in (1, 3, 4, 5)),
    "cmu_asfamc/03/03_01.amc",
    "cmu_asfamc/11/11_01.amc",
]


@pytest.mark.thorough
@pytest.mark.parametrize("path", REAL)
def test_real_clips(path):
    file = shared_path(f"data/mocap/{path}")
    skeletons = list(file.parent.glob("*.asf")) if path.endswith(".amc") else []
    motion = read_motion(file, read_asf(skeletons[0]) if skeletons else None)
    found = estimate(motion, EstimateOptions(limit_root=True))
    kept = screen(motion)
    checked = 0
    for row, joint in enumerate(found.joints.values()):
        on_one, used = np.degrees(kept.rotates[row].T), ~left_out_of(joint, kept.motion)
        for axis, channel in enumerate(CHANNELS):
            limit = joint.limits[channel]
            if limit.state == "free":
                continue
            low, high = np.radians([limit.min_deg, limit.max_deg])
            assert all(covers(low, high, value) for value in np.radians(on_one[used, axis]))
            for bound in (limit.source.min, limit.source.max):
                at = int(np.flatnonzero(kept.motion.frames == bound.frame)[0])
                off = on_one[at, axis] - bound.value_deg
                assert abs(off - 360.0 * np.round(off / 360.0)) <= 1e-9
            checked += 1
    assert checked > 30


def left_out_of(joint, motion):
    """Which frames were left out of the joint."""
    rules = {finding.rule for finding in joint.findings if finding.left_out}
    result = np.zeros(motion.frame_count, dtype=bool)
    for finding in joint.findings:
        for first, last in finding.frame_ranges if finding.rule in rules else ():
            result |= (motion.frames >= first) & (motion.frames <= last)
    return result
