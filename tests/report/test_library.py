"""Characters compared: ranges, outliers, other types, sides and performers apart, and the page."""

from __future__ import annotations

import json
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointlimits_core.base import Finding
from jointlimits_core.batch import (
    FindingsByRule,
    character_ranges,
    far_out,
    library_document,
    spread_of,
)
from jointlimits_core.limits import (
    AxisLimit,
    AxisSource,
    BoundSource,
    ChannelSymmetry,
    Frame,
    LimitSet,
    PairSymmetry,
    SymmetryRecord,
)
from jointlimits_core.report.html import MOST_CHARACTERS, MOST_ROWS, OPEN_ROWS, links_to
from jointlimits_core.report.html.library_page import MOST_JOINTS, library_page
from tests.support.limit_set_examples import FREE, evidence, joint, locked


def axis(low, high, grade="seen", beyond=2.0):
    sources = (
        BoundSource("observed", "walk", 1.0, low, 1, 1, "held", (low - beyond, low + 0.5), grade),
        BoundSource(
            "observed", "walk", 9.0, high, 1, 1, "held", (high - 0.5, high + beyond), grade
        ),
    )
    return AxisLimit("limited", low, high, 360.0 - (high - low), AxisSource(*sources))


def character(name, low=0.0, high=90.0, *, grade="seen", asymmetry=None, **changes):
    """A character with one knee."""
    axes = (axis(low, high, grade), locked(), FREE)
    pairs = ()
    if asymmetry is not None:
        signs = (1, 1, 1), "rest pose", 0.0, None
        pair = PairSymmetry("a:LKnee", "a:RKnee", "name", 0.0, *signs, asymmetry, False)
        pairs = (pair,)
    symmetry = SymmetryRecord("report", pairs) if pairs else None
    knee = joint(changes.pop("type", "hinge"), axes, **changes)
    limits = LimitSet(name, {f"{name}:knee": knee}, symmetry=symmetry)
    return character_ranges(name, limits, f"{name}.limits.json")


def document(*characters):
    return library_document(characters, {})


def test_the_same_joint_of_several_characters_whatever_their_namespace():
    found = document(character("a", 0, 90), character("b", 4, 100), character("c", 2, 95))
    (knee,) = found["joints"]
    assert (knee["joint"], knee["characters"], knee["types"]) == ("knee", 3, {"hinge": 3})
    bend = knee["channels"]["rotateX"]
    assert bend["min"] == {**_of([0.0, 4.0, 2.0])}
    assert bend["max"] == {**_of([90.0, 100.0, 95.0])}
    assert knee["channels"]["rotateY"]["max"]["most"] == 0.0
    assert knee["channels"]["rotateZ"] == {"free": 3, "min": None, "max": None}
    assert json.loads(json.dumps(found)) == found


def _of(values):
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    ends = {"least": min(values), "most": max(values)}
    return {"count": len(values), "median": middle, "low": low, "high": high, **ends}


def test_frames_in_which_numbers_mean_something_else_are_not_compared():
    turned = Frame("xyz", (0.0, 0.0, 90.0), (0.0, 0.0, 0.0))
    other = Frame("zyx", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    rounded = Frame("xyz", (0.0, 0.0, 0.01), (0.0, 0.0, 0.0))
    found = document(
        *(character("a"), character("b", frame=turned)),
        *(character("c", frame=other), character("d", frame=rounded)),
    )
    assert [row["characters"] for row in found["joints"]] == [2, 1, 1]


def test_turns_do_not_count():
    found = document(character("a", -10, 80), character("b", 350, 440), character("c", -370, -280))
    bend = found["joints"][0]["channels"]["rotateX"]
    assert (bend["min"]["least"], bend["min"]["most"]) == (-10.0, -10.0)
    assert (bend["max"]["least"], bend["max"]["most"]) == (80.0, 80.0)


def test_who_is_far_from_the_others():
    usual = [character(f"c{k}", k, 90 + k) for k in range(8)]
    found = document(*usual, character("wild", 3, 170), character("lazy", 60, 92))
    wild, lazy = found["outliers"]
    assert (wild["character"], wild["side"], wild["further"]) == ("wild", "max", True)
    assert (wild["value_deg"], wild["channel"]) == (170.0, "rotateX")
    assert wild["usual_deg"] == statistics.median([*range(90, 98), 170, 92])
    assert (lazy["character"], lazy["side"], lazy["further"]) == ("lazy", "min", False)
    assert document(*usual)["outliers"] == []


def test_the_clip_and_frame_of_what_is_far_out_and_what_was_found_there():
    usual = [character(f"c{k}", k, 90 + k) for k in range(8)]
    here = Finding("spike", "it stands out", "knee", "walk", ((2.0, 3.0), (9.0, 9.0)))
    others = (
        Finding("gimbal", "elsewhere", "knee", "walk", ((10.0, 20.0),)),
        Finding("euler-flip", "another clip", "knee", "run", ((9.0, 9.0),)),
        Finding("never-moves", "no frames", "knee", "walk"),
    )
    wild = character("wild", 3, 170, findings=(here, here, *others))
    (one,) = document(*usual, wild)["outliers"]
    assert one["seen"] == {"clip": "walk", "frame": 9.0, "findings": ("spike",)}
    page = library_page(document(*usual, wild))
    assert '<span>walk, frame 9<b class="warn">: spike</b></span>' in page
    assert '<a href="./wild.limits.json">wild</a>' in page


def test_what_was_found_in_a_whole_clip_counts_for_each_joint():
    knee = joint("hinge", (axis(0, 90), locked(), FREE))
    broken = Finding("frame-gap", "left out", None, "walk", ((5.0, 12.0),))
    found = character_ranges("a", LimitSet("a", {"knee": knee}, findings=(broken,)))
    low, high = found.joints["knee"].channels["rotateX"]
    assert (low.found, high.found) == ((), ("frame-gap",))


def test_a_bound_that_no_motion_has_reached_has_no_place():
    prior = AxisSource(BoundSource("prior", value_deg=0.0), BoundSource("prior", value_deg=170.0))
    usual = [character(f"c{k}", k, 90 + k) for k in range(8)]
    wide = joint("hinge", (AxisLimit("limited", 0.0, 170.0, 190.0, prior), locked(), FREE))
    data = document(*usual, character_ranges("wide", LimitSet("wide", {"knee": wide})))
    assert data["outliers"][0]["seen"] == {"clip": None, "frame": None, "findings": ()}
    assert "wide" not in data["limit_sets"]
    assert '<th scope="row">wide</th>' in library_page(data)


def test_a_minimum_below_the_others_goes_further():
    usual = [character(f"c{k}", k, 90) for k in range(6)]
    (one,) = document(*usual, character("wild", -80, 90))["outliers"]
    assert (one["character"], one["side"], one["further"]) == ("wild", "min", True)


@pytest.mark.thorough
@given(st.lists(st.floats(-200, 200), min_size=1, max_size=30))
def test_spread_and_far_out_by_their_definitions(values):
    spread = spread_of(values)
    assert spread.least <= spread.low <= spread.median <= spread.high <= spread.most
    middle = statistics.median(values)
    deviation = statistics.median([abs(value - middle) for value in values])
    expected = [
        place
        for place, value in enumerate(values)
        if len(values) >= 4 and abs(value - middle) > max(15.0, 3.5 * 1.4826 * deviation)
    ]
    assert far_out(values) == expected


def test_half_of_the_values_cannot_hide_the_one_that_is_far_out():
    assert far_out([0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 90.0, 91.0]) == [6, 7]


def test_other_types_only_where_both_are_clear():
    usual = [character(f"c{k}") for k in range(4)]
    unsure = evidence((30.0, 4.0, 0.3, 0.0), "universal", "close")
    found = document(
        *usual, character("x", type="ball"), character("y", type="ball", evidence=unsure)
    )
    assert found["other_types"] == [
        {"character": "x", "joint": "knee", "type": "ball", "usual": "hinge"}
    ]
    split = document(*usual[:2], character("x", type="ball"), character("y", type="ball"))
    assert split["other_types"] == []


def test_sides_apart():
    found = document(
        *(character("a", asymmetry=4.0), character("b", asymmetry=30.0)),
        *(character("c", asymmetry=12.0), character("d")),
    )
    (row,) = found["sides_apart"]
    assert (row["left"], row["right"], row["characters"], row["apart"]) == ("LKnee", "RKnee", 3, 2)
    assert (row["usual_deg"], row["worst_deg"], row["worst_by"]) == (12.0, 30.0, "b")
    assert found["sides_compared"] == 3
    assert document(character("a", asymmetry=4.0))["sides_apart"] == []


@pytest.mark.parametrize(
    ("sign", "further", "reaches", "side", "frame"),
    [
        (1, (0.0, 30.0), "RKnee", "max", 9.0),
        (1, (30.0, 0.0), "RKnee", "min", 1.0),
        (-1, (0.0, 30.0), "RKnee", "min", 1.0),
        (-1, (0.0, -30.0), "LKnee", "max", 9.0),
    ],
)
def test_the_bound_by_which_sides_are_apart_has_its_place(sign, further, reaches, side, frame):
    channel = ChannelSymmetry("rotateX", sign, (0.0, 9.0), (0.0, 9.0), further, (reaches,) * 2)
    signs = (sign, 1, 1), "rest pose", 0.0, None
    pair = PairSymmetry("a:LKnee", "a:RKnee", "name", 0.0, *signs, 30.0, False, (channel,))
    knees = {
        f"a:{name}": joint("hinge", (axis(0, 90), locked(), FREE)) for name in ("LKnee", "RKnee")
    }
    limits = LimitSet("a", knees, symmetry=SymmetryRecord("report", (pair,)))
    data = document(character_ranges("a", limits))
    (row,) = data["sides_apart"]
    assert (row["worst_joint"], row["worst_channel"], row["worst_side"]) == (
        *(reaches, "rotateX", side),
    )
    assert row["worst_seen"] == {"clip": "walk", "frame": frame, "findings": ()}
    words = "maximum" if side == "max" else "minimum"
    assert f"{reaches} X {words}" in library_page(data)


def test_performers_apart_by_what_lies_between_their_bands():
    (row,) = document(character("stiff", 0, 60), character("b", 0, 65), character("gym", 0, 100))[
        "performers_apart"
    ]
    assert (row["least_by"], row["most_by"]) == ("stiff", "gym")
    assert (row["least_deg"], row["most_deg"], row["side"]) == (60.0, 100.0, "max")
    assert math.isclose(row["apart_deg"], 99.5 - 62.0)
    assert row["least_seen"] == row["most_seen"]
    assert row["most_seen"] == {"clip": "walk", "frame": 9.0, "findings": ()}


@pytest.mark.parametrize("grade", ["open", "untested"])
def test_who_has_not_moved_that_far_disagrees_with_nobody(grade):
    shy = character("shy", 0, 20, grade=grade)
    assert document(shy, character("gym", 0, 100))["performers_apart"] == []


def test_two_joints_of_one_name_are_neither():
    knees = {f"a|{k}|knee": joint("hinge", (axis(0, 9), FREE, FREE)) for k in range(2)}
    assert character_ranges("a", LimitSet("a", knees)).joints == {}


def test_joints_that_nothing_animates_are_left_out():
    still = joint("fixed", (locked(), locked(), locked()), animated=False)
    assert character_ranges("a", LimitSet("a", {"knee": still})).joints == {}


def test_the_page_is_the_same_each_time_and_shows_nothing_as_markup():
    evil = '<script>alert("x")</script>'
    usual = [character(f"c{k}", k, 90 + k) for k in range(8)]
    found = FindingsByRule()
    found.add(evil, [Finding(evil, evil, evil, evil, ((1.0, 2.0),))])
    data = library_document([*usual, character(evil, 3, 170)], {"gone": evil}, found)
    page = library_page(data)
    assert page == library_page(json.loads(json.dumps(data)))
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "Outliers" in page
    assert "Left and right were not compared" in page
    assert "1 character skipped" in page


def test_a_quiet_library_has_a_quiet_page():
    page = library_page(document(character("a", asymmetry=0.0), character("b", asymmetry=0.0)))
    assert "Nothing stands out." in page
    assert "Outliers" not in page
    assert "Notes" not in page


def found_in(characters):
    """A library of no joints in which those were found: {character: rules}."""
    found = FindingsByRule()
    for name, rules in characters.items():
        found.add(name, [Finding(rule, f"{rule} of {name}", clip="walk") for rule in rules])
    return library_document([], {}, found)


def test_findings_by_rule_with_the_characters_that_have_them():
    data = found_in({"a": ["never-moves", "spike"], "b": ["spike", "spike"], "c": ["frame-count"]})
    rows = data["findings"]
    assert [(row["rule"], row["told"]) for row in rows] == [
        *(("spike", True), ("frame-count", True), ("never-moves", False))
    ]
    assert rows[0]["characters"] == [{"name": "b", "findings": 2}, {"name": "a", "findings": 1}]
    assert rows[0]["findings"] == 3
    assert rows[0]["example"] == {
        "character": "a",
        "joint": None,
        "message": "spike of a",
        "place": "clip walk",
    }
    page = library_page(data)
    assert ": 3 characters: spike, frame-count</li>" in page
    assert "a: spike of a (clip walk)" in page
    assert "<summary>In motion and rig: 1 rule</summary>" in page


def test_what_the_motion_is_like_is_nothing_that_stands_out():
    page = library_page(found_in({"a": ["never-moves"]}))
    assert "Nothing stands out." in page
    assert "In files and clips" not in page
    assert "never-moves" in page


@pytest.mark.thorough
def test_the_findings_of_ten_thousand_characters_are_a_short_page():
    data = found_in({f"character {k}": ["frame-count"] for k in range(10_000)})
    page = library_page(data)
    assert f"and {10_000 - MOST_CHARACTERS} more, see library.json" in page
    assert len(page) < 30_000
    assert len(data["findings"][0]["characters"]) == 10_000


def test_names_of_files_cannot_lead_elsewhere():
    link = links_to({"a": "javascript:alert(1)", "b": 'x" onclick="y#?.json'})
    assert link("a") == '<a href="./javascript%3Aalert%281%29">a</a>'
    assert link("b") == '<a href="./x%22%20onclick%3D%22y%23%3F.json">b</a>'


def test_a_short_table_has_nothing_to_fold_out():
    usual = [character(f"c{k}", 0, 90) for k in range(3 * OPEN_ROWS)]
    wild = [character(f"w{k}", 0, 150 + k / 10) for k in range(OPEN_ROWS)]
    assert "<details>" not in library_page(document(*usual, *wild))
    assert "<summary>1 more</summary>" in library_page(
        document(*usual, *wild, character("last", 0, 149))
    )


def test_long_tables_end_and_say_where_the_rest_is():
    usual = [character(f"c{k}", 0, 90) for k in range(3 * MOST_ROWS)]
    wild = [character(f"w{k}", 0, 150 + k / 10) for k in range(MOST_ROWS + 20)]
    page = library_page(document(*usual, *wild))
    assert "20 more in library.json." in page
    assert page.count("<td>goes further</td>") == MOST_ROWS


@pytest.mark.thorough
def test_the_page_shows_the_joints_that_most_characters_have():
    rigs = [
        character(f"c{k}", frame=Frame("xyz", (float(k), 0.0, 0.0), (0.0, 0.0, 0.0)))
        for k in range(MOST_JOINTS + 5)
    ]
    common = [character(f"d{k}", frame=Frame("zyx", (0.0, 0.0, 0.0), (0.0,) * 3)) for k in range(2)]
    page = library_page(document(*rigs, *common))
    assert page.count('rowspan="3">knee</th>') == MOST_JOINTS
    assert '<td class="right" rowspan="3">2</td>' in page
    assert "6 more in library.json." in page
