"""The report: its words and its page."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.progress import Cancelled
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.records import ArtistEdit
from jointlimits_core.limits.vocabulary import range_text
from jointlimits_core.report.figures.samples import samples_of
from jointlimits_core.report.html.dials import dial
from jointlimits_core.report.html.document import Html, element, markup
from jointlimits_core.report.html.words import limit_source, pose_words, verdict
from jointlimits_core.report.limits_report import write_report
from tests.support.limit_set_examples import FREE, evidence, limit_set, limited, motion
from tests.support.page_streams import Page
from tests.support.shared_data import shared
from tests.support.trusted_limits import advice, asymmetric

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
    still = dataclasses.replace(joints["tail"], evidence=evidence((0.4, None, None, None), "hinge"))
    assert verdict(still).startswith("The joint stays within 0.4° of one pose.")
    bare = dataclasses.replace(joints["knee"], evidence=evidence((None,) * 4, None))
    assert verdict(bare) == "A hinge explains the motion."


def test_bounds_and_poses_in_words():
    source = limited(-1.0, 2.0).source.min
    assert limit_source(None) == "–"
    assert limit_source(source) == "walk, frame 3"
    padded = dataclasses.replace(source, kind="padded")
    assert limit_source(padded) == "walk, frame 3, padded beyond −1.0°"
    assert limit_source(dataclasses.replace(source, kind="artist")) == "set by the artist"
    assert limit_source(dataclasses.replace(source, kind="prior")) == "from published ranges"
    assert pose_words(limit_set().joints["hip"].rest) == "50.0° outside"
    assert range_text(limited(-1.0, 2.0)) == "−1.0° to 2.0°"
    assert range_text(FREE) == "no limit"
    assert range_text(dataclasses.replace(limited(-1.0, 2.0), max_deg=None)) == "from −1.0°"
    assert range_text(dataclasses.replace(limited(-1.0, 0.0), min_deg=None)) == "up to 0.0°"


def test_a_dial_marks_the_only_bound():
    drawn = {}
    for low, high in ((-40.0, None), (None, 30.0), (-40.0, 30.0), (None, None)):
        axis = dataclasses.replace(limited(-1.0, 2.0), min_deg=low, max_deg=high)
        drawn[low, high] = str(dial("rotateX", axis, None))
    assert "Angle circle of X: from −40.0°" in drawn[-40.0, None]
    assert "up to 30.0°" in drawn[None, 30.0]
    assert [text.count('class="ends"') for text in drawn.values()] == [1, 1, 1, 0]


# The page


def written(path, limits, motions, **more):
    write_report(limits, motions, path, **more)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page_text(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "person.html"
    return written(path, limit_set(), [motion()])


@pytest.mark.thorough
def test_the_page_stands_alone(page_text):
    page = Page(page_text)
    assert all(link.startswith("#") for link in page.values("href"))
    assert "http:" not in page_text
    assert "https:" not in page_text
    assert not {"link", "iframe", "object", "img"} & set(page.names)
    assert page_text.count("<script>") == 1
    assert "@import" not in page_text
    assert "url(" not in page_text
    assert page_text.startswith("<!DOCTYPE html>")
    assert '<meta charset="utf-8">' in page_text


@pytest.mark.thorough
def test_every_joint_is_reached_and_every_picture_described(page_text):
    page = Page(page_text)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in page.values("href")} <= set(ids)
    assert {f"joint-{n}" for n in range(5)} <= set(ids)
    # Channels that are locked need no dial.
    assert page_text.count('class="dial"') == 9


def test_the_page_says_what_the_limits_say(page_text):
    text = Page(page_text).text
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
        "angles in this page are within 0.05°.",
    ):
        assert words in text


@pytest.mark.thorough
def test_the_same_input_gives_the_same_bytes(page_text, tmp_path):
    assert written(tmp_path / "again.html", limit_set(), [motion()]) == page_text


@pytest.mark.thorough
def test_hostile_text_does_nothing(tmp_path):
    evil = "</title><script>alert(1)</script>\"'&\x1b\ud800\u202e"
    limits = limit_set()
    hip = dataclasses.replace(
        limits.joints["hip"],
        parent=evil,
        findings=(Finding(evil, evil, evil, evil, ((1.0, 2.0),)),),
        limits={**limits.joints["hip"].limits, "rotateX": limited(0.0, 1.0, evil)},
        remedies={evil: None},
        evidence=dataclasses.replace(limits.joints["hip"].evidence, settle=evil),
        advice=advice(text=evil),
        frame=dataclasses.replace(limits.joints["hip"].frame, kind=evil),
    )
    limits = limit_set(
        character=evil,
        symmetry=asymmetric((evil, evil, 20.0)),
        edits=(ArtistEdit(evil, "note", None, evil, evil, evil, evil),),
        joints={evil: hip},
        clips=(dataclasses.replace(limits.clips[0], name=evil, file=evil, sha256=evil),),
        rest_source=evil,
        options={evil: [evil], "strictness": evil},
        findings=(Finding(evil, evil),),
        program_version=evil,
    )
    clip = motion(evil, names=("a", "b", "c", evil, "d"))
    text = written(tmp_path / "evil.html", limits, [clip])
    page = Page(text)
    assert not {"img", "iframe"} & set(page.names)
    assert text.count("<script") == 2
    assert "<script>alert" not in text
    assert all(c == "\n" or c.isprintable() for c in text)


def test_without_motions_there_are_numbers_and_no_pictures(tmp_path):
    text = written(tmp_path / "bare.html", limit_set(), [])
    assert Page(text).rows
    assert "figure-data" not in text
    assert "150.0° to 210.0°" in text
    assert written(tmp_path / "none.html", limit_set(joints={}, clips=()), [])


def test_what_to_look_at_first_is_on_the_first_screen_with_links(tmp_path):
    item = Finding(
        *("bends-backwards", "bends backwards by 20 degrees", "knee", "walk", ((7.0, 9.0),)),
        channel="rotateX",
        side="min",
        degrees=20.0,
    )
    plain = limit_set(findings=(), symmetry=None)
    knee = dataclasses.replace(plain.joints["knee"], findings=(item,))
    found = dataclasses.replace(plain, joints={**plain.joints, "knee": knee})
    text = written(tmp_path / "page.html", found, [])
    first = text[: text.index("How to read this page")]
    assert "4 joints measured, 1 to look at" in first
    assert re.search(r'<a href="#joint-1">knee</a> bends backwards by 20 degrees', first)
    assert "<code>--exclude walk:7-9</code>" in first
    healthy = written(tmp_path / "page.html", plain, [])
    assert "4 joints measured, nothing to look at" in healthy


@pytest.mark.thorough
def test_limits_as_the_paper_has_them(tmp_path):
    limits = limit_set(mode="paper")
    none = evidence((None,) * 4, None, "close")
    ball = dataclasses.replace(
        limits.joints["hip"],
        limits={name: limited(-400.0, 0.0) for name in ("phi", "psi", "theta")},
        evidence=none,
    )
    hinge = dataclasses.replace(
        limits.joints["knee"], limits={"theta": limited(0.0, 360.0)}, evidence=none, hinge=None
    )
    limits = limit_set(joints={"hip": ball, "knee": hinge}, mode="paper")
    text = written(tmp_path / "paper.html", limits, [motion()])
    assert Page(text).rows
    assert text.count('class="dial"') == 4
    assert "as printed" in text


@pytest.mark.thorough
def test_progress_is_reported_and_can_stop(tmp_path):
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


def test_markup_is_escaped_unless_it_is_markup():
    assert markup("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#x27;"
    assert markup(Html("<b>")) == "<b>"
    assert element(
        "p", "<", None, class_="a", hidden=True, title=None, x=1.0, stroke_width=0.255
    ) == ('<p class="a" hidden x="1" stroke-width="0.26">&lt;</p>')
    assert element("meta", name="x") == '<meta name="x">'
    assert json.dumps(str(element("b", Html("<i></i>"), 3))) == '"<b><i></i>3</b>"'


# Real motion

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


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
    skeleton = shared("data/mocap/cmu_asfamc/02/02.asf")
    clips = [
        read_motion(path, skeleton)
        for path in (skeleton.with_name("02_01.amc"), skeleton.with_name("02_05.amc"))
    ]
    assert outside_deg(estimate(clips), clips) < 1e-6
    inserted = read_motion(shared("data/mocap/cmu_bvh/cmu_12_01_walk.bvh"))
    assert outside_deg(estimate(inserted), [inserted]) < 1e-6


@pytest.mark.slow
def test_a_report_is_small_enough_to_send(tmp_path):
    skeleton = shared("data/mocap/cmu_asfamc/02/02.asf")
    clip = read_motion(skeleton.with_name("02_05.amc"), skeleton)
    path = tmp_path / "02.html"
    write_report(estimate(clip), clip, path)
    # 1,854 frames of 31 joints.
    assert path.stat().st_size < 600_000
