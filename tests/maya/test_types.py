"""Calls into Maya are checked against type stubs: does a wrong call really not get through?

``types-maya-strict`` and mypy are of the ``dev`` extra; CI has them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.house_files import ROOT
from tests.support.type_checks import mypy, needs_stubs

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


def planted_errors(folder: Path, code: str) -> list[str]:
    path = folder / "planted.py"
    path.write_text(HEAD + code + "\n", encoding="utf-8")
    return mypy(folder, path.name)


@pytest.mark.thorough
@needs_stubs
def test_the_adapter_has_no_mistakes_and_planted_ones_are_caught(tmp_path):
    """One after the other, since they share what is kept; mistakes one a line, all to be named."""
    assert mypy(ROOT, "scripts", "plug-ins") == []
    assert planted_errors(tmp_path, RIGHT) == []
    found = planted_errors(tmp_path, "\n".join(WRONG.values()))
    first = HEAD.count("\n") + 1
    lines = {int(line.split(":")[1]) for line in found}
    missed = [what for n, what in enumerate(WRONG) if first + n not in lines]
    assert not missed, found


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
