"""``jointlimits check``: what it prints, its formats, its exit codes, its page."""

import csv
import dataclasses
import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.check_result import CheckedClip, CheckResult
from jointlimits_core.evaluation.gate import Gate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import write_limit_set
from jointlimits_core.report.html.check_page import strip_columns, strip_table, write_check_report
from jointlimits_core.report.terminal.check import COLUMNS, check_csv, check_junit, check_text
from tests.support.batch_manifests import HEAD
from tests.support.evaluation_examples import box, limits
from tests.support.house_files import ROOT
from tests.support.made_motion import clip, rotate
from tests.support.page_streams import content_of, pieces, rows_of
from tests.support.shared_data import shared_path

EXAMPLE = ROOT / "examples" / "humanoid_rom.bvh"


def bvh(path, angles, name="knee"):
    """A knee that bends by these degrees, below a hip at rest."""
    rows = "".join(f"0 0 0 0 {angle} 0\n" for angle in angles)
    path.write_text(f"{HEAD.replace('knee', name)}Frames: {len(angles)}\nFrame Time: 0.04\n{rows}")
    return str(path)


@pytest.fixture
def files(tmp_path):
    """Limits of a knee from 0 to 60 degrees, a clip inside, one outside and one that is broken."""
    walk = bvh(tmp_path / "walk.bvh", range(0, 61, 5))
    limit_set = tmp_path / "walk.limits.json"
    write_limit_set(estimate(read_motion(walk)), limit_set)
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT hip\n{\n")
    return {
        "limits": str(limit_set),
        "walk": walk,
        "run": bvh(tmp_path / "run.bvh", [0, 20, 65, 72.5, 61, 10, -3, 5]),
        "broken": str(broken),
        "folder": tmp_path,
    }


def test_a_motion_that_cannot_be_read_fails_and_stops_no_other(files, capsys):
    assert main(["check", files["limits"], files["broken"], files["walk"]]) == 1
    shown = capsys.readouterr()
    assert "broken.bvh: could not be checked: line 3" in shown.out
    assert "walk.bvh: inside" in shown.out
    assert "1 of 2 motions could not be checked" in shown.out
    assert "Traceback" not in shown.err
    missing = str(files["folder"] / "missing.bvh")
    assert main(["check", files["limits"], missing, "--format", "json"]) == 1
    assert "missing.bvh" in capsys.readouterr().err


def test_flips_are_reported_and_pass(files, capsys):
    flipped = bvh(files["folder"] / "flip.bvh", [10, 20, 390, 400, 30, 20])
    assert main(["check", files["limits"], flipped]) == 0
    assert "other-branch: knee: 2 frames inside the limits but keyed" in capsys.readouterr().out
    assert main(["check", files["limits"], flipped, "--branch", "keys"]) == 1
    assert main(["check", files["limits"], flipped, "--branch", "circle"]) == 0


def test_no_output_over_an_input(files, capsys):
    before = Path(files["walk"]).read_bytes()
    for option in ("--out", "--report"):
        assert main(["check", files["limits"], files["walk"], option, files["walk"]]) == 2
        assert main(["check", files["limits"], files["walk"], option, files["limits"]]) == 2
    same = str(files["folder"] / "same.html")
    assert main(["check", files["limits"], files["walk"], "--out", same, "--report", same]) == 2
    assert "overwrite" in capsys.readouterr().err
    assert Path(files["walk"]).read_bytes() == before
    assert not Path(same).exists()


# The gate


def gate(files, *options):
    """Exit code of a check of the run: knee X beyond 60 in frames 2 to 4, below 0 in frame 6."""
    return main(["check", files["limits"], files["run"], *options])


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--for", "3"], 1),
        (["--for", "4"], 0),
        (["--for", "4", "--for", "knee.X.min=1"], 1),
        (["--for", "4,knee.X.max=3"], 1),
        (["--allow", "37"], 1),
        (["--allow", "37.5"], 0),
        (["--allow", "37.5", "--allow", "k*=12.5"], 1),
        (["--tolerance", "13"], 0),
        (["--tolerance", "13", "--tolerance", "knee.X.min=2"], 1),
        (["--ignore", "knee"], 0),
        (["--ignore", "hip", "--ignore", "k*"], 0),
    ],
)
def test_exit_codes_of_the_gate(files, options, code):
    assert gate(files, *options) == code


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--ignore", "kne"], "--ignore must name joints of the limits: no joint matches 'kne'"),
        (["--for", "kne=3"], "--for must name joints of the limits"),
        (["--tolerance", "knee=-1"], "--tolerance must be a number from 0 degrees"),
        (["--allow", "k*=101"], "--allow must be a number from 0 to 100, or JOINT=VALUE"),
        (["--for", "knee.X.min=0"], "--for must be a whole number from 1"),
    ],
)
def test_a_wrong_rule_is_a_usage_error(files, options, words, capsys):
    assert gate(files, *options) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--allow=-1", "--allow=101", "--for=0", "--tolerance=-1"])
def test_a_number_out_of_range_is_rejected_before_a_file_is_read(files, option, capsys):
    assert main(["check", "missing.json", files["run"], option]) == 2
    assert f"{option.partition('=')[0]} must be a" in capsys.readouterr().err


def test_what_is_in_the_baseline_is_not_news(files, capsys):
    known = str(files["folder"] / "known.json")
    assert gate(files, "--write-baseline", known) == 1
    assert f"wrote {known}" in capsys.readouterr().out
    assert gate(files, "--baseline", known) == 0
    assert "known" in capsys.readouterr().out
    bvh(Path(files["run"]), [0, 20, 65, 73, 61, 10, -3, 5])
    assert gate(files, "--baseline", known) == 1
    assert "failed: baseline 12.5" in capsys.readouterr().out
    assert gate(files, "--baseline", known, "--tolerance", "0.6") == 0


def test_no_baseline_over_an_input_nor_of_motions_of_one_name(files, capsys):
    known = str(files["folder"] / "known.json")
    assert gate(files, "--write-baseline", known) == 1
    for taken in (files["run"], files["limits"], known):
        before = Path(taken).read_bytes()
        assert gate(files, "--baseline", known, "--write-baseline", taken) == 2
        assert Path(taken).read_bytes() == before
    again = files["folder"] / "again"
    again.mkdir()
    other = bvh(again / "run.bvh", [0, 5])
    assert gate(files, other, "--baseline", known) == 2
    assert "two motions are called run" in capsys.readouterr().err
    assert gate(files, other, "--allow", "50") == 0


def test_a_baseline_that_cannot_be_read_is_no_usage_error(files, capsys):
    assert gate(files, "--baseline", files["limits"]) == 1
    assert "expected a baseline (format 'jointlimits.baseline')" in capsys.readouterr().err
    assert gate(files, "--baseline", str(files["folder"] / "none.json")) == 1


def test_the_table_and_junit_know_what_passed(files):
    _, text = check_files(files, files["run"], "--format", "csv", "--for", "3")
    rows = {row["side"]: row for row in csv.DictReader(io.StringIO(text))}
    assert [rows[side]["status"] for side in ("max", "min")] == ["outside", "passed"]
    assert [rows[side]["rule_value"] for side in ("max", "min")] == ["3", "3"]
    code, text = check_files(files, files["run"], "--format", "junit", "--for", "4")
    assert (code, ElementTree.fromstring(text).get("failures")) == (0, "0")


# Formats


def check_files(files, *arguments):
    """Exit code and text of a check whose result goes to a file."""
    out = files["folder"] / "result"
    code = main(["check", files["limits"], *arguments, "--out", str(out)])
    return code, out.read_text(encoding="utf-8")


def test_junit(files):
    arguments = [files["walk"], files["run"], files["broken"]]
    code, text = check_files(files, *arguments, "--format", "junit")
    top = ElementTree.fromstring(text)
    assert code == 1
    assert top.tag == "testsuites"
    assert (top.get("tests"), top.get("failures"), top.get("errors")) == ("5", "1", "1")
    walk, run, broken = top
    assert [suite.get("name") for suite in top] == arguments
    assert [case.get("name") for case in walk] == ["hip", "knee"]
    assert walk.findall(".//failure") == []
    failure = run.find("./testcase[@name='knee']/failure")
    assert "12.50 degrees outside at frame 3" in failure.get("message")
    assert "X max 60.00: 12.50 degrees outside at frame 3; frames 2-4" in failure.text
    assert "line 3" in broken.find("./testcase/error").get("message")
    for suite in top:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases)
        assert int(suite.get("failures")) == len(suite.findall("./testcase/failure"))
        assert int(suite.get("errors")) == len(suite.findall("./testcase/error"))
        assert int(suite.get("skipped")) == len(suite.findall("./testcase/skipped"))


NASTY = "a<b>&\"c'\x00\x1b\x0b\ufffe\ud800\U0001f9b5 ]]> -->\n,;=\u202e"


def nasty_result():
    """Names that would break a format, or the terminal, if they went in as they are."""
    limit_set = limits({NASTY: box((0, 10), None, None), NASTY + "gone": box((0, 10), None, None)})
    limit_set = dataclasses.replace(limit_set, character=NASTY)
    found = violations(limit_set, clip({NASTY: rotate(x=[0, 30])}, name=NASTY))
    clips = (
        CheckedClip(NASTY, found),
        CheckedClip("two" + NASTY, None, NASTY),
        CheckedClip("three", violations(limit_set, clip({NASTY: rotate(x=[0, 3])}))),
    )
    return CheckResult(NASTY, NASTY, Gate(), clips)


def test_names_cannot_break_a_format():
    result = nasty_result()
    text = check_junit(result)
    text.encode("ascii")
    top = ElementTree.fromstring(text)
    cases = top.findall("./testsuite/testcase")
    assert [len(list(case)) for case in cases] == [1, 1, 1, 0, 1]
    assert cases[0].get("name").startswith("a<b>&\"c'\\x00\\x1b\\x0b\\ufffe\\ud800\U0001f9b5 ]]>")
    rows = list(csv.reader(io.StringIO(check_csv(result))))
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert len(rows) == 4
    shown = check_text(result)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    shown.encode("utf-8")
    check_text(result, ascii_only=True).encode("ascii")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-2", "@SUM(A1)", '=HYPERLINK("x")'])
def test_no_name_in_the_table_is_a_formula(name):
    limit_set = limits({name: box((0, 10), None, None)})
    found = violations(limit_set, clip({name: rotate(x=[0, 30])}, name=name))
    clips = (CheckedClip(name, found), CheckedClip(name, None, name))
    text = check_csv(CheckResult(name, name, Gate(), clips))
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert cells.count("'" + name) == 5
    assert not [cell for cell in cells if cell[:1] in "=+-@" and cell]


def test_the_result_goes_to_the_terminal_or_to_a_file_but_not_both(files, capsys):
    _, text = check_files(files, files["run"])
    assert capsys.readouterr().out == ""
    main(["check", files["limits"], files["run"]])
    assert capsys.readouterr().out == text


# The page


@pytest.mark.thorough
def test_the_page_of_motions_that_pass(files, tmp_path, monkeypatch):
    page = files["folder"] / "check.html"
    assert main(["check", files["limits"], files["walk"], "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    out = files["folder"] / "check.txt"
    assert main(["check", files["limits"], files["walk"], "--out", str(out), "--report"]) == 0
    beside = files["folder"].glob("*.check.html")
    assert [path.read_text(encoding="utf-8") for path in beside] == [text]
    monkeypatch.chdir(tmp_path)
    assert main(["check", files["limits"], files["walk"], "--report"]) == 0
    assert len(list(tmp_path.glob("*.check.html"))) == 1
    assert "passed: 1 motion inside the limits" in text
    assert not pieces(content_of(text), "strip")


@pytest.mark.thorough
def test_names_cannot_break_the_page(tmp_path):
    write_check_report(nasty_result(), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_bytes().decode("utf-8")
    assert "a<b>" not in text
    assert "a&lt;b&gt;&amp;" in text
    assert "\x1b" not in text


# The strip


def violations_in(values, frames=None, tolerance=0.1):
    motion = clip({"a": rotate(x=values), "b": rotate(x=np.asarray(values) / 2)}, frames=frames)
    joints = {"a": box((0, 10), None, None), "b": box((0, 10), None, None)}
    # A clip that starts with zeros and then jumps would look like one with an inserted pose.
    return violations(limits(joints, options={"leave_out": []}), motion, tolerance)


def test_strips_are_of_any_joint_and_then_of_the_worst():
    found = violations_in([0, 30, 15, 10.05, 5, -1])
    assert [[row[0], *row[2:]] for row in rows_of(strip_table(found, str, None))] == [
        ["any joint", "20.0°", "1.0", "3"],
        ["a", "20.0°", "1.0", "3"],
        ["b", "5.0°", "1.0", "2"],
    ]
    frames = np.array([10.0, 11, 12, 20, 21, 22, 23])
    table = strip_table(violations_in([0, 30, 0, 0, 0, 0, 0], frames), str, None)
    strip = pieces(table, "strip")[0]
    assert strip["label"].endswith("worst at frame 11")
    assert sum(count for _, _, count in strip["runs"]) == 7


def test_a_column_shows_its_worst_frame_and_a_gap_where_none_was_compared():
    outside = np.zeros((2, 7600))
    outside[1, [17, 5030, -1]] = 30.0
    edges, columns = strip_columns(np.arange(7600.0), outside)
    assert edges[[0, -1]] == pytest.approx([-0.5, 7599.5])
    assert columns.shape == (2, 760)
    assert list(np.flatnonzero(columns[1])) == [1, 503, 759]
    gaps = strip_columns(np.array([10.0, 11, 12, 20, 21]), np.zeros((1, 5)))[1]
    assert list(np.flatnonzero(np.isnan(gaps[0]))) == list(range(3, 10))
    assert strip_columns(np.array([1.0]), np.zeros((3, 1)))[1].shape == (3, 1)


# Whole files


def test_the_example_keeps_to_its_own_limits(tmp_path, capsys):
    assert main(["estimate", str(EXAMPLE), "--out", str(tmp_path)]) == 0
    limit_set = str(tmp_path / "humanoid_rom.limits.json")
    assert main(["check", limit_set, str(EXAMPLE), "--tolerance", "1e-9"]) == 0
    assert "PASSED" in capsys.readouterr().out


@pytest.mark.thorough
def test_a_dance_breaks_the_limits_of_a_walk(tmp_path, capsys):
    folder = shared_path("data/mocap/cmu_asfamc/02")
    skeleton = ["--skeleton", str(folder / "02.asf")]
    clips = [str(folder / f"02_0{n}.amc") for n in (1, 3, 5)]
    assert main(["estimate", *clips[:2], *skeleton, "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    limit_set = str(tmp_path / "02.limits.json")
    assert main(["check", limit_set, *clips[:2], *skeleton, "--tolerance", "1e-9"]) == 0
    capsys.readouterr()
    assert main(["check", limit_set, *clips, *skeleton]) == 1
    out = capsys.readouterr().out
    assert "02_05.amc: 19 joints outside in 1854 of 1854 frames" in out
    assert "1 of 3 motions outside, at worst by 81.25 degrees (rhumerus.rotateX" in out


def test_options_may_stand_between_limits_and_motions(tmp_path, capsys):
    rom = str(ROOT / "examples" / "humanoid_rom.bvh")
    assert main(["estimate", rom, "--out", str(tmp_path)]) == 0
    (limits,) = tmp_path.glob("*.limits.json")
    assert main(["check", str(limits), "--tolerance", "1", rom]) == 0
    assert main(["check", "--people", "people", "--format", "text", rom]) == 1
    assert "usage" not in capsys.readouterr().err
