"""Recipes of the pages: the gate before a commit and in CI, and a batch in a container."""

from __future__ import annotations

import glob
import json
import re
import shlex
import shutil
from xml.etree import ElementTree

import pytest

from jointlimits_core.cli.main import main
from tests.support.house_files import ROOT, fenced_blocks

CLIP, BASELINE = ROOT / "examples" / "humanoid_rom.bvh", "limits/hero.baseline.json"
CONTAINER = (ROOT / "examples" / "Containerfile").read_text(encoding="utf-8")


@pytest.fixture
def recipes():
    """The YAML blocks of the page, parsed: of pre-commit, and of GitHub."""
    yaml = pytest.importorskip("yaml")
    page = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
    return [yaml.safe_load(block) for block in fenced_blocks(page, "yaml")]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with limits, a baseline, and a clip inside and one outside the limits."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hero").mkdir()
    shutil.copy(CLIP, "hero/rom.bvh")
    assert main(["estimate", "hero/rom.bvh", "--character", "hero", "--out", "limits"]) == 0
    given = ["check", "limits/hero.limits.json", "hero/rom.bvh", "--write-baseline", BASELINE]
    assert main(given) == 0
    head, frames = CLIP.read_text(encoding="utf-8").split("Frame Time", 1)
    lines = frames.splitlines(keepends=True)
    values = lines[900].split()
    lines[900] = " ".join([*values[:3], *("170" for _ in values[3:])]) + "\n"
    (tmp_path / "bent.bvh").write_text(f"{head}Frame Time{''.join(lines)}", encoding="utf-8")
    return tmp_path


@pytest.mark.thorough
def test_the_hook_stops_what_is_outside(recipes, project):
    (hook,) = recipes[0]["repos"][0]["hooks"]
    assert re.search(hook["files"], "hero/rom.bvh")
    program, *words = shlex.split(hook["entry"])
    assert program == "jointlimits"
    assert main([*words, "hero/rom.bvh"]) == 0
    assert main([*words, "bent.bvh"]) == 1


@pytest.mark.thorough
def test_the_job_writes_what_a_server_reads(recipes, project):
    steps = recipes[1]["jobs"]["check"]["steps"]
    (line,) = [one["run"] for one in steps if one.get("run", "").startswith("jointlimits")]
    assert steps[-1]["with"]["path"] in line

    def code():
        words = shlex.split(line)[1:]
        return main([one for word in words for one in sorted(glob.glob(word)) or [word]])

    assert code() == 0
    shutil.move("bent.bvh", "hero/bent.bvh")
    assert code() == 1
    assert ElementTree.parse("check.xml").findall(".//failure")


def test_the_image_has_what_it_copies_and_runs_a_batch(tmp_path, monkeypatch):
    copied = [line.split()[1:-1] for line in CONTAINER.splitlines() if line.startswith("COPY ")]
    sources = [name for names in copied for name in names if not names[0].startswith("--from")]
    assert sources
    assert all((ROOT / name).exists() for name in sources)
    entry, words = (
        json.loads(re.search(f"^{key} (.*)$", CONTAINER, re.MULTILINE)[1])
        for key in ("ENTRYPOINT", "CMD")
    )
    assert entry == ["jointlimits"]
    shutil.copy(CLIP, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["manifest", "."]) == 0
    assert main(words) == 0
    assert (tmp_path / "results" / "library.html").exists()
