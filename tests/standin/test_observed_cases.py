"""The stand-in against cases that others observed in a real Maya.

Each case (oracle/maya_cases in the shared data) names its source: a test suite or doctest run in
mayapy, Autodesk's command reference, or an error printed in a thread. All of them agree, with every
choice of quirks, but for calls that the adapter never makes.
"""

from __future__ import annotations

import importlib.util
import json
import re
from contextlib import contextmanager
from functools import cache

import pytest

from tests.maya_standin import NotModelledError, installed
from tests.maya_standin.quirks import KIND, WORST
from tests.support.house_files import ROOT
from tests.support.shared_data import SHARED, shared_path

FOLDER = SHARED / "oracle/maya_cases"
NOT_MODELLED = {
    # Case: the call in it that is not modelled, as it would stand in the adapter's sources.
    "dag-instances-ls": r"\baddObject\b",
    "ref-edit-strings": r"\beditStrings\b",
    "ref-unload-load": r"\b(un)?loadReference\b",
    "ses-mel-global": r"global string",
}
MAX_NOT_MODELLED = 19


@cache
def cases():
    path = FOLDER / "cases.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {case["id"]: case for case in map(json.loads, filter(None, lines))}


@cache
def runner():
    spec = importlib.util.spec_from_file_location(
        "run_cases", shared_path("oracle/maya_cases/run_cases.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Adapter:
    """What the runner of the cases asks of a Maya."""

    NOT_MODELLED = (NotModelledError,)

    def __init__(self, quirks):
        self._quirks = quirks

    @contextmanager
    def session(self):
        with installed(quirks=self._quirks):
            from maya import cmds

            cmds.loadPlugin("matrixNodes", quiet=True)
            yield


@pytest.mark.parametrize("quirks", [WORST, KIND], ids=["worst", "kind"])
@pytest.mark.parametrize("name", cases() or ["none"])
def test_case(name, quirks, monkeypatch, tmp_path):
    shared_path("oracle/maya_cases")
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path / "maya"))
    outcome, step, detail = runner().run_case(cases()[name], Adapter(quirks))
    wanted = "not modelled" if name in NOT_MODELLED else "agrees"
    assert outcome == wanted, f"step {step}: {detail}"


@pytest.mark.parametrize("name", NOT_MODELLED)
def test_adapter_makes_no_call_that_is_not_modelled(name):
    sources = (ROOT / "scripts/jointlimits_maya").rglob("*.py")
    users = [path for path in sources if re.search(NOT_MODELLED[name], path.read_text("utf-8"))]
    assert not users, f"{users[0]} does what the case {name} does: model it"


def test_few_cases_are_not_modelled():
    assert len(NOT_MODELLED) <= MAX_NOT_MODELLED
