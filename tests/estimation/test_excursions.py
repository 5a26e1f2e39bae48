"""Excursions: joints that bend backwards, and brief bumps that set a limit by themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.estimation import excursions
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, summarize
from jointlimits_core.estimation.summary import samples_of
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.review_entries import review
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.made_motion import clip, rotate, waves
from tests.support.shared_data import clips_of_subject_02, shared_path
from tests.support.work import calls

NAMES = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")
PARENTS = (-1, 0, 1, 2, 0, 4, 5)
OFFSETS = [
    (0, 0, 0),
    *[(9, 0, 0), (0, -40, 0), (0, -40, 0)],
    *[(-9, 0, 0), (0, -40, 0), (0, -40, 0)],
]
BENT = np.array(waves((5.0, 70.0), frames=400)[0])


def legs(left=BENT, right=BENT, zero_deg=0.0, name="walk", frames=None):
    """Legs whose knees bend about X by the given curves; `zero_deg`: bend of the pose at zero."""
    curves = {name: np.zeros((400, 3)) for name in NAMES}
    curves["LeftLeg"], curves["RightLeg"] = rotate(x=left), rotate(x=right)
    bones = np.array(OFFSETS, dtype=float)
    turn = np.radians(zero_deg)
    for foot in (3, 6):
        bones[foot] = 40.0 * np.array([0.0, -np.cos(turn), -np.sin(turn)])
    skeleton = Skeleton(NAMES, PARENTS, bones)
    rotates = np.radians(np.stack([curve.T for curve in curves.values()]))
    numbers = np.arange(400.0) if frames is None else frames
    return Motion.from_rotates(skeleton, rotates, numbers, 30.0, name)


def found(motions, rule, **options):
    """Findings of a rule, by joint."""
    limit_set = estimate(motions, EstimateOptions(**options))
    every = [item for joint in limit_set.joints.values() for item in joint.findings]
    return {item.joint: item for item in every if item.rule == rule}


def broken(curve, value, first=200, count=40):
    """Curve that holds another value for some frames."""
    result = curve.copy()
    result[first : first + count] = value
    return result


@pytest.mark.parametrize("zero", [0.0, 30.0, -50.0])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_knee_that_bends_backwards_is_found_whatever_the_pose_at_zero(zero, way):
    bent = broken(BENT, -20.0)
    knees = legs(way * (bent - zero), way * (BENT - zero), way * zero)
    backwards = found(knees, "bends-backwards")
    assert list(backwards) == ["LeftLeg"]
    item = backwards["LeftLeg"]
    assert item.degrees == pytest.approx(20.0)
    assert (item.clip, item.frame_ranges) == ("walk", ((200.0, 239.0),))
    assert (item.channel, item.side) == ("rotateX", "min" if way > 0 else "max")
    assert item.instead_deg == pytest.approx(way * (BENT.min() - zero), abs=0.2)


def test_ten_degrees_backwards_are_what_supple_people_do():
    assert not found(legs(broken(BENT, -9.9)), "bends-backwards")
    assert found(legs(broken(BENT, -10.1)), "bends-backwards")


def test_one_frame_of_a_long_clip_is_enough():
    motion = legs()
    long = Motion.from_rotates(
        motion.skeleton, np.tile(motion.rotates, 6), np.arange(2400.0), 30.0, "long"
    )
    rotates = long.rotates.copy()
    rotates[NAMES.index("LeftLeg"), 0, 1234] = np.radians(-35.0)
    long = Motion.from_rotates(long.skeleton, rotates, long.frames, 30.0, "long")
    item = found(long, "bends-backwards", leave_out=())["LeftLeg"]
    ((first, last),) = item.frame_ranges
    assert first <= 1234.0 <= last
    assert last - first <= 8.0


def test_the_frames_of_an_excursion_of_a_long_clip_are_exact():
    motion = legs()
    rotates = np.tile(motion.rotates, 8)
    rotates[NAMES.index("LeftLeg"), 0, 1234:1274] = np.radians(-20.0)
    long = Motion.from_rotates(motion.skeleton, rotates, np.arange(3200.0), 120.0, "long")
    item = found(long, "bends-backwards", leave_out=())["LeftLeg"]
    assert item.frame_ranges == ((1234.0, 1273.0),)


def test_a_joint_that_bends_both_ways_alike_has_no_backwards():
    both = np.array(waves((-60.0, 70.0), frames=400)[0])
    assert not found(legs(both, both), "bends-backwards")


def test_joints_without_bones_and_other_joints_are_not_judged():
    motion = legs(broken(BENT, -20.0))
    flat = replace(motion.skeleton, offsets=np.zeros((len(NAMES), 3)))
    assert not found(replace(motion, skeleton=flat), "bends-backwards")
    names = tuple(name.replace("Leg", "Tail") for name in NAMES)
    tails = replace(motion.skeleton, names=names)
    assert not found(replace(motion, skeleton=tails), "bends-backwards")


def test_the_partner_has_a_say_in_which_way_is_backwards():
    """The left knee is hardly bent in most frames, and once goes the way the right one bends."""
    left = broken(np.full(400, 4.0) + 0.01 * BENT, -60.0, 200, 60)
    assert not found(legs(left, -BENT), "bends-backwards")
    assert set(found(legs(left, BENT), "bends-backwards")) == {"LeftLeg"}


@pytest.mark.thorough
def test_an_elbow_that_only_flexes_the_mirrored_way_is_healthy():
    zombie = read_motion(shared_path("data/reports/unseen/zombie.bvh"))
    assert not found(zombie, "bends-backwards")


CALM = np.array(waves((-10.0, 20.0), frames=300)[0])


def bump(degrees, first=150, frames=6, curve=CALM):
    """Curve that smoothly leaves its path and returns."""
    result = curve.copy()
    phase = np.arange(1, frames + 1) / (frames + 1)
    result[first : first + frames] += degrees * np.sin(np.pi * phase) ** 2
    return result


def lone(curve):
    """Excursion of an arm that follows a curve, or None."""
    return found(clip({"arm": rotate(x=curve)}), "excursion").get("arm")


@pytest.mark.parametrize(("degrees", "side"), [(60.0, "max"), (-70.0, "min")])
def test_one_excursion_that_stretches_the_range_has_its_frames_and_the_limit_without_it(
    degrees, side
):
    curve = bump(degrees)
    item = lone(curve)
    assert item.frame_ranges == ((150.0, 155.0),)
    assert (item.channel, item.side) == ("rotateX", side)
    rest, there = (CALM.max(), curve.max()) if side == "max" else (CALM.min(), curve.min())
    assert item.instead_deg == pytest.approx(rest, abs=0.01)
    assert item.degrees == pytest.approx(abs(there - rest), abs=0.01)


@pytest.mark.parametrize(
    "curve",
    [
        CALM,
        bump(60.0, 130, 40),  # more than a second: a pose
        bump(58.0, 200, curve=bump(60.0)),  # twice
        bump(20.0),  # little
    ],
)
def test_motion_that_goes_there_for_long_or_again_is_no_excursion(curve):
    assert lone(curve) is None


def test_what_moves_many_joints_at_once_is_the_body_and_no_fault():
    curve = rotate(x=bump(60.0))
    assert set(found(clip(dict.fromkeys("abc", curve)), "excursion")) == set("abc")
    assert not found(clip(dict.fromkeys("abcd", curve)), "excursion")


@pytest.mark.thorough
def test_twice_the_joints_are_twice_the_work():
    def work(joints):
        random = np.random.default_rng(7)
        motion = clip({f"j{k}": random.uniform(-40.0, 40.0, (5, 3)) for k in range(joints)})
        return calls(lambda: estimate(motion).joints["j0"].findings)

    work(2)
    assert work(60) < 2.2 * work(30)


def test_other_clips_that_go_as_far_say_that_it_is_none():
    one = clip({"arm": rotate(x=bump(60.0))}, name="one")
    other = clip({"arm": rotate(x=waves((-10.0, 90.0), frames=300)[0])}, name="other")
    assert [entry.kind for entry in review(estimate(one)).entries] == ["excursion"]
    assert not review(estimate([one, other])).entries


def test_the_limit_without_a_fault_is_that_of_all_clips():
    others = {"leg": rotate(x=CALM), "neck": rotate(x=CALM)}
    alone = clip({"arm": rotate(x=broken(CALM, 60.0, 150, 25)), **others}, name="alone")
    far = waves((-10.0, 40.0), frames=300)[0]
    wide = clip({"arm": rotate(x=far), **others}, name="wide")
    (one,) = kept_faults(alone)
    (both,) = kept_faults([alone, wide])
    assert one.instead_deg == pytest.approx(20.0, abs=0.1)
    assert both.instead_deg == pytest.approx(40.0, abs=0.1)
    assert both.degrees == pytest.approx(20.0, abs=0.1)


def kept_faults(motions):
    joint = estimate(motions).joints["arm"]
    return [item for item in joint.findings if item.rule in ("glitch", "frozen")]


def test_excursions_change_no_limit():
    curve = bump(60.0)
    limit = estimate(clip({"arm": rotate(x=curve)})).joints["arm"].limits["rotateX"]
    assert limit.max_deg == pytest.approx(curve.max())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("joint", "first", "count", "value"), [("rradius", 200, 1, -35.0), ("ltibia", 150, 40, -20.0)]
)
def test_a_real_clip_with_a_broken_joint(joint, first, count, value):
    skeleton, clips = clips_of_subject_02()
    motion = read_motion(clips[0], skeleton=skeleton)
    rotates = motion.rotates.copy()
    rotates[motion.joint_names.index(joint), 0, first : first + count] = np.radians(value)
    changed = Motion.from_rotates(motion.skeleton, rotates, motion.frames, 120.0, motion.name)
    items = found(changed, "bends-backwards", leave_out=())
    assert list(items) == [joint]
    frames = motion.frames[first], motion.frames[first + count - 1]
    assert items[joint].frame_ranges == (frames,)


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["bandai/dataset-1_walk_happy_002.bvh", "xia/neutral_16_000.bvh"])
def test_no_knee_of_real_walks_bends_backwards(path):
    assert not found(read_motion(shared_path(f"data/mocap/{path}")), "bends-backwards")


def test_knees_that_are_straight_in_every_frame_have_no_flexion():
    straight = np.zeros(400)
    assert not found(legs(straight, straight), "bends-backwards")
    samples = samples_of(summarize([legs(straight, straight)]))
    assert not any(one.degrees.any() for one in excursions.flexion_of(samples).values())
