"""``jointlimits manifest``: which characters are below a folder, and which files are theirs."""

from __future__ import annotations

import json
import os

import pytest

from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.cli.main import main
from tests.support.batch_manifests import bvh_text


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
    write(home, files)
    return home


def write(home, files):
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")


def make(home, *arguments, code=0, out=None):
    """Entries of the manifest that is written, by name."""
    out = out or home / "characters.json"
    assert main(["manifest", str(home), "--out", str(out), "--force", *arguments]) == code
    if code:
        return None
    read_manifest(out)
    entries = json.loads(out.read_text(encoding="utf-8"))["characters"]
    return {entry.pop("name"): entry for entry in entries}


def test_files_of_a_folder_with_the_same_skeleton_are_one_character(library):
    entries = make(library)
    people = ["show/anna_run.bvh", "show/anna_walk.bvh", "show/ben_walk.bvh"]
    assert entries["show"] == {"clips": people}
    assert entries["show/cat"] == {"clips": ["show/cat.bvh"]}
    assert entries["02"] == {"clips": ["02/02_01.amc", "02/02_02.amc"], "skeleton": "02/02.asf"}
    assert entries["library"] == {"clips": ["top.bvh"]}
    assert entries["scenes/Hero.ma"] == {"scene": "scenes/Hero.ma"}
    assert entries["scenes"] == {"clips": ["scenes/hero.bvh"]}
    assert entries["results/deeper"] == {"clips": ["results/deeper/a.bvh"]}
    assert len(entries) == 7


def test_each_file_by_itself(library):
    entries = make(library, "--character-by", "file", "--frame-rate", "60")
    assert entries["show/anna_walk.bvh"] == {"clips": ["show/anna_walk.bvh"]}
    assert entries["02/02_01.amc"] == {
        "clips": ["02/02_01.amc"],
        "skeleton": "02/02.asf",
        "frame_rate": 60.0,
    }
    assert len(entries) == 10


def test_all_of_a_folder(library):
    entries = make(library, "--character-by", "folder")
    assert len(entries["show"]["clips"]) == 4
    assert set(entries) == {"show", "02", "library", "scenes", "results/deeper"}


def test_names_out_of_paths(library, capsys):
    entries = make(library, "--character-by", "**/{character}_*.bvh")
    assert {name: len(entry["clips"]) for name, entry in entries.items()} == {"anna": 2, "ben": 1}
    assert "left out: 02/02_01.amc: its path does not match the pattern" in capsys.readouterr().err


def test_a_list_by_hand_comes_first(library, tmp_path):
    table = tmp_path / "who.csv"
    table.write_text("# who is who\nshow/ben*,Ben\n\nshow/cat.bvh, The Cat\n", encoding="utf-8")
    entries = make(library, "--character-by", str(table))
    assert entries["Ben"] == {"clips": ["show/ben_walk.bvh"]}
    assert entries["The Cat"] == {"clips": ["show/cat.bvh"]}
    assert entries["show"]["clips"] == ["show/anna_run.bvh", "show/anna_walk.bvh"]


def test_for_maya_only_scenes_are_listed(library):
    assert make(library, "--host", "maya") == {"scenes/Hero.ma": {"scene": "scenes/Hero.ma"}}


def test_options_for_all(library):
    make(library, "--set", "strictness=robust", "--set", "pad_deg=2.5", "-s", "coupled=true")
    options = json.loads((library / "characters.json").read_text())["options"]
    expected = {"strictness": "robust", "pad_deg": 2.5, "coupled": True}
    assert options == {"symmetry": "report", **expected}


def test_a_manifest_above_the_folder_leads_down_into_it(library):
    entries = make(library, out=library.parent / "all.json")
    assert entries["library"] == {"clips": ["library/top.bvh"]}


def test_a_manifest_that_is_there_is_kept(library, capsys):
    out = library / "characters.json"
    out.write_text('{"changed": "by hand", "format": "jointlimits.manifest"}')
    before = out.read_bytes()
    assert main(["manifest", str(library)]) == 2
    assert "may have been edited by hand" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert main(["manifest", str(library), "--force"]) == 0
    printed = capsys.readouterr().out
    assert "7 characters from 10 files, items 0-6\n" in printed
    assert "jointlimits batch --manifest" in printed


def test_the_same_bytes_whatever_the_order_of_the_disk(library, monkeypatch):
    make(library)
    before = (library / "characters.json").read_bytes()
    walk = os.walk

    def backwards(top, **more):
        for place, folders, names in walk(top, **more):
            folders.reverse()
            yield place, folders, names[::-1]

    monkeypatch.setattr(os, "walk", backwards)
    make(library)
    assert (library / "characters.json").read_bytes() == before


def test_what_no_manifest_can_name_is_left_out_and_listed(library, capsys):
    show = library / "show"
    write(library, {"show/two\nlines.bvh": bvh_text(10), "show/._walk.bvh": "\0"})
    write(library.parent, {"outside.bvh": bvh_text(10)})
    (show / "link.bvh").symlink_to(library.parent / "outside.bvh")
    for name, target in (("gone", "nowhere"), ("itself", "itself")):
        (show / f"{name}.bvh").symlink_to(show / f"{target}.bvh")
    make(library)
    stderr = capsys.readouterr().err
    for left_out in (
        "show/two\\nlines.bvh: its name has characters",
        "show/link.bvh: it links to a file outside the folder",
        "show/itself.bvh: it is a broken link",
        "show/._walk.bvh: its name begins with a dot",
        "show/gone.bvh: it is a broken link",
        "scenes/hero.limits.ma: a copy with limits",
    ):
        assert f"left out: {left_out}" in stderr
    assert "Errno" not in stderr


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], "no skeleton (.asf) found in its folder"),
        (
            ["a.asf", "b.asf"],
            "several skeletons in its folder, none with a matching name: a.asf, b.asf",
        ),
        (
            ["x-run.asf", "x-walk.asf", "y.asf"],
            "several skeletons in its folder, several with a matching name: x-run.asf, x-walk.asf",
        ),
    ],
)
def test_an_amc_file_whose_skeleton_is_unclear_is_left_out(tmp_path, capsys, names, expected):
    for name in ("x_01.amc", *names):
        (tmp_path / name).write_text("text")
    make(tmp_path, code=2)
    assert "no motion files found in this folder or its subfolders" in capsys.readouterr().err
    (tmp_path / "y.bvh").write_text(bvh_text(10))
    make(tmp_path)
    assert f"left out: x_01.amc: {expected}" in capsys.readouterr().err


def test_of_several_skeletons_the_one_of_that_name(tmp_path):
    for name in ("07.asf", "07_05.asf", "8.asf", "07_05_walk.amc", "07_06.amc"):
        (tmp_path / name).write_text("text")
    entries = make(tmp_path, "--character-by", "file")
    assert {name: entry["skeleton"] for name, entry in entries.items()} == {
        "07_05_walk.amc": "07_05.asf",
        "07_06.amc": "07.asf",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.bvh\n", "who.csv:1: expected two columns with a comma between them"),
        (None, "file not found"),
    ],
)
def test_a_list_that_is_none(library, tmp_path, capsys, text, expected):
    table = tmp_path / "who.csv"
    if text:
        table.write_text(text)
    make(library, "--character-by", str(table), code=1)
    assert expected in capsys.readouterr().err


# --- names ----------------------------------------------------------------------------------------


def test_no_name_changes_when_clips_are_added(library):
    home = library.parent / "names"
    other = bvh_text(30).replace("OFFSET 0 -10 0", "OFFSET 0 -4 0")
    first = {
        "cmu/03.asf": "skeleton",
        "cmu/03_01.amc": "motion",
        "cmu/02/02.asf": "skeleton",
        "cmu/02/02_01.amc": "motion",
        "bo/walk.bvh": bvh_text(20),
        "mixed/man_run.bvh": bvh_text(20),
        "mixed/man_walk.bvh": bvh_text(20),
        "mixed/cat_run.bvh": other,
        "mixed/cat_walk.bvh": other,
        "Cy/run.bvh": bvh_text(20),
        "cy/run.bvh": bvh_text(20),
        "rigs/hero.ma": "//Maya ASCII 2024 scene\n",
    }
    more = {
        "cmu/03_02.amc": "motion",
        "cmu/02/02_00.amc": "motion",
        "cmu/02/02_00.bvh": bvh_text(20),
        "bo/a.bvh": bvh_text(30),
        "mixed/cat_eat.bvh": other,
        "mixed/man_eat.bvh": bvh_text(11),
        "Cy/aaa.bvh": bvh_text(20),
        "rigs/hero.bvh": bvh_text(20),
        "rigs/other.ma": "//Maya ASCII 2024 scene\n",
    }

    write(home, first)
    before = make(home)
    write(home, more)
    after = make(home)
    assert {"cmu/03", "cmu/02", "bo", "rigs/hero.ma", "mixed/cat", "mixed/man"} <= set(before)
    assert len(before) == 8
    assert set(before) < set(after)
    for name, entry in before.items():
        assert set(entry.get("clips", ())) <= set(after[name].get("clips", ())), name
    assert len(after["cmu/02"]["clips"]) == 2
    by_file = make(home, "--character-by", "file")
    assert {"rigs/hero.ma", "rigs/hero.bvh", "cmu/03_01.amc"} <= set(by_file)


def test_a_name_that_changes_nevertheless_is_reported(tmp_path, capsys):
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "walk.bvh").write_text(bvh_text(20))
    make(tmp_path)
    make(tmp_path)
    assert "renamed" not in capsys.readouterr().err
    (tmp_path / "anna" / "cat.bvh").write_text(bvh_text(30).replace("T 0 -10 0", "T 0 -4 0"))
    found = make(tmp_path)
    (name,) = (one for one, entry in found.items() if entry["clips"] == ["anna/walk.bvh"])
    stderr = capsys.readouterr().err
    assert stderr == f"jointlimits: renamed: {name} was anna in the previous manifest\n"
    (tmp_path / "characters.json").write_text('{"format": "jointlimits.manifest"}')
    assert set(make(tmp_path)) == set(found)
    assert capsys.readouterr().err == ""


# --- links to folders, and folders of results -----------------------------------------------------


def test_links_to_folders_are_reported_or_followed(library, tmp_path, capsys):
    published = tmp_path / "publish" / "dora"
    (published / "deeper").mkdir(parents=True)
    (published / "deeper" / "jump.bvh").write_text(bvh_text(10))
    (library / "links").mkdir()
    for name, target in {
        "dora": published,
        "again": library / "02",
        "up": library.parent,
        "self": library,
        "kept": library / ".hidden",
    }.items():
        (library / "links" / name).symlink_to(target)
    entries = make(library)
    stderr = capsys.readouterr().err
    assert "left out: links/dora: it is a link to a folder outside; follow such" in stderr
    assert "left out: links/again: it is a link to 02, whose motion is found anyway" in stderr
    assert (
        "left out: links/self: it is a link to this folder, whose motion is found anyway" in stderr
    )
    assert "left out: links/up: it is a link to a parent folder" in stderr
    assert entries["links/kept"] == {"clips": ["links/kept/x.bvh"]}
    (published / "back").symlink_to(library)
    out = library / "characters.json"
    assert main(["manifest", str(library), "--force", "--allow-outside"]) == 0
    captured = capsys.readouterr()
    assert "--allow-outside\n" in captured.out
    assert "left out: links/dora/back: it is a link to this folder" in captured.err
    listed = {one["name"]: one for one in json.loads(out.read_text())["characters"]}
    assert listed["links/dora/deeper"]["clips"] == ["links/dora/deeper/jump.bvh"]
    assert len(listed) == 9


def test_results_beside_clips_hide_no_clips(library, capsys):
    before = make(library)
    (library / "show" / "b.result.json").write_text("{}")
    (library / "c.result.json").write_text("{}")
    assert make(library) == before


def test_a_folder_that_cannot_be_opened_is_reported(library, capsys, monkeypatch):
    scan = os.scandir

    def refuse(place):
        if os.path.basename(place) == "show":
            raise PermissionError(13, "Permission denied", place)
        return scan(place)

    monkeypatch.setattr(os, "scandir", refuse)
    assert "02" in make(library)
    stderr = capsys.readouterr().err
    assert "left out: show: cannot be opened: Permission denied" in stderr


# --- what is never written over -------------------------------------------------------------------


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("top.bvh", "must end with .json"),
        ("who.csv", "must end with .json"),
        ("who.json", "would overwrite"),
        ("results/a.result.json", "already exists and is not a manifest"),
        ("notes.json", "already exists and is not a manifest"),
        ("link.json", "already exists and is not a manifest"),
        ("nowhere.json", "this is a link to gone/m.json, which does not exist"),
        ("itself.json", "this is a link to itself.json, which does not exist"),
        ("folder.json", "expected a file, found a folder"),
    ],
)
def test_nothing_but_a_manifest_is_written_over(library, capsys, name, expected, force):
    for table in ("who.csv", "who.json"):
        (library / table).write_text("show/ben*,Ben\n")
    (library / "notes.json").write_text('{"format": "jointlimits.limit-set"}')
    (library / "link.json").symlink_to(library / "top.bvh")
    (library / "nowhere.json").symlink_to("gone/m.json")
    (library / "itself.json").symlink_to("itself.json")
    (library / "folder.json").mkdir()
    before = {path: path.read_bytes() for path in library.rglob("*") if path.is_file()}
    listed = "who.json" if name == "who.json" else "who.csv"
    given = ["--out", str(library / name), "--character-by", str(library / listed), *force]
    assert main(["manifest", str(library), *given]) == 2
    stderr = capsys.readouterr().err
    assert expected in stderr
    assert stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in library.rglob("*") if path.is_file()} == before
    assert (library / "nowhere.json").is_symlink()


def test_motion_that_cannot_be_read_is_listed_with_the_reason(library, capsys):
    for name in ("show/anna.mb", "show/anna.c3d", "show/.anna.mb"):
        (library / name).write_bytes(b"FOR8")
    make(library)
    stderr = capsys.readouterr().err
    assert "left out: show/anna.mb: is a Maya binary scene; save it as Maya ASCII (.ma)" in stderr
    assert "left out: show/anna.c3d: holds markers or bodies, not joints" in stderr
    assert ".anna.mb" not in stderr


def test_performers_pooled_under_one_name_are_noted(library, capsys):
    make(library)
    stderr = capsys.readouterr().err
    assert "pools anna, ben; if these are performers, add --character-by" in stderr
    pattern = stderr.split("--character-by '")[1].split("'")[0]
    assert {"anna", "ben"} <= set(make(library, "--character-by", pattern))
    assert "pools" not in capsys.readouterr().err


def test_numbers_of_subjects_and_skeletons_pooled_under_one_name_are_noted(
    library, tmp_path, capsys
):
    write(tmp_path / "numbers", {"01_01.bvh": bvh_text(60), "02_01.bvh": bvh_text(60)})
    make(tmp_path / "numbers")
    assert "pools 01, 02; if these are performers" in capsys.readouterr().err
    make(library, "--character-by", "folder")
    assert "show: pools files of 2 skeletons" in capsys.readouterr().err


def test_a_path_too_long_for_a_name_is_shortened(tmp_path):
    home = tmp_path / "library"
    for end in ("one", "two"):
        folder = home / ("a" * 90) / ("b" * 90) / f"long_{end}"
        folder.mkdir(parents=True)
        (folder / "walk.bvh").write_text(bvh_text(20))
    entries = make(home)
    assert len(entries) == 2
    assert all(len(name) <= 200 for name in entries)
    assert sorted(name[-8:] for name in entries) == ["long_one", "long_two"]
