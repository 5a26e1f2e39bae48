"""No sample of a clip is outside its own limits, regardless of which poses are kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.estimation import clip_summary, joints
from jointlimits_core.estimation.hinges import hinge_angles
from jointlimits_core.estimation.joint_type import decide_types
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate, estimate_from_summary, summarize
from jointlimits_core.estimation.summary import merge_summaries
from jointlimits_core.estimation.summary_file import read_summary, write_summary
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.circle import euler_in_box
from jointlimits_core.geometry.euler import CHANNELS, local_from_rotate, other_euler
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_rotation_vector
from jointlimits_core.limits.ranges import ends_of
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.reorient import hinge_rest
from jointlimits_core.motion.screening.rules import screen
from tests.support.made_motion import clip, rotate, waves
from tests.support.shared_data import SHARED
from tests.support.unscreened import unlimited_gap, without_rules

NEARLY_ROUND = EstimateOptions(limit_root=True)


@pytest.fixture(autouse=True, scope="module")
def nearly_round():
    with unlimited_gap(3.0):
        yield


def outside_deg(limit, values):
    """Largest distance on the circle of values from a range, degrees."""
    above = (values - limit.min_deg) % 360.0
    beyond = np.maximum(above - (limit.max_deg - limit.min_deg), 0.0)
    return float(np.minimum(beyond, 360.0 - above).max())


def furthest_outside(limit_set, motions):
    """Largest distance of any frame of the motions from the limits, and the number of ranges."""
    worst, ranges = 0.0, 0
    kept = [screen(motion) for motion in motions]
    for name, joint in limit_set.joints.items():
        rows = [one.rotates[one.motion.skeleton.index(name)] for one in kept]
        angles, order = np.concatenate(rows, axis=1).T, joint.orientation.rotate_order
        low, high = np.radians([ends_of(joint.limits[channel]) for channel in CHANNELS]).T
        # Every clip is on a branch of its own, the limits on one for all.
        values = np.degrees(euler_in_box(angles, low, high, order))
        for axis, channel in enumerate(CHANNELS):
            limit = joint.limits[channel]
            if limit.state != "free":
                worst = max(worst, outside_deg(limit, values[:, axis]))
                ranges += 1
    return worst, ranges


def scattered(rng, frames, name, from_source=True):
    """A joint whose channels fill the circle except for a gap, in random order."""
    gaps = rng.uniform(5.0, 60.0, 3)
    starts = rng.uniform(-180.0, 180.0, 3)
    arm = (starts + (360.0 - gaps) * rng.random((frames, 3)) + 180.0) % 360.0 - 180.0
    narrow = rotate(*waves((-40, 60), (-30, 25), (-20, 45), frames=frames))
    return clip({"arm": arm, "hand": narrow}, name=name, from_source=from_source)


def wandering(rng, frames, name, from_source=True):
    """A joint that moves back and forth, sometimes far."""
    walk = np.cumsum(rng.normal(0.0, rng.uniform(0.5, 30.0), (frames, 3)), axis=0)
    return clip({"arm": 165.0 * np.sin(walk / 165.0), "hand": 0.2 * walk}, name=name)


# Random motions -----------------------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.booleans())
def test_nothing_is_outside_and_the_gap_is_that_of_all_frames(seed, count, from_source):
    rng = np.random.default_rng(seed)
    clips = [
        scattered(rng, int(rng.integers(400, 1200)), f"clip{n}", from_source) for n in range(count)
    ]
    found = estimate(clips, NEARLY_ROUND)
    assert furthest_outside(found, clips)[0] <= 1e-9
    for axis, channel in enumerate(CHANNELS):
        limit = found.joints["arm"].limits[channel]
        seen = np.concatenate([np.degrees(screen(one).rotates[1, axis]) for one in clips])
        widest = widest_gap_deg(seen)
        if from_source and np.ptp(seen) < 357.0:
            # The keys' own branch decides.
            widest = 360.0 - np.ptp(seen)
        if limit.state != "free":
            assert limit.gap_deg == pytest.approx(widest, abs=1e-9)
        elif "unlimited" not in {finding.rule for finding in found.joints["arm"].findings}:
            assert widest < 3.0 + 1e-9


def widest_gap_deg(values):
    ordered = np.sort(values % 360.0)
    return max(np.diff(ordered).max(), ordered[0] + 360.0 - ordered[-1])


@pytest.mark.thorough
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_nothing_is_outside_after_a_walk(seed, count):
    rng = np.random.default_rng(seed)
    clips = [wandering(rng, int(rng.integers(400, 1000)), f"clip{n}") for n in range(count)]
    for options in (EstimateOptions(), NEARLY_ROUND):
        assert furthest_outside(estimate(clips, options), clips)[0] <= 1e-9


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_each_limit_names_the_clip_and_the_frame_that_reach_it(seed):
    rng = np.random.default_rng(seed)
    clips = [scattered(rng, frames, f"clip{frames}") for frames in (40, 60, 80)]
    with unlimited_gap(5.0):
        limits = estimate(clips).joints["arm"].limits
    checked = 0
    for axis, channel in enumerate(CHANNELS):
        for bound in (limits[channel].source.min, limits[channel].source.max):
            if bound is not None:
                one = screen(next(item for item in clips if item.name == bound.clip))
                at = int(np.searchsorted(one.motion.frames, bound.frame))
                own = one.rotates[1, :, at]
                both = np.degrees([own[axis], other_euler(own, "xyz")[axis]])
                off = both - bound.value_deg
                assert np.abs((off + 180.0) % 360.0 - 180.0).min() <= 1e-9
                checked += 1
    assert checked


def test_a_gap_between_the_kept_poses_that_other_frames_fill():
    """As in a finger that makes nearly a full turn in small steps."""
    curve = np.concatenate([np.zeros(20), np.linspace(0, 150, 1000), np.full(40, -140.0)])
    curve[[333, 556, 777, 888]] = [-40.0, -85.0, 175.0, -165.0]
    motion = clip({"arm": rotate(x=curve)})
    with without_rules("euler-flip", "spike"), unlimited_gap(20.0):
        assert 333.0 not in summarize([motion]).clips[0].frames
        limit = estimate(motion).joints["arm"].limits["rotateX"]
    assert outside_deg(limit, curve) <= 1e-9
    assert limit.gap_deg == pytest.approx(55.0)
    assert (limit.source.min.frame, limit.source.max.frame) == (556.0, 1059.0)


# Hinges -------------------------------------------------------------------------------------------


def furthest_off_hinges(limit_set, motions):
    """Largest distance, degrees, of any frame's angle about a hinge from the hinge's range."""
    worst, kept = 0.0, [screen(motion).motion for motion in motions]
    for name, joint in limit_set.joints.items():
        if joint.hinge is None:
            continue
        row = kept[0].skeleton.index(name)
        bones, axes = kept[0].skeleton, (joint.hinge.axis_parent, joint.hinge.axis_child)
        frame = bones.joint_orients[row], bones.rotate_axes[row], bones.rotate_orders[row]
        rest = local_from_rotate(np.radians(joint.rest.rotate_deg), *frame)
        zero = hinge_rest(rest, *axes)
        circle = np.stack([zero, multiply(zero, np.append(axes[1], 0.0))])[None]
        for motion in kept:
            row = motion.skeleton.index(name)
            angles = np.degrees(hinge_angles(motion.rotations[row][None], circle))
            worst = max(worst, outside_deg(joint.hinge, angles))
    return worst


def noisy_hinge(rng, frames, name):
    """A hinge with a little play and another tilt in every clip."""
    path = np.cumsum(rng.normal(0.0, 0.05, frames))
    angle = np.radians(rng.uniform(20, 70)) * np.sin(path) + np.radians(rng.uniform(-40, 40))
    loose = np.radians(rng.uniform(0.0, 1.5)) * rng.normal(size=(frames, 2))
    turns = quaternion_from_rotation_vector(np.column_stack([angle, loose]))
    turns = multiply(quaternion_from_rotation_vector(np.radians(rng.normal(0, 1, 3))), turns)
    still = np.broadcast_to((0.0, 0.0, 0.0, 1.0), turns.shape)
    stacked = np.stack([still, turns], axis=1)
    return Motion.from_quaternions(["root", "knee"], [-1, 0], stacked, 30.0, name=name)


@pytest.mark.thorough
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_no_frame_is_beyond_the_range_of_a_hinge(seed, count):
    """Exact for one clip; with several clips, whose best hinges differ, only kept poses count."""
    rng = np.random.default_rng(seed)
    clips = [noisy_hinge(rng, int(rng.integers(600, 3000)), f"clip{n}") for n in range(count)]
    with pytest.MonkeyPatch.context() as patch:
        # Two joints say nothing of the noise.
        patch.setattr(joints.joint_type, "decide_types", partial(decide_types, noise=2.0))
        found = estimate(clips, EstimateOptions(leave_out=()))
        assert found.joints["knee"].type == "hinge"
    assert furthest_off_hinges(found, clips) <= (1e-6 if count == 1 else 0.5)


@pytest.mark.thorough
def test_no_frame_of_a_real_clip_is_beyond_the_range_of_a_hinge():
    folder = SHARED / "data/mocap"
    patterns = ("bandai/dataset-1*.bvh", "pfnn/*.bvh", "cmu_bvh/131*.bvh", "cmu_asfamc/02/*.amc")
    libraries = [[long_clip(file) for file in sorted(folder.glob(one))] for one in patterns]
    if not any(libraries):
        pytest.skip("shared data data/mocap is not on this machine")
    for motions in filter(None, libraries):
        found = estimate(motions, EstimateOptions(leave_out=()))
        assert furthest_off_hinges(found, motions) <= 1e-6, motions[0].name


# The order of everything --------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
def test_limits_are_the_same_whatever_the_order_and_the_grouping(seed, tmp_path):
    rng = np.random.default_rng(seed)
    clips = [scattered(rng, frames, f"clip{frames}") for frames in (80, 600, 700, 800)]
    expected = estimate(clips, NEARLY_ROUND)
    summaries = [summarize([one], NEARLY_ROUND) for one in clips]
    for _ in range(3):
        order = rng.permutation(4)
        cut = int(rng.integers(1, 4))
        halves = [
            merge_summaries([summaries[at] for at in part]) for part in np.split(order, [cut])
        ]
        path = tmp_path / "half.summary.npz"
        write_summary(halves[0], path)
        together = merge_summaries([read_summary(path), halves[1]])
        assert estimate_from_summary(together, NEARLY_ROUND) == expected


# Summaries of older versions ----------------------------------------------------------------------


def without_arcs(summary):
    clips = tuple(replace(one, arcs=clip_summary.circle.NO_ARCS) for one in summary.clips)
    return summary._replace(clips=clips)


@pytest.mark.thorough
def test_a_summary_without_arcs_is_read_and_gives_way_to_one_with_arcs():
    rng = np.random.default_rng(7)
    motion = scattered(rng, 1000, "one")
    full = summarize([motion], NEARLY_ROUND)
    old = without_arcs(full)
    assert len(full.clips[0].arcs) > 0
    estimate_from_summary(old, NEARLY_ROUND)
    # Clips made in memory have no hash, so both stay: nothing is outside of either.
    for both in ([old, full], [full, old]):
        found = estimate_from_summary(merge_summaries(both), NEARLY_ROUND)
        assert furthest_outside(found, [motion])[0] <= 1e-9


# Real clips ---------------------------------------------------------------------------------------


def real_clips():
    """Long clips, and the two clips of an earlier bug."""
    folder = SHARED / "data/mocap"
    named = ("**/01_03.amc", "**/01_03.bvh", "**/*dance-short*.bvh", "other_bvh/*.bvh")
    more = ("cmu_bvh/*.bvh", "pfnn/*.bvh", "xia/*.bvh", "cmu_asfamc/0[127]/*.amc")
    files = {file for pattern in (*named, *more) for file in folder.glob(pattern)}
    return sorted(files)


def long_clip(file):
    skeletons = sorted(file.parent.glob("*.asf")) if file.suffix == ".amc" else []
    return read_motion(file, read_asf(skeletons[0]) if skeletons else None)


@pytest.mark.thorough
def test_real_clips():
    files = real_clips()
    if not files:
        pytest.skip("shared data data/mocap is not on this machine")
    for file in files:
        motion = long_clip(file)
        for gap in (30.0, 5.0):
            with unlimited_gap(gap):
                worst, ranges = furthest_outside(estimate(motion, NEARLY_ROUND), [motion])
            assert worst <= 1e-9, file.name
            assert ranges > 10
