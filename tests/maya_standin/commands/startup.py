"""How Maya comes up: modules, userSetup.py of each, shelves; with a window or without."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.maya_standin import modules_file, shelf_file


def start(session):
    """Read all modules, run their userSetup.py, and load the shelves where there is a window.

    userSetup.py runs before the window exists (maya.md 4); what it defers runs later. In mayapy
    all this happens, too: guess: user-setup-in-standalone (maya.md 4, [K])
    """
    session.started = True
    load_modules(session, scan_modules(session))
    for folder in list(sys.path):
        path = Path(folder, "userSetup.py")
        if folder and path.is_file():
            run_user_setup(session, path)
    if not session.batch:
        shelf_file.load_shelves(session)


def run_user_setup(session, path):
    """Run a userSetup.py in the names of `__main__`, without a `__file__` of its own.

    guess: user-setup-without-file
    """
    code = compile(path.read_text(encoding="utf-8"), os.fspath(path), "exec", dont_inherit=True)
    exec(code, session.main_names)  # noqa: S102 (Maya's own way, with text of this project only)


def scan_modules(session):
    """Find what is new on the module path and give the names."""
    found = modules_file.scan(session.environment, session.version)
    fresh = [name for name in found if name not in session.modules_found]
    session.modules_found.update({name: found[name] for name in fresh})
    return fresh


def load_modules(session, names):
    for name in names:
        modules_file.load(session.modules_found[name], session.environment)
        session.modules_loaded.append(name)
