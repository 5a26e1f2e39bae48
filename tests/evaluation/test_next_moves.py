"""What to record next."""

import pytest

from jointlimits_core.estimation import estimate
from jointlimits_core.evaluation import cross_validated, next_moves, support_of
from jointlimits_core.limits import AxisLimit, AxisSource, BoundSource, Hinge, RestPose
from jointlimits_core.motion import anatomical_name
from tests.support.evaluation_examples import limits
from tests.support.limit_set_examples import FREE, evidence, joint, locked
from tests.support.made_motion import clip, rotate, there_and_back

X_HINGE = Hinge((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rotateX", 0.0, 0.0, 90.0)


def source(clips, value, kind="observed"):
    return BoundSource(kind, "walk", 7.0, value, clips)


def bounded(low, high, low_clips, high_clips, kinds=("observed", "observed")):
    low_source = source(low_clips, low, kinds[0])
    high_source = source(high_clips, high, kinds[1])
    return AxisLimit("limited", low, high, 200.0, AxisSource(low_source, high_source))


def knee(axis, rest=0.0, **fields):
    pose = RestPose((rest, 0.0, 0.0), True, 0.0)
    return joint("hinge", (axis, locked(), locked()), hinge=X_HINGE, rest=pose, **fields)


CLIPS = ("walk", "run", "jump", "crawl")


def test_the_least_supported_bounds_come_first():
    ball = joint(
        "ball", (bounded(-20, 20, 2, 3), bounded(-70, 70, 1, 1), bounded(-9, 9, 0, 4)), hinge=None
    )
    found = next_moves(limits({"hip": ball}, CLIPS))
    suggested = [(move.channel, move.side, move.support.support) for move in found.moves]
    assert suggested == [
        ("rotateZ", "min", "not at all"),
        ("rotateY", "min", "once"),
        ("rotateY", "max", "once"),
        ("rotateX", "min", "few"),
    ]
    assert found.firm == 2
    assert found.clips == 4


def test_a_hinge_is_bent_and_straightened_in_words():
    found = next_moves(limits({"LeftKnee": knee(bounded(-3.0, 120.5, 1, 1))}, CLIPS))
    by_side = {move.side: move.sentence for move in found.moves}
    assert by_side["max"] == (
        "left knee (LeftKnee): bend it further (rotateX above 120.5 degrees). So far reached "
        "in 1 of 4 clips, furthest in walk, frame 7."
    )
    assert "straighten it further (rotateX below -3.0 degrees)" in by_side["min"]
    # Turned round: the knee that bends towards minus.
    other = next_moves(limits({"LeftKnee": knee(bounded(-120.5, 3.0, 1, 1))}, CLIPS))
    assert "bend it further (rotateX below -120.5" in other.moves[0].sentence
    # A hinge that goes as far either way is neither bent nor straightened.
    even = next_moves(limits({"k": knee(bounded(-60.0, 60.0, 1, 1))}, CLIPS))
    assert "turn it further about X, in the negative direction" in even.moves[0].sentence


def test_a_single_clip_and_a_bound_that_nobody_reached():
    (first, _) = next_moves(limits({"k": knee(bounded(0.0, 9.5, 1, 1))}, ("walk",))).moves
    assert first.sentence.endswith("So far reached in a single clip: walk, frame 7.")
    prior = bounded(0.0, 150.0, 3, 2, ("observed", "prior"))
    (move,) = next_moves(limits({"k": knee(prior)}, CLIPS)).moves
    assert (move.side, move.support.support) == ("max", "not at all")
    assert move.sentence.endswith(
        "(rotateX as far as 150.0 degrees). Not reached in any clip so far."
    )


def test_what_needs_no_move():
    joints = {
        "artist": knee(bounded(0.0, 90.0, 0, 0, ("artist", "artist"))),
        "free": joint("ball", (FREE, FREE, FREE)),
        "tiny": knee(bounded(0.0, 1.5, 1, 1)),
        "firm": knee(bounded(0.0, 90.0, 4, 3)),
        "still": joint("fixed", (locked(),) * 3, evidence=evidence((0,) * 4, None, "no motion")),
    }
    found = next_moves(limits(joints, CLIPS))
    assert found.moves == ()
    assert found.still == ("still",)
    assert found.firm == 4


def test_of_a_hinge_only_its_own_channel():
    wide = joint(
        "hinge", (bounded(0, 90, 1, 1), bounded(0, 30, 1, 1), bounded(0, 30, 1, 1)), hinge=X_HINGE
    )
    assert {move.channel for move in next_moves(limits({"k": wide}, CLIPS)).moves} == {"rotateX"}


def graded(clips, grade, band=None, stop="turned"):
    return BoundSource("observed", "walk", 7.0, 90.0, clips, 3, stop, band, grade)


def support(bound):
    return support_of(AxisLimit("limited", 0.0, 90.0, 1.0, AxisSource(None, bound)), "max")


def test_the_grade_of_a_bound_decides():
    assert support(graded(1, "firm")).support == "firm"
    assert support(graded(5, "open")).support == "few"
    assert support(graded(5, "seen")).support == "few"
    assert support(graded(1, "seen")).support == "once"
    assert support(graded(5, "untested")).support == "firm"


def test_of_equal_support_the_open_and_uncertain_come_first():
    bounds = {
        "seen": graded(1, "seen", (89.0, 99.0)),
        "open": graded(1, "open", (89.0, 95.0)),
        "wide": graded(1, "open", (80.0, 130.0)),
    }
    low = source(4, 0.0)
    joints = {
        name: knee(AxisLimit("limited", 0.0, 90.0, 1.0, AxisSource(low, bound)))
        for name, bound in bounds.items()
    }
    found = next_moves(limits(joints, CLIPS))
    assert [move.joint for move in found.moves] == ["wide", "open", "seen"]
    assert found.moves[0].support.width_deg == 50.0
    assert found.moves[0].sentence.endswith("; the true limit may be as far as 130.0.")


def test_a_band_that_no_joint_can_reach_is_unknown():
    bound = graded(1, "open", (80.0, 190.0))
    joints = {"k": knee(AxisLimit("limited", 0.0, 90.0, 1.0, AxisSource(source(4, 0.0), bound)))}
    (move,) = next_moves(limits(joints, CLIPS)).moves
    assert move.support.band_deg == (80.0, 190.0)
    assert move.sentence.endswith("; how far the true limit may be is unknown.")


def test_a_clip_that_is_cut_off_at_the_bound():
    axis = AxisLimit(
        "limited", 0.0, 90.0, 1.0, AxisSource(source(4, 0.0), graded(1, "open", stop="cut"))
    )
    (move,) = next_moves(limits({"k": knee(axis)}, CLIPS)).moves
    assert "furthest in walk, frame 7, cut off by the start or end of the clip." in move.sentence


def test_cross_validation_puts_the_loosest_first():
    clips = [
        clip(
            {"a": rotate(x=there_and_back(0, top, 50)), "b": rotate(x=there_and_back(0, 90, 50))},
            name=f"c{top}",
        )
        for top in (10, 40)
    ]
    limit_set = estimate(clips)
    crossed = cross_validated(clips)
    assert next_moves(limit_set).moves[0].joint == "a"  # reached once; the others twice
    both = next_moves(limit_set, crossed)
    assert (both.moves[0].joint, both.moves[0].side) == ("a", "max")
    assert both.to_dict()["moves"][0]["support"]["support"] == "once"


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("lfemur", "left hip"),
        ("rtibia", "right knee"),
        ("lhumerus", "left shoulder"),
        ("lowerback", "lower back"),
        ("lowerneck", "lower neck"),
        ("mixamorig:LeftForeArm", "left elbow"),
        ("|root|hero:R_thigh_jnt", "right hip"),
        ("knee_L", "left knee"),
        ("LeftUpLeg", "left hip"),
        ("LeftLeg", "left leg"),
        ("leg", "leg"),
        ("Spine1", "spine 1"),
        ("rthumb", "right thumb"),
        ("ring_02_l", "left ring 02"),
        ("root", "root"),
        ("Kopf", "kopf"),
        ("joint1", "joint1"),
        ("骨", "骨"),
        ("", ""),
        ("_", "_"),
    ],
)
def test_names_as_people_say_them(name, spoken):
    assert anatomical_name(name) == spoken
