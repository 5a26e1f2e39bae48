"""The live kit runs, and its checks are those that marks in the code name.

The kit is run in the stand-in here. That shows that it executes, and nothing about Maya: the
stand-in does what is believed, so every belief stays assumed until somebody has run the kit on a
machine with Maya.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import subprocess
import sys
from collections import Counter

import pytest

from tests.maya_live.kit import read_record
from tests.maya_standin.quirks import WORST, chosen_quirks
from tests.support.batch_scenes import environment
from tests.support.house_files import ROOT, project_files, syntax_tree

RUN = ROOT / "tests" / "maya_live" / "run.py"
MARK = re.compile(r"(?:live check|guess): ([a-z0-9]+(?:-[a-z0-9]+)+)")
MARKED = ("scripts", "plug-ins", "shelves", "jointlimits_core", "module.mod")
MARKED += ("drag_into_maya_joint_limits.py",)
STAND_IN = ("tests", "maya_standin")
NOT_IN_THE_STAND_IN = {
    "undo-of-reference-edit": "cmds.referenceQuery(editStrings=...)",
    "ignored-reference-edits": "cmds.referenceQuery(editStrings=...)",
    "locked-reference-is-not-free": "cmds.file(lockReference=...)",
    "layer-accumulation": "cmds.setKeyframe(animLayer=...)",
    "layer-override": "cmds.setKeyframe(animLayer=...)",
    "dag-pose-plain-matrix": "cmds.dagPose(restore=True) of a pose without records",
    "python-path-mayapy": "the module is not installed",
    "version-site-packages": "site-packages is not there",
    "expressions-wait": "this MEL is not modelled",
    "numpy-and-qt-binding": "No module named",
    "qt-of-this-maya": "No module named",
    "python-node-in-parallel": "MayaHangsError",
    "guides-in-namespace-and-metres": "maya.cmds.curve is not modelled",
}
"""Checks that cannot be run there, and how they say so."""
OTHERWISE_IN_THE_STAND_IN = {"keys-of-referenced-curves"}
"""Where the stand-in lets through what Maya is believed to refuse: no test builds on it."""
UNKNOWN = {
    "add-keys-undo",
    "delete-takes-neighbours",
    "matrix-nodes-in-mayapy",
    "read-makes-element",
    "removed-string-undo",
    "undo-in-mayapy",
}
"""What the stand-in can be switched to do otherwise (tests/maya_standin/quirks.py)."""
CONFIDENCE = {"settled", "high", "medium", "low"}


def run(folder, *arguments):
    return subprocess.run(
        [sys.executable, str(RUN), *arguments],
        cwd=folder,
        env=environment(MAYA_APP_DIR=str(folder)),
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    done = run(folder, "--json", "live.jsonl")
    assert (folder / "live.jsonl").exists(), done.stdout + done.stderr
    head, *_ = (folder / "live.jsonl").read_text().splitlines()
    checks = [dataclasses.asdict(one) for one in read_record(folder / "live.jsonl")]
    return done, {**json.loads(head), "checks": checks}


@pytest.mark.thorough
def test_every_check_executes_in_the_stand_in(outcomes):
    done, document = outcomes
    outcomes = {one["id"]: one for one in document["checks"]}
    states = {name: one["state"] for name, one in outcomes.items()}
    different = {name for name, state in states.items() if state == "DIFFERENT"}
    if chosen_quirks() != WORST:
        different -= UNKNOWN
    not_run = {name for name, state in states.items() if state in ("not run", "FAILED")}
    assert different <= OTHERWISE_IN_THE_STAND_IN, {n: outcomes[n]["seen"] for n in different}
    assert not_run <= set(NOT_IN_THE_STAND_IN), {
        n: outcomes[n]["trace"] for n in not_run - set(NOT_IN_THE_STAND_IN)
    }
    for name in not_run:
        assert NOT_IN_THE_STAND_IN[name] in outcomes[name]["seen"]
    believed = [name for name, state in states.items() if state == "as believed"]
    assert len(believed) > 50
    assert {name for name in outcomes if name.startswith("path-")} <= set(believed)
    assert done.returncode == 1  # what is not modelled FAILED
    assert "THIS IS NOT MAYA" in done.stdout
    assert document["host"]["stand_in"] is True


@pytest.mark.thorough
def test_the_table_has_a_line_for_every_check(outcomes):
    done, document = outcomes
    for one in document["checks"]:
        assert re.search(rf"^{one['state']} +{one['id']}\b", done.stdout, re.MULTILINE), one["id"]


def in_the_kit(folder, code, *arguments, **variables):
    """Run the kit in a process of its own, after some code that plants what it is to meet."""
    program = (
        "import sys; sys.path.insert(0, '.')\n"
        "from tests.maya_live import run\nrun.search_project(); before = run.bring_up()\n"
        f"from tests.maya_live import kit, checks\n{code}\n"
        f"raise SystemExit(run.main({list(arguments)!r}))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment(MAYA_APP_DIR=str(folder), **variables),
        capture_output=True,
        text=True,
        timeout=120,
    )


PLANTED = """
@kit.check('planted-difference')
def planted():
    assert 1 == 2, 'one is not two'
@kit.check('planted-error')
def broken():
    raise KeyError('oops')
@kit.check('planted-absence')
def absent():
    raise kit.NotHere('there is no window')
@kit.check('planted-crash')
def crash():
    import os; os._exit(139)
@kit.check('planted-belief')
def fine():
    return 'seen'
"""
ABSENCE, CRASH = "planted-absence", "planted-crash"


def run_planted(folder, *arguments, **variables):
    record = folder / "out.jsonl"
    done = in_the_kit(folder, PLANTED, "--json", str(record), *arguments, **variables)
    return done, {one.id: one for one in read_record(record)}


@pytest.mark.thorough
def test_an_error_is_a_failure_and_only_an_absence_is_not_run(tmp_path):
    ids = ("planted-difference", "planted-error", ABSENCE, "planted-belief")
    done, found = run_planted(tmp_path, "--only", *ids)
    states = {name.partition("-")[2]: one.state for name, one in found.items()}
    assert states == {
        "difference": "DIFFERENT",
        "error": "FAILED",
        "absence": "not run",
        "belief": "as believed",
    }
    assert done.returncode == 1
    assert "| planted-error | FAILED | KeyError: 'oops' |" in done.stdout
    assert "1 as believed, 1 DIFFERENT, 1 FAILED, 1 not run" in done.stdout
    assert "broken" in found["planted-error"].trace
    (tmp_path / "out.jsonl").unlink()
    done, _ = run_planted(tmp_path, "--only", ABSENCE, "planted-belief")
    assert done.returncode == 0, "what is absent or as believed is no failure"


@pytest.mark.thorough
def test_a_crash_loses_nothing_and_names_the_check(tmp_path):
    done, found = run_planted(tmp_path, "--only", "planted-belief", "planted-error", CRASH)
    assert done.returncode == 139
    assert [one.state for one in found.values()] == ["FAILED", "FAILED"]
    assert found[CRASH].seen == "Maya crashed or was stopped here"
    assert done.stdout.splitlines()[-1].split() == ["running", CRASH]
    (tmp_path / "out.jsonl").unlink()
    done, found = run_planted(
        tmp_path, "--only", "planted-belief", CRASH, "planted-error", "--skip", CRASH
    )
    assert done.returncode == 1
    assert [one.state for one in found.values()] == ["FAILED", "as believed"]


@pytest.mark.thorough
def test_checks_run_in_processes_of_their_own_if_asked(tmp_path):
    path = tmp_path / "out.jsonl"
    done = run(tmp_path, "--apart", "--only", "plug-lock", "unsaved-shelf", "--json", str(path))
    assert done.returncode == 0, done.stdout
    assert [one.state for one in read_record(path)] == ["as believed", "by hand"]


@pytest.mark.thorough
def test_undo_is_switched_on_where_maya_starts_without(tmp_path):
    code = "from maya import cmds; cmds.undoInfo(state=False)"
    record = tmp_path / "out.jsonl"
    done = in_the_kit(tmp_path, code, "--only", "path-apply-undo-redo", "--json", str(record))
    assert done.returncode == 0, done.stdout
    assert read_record(record)[0].state == "as believed"


@pytest.mark.thorough
def test_without_numpy_it_says_how_to_install_it(tmp_path):
    code = "sys.modules['numpy'] = None"
    done = in_the_kit(tmp_path, code)
    assert done.returncode == 2
    assert "-m pip install --target" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.thorough
def test_a_plug_in_that_does_not_load_fails_every_check_of_it(tmp_path):
    code = (
        "from maya import cmds\n"
        "def broken(*_, **__): raise RuntimeError('initializePlugin failed')\n"
        "cmds.loadPlugin = broken"
    )
    record = tmp_path / "out.jsonl"
    only = ("path-apply-undo-redo", "plug-lock")
    done = in_the_kit(tmp_path, code, "--only", *only, "--json", str(record))
    states = {one.id: one.state for one in read_record(record)}
    assert done.returncode == 1
    assert states == {"path-apply-undo-redo": "FAILED", "plug-lock": "as believed"}


@pytest.mark.thorough
def test_the_kit_hides_no_module_of_a_studio(tmp_path):
    code = "assert not any(p.endswith('maya_live') for p in sys.path), sys.path"
    assert in_the_kit(tmp_path, code, "--list").returncode == 0


@pytest.mark.thorough
def test_the_list_needs_no_maya():
    command = [sys.executable, str(RUN), "--list"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert {line.split()[0] for line in done.stdout.splitlines()} >= set(believed())


def marks():
    """Ids in the code, with the files that have them."""
    found = {}
    for path in project_files():
        parts = path.relative_to(ROOT).parts
        if parts[0] in MARKED or parts[:2] == STAND_IN:
            for name in MARK.findall(path.read_text(encoding="utf-8", errors="replace")):
                found.setdefault(name, set()).add("/".join(parts))
    return found


def believed():
    """Decorator, function, confidence and source of every check but the main paths, by id."""
    found = {}
    for path in sorted(RUN.parent.glob("*.py")):
        for node in ast.walk(syntax_tree(path)):
            for call in getattr(node, "decorator_list", ()):
                if isinstance(call, ast.Call) and ast.unparse(call.func) in ("check", "look"):
                    name, *about = map(ast.literal_eval, call.args)
                    assert name not in found, f"two checks are called {name}"
                    found[name] = (ast.unparse(call.func), node.name, *about)
    return {name: one for name, one in found.items() if not name.startswith("path-")}


def test_without_maya_it_says_how_to_run_it():
    kit = ROOT / "tests" / "maya_live" / "run.py"
    done = subprocess.run([sys.executable, "-I", str(kit)], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        "This Python has no Maya: run the checks with mayapy (docs/evidence/live_checks.md)"
    ]


def test_marks_in_the_code_have_a_check():
    unknown = marks().keys() - believed().keys()
    assert len(marks()) > 40
    assert not unknown, f"in the code and not in tests/maya_live: {[*map(marks().get, unknown)]}"


def test_every_check_says_how_sure_we_are_and_guesses_are_not_called_sure():
    assert len(believed()) > 150
    for name, (_, function, confidence, source) in believed().items():
        assert function == name.replace("-", "_")
        assert confidence in CONFIDENCE, name
        assert source, name
        assert "common knowledge" not in source, name
        assert confidence not in ("settled", "high") or not source.startswith("none"), name


def test_the_page_has_their_numbers():
    page = (ROOT / "docs" / "evidence" / "live_checks.md").read_text(encoding="utf-8")
    stated = {word: int(number) for number, word in re.findall(r"\* (\d+) are \*(\w+)\*", page)}
    assert stated == Counter(confidence for _, _, confidence, _ in believed().values())
    assert f"Of {len(believed())}," in page


@pytest.mark.thorough
def test_only_what_needs_eyes_is_by_hand(outcomes):
    states = {one["id"]: one["state"] for one in outcomes[1]["checks"]}
    assert {name for name in states if not name.startswith("path-")} == set(believed())
    for name, (decorator, *_) in believed().items():
        assert (decorator == "look") == (states[name] == "by hand"), name
