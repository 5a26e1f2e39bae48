"""What pages show of the output is what is printed, and they describe what there is."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from docs import make_format_table
from jointlimits_core.batch.manifest import manifest_schema
from jointlimits_core.cli.main import main, parser
from jointlimits_core.exporters.formats import export_formats
from jointlimits_core.formats.registry import TRACK_ENDINGS, motion_formats
from jointlimits_core.io.json import problems
from jointlimits_core.shapes.fitting import FITS
from tests.support.house_files import ROOT, fenced_blocks

PAGES = sorted((ROOT / "docs").rglob("*.md"))
COUPLED = (ROOT / "docs" / "coupled_limits.md").read_text(encoding="utf-8")
BODIES = (ROOT / "docs" / "bodies.md").read_text(encoding="utf-8")
FARM = (ROOT / "docs" / "farm.md").read_text(encoding="utf-8")
INDEX = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
EXPORTS = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the examples in it, to work in."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_lines(document, capsys):
    """Run every line of a page that calls the program; what each of them printed."""
    lines = [line for block in fenced_blocks(document, "sh") for line in block.splitlines()]
    printed = []
    for line in lines:
        # The window waits for somebody to close it.
        if line.startswith("jointlimits ") and not line.startswith("jointlimits gui"):
            assert main(shlex.split(line)[1:]) == 0, f"{line}\n{capsys.readouterr().err}"
            printed.append(capsys.readouterr().out)
    return printed


@pytest.mark.slow
def test_the_walk_through_coupled_limits(folder, capsys):
    fit, *_ = run_lines(COUPLED, capsys)
    printed = [row.split() for row in fit.splitlines()]
    block = next(block for block in fenced_blocks(COUPLED, "text") if "freedom" in block)
    rows = [row.split() for row in block.splitlines() if row.strip()]
    assert len(rows) > 5
    for row in rows:
        # How wide the rule is depends on rows that are left out.
        assert row in printed or set("".join(row)) == {"-"}, row
    python = [b for b in fenced_blocks(COUPLED, "python") if not b.startswith("# run: in Maya")]
    assert python
    for block in python:
        run = subprocess.run(
            [sys.executable, "-c", block],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr


@pytest.mark.slow
def test_the_lines_of_the_exports(folder, capsys):
    pytest.importorskip("pxr")
    assert len(run_lines(EXPORTS, capsys)) >= 7
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    printed = []
    for block in fenced_blocks(EXPORTS, "python"):
        run = subprocess.run(
            [sys.executable, "-c", block], env=environment, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        printed.append(run.stdout)
    joints, losses = printed
    assert "with collisions off" in losses
    (shown,) = fenced_blocks(EXPORTS, "text")
    assert shown.splitlines()
    assert set(shown.splitlines()) <= set(joints.splitlines())


@pytest.mark.thorough
def test_the_lines_of_libraries_and_farms(folder, capsys):
    listed, done = run_lines(FARM, capsys)
    assert "2 characters of 2 files, items 0-1" in listed
    assert "2 ok, 0 failed, 0 missing" in done
    manifest = json.loads(fenced_blocks(FARM, "json")[0])
    assert not list(problems(manifest, manifest_schema()))


def test_every_export_is_described():
    for name in export_formats():
        assert f"`{name}`" in EXPORTS, name


def first_cells(page, heading):
    """First cells of the rows of the tables below a heading."""
    part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [row.split("|")[1].strip() for row in part.splitlines() if row.startswith("|")][2:]


def test_tables_of_formats_are_those_of_the_registries():
    assert make_format_table.with_table(INDEX) == INDEX, "run python -m docs.make_format_table"
    own = [one for one in motion_formats().values() if one.read is not None]
    listed = re.findall(r"`(\.\w+)`", " ".join(first_cells(INDEX, "What it reads")))
    assert set(listed) - set(TRACK_ENDINGS) == {end for one in own for end in one.endings}
    line = next(line for line in FARM.splitlines() if line.startswith("`jointlimits manifest DIR`"))
    assert {end for one in own for end in one.endings} <= set(re.findall(r"`(\.\w+)`", line))
    for one in motion_formats().values():
        if one.read is None and one.is_binary:
            assert all(f"`{end}`" in INDEX for end in one.endings), one.name
    exports = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", EXPORTS, flags=re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(exports))) == set(export_formats())
    declared = {one.name for one in motion_formats().values() if one.declares}
    rows = first_cells(EXPORTS, "The other way: limits from other programs")
    assert {row.strip("`.").lower() for row in rows} == declared


@pytest.mark.thorough
def test_the_skeleton_that_the_page_shows(folder, capsys):
    [printed] = run_lines(BODIES, capsys)
    rows_printed = [row.split() for row in printed.splitlines()]
    block = next(block for block in fenced_blocks(BODIES, "text") if "next best" in block)
    rows = block.splitlines()
    assert len(rows) > 8
    for row in filter(None, rows):
        # The last digit of a length may be another one with another numpy.
        shown = row.split()[:3]
        assert any(other[:3] == shown for other in rows_printed) or set(row) == {"-"}, row
    written = re.findall(r"`(?:NAME|CLIP)(\.skeleton\.(?:json|bvh|ma)|\.limits\.json)`", BODIES)
    for ending in written:
        assert (folder / "out" / f"tracked_arm{ending}").exists()
    assert len(set(written)) == 4


def test_options_that_pages_name_are_there(capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["skeleton", "--help"])
    printed = capsys.readouterr().out
    named = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", BODIES)) - {"--out"}
    assert len(named) >= 10
    for flag in named:
        assert re.search(rf"{flag}\b", printed), flag


def test_every_shape_is_described():
    for kind in FITS:
        assert f"`{kind}" in COUPLED, kind


@pytest.mark.slow
def test_the_picture_of_the_shapes_can_be_drawn(monkeypatch):
    from docs import make_page_images

    # Coarse, which is quick; what it costs is the number of triangles.
    monkeypatch.setattr(make_page_images, "FINER", 1)
    assert make_page_images.shapes_page().count("<figure>") == len(make_page_images.PANELS)
    assert {kind for kind, _, _ in make_page_images.PANELS} == set(FITS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_to_files(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_promises_about_hostile_input_name_tests_that_exist():
    page = (ROOT / "docs" / "hostile_input.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    tests = "\n".join(one.read_text(encoding="utf-8") for one in ROOT.glob("tests/*/test_*.py"))
    assert len(named) >= 20
    assert not named - set(re.findall(r"^def (test_\w+)", tests, flags=re.MULTILINE))
