"""The stand-in against cases that others observed in a real Maya.

Each case (oracle/maya_cases in the shared data) names its source: a test suite or doctest run in
mayapy, Autodesk's command reference, or an error printed in a thread. "Not modelled" is an honest
answer of the stand-in; another result than Maya's must be listed here.
"""

from __future__ import annotations

import importlib.util
import json
from contextlib import contextmanager
from functools import cache

import pytest

from tests.maya_standin import NotModelledError, installed
from tests.maya_standin.quirks import chosen_quirks
from tests.maya_standin.words import words_of
from tests.support.shared_data import SHARED, shared_path

FOLDER = SHARED / "oracle/maya_cases"
DIFFERENT = set(
    words_of(
        "mod-add-attribute-twice plug-source-conversion plug-conversion-is-made "
        "dag-ls-sorted-by-name dag-ls-uuid ref-names ref-nested ref-nested-parent "
        "ses-evaluation-mode attr-keys-of-locked attr-locked-node-api err-select-ambiguous "
        "err-ls-unknown-type"
    )
)


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

    @staticmethod
    @contextmanager
    def session():
        with installed(quirks=chosen_quirks()):
            from maya import cmds

            cmds.loadPlugin("matrixNodes", quiet=True)
            yield


@pytest.mark.thorough
@pytest.mark.parametrize("name", cases() or ["none"])
def test_case(name, monkeypatch, tmp_path):
    shared_path("oracle/maya_cases")
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path / "maya"))
    outcome, step, detail = runner().run_case(cases()[name], Adapter)
    if name in DIFFERENT:
        assert outcome in ("differs", "error"), f"{name} agrees now: take it off the list"
    else:
        assert outcome in ("agrees", "not modelled"), f"step {step}: {detail}"
