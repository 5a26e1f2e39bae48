"""The option table: every option once, and everybody reads it."""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jointlimits_core.base import options
from jointlimits_core.base.options import GROUPS, TYPES, Option, checked_options, option, options_of
from jointlimits_core.cli.main import parser
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.evaluation.alignment import BRANCHES
from jointlimits_core.evaluation.violations import TOLERANCE_DEG
from jointlimits_core.limits.records import MODES as SYMMETRY_MODES
from jointlimits_core.motion.screening.rules import LEFT_OUT_BY_DEFAULT, RULES
from tests.support.house_files import ROOT

EVERY = list(options.option_table().values())
IDS = [item.name for item in EVERY]


def test_every_option_of_an_estimate_is_there_and_only_those():
    table = {item.name: item.default for item in options_of("estimate")}
    fields = {item.name: item.default for item in dataclasses.fields(EstimateOptions)}
    assert table == fields
    assert list(table) == list(fields)
    assert EstimateOptions() == EstimateOptions(**table)


def test_names_are_not_declared_twice():
    declared = json.loads((ROOT / "jointlimits_core/base/options.json").read_text(encoding="utf-8"))
    names = [entry["name"] for entry in declared["options"]]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("which", ["flag", "short", "long"])
def test_flags_are_one_of_their_kind(which):
    flags = {
        "flag": [item.flag for item in EVERY if item.flag],
        "short": [flag for item in EVERY for flag in item.maya[::2]],
        "long": [flag for item in EVERY for flag in item.maya[1::2]],
    }[which]
    assert len(flags) > 10
    assert len(flags) == len(set(flags))


@pytest.mark.parametrize("item", [item for item in EVERY if item.maya], ids=lambda item: item.name)
def test_flags_are_what_maya_accepts(item):
    """Short flags have three letters at most, long ones four at least (Autodesk's SDK guide)."""
    assert len(item.maya) == (4 if item.each else 2)
    for short, long in zip(item.maya[::2], item.maya[1::2]):
        assert re.fullmatch(r"[a-z]{1,3}", short)
        assert re.fullmatch(r"[a-z][a-zA-Z]{3,}", long)
        assert short not in {"h", "q", "e"}
        assert long not in {"help", "query", "edit"}


@pytest.mark.parametrize("item", EVERY, ids=IDS)
def test_a_declaration_makes_sense(item):
    assert item.group in GROUPS
    assert item.type in TYPES
    assert item.check(item.default) == item.default
    assert item.flag or item.maya or item.group == "batch entry"
    setting = rf" {item.name}=[A-Z]+" if item.group == "reading" else ""
    assert not item.flag or re.fullmatch(r"--[a-z]+(-[a-z]+)*" + setting, item.flag)
    assert item.help
    assert not item.help.endswith(".")
    assert item.unit in ("", "degrees", "frames", "millimetres")
    assert item.name.endswith("_deg") == (item.unit == "degrees")
    assert item.name.endswith("_mm") == (item.unit == "millimetres")
    assert not (item.choices and item.common)
    assert len(item.words) in (0, len(item.choices or item.common))
    assert len(set(item.words)) == len(item.words)


def test_what_others_know_as_well_agrees():
    assert option("leave_out").default == LEFT_OUT_BY_DEFAULT
    assert option("branch").choices == BRANCHES
    assert option("symmetry").choices == SYMMETRY_MODES
    assert option("tolerance_deg").default == TOLERANCE_DEG
    assert f"(default {TOLERANCE_DEG:g})" in option("tolerance_deg").help
    assert set(option("leave_out").default) <= set(RULES)


def command_parser(command: str) -> argparse.ArgumentParser:
    top = parser()
    commands = next(a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    return commands.choices[command]


def command_actions(command: str) -> dict[str, argparse.Action]:
    return {a.dest: a for a in command_parser(command)._actions}


@pytest.mark.parametrize(
    ("command", "group"),
    [
        *(("estimate", "estimate"), ("estimate", "result"), ("apply", "write"), ("check", "check")),
        *(("skeleton", "bodies"), ("skeleton", "tracks"), ("export", "export")),
    ],
)
def test_the_command_line_has_what_the_table_declares(command, group):
    actions = command_actions(command)
    declared = [item for item in options_of(group) if item.flag]
    assert declared
    for item in declared:
        action = actions[item.name]
        assert action.option_strings == [item.flag]
        assert action.default == item.default
        off = item.type == "switch" and item.default
        assert action.help == (f"do not {item.help}" if off else item.help)
        assert action.const == (None if item.type != "switch" else not item.default)


def test_the_help_of_a_command_shows_every_choice(capsys):
    for item in EVERY:
        assert not (item.choices and item.metavar), item.name
    text = " ".join(command_parser("export").format_help().split())
    for words in ("--locked {hold,range}", "--root-joint {free,hinges,fixed}"):
        assert words in text
    with pytest.raises(SystemExit):
        parser().parse_args(["export", "a.json", "--to", "csv", "--out", "b", "--locked", "maybe"])
    assert "--locked must be one of hold, range, not 'maybe'" in capsys.readouterr().err


def test_no_other_module_declares_such_a_flag_again():
    flags = {item.flag for item in EVERY if item.flag and item.group != "batch"}
    # Of merge, diff and check: other things.
    shared = {"--character", "--out", "--tolerance", "--format"}
    for path in sorted((ROOT / "jointlimits_core" / "cli").glob("*.py")):
        found = set(re.findall(r'"(--[a-z-]+)"', path.read_text(encoding="utf-8")))
        assert not found & (flags - shared), path.name


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("advise", (True, False), (1, "yes", None)),
        ("pad_deg", (0, 0.5, 179.9), (-1, 180, float("nan"), float("inf"), "1", True, None)),
        ("jobs", (1, 64), (0, 1.5, True)),
        ("samples", ("all", 1, 1_000_000), (0, 1_000_001, 1.5, "some", True)),
        ("mode", ("standard", "paper"), ("print", "", None)),
        ("reorient", (None, "R", "C"), ("r", "K")),
        ("leave_out", ((), ("spike",)), ("spike", ["spike"], (1,))),
        ("joints", ("*", ""), (None, 3)),
    ],
)
def test_values_are_checked(name, good, bad):
    for value in good:
        assert option(name).check(value) is value
    for value in bad:
        with pytest.raises(ValueError, match=rf"^{name} must be .+, not "):
            option(name).check(value)


def test_messages_say_what_is_accepted():
    for name, bad, words in (
        ("pad_deg", -1, "pad_deg must be a number from 0 to less than 180 degrees"),
        ("samples", 0, "samples must be 'all' or a number from 1 to 1000000"),
        ("mode", "x", "one of standard, paper"),
    ):
        with pytest.raises(ValueError, match=words):
            option(name).check(bad)


def test_values_from_text():
    assert option("leave_out").from_text(" spike, gimbal,,") == ("spike", "gimbal")
    assert option("samples").from_text("50") == 50
    assert option("samples").from_text("all") == "all"
    assert option("pad_deg").from_text("2.5") == 2.5
    assert option("rest").from_text("frame:3") == "frame:3"
    with pytest.raises(ValueError, match="x"):
        option("jobs").from_text("x")


def test_checked_options_fill_in_defaults_and_refuse_others():
    values = checked_options({"time": "playback"}, ("time",))
    assert values == {"time": "playback"}
    with pytest.raises(ValueError, match=r"no option 'tme'; did you mean time\?"):
        checked_options({"tme": "playback"}, ("time",))
    with pytest.raises(ValueError, match="no option 'xyz'; available: time"):
        checked_options({"xyz": "playback"}, ("time",))
    # A manifest of version 0.1 may have an option that is gone, with its default.
    assert checked_options({"by": 1.0, "at_keys": False}, ("time",)) == {"time": "keys"}
    with pytest.raises(ValueError, match=r"no option 'by'; write it behind the frames"):
        checked_options({"by": 2.0}, ("time",))


def test_the_table_needs_no_numpy():
    code = "import sys; sys.modules['numpy'] = None\nimport jointlimits_core.base.options as t\n"
    run = [sys.executable, "-c", code + "print(len(t.option_table()))"]
    printed = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert int(printed) == len(EVERY)


def test_the_table_is_part_of_the_package():
    assert Path(options.__file__).with_name("options.json").is_file()
    assert '"*.json"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_key_that_is_unknown_is_refused():
    with pytest.raises(TypeError, match="flags"):
        Option(name="a", group="check", type="string", default="", help="h", flags="--a")
