"""The stand-in's window: progress, dialogs, menus, idle; MEL; and mayapy, which has none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.maya_standin import NotModelledError, installed

ROOT = Path(__file__).resolve().parents[2]


# --- the window -------------------------------------------------------------------------------


def test_escape_is_pressed_when_the_test_says_so(maya, cmds):
    from maya import mel

    bar = mel.eval("$tmp=$gMainProgressBar")
    maya.press_escape_after(3)
    cmds.progressBar(bar, edit=True, beginProgress=True, isInterruptable=True, maxValue=10)
    cancelled = []
    for _ in range(4):
        cmds.progressBar(bar, edit=True, step=1)
        cancelled.append(cmds.progressBar(bar, query=True, isCancelled=True))
    cmds.progressBar(bar, edit=True, endProgress=True)
    assert cancelled == [False, False, True, True]
    assert not maya.interface.progress.running
    assert cmds.progressBar(bar, query=True, progress=True) == 4


@pytest.mark.thorough
def test_a_bar_that_cannot_be_interrupted_does_not_see_escape(maya, cmds):
    from maya import mel

    bar = mel.eval("$tmp=$gMainProgressBar")
    maya.press_escape_after(1)
    cmds.progressBar(bar, edit=True, beginProgress=True, maxValue=10)
    cmds.progressBar(bar, edit=True, step=1)
    assert not cmds.progressBar(bar, query=True, isCancelled=True)


def test_dialogs_are_answered_by_the_test_or_fail_it(maya, cmds):
    maya.answer("Copy")
    assert cmds.confirmDialog(title="numpy", message="...", button=["Copy", "Close"]) == "Copy"
    assert maya.interface.dialogs[0]["buttons"] == ["Copy", "Close"]
    with pytest.raises(AssertionError, match="did not expect"):
        cmds.confirmDialog(title="again", message="...")
    maya.answer("Maybe")
    with pytest.raises(AssertionError, match="no button 'Maybe'"):
        cmds.confirmDialog(title="again", message="...", button=["Yes"])


def test_menus_hold_items_whose_commands_run(maya, cmds):
    from maya import mel

    pressed = []
    menu = cmds.menu("limits", parent=mel.eval("$tmp=$gMainWindow"), label="Limits")
    cmds.menuItem(parent=menu, label="Estimate", command=pressed.append)
    cmds.menuItem(parent="limits", label="Text", command="answer = 6 * 7")
    cmds.menuItem(parent="limits", divider=True)
    maya.press("Estimate")
    maya.press("Text")
    assert pressed == [False]
    assert maya.main_names["answer"] == 42
    assert cmds.menu("limits", query=True, numberOfItems=True) == 3
    with pytest.raises(RuntimeError, match="not found"):
        cmds.deleteUI("limits", layout=True)
    cmds.deleteUI("limits", menu=True)
    assert not cmds.menu("limits", exists=True)
    assert not maya.interface.controls


def test_deferred_work_waits_and_the_lowest_priority_waits_longest(maya, cmds):
    from maya import utils

    order = []
    cmds.evalDeferred(lambda: order.append("last"), lowestPriority=True)
    utils.executeDeferred(order.append, "first")
    cmds.evalDeferred(lambda: utils.executeDeferred(order.append, "added"))
    assert order == []
    maya.run_deferred()
    assert order == ["first", "added", "last"]
    assert utils.executeInMainThreadWithResult(max, 1, 2) == 2


def test_preferences_and_what_maya_is(maya, cmds):
    cmds.optionVar(intValue=("limitsShown", 1))
    cmds.optionVar(stringValue=("limitsFolder", "a"))
    assert cmds.optionVar(query="limitsFolder") == "a"
    assert cmds.optionVar(query="unknown") == 0
    cmds.optionVar(remove="limitsShown")
    assert not cmds.optionVar(exists="limitsShown")
    assert cmds.about(version=True) == "2025"
    assert cmds.about(batch=True) is False
    assert cmds.evaluationManager(query=True, mode=True) == ["parallel"]
    cmds.autoKeyframe(state=True)
    assert maya.auto_key
    assert cmds.autoKeyframe(query=True, state=True)
    cmds.warning("careful")
    with pytest.raises(RuntimeError, match="no"):
        cmds.error("no")
    assert maya.messages == [("warning", "careful"), ("error", "no")]


def test_without_a_window_there_is_no_ui():
    with installed(batch=True):
        from maya import cmds, mel

        assert cmds.about(batch=True)
        with pytest.raises(RuntimeError, match="batch"):
            cmds.confirmDialog(title="x")
        with pytest.raises(RuntimeError, match="undeclared"):
            mel.eval("$tmp=$gMainProgressBar")


# --- MEL --------------------------------------------------------------------------------------


def test_lines_of_mel_are_commands(maya, cmds):
    from maya import mel

    cmds.createNode("joint", name="knee")

    mel.eval('setAttr -lock on "knee.rx"; setAttr knee.ry 30;')
    assert cmds.getAttr("knee.rx", lock=True)
    assert cmds.getAttr("knee.ry") == pytest.approx(30)
    mel.eval("undo")
    assert cmds.getAttr("knee.ry") == 0
    for text in ("polySphere", "setAttr -foo 1 knee.rx", "$x = $gSomething", "{ undo; }"):
        with pytest.raises(NotModelledError):
            mel.eval(text)


# --- mayapy -----------------------------------------------------------------------------------

MAYAPY = """
import maya.standalone
from maya import cmds
try:
    cmds.ls()
except Exception as error:
    print(type(error).__name__)
maya.standalone.initialize(name="python")
print(cmds.about(batch=True), cmds.ls("persp"), cmds.moduleInfo(listModules=True))
maya.standalone.uninitialize()
"""


@pytest.mark.thorough
def test_in_a_process_of_its_own_commands_and_modules_come_with_initialize(tmp_path):
    (tmp_path / "a.mod").write_text("+ tools 1 tools\n", encoding="utf-8")
    (tmp_path / "tools" / "scripts").mkdir(parents=True)
    (tmp_path / "tools" / "scripts" / "userSetup.py").write_text("print('set up')\n", "utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MAYA_")},
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests/maya_standin/as_maya"))),
        "MAYA_MODULE_PATH": str(tmp_path),
    }
    command = [sys.executable, "-c", MAYAPY]
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    lines = ["NotModelledError", "set up", "True ['persp'] ['tools']"]
    assert run.stdout.splitlines() == lines
