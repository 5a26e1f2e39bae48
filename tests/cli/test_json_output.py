"""``--format json``: one object for every command."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import jointlimits_core.cli
from jointlimits_core.cli.main import COMMANDS, main
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set

ROOT = Path(__file__).resolve().parents[2]

SCHEMA = Path(jointlimits_core.cli.__file__).with_name("run.schema.json")
CLIP = ROOT / "examples" / "humanoid_rom.bvh"
TRACKS = ROOT / "examples" / "tracked_arm.csv"
OWN = ("check", "diff", "batch")
"""Commands whose JSON is their own result."""


def run(capsys, *arguments):
    code = main([*map(str, arguments), "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_limits_are_in_it(tmp_path, capsys):
    code, found = run(capsys, "estimate", CLIP, "--out", tmp_path)
    path = tmp_path / "humanoid_rom.limits.json"
    assert (code, found["exit_code"], found["written"]) == (0, 0, [str(path)])
    (limits,) = found["limits"]
    assert LimitSet.from_json(json.dumps(limits)) == read_limit_set(path)
    assert found["messages"] == [f"wrote {path}"]
    assert run(capsys, "show", path)[1]["limits"] == [limits]


def test_it_keeps_to_its_schema(tmp_path, capsys):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.validate(run(capsys, "estimate", CLIP, "--out", tmp_path)[1], schema)
    jsonschema.validate(run(capsys, "show", tmp_path / "gone.json")[1], schema)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in OWN])
def test_every_command_has_it(command, capsys):
    assert main([command, "--help"]) == 0
    assert "--format {text,json" in capsys.readouterr().out


def test_limits_as_csv(tmp_path, capsys):
    path = tmp_path / "humanoid_rom.limits.json"
    assert main(["estimate", str(CLIP), "--out", str(tmp_path), "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].startswith("character,joint,parent,type")
    joints = read_limit_set(path).joints
    assert len(rows) == 1 + sum(len(joint.limits) for joint in joints.values())
    assert main(["show", str(tmp_path / "none.json"), "--format", "csv"]) == 1
    assert capsys.readouterr().out == ""
    assert main(["show", str(path), "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines() == rows
    assert main(["diff", str(path), str(path), "--format", "csv"]) == 0
    assert capsys.readouterr().out == "joint,channel,what,before,after,by_deg,why\n"


def rows_of(capsys, *arguments):
    assert main([*map(str, arguments), "--format", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


@pytest.mark.thorough
def test_tables_of_other_commands_as_csv(tmp_path, capsys):
    shapes = rows_of(capsys, "fit", CLIP, "--shape", "box", "--out", tmp_path)
    limits = tmp_path / "humanoid_rom.limits.json"
    coupled = {n: one.coupled for n, one in read_limit_set(limits).joints.items() if one.coupled}
    assert {row["joint"]: float(row["freedom"]) for row in shapes} == {
        name: one.freedom for name, one in coupled.items()
    }
    found = rows_of(capsys, "skeleton", TRACKS, "--out", tmp_path)
    assert {row["joint"]: row["parent"] for row in found} == {
        "chest": "upper_arm",
        "forearm": "upper_arm",
        "hand": "forearm",
    }
    assert all(0.001 < float(row["gap_m"]) < 0.01 for row in found)
