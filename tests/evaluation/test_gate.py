"""What a gate lets pass, and what a baseline knows."""

import json

import pytest

from jointlimits_core.api import check
from jointlimits_core.base.errors import InputError, OptionError
from jointlimits_core.evaluation.baseline import Entry, read_baseline, write_baseline
from jointlimits_core.evaluation.by_limit import by_limit
from jointlimits_core.evaluation.gate import Gate
from tests.support.evaluation_examples import box, limits
from tests.support.made_motion import clip, rotate

ODD = "a.X.min"
"""A joint whose name looks like a limit of a joint."""
SET = limits({name: box((0, 10), (0, 10), None) for name in ("lknee", "rknee", "b=c,d", ODD)})
KNEE = limits({"knee": box((0, 10), None, None)}, options={"leave_out": []})


def knee(values, name="walk"):
    return clip({"knee": rotate(x=values)}, name=name)


# Values for some limits


@pytest.mark.parametrize(
    ("text", "place", "value"),
    [
        ("5", ("lknee", "rotateX", "max"), 5.0),
        ("5,l*=20", ("lknee", "rotateX", "max"), 20.0),
        ("l*=20,5", ("lknee", "rotateX", "max"), 20.0),
        ("5,l*=20", ("rknee", "rotateX", "max"), 5.0),
        ("l*=20", ("rknee", "rotateX", "max"), 0.1),
        ("?knee.X.min=1,l*=20", ("lknee", "rotateX", "min"), 1.0),
        ("?knee.rotateX.min=1,l*=20", ("lknee", "rotateX", "max"), 20.0),
        ("lknee=1,l*=2", ("lknee", "shape", "hull"), 2.0),
        ("5,b=c,d=7,rknee=8", ("b=c,d", "rotateX", "max"), 7.0),
        ("5,b=c,d.Y.max=7", ("b=c,d", "rotateY", "max"), 7.0),
        (f"{ODD}=3", (ODD, "rotateY", "max"), 3.0),
        (f"{ODD}.Y.max=3", (ODD, "rotateY", "min"), 0.1),
    ],
)
def test_the_more_specific_value_wins_and_then_the_later(text, place, value):
    assert by_limit("tolerance_deg", text, SET).value_for(*place) == value


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tolerance_deg", "l*=-1", "number from 0 degrees, or JOINT=VALUE"),
        ("tolerance_deg", "l*=", "not 'l*='"),
        ("tolerance_deg", "lknee", "not 'lknee'"),
        ("tolerance_deg", "inf", "not 'inf'"),
        ("allow_percent", "l*=101", "from 0 to 100"),
        ("for_frames", "l*=0", "from 1 frames"),
        ("for_frames", "l*=1.5", "whole number"),
        ("for_frames", "lkne=2", "no joint matches 'lkne'; did you mean lknee"),
        ("for_frames", "lknee.X.mix=2", "no joint matches 'lknee.X.mix'"),
    ],
)
def test_other_values_are_rejected(name, text, words):
    with pytest.raises(OptionError, match=name) as caught:
        by_limit(name, text, SET)
    assert words in str(caught.value)


# What decides

# Two runs of 2 and 3 frames beyond 10, of 10 frames; worst 15.
VALUES = [0, 12, 12, 5, 0, 13, 25, 14, 5, 0]


@pytest.mark.parametrize(
    ("options", "passed", "rule", "value", "counted"),
    [
        ({}, False, "tolerance", 0.1, 5),
        ({"tolerance_deg": 2.5}, False, "tolerance", 2.5, 3),
        ({"for_frames": 3}, False, "for", 3, 3),
        ({"for_frames": 4}, True, "for", 4, 0),
        ({"allow_percent": 49}, False, "allow", 49, 5),
        ({"allow_percent": 50}, True, "allow", 50, 5),
        ({"for_frames": 3, "allow_percent": 29}, False, "allow", 29, 3),
        ({"for_frames": 3, "allow_percent": 30}, True, "allow", 30, 3),
        ({"for_frames": "4,knee.X.max=2"}, False, "for", 2, 5),
        ({"for_frames": "4,knee.X.min=1"}, True, "for", 4, 0),
        ({"allow_percent": "50,knee=10"}, False, "allow", 10, 5),
    ],
)
def test_each_rule(options, passed, rule, value, counted):
    result = check(KNEE, knee(VALUES), **options)
    (item,) = result.clips[0].violations.bounds
    assert (item.passed, item.rule, item.rule_value, item.counted) == (passed, rule, value, counted)
    assert result.passed == passed
    assert item.share_percent == 10 * item.frames
    assert item.longest == 3
    (joint,) = result.to_dict()["joints"]
    decided = [joint[name] for name in ("passed", "rule", "rule_value", "counted")]
    assert decided == [passed, rule, value, counted]
    assert joint["motions_failed"] == (not passed)


def test_a_tolerance_for_one_end_leaves_the_other():
    found = check(KNEE, knee([-5, 15, 0, 5]), tolerance_deg="20,knee.X.min=1").clips[0].violations
    assert [(item.side, item.frames) for item in found.bounds] == [("min", 1)]
    assert found.is_outside.tolist() == [[True, False, False, False]]


def test_ignored_joints_are_not_compared():
    pair = limits({name: box((0, 10), None, None) for name in ("lknee", "rknee", "hip")})
    motion = clip({"lknee": rotate(x=[0, 30]), "rknee": rotate(x=[0, 20])})
    result = check(pair, motion, ignore="l*,hip")
    assert result.clips[0].violations.joints == ("rknee",)
    assert result.clips[0].violations.missing == ()
    assert [one.item.joint for one in result.joints()] == ["rknee"]
    assert check(pair, motion, ignore="?knee").passed
    with pytest.raises(OptionError, match="no joint matches 'foot'"):
        check(pair, motion, ignore="foot")


def test_joints_are_summed_up_over_motions_the_worst_first():
    pair = limits({name: box((0, 10), None, None) for name in ("a", "b")})
    walk = clip({"a": rotate(x=[0, 40, 0]), "b": rotate(x=[0, 0, 0])}, name="walk")
    run = clip({"a": rotate(x=[0, 30, 30]), "b": rotate(x=[0, 20, 20])}, name="run")
    joints = check(pair, [walk, run], for_frames=2).joints()
    assert [(one.item.joint, one.clip.file, one.item.passed) for one in joints] == [
        *(("a", "run", False), ("b", "run", False))
    ]
    assert [one.failed for one in joints] == [1, 1]


# Baselines


@pytest.fixture
def baseline(tmp_path):
    """Baseline of a walk of ten frames: five beyond 10, the worst by 15."""
    path = tmp_path / "known.json"
    write_baseline(check(KNEE, knee(VALUES)), path)
    return path


def test_a_baseline_is_read_back(baseline):
    found = read_baseline(baseline, KNEE)
    assert found.entry("walk", "knee", "rotateX", "max") == Entry(5, pytest.approx(15.0))
    assert found.entry("walk", "knee", "rotateX", "min") is None
    assert found.entry("run", "knee", "rotateX", "max") is None
    assert check(KNEE, knee(VALUES), baseline=found).passed


def test_a_baseline_tells_motions_apart_by_name(baseline):
    before, twice = baseline.read_bytes(), [knee(VALUES), knee([0, 5])]
    with pytest.raises(ValueError, match="two motions are called walk"):
        write_baseline(check(KNEE, twice), baseline)
    with pytest.raises(ValueError, match="two motions are called walk"):
        check(KNEE, twice, baseline=baseline)
    assert baseline.read_bytes() == before


@pytest.mark.parametrize(
    ("values", "name", "options", "passed"),
    [
        (VALUES, "walk", {}, True),
        (VALUES, "run", {}, False),
        ([0, 25.05], "walk", {}, True),
        ([0, 25.2], "walk", {}, False),
        ([0, 29], "walk", {"tolerance_deg": 5}, True),
        ([0, 12, 12, 12, 12, 12, 12], "walk", {}, False),
        ([0, 12, 12, 12, 12, 12, 12], "walk", {"for_frames": 2}, True),
        ([0, 12, 12, 12, 12, 12, 12, 12], "walk", {"for_frames": 2}, False),
        ([-5, 0], "walk", {}, False),
    ],
)
def test_news_fail_and_what_is_in_the_baseline_passes(baseline, values, name, options, passed):
    result = check(KNEE, knee(values, name), baseline=baseline, **options)
    assert result.passed == passed
    (item,) = result.clips[0].violations.bounds
    assert (item.rule == "baseline") == passed
    known = name == "walk" and item.side == "max"
    assert item.baseline_deg == (pytest.approx(15.0) if known else None)
    assert item.verdict().endswith("baseline 15.0") == known


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "jointlimits.limits"}, "expected a baseline"),
        ({"version": 2}, "version: expected 1, found 2"),
        ({"character": "another"}, "the baseline is for 'another', the limits for"),
        ({"more": 1}, "more: unknown field"),
        ({"motions": {"walk": {"hip.rotateX.max": {"frames": 1, "worst_deg": 1}}}}, "not one of"),
        ({"motions": {"walk": {"knee.rotateX": {"frames": 1, "worst_deg": 1}}}}, "not one of"),
        ({"motions": {"walk": {"knee.rotateX.max": {"frames": 0, "worst_deg": 1}}}}, "at least 1"),
        ({"motions": {"walk": {"knee.rotateX.max": {"frames": 1}}}}, "'worst_deg' is missing"),
        ({"motions": []}, "motions: expected object"),
    ],
)
def test_another_file_is_no_baseline(baseline, changes, words):
    baseline.write_text(json.dumps(json.loads(baseline.read_text("utf-8")) | changes))
    with pytest.raises(InputError) as caught:
        read_baseline(baseline, KNEE)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(baseline))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00", '{"a": 1, "a": 2}'])
def test_text_that_is_no_document(baseline, text):
    baseline.write_text(text)
    with pytest.raises(InputError, match=r"known\.json"):
        read_baseline(baseline, KNEE)


def test_the_default_gate_lets_nothing_pass():
    assert str(Gate()) == "tolerance 0.1 degrees"
    assert Gate.from_values(KNEE) == Gate()
    words = str(Gate.from_values(KNEE, "5,knee.X.min=1", 3, 2.5, "knee"))
    expected = "tolerance 5,knee.X.min=1 degrees; for 3 frames; allow 2.5 %; without knee"
    assert words == expected
