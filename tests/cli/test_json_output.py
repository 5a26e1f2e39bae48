"""``--format json``: one object for every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import jointlimits_core.cli
from jointlimits_core.cli.main import COMMANDS, main
from tests.support.house_files import ROOT

SCHEMA = Path(jointlimits_core.cli.__file__).with_name("run.schema.json")
CLIP = ROOT / "examples" / "humanoid_rom.bvh"
OWN = ("check", "diff", "batch")
"""Commands whose JSON is their own result."""


def run(capsys, *arguments):
    code = main([*map(str, arguments), "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.thorough
def test_it_keeps_to_its_schema(tmp_path, capsys):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.validate(run(capsys, "estimate", CLIP, "--out", tmp_path)[1], schema)
    jsonschema.validate(run(capsys, "show", tmp_path / "gone.json")[1], schema)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in OWN])
def test_every_command_has_it(command, capsys):
    assert main([command, "--help"]) == 0
    assert "--format {text,json" in capsys.readouterr().out
