"""Foreign files among the results of a batch, and under the names that it writes."""

from __future__ import annotations

import os

import pytest

from jointlimits_core.base.errors import InputError
from jointlimits_core.batch.command import check_foreign_results
from jointlimits_core.batch.library import PAGE
from jointlimits_core.cli.main import main
from tests.support.batch_manifests import bvh_text, contents, write_library


def batch(manifest, out, *arguments):
    return main(["batch", "--manifest", str(manifest), "--out", str(out), *arguments])


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["summary.json", "library.csv"])
def test_a_manifest_that_lies_in_the_results_is_never_replaced(tmp_path, capsys, name):
    manifest = write_library(tmp_path, 1)
    manifest = manifest.rename(tmp_path / name)
    before = everything(tmp_path)
    assert batch(manifest, tmp_path) == 2
    stderr = capsys.readouterr().err
    assert f"{manifest}: already exists and is not a " in stderr
    assert "choose another folder for the results" in stderr
    assert everything(tmp_path) == before


@pytest.mark.parametrize("merge", [[], ["--merge"]])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("summary.json", "my notes"),
        ("summary.json", '{"format": "jointlimits.library"}'),
        ("summary.json", "[]"),
        ("library.csv", "name,books\n"),
        ("library.html", "<!DOCTYPE html>\n<p>About our library</p>"),
    ],
)
def test_files_of_others_with_the_names_of_ours_stop_it_before_it_begins(
    tmp_path, capsys, name, text, merge
):
    manifest, out = write_library(tmp_path, 1), tmp_path / "out"
    out.mkdir()
    (out / name).write_text(text)
    assert batch(manifest, out, *merge) == 2
    assert f"{name}: already exists and is not a " in capsys.readouterr().err
    assert everything(out) == {out / name: text.encode()}


def test_folders_links_and_devices_in_place_of_a_summary(tmp_path):
    place = tmp_path / "summary.json"
    place.mkdir()
    with pytest.raises(InputError, match="expected a file, found a folder"):
        check_foreign_results(tmp_path)
    place.rmdir()
    place.symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match="nowhere, which does not exist"):
        check_foreign_results(tmp_path)
    place.unlink()
    place.write_bytes(b"\0")
    with pytest.raises(InputError, match="already exists and is not a summary of a batch"):
        check_foreign_results(tmp_path)
    place.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(place)
        with pytest.raises(InputError, match="expected a file, found a pipe, socket or device"):
            check_foreign_results(tmp_path)


@pytest.mark.thorough
def test_a_clip_that_is_a_link_out_of_the_folder_stops_no_other(tmp_path, capsys):
    home = tmp_path / "home"
    manifest, out = write_library(home, 3), tmp_path / "out"
    (tmp_path / "clip.bvh").write_text(bvh_text(50))
    (home / "clip_01.bvh").unlink()
    (home / "clip_01.bvh").symlink_to(tmp_path / "clip.bvh")
    assert batch(manifest, out) == 1
    printed = capsys.readouterr().out
    assert "] actor 01: failed: clip_01.bvh: is a link that leaves the manifest's folder" in printed
    assert printed.endswith("2 ok, 1 failed, 0 missing\n")
    assert batch(manifest, out, "--resume", "--allow-outside") == 0
    assert capsys.readouterr().out.endswith("3 ok, 0 failed, 0 missing\n")


@pytest.mark.parametrize(("file", "out"), [("a", "a"), ("a", "a/b/c"), ("a/logs", "a")])
def test_a_file_in_place_of_a_folder(tmp_path, capsys, file, out):
    manifest, file = write_library(tmp_path, 1), tmp_path / file
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine")
    assert batch(manifest, tmp_path / out) == 2
    stderr = capsys.readouterr().err
    assert f"{file}: expected a folder, found a file; choose another folder\n" in stderr
    assert "Errno" not in stderr
    assert file.read_text() == "mine"


@pytest.mark.thorough
def test_what_a_batch_wrote_is_replaced_and_what_lies_beside_it_stays(tmp_path):
    manifest, out = write_library(tmp_path, 2), tmp_path / "out"
    assert batch(manifest, out) == 0
    first = contents(out)
    foreign = {out / "notes.txt": b"mine", out / ".take.part": b"half", out / "a.limits.json": b""}
    foreign[out / ".work.scratch" / "b.txt"] = b"work"
    for path, data in foreign.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (out / PAGE).write_bytes(first[PAGE] + b"<!-- changed -->")
    assert batch(manifest, out) == 0
    assert first.items() <= contents(out).items()
    assert foreign.items() <= everything(out).items()
