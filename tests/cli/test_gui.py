"""`jointlimits gui`: finds the window, or says what is missing."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from jointlimits_core.cli.main import main
from tests.support.house_files import ROOT

LIMITS = "two.limits.json"
HAS_QT = any(importlib.util.find_spec(name) for name in ("PySide6", "PySide2"))


def test_without_qt_it_says_how_to_install_it(monkeypatch, capsys):
    for name in ("PySide6", "PySide2", "shiboken6", "shiboken2"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in [name for name in sys.modules if name.startswith("jointlimits_maya.ui")]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["gui"]) == 1
    stderr = capsys.readouterr().err
    assert "pip install" in stderr
    assert "PySide6-Essentials" in stderr
    assert "Traceback" not in stderr


def test_two_sets_at_once_are_refused(capsys):
    assert main(["gui", LIMITS, "other.json"]) == 2
    assert "expected one limit set" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.skipif(not HAS_QT, reason="Qt for Python is missing: pip install -e .[gui]")
def test_it_opens_motions_and_limits_from_the_command_line(tmp_path):
    """In a process of its own, closed as soon as it has painted."""
    code = (
        "import sys\n"
        "from jointlimits_core.cli import gui\n"
        "application = gui._application()\n"
        "from jointlimits_maya.ui.host.standalone import StandaloneHost\n"
        "from jointlimits_maya.ui.toolkit.qt import QtWidgets\n"
        "program = QtWidgets.QApplication(['test'])\n"
        "window = application.opened(None, [sys.argv[1]], None, StandaloneHost(sys.argv[2]))\n"
        "window.show()\n"
        "while window.document.estimation.busy:\n"
        "    program.processEvents()\n"
        "program.processEvents()\n"
        "print(len(window.document.limits.joints), window.messages.text.text())\n"
        "window.close()\n"
    )
    scene = str(ROOT / "examples" / "humanoid_rom.ma")
    done = subprocess.run(
        [sys.executable, "-c", code, scene, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("21 humanoid_rom: ")
