"""Table rows on even frames: missing rows are gaps, uneven rows are resampled."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.formats.body_csv import read_body_csv
from jointlimits_core.formats.maya_ascii.motion_scene import node_names
from jointlimits_core.formats.registry import ReadRequest, read_motion
from jointlimits_core.geometry.quaternion import quaternion_from_axis_angle
from jointlimits_core.skeleton_fit.clips import track_findings
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.body_tables import write_table
from tests.support.linkages import arm
from tests.support.skeleton_runs import document, skeleton


def timed_table(path, times, place, turn):
    """A body at `place(t)`, turned by `turn(t)` radians about Z, at some times."""
    lines = ["time," + ",".join(f"a.{part}" for part in ("px", "py", "pz", "qx", "qy", "qz", "qw"))]
    for time in times:
        turned = quaternion_from_axis_angle([0.0, 0.0, 1.0], turn(time))
        numbers = [time, *place(time), *turned]
        lines.append(",".join(f"{number:.9f}" for number in numbers))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("kept", [list(range(600)), [*range(100), *range(103, 600)], [7]])
def test_rows_at_rounded_times_stay_as_they_are(tmp_path, kept):
    times = np.round(np.array(kept) / 120.0, 3)
    table = timed_table(tmp_path / "a.csv", times, lambda time: (time, 0.0, 0.0), np.sin)
    bodies = read_body_csv(table, request=ReadRequest(frame_rate=120.0)).bodies
    assert not bodies.findings
    assert np.flatnonzero(bodies.present[0]).tolist() == [row - kept[0] for row in kept]
    np.testing.assert_array_equal(bodies.positions[0, bodies.present[0], 0], times)


@pytest.mark.parametrize("seed", [1, 2])
def test_uneven_times_are_used(tmp_path, seed):
    generator = np.random.default_rng(seed)
    steps = np.where(generator.random(400) < 0.3, generator.uniform(0.013, 0.04, 400), 0.02)
    steps[200] = 0.5
    times = 3.0 + np.cumsum(steps)

    def place(time):
        return np.sin(time), np.cos(2.0 * time), 0.1 * time

    bodies = read_body_csv(timed_table(tmp_path / "a.csv", times, place, np.sin)).bodies
    assert [finding.rule for finding in bodies.findings] == ["uneven-times"]
    assert bodies.frame_count == pytest.approx((times[-1] - times[0]) * bodies.frame_rate, abs=2)
    at = times[0] + np.arange(bodies.frame_count) / bodies.frame_rate
    seen = bodies.present[0]
    # The half second in which nothing was written is a gap, but for what is beside it.
    missing = at[~seen]
    assert missing.min() > times[199] - 1e-9
    assert missing.max() < times[200] + 1e-9
    assert len(missing) == pytest.approx(0.5 * bodies.frame_rate, abs=3)
    # A frame at the edge of the gap may be a quarter of a frame off.
    np.testing.assert_allclose(bodies.positions[0][seen].T, place(at[seen]), atol=0.02)
    assert np.median(np.abs(bodies.positions[0][seen].T - place(at[seen]))) < 1e-3
    expected = quaternion_from_axis_angle([0.0, 0.0, 1.0], np.sin(at[seen]))
    same = np.abs(np.sum(bodies.quaternion("a")[seen] * expected, axis=1))
    np.testing.assert_allclose(same, 1.0, atol=1e-4)


@pytest.mark.thorough
def test_frames_that_a_table_leaves_out_do_not_make_the_rest_early(tmp_path, capsys):
    tracks = arm(13).tracks()
    kept = [frame for frame in range(tracks.frame_count) if not 100 <= frame < 160]
    path = write_table(tracks.keep_frames(kept), tmp_path / "cut.csv")
    assert skeleton(tmp_path, path, "--body-root", "trunk") == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "no body was seen in 60 of 400 frames (15.0 %)" in printed
    assert "frames 100-159" in printed
    assert printed.count("not seen in") == 0
    bvh = read_motion(tmp_path / "out" / "cut.skeleton.bvh")
    scene = read_motion(tmp_path / "out" / "cut.skeleton.ma")
    assert bvh.frame_count == 400
    assert scene.frames[-1] - scene.frames[0] == 399
    rules = [item["rule"] for item in document(tmp_path, "cut")["clips"][0]["findings"]]
    assert rules.count("missing-frames") == 1
    assert "gaps" not in rules


def test_bodies_never_seen_are_reported_once():
    tracks = arm(1).tracks()
    present = np.array(tracks.present)
    present[2] = False
    hidden = BodyTracks(tracks.names, tracks.positions, tracks.rotations, 60.0, present)
    assert [item.rule for item in track_findings(hidden)] == ["never-seen"]


def test_letters_with_marks_stay_letters_in_maya():
    found = node_names(["\u00dcnter", "U\u0308nter", "\u00e9paule g", "\u9aa8"])
    assert found == ["Unter", "Unter_2", "epaule_g", "_"]
