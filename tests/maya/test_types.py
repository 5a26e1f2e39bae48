"""Calls into Maya are checked against type stubs: does a wrong call really not get through?

``types-maya-strict`` and mypy are of the ``dev`` extra; CI has them.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.house_files import ROOT

STUBS = [Path(entry) / "maya-stubs" for entry in sys.path if entry]
needs_stubs = pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None or not any(path.is_dir() for path in STUBS),
    reason="mypy and types-maya-strict are not installed (pip install -e .[dev])",
)
ADAPTER = ROOT / "scripts" / "jointlimits_maya"
HEAD = """from maya import cmds
import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
"""

RIGHT = """
cmds.transformLimits("j", rotationX=(-10.0, 20.0), enableRotationX=(True, True))
cmds.joint("j", edit=True, limitX=(0.0, 90.0), degreeOfFreedom="xz")
cmds.currentTime(12.0, edit=True, update=False)
bound: int = om.MFnTransform.kRotateMinX
modifier = om.MDGModifier()
modifier.doIt()
"""

WRONG = {
    "a flag that does not exist": 'cmds.transformLimits("j", rotationXX=(-10.0, 20.0))',
    "a short flag": 'cmds.joint("j", edit=True, dof="xz")',
    "a flag of another command": 'cmds.undoInfo(degreeOfFreedom="xz")',
    "a value of the wrong type": 'cmds.joint("j", edit=True, limitX=(0.0, "b"))',
    "one number where a pair belongs": 'cmds.transformLimits("j", rotationX=-10.0)',
    "a command that does not exist": 'cmds.transformLimit("j")',
    "a constant that does not exist": "print(om.MFnTransform.kRotateMinXX)",
    "a method that does not exist": "om.MFnTransform().setLimitt(12, 0.5)",
    "a class that does not exist": "oma.MFnIkJoints()",
    "a class of the other module": "om.MFnAnimCurve()",
    "a result of another type": 'name: str = cmds.objExists("j")',
}


def errors_of(folder: Path, code: str) -> list[str]:
    path = folder / "planted.py"
    path.write_text(HEAD + code + "\n", encoding="utf-8")
    cache = ROOT / ".mypy_cache" / "planted"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", cache]
    run = subprocess.run([*command, path.name], cwd=folder, capture_output=True, text=True)
    return [line for line in run.stdout.splitlines() if ": error:" in line]


@pytest.mark.thorough
@needs_stubs
def test_right_calls_get_through(tmp_path):
    assert errors_of(tmp_path, RIGHT) == []


@pytest.mark.thorough
@needs_stubs
def test_every_planted_mistake_is_caught(tmp_path):
    """All in one run, one a line, so that each has to be named."""
    found = errors_of(tmp_path, "\n".join(WRONG.values()))
    first = HEAD.count("\n") + 1
    lines = {int(line.split(":")[1]) for line in found}
    missed = [what for n, what in enumerate(WRONG) if first + n not in lines]
    assert not missed, found


@pytest.mark.thorough
@needs_stubs
def test_the_adapter_itself_has_no_mistakes():
    """With the project's settings, as CI runs it."""
    cache = ROOT / ".mypy_cache" / "adapter"
    command = [sys.executable, "-m", "mypy", "--cache-dir", cache, "scripts", "plug-ins"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_nothing_is_ignored_without_a_name_and_a_reason():
    """Each ``type: ignore`` of the adapter names its error, and the line before says why."""
    for path in sorted([*ADAPTER.rglob("*.py"), *(ROOT / "plug-ins").glob("*.py")]):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if "type: ignore" in line:
                place = f"{path.relative_to(ROOT)}:{number + 1}"
                assert re.search(r"type: ignore\[[\w-]+(, ?[\w-]+)*\]", line), place
                above = lines[number - 1].strip() if number else ""
                assert above.startswith("#"), f"{place}: a comment above has to say why"
