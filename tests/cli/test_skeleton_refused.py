"""Inputs that ``jointlimits skeleton`` rejects with a message, leaving no files behind."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.quaternion import quaternion_from_matrix
from jointlimits_core.skeleton_fit.tracks import BodyTracks
from tests.support.body_tables import write_table
from tests.support.linkages import arm
from tests.support.marker_examples import plates, shape_markers, wandering, write_c3d
from tests.support.skeleton_runs import document, skeleton, written_names


def free_birds(count=300):
    moves = [wandering(count, seed, 2.0) for seed in (1, 2, 3)]
    places = np.stack([place for _, place in moves], axis=1)
    turns = np.stack([quaternion_from_matrix(turn) for turn, _ in moves], axis=1)
    return BodyTracks.from_quaternions(["wren", "lark", "crow"], places, turns, 60.0)


def one_body_in_millimetres():
    tracks = arm(1).tracks()
    positions = np.array(tracks.positions)
    positions[1] *= 1000.0
    return replace(tracks, positions=positions)


def nothing_bends():
    turns, places = wandering(200, 5)
    shifts = ([0, 0, 0], [0.2, 0, 0], [0, 0.3, 0])
    here = np.stack([places + turns @ np.array(shift) for shift in shifts], axis=1)
    quaternions = np.repeat(quaternion_from_matrix(turns)[:, None], 3, axis=1)
    return BodyTracks.from_quaternions(["a", "b", "c"], here, quaternions, 60.0)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("tracks", "words"),
    [
        (arm(1).tracks().keep_frames(range(2)), "usable frames"),
        (nothing_bends(), "no body of 'bad' moves relative to another"),
        (free_birds(), "so there is no skeleton; the bodies are wren, lark, crow"),
        (one_body_in_millimetres(), "are its positions in a different unit"),
        (arm(1).tracks().choose_bodies(["hand"]), "'bad' has one body, 'hand'"),
    ],
    ids=["two frames", "no relative motion", "three free birds", "mixed units", "one body"],
)
def test_tracks_without_a_skeleton_are_refused(tmp_path, capsys, tracks, words):
    path = write_table(tracks, tmp_path / "bad.csv")
    assert skeleton(tmp_path, path, "--estimate") == 1
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.out == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.thorough
def test_duplicate_labels_of_markers_are_reported(tmp_path, capsys):
    markers = plates(3)
    names = [*markers.names[:-1], "a1"]
    write_c3d(tmp_path / "twice.c3d", (names, markers.positions))
    assert skeleton(tmp_path, tmp_path / "twice.c3d", "--free-beyond", 1000000) == 0
    assert "Labels used more than once were numbered: a1" in capsys.readouterr().out
    assert len(document(tmp_path, "twice")["bodies"]) == 3


def test_gaps_are_reported_and_stop_nothing(tmp_path, capsys):
    tracks = arm(13).tracks()
    seen = np.array(tracks.present)
    seen[1, 100:160] = False
    seen[3, ::5] = False
    path = write_table(replace(tracks, present=seen), tmp_path / "gaps.csv")
    assert skeleton(tmp_path, path, "--body-root", "trunk") == 0
    assert "was not seen in 60 of 400 frames (15.0 %)" in capsys.readouterr().out
    found = document(tmp_path, "gaps")
    assert found["parents"]["hand"] == "forearm"
    assert found["clips"][0]["frames_used"] == {
        "trunk": 400,
        "upper arm": 340,
        "forearm": 400,
        "hand": 320,
    }
    assert read_motion(tmp_path / "out" / "gaps.skeleton.bvh").frame_count == 400


def markers_on_a_line():
    line = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]])
    places = np.concatenate([shape_markers(line, *wandering(200, seed)) for seed in (3, 4)])
    return ["a1", "a2", "a3", "b1", "b2", "b3"], places


def loose_markers():
    return ["a", "b", "c", "d"], np.random.default_rng(1).normal(size=(4, 100, 3))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("markers", "words"),
    [
        (markers_on_a_line, ["markers a1, a2, a3 lie on a line"]),
        (loose_markers, ["stay at constant distances, to within 5 mm", "in a file for --groups"]),
    ],
)
def test_markers_without_bodies_are_refused(tmp_path, capsys, markers, words):
    write_c3d(tmp_path / "bad.c3d", markers())
    assert skeleton(tmp_path, tmp_path / "bad.c3d") == 1
    error = capsys.readouterr().err
    assert all(word in error for word in words)


@pytest.mark.thorough
def test_mirrored_axes_are_refused(tmp_path, capsys):
    turns, places = wandering(100, 1)
    matrices = np.tile(np.eye(4), (100, 2, 1, 1))
    matrices[:, :, :3, :3], matrices[:, :, :3, 3] = turns[:, None], places[:, None]
    matrices[:, 1, :3, 0] *= -1.0
    path = tmp_path / "mirror.c3d"
    write_c3d(path, ([], np.zeros((0, 100, 3))), rotations=(["left", "right"], matrices))
    assert skeleton(tmp_path, path) == 1
    stderr = capsys.readouterr().err
    assert "mirror.c3d: axes of body 'right' are mirrored" in stderr
    assert "convert the data to right-handed axes first" in stderr


@pytest.mark.thorough
def test_markers_are_grouped_by_a_file(tmp_path, capsys):
    markers = plates(3)
    path = tmp_path / "plates.c3d"
    write_c3d(path, (list(markers.names), markers.positions))
    groups = tmp_path / "groups.json"
    groups.write_text('{"left": ["a*"], "right": ["b*", "c1"], "top": ["c*"]}', encoding="utf-8")
    assert skeleton(tmp_path, path, "--groups", groups, "--free-beyond", 1000000) == 0
    assert set(document(tmp_path, "plates")["bodies"]) == {"left", "right", "top"}
    for text, words in (
        ('{"left": ["a*"], "right": ["nix*"]}', "plates.c3d: body 'right': no marker is called"),
        ('{"left": "a*"}', "groups.json: labels of body 'left' are invalid; write"),
        ("[]", "groups.json: has no bodies"),
        ("{", "groups.json:1:2: the file of marker groups is incomplete"),
    ):
        groups.write_text(text, encoding="utf-8")
        assert skeleton(tmp_path, path, "--groups", groups) == 1
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--body-root", "nobody"],
            "no body 'nobody'; the bodies are: trunk, upper arm, forearm, hand",
        ),
        (["--body-parents", "hand"], "--body-parents must be child=parent, or root=, not 'hand'"),
        (["--body-parents", "hand=x"], "no body 'x'; the bodies are: trunk"),
        (["--body-parents", "hand=trunk,hand=forearm"], "one parent of hand, not two"),
        (["--body-parents", "hand=trunk,trunk=hand"], "do not agree with each other"),
        (["--free-beyond", "0"], "--free-beyond must be a number from 0.001"),
        (["--groups", "colour"], "--groups must be auto, distance, ending, set or a .json"),
        (
            ["--frame-rate", "0"],
            "--frame-rate must be frames per second, at least 1 and finite, not 0",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(tmp_path, capsys, arguments, words):
    path = write_table(arm(1).tracks(), tmp_path / "arm.csv")
    assert skeleton(tmp_path, path, *arguments) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


HAND = arm(1).tracks()


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        ({"arm.csv": HAND, "copy.csv": HAND}, 1, "copy.csv: has the same content as"),
        (
            {
                "one.csv": HAND.choose_bodies(["trunk", "hand"]),
                "two.csv": HAND.choose_bodies(["trunk", "forearm"]),
            },
            1,
            "one, two have one body in common, 'trunk'; pooled clips",
        ),
        ({"a b.csv": HAND, "a_b.csv": HAND.keep_frames(range(300))}, 2, "would overwrite"),
    ],
)
def test_clips_that_do_not_go_together_are_refused(tmp_path, capsys, files, code, words):
    paths = [write_table(tracks, tmp_path / name) for name, tracks in files.items()]
    assert skeleton(tmp_path, *paths) == code
    stderr = capsys.readouterr().err
    assert words in stderr
    assert ("give it only once" in stderr) == ("copy.csv" in files)
    assert not (tmp_path / "out").exists()


def test_files_without_usable_tracks_are_refused(tmp_path, capsys):
    table = write_table(HAND, tmp_path / "bad.csv").read_text("utf-8")
    for name, text, words in (
        ("found.skeleton.json", "{}", "is JSON, not a motion"),
        ("script.py", "pass", "has no readable tracks; expected C3D or CSV"),
        ("bad.csv", table.replace("hand.", "trunk."), "3: column 'trunk.px' appears twice"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert skeleton(tmp_path, tmp_path / name) == 1
        assert re.search(f"{name}: ?{words}", capsys.readouterr().err)


def test_a_file_in_place_of_the_folder_is_reported(tmp_path, capsys):
    path = write_table(arm(1).tracks(), tmp_path / "arm.csv")
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    assert skeleton(tmp_path, path) == 1
    assert "out: expected a folder, found a file" in capsys.readouterr().err
    assert (tmp_path / "out").read_text("utf-8") == "mine"


def test_files_of_one_name_are_told_apart(tmp_path):
    (tmp_path / "monday").mkdir()
    tracks = arm(1).tracks()
    first = write_table(tracks, tmp_path / "arm.csv")
    second = write_table(tracks.keep_frames(range(300)), tmp_path / "monday" / "arm.csv")
    assert skeleton(tmp_path, first, second) == 0
    assert [clip["name"] for clip in document(tmp_path, "arm")["clips"]] == ["arm", "arm (2)"]
    assert "arm_2_.skeleton.ma" in written_names(tmp_path)
