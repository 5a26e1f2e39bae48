"""The window in a panel of Maya: filled late, with keys that Maya has, too, and its Qt."""

from __future__ import annotations

import subprocess
import sys

import pytest
from jointlimits_maya.ui.toolkit.qt import QAction, QtCore, QtGui, QtWidgets

from tests.support.house_files import ROOT
from tests.support.window_answers import answers
from tests.support.window_standin import idle, open_window_of, opened, press_shelf

pytestmark = pytest.mark.thorough
Key, CONTROL = QtCore.Qt.Key, QtCore.Qt.KeyboardModifier.ControlModifier


def test_a_panel_that_maya_fills_later_begins_at_once(maya, qtbot, cmds):
    assert maya.quirks.panels_fill_later
    cmds.select("Hips")
    (button,) = (b for b in maya.shelves["JointLimits"] if b.flags["label"] == "Open window")
    maya.press(button.name)
    window = open_window_of(maya)
    assert window.document.estimation.busy
    maya.run_deferred()
    assert open_window_of(maya) is window, "it is not filled again"
    qtbot.waitUntil(lambda: window.document.has_limits, timeout=30_000)
    cmds.workspaceControl("jointLimitsWindow", edit=True, close=True)
    press_shelf(maya, "Open window")
    assert open_window_of(maya) not in (None, window)


@pytest.fixture
def docked(maya, qtbot):
    """The window, docked in a main window that has actions with its keys, and what those did."""
    window, done = opened(maya, qtbot), []
    main = QtWidgets.QMainWindow()
    qtbot.addWidget(main)
    for keys in ("Ctrl+Z", "Ctrl+C", "Ctrl+S"):
        action = QAction(keys, main)
        action.setShortcut(QtGui.QKeySequence(keys))
        action.triggered.connect(lambda *_, keys=keys: done.append(keys))
        main.addAction(action)
    panel = window.parentWidget()
    main.setCentralWidget(panel)
    main.show()
    with qtbot.waitActive(main):
        main.activateWindow()
    yield window, done
    panel.setParent(None)


def test_its_keys_are_its_own_where_it_is_docked(maya, docked, qtbot, monkeypatch, tmp_path):
    window, done = docked
    window.select(["LeftElbow"])
    tree = window.joints.tree
    tree.setFocus()
    window.edits.pin()
    assert window.document.undo_stack.canUndo()
    for key in (Key.Key_Z, Key.Key_C):
        qtbot.keyClick(tree, key, CONTROL)
    idle(maya)
    assert not window.document.undo_stack.canUndo()
    assert window.actions_by_name["paste"].isEnabled()
    assert QtWidgets.QApplication.clipboard().text().count("\n") > 3, "of the limits, not a cell"
    assert not done
    qtbot.keyClick(tree, Key.Key_Z, CONTROL)
    assert done == ["Ctrl+Z"], "with nothing to undo here it is Maya's"


def test_a_text_field_keeps_its_own_undo(maya, docked, qtbot, monkeypatch):
    window, done = docked
    answers(monkeypatch)
    window.joints.find()
    field = QtWidgets.QApplication.focusWidget()
    qtbot.keyClicks(field, "knee")
    qtbot.keyClick(field, Key.Key_Z, CONTROL)
    assert field.text() != "knee"
    assert not done


FAKE_QT = """
import sys, types
from unittest.mock import MagicMock
for name in ("PySide2", "shiboken2", "PySide6", "shiboken6"):
    sys.modules[name] = MagicMock(__path__=[])
sys.modules.pop("PySide2"), sys.modules.pop("PySide6")
class Finder:
    def find_spec(self, name, path=None, target=None):
        import importlib.machinery
        if name.partition(".")[0] in ("PySide2", "PySide6"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        made = types.ModuleType(spec.name)
        made.__getattr__ = lambda name: MagicMock()
        return made
    def exec_module(self, module):
        pass
sys.meta_path.insert(0, Finder())
from tests.maya_standin import installed
with installed() as session:
    session.qt_version = {version!r}
    from jointlimits_maya.window import maya_host
    maya_host.window()
    from jointlimits_maya.ui.toolkit import qt
    print(qt.BINDING)
"""


@pytest.mark.parametrize(("version", "binding"), [("5.15.2", "PySide2"), ("6.5.3", "PySide6")])
def test_of_two_bindings_it_takes_that_of_maya(version, binding):
    code = FAKE_QT.replace("{version!r}", repr(version))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == binding, done.stderr[-1000:]
