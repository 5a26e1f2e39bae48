"""Limits of reading: one class, options on every command that reads, refusals that name them."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os

import pytest

from jointlimits_core.base.errors import InputError, reader_words
from jointlimits_core.base.options import flag_naming, option, options_of
from jointlimits_core.batch.address import address_of
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.motion_files import main as batch
from jointlimits_core.cli.main import COMMANDS, main, parser
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.maya_ascii import lexer
from jointlimits_core.formats.maya_ascii.writer import apply_limit_set
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.io.input import (
    DEFAULT_LIMITS,
    OF_SCENES,
    ReadLimits,
    add_reading,
    input_budget,
    reading_flags,
)
from jointlimits_core.limits.limit_set import read_limit_set
from tests.support.batch_manifests import bvh_text, write_manifest
from tests.support.batch_scenes import leg
from tests.support.budgets import budget
from tests.support.maya_scenes import write_scene

NAMES = [item.name for item in options_of("reading")]
MAX_BOUND = (1 << 53) - 1


def test_every_limit_is_an_option_and_every_option_a_limit():
    assert sorted(item.name for item in dataclasses.fields(ReadLimits)) == sorted(NAMES)
    assert {name: option(name).default for name in NAMES} == dataclasses.asdict(DEFAULT_LIMITS)
    assert set(OF_SCENES) < set(NAMES)
    for item in options_of("reading"):
        assert item.flag.startswith(f"--input-budget {item.name}=")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "references_below"])
def test_only_sense_bounds_what_a_limit_is_raised_to(name):
    assert getattr(ReadLimits(**{name: MAX_BOUND}), name) == MAX_BOUND
    for wrong in (0, -1, MAX_BOUND + 1, 1.5, True, "5", None):
        with pytest.raises(ValueError, match=rf"^{name} must be "):
            ReadLimits(**{name: wrong})


def test_references_in_references_end_before_the_stack_does(tmp_path):
    for level in range(16):
        text = f'file -r -ns "n" -rfn "nRN" -typ "mayaAscii" "{level + 1}.ma";\n'
        write_scene(tmp_path, text, f"{level}.ma")
    write_scene(tmp_path, leg(50.0), "16.ma")
    motion = read_motion(tmp_path / "0.ma")
    assert motion.joint_names == ("n:" * 16 + "hip", "n:" * 16 + "knee")
    write_scene(tmp_path, 'file -r -ns "n" -rfn "nRN" -typ "mayaAscii" "17.ma";\n', "16.ma")
    write_scene(tmp_path, leg(50.0), "17.ma")
    with pytest.raises(InputError, match="no joints"):
        read_motion(tmp_path / "0.ma")


@pytest.mark.thorough
@pytest.mark.parametrize("deep", [1500])
def test_what_is_deep_is_read_where_that_is_allowed(tmp_path, deep):
    head = "OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    text = f"HIERARCHY\nROOT j\n{{\n{head}" + f"JOINT j\n{{\n{head}" * (deep - 1) + "}\n" * deep
    row = " ".join(["1"] * 3 * deep)
    (tmp_path / "a.bvh").write_text(f"{text}MOTION\nFrames: 1\nFrame Time: 0.04\n{row}\n")
    nodes = "".join(f'createNode joint -n "j{k}" -p "j{k - 1}";\n' for k in range(1, deep))
    write_scene(tmp_path, 'createNode joint -n "j0";\n' + nodes, "a.ma")
    for name in ("a.bvh", "a.ma"):
        with pytest.raises(InputError, match="more than 1,000"):
            read_motion(tmp_path / name)
        found = read_motion(tmp_path / name, limits=budget(max_depth=deep))
        assert len(found.joint_names) == deep


@pytest.mark.parametrize(
    ("text", "size"),
    [
        *(("1", 1), ("1000", 1000), ("64K", 64 << 10), ("1.5m", 3 << 19)),
        *(("4G", 4 << 30), ("4 GB", 4 << 30), ("2GiB", 2 << 30), ("8T", 8 << 40)),
    ],
)
def test_sizes(text, size):
    assert option("max_bytes").from_text(text) == size


@pytest.mark.parametrize("text", ["", "G", "-1", "1e9", "4X", "4GG", "4 G B", "nan", "inf", "1_0"])
def test_texts_that_are_no_sizes(text):
    with pytest.raises(ValueError, match="not a size"):
        option("max_bytes").from_text(text)


def test_refusals_in_words():
    limits = ReadLimits(max_joints=50_000, max_bytes=3 << 29)
    assert limits.refusal("max_joints", "joints") == (
        "more than 50,000 joints; raise the option max_joints to read it"
    )
    assert limits.refusal("max_joints", "joints", 51_000).startswith("51,000 joints, more than 50")
    assert limits.refusal("max_bytes", "bytes", 5 << 30).startswith("5 GB, more than 1.5 GB;")
    assert limits.refusal("max_line_bytes", "bytes") == "more than 16 MB, the maximum"
    near = limits.refusal("max_bytes", "bytes", (3 << 29) + 1)
    assert near.startswith("1,610,612,737 bytes, more than 1,610,612,736 bytes;")
    assert reader_words(near, flag_naming()).endswith(
        "raise --input-budget max_bytes=SIZE to read it"
    )
    assert reader_words(near, flag_naming("batch")) == near


def test_flags_hand_limits_on_to_another_process(tmp_path):
    top = argparse.ArgumentParser()
    add_reading(top)
    below = tmp_path / "a, b=c"
    below.mkdir()
    text = f"max-bytes=4G,max_joints=7,references_below={below}"
    limits = top.parse_args(["--input-budget", text]).budget
    assert limits == ReadLimits(4 << 30, max_joints=7, references_below=str(below))
    assert reading_flags(DEFAULT_LIMITS) == []
    assert top.parse_args(reading_flags(limits)).budget == limits


def test_a_budget_may_come_from_a_file_or_the_environment(tmp_path, monkeypatch):
    path = tmp_path / "farm.json"
    path.write_text('{"max_joints": 50, "max_bytes": "10G"}')
    limits = input_budget(str(path))
    assert limits == ReadLimits(max_joints=50, max_bytes=10 << 30)
    monkeypatch.setenv("JOINTLIMITS_INPUT_BUDGET", str(path))
    top = argparse.ArgumentParser()
    add_reading(top)
    assert top.parse_args([]).budget == limits
    assert top.parse_args(reading_flags(DEFAULT_LIMITS)).budget == DEFAULT_LIMITS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_the_limits_that_matter_to_it(command):
    commands = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    (budget,) = [a for a in commands.choices[command]._actions if a.dest == "budget"] or [None]
    assert (budget is None) == (command in ("gui", "demo"))  # demo reads its own clip alone
    assert budget is None or budget.type("max_joints=5") == ReadLimits(max_joints=5)


# --- the command line -----------------------------------------------------------------------------


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    found = capsys.readouterr()
    return code, found.out, found.err


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(bvh_text(40))
    return path


@pytest.mark.parametrize("command", ["estimate", "fit", "skeleton"])
def test_a_refusal_names_the_flag_and_the_flag_helps(tmp_path, clip, capsys, command):
    few = [command, clip, "--out", tmp_path / "out", "--input-budget", "max_joints=1"]
    code, _, wrong = run(capsys, *few)
    assert code == 1
    assert "has more than 1 joints; raise --input-budget max_joints=N to read it" in wrong
    if command != "skeleton":
        assert run(capsys, *few[:-1], "max_joints=2")[0] == 0


def test_commands_that_hold_motions_against_limits(tmp_path, clip, capsys, monkeypatch):
    assert run(capsys, "estimate", clip, "--out", tmp_path)[0] == 0
    limits = tmp_path / "walk.limits.json"
    for command in (
        ["check", limits, clip],
        ["project", limits, clip, "--out", tmp_path / "new.bvh"],
        ["export", limits, "--to", "rom", "--motion", clip, "--out", tmp_path / "rom.bvh"],
    ):
        code, out, wrong = run(capsys, *command, "--input-budget", "max_bytes=100")
        assert code == 1
        assert "raise --input-budget max_bytes=SIZE to read it" in out + wrong
    monkeypatch.setattr(ReadLimits, "max_json_bytes", 1000)
    for command in (["show", limits], ["diff", limits, limits], ["check", limits, clip]):
        code, _, wrong = run(capsys, *command)
        assert code == 1
        assert "more than 1000 bytes, the maximum" in wrong


def test_what_no_limit_may_be_is_a_matter_of_usage(clip, capsys):
    for text, words in (
        ("max_bytes=0", "max_bytes must be a size such as 500M or 4G, not '0'"),
        ("max_bytes=many", "max_bytes must be a size such as 500M or 4G, not 'many'"),
        ("max_joints=1.5", "max_joints must be a whole number from 1"),
        (f"max_joints={1 << 53}", "max_joints must be a whole number from 1"),
        ("references_below=nowhere", "references_below must be an existing folder, not 'nowhere'"),
        ("max_joins=7", "the input budget has no setting 'max_joins'; did you mean max_joints?"),
        ("max_words=7", "the input budget has no setting 'max_words'; one bound holds for all"),
        ("large", "'large' is neither NAME=VALUE nor a JSON file"),
        ("gone.json", "gone.json: file not found"),
    ):
        code, _, wrong = run(capsys, "estimate", clip, "--input-budget", text)
        assert code == 2
        assert f"--input-budget: {words}" in wrong


# --- references of scenes -------------------------------------------------------------------------


@pytest.fixture
def shots(tmp_path):
    """A scene with one moving joint and a reference to a rig outside of its folder."""
    write_scene(tmp_path / "library", leg(50.0), "rig.ma")
    text = 'file -r -ns "hero" -rfn "heroRN" -typ "mayaAscii" "../library/rig.ma";\n'
    return write_scene(tmp_path / "shots", text + leg(40.0, prefix="own_"), "shot.ma").parent


def test_references_outside_of_a_batch_can_be_bounded(shots, capsys):
    scene, out = shots / "shot.ma", shots / "out"
    joints = []
    for folder in (None, shots.parent, shots):
        more = ["--input-budget", f"references_below={folder}"] if folder else []
        assert run(capsys, "estimate", scene, "--out", out, *more)[0] == 0
        limits = read_limit_set(out / "shot.limits.json")
        joints.append(sorted(limits.joints))
        rules = {finding.rule for finding in limits.findings}
        assert ("outside-reference" in rules) == (len(joints) == 3)
    assert joints[0] == joints[1]
    assert "hero:hip" in joints[0]
    assert "own_hip" in joints[2]
    assert "hero:hip" not in joints[2]


def test_applying_does_not_open_what_may_not_be_read(shots, monkeypatch, tmp_path):
    motion = read_motion(shots / "shot.ma")
    limits, opened = estimate([motion]), []
    read = lexer.statements

    def statements(path, *more):
        opened.append(os.path.basename(path))
        return read(path, *more)

    monkeypatch.setattr(lexer, "statements", statements)
    bounded = ReadLimits(references_below=shots)
    report = apply_limit_set(limits, shots / "shot.ma", tmp_path / "a.ma", limits=bounded)
    assert opened == ["shot.ma"]
    assert "hero:knee" not in report.written
    assert "own_knee" in report.written
    (why,) = {item.advice for item in report.skipped if item.joint == "hero:knee"}
    assert "is outside the folder that references must stay in" in why
    apply_limit_set(limits, shots / "shot.ma", tmp_path / "b.ma")
    assert opened == ["shot.ma", "shot.ma", "rig.ma"]


# --- batches --------------------------------------------------------------------------------------


def result_of(out):
    (path,) = out.glob("*.result.json")
    return json.loads(path.read_text())


def result_time(out):
    (path,) = out.glob("*.result.json")
    return path.stat().st_mtime_ns


@pytest.mark.thorough
def test_workers_of_a_batch_have_its_limits(tmp_path, clip, capsys):
    out = tmp_path / "out"
    manifest = write_manifest(tmp_path, [{"name": "a", "clips": [clip.name]}])
    command = ["--manifest", str(manifest), "--out", str(out), "--resume"]
    assert batch([*command, "--input-budget", "max_joints=1"]) == 1
    assert "raise --input-budget max_joints=N to read it" in capsys.readouterr().out
    assert "raise --input-budget max_joints=N to read it" in result_of(out)["message"]
    assert batch(command) == 0
    made = result_time(out)
    assert batch([*command, "--input-budget", "max_joints=99"]) == 0
    assert result_time(out) == made


def test_limits_are_part_of_a_result_only_where_they_can_change_it(tmp_path, clip):
    write_scene(tmp_path, leg(40.0), "leg.ma")
    entries = [{"name": "a", "clips": [clip.name]}, {"name": "b", "scene": "leg.ma"}]
    manifest = write_manifest(tmp_path, entries)

    def keys(**limits):
        found = read_manifest(manifest, limits=ReadLimits(**limits)).characters
        return [address_of(character, "files").key for character in found]

    motion, scene = keys()
    every = {name: 77 for name in NAMES if name != "references_below"}
    assert keys(**every)[0] == motion
    refusing = {name: 77 for name in every if name not in OF_SCENES}
    assert keys(**refusing) == [motion, scene]
    for name in OF_SCENES:
        assert keys(**{name: 77})[1] != scene


def test_a_manifest_raises_no_limits(tmp_path, clip):
    entry = {"name": "a", "clips": [clip.name], "options": {"max_joints": 10**6}}
    command = ["--manifest", str(write_manifest(tmp_path, [entry])), "--out", str(tmp_path / "o")]
    assert batch(command) == 2


@pytest.mark.thorough
def test_a_reference_that_appears_later_makes_a_result_stale(shots):
    rig = shots.parent / "library" / "rig.ma"
    text, out = rig.read_text(), shots / "out"
    rig.unlink()
    manifest = write_manifest(shots, [{"name": "a", "scene": "shot.ma"}])
    command = ["--manifest", str(manifest), "--out", str(out), "--resume", "--allow-outside"]
    assert batch(command) == 0
    assert result_of(out)["references"] == [
        {"scene": "shot.ma", "stored": "../library/rig.ma", "found": None}
    ]
    made = result_time(out)
    assert batch(command) == 0
    assert result_time(out) == made
    rig.write_text(text)
    assert batch(command) == 0
    assert result_time(out) > made
    assert [one["path"] for one in result_of(out)["read"]] == ["../library/rig.ma"]


@pytest.mark.thorough
def test_a_result_is_made_again_once_references_may_lead_elsewhere(shots):
    out = shots / "out"
    manifest = write_manifest(shots, [{"name": "a", "scene": "shot.ma"}])
    command = ["--manifest", str(manifest), "--out", str(out), "--resume"]
    joints = []
    bounded = ["--input-budget", f"references_below={shots.parent}"]
    for more in ([], bounded, [], ["--allow-outside"]):
        assert batch([*command, *more]) == 0
        (limits,) = out.glob("*.limits.json")
        joints.append("hero:hip" in read_limit_set(limits).joints)
    assert joints == [False, True, False, True]


def test_a_limit_that_a_reference_breaks_is_a_finding_that_names_it(shots):
    long = shots.parent / "library" / "rig.ma"
    long.write_text(long.read_text() + "sets " + "x " * 500 + ";")
    found = read_motion(shots / "shot.ma", limits=budget(max_skipped_bytes=900))
    (finding,) = found.findings
    assert finding.rule == "broken-reference"
    assert "more than 900 bytes, the maximum" in finding.message
    assert not read_motion(shots / "shot.ma").findings
