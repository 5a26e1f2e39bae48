"""The stand-in of Maya with what the window needs of it: panels, jobs, curves."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace

from tests.house_files import ROOT
from tests.maya_standin import installed
from tests.maya_standin.commands import drawing, script_jobs, workspace  # noqa: F401 (registers)

SCENE = ROOT / "examples" / "humanoid_rom.ma"
PLUG_IN = ROOT / "plug-ins" / "jointLimits.py"


@contextmanager
def maya_with_window(folder, monkeypatch, scene=SCENE):
    """A session with a scene open, the plug-in loaded, and somewhere to keep files."""
    monkeypatch.setenv("MAYA_APP_DIR", str(folder / "app"))
    with installed() as session:
        user_interface = ModuleType("maya.OpenMayaUI")
        user_interface.MQtUtil = SimpleNamespace(
            findControl=lambda name: workspace.find_control(session, name)
        )
        monkeypatch.setitem(sys.modules, "maya.OpenMayaUI", user_interface)
        monkeypatch.setattr(sys.modules["maya"], "OpenMayaUI", user_interface, raising=False)
        from maya import cmds

        cmds.loadPlugin(str(PLUG_IN))
        if scene is not None:
            cmds.file(str(scene), open=True, force=True)
        try:
            yield session
        finally:
            close_log()


def close_log():
    """Let go of the log, which is in the folder of one test."""
    import logging

    logger = logging.getLogger("jointlimits_maya")
    for handler in list(logger.handlers):
        handler.close()
        logger.removeHandler(handler)
