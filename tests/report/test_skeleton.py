"""The page of a skeleton from loose bodies: what it draws is what the fit says."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.base.progress import Cancelled
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.report.html import gap_charts, skeleton_page
from jointlimits_core.report.html.skeleton_figure import labelled_figures, skeleton_points
from jointlimits_core.report.terminal.skeleton import skeleton_text
from jointlimits_core.skeleton_fit.doubts import (
    NEAR_IN_NOISE,
    UNCERTAIN_M,
    joint_warning_findings,
    joint_warnings,
)
from jointlimits_core.skeleton_fit.fit import fit_pooled, fit_skeleton
from jointlimits_core.skeleton_fit.result import BodyFit
from jointlimits_core.skeleton_fit.track_conventions import up_axis
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.page_streams import (
    Page,
    content_of,
    data_of,
    only_script,
    pieces,
    places,
    rows_of,
    words_of,
)
from tests.support.shared_data import shared_path

NASTY = "</script><script>alert(1)</script>\x1b&"
SLIP = Slip("left shin", 10.0, 0.03)
TRIAL = simulated_figure(3, seconds=20.0, faults=Faults(0.004, 0.5, slips=(SLIP,)))
CLEAN = simulated_figure(4, seconds=12.0, faults=Faults(0.004, 0.5, gaps=0.1))


@pytest.fixture(scope="module")
def slipped() -> BodyFit:
    return fit_skeleton(TRIAL.tracks)


@pytest.fixture(scope="module")
def clean() -> BodyFit:
    return fit_skeleton(CLEAN.tracks)


def birds(count: int = 3) -> BodyTracks:
    """Bodies that fly about, joined to nothing."""
    rng = np.random.default_rng(1)
    places = (
        np.cumsum(rng.normal(0.0, 0.02, (200, count, 3)), axis=0) + 3.0 * np.arange(count)[:, None]
    )
    turns = np.cumsum(rng.normal(0.0, 0.1, (200, count, 4)), axis=0) + rng.normal(0, 1, (count, 4))
    names = ("gull", "crow", "wren")[:count]
    return BodyTracks.from_quaternions(names, places, turns, 60.0, name="birds")


def written(path, fits, **more) -> str:
    skeleton_page.write_skeleton_report(fits, path, **more)
    return path.read_text(encoding="utf-8")


def block(text: str):
    return data_of(text, "moving-data")


# --- the verdict ------------------------------------------------------------------------------


def content(path, fits):
    return content_of(written(path, fits))


@pytest.mark.thorough
def test_the_page_says_first_whether_the_skeleton_can_be_trusted(tmp_path, slipped, clean):
    page = content(tmp_path / "slip.html", [slipped])
    text = words_of(page)
    assert "2 of 15 joints need a look." in text
    assert pieces(page, "verdict-look")
    assert "left shin : it slipped at" in text
    assert "left shin, which carries it, slipped at" in text
    page = content(tmp_path / "clean.html", [clean])
    assert "Skeleton found: 15 joints, no doubtful parents" in words_of(page)
    assert pieces(page, "verdict-good")
    assert not pieces(page, "verdict-look")
    (labelled,) = pieces(page, "labelled")
    assert labelled["marked"] == []


def test_bodies_that_are_joined_to_nothing_are_listed(tmp_path):
    text = written(tmp_path / "birds.html", [fit_skeleton(birds())])
    page = content_of(text)
    assert "No skeleton: no two bodies are joined." in words_of(page)
    assert "Not joined to another body: gull, crow, wren." in words_of(page)
    assert block(text)["panels"][0]["title"] == "The measured bodies"
    assert not pieces(page, "gaps")


@pytest.mark.thorough
def test_free_bodies_and_several_figures(tmp_path):
    one, other = TRIAL.tracks.keep_frames(range(600)), CLEAN.tracks.keep_frames(range(600))
    both = BodyTracks(
        (*(f"A {name}" for name in one.names), *(f"B {name}" for name in other.names)),
        np.concatenate([one.positions, other.positions + np.array([9.0, 0.0, 0.0])]),
        np.concatenate([one.rotations, other.rotations]),
        60.0,
        np.concatenate([one.present, other.present]),
    )
    fit = fit_skeleton(both)
    assert len(fit.figures) == 2
    page = content(tmp_path / "two.html", [fit])
    assert "30 joints in 2 figures" in words_of(page)
    assert len(pieces(page, "labelled")) == 2
    roots = [row[0] for row in rows_of(page) if row[1:] == ["root of the figure"]]
    assert roots == ["A pelvis", "B pelvis"]


# --- doubts -----------------------------------------------------------------------------------


FAR = np.array([np.inf, 0.001, 0.001])
WIDE = np.array([np.inf, 1.1 * UNCERTAIN_M, 0.001])


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, []),
        ({"residual_m": 0.04}, ["wide gap"]),
        ({"kind": "rigid", "residual_m": 9.0}, ["no motion"]),
        ({"frames_used": CLEAN.tracks.frame_count // 3}, ["seldom seen"]),
        ({"deviation_m": FAR}, ["open position"]),
        ({"deviation_m": FAR, "kind": "single-axis"}, []),
        ({"deviation_m": WIDE, "kind": "single-axis"}, ["open position"]),
        ({"deviation_m": np.full(3, 0.0194), "hidden_m": 0.0594}, []),
        ({"deviation_m": np.full(3, 0.0194), "hidden_m": 0.1404}, ["open position"]),
    ],
)
def test_every_reason_to_doubt_a_joint(clean, changes, kinds):
    found = joint_warnings([clean], replace(clean.joints[3], **changes))
    assert [doubt.kind for doubt in found] == kinds
    if "hidden_m" in changes and found:
        assert found[0].words == "its position depends on whether markers slide with the skin"


def test_sliding_skin_has_one_note_for_all_joints(clean):
    hidden = {1: 0.1404, 3: 0.151}
    joints = tuple(
        replace(joint, deviation_m=np.full(3, 0.0254), hidden_m=hidden.get(row, 0.01))
        for row, joint in enumerate(clean.joints)
    )
    fit = replace(clean, joints=joints)
    names = [clean.names[clean.joints[row].child] for row in (3, 1)]
    note = (
        "if markers slide with the skin as joints turn, positions may be off by more: "
        f"{names[0]} by 151 mm, not 25; {names[1]} by 140 mm, not 25"
    )
    (found,) = (one for one in joint_warning_findings([fit]) if one.rule == "sliding-skin")
    assert found.message == note
    assert [line for line in skeleton_page.facts([fit]) if "skin" in line] == [f"I{note[1:]}."]
    assert " ".join(skeleton_text([fit]).split()).count("slide with the skin") == 1
    assert joint_warning_findings([clean]) == ()


def test_small_gaps_are_no_doubt_however_small_the_others_are(clean):
    tiny = tuple(replace(joint, residual_m=1e-6) for joint in clean.joints)
    fit = replace(clean, joints=tiny)
    assert joint_warnings([fit], replace(tiny[0], residual_m=0.004)) == ()
    (doubt,) = joint_warnings([fit], replace(tiny[0], residual_m=0.006))
    assert doubt.kind == "wide gap"


def weighing(fit, joint, other, more):
    """The same fit in which another body weighs so much more than the parent does."""
    weights = fit.weights.copy()
    weights[joint.child, other] = weights[joint.child, joint.parent] + more
    return replace(fit, weights=weights)


def test_a_parent_is_a_close_call_if_another_weighs_hardly_more(clean):
    joint, other = clean.joint("left hand"), clean.tracks.index("right foot")
    just, beyond = 0.99 * NEAR_IN_NOISE, 1.01 * NEAR_IN_NOISE
    (doubt,) = joint_warnings([weighing(clean, joint, other, just)], joint)
    assert doubt.kind == "close call"
    assert doubt.words == "right foot would fit nearly as well as its parent"
    assert joint_warnings([weighing(clean, joint, other, beyond)], joint) == ()
    (doubt,) = joint_warnings([weighing(clean, joint, other, -0.5)], joint)
    assert doubt.words == "its parent was given; right foot would fit better"
    # What hangs on a body cannot be its parent.
    above, below = clean.joint("left forearm"), clean.tracks.index("left hand")
    assert joint_warnings([weighing(clean, above, below, -0.5)], above) == ()


@pytest.mark.thorough
def test_the_table_says_why_a_parent_is_clear_that_the_gaps_leave_open(tmp_path, clean):
    page = content(tmp_path / "clear.html", [clean])
    assert "the repeating part of the motion" not in words_of(page)
    joints = tuple(replace(joint, margin_m=1e-4) for joint in clean.joints)
    page = content(tmp_path / "open.html", [replace(clean, joints=joints)])
    assert "the repeating part of the motion" in words_of(page)


@pytest.mark.thorough
def test_a_slip_in_any_clip_is_a_doubt(slipped):
    quiet = replace(slipped, slips=())
    foot, head = slipped.joint("left foot"), slipped.joint("head")
    assert [doubt.kind for doubt in joint_warnings([quiet, slipped], foot)] == ["slip"]
    assert joint_warnings([quiet, slipped], head) == ()
    assert joint_warnings([quiet, quiet], foot) == ()


# --- the table --------------------------------------------------------------------------------


@pytest.mark.thorough
def test_how_sure_a_joint_is_stays_in_sight_in_narrow_windows(tmp_path, slipped):
    text = written(tmp_path / "narrow.html", [slipped])
    rule = re.search(r"\.bodies \.sure \{([^}]*)\}", text)
    assert rule is not None
    assert "position: sticky" in rule[1]
    assert "right: 0" in rule[1]
    head, *cells = pieces(pieces(content_of(text), "bodies"), "sure")
    assert head["in"] == "how sure"
    assert sorted(cell["in"] for cell in cells) == ["slip"] * 2 + ["sure"] * (len(cells) - 2)


def test_limb_lengths_are_near_the_truth(clean):
    rows = {row[0]: row for row in rows_of(skeleton_page.joints_table(clean, {}))}
    for name in ("left shin", "right foot", "left hand"):
        child = CLEAN.tracks.index(name)
        parent = CLEAN.parents[child]
        true = np.linalg.norm(CLEAN.inboard[child] - CLEAN.outboard[parent])
        cell = re.match(r"(\d+) ± ([\d.]+) mm", rows[name][6])
        assert cell is not None
        length, deviation = float(cell[1]), float(cell[2])
        assert deviation < 2.0
        assert abs(length - 1000.0 * true) < 0.5 + 5.0 * deviation


def test_what_is_not_known_is_not_shown_as_a_number(clean):
    joint = clean.joints[0]
    unknown = replace(joint, deviation_m=np.array([np.inf, 0.002, 0.001]))
    axis, rigid = replace(unknown, kind="single-axis"), replace(joint, kind="rigid")
    assert skeleton_page.place_words(axis) == "± 2.0 mm off its axis"
    assert skeleton_page.place_words(unknown) == skeleton_page.place_words(rigid) == "unknown"
    assert skeleton_page.length_words(0.4123, float("inf")) == "about 412 mm"
    assert skeleton_page.length_words(0.4123, 0.0012) == "412 ± 1.2 mm"
    assert skeleton_page.length_words(0.0, 0.0) == "–"
    assert skeleton_page.margin_words(replace(joint, next_best=None), clean.names) == "no other"
    narrower = replace(joint, margin_m=-0.002, next_best=1)
    assert skeleton_page.margin_words(narrower, clean.names) == f"−2.0 mm, {clean.names[1]}"


def test_bars_show_the_gap_and_that_of_the_next_best_parent(clean):
    def parts(joint, scale_m=0.08, doubted=False):
        return {
            kind: place for kind, *place in skeleton_page.gap_bar(joint, scale_m, doubted)["parts"]
        }

    joint = replace(clean.joints[0], residual_m=0.01, margin_m=0.03)
    assert parts(joint)["own"][1] == pytest.approx(12.5)
    assert parts(joint)["other"][0] == pytest.approx(50.0)
    beyond = parts(replace(joint, margin_m=9.0), doubted=True)
    assert beyond["other"][0] < 100.0
    assert "own doubted" in beyond
    assert "other" not in parts(replace(joint, next_best=None))
    assert "own" in parts(replace(joint, residual_m=0.0, margin_m=0.0), 0.0)


# --- gaps -------------------------------------------------------------------------------------


def chart_rows(fit, top_mm=15.0):
    return gap_charts.gap_chart(fit, top_mm)[1]["rows"]


def test_the_chart_has_a_strip_and_a_histogram_for_each_joint(slipped):
    rows = chart_rows(slipped, 30.0)
    assert [row["name"] for row in rows] == [slipped.names[one.child] for one in slipped.joints]
    (slip,) = slipped.slips
    share = slip.frame / slipped.tracks.frame_count
    at = [mark[0] for row in rows for mark in row["slips"]]
    assert at == pytest.approx([share] * 2)  # the shin's own joint and the foot's


@pytest.mark.thorough
def test_a_chart_counts_the_frames_that_were_used_and_marks_those_left_out(clean):
    gaps, together = gap_charts.joint_gaps_mm(clean)
    for joint, row in enumerate(chart_rows(clean)):
        values = np.minimum(gaps[joint, together[joint]], 15.0)
        assert row["counts"] == np.histogram(values, 20, (0.0, 15.0))[0].tolist()
        assert None in row["typical"]  # gaps in the tracks stay open
    used = clean.used.copy()
    used[:, 100:140] = False
    assert all(row["out"] for row in chart_rows(replace(clean, used=used)))
    everything = chart_rows(replace(clean, used=clean.tracks.present))
    assert not any(row["out"] for row in everything)


@pytest.mark.thorough
def test_of_many_joints_those_with_the_widest_gaps_are_shown(clean):
    many = tuple(
        replace(clean.joints[n % 15], residual_m=0.001 * (1 + n))
        for n in range(gap_charts.MAX_JOINTS + 7)
    )
    words, chart = gap_charts.gap_chart(replace(clean, joints=many), 15.0)
    assert len(chart["rows"]) == gap_charts.MAX_JOINTS
    assert "7 more joints with narrower gaps" in words_of(words)


def test_a_slip_shows_as_a_step_where_it_was(slipped):
    (slip,) = slipped.slips
    step = gap_charts.slip_chart(slipped, slip)
    assert step["name"] == slip.body
    assert step["other"] in ("left thigh", "left foot")
    assert abs(20.0 * step["at"] - SLIP.seconds) < 0.5
    # Both halves of the clip share a slip of 30 mm out among them.
    assert step["after"] - step["before"] == pytest.approx(30.0, abs=6.0)
    at = int(step["at"] * len(step["least"])) + 1
    assert np.mean(step["least"][at:]) < step["after"] < np.mean(step["most"][at:])
    assert (step["first"], step["stop"]) == (0.0, 1.0)


def test_slips_of_one_body_are_looked_at_one_by_one(slipped):
    (slip,) = slipped.slips
    later = replace(slip, frame=slip.frame + 300.0, seconds=slip.seconds + 5.0)
    fit = replace(slipped, slips=(slip, later))
    first, second = gap_charts.slip_chart(fit, slip), gap_charts.slip_chart(fit, later)
    assert first["stop"] == second["at"]
    assert second["first"] == first["at"]
    assert abs(second["after"] - second["before"]) < 6.0


# --- the figure -------------------------------------------------------------------------------


def test_the_skeleton_is_drawn_where_its_joints_are(clean):
    frames = np.array([0, 50, 700])
    points = skeleton_points(clean, frames)
    assert up_axis([clean.tracks]) == "y"
    root = clean.figures[0][0]
    seen = clean.tracks.present[root, frames]
    turns = clean.tracks.matrices()
    for joint in (one for one in clean.joints if one.parent == root):
        row = points.bodies.tolist().index(joint.child)
        there = np.einsum("fij,j->fi", turns[root, frames], joint.centre_in_parent)
        wanted = there + clean.tracks.positions[root, frames]
        np.testing.assert_allclose(points.places[seen, row], wanted[seen], atol=1e-9)
    for row, parent in enumerate(points.parents):
        if parent >= 0:
            lengths = np.linalg.norm(points.places[:, row] - points.places[:, parent], axis=1)
            np.testing.assert_allclose(lengths, lengths[0], atol=1e-9)
    np.testing.assert_array_equal(
        np.isfinite(points.tracks).all(axis=2).T, clean.tracks.present[:, frames]
    )


def test_a_root_with_one_joint_has_a_bone_to_its_origin():
    pair = CLEAN.tracks.choose_bodies(("left thigh", "left shin"))
    fit = fit_skeleton(pair)
    frame = int(np.flatnonzero(pair.present.all(axis=0))[0])
    points = skeleton_points(fit, np.array([frame]))
    root = fit.figures[0][0]
    own = points.bodies.tolist().index(root)
    np.testing.assert_allclose(points.places[0, own], pair.positions[root, frame])
    assert points.parents.tolist().count(own) == 1


def test_each_foot_is_the_nearest_point_of_the_bones(clean):
    points = skeleton_points(clean, np.array([400]))
    for body in range(len(clean.names)):
        own = points.bodies.tolist().index(body)
        ends = np.flatnonzero(points.parents == own)
        share = np.linspace(0.0, 1.0, 2001)[:, None]
        start = points.places[0, own]
        ways = [start + share * (points.places[0, end] - start) for end in ends]
        here = points.feet[0, body]
        assert min(np.linalg.norm(way - here, axis=1).min() for way in ways) < 1e-3


@pytest.mark.thorough
def test_the_moving_figure_has_all_clips_and_says_what_happens(tmp_path, slipped):
    clips = [replace(slipped.tracks.keep_frames(range(n, n + 300)), name=f"c{n}") for n in (0, 600)]
    text = written(tmp_path / "pooled.html", fit_pooled(clips))
    data = block(text)
    (clip,) = data["clips"]
    assert len(clip["numbers"]) == 300  # every second frame of both
    assert clip["numbers"][0] == 0.0
    assert clip["numbers"][150] == 600.0
    says = [data["says"][word] for word in data["words"]]
    assert says[0].startswith("c0; widest gap ")
    assert says[299].startswith("c600; ")
    assert data["targetNames"] == list(slipped.names)
    assert "left shin, on left thigh" in data["names"]
    assert len(pieces(content_of(text), "gaps")) == 2
    assert "Skeleton of c0, c600" in words_of(content_of(text))
    points = places(data, data["places"])
    assert np.nanmax(np.linalg.norm(points - data["centre"], axis=-1)) <= data["radius"] + 1e-2


@pytest.mark.thorough
def test_gaps_in_the_tracks_and_slips_are_shown_frame_by_frame(tmp_path, slipped):
    present = slipped.tracks.present.copy()
    present[0, 2:9] = False
    tracks = replace(slipped.tracks, present=present)
    fit = replace(slipped, tracks=tracks, used=slipped.used & present)
    data = block(written(tmp_path / "page.html", [fit]))
    says = [data["says"][word] for word in data["words"]]
    assert "not seen: pelvis" not in says[0]
    assert "not seen: pelvis" in says[1]
    seen = np.isfinite(places(data, data["targets"])[:2, 0, 0])
    assert list(seen) == [True, False]
    slipping = [
        frame
        for frame, line in zip(data["clips"][0]["numbers"], says)
        if "left shin has slipped" in line
    ]
    assert slipping[0] == pytest.approx(slipped.slips[0].frame, abs=3.0)
    marked = [data["names"][joint] for joint in data["marked"]]
    assert marked == ["left shin, on left thigh", "left foot, on left shin"]
    assert [panel["turn"] for panel in data["panels"]] == [0, 90]


@pytest.mark.thorough
def test_a_body_that_a_clip_never_shows_is_left_out_of_its_pictures(tmp_path, clean):
    hidden = clean.tracks.present.copy()
    hidden[clean.tracks.index("head")] = False
    tracks = replace(clean.tracks, present=hidden, name="headless")
    text = written(tmp_path / "page.html", [clean, replace(clean, tracks=tracks, used=hidden)])
    data = block(text)
    head = data["names"].index("head, on chest")
    shown = np.isfinite(places(data, data["places"])[:, head, 0]).tolist()
    assert shown == [True] * (len(shown) // 2) + [False] * (len(shown) // 2)


def test_every_body_is_named_in_the_picture_and_doubts_stand_out(slipped):
    doubted = {slipped.tracks.index("left shin"): ()}
    (picture,) = labelled_figures(slipped, doubted)
    names = picture["names"]
    assert {one["name"] for one in names} == set(slipped.names)
    assert [one["name"] for one in names if "doubt" in one["kind"]] == ["left shin"]
    assert len(picture["marked"]) == 1
    for x in {one["x"] for one in names}:
        heights = sorted(one["y"] for one in names if one["x"] == x)
        assert np.diff(heights).min() > 12.0
        assert 0.0 < heights[0] < heights[-1] <= 440.0
    ends = np.reshape(picture["bones"], (-1, 2))
    assert ((ends > 0.0) & (ends < [560.0, 440.0])).all()


# --- the file ---------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_page_stands_alone_and_runs_one_script(tmp_path, slipped):
    text = written(tmp_path / "page.html", [slipped])
    assert only_script(text)
    assert Page(text).rows[0] == ["body", "parent", "kind", "gap, rms"]
    assert len(Page(text).rows) == 16
    assert text == written(tmp_path / "again.html", [slipped])


@pytest.mark.thorough
def test_names_of_others_stay_text(tmp_path, clean):
    names = (NASTY, *clean.names[1:])
    tracks = replace(clean.tracks, names=names, name=NASTY)
    text = written(tmp_path / "nasty.html", [replace(clean, tracks=tracks)])
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert "\x1b" not in text
    assert Page(text).names.count("script") == 3
    assert NASTY.replace("\x1b", "\\x1b") in block(text)["targetNames"]


@pytest.mark.thorough
def test_it_is_written_whole_or_not_at_all(tmp_path, slipped):
    path, received = tmp_path / "page.html", []

    def stop(done, total, label):
        received.append((done, total, label))
        return done < 2

    with pytest.raises(Cancelled):
        skeleton_page.write_skeleton_report([slipped], path, stop)
    assert list(tmp_path.iterdir()) == []
    assert [done for done, _, _ in received] == [0, 1, 2]
    assert all(total == 3 for _, total, _ in received)
    with pytest.raises(ValueError, match="at least one fit must be given"):
        skeleton_page.write_skeleton_report([], path)


@pytest.mark.thorough
def test_loops_have_a_table_of_their_own(tmp_path, clean):
    loop = replace(clean.joints[0], child=4, parent=11, residual_m=0.0123)
    page = content(tmp_path / "loop.html", [replace(clean, loops=(loop,))])
    assert [clean.names[4], clean.names[11], "ball", "12.3 mm"] in rows_of(page)
    assert "Loop joints" not in words_of(content(tmp_path / "none.html", [clean]))


@pytest.mark.thorough
def test_findings_are_listed_once(tmp_path, clean):
    words = words_of(content(tmp_path / "page.html", [clean, clean]))
    assert words.count("gaps:") == 1
    assert any(
        "left out" in line or "fits no joint" in line for line in skeleton_page.facts([clean])
    ) is (bool((clean.tracks.present & ~clean.used).any()))


@pytest.mark.thorough
def test_a_real_walk(tmp_path):
    fit = fit_skeleton(read_bodies(shared_path("data/bodies/cmu_02_01.c3d")))
    page = content(tmp_path / "cmu.html", [fit])
    assert up_axis([fit.tracks]) == "z"
    assert "15 bodies, 14 joints in one figure." in words_of(page)
    assert ["left_shin", "left_thigh"] in [row[:2] for row in rows_of(page)]
    assert len(pieces(page, "gaps")[0]["rows"]) == 14
