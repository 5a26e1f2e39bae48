"""Startup of Maya: modules, paths, plug-ins, shelves."""

from __future__ import annotations

import os
import sys

from maya import cmds

from tests.maya_live import checks
from tests.maya_live.kit import NotHere, check, look


def without_window():
    if not cmds.about(batch=True):
        raise NotHere("there is a window; run the kit with mayapy")


@check("commands-before-initialize", "high", "help on mayapy")
def commands_before_initialize():
    """No command can be used before maya.standalone.initialize."""
    without_window()
    assert not checks.BEFORE_START["up"], "cmds worked before"


@check("undo-in-mayapy", "high", "Autodesk/maya-usd pull request 2625")
def undo_in_mayapy():
    """The undo queue is off when mayapy starts."""
    without_window()
    assert not checks.BEFORE_START["undo"], "it is on"


@check("matrix-nodes-in-mayapy", "high", "mottosso/cmdx:run_tests.py")
def matrix_nodes_in_mayapy():
    """matrixNodes, with composeMatrix and decomposeMatrix, is not loaded when mayapy starts."""
    without_window()
    assert not checks.BEFORE_START["matrixNodes"], "it is loaded"


def run_in_mayapy(code):
    """Code run by the Python that the batch would start, in the environment of its workers."""
    import subprocess

    from jointlimits_maya.batch.__main__ import maya_python, worker_environment

    return subprocess.run(
        [maya_python(), "-c", code],
        env=dict(worker_environment()),
        capture_output=True,
        text=True,
        timeout=checks.SECONDS * 2 / 3,
        check=False,
    )


@check("mayapy-executable", "medium", "installations")
def mayapy_executable():
    """mayapy is in $MAYA_LOCATION/bin, where the batch finds it to start workers."""
    from jointlimits_maya.batch.__main__ import maya_python

    done = run_in_mayapy("import maya.standalone; print('found')")
    assert "found" in done.stdout, f"{maya_python()}: {done.stderr[-300:]}"
    return f"{maya_python()}; sys.executable is {sys.executable}"


@check("exit-of-standalone", "high", "mottosso/cmdx:run_tests.py")
def exit_of_standalone():
    """A normal exit after maya.standalone sometimes crashes; os._exit keeps the exit code."""
    code = "import os, maya.standalone as s; s.initialize(name='python'); os._exit(7)"
    done = run_in_mayapy(code)
    assert done.returncode == 7, f"exit code {done.returncode}"


@check("python-path-mayapy", "low", "dcc-mcp-maya says no")
def python_path_mayapy():
    """mayapy also honours PYTHONPATH+:=, so the root of an installed module is on sys.path."""
    without_window()
    if not any("jointLimits" in str(name) for name in _modules()):
        raise NotHere("the module is not installed; copy it to the modules folder and run again")
    before = [os.path.normpath(path) for path in checks.BEFORE_START["sys.path"] if path]
    folder = os.path.normpath(cmds.moduleInfo(path=True, moduleName="jointLimits"))
    now = [os.path.normpath(path) for path in sys.path if path]
    assert folder in now, "it is not, so that `PYTHONPATH+:=.` is not honoured"
    return "before initialize, too" if folder in before else "after initialize only"


def _modules():
    return cmds.moduleInfo(listModules=True) or []


@check("version-site-packages", "medium", "help on pip")
def version_site_packages():
    """The user's scripts/site-packages, where numpy is installed, is on sys.path."""
    from jointlimits_maya.base.host import site_packages

    if not site_packages().is_dir():
        raise NotHere(f"{site_packages()} is not there; install something with pip first")
    assert str(site_packages()) in [os.path.normpath(path) for path in sys.path], site_packages()


@check("numpy-and-qt-binding", "medium", "PyPI's shiboken2, shiboken6 warn")
def numpy_and_qt_binding():
    """numpy and the Qt binding of this Maya can be imported together without a message."""
    code = (
        "import numpy\ntry:\n import PySide6.QtCore as q\nexcept ImportError:\n"
        " import PySide2.QtCore as q\nprint('both', numpy.__version__, q.__version__)"
    )
    done = run_in_mayapy(code)
    if "ModuleNotFoundError" in done.stderr or "ImportError" in done.stderr:
        raise NotHere(done.stderr.strip().splitlines()[-1])
    assert "both" in done.stdout, done.stderr[-300:]
    assert "numpy" not in done.stderr.lower(), done.stderr[-300:]
    return done.stdout.strip()


@check("qt-of-this-maya", "high", "command reference")
def qt_of_this_maya():
    """`about -qtVersion` gives Maya's version of Qt: 5 comes with PySide2, 6 with PySide6."""
    version = str(cmds.about(qtVersion=True))
    binding = "PySide2" if version.startswith("5.") else "PySide6"
    done = run_in_mayapy(f"import {binding}.QtCore as q; print('is', q.qVersion())")
    if "Error" in done.stderr:
        raise NotHere(done.stderr.strip().splitlines()[-1])
    assert f"is {version[:2]}" in done.stdout, f"{version}, but {binding} {done.stdout.strip()}"
    return f"{binding} {version}"


@look("user-setup-in-standalone", "medium", "none")
def user_setup_in_standalone():
    """maya.standalone.initialize() reads module files and runs userSetup.py.

    With the module installed and a print in its scripts/userSetup.py: does `mayapy -c "import
    maya.standalone as s; s.initialize()"` print it?
    """


@look("user-setup-of-module", "medium", "M. Hendricks (Maya 2024), mGear")
def user_setup_of_module():
    """Code that userSetup.py defers with lowestPriority runs once the window is up.

    With the module installed, the menu Joint Limits is there once Maya's window is up.
    """


@look("user-setup-without-file", "high", "Maya's startup script")
def user_setup_without_file():
    """userSetup.py runs in __main__, without its own __file__.

    With `print(globals().get("__file__"))` in a userSetup.py: it prints None.
    """


@look("python-path-window", "medium", "RawKee, BlenderKit; M. Hendricks")
def python_path_window():
    """PYTHONPATH+:=. in module.mod makes jointlimits_core importable.

    With the module installed, `import jointlimits_core` works in the Script Editor.
    """


@look("text-files-beside-module", "medium", "Autodesk's help")
def text_files_beside_module():
    """Any text file beside module.mod is read as a module file.

    With the module installed, Maya starts without a message about README.md or another text
    file beside module.mod.
    """


@look("shelf-buttons", "high", "command reference")
def shelf_buttons():
    """shelfLayout -query -childArray lists a shelf's buttons.

    Delete a button of the shelf JointLimits and install the same version again: only that
    button comes back.
    """


@look("shelf-folder", "medium", "Ramses, M. Hendricks")
def shelf_folder():
    """MAYA_SHELF_PATH+:=shelves shows the shelf at every start.

    With the module installed, the shelf JointLimits is there after a start, with its icons.
    """
