"""``jointlimits manifest``: which characters are below a folder, and which files are theirs."""

from __future__ import annotations

import json
import os

import pytest

from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.cli import main
from tests.batch_manifests import bvh_text


@pytest.fixture
def library(tmp_path):
    """Two performers of one rig in a folder, one of another rig, Acclaim data, a scene."""
    home = tmp_path / "library"
    files = {
        "show/anna_walk.bvh": bvh_text(20),
        "show/anna_run.bvh": bvh_text(40).replace("  OFFSET", "\tOFFSET"),
        "show/ben_walk.bvh": bvh_text(30),
        "show/cat.bvh": bvh_text(30).replace("OFFSET 0 -10 0", "OFFSET 0 -4 0"),
        "02/02.asf": "skeleton",
        "02/02_01.amc": "motion",
        "02/02_02.amc": "motion",
        "scenes/Hero.ma": "//Maya ASCII 2024 scene\n",
        "scenes/hero.bvh": bvh_text(10),
        "scenes/hero.limits.ma": "//Maya ASCII 2024 scene\n",
        "scenes/notes.txt": "no motion",
        "top.bvh": bvh_text(11),
        ".hidden/x.bvh": bvh_text(10),
        "results/a.result.json": "{}",
        "results/deeper/a.bvh": bvh_text(10),
    }
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


def made(home, *arguments, code=0, out=None):
    """Entries of the manifest that is written, by name."""
    out = out or home / "characters.json"
    assert main(["manifest", str(home), "--out", str(out), "--force", *arguments]) == code
    if code:
        return None
    read_manifest(out)
    entries = json.loads(out.read_text(encoding="utf-8"))["characters"]
    return {entry.pop("name"): entry for entry in entries}


def test_files_of_a_folder_with_the_same_skeleton_are_one_character(library):
    entries = made(library)
    assert entries["show/anna_run"]["clips"] == [
        *("show/anna_run.bvh", "show/anna_walk.bvh", "show/ben_walk.bvh"),
    ]
    assert entries["show/cat"] == {"clips": ["show/cat.bvh"]}
    assert entries["02"] == {"clips": ["02/02_01.amc", "02/02_02.amc"], "skeleton": "02/02.asf"}
    assert entries["library"] == {"clips": ["top.bvh"]}
    assert entries["scenes/Hero.ma"] == {"scene": "scenes/Hero.ma"}
    assert entries["scenes/hero.bvh"] == {"clips": ["scenes/hero.bvh"]}
    assert len(entries) == 6


def test_each_file_by_itself(library):
    entries = made(library, "--character-by", "file", "--frame-rate", "60")
    assert entries["show/anna_walk"] == {"clips": ["show/anna_walk.bvh"]}
    assert entries["02/02_01"] == {
        "clips": ["02/02_01.amc"],
        "skeleton": "02/02.asf",
        "frame_rate": 60.0,
    }
    assert len(entries) == 9


def test_all_of_a_folder(library):
    entries = made(library, "--character-by", "folder")
    assert len(entries["show"]["clips"]) == 4
    assert set(entries) == {"show", "02", "library", "scenes"}


def test_names_out_of_paths(library, capsys):
    entries = made(library, "--character-pattern", "**/{character}_*.bvh")
    assert {name: len(entry["clips"]) for name, entry in entries.items()} == {"anna": 2, "ben": 1}
    assert "left out: 02/02_01.amc: the pattern does not fit it" in capsys.readouterr().err


def test_a_list_by_hand_comes_first(library, tmp_path):
    table = tmp_path / "who.csv"
    table.write_text("# who is who\nshow/ben*,Ben\n\nshow/cat.bvh, The Cat\n", encoding="utf-8")
    entries = made(library, "--character-list", str(table))
    assert entries["Ben"] == {"clips": ["show/ben_walk.bvh"]}
    assert entries["The Cat"] == {"clips": ["show/cat.bvh"]}
    assert entries["show"]["clips"] == ["show/anna_run.bvh", "show/anna_walk.bvh"]


def test_for_maya_only_scenes_are_listed(library):
    assert made(library, "--host", "maya") == {"scenes": {"scene": "scenes/Hero.ma"}}


def test_options_for_all(library):
    made(library, "--set", "strictness=robust", "--set", "pad_deg=2.5", "-s", "coupled=true")
    options = json.loads((library / "characters.json").read_text())["options"]
    expected = {"strictness": "robust", "pad_deg": 2.5, "coupled": True}
    assert options == {"symmetry": "report", **expected}


def test_a_manifest_above_the_folder_leads_down_into_it(library):
    entries = made(library, out=library.parent / "all.json")
    assert entries["show/cat"] == {"clips": ["library/show/cat.bvh"]}


def test_a_manifest_that_is_there_is_kept(library, capsys):
    out = library / "characters.json"
    out.write_text("changed by hand")
    assert main(["manifest", str(library)]) == 2
    assert "perhaps changed by hand" in capsys.readouterr().err
    assert out.read_text() == "changed by hand"
    assert main(["manifest", str(library), "--force"]) == 0
    said = capsys.readouterr().out
    assert "6 characters of 9 files, items 0-5\n" in said
    assert "jointlimits batch --manifest" in said


def test_the_same_bytes_whatever_the_order_of_the_disk(library, monkeypatch):
    made(library)
    before = (library / "characters.json").read_bytes()
    walk = os.walk

    def backwards(top):
        for place, folders, names in walk(top):
            folders.reverse()
            yield place, folders, names[::-1]

    monkeypatch.setattr(os, "walk", backwards)
    made(library)
    assert (library / "characters.json").read_bytes() == before


def test_what_no_manifest_can_name_is_left_out_and_told(library, capsys):
    (library / "show" / "two\nlines.bvh").write_text(bvh_text(10))
    outside = library.parent / "outside.bvh"
    outside.write_text(bvh_text(10))
    (library / "show" / "link.bvh").symlink_to(outside)
    (library / "show" / "gone.bvh").symlink_to(library / "show" / "nowhere.bvh")
    made(library)
    said = capsys.readouterr().err
    assert "left out: show/two\\nlines.bvh: its name has characters" in said
    assert "left out: show/link.bvh: it is a link out of the folder" in said
    assert "left out: show/gone.bvh: " in said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "there is no skeleton (.asf) beside it"),
        (["a.asf", "b.asf"], "several skeletons are beside it and none has its name: a.asf, b.asf"),
    ],
)
def test_an_amc_file_whose_skeleton_is_unclear_is_left_out(tmp_path, capsys, names, said):
    for name in ("x_01.amc", *names):
        (tmp_path / name).write_text("text")
    made(tmp_path, code=2)
    assert "no motion below the folder" in capsys.readouterr().err
    (tmp_path / "y.bvh").write_text(bvh_text(10))
    made(tmp_path)
    assert f"left out: x_01.amc: {said}" in capsys.readouterr().err


def test_of_several_skeletons_the_one_of_that_name(tmp_path):
    for name in ("07.asf", "07_05.asf", "8.asf", "07_05_walk.amc", "07_06.amc"):
        (tmp_path / name).write_text("text")
    entries = made(tmp_path, "--character-by", "file")
    assert {name: entry["skeleton"] for name, entry in entries.items()} == {
        "07_05_walk": "07_05.asf",
        "07_06": "07.asf",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--character-pattern", "*.bvh"], "a pattern has {character} once"),
        (["--set", "padding=3"], "--set padding=3: no option 'padding'"),
        (["--set", "strictness"], "expected NAME=VALUE"),
        (["--set", "strictness=loose"], "strictness must be one of"),
        (["--set", "coupled=maybe"], "coupled must be true or false"),
        (["--frame-rate", "-1"], "--frame-rate must be above 0"),
        (["--out", "elsewhere/m.json"], "a manifest lies in the folder of the motion or above it"),
    ],
)
def test_usage(library, capsys, monkeypatch, arguments, said):
    monkeypatch.chdir(library.parent)
    assert main(["manifest", str(library), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not list(library.glob("*.json"))


def test_a_folder_that_is_not_there(tmp_path, capsys):
    assert main(["manifest", str(tmp_path / "gone")]) == 1
    assert "is no folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"), [("a.bvh\n", "who.csv:1: expected a file"), (None, "cannot be read")]
)
def test_a_list_that_is_none(library, tmp_path, capsys, text, said):
    table = tmp_path / "who.csv"
    if text:
        table.write_text(text)
    made(library, "--character-list", str(table), code=1)
    assert said in capsys.readouterr().err
