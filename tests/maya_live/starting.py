"""Requirements before the checks begin: this copy of the product, and numpy."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

from maya import cmds

from tests.maya_live.run import CANNOT_BEGIN, NO_NUMPY, ROOT, search_project

PACKAGES = ("jointlimits_core", "jointlimits_maya")
PLUG_IN = "jointLimits.py"


def prepare(options):
    """Make the checks use this copy and numpy; return a description of the host, or stop."""
    # A studio's modules and userSetup.py may come before it on sys.path.
    search_project()
    other = other_copy()
    if other:
        forget_copies(other)
    require_numpy(options.part)
    return describe_host(other)


def other_copy():
    """Folder of another copy of the product that Maya has loaded; "" if there is none."""
    files = [
        getattr(module, "__file__", None)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in PACKAGES
    ]
    if cmds.pluginInfo(PLUG_IN, query=True, loaded=True):
        files.append(cmds.pluginInfo(PLUG_IN, query=True, path=True))
    paths = [Path(str(file)).resolve() for file in files if file]
    foreign = [path for path in paths if ROOT not in path.parents]
    return _root_of(foreign[0]) if foreign else ""


def _root_of(path):
    roots = (one for one in path.parents if (one / "module.mod").is_file())
    return str(next(roots, path.parent))


def forget_copies(other):
    """Unload plug-in and modules, as the installer does before an update; stop if Maya cannot."""
    print(f"Maya has loaded the copy in {other}; the checks use the one in {ROOT}", flush=True)
    if cmds.pluginInfo(PLUG_IN, query=True, loaded=True):
        cmds.flushUndo()
        if not cmds.pluginInfo(PLUG_IN, query=True, unloadOk=True):
            print(f"The plug-in in {other} is in use: open a new scene, or run the kit with mayapy")
            sys.exit(CANNOT_BEGIN)
        cmds.unloadPlugin(PLUG_IN)
    for name in list(sys.modules):
        if name.partition(".")[0] in PACKAGES:
            del sys.modules[name]


def require_numpy(part):
    """Stop if Maya's Python has no numpy; the message gives the command that installs it."""
    from jointlimits_maya.base import host

    if host.is_numpy_installed():
        return
    if part:
        part.write_text(json.dumps({"needs": host.command()}) + "\n", encoding="utf-8")
        sys.exit(NO_NUMPY)
    print(f"The checks need numpy, which this Maya lacks:\n\n    {host.command_line()}\n")
    sys.exit(CANNOT_BEGIN)


def describe_host(other):
    """Description of the host that runs the checks."""
    return {
        "maya": str(cmds.about(version=True)).split()[0],
        "python": platform.python_version(),
        "qt": qt(),
        "system": platform.platform(),
        "window": not cmds.about(batch=True),
        "stand_in": "tests.maya_standin" in sys.modules,
        "other_copy": other or False,
    }


def qt():
    """Version of Qt, and which binding."""
    for name in ("PySide6", "PySide2"):
        try:
            core = __import__(f"{name}.QtCore").QtCore
        except ImportError:
            continue
        return f"{name} {core.qVersion()}"
    return "none"
