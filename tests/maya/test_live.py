"""The live kit runs, and its checks, the marks in the code and the document are the same.

The kit is run in the stand-in here. That shows that it executes, and nothing about Maya: the
stand-in does what is believed, so every line of the document stays assumed until somebody has run
the kit on a machine with Maya.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tests.support.batch_scenes import environment
from tests.support.house_files import ROOT, project_files

RUN = ROOT / "tests" / "maya_live" / "run.py"
MARK = re.compile(r"(?:live check|guess): ([a-z0-9]+(?:-[a-z0-9]+)+)")
MARKED = (
    "scripts",
    "plug-ins",
    "shelves",
    "jointlimits_core",
    "drag_into_maya_joint_limits.py",
    "module.mod",
)
STAND_IN = ("tests", "maya_standin")
NOT_IN_THE_STAND_IN = {
    "undo-of-reference-edit": "cmds.referenceQuery(editStrings=...)",
    "ignored-reference-edits": "cmds.referenceQuery(editStrings=...)",
    "locked-reference-is-not-free": "cmds.file(lockReference=...)",
    "layer-accumulation": "cmds.setKeyframe(animLayer=...)",
    "dag-pose-plain-matrix": "cmds.dagPose(restore=True) of a pose without records",
    "python-path-mayapy": "the module is not installed",
    "version-site-packages": "site-packages is not there",
    "exported-mel": "this MEL is not modelled",
    "numpy-and-qt-binding": "No module named",
}
"""Checks that cannot be run there, and how they say so."""
OTHERWISE_IN_THE_STAND_IN = {"keys-of-referenced-curves"}
"""Where the stand-in lets through what Maya is believed to refuse: no test builds on it."""


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
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    done = run(folder, "--json", "live.json")
    assert (folder / "live.json").exists(), done.stdout + done.stderr
    return done, json.loads((folder / "live.json").read_text())


@pytest.mark.thorough
def test_every_check_executes_in_the_stand_in(found):
    done, document = found
    outcomes = {one["id"]: one for one in document["checks"]}
    states = {name: one["state"] for name, one in outcomes.items()}
    different = {name for name, state in states.items() if state == "DIFFERENT"}
    not_run = {name for name, state in states.items() if state == "not run"}
    assert different <= OTHERWISE_IN_THE_STAND_IN, {n: outcomes[n]["seen"] for n in different}
    assert not_run <= set(NOT_IN_THE_STAND_IN), {
        n: outcomes[n]["trace"] for n in not_run - set(NOT_IN_THE_STAND_IN)
    }
    for name in not_run:
        assert NOT_IN_THE_STAND_IN[name] in outcomes[name]["seen"]
    believed = [name for name, state in states.items() if state == "as believed"]
    assert len(believed) > 50
    assert {name for name in outcomes if name.startswith("path-")} <= set(believed)
    assert done.returncode == (1 if different else 0)


def test_it_says_that_the_stand_in_is_not_maya(found):
    done, document = found
    assert "THIS IS NOT MAYA" in done.stdout
    assert document["host"]["stand_in"] is True


def test_the_table_has_a_line_for_every_check(found):
    done, document = found
    for one in document["checks"]:
        assert re.search(rf"^{one['state']} +{one['id']} ", done.stdout, re.MULTILINE), one["id"]


@pytest.mark.thorough
def test_one_check_can_be_run_alone_and_a_difference_is_the_exit_code(tmp_path):
    done = run(tmp_path, "--only", "keyed-limit-clamps")
    assert done.returncode == 0
    assert "keyed-limit-clamps" in done.stdout
    assert "plug-lock" not in done.stdout
    code = (
        "import sys; sys.argv = ['run']; sys.path.insert(0, '.')\n"
        "from tests.maya_live import run, kit\nrun.bring_up()\n"
        "@kit.check('planted-difference')\ndef planted():\n    assert 1 == 2, 'one is not two'\n"
        "@kit.check('planted-error')\ndef broken():\n    raise KeyError('oops')\n"
        "print(run.main(['--only', 'planted-difference', 'planted-error']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert re.search(r"^DIFFERENT +planted-difference +one is not two$", done.stdout, re.MULTILINE)
    assert re.search(r"^not run +planted-error +KeyError: 'oops'$", done.stdout, re.MULTILINE)
    assert done.stdout.rstrip().endswith("1")


def marks():
    """Ids in the code, with the files that have them."""
    found = {}
    for path in project_files():
        parts = path.relative_to(ROOT).parts
        if parts[0] in MARKED or parts[:2] == STAND_IN:
            for name in MARK.findall(path.read_text(encoding="utf-8", errors="replace")):
                found.setdefault(name, set()).add("/".join(parts))
    return found


def rows():
    """Rows of the tables in the document, by id."""
    text = (ROOT / "docs" / "live_checks.md").read_text(encoding="utf-8")
    cells = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in text.splitlines()
        if re.match(r"\| [a-z0-9]+(-[a-z0-9]+)+ \|", line)
    ]
    return {row[0]: row[1:] for row in cells}, [row[0] for row in cells]


def test_without_maya_it_says_how_to_run_it():
    kit = ROOT / "tests" / "maya_live" / "run.py"
    done = subprocess.run([sys.executable, "-I", str(kit)], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "this is no Python of Maya; run the kit with mayapy, as docs/live_checks.md says"
    ]


@pytest.mark.thorough
def test_marks_document_and_kit_agree(found):
    document, listed = rows()
    kit = {one["id"]: one for one in found[1]["checks"] if not one["id"].startswith("path-")}
    assert len(listed) == len(document), "an id is there twice"
    unknown = {name: files for name, files in marks().items() if name not in document}
    assert not unknown, f"in the code and not in docs/live_checks.md: {unknown}"
    assert set(document) == set(kit), set(document) ^ set(kit)


def test_every_row_is_whole_and_names_its_function(found):
    document, _ = rows()
    kit = {one["id"]: one for one in found[1]["checks"]}
    for name, row in document.items():
        assert len(row) == 4, name
        assert all(row), f"{name} has an empty cell"
        module, _, function = row[3].replace(", by hand", "").partition(".")
        assert function == kit[name]["function"], name
        assert (ROOT / "tests" / "maya_live" / f"{module}.py").exists(), name
        assert row[3].endswith(", by hand") == (kit[name]["state"] == "by hand"), name


def test_there_are_marks_to_compare():
    assert len(marks()) > 40
