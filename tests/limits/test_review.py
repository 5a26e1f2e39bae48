"""Review: its entries, their order, and the step that settles each."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.base.findings import Finding
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.limits.layers import locks, with_edits
from jointlimits_core.limits.limit_set import Hinge, HingeCandidate, LimitSet
from jointlimits_core.limits.records import ArtistEdit
from jointlimits_core.limits.review_entries import MAX_ENTRIES, review
from jointlimits_core.limits.review_steps import EDIT
from tests.estimation.test_excursions import BENT, broken, legs
from tests.support.limit_set_examples import joint, limit_set, lock, span
from tests.support.made_motion import clip
from tests.support.unscreened import without_rules


def estimate_held(motion):
    """Limits of motion whose long stays, and jumps at both ends of these, are no faults."""
    with without_rules("frozen", "glitch", "zero-slip"):
        return estimate(motion)


BACKWARDS = Finding(
    *("bends-backwards", "bends backwards by 20 degrees", "knee", "walk", ((7.0, 9.0),)),
    channel="rotateX",
    side="min",
    degrees=20.0,
    instead_deg=1.25,
)


def review_of(*whole, **findings):
    """Review of the example with findings of the set and of joints."""
    plain = limit_set(symmetry=None, findings=whole)
    joints = {
        name: replace(one, findings=tuple(findings.get(name, ())))
        for name, one in plain.joints.items()
    }
    return review(replace(plain, joints=joints))


def about(rule, degrees, **fields):
    given = {"joint": "hip", "clip": "walk", "degrees": degrees, **fields}
    return Finding(rule, f"message of {rule}", **given)


def test_a_healthy_set_has_nothing_to_look_at():
    found = review_of()
    assert found.entries == ()
    assert found.sentence() == f"{found.measured} joints measured, nothing to look at"


def test_an_entry_says_joint_channel_degrees_clip_frames_and_what_settles_it():
    (entry,) = review_of(knee=[BACKWARDS]).entries
    assert entry.text == (
        "knee bends backwards by 20 degrees (clip walk, frames 7-9); without them the minimum of "
        "rotateX is 1.2"
    )
    assert entry.place == ("knee", "rotateX", "min")
    action = entry.action
    assert (action.kind, action.text) == ("exclude", "Exclude 3 of 200 frames of knee")
    assert (action.flag, action.frames) == ("--exclude walk:7-9@knee", (("walk", 7.0, 9.0),))
    assert (action.joints, entry.other) == (("knee",), None)


def test_entries_come_by_kind_then_by_degrees():
    found = review_of(
        hip=[
            about("doubtful-joint", 90.0),
            about("excursion", 30.0, channel="rotateZ", side="min", frame_ranges=((3.0, 4.0),)),
            about("glitch", 15.0, channel="rotateZ", side="max", left_out=True, instead_deg=225.0),
        ],
        knee=[BACKWARDS],
    )
    assert [entry.kind for entry in found.entries] == [
        *("bends-backwards", "excursion", "glitch", "doubtful-joint")
    ]


def test_of_faults_those_of_knees_and_elbows_come_first():
    joints = {name: joint("ball", [span(0.0, 50.0), lock(), lock()]) for name in legs().joint_names}
    for name, rule, degrees in (("RightUpLeg", "glitch", 90.0), ("LeftLeg", "spike", 8.0)):
        item = about(rule, degrees, channel="rotateX", side="max", left_out=True, instead_deg=70.0)
        joints[name] = replace(joints[name], findings=(replace(item, joint=name),))
    found = review(LimitSet("legs", joints)).entries
    assert [entry.joint for entry in found] == ["LeftLeg", "RightUpLeg"]


def test_one_thing_is_listed_once():
    place = {"joint": "knee", "channel": "rotateX", "side": "min"}
    item = about("excursion", 21.0, frame_ranges=((7.0, 9.0),), **place)
    other = replace(item, channel="rotateY")  # the same frames
    assert len(review_of(knee=[BACKWARDS, item, other]).entries) == 1
    elsewhere = replace(item, channel="rotateY", frame_ranges=((3.0, 4.0),))
    assert len(review_of(knee=[BACKWARDS, elsewhere]).entries) == 2


def test_what_one_action_settles_is_one_entry():
    other = replace(BACKWARDS, joint="ankle", degrees=12.0)
    (entry,) = review_of(knee=[BACKWARDS], ankle=[other]).entries
    assert entry.joint == "knee"
    assert entry.text.endswith("the minimum of rotateX is 1.2; also ankle")
    assert entry.action.flag == "--exclude walk:7-9@knee+ankle"


# The example's limits were reached in frame 3 of "walk".
WHOLE = Finding("frozen", "nothing moves", None, "walk", ((2.0, 9.0),))


def test_frames_of_one_joint_and_of_all_joints_are_one_entry():
    own = replace(BACKWARDS, frame_ranges=WHOLE.frame_ranges)
    (entry,) = review_of(WHOLE, knee=[own]).entries
    assert entry.text.endswith("the minimum of rotateX is 1.2; all joints: nothing moves")
    assert entry.action.flag == "--exclude walk:2-9"


def test_frames_of_all_joints_are_listed_once_for_all():
    own = about("excursion", 30.0, channel="rotateX", side="min", frame_ranges=((3.0, 4.0),))
    (entry,) = review_of(WHOLE, hip=[own]).entries
    assert (entry.joint, entry.text) == ("", "all joints: nothing moves (clip walk, frames 2-9)")
    assert entry.action.frames == (("walk", 2.0, 9.0),)


def test_clips_with_the_same_fault_are_one_entry_that_excludes_all_frames():
    more = [replace(BACKWARDS, clip=f"run {n}", degrees=12.0) for n in range(40)]
    plain = limit_set(symmetry=None)
    (walk,) = (one for one in plain.clips if one.name == "walk")
    clips = (*plain.clips, *(replace(walk, name=item.clip) for item in more))
    knee = replace(plain.joints["knee"], findings=(*more, BACKWARDS))
    found = replace(plain, clips=clips, joints={**plain.joints, "knee": knee})
    (entry,) = review(found).entries
    assert "(clip walk, frames 7-9); also in 40 more clips" in entry.text
    assert len(entry.action.frames) == 41
    assert entry.action.text == "Exclude 123 of 8,200 frames of knee in 41 clips"


@pytest.mark.parametrize(
    ("ranges", "flag"),
    [
        ([((7.0, 9.0), (20.0, 20.0)), ((3.0, 7.0), (10.0, 12.0))], "walk:3-12@knee,walk:20@knee"),
        ([((7.0, 9.0),), ((11.0, 12.0), (7.0, 8.0))], "walk:7-9@knee,walk:11-12@knee"),
    ],
)
def test_frames_of_several_findings_are_excluded_once(ranges, flag):
    """As in merged limit sets, where a clip has the findings of each of them."""
    knee = [replace(BACKWARDS, frame_ranges=some) for some in ranges]
    (entry,) = review_of(knee=knee).entries
    assert entry.action.flag == f"--exclude {flag}"


def test_faults_that_were_left_out_say_so_and_what_the_limit_would_be():
    place = {"channel": "rotateX", "side": "max", "instead_deg": 98.0}
    item = about("glitch", 8.0, left_out=True, frame_ranges=((7.0, 9.0),), **place)
    (entry,) = review_of(hip=[item]).entries
    assert entry.text.endswith("left out; with them the maximum of rotateX is 98.0")
    assert entry.action.text == "Leave out 3 of 200 frames of hip"
    assert entry.action.flag == "--exclude walk:7-9@hip"
    assert entry.other.text == "Keep them: set rotateX max to 98.0"
    assert entry.other.flag.endswith("--set hip.rotateX.max=98.0")
    stretches = ((7.0, 20.0), (40.0, 60.0), (80.0, 90.0))
    (entry,) = review_of(hip=[replace(item, frame_ranges=stretches)]).entries
    assert entry.action.text == "Leave hip out of walk"


def test_faults_whose_frames_change_no_limit_are_no_entry():
    # The hip's limits are 150 to 210 about Z.
    item = about("glitch", 30.0, channel="rotateZ", side="max", left_out=True, instead_deg=215.0)
    assert review_of(hip=[item]).entries
    assert not review_of(hip=[replace(item, instead_deg=205.0)]).entries
    assert not review_of(hip=[replace(item, instead_deg=None)]).entries


def test_faults_that_were_kept_matter_where_they_set_a_limit():
    kept = about("spike", 30.0, frame_ranges=((3.0, 3.0),))
    assert [entry.kind for entry in review_of(hip=[kept]).entries] == ["spike"]
    assert not review_of(hip=[replace(kept, frame_ranges=((5.0, 5.0),))]).entries
    assert not review_of(hip=[replace(kept, clip="other")]).entries


def test_sides_that_differ_are_a_note_that_offers_to_widen_the_narrow_one():
    """The side that moves further is healthy unless something else speaks against it."""
    limits = estimate_held(legs(broken(BENT, 95.0)))
    assert not review(limits).entries
    (note,) = [item for item in limits.joints["LeftLeg"].findings if item.rule == "asymmetry"]
    assert note.message.startswith("rotateX reaches 25.0 degrees further than RightLeg")
    assert note.message.endswith("--set RightLeg.rotateX.max=95.0 widens RightLeg to match")


def test_a_joint_that_may_be_a_hinge_is_offered_as_one_until_it_is_decided():
    hinge = Hinge((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rotateX", 4.0, 0.0, 80.0)
    offered = HingeCandidate(hinge, {"rotateY": 1.0}, 6.0, 21.0, "walk", ((4.0, 8.0),))
    plain = limit_set(symmetry=None)
    ball = replace(plain.joints["hip"], type="ball", candidate=offered)
    found = replace(plain, joints={**plain.joints, "hip": ball})
    assert review(found).entries == ()
    (entry,) = review(found).suggestions
    assert entry.text == (
        "hip is measured as ball but may be a hinge: residual about rotateX 6.0 degrees rms, "
        "21.0 at most (clip walk, frames 4-8); about its best axis 4.0"
    )
    assert (entry.action.kind, entry.action.flag) == ("type", "--as hip=hinge")
    assert not review(with_edits(found, [ArtistEdit("hip", "type", None, "ball")])).suggestions


def test_suggestions_do_not_count_as_something_to_look_at():
    order = about("order-useless", 170.0)
    found = review_of(hip=[order], knee=[replace(order, joint="knee")])
    (entry,) = found.suggestions
    assert entry.text == "hip: message of order-useless (clip walk); also knee"
    assert (entry.action.kind, entry.action.flag) == ("orient", "--orientation advised")
    assert found.sentence() == f"{found.measured} joints measured, nothing to look at"
    data = found.to_dict()
    assert (data["to_look_at"], data["entries"], len(data["suggestions"])) == (0, [], 1)
    plain = settled(limit_set(symmetry=None), order, joint="hip")
    assert not review(with_edits(plain, [ArtistEdit("knee", "min", "rotateX", 1.0)])).suggestions


@pytest.mark.parametrize("left", [BENT, broken(BENT, -20.0)])
def test_the_partner_of_a_joint_at_fault_is_not_named(left):
    """Nor compared with it, nor taken as a hinge: both have one type, by the motion of both."""
    limits = estimate_held(legs(left, broken(BENT, 95.0, 300)))
    hinge = limits.joints["RightLeg"].hinge
    offered = HingeCandidate(hinge, {"rotateY": 1.0}, 6.0, 21.0, "walk", ((4.0, 8.0),))
    ball = replace(limits.joints["RightLeg"], type="ball", candidate=offered)
    found = review(replace(limits, joints={**limits.joints, "RightLeg": ball}))
    every = (*found.entries, *found.suggestions)
    about_right = [one.kind for one in every if one.joint == "RightLeg"]
    assert about_right == (["may-be-hinge"] if left is BENT else [])


def test_a_pin_settles_what_is_right_as_it_is():
    plain = limit_set(symmetry=None)
    knee = replace(plain.joints["knee"], findings=(BACKWARDS,))
    found = replace(plain, joints={**plain.joints, "knee": knee})
    assert review(with_edits(found, [ArtistEdit("knee", "max", "rotateX", None)])).entries
    assert not review(with_edits(found, [ArtistEdit("knee", "min", "rotateX", None)])).entries
    assert review(with_edits(found, [ArtistEdit("knee", "note", None, "hm")])).entries


def test_ten_entries_are_shown_and_the_others_counted():
    items = [about("doubtful-joint", 9.0 + n, joint=f"j{n}", clip=None) for n in range(33)]
    joints = {item.joint: joint("ball", [lock()] * 3, findings=(item,)) for item in items}
    found = review(LimitSet("crowd", joints))
    assert (len(found.first), found.more) == (MAX_ENTRIES, 23)
    assert found.to_dict()["to_look_at"] == 33
    assert len(found.to_dict()["entries"]) == MAX_ENTRIES


def test_the_document_carries_the_review_and_reads_with_and_without_it():
    limits = estimate(legs(broken(BENT, -20.0)))
    data = json.loads(limits.to_json())
    assert data["review"]["to_look_at"] == len(review(limits).entries) > 0
    assert data["review"]["entries"][0]["joint"] == "LeftLeg"
    assert LimitSet.from_json(limits.to_json()) == limits
    del data["review"]
    assert LimitSet.from_json(json.dumps(data)) == limits


def test_the_papers_mode_is_not_reviewed():
    assert not review(estimate(legs(broken(BENT, -20.0)), EstimateOptions(mode="paper"))).entries


def test_a_slip_is_listed_whichever_frames_set_the_limits():
    """Excluding the shorter part of the clip settles it."""
    slip = Finding("zero-slip", "jumps and stays", "knee", "walk", ((9.0, 9.0),), degrees=30.0)
    (entry,) = review_of(knee=[slip]).entries
    assert entry.text == "knee jumps and stays (clip walk, frame 9)"
    (clip_record,) = [one for one in limit_set().clips if one.name == "walk"]
    first, last = clip_record.first_frame, clip_record.last_frame
    assert entry.action.frames == (("walk", first, 8.0),)
    behind = replace(slip, frame_ranges=((last - 3.0, last - 3.0),))
    (entry,) = review_of(knee=[behind]).entries
    assert entry.action.frames == (("walk", last - 3.0, last),)


@pytest.mark.thorough
def test_forty_broken_clips_of_254_leave_ten_entries_and_a_count():
    """Each joint is out of its range for 30 frames, in one or two of the clips."""
    names = [f"{side}{n}" for side in ("left", "right") for n in range(12)]
    random = np.random.default_rng(3)
    clips = []
    for number in range(254):
        phase = random.uniform(0.0, 6.0, (24, 3, 1))
        curves = 20.0 * np.sin(phase + np.linspace(0.0, 9.0, 90))
        if number < 40:
            curves[number % 24, 0, 40:70] += 70.0
        made = {name: curve.T for name, curve in zip(names, curves)}
        clips.append(clip(made, name=f"take{number}"))
    found = review(estimate(clips))
    assert len(found.first) == MAX_ENTRIES
    assert found.more == len(found.entries) - MAX_ENTRIES > 0
    listed = [entry for entry in found.entries if entry.kind == "glitch"]
    assert sorted(entry.joint for entry in listed) == sorted(names)
    assert f"{len(found.entries)} to look at" in found.sentence()


def offered(rms, span_deg=80.0, worst=21.0):
    """Review of a hip that may be a hinge, at 4 degrees about its best axis."""
    hinge = Hinge((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rotateX", 4.0, 0.0, span_deg)
    plain = limit_set(symmetry=None)
    candidate = HingeCandidate(hinge, {"rotateY": 1.0}, rms, worst, "walk", ((4.0, 8.0),))
    ball = replace(plain.joints["hip"], type="ball", candidate=candidate)
    return review(replace(plain, joints={**plain.joints, "hip": ball}))


def test_a_hinge_that_no_channel_holds_is_offered_in_the_advised_orientation():
    (entry,) = offered(6.1).suggestions
    assert entry.text.endswith(
        "residual about its best axis 4.0 degrees rms, about rotateX 6.1; the suggested "
        "orientation follows that axis"
    )
    assert (entry.action.kind, entry.action.value) == ("orient", "hinge")
    assert entry.action.flag == "--as hip=hinge --orientation advised"


def test_a_joint_that_hardly_moves_is_not_offered_as_a_hinge():
    assert offered(5.0, 16.0).suggestions
    assert not offered(5.0, 6.0).suggestions


def test_a_joint_that_leaves_its_hinge_far_is_to_be_looked_at():
    found = offered(5.0, worst=30.0)
    (entry,) = found.entries
    assert not found.suggestions
    assert "30.0 at most (clip walk, frames 4-8)" in entry.text
    assert entry.action.flag == "--as hip=hinge"


def settled(limits, *findings, joint="knee"):
    """Limits with findings about a joint."""
    own = replace(limits.joints[joint], findings=findings)
    return replace(limits, joints={**limits.joints, joint: own})


def frames_out(first, last):
    """Record of frames of the knee that were excluded."""
    ranges = ((first, last),)
    return Finding("ignored-frames", "excluded", "knee", "walk", ranges, left_out=True)


def test_excluded_frames_settle_an_entry_and_fewer_do_not():
    plain = limit_set(symmetry=None)
    assert review(settled(plain, BACKWARDS, frames_out(7.0, 8.0))).entries
    assert not review(settled(plain, BACKWARDS, frames_out(7.0, 8.0), frames_out(9.0, 9.0))).entries
    assert review(settled(plain, BACKWARDS, frames_out(7.0, 8.0), frames_out(10.0, 12.0))).entries


@pytest.mark.parametrize(
    ("last", "kind", "other"), [(14.0, "exclude", None), (20.0, "exclude", "pin")]
)
def test_a_costly_step_is_not_the_only_one(last, kind, other):
    (entry,) = review_of(knee=[replace(BACKWARDS, frame_ranges=((5.0, last),))]).entries
    assert entry.action.kind == kind
    assert (entry.other and entry.other.kind) == other
    if other:
        assert entry.other.flag.endswith("--pin knee.rotateX.min")


def test_a_joint_that_is_bad_all_over_is_left_out_of_the_clip():
    stretches = ((5.0, 12.0), (20.0, 27.0), (40.0, 47.0))
    gone = (frames_out(40.0, 58.0), frames_out(80.0, 81.0))
    for before, ranges in (((), stretches), (gone, ((5.0, 9.0),))):
        bad = replace(BACKWARDS, frame_ranges=ranges)
        (entry,) = review(settled(limit_set(symmetry=None), bad, *before)).entries
        assert entry.action.text == "Leave knee out of walk"
        assert entry.action.flag == "--exclude walk@knee"
        assert entry.other.text == "Keep as is"


def test_one_long_stretch_is_kept_first_and_the_joint_is_not_left_out():
    bad = replace(BACKWARDS, frame_ranges=((5.0, 30.0),))
    (entry,) = review(settled(limit_set(symmetry=None), bad)).entries
    assert entry.action.text == "Keep as is"
    assert entry.other.flag == "--exclude walk:5-30@knee"


def test_a_joint_that_is_shifted_once_is_rather_kept_than_lost():
    slip = Finding("zero-slip", "jumps and stays", "knee", "walk", ((90.0, 90.0),), degrees=30.0)
    (entry,) = review_of(knee=[slip]).entries
    assert (entry.action.text, entry.action.flag) == ("Keep as is", f"{EDIT} --pin knee")
    assert entry.other.text == "Exclude 89 of 200 frames of knee"


def test_between_several_shifts_the_shorter_parts_are_taken():
    jumps = ((20.0, 20.0), (24.0, 24.0), (100.0, 104.0))
    turns = Finding("zero-slip", "jumps", "knee", "walk", jumps, degrees=170.0)
    (entry,) = review_of(knee=[turns]).entries
    assert entry.action.frames == (("walk", 20.0, 23.0), ("walk", 100.0, 104.0))
    jumps = ((20.0, 20.0), (120.0, 120.0))
    (entry,) = review_of(knee=[replace(turns, frame_ranges=jumps)]).entries
    assert entry.action.text == "Keep as is"
    assert entry.other.frames == (("walk", 1.0, 19.0), ("walk", 120.0, 200.0))


def test_the_whole_body_is_kept_first_where_much_of_it_would_go():
    """Pinning the limits that these frames set settles it, too."""
    whole = replace(WHOLE, frame_ranges=((2.0, 40.0),))
    (entry,) = review_of(whole).entries
    assert (entry.action.kind, entry.other.flag) == ("pin", "--exclude walk:2-40")
    assert set(entry.action.joints) == {"knee", "ankle", "hip"}
    limits = limit_set(symmetry=None, findings=(whole,))
    pins = [edit for name in entry.action.joints for edit in locks(limits, name)]
    assert not review(with_edits(limits, pins)).entries


def test_frames_are_whole_where_those_of_the_clip_are():
    """Even after frames of the clip were left out, so that the mean step is no whole number."""
    slip = Finding("zero-slip", "jumps and stays", "knee", "walk", ((9.0, 9.0),), degrees=30.0)
    plain = settled(limit_set(symmetry=None), slip)
    fewer = tuple(replace(clip, frames=clip.frames - 7) for clip in plain.clips)
    (entry,) = review(replace(plain, clips=fewer)).entries
    (run,) = entry.action.frames
    assert run[2] == 8.0
    assert "." not in entry.action.flag


def test_frames_between_whole_ones_are_printed_short_and_with_all_of_them():
    plain = limit_set(symmetry=None)
    clips = tuple(replace(c, first_frame=0.0, last_frame=199.0 / 3.0) for c in plain.clips)
    bad = replace(BACKWARDS, frame_ranges=((7.0 / 3.0, 8.0 / 3.0),))
    (entry,) = review(settled(replace(plain, clips=clips), bad)).entries
    assert entry.action.flag == "--exclude walk:2.333-2.667@knee"
    assert entry.action.text == "Exclude 2 of 200 frames of knee"
