"""``jointlimits edit``: decisions of an artist from the command line."""

from __future__ import annotations

import shutil

import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.limits.limit_set import read_limit_set, write_limit_set
from tests.support.evaluation_examples import box, limits
from tests.support.house_files import ROOT

EXAMPLE = ROOT / "examples" / "humanoid_rom.bvh"


@pytest.fixture
def limits_file(tmp_path):
    path = tmp_path / "walk.limits.json"
    joints = {"LeftKnee": box((0, 120), None, None), "spine.01": box((-5, 5), (-3, 3), (0, 0))}
    write_limit_set(limits(joints), path)
    return path


def edit(*arguments):
    return main(["edit", *map(str, arguments)])


def test_a_joint_is_pinned_with_all_its_limits(tmp_path, limits_file, capsys):
    out = tmp_path / "new.json"
    assert edit(limits_file, "--pin", "LeftKnee", "--out", out) == 0
    found, before = read_limit_set(out), read_limit_set(limits_file)
    assert {one.joint for one in found.edits} == {"LeftKnee"}
    for channel, axis in before.joints["LeftKnee"].limits.items():
        pinned = found.joints["LeftKnee"].limits[channel]
        assert (pinned.min_deg, pinned.max_deg) == (axis.min_deg, axis.max_deg)
    assert edit(limits_file, "--pin", "LeftKnee.rotateX.state", "--out", tmp_path / "no.json") == 2
    assert "only a joint, or a channel's min or max, can be pinned" in capsys.readouterr().err


def test_an_edit_is_applied_to_a_copy_and_can_be_undone(tmp_path, limits_file, capsys):
    before, out, back = limits_file.read_bytes(), tmp_path / "new.json", tmp_path / "back.json"
    places = ["--set", "LeftKnee.X.min=-2", "--pin", "spine.01.rotateY.max"]
    assert edit(limits_file, *places, "--author", "Ada", "--reason", "stunt", "--out", out) == 0
    assert "LeftKnee.rotateX.min = -2.0 (Ada, stunt)" in capsys.readouterr().out
    found = read_limit_set(out)
    assert found.joints["LeftKnee"].limits["rotateX"].min_deg == -2.0
    assert [(one.joint, one.target) for one in found.edits] == [
        ("LeftKnee", "min"),
        ("spine.01", "max"),
    ]
    assert limits_file.read_bytes() == before
    assert edit(out, "--undo", "LeftKnee", "--undo", "spine.01", "--out", back) == 0
    undone = read_limit_set(back)
    assert not undone.edits
    assert undone.joints["LeftKnee"].limits["rotateX"].min_deg == 0.0


def test_types_states_and_notes(tmp_path, limits_file):
    out = tmp_path / "new.json"
    places = ["LeftKnee.type=ball", "LeftKnee.Y.state=free", "spine.01.note=a=b"]
    assert (
        edit(limits_file, *(part for one in places for part in ("--set", one)), "--out", out) == 0
    )
    found = read_limit_set(out)
    assert found.joints["LeftKnee"].type == "ball"
    assert found.joints["LeftKnee"].limits["rotateY"].state == "free"
    assert found.edits[-1].value == "a=b"


def test_without_edits_those_there_are_listed(limits_file, capsys):
    assert edit(limits_file) == 0
    assert "has no edits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("joint", "places", "words"),
    [
        ("LeftKnee", ["X.min=400"], "min 400 would pass max 120; set the max too, or a min of 120"),
        ("LeftKnee", ["X.max=-1"], "max -1 would pass min 0; set the min too, or a max of 0"),
        ("spine.01", ["Z.min=20"], "min 20 would pass max 0; set the max too"),
        ("spine.01", ["Z.max=-20"], "max -20 would pass min 0; set the min too"),
        ("LeftKnee", ["X.min=150", "X.max=130"], "min 150 is above max 130; swap them"),
        ("LeftKnee", ["X.max=130", "X.min=150"], "min 150 is above max 130; swap them"),
    ],
)
def test_a_limit_does_not_move_the_other(tmp_path, limits_file, capsys, joint, places, words):
    """Of limited and locked channels."""
    out = tmp_path / "new.json"
    given = [part for place in places for part in ("--set", f"{joint}.{place}")]
    assert edit(limits_file, *given, "--out", out) == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert joint in shown
    assert f"rotate{places[0][0]}" in shown
    assert len(shown.splitlines()) == 1
    assert not out.exists()


def test_a_limit_does_not_move_one_that_was_edited_before(tmp_path, limits_file, capsys):
    first, out = tmp_path / "first.json", tmp_path / "new.json"
    assert edit(limits_file, "--set", "LeftKnee.X.max=60", "--out", first) == 0
    assert edit(first, "--set", "LeftKnee.X.min=70", "--out", out) == 2
    assert "LeftKnee rotateX: min 70 would pass max 60" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("places", "ends"),
    [
        (["LeftKnee.X.min=400", "LeftKnee.X.max=450"], (400.0, 450.0)),
        (["LeftKnee.X.max=450", "LeftKnee.X.min=400"], (400.0, 450.0)),
        (["LeftKnee.X.min=120"], (120.0, 120.0)),
        (["LeftKnee.Y.min=400"], (400.0, 760.0)),
        (["LeftKnee.X.state=free", "LeftKnee.X.max=-10"], (-370.0, -10.0)),
        (["LeftKnee.X.min=20", "LeftKnee.X.max=20"], (20.0, 20.0)),
    ],
)
def test_both_limits_move_in_any_order_and_free_channels_open(tmp_path, limits_file, places, ends):
    out = tmp_path / "new.json"
    assert (
        edit(limits_file, *(part for one in places for part in ("--set", one)), "--out", out) == 0
    )
    axis = read_limit_set(out).joints["LeftKnee"].limits[f"rotate{places[0][9]}"]
    assert (axis.min_deg, axis.max_deg) == ends


@pytest.mark.thorough
def test_excluded_frames_are_measured_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    limits_path, clip = tmp_path / "humanoid_rom.limits.json", tmp_path / EXAMPLE.name
    shutil.copy2(EXAMPLE, clip)
    assert main(["estimate", clip.name, "--pad", "1", "--out", "."]) == 0
    knee = read_limit_set(limits_path).joints["LeftElbow"].limits["rotateY"].source.min
    frame = f"humanoid_rom:{knee.frame:g}-{knee.frame:g}"
    places = ["--exclude", frame, "--set", "RightKnee.X.min=-2"]
    assert edit(limits_path, *places, "--out", "new.json") == 0
    found = read_limit_set(tmp_path / "new.json")
    assert main(["estimate", clip.name, "--pad", "1", "--exclude", frame, "--out", "again"]) == 0
    again = read_limit_set(tmp_path / "again" / limits_path.name)
    assert found.joints["LeftElbow"] == again.joints["LeftElbow"]
    assert found.joints["RightKnee"].limits["rotateX"].min_deg == -2.0
    clip.unlink()
    assert edit(limits_path, "--exclude", frame, "--out", "more.json") == 1
    assert "is not in this folder or next to the limits" in capsys.readouterr().err


def test_the_input_is_never_overwritten(limits_file, capsys):
    place = ["--set", "LeftKnee.X.min=1"]
    assert edit(limits_file, *place) == 2
    assert "--out NEW.json is missing" in capsys.readouterr().err
    assert edit(limits_file, *place, "--out", limits_file) == 2
    assert "would overwrite" in capsys.readouterr().err


@pytest.mark.thorough
def test_more_is_excluded_where_a_clip_was_excluded_before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("walk", "run"):
        shutil.copy2(EXAMPLE, f"{name}.bvh")
    wishes = ["--exclude", "run,walk:3-9@LeftElbow"]
    assert main(["estimate", "walk.bvh", "run.bvh", *wishes, "--out", "first"]) == 0
    shutil.copy2("walk.bvh", "first")
    (limits,) = (tmp_path / "first").glob("*.json")
    more = ["--exclude", "walk:20-29@LeftElbow+RightKnee"]
    assert edit(limits, *more, "--out", "new.json") == 0
    found = read_limit_set(tmp_path / "new.json")
    assert main(["estimate", "walk.bvh", "run.bvh", *wishes, *more, "--out", "again"]) == 0
    (again,) = (tmp_path / "again").glob("*.json")
    assert found.joints == read_limit_set(again).joints
    assert found.findings == read_limit_set(again).findings
    assert found.options["exclude"] == [wishes[1], more[1]]
