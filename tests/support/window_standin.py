"""The stand-in of Maya with what the window needs of it: panels, jobs, curves."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace

from tests.maya_standin import installed
from tests.maya_standin.commands import drawing, script_jobs, workspace  # noqa: F401 (registers)
from tests.support.house_files import ROOT
from tests.support.maya_fixtures import close_log, lead_here

SCENE = ROOT / "examples" / "humanoid_rom.ma"


@contextmanager
def maya_with_window(folder, monkeypatch, scene=SCENE):
    """A session with a scene open, the plug-in loaded, and somewhere to keep files."""
    lead_here(folder / "app" / "modules")
    monkeypatch.setenv("MAYA_APP_DIR", str(folder / "app"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    with installed() as session:
        user_interface = ModuleType("maya.OpenMayaUI")
        user_interface.MQtUtil = SimpleNamespace(
            findControl=lambda name: workspace.find_control(session, name)
        )
        monkeypatch.setitem(sys.modules, "maya.OpenMayaUI", user_interface)
        monkeypatch.setattr(sys.modules["maya"], "OpenMayaUI", user_interface, raising=False)
        session.start_up()
        session.run_deferred()
        from maya import cmds

        if scene is not None:
            cmds.file(str(scene), open=True, force=True)
        try:
            yield session
        finally:
            close_log()


@contextmanager
def maya_that_opens_the_window(folder, monkeypatch, scene=SCENE):
    """Such a session with Qt; a window that is left open is closed before it ends."""
    with maya_with_window(folder, monkeypatch, scene) as session:
        yield session
        window = open_window_of(session)
        if window is not None:
            from jointlimits_maya.ui.toolkit.qt import QtCore, QtWidgets
            from jointlimits_maya.window import maya_host as open_window

            open_window.close(window)
            QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)


def press_shelf(session, label):
    """Press a button of the shelf, and let Maya become idle."""
    (button,) = (b for b in session.shelves["JointLimits"] if b.flags["label"] == label)
    session.press(button.name)
    session.run_deferred()


def open_window_of(session):
    """The window that the artist sees, laid out and shown."""
    from jointlimits_maya.window import maya_host as open_window

    return open_window.window()


def opened(session, qtbot, select="Hips"):
    """Press the button with a character selected, and wait for its limits."""
    from maya import cmds

    cmds.select(select)
    press_shelf(session, "Open window")
    window = open_window_of(session)
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)
    idle(session)
    return window


def idle(session):
    """Let Maya tell of what has happened, and Qt do what it has to."""
    from jointlimits_maya.ui.toolkit.qt import QtWidgets

    script_jobs.tell(session)
    session.run_deferred()
    for _ in range(3):
        QtWidgets.QApplication.processEvents()
