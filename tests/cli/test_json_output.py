"""``--format json``: one object for every command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import jointlimits_core.cli
from jointlimits_core.cli.main import COMMANDS, main
from tests.support.batch_manifests import write_library
from tests.support.house_files import ROOT

SCHEMA = Path(jointlimits_core.cli.__file__).with_name("run.schema.json")
CLIP = ROOT / "examples" / "humanoid_rom.bvh"
LIMITS = "a.limits.json"
WITH_OBJECT = {
    "demo": "demo --out demo",
    "estimate": f"estimate {CLIP} --out .",
    "skeleton": f"skeleton {ROOT / 'examples' / 'tracked_arm.csv'} --out .",
    "fit": f"fit {CLIP} --out .",
    "project": f"project a.coupled.json {CLIP} --out p.bvh",
    "apply": f"apply {LIMITS} {CLIP.with_suffix('.ma')} --out a.ma",
    "check": f"check {LIMITS} {CLIP}",
    "people": "people characters.json --licence ours --out people.npz",
    "audit": f"audit {LIMITS}",
    "show": f"show {LIMITS}",
    "edit": f"edit {LIMITS}",
    "merge": f"merge {LIMITS} {LIMITS} --out both.json",
    "diff": f"diff {LIMITS} {LIMITS}",
    "import-limits": f"import-limits {CLIP.with_suffix('.ma')} --out declared.json",
    "export": f"export {LIMITS} --out a.csv",
    "manifest": "manifest . --force",
    "batch": "batch --manifest characters.json --out results",
    "gui": "gui gone.json",
}
"""Every command, with arguments whose JSON is one object."""


def run(capsys, *arguments):
    code = main([*map(str, arguments), "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.thorough
def test_it_keeps_to_its_schema(tmp_path, capsys):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.validate(run(capsys, "estimate", CLIP, "--out", tmp_path)[1], schema)
    jsonschema.validate(run(capsys, "show", tmp_path / "gone.json")[1], schema)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_offers_it(command, capsys):
    assert main([command, "--help"]) == 0
    assert "--format {text,json" in capsys.readouterr().out


@pytest.mark.thorough
def test_every_command_prints_one_object_and_nothing_else(tmp_path, monkeypatch, capsys):
    """Also those that fail; a command that is new must be in the list."""
    assert list(WITH_OBJECT) == list(COMMANDS)
    monkeypatch.chdir(tmp_path)
    shutil.copy(CLIP, "a.bvh")
    for line in ("estimate a.bvh --out .", "fit a.bvh --out .", "manifest ."):
        assert main(line.split()) == 0
    capsys.readouterr()
    for line in WITH_OBJECT.values():
        found = run(capsys, *line.split())[1]
        assert isinstance(found, dict), line
        assert found["format"].startswith("jointlimits."), line


def test_the_object_of_a_batch_is_its_summary(tmp_path, capsys):
    manifest, out = write_library(tmp_path, 3, broken=(1,)), tmp_path / "out"
    given = ("batch", "--manifest", manifest, "--out", out)
    code, part = run(capsys, *given, "--items", "0-1")
    assert (code, part["ok"], part["failed"]) == (1, 1, 1)
    assert not (out / "summary.json").exists()
    code, found = run(capsys, *given)
    assert found == json.loads((out / "summary.json").read_text())
    assert (code, found["ok"], found["failed"], found["missing"]) == (1, 2, 1, 0)
    assert found["characters"][0]["clips"] == 1
    assert found["characters"][1]["joints"] is None


def test_a_farm_reads_lines(tmp_path, capsys):
    given = ["--manifest", write_library(tmp_path, 1), "--out", tmp_path / "out", "--progress"]
    assert main(["batch", *map(str, given), "openjd", "--format", "json"]) == 2
    assert "omit --progress openjd" in capsys.readouterr().err
