"""Cases that other people observed in Maya, as checks; they are in a separate folder.

The folder has ``cases.jsonl`` and ``run_cases.py``, which runs one case in a session.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys

from maya import cmds

from tests.maya_live.kit import NotHere, check
from tests.maya_live.run import CANNOT_BEGIN

PREFIX = "case-"


def add_cases(folder):
    """Register every case as the check ``case-ID``."""
    try:
        lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
        spec = importlib.util.spec_from_file_location("run_cases", folder / "run_cases.py")
        runner = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(runner)
    except OSError as error:
        print(f"--cases: {error.filename}: {error.strerror}; give the folder of cases.jsonl")
        sys.exit(CANNOT_BEGIN)
    for case in map(json.loads, filter(None, lines)):
        _add_case(case, runner)


def _add_case(case, runner):
    def run():
        word, step, detail = runner.run_case(case, sys.modules[__name__])
        if word == "not modelled":
            raise NotHere(detail)
        if word == "error":
            raise RuntimeError(f"step {step}: {detail}")
        assert word == "agrees", f"step {step}: {detail}"

    run.__name__ = case["id"].replace("-", "_")
    run.__doc__ = case["note"]
    check(PREFIX + case["id"])(run)


# Calls by which the runner controls a Maya.


def _not_modelled():
    standin = sys.modules.get("tests.maya_standin")
    return (standin.NotModelledError,) if standin else ()


NOT_MODELLED = _not_modelled()


@contextlib.contextmanager
def session():
    """The fresh scene of a check, with matrixNodes, which mayapy does not load.

    Plug-ins of a case are unloaded, as those of other cases have the same name.
    """
    cmds.loadPlugin("matrixNodes", quiet=True)
    before = _plug_ins()
    try:
        yield
    finally:
        cmds.file(newFile=True, force=True)
        cmds.flushUndo()
        for name in _plug_ins() - before:
            cmds.unloadPlugin(name)


def _plug_ins():
    return set(cmds.pluginInfo(query=True, listPlugins=True) or ())
