"""Frames and clips that the user excludes for single joints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core import api
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import (
    estimate,
    estimate_from_summary,
    estimate_pooled,
    summarize,
)
from jointlimits_core.estimation.summary_file import read_summary, write_summary
from jointlimits_core.limits.exclusions import Exclusion, exclusion, read_exclusions
from jointlimits_core.limits.ranges import ends_of
from jointlimits_core.limits.review_entries import CANDIDATE, review
from tests.support.made_motion import clip, rotate, waves
from tests.support.shared_data import shared_path

FRAMES = 200
ARM, ELBOW, HAND = (
    np.array(waves((-20.0 - 5.0 * n, 30.0 + n), (-10.0 - n, 25.0), frames=FRAMES)) for n in range(3)
)


def body(name="walk", **changes):
    """Three joints; `changes`: X in some frames, as (first, last, degrees)."""
    curves = {}
    for joint, (x, y) in {"arm": ARM, "elbow": ELBOW, "hand": HAND}.items():
        x = x.copy()
        if joint in changes:
            first, last, value = changes[joint]
            x[first : last + 1] = value
        curves[joint] = rotate(x=x, y=y)
    return clip(curves, name=name)


def found(motions, *wishes, **options):
    return estimate(motions, EstimateOptions(exclude=wishes, **options))


def ranges_of(joint):
    return {name: (axis.state, axis.min_deg, axis.max_deg) for name, axis in joint.limits.items()}


# What an exclusion is ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("walk", Exclusion("walk")),
        ("walk:7", Exclusion("walk", 7.0, 7.0)),
        ("walk:-5--1", Exclusion("walk", -5.0, -1.0)),
        ("walk_120-160", Exclusion("walk_120-160")),
        ("a:b:1-2", Exclusion("a:b", 1.0, 2.0)),
        ("walk:1.5", Exclusion("walk", 1.5, 1.5)),
        ("walk:120-160@lthumb", Exclusion("walk", 120.0, 160.0, ("lthumb",))),
        ("walk@lthumb+rig:hand", Exclusion("walk", joints=("lthumb", "rig:hand"))),
        ("walk@hand*", Exclusion("walk", joints=("hand*",))),
    ],
)
def test_an_exclusion_reads_without_known_names(text, meant):
    assert read_exclusions([text]) == [meant]
    assert exclusion(*meant) == text or meant.first == meant.last


CLIPS = ["walk", "a:walk", "take@2", "run, fast", "a+b", "take@2:1-5", "x@y+z, w:3"]
JOINTS = ["hand", "rig:hand", "hand@1", "a+b", "thumb, left", "c@d+e, f:7-9"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(CLIPS),
            st.sampled_from([None, (7.0, 7.0), (-3.0, 12.0), (0.25, 0.75)]),
            st.lists(st.sampled_from(JOINTS), unique=True, max_size=3),
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(deadline=None)
def test_what_is_written_reads_back_whatever_is_in_the_names(several):
    meant = [
        Exclusion(name, *(frames or (None, None)), tuple(joints))
        for name, frames, joints in several
    ]
    text = ",".join(exclusion(*one) for one in meant)
    assert read_exclusions([text], CLIPS, JOINTS) == meant


def test_frames_are_whole_or_exact():
    assert exclusion("walk", 120.0, 160.0) == "walk:120-160"
    (one,) = read_exclusions([exclusion("walk", 1222.971388123, 1223.0)])
    assert (one.first, one.last) == (1222.971388123, 1223.0)
    with pytest.raises(ValueError, match="ascending order"):
        EstimateOptions(exclude=("walk:9-3@hand",))


# What remains -----------------------------------------------------------------------------------


@given(st.integers(0, FRAMES - 12), st.integers(0, 60), st.sampled_from(["arm", "elbow", "hand"]))
@settings(deadline=None, max_examples=15)
def test_a_joint_is_measured_from_its_other_frames_and_no_other_joint_changes(first, count, joint):
    motion, last = body(), min(first + count, FRAMES - 2)
    kept = np.flatnonzero((motion.frames < first) | (motion.frames > last))
    plain, alone = found(motion, symmetry="off"), estimate(motion.keep_frames(kept))
    limits = found(motion, f"walk:{first}-{last}@{joint}", symmetry="off")
    for name in limits.joints:
        if name != joint:
            assert limits.joints[name] == plain.joints[name]
    one, wanted = limits.joints[joint], alone.joints[joint]
    assert (one.type, one.evidence.samples) == (wanted.type, len(kept))
    for channel, axis in one.limits.items():
        other = wanted.limits[channel]
        assert (axis.min_deg, axis.max_deg) == pytest.approx(
            (other.min_deg, other.max_deg), abs=1e-9
        )
        assert axis.source == other.source
    (record,) = (item for item in one.findings if item.rule == "ignored-frames")
    assert (record.joint, record.frame_ranges) == (joint, ((float(first), float(last)),))
    assert record.message.endswith("excluded by you")
    assert record.left_out


def test_frames_of_a_joint_equal_frames_of_the_body_for_that_joint():
    motion = body(elbow=(50, 90, 100.0))
    own, whole = (found(motion, f"walk:50-90{joint}") for joint in ("@elbow", ""))
    assert ranges_of(own.joints["elbow"]) == ranges_of(whole.joints["elbow"])
    assert own.joints["elbow"].evidence.samples == FRAMES - 41
    assert own.joints["hand"].evidence.samples == FRAMES
    assert found(motion).joints["elbow"].limits["rotateX"].max_deg == 100.0
    assert own.joints["elbow"].limits["rotateX"].max_deg < 40.0


def test_samples_are_those_on_which_the_limits_of_a_joint_rest(tmp_path):
    """Frames that screening leaves out for one joint are none, also after those left out by you."""
    motion = body(elbow=(50, 52, 100.0))
    plain = found(motion)
    (glitch,) = (item for item in plain.joints["elbow"].findings if item.rule == "glitch")
    assert glitch.left_out
    assert plain.joints["elbow"].evidence.samples == FRAMES - 3
    assert plain.joints["hand"].evidence.samples == FRAMES
    for wish in ("walk:50-60@elbow", "walk:52-60@elbow", "walk:52-60"):
        assert found(motion, wish).joints["elbow"].evidence.samples == FRAMES - 11
    write_summary(summarize([motion]), tmp_path / "walk.summary.npz")
    again = estimate_from_summary(read_summary(tmp_path / "walk.summary.npz"))
    assert again.joints["elbow"].evidence.samples == FRAMES - 3


def test_a_held_pose_counts_for_nothing():
    held = body(elbow=(50, 150, 100.0))
    limit = found(held, "walk:50-150@elbow").joints["elbow"].limits["rotateX"]
    plain = estimate(held.keep_frames(np.r_[0:50, 151:FRAMES])).joints["elbow"].limits["rotateX"]
    assert limit == plain


def test_a_pose_held_over_a_glitch_is_not_reached_there():
    x = ARM[0].copy()
    top = int(x[20:].argmax()) + 20
    x[top - 2 : top + 8] = x[top - 3] + np.where(np.arange(10) % 2, 90.0, 95.0)
    motion = clip({"arm": rotate(x=x, y=ARM[1]), "hand": rotate(x=HAND[0], y=HAND[1])}, name="walk")
    limits = estimate(motion)
    (record,) = (i for i in limits.joints["arm"].findings if i.left_out)
    assert record.rule == "glitch"
    kept = np.r_[0 : top - 2, top + 8 : FRAMES]
    own, alone = (one.joints["arm"] for one in (limits, estimate(motion.keep_frames(kept))))
    for channel, axis in own.limits.items():
        assert axis.source == alone.limits[channel].source
    assert own.evidence.spread_deg == pytest.approx(alone.evidence.spread_deg, abs=1e-6)


def test_excluding_adds_no_finding_about_other_frames():
    motion = body(elbow=(50, 60, 100.0))
    before = {item.rule for joint in found(motion).joints.values() for item in joint.findings}
    for wish in ("walk:45-65@elbow", "walk:45-65", "walk:100-150", "walk:3@hand"):
        limits = found(motion, wish)
        every = [i for joint in limits.joints.values() for i in joint.findings] + [*limits.findings]
        assert {item.rule for item in every} <= before | {"ignored-frames"}
    left = found(motion, "walk:45-65@elbow").joints["elbow"].findings
    assert [item.rule for item in left] == ["ignored-frames"]


def test_a_jump_is_settled_where_either_side_of_it_is_left_out():
    x = ARM[0].copy()
    x[120:] += 70.0
    motion = clip({"arm": rotate(x=x, y=ARM[1]), "hand": rotate(x=HAND[0], y=HAND[1])}, name="walk")

    def jumps(*wishes):
        rules = ("zero-slip", "half-turn")
        return [
            item for item in found(motion, *wishes).joints["arm"].findings if item.rule in rules
        ]

    assert jumps()
    assert jumps("walk:10-60@arm")
    assert jumps("walk:120-199@hand")
    assert not jumps("walk:120-199@arm")
    assert not jumps("walk:0-119@arm")


# Whole clips of a joint -------------------------------------------------------------------------


def test_a_joint_of_a_clip_is_left_out_whole():
    clips = [body("walk", elbow=(50, 90, 100.0)), body("run")]
    limits = found(clips, "walk@elbow")
    assert ranges_of(limits.joints["elbow"]) == ranges_of(estimate(clips[1]).joints["elbow"])
    assert limits.joints["elbow"].evidence.samples == FRAMES
    assert limits.joints["hand"] == estimate(clips).joints["hand"]
    assert {item.rule for item in limits.joints["elbow"].findings} == {"ignored-clip"}
    assert [one.name for one in limits.clips] == ["run", "walk"]


@pytest.mark.parametrize("wish", ["walk@elbow+hand", "walk:0-199@elbow,walk@hand", "walk@[eh]*"])
@pytest.mark.parametrize("options", [{}, {"orientation": "advised"}, {"symmetry": "pool"}])
def test_without_any_clip_nothing_is_known_about_a_joint(wish, options):
    limits = found(body(), wish, **options)
    for name in ("elbow", "hand"):
        joint = limits.joints[name]
        assert joint.type != "fixed"
        assert joint.evidence.sure == "no motion"
        assert joint.evidence.samples == 0
        assert all(axis.state == "free" for axis in joint.limits.values())
    assert limits.joints["arm"].evidence.samples == FRAMES


def test_a_joint_of_a_summary_is_left_out_whole_and_its_frames_are_not(tmp_path):
    clips = [body("walk", elbow=(50, 90, 100.0)), body("run")]
    options = EstimateOptions(exclude=("walk@elbow",))
    known = [summarize([one]) for one in clips]
    limits, _ = estimate_pooled((), options, known=known)
    assert ranges_of(limits.joints["elbow"]) == ranges_of(
        found(clips, "walk@elbow").joints["elbow"]
    )
    with pytest.raises(EstimationError, match="give the clip itself"):
        estimate_pooled((), EstimateOptions(exclude=("walk:1-2@elbow",)), known=known)
    # What was excluded from a clip stays excluded from its summary.
    options = EstimateOptions(exclude=("walk:50-90@elbow", "run@hand"))
    wanted, summary = estimate_pooled(clips, options)
    write_summary(summary, tmp_path / "body.summary.npz")
    again = read_summary(tmp_path / "body.summary.npz")
    assert estimate_pooled((), options, known=[again])[0] == wanted


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ("walk:1-2@elbo", "exclude joint 'elbo': walk has no such joint; did you mean elbow"),
        ("wlk:1-2@elbow", "no clip 'wlk' to exclude"),
        ("walk:900@elbow", "no frame of walk could be excluded: walk:900 is not in it"),
        ("walk@*", "is excluded"),
    ],
)
def test_what_is_not_there_cannot_be_left_out(wish, words):
    with pytest.raises(EstimationError, match=words):
        found(body(), wish)


def test_names_of_clips_and_joints_may_have_any_character():
    names = ["rig:arm", "a@b", "c+d, e"]
    curves = dict(zip(names, (rotate(x=x, y=y) for x, y in (ARM, ELBOW, HAND))))
    motion = clip(curves, name="take@2, run:1-9")
    wishes = ("take@2, run:1-9:20-40@a@b+c+d, e,take@2, run:1-9@rig:arm",)
    joints = found(motion, *wishes).joints
    samples = {name: joints[name].evidence.samples for name in names}
    assert samples == {"rig:arm": 0, "a@b": FRAMES - 21, "c+d, e": FRAMES - 21}


def prefixed(prefix, name):
    curves = {"arm": ARM, "elbow": ELBOW, "hand": HAND}
    return clip({prefix + key: rotate(x=x, y=y) for key, (x, y) in curves.items()}, name=name)


@pytest.mark.parametrize(
    "pair", [("", "rig:"), ("a:", "b:c:"), ("", "anna_"), ("anna_", "ben_"), ("bip01 ", "bip02 ")]
)
@pytest.mark.parametrize("frames", ["", ":0-99"])
def test_joints_may_have_their_names_in_other_clips(pair, frames):
    clips = [prefixed(prefix, name) for prefix, name in zip(pair, ("run", "walk"))]
    for prefix in pair:
        limits = found(clips, f"walk{frames}@{prefix}elbow")
        samples = {key: one.evidence.samples for key, one in limits.joints.items()}
        (elbow,) = (key for key in samples if key.endswith("elbow"))
        assert samples.pop(elbow) == 2 * FRAMES - (100 if frames else FRAMES)
        assert set(samples.values()) == {2 * FRAMES}


def test_joints_of_another_namespace_may_be_patterns():
    joints = found([prefixed("", "walk")], "walk:0-99@rig:[eh]*").joints
    assert [joints[name].evidence.samples for name in ("arm", "elbow", "hand")] == [200, 100, 100]


@pytest.mark.parametrize("name", ["left_elbow", "arm_elbo", "xelbow", "rig:elbo"])
def test_another_joint_is_not_taken_for_a_prefix(name):
    with pytest.raises(EstimationError, match="no such joint"):
        found(prefixed("", "walk"), f"walk:0-99@{name}")


# Shapes -----------------------------------------------------------------------------------------


def test_only_the_shape_of_the_joint_loses_its_frames():
    motion = body(elbow=(50, 90, 100.0))
    shapes = {wish: api.fit(motion, exclude=wish) for wish in ((), ("walk:50-90@elbow",))}
    plain, left = (shapes[key].joints for key in shapes)
    assert left["hand"].coupled == plain["hand"].coupled
    assert left["elbow"].coupled.samples == FRAMES - 41
    whole = api.fit(motion, exclude=("walk:50-90",))
    assert left["elbow"].coupled == whole.joints["elbow"].coupled
    gone = api.fit(motion, exclude=("walk@elbow",))
    assert gone.joints["elbow"].coupled is None
    assert gone.joints["hand"].coupled == plain["hand"].coupled


# The case that it is for ------------------------------------------------------------------------


@pytest.mark.thorough
def test_one_joint_of_a_capture_costs_no_other_joint_a_frame():
    amc = shared_path("data/mocap/round3/lossless/01_03.amc")
    skeleton = shared_path("data/mocap/round3/lossless/01.asf")
    before = api.estimate(amc, skeleton=skeleton)
    after = api.estimate(amc, skeleton=skeleton, exclude=("01_03:3424-4510@rthumb",))
    # Screening leaves out 29 of the other 3,423 frames.
    assert after.joints["rthumb"].evidence.samples == 3394
    for name, joint in after.joints.items():
        if name not in ("rthumb", "lthumb"):
            assert joint == before.joints[name]
    assert after.joints["lthumb"].limits == before.joints["lthumb"].limits


# What settling a line may not do ------------------------------------------------------------------


@st.composite
def spoilt_walks(draw):
    """A walk with up to four faults: some frames of a joint are off by many degrees."""
    curves = {"arm": ARM.copy(), "elbow": ELBOW.copy(), "hand": HAND.copy()}
    for _ in range(draw(st.integers(1, 4))):
        first, count = draw(st.integers(5, FRAMES - 60)), draw(st.sampled_from([1, 2, 6, 20, 50]))
        x = curves[draw(st.sampled_from(sorted(curves)))][0]
        x[first : first + count] += draw(st.sampled_from([-70.0, -30.0, 25.0, 60.0]))
    return clip({name: rotate(x=x, y=y) for name, (x, y) in curves.items()}, name="walk")


def is_any_within(runs, frames):
    """Whether some run, (first, last), shares a frame with these."""
    return any(first <= frames[1] and frames[0] <= last for first, last in runs)


@pytest.mark.thorough
@given(spoilt_walks())
@settings(deadline=None, max_examples=60)
def test_settling_a_line_widens_no_limit_and_hides_no_other_line_of_its_joint(motion):
    before = estimate(motion)
    lines = [one for one in review(before).entries if one.frame_ranges and one.kind != CANDIDATE]
    for line in lines:
        runs = [(first, last) for _, first, last in line.action.frames]
        after = found(motion, *(exclusion("walk", *run, (line.joint,)) for run in runs))
        for name, joint in after.joints.items():
            for channel, axis in joint.limits.items():
                (low, high), (least, most) = ends_of(axis), ends_of(before[name].limits[channel])
                assert least - 1e-9 <= low <= high <= most + 1e-9, (name, channel, line.text)
        listed = [one for one in review(after).entries if one.joint == line.joint]
        left = [frames for one in listed for frames in one.frame_ranges]
        others = [one for one in lines if one.joint == line.joint and one is not line]
        for first, last in (frames for one in others for frames in one.frame_ranges):
            # A jump is between its frame and the one before.
            gone = is_any_within(runs, (first - (first == last), last))
            assert is_any_within(left, (first, last)) or gone, line.text


@pytest.mark.parametrize(("shift", "stays"), [(-70.0, True), (0.0, False)])
def test_a_jump_that_remains_beside_excluded_frames_is_still_listed(shift, stays):
    x = ARM[0] + np.where(np.arange(FRAMES) < 25, 0.0, shift)
    x[5:25] -= 140.0
    motion = clip(
        {"arm": rotate(x=x, y=ARM[1]), "elbow": rotate(x=ELBOW[0], y=ELBOW[1])}, name="walk"
    )
    left = review(found(motion, "walk:5-24@arm")).entries
    assert [(one.kind, one.frame_ranges) for one in left] == (
        [("zero-slip", ((25.0, 25.0),))] if stays else []
    )
