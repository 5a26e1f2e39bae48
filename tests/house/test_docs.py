"""What pages show of the output is what is printed, and they describe what there is."""

from __future__ import annotations

import re

import pytest

from docs import make_format_table
from jointlimits_core.cli.main import parser
from jointlimits_core.exporters.formats import export_formats
from jointlimits_core.formats.registry import TRACK_ENDINGS, motion_formats
from jointlimits_core.shapes.fitting import FITS
from tests.support.house_files import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
COUPLED = (ROOT / "docs" / "coupled_limits.md").read_text(encoding="utf-8")
BODIES = (ROOT / "docs" / "bodies.md").read_text(encoding="utf-8")
FARM = (ROOT / "docs" / "farm.md").read_text(encoding="utf-8")
INDEX = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
EXPORTS = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
MAX_WORDS = 19_600


def test_all_pages_together_stay_short():
    """The README counts; the page of the benchmark, which a command writes, does not."""
    pages = [ROOT / "README.md", *(page for page in PAGES if page.name != "benchmark.md")]
    counts = {page.name: len(page.read_text(encoding="utf-8").split()) for page in pages}
    assert sum(counts.values()) <= MAX_WORDS, counts


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


def test_promises_about_hostile_input_name_tests_that_exist():
    page = (ROOT / "docs" / "hostile_input.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    tests = "\n".join(one.read_text(encoding="utf-8") for one in ROOT.glob("tests/*/test_*.py"))
    assert len(named) >= 20
    assert not named - set(re.findall(r"^def (test_\w+)", tests, flags=re.MULTILINE))
