"""`jointlimits gui`: finds the window, or says what is missing."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from jointlimits_core.base.errors import MissingPackageError
from jointlimits_core.cli import gui
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


def test_a_missing_file_is_reported_before_qt_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jointlimits_maya.ui.application", None)
    assert main(["gui", str(tmp_path / "gone.bvh")]) == 1
    message = capsys.readouterr().err
    assert message == f"jointlimits: {tmp_path / 'gone.bvh'}: file not found; check the path\n"


def run_on(display, tmp_path):
    """The message of the window on a display that is not there, from a process that may abort."""
    kept = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    plain = {name: value for name, value in os.environ.items() if name not in kept}
    done = subprocess.run(
        [sys.executable, "-m", "jointlimits_core", "gui"],
        cwd=ROOT,
        env={**plain, "XDG_RUNTIME_DIR": str(tmp_path), **display},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1
    return done.stderr


ON_LINUX = pytest.mark.skipif(
    not (HAS_QT and sys.platform.startswith("linux")), reason="needs Qt for Python on Linux"
)


@ON_LINUX
def test_without_a_display_it_says_so_in_one_line(tmp_path):
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in run_on({}, tmp_path)


@ON_LINUX
@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_display_that_does_not_answer_or_lacks_a_library_is_one_line(name, tmp_path):
    message = run_on({name: ":4711"}, tmp_path)
    lacks = "sudo apt install" in message and "sudo dnf install" in message
    assert lacks or "the display :4711 does not respond" in message


@ON_LINUX
@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_display_for_which_qt_has_no_plugin_is_one_line(name, monkeypatch):
    gui._application()
    for other in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, ":0")
    monkeypatch.setitem(gui._DISPLAYS, name, ("libqgone*.so", bool))
    with pytest.raises(MissingPackageError, match=f"no plugin for the display that {name} names"):
        gui._check_screen()


def test_what_the_linker_says_becomes_the_packages_to_install():
    linker = "libxcb-cursor.so.0: cannot open shared object file: No such file or directory"
    words = gui._library_words(OSError(linker))
    assert words.startswith("Qt lacks libxcb-cursor.so.0; on Debian and Ubuntu: sudo apt install ")
    for package in ("libxcb-cursor0", "xcb-util-cursor"):
        assert package in words
    assert "cannot be loaded: odd" in gui._library_words(ImportError("odd"))


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
        "window = application.open_window(None, [sys.argv[1]], None, StandaloneHost(sys.argv[2]))\n"
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
