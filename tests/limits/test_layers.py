"""Layers: an artist's edits win, survive every re-estimate, and can be taken back."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.geometry.euler import CHANNELS
from jointlimits_core.limits.layers import locks, reset, with_edits, without_edits
from jointlimits_core.limits.records import ArtistEdit
from tests.support.layered_sets import axis, one_joint, spans
from tests.support.limit_set_examples import FREE
from tests.support.made_motion import clip, rotate, waves


def estimate_clips(*clips):
    return estimate([clip(channels, name=name) for name, channels in clips])


def swing(*ranges):
    return {"hip": rotate(*waves(*ranges))}


FIRST = ("walk", swing((-30.0, 60.0), (-10.0, 20.0), (-5.0, 15.0)))
SECOND = ("jump", swing((-50.0, 100.0), (-40.0, 5.0), (-30.0, 30.0)))


def edits_of(target, values, channels=CHANNELS, joints=("hip",)):
    chosen = st.sampled_from(channels) if channels else st.none()
    return st.builds(ArtistEdit, st.sampled_from(joints), st.just(target), chosen, values)


some_edits = st.lists(
    edits_of("min", st.none() | st.floats(-300, 0), joints=("hip", "nobody"))
    | edits_of("max", st.none() | st.floats(0, 300))
    | edits_of("state", st.sampled_from(["limited", "locked"]))
    | edits_of("type", st.sampled_from(["hinge", "ball"]), channels=None),
    max_size=6,
)

BASE = estimate_clips(FIRST)
OTHER = estimate_clips(SECOND)


@pytest.mark.thorough
@given(some_edits)
def test_edits_are_idempotent_and_can_be_taken_off(edits):
    try:
        once = with_edits(BASE, edits)
    except ValueError:  # a locked channel's pose can lie beyond an edited bound
        return
    assert with_edits(once, edits) == once
    assert with_edits(once, ()) == once
    assert without_edits(once) == BASE
    given = {edit.key for edit in edits}
    added = {edit.key for edit in once.edits if edit.key not in given}  # angles of locks
    assert added <= {(e.joint, end, e.channel) for e in edits for end in ("min", "max")}


@pytest.mark.thorough
@given(some_edits)
def test_every_edited_bound_is_in_force_after_a_re_estimate(edits):
    try:
        again = with_edits(OTHER, with_edits(BASE, edits).edits)
    except ValueError:
        return
    for edit in again.edits:
        if edit.target in ("min", "max") and edit.joint == "hip":
            limit = again.joints["hip"].limits[edit.channel]
            value = limit.min_deg if edit.target == "min" else limit.max_deg
            source = limit.source.min if edit.target == "min" else limit.source.max
            assert value == edit.value
            assert source.kind == "artist"


def test_a_lock_survives_other_clips():
    locked = with_edits(BASE, locks(BASE, "hip"))
    assert spans(locked, "hip") == spans(BASE, "hip")
    again = with_edits(OTHER, locked.edits)
    assert spans(again, "hip") == spans(BASE, "hip")
    assert spans(without_edits(again), "hip") == spans(OTHER, "hip")
    texts = [f.message for f in again.joints["hip"].findings if f.rule == "artist-edit"]
    assert any("the motion goes 40.0 degrees beyond" in text for text in texts)


def test_a_lock_without_a_value_takes_the_data_of_its_day():
    locked = with_edits(BASE, [ArtistEdit("hip", "max", "rotateX")])
    assert locked.edits[0].value == pytest.approx(60.0, abs=0.01)
    again = with_edits(OTHER, locked.edits)
    assert spans(again, "hip")[0] == pytest.approx((-50.0, 60.0), abs=0.01)


def test_what_the_data_say_is_kept_and_follows_them():
    edited = with_edits(BASE, [ArtistEdit("hip", "max", "rotateX", 45.0, "trousers", "ann")])
    (edit,) = edited.edits
    assert edit.replaced["max_deg"] == pytest.approx(60.0, abs=0.01)
    assert edit.replaced["source"]["max"]["clip"] == "walk"
    (edit,) = with_edits(OTHER, [edit]).edits
    assert edit.replaced["max_deg"] == pytest.approx(100.0, abs=0.01)
    assert (edit.note, edit.author) == ("trousers", "ann")


def test_reset_takes_back_one_thing_or_all():
    edits = [ArtistEdit("hip", "max", c, 10.0) for c in CHANNELS] + [
        ArtistEdit("hip", "type", value="hinge")
    ]
    edited = with_edits(BASE, edits)
    assert edited.joints["hip"].type == "hinge"
    one = reset(edited, "hip", "max", "rotateX")
    assert spans(one, "hip")[0] == spans(BASE, "hip")[0]
    assert spans(one, "hip")[1][1] == 10.0
    assert reset(one, "hip") == BASE


def test_a_later_edit_takes_the_place_of_an_earlier_one():
    first = with_edits(BASE, [ArtistEdit("hip", "max", "rotateX", 45.0)])
    second = with_edits(first, [ArtistEdit("hip", "max", "rotateX", 30.0)])
    assert len(second.edits) == 1
    assert spans(second, "hip")[0][1] == 30.0
    assert second.edits[0].replaced["max_deg"] == pytest.approx(60.0, abs=0.01)


def test_frames_and_notes():
    frame = {
        "rotate_order": "zyx",
        "joint_orient_deg": [0.0, 0.0, 10.0],
        "rotate_axis_deg": [0.0, 0.0, 0.0],
        "kind": "own",
    }
    edits = [
        ArtistEdit("hip", "orientation", value=frame),
        ArtistEdit("hip", "note", value="ask Bo about the cape"),
    ]
    edited = with_edits(BASE, edits)
    hip = edited.joints["hip"]
    assert hip.orientation.rotate_order == "zyx"
    assert hip.orientation.joint_orient_deg == (0.0, 0.0, 10.0)
    assert "estimate again" in hip.findings[-1].message
    assert without_edits(edited) == BASE


def test_edits_of_missing_joints_wait():
    edited = with_edits(BASE, [ArtistEdit("tail", "max", "rotateX", 5.0)])
    assert edited.joints == BASE.joints
    assert "1 edit kept for joint 'tail', which is not in this set" in edited.findings[-1].message
    tail = {"tail": rotate(*waves((-9.0, 9.0), (-3.0, 3.0), (-2.0, 2.0)))}
    later = with_edits(estimate_clips(("wag", tail)), edited.edits)
    assert spans(later, "tail")[0][1] == 5.0


FRAME = {"rotate_order": "xyz", "joint_orient_deg": [0, 0, 0], "rotate_axis_deg": [0, 0, 0]}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"target": "middle"}, "target must be one of"),
        ({"target": "min"}, "'min' needs a channel"),
        ({"target": "type", "channel": "rotateX", "value": "ball"}, "takes no channel"),
        ({"target": "min", "channel": "rotateX", "value": "high"}, "must be between"),
        ({"target": "min", "channel": "rotateX", "value": float("nan")}, "must be between"),
        ({"target": "max", "channel": "rotateX", "value": True}, "must be between"),
        ({"target": "type", "value": "saddle"}, "type must be one of"),
        ({"target": "state", "channel": "rotateX", "value": "stuck"}, "state must be one of"),
        (
            {"target": "orientation", "value": {"rotate_order": "xyz"}},
            "value must be an orientation with joint_orient_deg, rotate_axis_deg, rotate_order",
        ),
        ({"target": "note"}, "value must be text, not None"),
        ({"target": "note", "value": "a", "author": 5}, "note, author and date must be text"),
        (
            {"target": "orientation", "value": {**FRAME, "rotate_order": "abc"}},
            "must be one of xyz",
        ),
        ({"target": "orientation", "value": {**FRAME, "rotate_axis_deg": [0, 0]}}, "three angles"),
        ({"target": "orientation", "value": {**FRAME, "joint_orient_deg": [0, 0, 1e9]}}, "between"),
        ({"target": "orientation", "value": {**FRAME, "more": 1}}, "must be an orientation"),
    ],
)
def test_edits_that_make_no_sense(fields, message):
    with pytest.raises(ValueError, match=f"'hip'.*{message}"):
        ArtistEdit("hip", **fields)


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        (
            [ArtistEdit("hip", "min", "rotateX", 50.0), ArtistEdit("hip", "max", "rotateX", 20.0)],
            "min 50 is above max 20",
        ),
        (
            [ArtistEdit("hip", "min", "rotateW", 0.0)],
            "channel must be one of rotateX, rotateY, rotateZ, not 'rotateW'",
        ),
        ([ArtistEdit("hip", "state", "rotateY", "limited")], "set a min or a max too"),
        ([ArtistEdit("hip", "min", "rotateY")], "set a min or a max too"),
    ],
)
def test_edits_that_cannot_be_applied(edits, message):
    made = one_joint(axes=(axis(-30.0, 90.0), FREE, axis(-10.0, 10.0)))
    with pytest.raises(ValueError, match=message):
        with_edits(made, edits)


def test_applied_edits_survive_json():
    edited = with_edits(BASE, locks(BASE, "hip"))
    stored = json.loads(json.dumps([edit.to_dict() for edit in edited.edits]))
    read = tuple(ArtistEdit.from_dict(item) for item in stored)
    held = dataclasses.replace(edited, edits=read)
    assert without_edits(held) == BASE
    assert spans(with_edits(OTHER, read), "hip") == spans(BASE, "hip")


def test_unknown_fields_are_refused():
    with pytest.raises(ValueError, match="unknown fields: colour"):
        ArtistEdit.from_dict({"joint": "hip", "target": "note", "value": "", "colour": 1})


def test_a_locked_channel_is_held_at_the_preferred_angle():
    made = one_joint()
    hip = dataclasses.replace(made.joints["hip"], preferred_deg=(12.0, 3.0, -4.0))
    made = dataclasses.replace(made, joints={"hip": hip})
    edits = [ArtistEdit("hip", "state", channel, "locked") for channel in CHANNELS]
    assert spans(with_edits(made, edits), "hip") == [(12.0, 12.0), (3.0, 3.0), (-4.0, -4.0)]


def test_the_lock_of_a_free_channel_says_that_it_is_free():
    made = one_joint(axes=(FREE, axis(-1.0, 2.0), axis(-1.0, 1.0)))
    assert locks(made, "hip", CHANNELS[:2]) == [
        ArtistEdit("hip", "state", "rotateX", "free"),
        ArtistEdit("hip", "min", "rotateY", -1.0),
        ArtistEdit("hip", "max", "rotateY", 2.0),
    ]


def test_a_locked_angle_of_the_papers_mode_is_held_at_zero():
    limits = dict.fromkeys(("phi", "psi", "theta"), axis(-10.0, 20.0))
    made = one_joint(mode="paper")
    hip = dataclasses.replace(made.joints["hip"], limits=limits, preferred_deg=(12.0, 3.0, -4.0))
    made = dataclasses.replace(made, joints={"hip": hip})
    edited = with_edits(made, [ArtistEdit("hip", "state", "psi", "locked")])
    found = edited.joints["hip"].limits["psi"]
    assert (found.state, found.min_deg, found.max_deg) == ("locked", 0.0, 0.0)
