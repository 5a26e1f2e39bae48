"""Goldens: what every command prints and writes, what it does in Maya, and the public names.

    GOLDENS=update pytest tests/goldens -m ""      after an intended change; then read the diff
    GOLDENS=/tmp/now pytest tests/goldens -m ""    at full length, to diff two checkouts

A row of commands.txt is a name and an argument line. It runs in a folder with the examples and what
version 0.1 saved (tests/saved). Its golden has the exit code, what it prints, and every file that
it writes; of a page the data and the rows of tables. Long texts are kept as digests (kept.py).
`python -m tests.goldens REVISION` lists how the goldens differ from those of a revision.
"""

from __future__ import annotations

import difflib
import importlib
import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.formats.body_csv import read_body_csv
from tests.goldens.kept import FOLDER, check, plain, sections_of
from tests.maya_standin.state import lines_but_modified
from tests.support.house_files import ROOT
from tests.support.maya_projecting import keyed_arm
from tests.support.maya_scenes import HEADER
from tests.support.tracked_locators import locators

SAVED = ROOT / "tests" / "saved" / "0.1"
EXAMPLES = ("humanoid_rom.ma", "humanoid_rom.bvh", "tracked_arm.csv")
SHORT = {
    "{ma}": "humanoid_rom.ma",
    "{bvh}": "humanoid_rom.bvh",
    "{csv}": "tracked_arm.csv",
    "{arms}": "lib/anna/arms.bvh",
    "{legs}": "lib/anna/legs.bvh",
    "{plain}": "plain.limits.json",
    "{edited}": "edited.limits.json",
    "{hull}": "shape-hull.limits.json",
}
COMMANDS = Path(__file__).with_name("commands.txt")
"""Rows of a name and an argument line; `{name}` stands for a file of SHORT."""
THOROUGH = {"fit-wrap", "fit-implicit", "batch-all", "estimate-filter-keys", "humanoid", "trackers"}
"""Rows and stories that take a second or more."""


def case(name, *more):
    return pytest.param(name, *more, id=name, marks=[pytest.mark.thorough] * (name in THOROUGH))


def rows():
    for line in COMMANDS.read_text(encoding="utf-8").splitlines():
        name, _, words = (part.strip() for part in line.partition("|"))
        for short, path in SHORT.items():
            words = words.replace(short, path)
        yield name, words


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with everything that rows are about."""
    folder = tmp_path_factory.mktemp("goldens") / "run"
    shutil.copytree(SAVED, folder)
    for path in (*(ROOT / "examples" / name for name in EXAMPLES), SAVED / "maya" / "person.ma"):
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def scratch(inputs, monkeypatch):
    """It as the current folder; what a row writes goes before the next."""
    before = files_in(inputs)
    monkeypatch.chdir(inputs)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    yield inputs
    for path in files_in(inputs).keys() - before.keys():
        path.unlink()


def files_in(folder):
    """What tells whether the files below a folder were written."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in paths}


@pytest.mark.parametrize(("name", "words"), [case(*row) for row in rows()])
def test_command(name, words, scratch, capfd):
    if name.endswith("-help") and sys.version_info < (3, 13):
        pytest.skip("argparse before Python 3.13 words its help differently")
    before = files_in(scratch)
    code = main(shlex.split(words))
    out, err = capfd.readouterr()
    found = {f"jointlimits {words}": f"exit code {code}", "stdout": out, "stderr": err}
    for path, stamp in files_in(scratch).items():
        if before.get(path) != stamp and path.suffix != ".log":
            found.update(sections_of(path, path.relative_to(scratch).as_posix()))
    check(f"cli/{name}", found, scratch)


HUMANOID = {
    "estimate": lambda c, m: c.estimateJointLimits("Hips"),
    "estimate-robust": lambda c, m: c.estimateJointLimits("LeftHip", stc="robust", padding=2.5),
    "estimate-options": lambda c, m: c.estimateJointLimits(
        "LeftHip",
        samples="50",
        advise=True,
        timeRange="10:200,300:310",
        characterName="hero",
        limitRoot=True,
        symmetry="report",
        prior="report",
        bindFrom="frame:1",
        leaveOut="spike",
    ),
    "estimate-query": lambda c, m: c.estimateJointLimits("LeftAnkle", query=True),
    "apply-query": lambda c, m: c.applyJointLimits("LeftKnee", query=True),
    "estimate-part": lambda c, m: c.estimateJointLimits("LeftHip", timeRange="1:1800"),
    "apply": lambda c, m: c.applyJointLimits("LeftHip"),
    "apply-again": lambda c, m: c.applyJointLimits("LeftHip"),
    "applied-query": lambda c, m: c.applyJointLimits("LeftKnee", query=True),
    "check": lambda c, m: c.checkJointLimits("LeftHip"),
    "check-circle": lambda c, m: c.checkJointLimits("LeftHip", tolerance=0.5, branch="circle"),
    "switch-off": lambda c, m: c.switchJointLimits("LeftHip", limitsOn=False),
    "switch-on": lambda c, m: c.switchJointLimits("LeftHip", limitsOn=True),
    "switch": lambda c, m: c.switchJointLimits("LeftKnee", everybodys=True),
    "clear": lambda c, m: c.clearJointLimits("LeftHip"),
    "apply-off": lambda c, m: c.applyJointLimits("LeftKnee", enable=False, replace=True),
    "apply-may-move": lambda c, m: c.applyJointLimits(
        "LeftHip", mayMove=True, replace=True, lockUnmoved=True, lockChannels=True
    ),
    "clear-all": lambda c, m: c.clearJointLimits(allJoints=True),
    "bad-word": lambda c, m: c.estimateJointLimits("LeftHip", strictness="loose"),
    "bad-number": lambda c, m: c.estimateJointLimits("LeftHip", padding=-1),
    "bad-range": lambda c, m: c.estimateJointLimits("LeftHip", timeRange="9:2"),
    "bad-type": lambda c, m: c.estimateJointLimits("LeftHip", padding="wide"),
    "bad-rule": lambda c, m: c.estimateJointLimits("LeftHip", leaveOut="noise"),
    "bad-limits": lambda c, m: c.applyJointLimits("LeftHip", limits="{}"),
    "missing-limits": lambda c, m: c.applyJointLimits("LeftHip", limits="none.json"),
    "bad-reorient": lambda c, m: c.applyJointLimits("LeftHip", reorient="K"),
    "bad-branch": lambda c, m: c.checkJointLimits("LeftHip", branch="x"),
    "nobody": lambda c, m: c.estimateJointLimits("nobody"),
    "no-joints": lambda c, m: c.estimateJointLimits("persp"),
    "nothing-selected": lambda c, m: (c.select(clear=True), c.clearJointLimits()),
    "python-estimate": lambda c, m: m.estimate(["LeftHip"], strictness="generous"),
    "python-apply": lambda c, m: m.apply(m.estimate(["LeftHip"]), ["LeftHip"]),
    "python-check": lambda c, m: m.check(m.estimate(["LeftHip"]), ["LeftHip"]),
    "python-switch": lambda c, m: m.switch_limits(False, ["LeftHip"]),
    "python-clear": lambda c, m: m.clear(["LeftHip"]),
    "python-wrong": lambda c, m: m.estimate(["LeftHip"], paddings=3),
}
SHOULDER = {
    "keyed": lambda c, m: keyed_arm(c),
    "no-estimate": lambda c, m: c.projectKeys("shoulder"),
    "advised": lambda c, m: c.estimateJointLimits(
        "arm", limitRoot=True, limitOrientation="advised"
    ),
    "reorient": lambda c, m: c.applyJointLimits("arm", reorient="R"),
    "clear-reorient": lambda c, m: c.clearJointLimits("arm"),
    "coupled": lambda c, m: c.estimateJointLimits(
        "arm", limitRoot=True, coupled=True, shapeForm="box", timeRange="1:15"
    ),
    "check-shapes": lambda c, m: c.checkJointLimits("arm", shapes=True),
    "project-keys": lambda c, m: c.projectKeys("arm", softness=1, timeRange="15:40"),
    "project-live": lambda c, m: c.projectJointLimits("arm"),
    "stop": lambda c, m: m.stop_projecting("shoulder"),
    "project-plain": lambda c, m: c.projectJointLimits("arm", plainNodes=True),
    "stop-plain": lambda c, m: c.projectJointLimits("arm", projectOn=False),
    "paper": lambda c, m: c.estimateJointLimits("arm", mode="paper"),
    "apply-paper": lambda c, m: c.applyJointLimits("arm"),
}
TRACKERS = {
    "nothing-selected": lambda c, m: (c.select(clear=True), c.estimateSkeleton()),
    "bad-suffix": lambda c, m: c.estimateSkeleton("trackers", timeRange="+"),
    "keyed": lambda c, m: c.estimateSkeleton("trackers", bodyRoot="chest", timeRange="1:100"),
    "quality": lambda c, m: m.joint_quality("chest_joint"),
    "estimate": lambda c, m: c.estimateJointLimits("chest_joint"),
    "apply": lambda c, m: c.applyJointLimits("chest_joint"),
    "live": lambda c, m: c.estimateSkeleton("trackers", constrained=True),
}
STORIES = {"humanoid": HUMANOID, "shoulder": SHOULDER, "trackers": TRACKERS}


@pytest.mark.parametrize("story", [case(story) for story in STORIES])
def test_maya_commands(story, scratch, maya_with_plug_in):
    """Steps in a scene, one after another: results, messages, and what changes in the scene."""
    cmds, ours = (importlib.import_module(name) for name in ("maya.cmds", "jointlimits_maya"))
    bodies = locators(read_body_csv(scratch / "tracked_arm.csv").bodies, below="trackers")
    tracks = f'createNode transform -n "trackers";\n{bodies}'
    (scratch / "trackers.ma").write_text(HEADER + tracks, encoding="utf-8")
    scene = {"humanoid": "humanoid_rom.ma", "trackers": "trackers.ma"}.get(story)
    if scene is not None:
        cmds.file(str(scratch / scene), open=True, force=True)
    found = {}
    for step, act in STORIES[story].items():
        outcome, changes = do_step(maya_with_plug_in, cmds, lambda act=act: act(cmds, ours))
        found[step] = json.dumps(outcome, indent=1)
        found[f"{step}, changes"] = "\n".join(changes)
    check(f"maya/{story}", found, scratch)


def test_flags_of_maya_commands(maya_with_plug_in, tmp_path):
    cmds = importlib.import_module("maya.cmds")
    texts = {}
    for command in sorted(maya_with_plug_in.commands):
        try:
            texts[command] = getattr(cmds, command)(help=True)
        except TypeError:  # not for people
            continue
    assert len(texts) >= 8
    check("maya/flags", texts, tmp_path)


def do_step(session, cmds, act):
    """What a step gives and prints, whether it can be undone, and lines that it changes.

    Values that are 0 but for rounding are left out: on another machine they are 0.
    """
    before, count, outcome = lines_but_modified(session.scene), len(session.messages), {}
    try:
        outcome["result"] = plain(act())
    except (RuntimeError, TypeError, ValueError) as error:
        outcome["error"] = [type(error).__name__, str(error)]
    outcome["messages"] = [list(message) for message in session.messages[count:]]
    after = lines_but_modified(session.scene)
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    changes = [line for line in lines if not re.match(r"---|\+\+\+|@@|.* = \S+e-1\d$", line)]
    if changes and cmds.undoInfo(query=True, undoName=True):
        cmds.undo()
        outcome["undo gives back"] = lines_but_modified(session.scene) == before
        cmds.redo()
        outcome["redo gives again"] = lines_but_modified(session.scene) == after
    return outcome, changes


@pytest.mark.parametrize("face", ["jointlimits_core", "jointlimits_maya"])
def test_public_names(face, tmp_path):
    """No name of the public faces goes without a change of their list."""
    names = [name for name in dir(importlib.import_module(face)) if not name.startswith("_")]
    check(f"names/{face}", {"names": "\n".join(names)}, tmp_path)


def test_no_golden_is_left_over():
    names = {f"cli/{name}" for name, _ in rows()} | {f"maya/{story}" for story in STORIES}
    names |= {"maya/flags", "names/jointlimits_core", "names/jointlimits_maya"}
    kept = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.txt")}
    assert kept == names
