"""``jointlimits edit``: decisions of an artist from the command line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jointlimits_core.cli import main
from jointlimits_core.limits import read_limit_set, write_limit_set
from tests.support.evaluation_examples import box, limits

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "humanoid_rom.bvh"


@pytest.fixture
def measured(tmp_path):
    path = tmp_path / "walk.limits.json"
    joints = {"LeftKnee": box((0, 120), None, None), "spine.01": box((-5, 5), (-3, 3), (0, 0))}
    write_limit_set(limits(joints), path)
    return path


def edit(*arguments):
    return main(["edit", *map(str, arguments)])


def test_an_edit_is_applied_to_a_copy_and_can_be_undone(tmp_path, measured, capsys):
    before, out, back = measured.read_bytes(), tmp_path / "new.json", tmp_path / "back.json"
    places = ["--set", "LeftKnee.X.min=-2", "--pin", "spine.01.rotateY.max"]
    assert edit(measured, *places, "--author", "Ada", "--reason", "stunt", "--out", out) == 0
    assert "LeftKnee.rotateX.min = -2.0 (Ada, stunt)" in capsys.readouterr().out
    found = read_limit_set(out)
    assert found.joints["LeftKnee"].limits["rotateX"].min_deg == -2.0
    assert [(one.joint, one.target) for one in found.edits] == [
        ("LeftKnee", "min"),
        ("spine.01", "max"),
    ]
    assert measured.read_bytes() == before
    assert edit(out, "--undo", "LeftKnee", "--undo", "spine.01", "--out", back) == 0
    undone = read_limit_set(back)
    assert not undone.edits
    assert undone.joints["LeftKnee"].limits["rotateX"].min_deg == 0.0


def test_types_states_and_notes(tmp_path, measured):
    out = tmp_path / "new.json"
    places = ["LeftKnee.type=ball", "LeftKnee.Y.state=free", "spine.01.note=a=b"]
    assert edit(measured, *(part for one in places for part in ("--set", one)), "--out", out) == 0
    found = read_limit_set(out)
    assert found.joints["LeftKnee"].type == "ball"
    assert found.joints["LeftKnee"].limits["rotateY"].state == "free"
    assert found.edits[-1].value == "a=b"


def test_without_edits_those_there_are_listed(measured, capsys):
    assert edit(measured) == 0
    assert "has no edits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("LeftKne.X.min=1", "no joint 'LeftKne'; did you mean LeftKnee?"),
        ("LeftKnee.W.min=1", "no channel 'W'; write rotateX, rotateY, rotateZ"),
        ("LeftKnee.X.min=low", "'low' is not a number of degrees"),
        ("LeftKnee.X.min", "then = and the value"),
        ("LeftKnee.X.min=nan", "'LeftKnee': rotateX min must be between -10,000,000 and"),
        ("LeftKnee.Y.max=inf", "rotateY max must be between"),
        ("LeftKnee.X.max=1e8", "not 100000000.0"),
        ("LeftKnee.X.min=-1e308", "not -1e+308"),
        ("LeftKnee.typ=hinge", "no 'typ' to edit; did you mean type?"),
        ("LeftKnee.type=hing", "type must be one of fixed, hinge, universal, ball"),
    ],
)
def test_a_place_that_does_not_exist_is_one_line(tmp_path, measured, capsys, place, words):
    out = tmp_path / "new.json"
    assert edit(measured, "--set", place, "--out", out) == 2
    assert words in capsys.readouterr().err
    assert not out.exists()


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
    assert "is not in this folder or beside the limits" in capsys.readouterr().err


def test_the_input_is_never_overwritten(measured, capsys):
    place = ["--set", "LeftKnee.X.min=1"]
    assert edit(measured, *place) == 2
    assert "--out NEW.json is missing" in capsys.readouterr().err
    assert edit(measured, *place, "--out", measured) == 2
    assert "would overwrite" in capsys.readouterr().err
