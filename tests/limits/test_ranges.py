"""Ranges united, cut, mirrored, shifted and edited: each figure, state and source by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace
from math import inf

import pytest

from jointlimits_core.base.errors import LimitSetError
from jointlimits_core.limits.layers import with_edits, without_edits
from jointlimits_core.limits.limit_set import (
    AxisLimit,
    BoundSource,
    Hinge,
    HingeCandidate,
    RestPose,
    Universal,
)
from jointlimits_core.limits.merge import merge
from jointlimits_core.limits.ranges import (
    ends_of,
    intersection_of,
    move_range,
    span_of,
    union_of,
    unmoved_joints,
    with_limits,
)
from jointlimits_core.limits.records import ArtistEdit
from tests.support.layered_sets import axis, one_joint, range_by
from tests.support.limit_set_examples import joint, limit_set

FREE = AxisLimit("free")
NARROW, WIDE = axis(-20.0, 30.0, "few", 1), axis(-50.0, 90.0, "many", 4)
LOW, HIGH = AxisLimit("limited", min_deg=-10.0), AxisLimit("limited", max_deg=40.0)


def lock_at(value, width=0.0, clip="walk"):
    made = axis(value, value + width, clip)
    return replace(made, state="locked")


def clips_of(found):
    return found.source.min.clip, found.source.max.clip


@pytest.mark.parametrize(
    ("at", "span", "found", "outside"),
    [
        (30.0, (-20.0, 30.0), 30.0, 0.0),
        (370.0, (-20.0, 30.0), 10.0, 0.0),
        (-350.0, (-20.0, 30.0), 10.0, 0.0),
        (60.0, (-20.0, 30.0), 60.0, 30.0),
        (-60.0, (-20.0, 30.0), -60.0, 40.0),
        (200.0, (-20.0, 30.0), -160.0, 140.0),
        (-170.0, (-20.0, 30.0), -170.0, 150.0),
        (30.05, (-20.0, 30.0), 30.05, 0.0),
        (30.2, (-20.0, 30.0), 30.2, 0.2),
        (730.0, (700.0, 800.0), 730.0, 0.0),
        (10.0, (700.0, 800.0), 730.0, 0.0),
        (-730.0, (-720.0, 720.0), -370.0, 0.0),
        (730.0, (-720.0, 720.0), 370.0, 0.0),
        (-10.0, (0.0, 720.0), 350.0, 0.0),
        (725.0, (0.0, 720.0), 365.0, 0.0),
        (370.0, (10.0, 10.0), 10.0, 0.0),
    ],
)
def test_a_rest_pose_is_on_the_turn_of_its_range(at, span, found, outside):
    plain = axis(-1.0, 1.0)
    made = replace(joint("ball", (plain,) * 3), rest=RestPose((at, 0.0, 0.0), False, 9.0))
    checked = with_limits(made, {**made.limits, "rotateX": axis(*span)})
    assert checked.rest.rotate_deg == pytest.approx((found, 0.0, 0.0))
    assert checked.rest.outside_deg == pytest.approx(outside)
    assert checked.rest.feasible == (outside == 0.0)
    assert checked.remedies["middle"].rotate_deg == pytest.approx((0.5 * sum(span), 0.0, 0.0))
    assert checked.remedies["circular-mean"] is None


def test_a_rest_pose_where_ranges_are_open():
    made = replace(joint("ball", (FREE,) * 3), rest=RestPose((900.0, 50.0, 7.0), True, 0.0))
    checked = with_limits(made, dict(zip(made.limits, (FREE, HIGH, LOW))))
    assert checked.rest.rotate_deg == (900.0, 50.0, 7.0)
    assert checked.rest.outside_deg == 10.0
    assert checked.remedies["middle"].rotate_deg == (0.0, 0.0, 0.0)
    paper = with_limits(made, {"phi": NARROW})
    assert (paper.limits, paper.rest) == ({"phi": NARROW}, made.rest)


UP, DOWN = AxisLimit("limited", min_deg=-57.0), AxisLimit("limited", max_deg=30.0)
RANGES = (UP, DOWN, FREE, axis(-90.0, 20.0), axis(0.0, 80.0))


@pytest.mark.parametrize(("first", "second"), list(itertools.product(RANGES, RANGES)))
def test_every_bound_counts_where_ranges_are_open(first, second):
    a, b = ends_of(first), ends_of(second)
    union = union_of(first, second)
    assert ends_of(union) == (min(a[0], b[0]), max(a[1], b[1]))
    assert (union.state == "free") == (ends_of(union) == (-inf, inf))
    common = intersection_of(first, second)
    assert ends_of(common) == (max(a[0], b[0]), min(a[1], b[1]))
    assert ends_of(union_of(second, first)) == ends_of(union)
    assert ends_of(intersection_of(second, first)) == ends_of(common)


def test_nothing_in_common_is_reported_with_the_bounds_that_there_are():
    first, second = (one_joint(axes=(one, FREE, FREE)) for one in (UP, axis(-90.0, -80.0)))
    with pytest.raises(LimitSetError, match=r"rotateX has no angle.*-57\.0\.\. and -90\.0"):
        merge(first, [second], "intersection")


# --- edits -----------------------------------------------------------------------------------


def edit_hip(*edits, axes=None):
    made = with_edits(one_joint(axes=axes), [ArtistEdit("hip", *one) for one in edits])
    return made.joints["hip"], made


def test_an_edited_bound_has_the_artist_for_its_source_and_the_other_its_own():
    low = edit_hip(("min", "rotateX", -5.0))[0].limits["rotateX"]
    assert (low.min_deg, low.max_deg, low.gap_deg, low.state) == (-5.0, 90.0, 265.0, "limited")
    assert low.source.min == BoundSource("artist", value_deg=-5.0)
    assert low.source.max.kind == "observed"
    assert low.source.max.value_deg == 90.0
    high = edit_hip(("max", "rotateX", 5.0))[0].limits["rotateX"]
    assert (high.min_deg, high.max_deg) == (-30.0, 5.0)
    assert (high.source.min.kind, high.source.max.kind) == ("observed", "artist")
    wide = edit_hip(("max", "rotateX", 400.0))[0].limits["rotateX"]
    assert wide.gap_deg == 0.0


def test_where_bounds_cross_the_measured_one_gives_way():
    hip = edit_hip(("min", "rotateX", 100.0))[0]
    low = hip.limits["rotateX"]
    assert (low.min_deg, low.max_deg, low.gap_deg) == (100.0, 100.0, 360.0)
    assert low.source.max.kind == "observed"
    assert (hip.rest.feasible, hip.rest.outside_deg) == (False, pytest.approx(100.0))
    high = edit_hip(("max", "rotateX", -40.0))[0].limits["rotateX"]
    assert (high.min_deg, high.max_deg) == (-40.0, -40.0)
    both = edit_hip(("min", "rotateX", 7.0), ("max", "rotateX", 7.0))[0].limits["rotateX"]
    assert (both.min_deg, both.max_deg) == (7.0, 7.0)


def test_one_bound_of_a_free_channel_leaves_a_full_turn():
    axes = (FREE, axis(-1.0, 1.0), axis(-1.0, 1.0))
    low = edit_hip(("min", "rotateX", 20.0), axes=axes)[0].limits["rotateX"]
    assert span_of(low) == (20.0, 380.0)
    high = edit_hip(("max", "rotateX", 20.0), axes=axes)[0].limits["rotateX"]
    assert span_of(high) == (-340.0, 20.0)


def test_locked_and_free_by_an_edit():
    pose = edit_hip()[0].preferred_deg
    shut = edit_hip(("state", "rotateX", "locked"))[0].limits["rotateX"]
    assert (shut.state, shut.min_deg, shut.max_deg) == ("locked", pose[0], pose[0])
    assert shut.gap_deg == 360.0
    assert shut.source.min == shut.source.max == BoundSource("artist", value_deg=pose[0])
    at = edit_hip(("state", "rotateX", "locked"), ("min", "rotateX", 8.0), ("max", "rotateX", 8.0))
    assert (at[0].limits["rotateX"].state, at[0].limits["rotateX"].min_deg) == ("locked", 8.0)
    wide = edit_hip(("state", "rotateX", "locked"), ("max", "rotateX", 8.0))[0].limits["rotateX"]
    assert (wide.state, wide.max_deg) == ("limited", 8.0)
    # A channel that hardly moves keeps what was measured.
    axes = (axis(4.0, 4.01), axis(-1.0, 1.0), axis(-1.0, 1.0))
    still = edit_hip(("state", "rotateX", "locked"), axes=axes)[0].limits["rotateX"]
    assert (still.state, span_of(still)) == ("locked", (4.0, 4.01))
    free = edit_hip(("state", "rotateX", "free"))[0].limits["rotateX"]
    assert free == AxisLimit("free", gap_deg=240.0)
    back = edit_hip(("state", "rotateX", "limited"))[0].limits["rotateX"]
    assert back == one_joint().joints["hip"].limits["rotateX"]


def test_edits_that_cut_motion_say_by_how_much():
    cut = edit_hip(("min", "rotateX", -5.0), ("max", "rotateX", 60.0))[0]
    assert [one.message for one in cut.findings] == [
        "rotateX min is set to -5, but the motion goes 25.0 degrees beyond",
        "rotateX max is set to 60, but the motion goes 30.0 degrees beyond",
    ]
    assert not edit_hip(("min", "rotateX", -30.0), ("max", "rotateX", 95.0))[0].findings


# --- merging in layers -----------------------------------------------------------------------

MIXED = ("artist", "observed")


@pytest.mark.parametrize(
    ("first", "second", "span", "kinds", "state"),
    [
        (("observed", 0, 9), ("observed", 1, 8), (1, 8), ("observed", "observed"), "limited"),
        (("artist", 0, 9), ("observed", 1, 8), (0, 9), ("artist", "artist"), "limited"),
        (("observed", 0, 9), ("artist", 1, 8), (1, 8), ("artist", "artist"), "limited"),
        (("artist", 0, 0, "locked"), ("artist", 0, 0, "locked"), (0, 0), None, "locked"),
        (("observed", -5, 5), ("artist", 0, 0, "locked"), (0, 0), None, "locked"),
        (("artist", 0, 0), ("observed", 0, 0, "locked"), (0, 0), None, "limited"),
        (("artist", 0, 0, "locked"), ("observed", 0, 0), (0, 0), None, "limited"),
        ((MIXED, 8.5, 9), ("observed", 1, 8), (1, 8), None, "limited"),
        ((MIXED, 0, 9), None, None, None, "free"),
        (
            ("observed", -20, 30),
            (("prior", "artist"), -50, 10),
            *((-20, 10), ("observed", "artist"), "limited"),
        ),
        # A lock that gives up one of its ends is no lock, even where the two ends meet.
        ((MIXED, 0, 9), ("observed", 0, 0, "locked"), (0, 0), MIXED, "limited"),
    ],
)
def test_layers_take_each_bound_and_its_source_from_the_stronger(first, second, span, kinds, state):
    other = axis(-1.0, 1.0)
    pair = (FREE if one is None else range_by(*one) for one in (first, second))
    sets = [one_joint(axes=(one, other, other)) for one in pair]
    found = merge(sets[0], sets[1:], how="layers").joints["hip"].limits["rotateX"]
    assert (span_of(found), found.state) == (span, state)
    if kinds is not None:
        assert clips_of(found) == (f"{kinds[0]}_low", f"{kinds[1]}_high")


@pytest.mark.parametrize(
    ("how", "kinds", "samples", "kind", "animated"),
    [
        ("union", ("hinge", "ball"), (9, 3), "ball", True),
        ("union", ("ball", "hinge"), (3, 9), "ball", True),
        ("intersection", ("hinge", "ball"), (9, 3), "hinge", True),
        ("intersection", ("ball", "hinge"), (9, 3), "hinge", True),
        ("layers", ("hinge", "ball"), (9, 3), "ball", True),
        ("layers", ("ball", "hinge"), (9, 3), "hinge", True),
        # What was declared ranks below what was measured.
        ("layers", ("ball", "hinge"), (9, 0), "ball", True),
        ("layers", ("ball", "hinge"), (9, 1), "hinge", True),
        ("union", ("hinge", "ball"), (9, 0), "ball", True),
    ],
)
def test_types_and_evidence_of_merged_joints(how, kinds, samples, kind, animated):
    sets = []
    for own, count in zip(kinds, samples):
        plain = one_joint().joints["hip"]
        evidence = replace(plain.evidence, samples=count)
        made = replace(plain, type=own, evidence=evidence, animated=count == samples[0])
        sets.append(one_joint(joints={"hip": made}))
    found = merge(sets[0], sets[1:], how=how).joints["hip"]
    assert found.type == kind
    assert found.evidence.samples == max(samples)
    assert found.animated == animated
    assert not found.findings


def test_each_end_keeps_the_source_of_that_end():
    narrow, shifted_up = range_by("observed", -20, 30), range_by("prior", 0, 90)
    both = intersection_of(narrow, shifted_up)
    assert clips_of(both) == ("prior_low", "observed_high")
    assert clips_of(intersection_of(shifted_up, narrow)) == ("prior_low", "observed_high")
    assert clips_of(union_of(narrow, shifted_up)) == ("observed_low", "prior_high")
    assert clips_of(union_of(shifted_up, narrow)) == ("observed_low", "prior_high")
    assert clips_of(move_range(narrow, 0.0, -1.0)) == ("observed_high", "observed_low")
    assert clips_of(move_range(narrow, 9.0)) == ("observed_low", "observed_high")
    low, high = (
        edit_hip((end, "rotateX", at), axes=(narrow, narrow, narrow))[0]
        for end, at in (("min", -9.0), ("max", 9.0))
    )
    assert low.limits["rotateX"].source.max.clip == "observed_high"
    assert high.limits["rotateX"].source.min.clip == "observed_low"


# --- a type by an edit -----------------------------------------------------------------------

BEND = Hinge((0.0, 0.0, 1.0), (0.0, 0.0, 1.0), "rotateZ", 2.0, -4.0, 96.0)
CANDIDATE = HingeCandidate(BEND, {"rotateX": 3.0, "rotateY": -2.0}, 4.0, 11.0)


@pytest.mark.parametrize(
    ("about_axis", "expected"),
    [(1.0, "; in the suggested orientation only 1.0 rms"), (3.9, ""), (None, "")],
)
def test_a_hinge_is_taken_and_given_back(about_axis, expected):
    ball = one_joint().joints["hip"]
    evidence = replace(
        ball.evidence, residual_deg={**ball.evidence.residual_deg, "hinge": about_axis}
    )
    axes = Universal((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    ball = replace(ball, type="universal", universal=axes, candidate=CANDIDATE, evidence=evidence)
    made = one_joint(joints={"hip": ball})
    taken = with_edits(made, [ArtistEdit("hip", "type", None, "hinge")])
    hip = taken.joints["hip"]
    assert (hip.type, hip.hinge, hip.universal) == ("hinge", BEND, None)
    assert [span_of(one) for one in hip.limits.values()] == [(3, 3), (-2, -2), (-10, 10)]
    assert [one.state for one in hip.limits.values()] == ["locked", "locked", "limited"]
    (finding,) = hip.findings
    assert finding.message == (
        "made a hinge about rotateZ, with rotateX at 3.0 and rotateY at -2.0: removes 4.0 "
        f"degrees rms from the motion, up to 11.0{expected}"
    )
    back = without_edits(taken).joints["hip"]
    assert (back.type, back.hinge, back.universal) == ("universal", None, axes)
    assert back.limits == ball.limits
    named = with_edits(made, [ArtistEdit("hip", "type", None, "fixed")]).joints["hip"]
    assert (named.type, named.limits, named.findings) == ("fixed", ball.limits, ())


def test_an_edited_orientation_says_that_the_ranges_are_of_the_old_one():
    own = one_joint().joints["hip"].frame
    same = {"rotate_order": own.rotate_order, "joint_orient_deg": own.joint_orient_deg}
    same["rotate_axis_deg"] = own.rotate_axis_deg
    assert not edit_hip(("orientation", None, same))[0].findings
    (finding,) = edit_hip(("orientation", None, {**same, "rotate_order": "zyx"}))[0].findings
    assert finding.message.startswith("orientation edited, but the ranges are for the old one")


# --- hinges of both sides --------------------------------------------------------------------


def test_hinges_join_only_where_their_axes_agree():
    wide = replace(BEND, min_deg=-20.0, max_deg=50.0)
    plain = replace(one_joint().joints["hip"], type="hinge")
    far = replace(BEND, min_deg=97.0, max_deg=99.0)
    own, other, apart = (
        one_joint(joints={"hip": replace(plain, hinge=one)}) for one in (BEND, wide, far)
    )
    union = merge(own, [other]).joints["hip"].hinge
    assert (union.min_deg, union.max_deg, union.axis_parent) == (-20.0, 96.0, BEND.axis_parent)
    both = merge(own, [other], how="intersection").joints["hip"].hinge
    assert (both.min_deg, both.max_deg) == (-4.0, 50.0)
    assert merge(own, [apart], how="intersection").joints["hip"].hinge in (BEND, far)
    assert merge(own, [other], how="layers").joints["hip"].hinge == wide


def test_a_lock_that_no_clip_has_shown_is_no_joint_that_never_moves():
    assert limit_set().joints["tail"].evidence.sure == "no motion"
    assert unmoved_joints(limit_set()) == frozenset()


@pytest.mark.parametrize(
    ("axes", "sure", "samples", "still"),
    [
        ((lock_at(1.0),) * 3, "no motion", 5, True),
        ((lock_at(1.0),) * 3, "no motion", 1, True),
        ((lock_at(1.0),) * 3, "no motion", 0, False),
        ((lock_at(1.0),) * 3, "clear", 5, False),
        ((lock_at(1.0), lock_at(1.0), NARROW), "no motion", 5, False),
        ((range_by("prior", 0, 0, "locked"),) * 3, "no motion", 5, False),
        ((range_by(("prior", "observed"), 0, 0, "locked"),) * 3, "no motion", 5, False),
        ((range_by(("observed", "prior"), 0, 0, "locked"),) * 3, "no motion", 5, False),
    ],
)
def test_keys_that_never_change(axes, sure, samples, still):
    plain = joint("fixed", axes)
    made = replace(plain, evidence=replace(plain.evidence, sure=sure, samples=samples))
    assert unmoved_joints(one_joint(joints={"hip": made})) == (frozenset({"hip"} if still else ()))
