"""The report: its words and its page, as the data from which the script draws it."""

import re
from dataclasses import replace

import pytest

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.progress import Cancelled
from jointlimits_core.estimation.coupled import with_coupled_limits
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.records import ArtistEdit, Dependency
from jointlimits_core.limits.vocabulary import range_text
from jointlimits_core.report.figures.samples import samples_of
from jointlimits_core.report.html.limits_page import write_report
from jointlimits_core.report.html.words import coupled_words, dial, limit_source, verdict
from tests.support.house_files import ROOT
from tests.support.limit_set_examples import FREE, evidence, limit_set, lock, motion, span
from tests.support.page_streams import Page, content_of, data_of, only_script, pieces, words_of
from tests.support.shared_data import shared_path
from tests.support.trusted_limits import advice, asymmetric, range_of

EXAMPLES = ROOT / "examples"


# Words


def test_verdicts():
    joints = limit_set().joints
    assert verdict(joints["knee"]) == (
        "A hinge explains all but 0.3° of the motion. Close runner-up: a universal joint."
    )
    assert verdict(joints["hip"]).startswith(
        "Only a ball joint explains the motion: a universal joint would leave 0.3° and a hinge "
        "would leave 4.0° unexplained. Runner-up: a universal joint, residual 0.3°."
    )
    assert "so it has no limits" in verdict(joints["root"])
    assert "no motion" in verdict(joints["tail"])
    still = replace(joints["tail"], evidence=evidence((0.4, None, None, None), "hinge"))
    assert verdict(still).startswith("The joint stays within 0.4° of one pose.")
    bare = replace(joints["knee"], evidence=evidence((None,) * 4, None))
    assert verdict(bare) == "A hinge explains the motion."
    exact = replace(joints["knee"], evidence=evidence((40.0, 0.04, None, None), None))
    assert verdict(exact) == "A hinge explains all of the motion."


def test_limits_and_poses_in_words():
    source = span(-1.0, 2.0).source.min
    assert limit_source(None) == "–"
    assert limit_source(source) == "walk, frame 3"
    padded = replace(source, kind="padded")
    assert limit_source(padded) == "walk, frame 3, padded beyond −1.0°"
    assert limit_source(replace(source, kind="artist")) == "set by the artist"
    assert limit_source(replace(source, kind="prior")) == "from published ranges"
    assert range_text(span(-1.0, 2.0)) == "−1.0° to 2.0°"
    assert range_text(FREE) == "no limit"


@pytest.mark.parametrize(
    ("axis", "words", "ends", "kinds"),
    [
        (span(-12.3, 40.0), "-12.3 to 40.0 degrees", 2, ["gap", "interval"]),
        (lock(7.0), "locked at 7.0°", 2, ["gap"]),
        (FREE, "no limit", 0, ["free"]),
        (replace(span(-40.0, 1.0), max_deg=None), "from −40.0°", 1, ["free"]),
        (replace(span(-1.0, 30.0), min_deg=None), "up to 30.0°", 1, ["free"]),
    ],
    ids=["limited", "locked", "free", "minimum", "maximum"],
)
def test_dials_say_what_they_show(axis, words, ends, kinds):
    drawn = dial("rotateY", axis, 3.0)
    assert drawn["label"] == f"Angle circle of Y: {words}, rest pose at 3.0 degrees"
    assert len(drawn["ends"]) == ends
    assert [kind for kind, _, _ in drawn["arcs"]] == kinds


# The page


def written(path, limits, motions, **more):
    write_report(limits, motions, path, **more)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page_text(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "person.html"
    return written(path, limit_set(), [motion()])


@pytest.mark.thorough
def test_the_page_stands_alone_and_is_the_same_each_time(page_text, tmp_path):
    page = Page(page_text)
    assert not {"link", "iframe", "object", "img"} & set(page.names)
    assert page_text.startswith("<!DOCTYPE html>")
    (policy,) = (value for value in page.values("content") if "'none'" in value)
    assert "unsafe" not in policy
    only_script(page_text)
    # Names of namespaces are no addresses to load from.
    script = page_text.replace("http://www.w3.org/", "")
    assert not re.search(r"https?:|@import|url\(|fetch\(|XMLHttp|eval\(|innerHTML", script)
    assert written(tmp_path / "again.html", limit_set(), [motion()]) == page_text


def test_suggestions_are_in_small_print_below_a_settled_list(tmp_path):
    order = Finding("order-useless", "hits gimbal lock", "knee")
    knee = replace(limit_set().joints["knee"], findings=(order,))
    limits = limit_set(symmetry=None, joints={"knee": knee})
    (found,) = pieces(content_of(written(tmp_path / "p.html", limits, [])), "review")
    assert found["class"] == "review settled"
    assert words_of(found) == (
        "1 joint measured, nothing to look at Suggestions knee : hits gimbal lock . "
        "Use the suggested orientations: --orientation advised"
    )


def test_every_joint_is_reached(page_text):
    content = content_of(page_text)
    ids = re.findall(r'"id":"([^"]*)"', page_text.partition('id="page-data"')[2])
    assert len(ids) == len(set(ids))
    links = pieces(content, "a")
    assert {link["href"] for link in links} <= {f"#{one}" for one in ids}
    assert {f"joint-{n}" for n in range(5)} <= set(ids)
    # Channels that are locked need no dial.
    assert len(pieces(content, "dial")) == 9
    frames = {(link["data-frame"], link["data-joint"]) for link in pieces(content, "go")}
    assert frames == {(2, 1), (2, 2), (2, 3)}  # frame 3 of knee, ankle and hip


def test_the_page_says_what_the_limits_say(page_text):
    text = words_of(content_of(page_text))
    for words in (
        "Joint limits of person",
        "5 joints from 1 clip, 200 frames.",
        "Rest pose: bind.",
        "150.0° to 210.0°",
        "euler-flip",
        "clip walk, frames 7-9, 12",
        "50.0° outside",
        "Close runner-up: ",
        "Joints that do not move",
        "Z locked at 7.1°",
        "ngles are rounded to 0.1 degrees.",
    ):
        assert words in text
    assert not any(words in text for words in ("Every limit has a grade", "Left and right"))


def test_without_a_script_there_is_a_table_of_the_limits(page_text):
    page = Page(page_text)
    assert page.names.count("noscript") == page.names.count("table") == 1
    assert page.rows[0] == ["joint", "type", "limits"]
    assert page.rows[2] == ["knee", "hinge", "X 0.0° to 140.0°, Y locked at 0.0°, Z locked at 0.0°"]


def test_without_motions_there_are_numbers_and_no_pictures(tmp_path):
    text = written(tmp_path / "bare.html", limit_set(), [])
    assert pieces(content_of(text), "numbers")
    assert 'id="figure-data"' not in text


@pytest.mark.thorough
def test_hostile_text_does_nothing(tmp_path):
    evil = "</title><script>alert(1)</script>\"'&\x1b\ud800\u202e"
    limits = limit_set()
    hip = replace(
        limits.joints["hip"],
        parent=evil,
        findings=(Finding(evil, evil, evil, evil, ((1.0, 2.0),)),),
        limits={**limits.joints["hip"].limits, "rotateX": span(0.0, 1.0, evil)},
        remedies={evil: None},
        evidence=replace(limits.joints["hip"].evidence, settle=evil),
        advice=advice(text=evil),
        orientation=replace(limits.joints["hip"].orientation, kind=evil),
    )
    limits = limit_set(
        character=evil,
        symmetry=asymmetric((evil, evil, 20.0)),
        edits=(ArtistEdit(evil, "note", None, evil, evil, evil, evil),),
        joints={evil: hip},
        clips=(replace(limits.clips[0], name=evil, file=evil, sha256=evil),),
        rest_source=evil,
        options={evil: [evil], "strictness": evil},
        findings=(Finding(evil, evil),),
        program_version=evil,
    )
    clip = motion(evil, names=("a", "b", "c", evil, "d"))
    text = written(tmp_path / "evil.html", limits, [clip])
    assert not {"img", "iframe"} & set(Page(text).names)
    assert text.count("<script") == 3
    assert "<script>alert" not in text
    shown = words_of(content_of(text)) + words_of(data_of(text, "figure-data")["label"])
    assert all(c == "\n" or c.isprintable() for c in text + shown)


def test_a_cancelled_report_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    calls = []

    def stop_at_the_page(done, total, label):
        calls.append((done, total, label))
        return done < 2

    with pytest.raises(Cancelled):
        write_report(limit_set(), [motion()], path, stop_at_the_page)
    assert [(done, total) for done, total, _ in calls] == [(0, 3), (1, 3), (2, 3)]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    write_report(limit_set(), [], path, lambda done, total, label: done <= total)
    assert path.read_text() != "old"


@pytest.mark.thorough
def test_the_page_shows_edits_advice_grades_and_sides(tmp_path):
    made = limit_set(symmetry=asymmetric(("knee", "elsewhere", 20.0)))
    knee, tail = made.joints["knee"], made.joints["tail"]
    knee = replace(
        knee,
        evidence=replace(knee.evidence, settle="bend it further than 12 degrees"),
        limits={**knee.limits, "rotateX": range_of("firm", "open")},
        advice=advice(),
    )
    made = replace(made, joints={**made.joints, "knee": knee, "tail": tail})
    made = with_edits(
        made, [ArtistEdit("knee", "min", "rotateX", -9.0), ArtistEdit("tail", "note", None, "wags")]
    )
    content = content_of(written(tmp_path / "page.html", made, [motion()]))
    text = words_of(content)
    for words in (
        "Not from the motion: artist 2 edits by the artist, on knee, tail.",
        "Every limit has a grade",
        "To confirm the type: bend it further than 12 degrees.",
        "Orient advice: rotate order yzx: box 37 % smaller.",
        "X min is −9.0°; estimated −10.0°",
        "note: wags",
        "elsewhere goes further on X",
    ):
        assert words in text
    # A partner that the limits leave out is named, and is no link to nowhere.
    assert all("elsewhere" not in link["in"] for link in pieces(content, "a"))


@pytest.mark.thorough
def test_shapes_and_channels_that_limit_each_other_are_on_the_page(tmp_path):
    clip = read_motion(EXAMPLES / "humanoid_rom.bvh")
    plain = estimate(clip)
    fitted = with_coupled_limits(plain, [clip], "hull")
    ball = next(n for n, j in fitted.joints.items() if j.type == "ball" and j.coupled)
    hinge = next(n for n, j in fitted.joints.items() if j.hinge and j.coupled)
    assert coupled_words(plain.joints[ball]) == coupled_words(fitted.joints[hinge]) == ""
    words = coupled_words(fitted.joints[ball])
    assert words.startswith("The net is its coupled limit (hull, 3° beyond the samples): ")
    assert words.endswith(" % of all rotations. ")
    ends = ((0.0, 0.0), (90.0, 0.0), (90.0, 9.0))
    ties = [
        Dependency(name, "rotateX", ball, "rotateY", ends, 0.4, None, 1)
        for name in (ball, "<hand>")
    ]
    alone = replace(fitted, joints={ball: fitted.joints[ball]}, dependencies=tuple(ties))
    text = written(tmp_path / "page.html", alone, [clip])
    (section,) = (one for one in pieces(content_of(text), "fold") if "limit each" in one["title"])
    assert len(pieces(section, "ul")[0]["in"]) == 2
    assert "<hand>" not in text
    (figure,) = data_of(text, "figure-data")["joints"]
    assert figure["net"]
    assert words in figure["cloudWords"]


# Real motion


def outside_deg(limits, motions):
    """How far samples lie outside the limits that were read from them, over all channels."""
    worst = 0.0
    for name, limit in limits.joints.items():
        samples = samples_of(limits, name, motions)
        assert len(samples) > 0
        for channel, values in zip(samples.channels, samples.contiguous.T):
            axis = limit.limits[channel]
            if axis.min_deg is not None:
                worst = max(worst, axis.min_deg - values.min(), values.max() - axis.max_deg)
    return worst


def test_the_example_lies_inside_its_own_limits():
    clip = read_motion(EXAMPLES / "humanoid_rom.bvh")
    assert outside_deg(estimate(clip), [clip]) < 1e-6


@pytest.mark.thorough
def test_captured_clips_lie_inside_their_own_limits():
    skeleton = shared_path("data/mocap/cmu_asfamc/02/02.asf")
    clips = [
        read_motion(path, skeleton)
        for path in (skeleton.with_name("02_01.amc"), skeleton.with_name("02_05.amc"))
    ]
    assert outside_deg(estimate(clips), clips) < 1e-6
    inserted = read_motion(shared_path("data/mocap/cmu_bvh/cmu_12_01_walk.bvh"))
    assert outside_deg(estimate(inserted), [inserted]) < 1e-6
