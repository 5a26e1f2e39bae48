"""loadModule and moduleInfo."""

from __future__ import annotations

import os

from tests.maya_standin.commands import startup
from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError


@command("loadModule")
def load_module(session, *, scan: Bool = False, allModules: Bool = False, load: Text = None):
    """Add modules after start: first `scan`, then load (command reference).

    Loading adds the folders and variables. It runs no userSetup and makes no shelf.
    guess: load-module-user-setup
    """
    if scan:
        return startup.scan_modules(session) or None
    waiting = [name for name in session.modules_found if name not in session.modules_loaded]
    if load is not None:
        if load not in session.modules_found:
            raise RuntimeError(f"loadModule: no module {load} was found by a scan")
        waiting = [name for name in waiting if name == load]
    elif not allModules:
        raise NotModelledError("cmds.loadModule without scan, load or allModules")
    startup.load_modules(session, waiting)
    return waiting or None


@command("moduleInfo")
def module_info(
    session,
    *,
    listModules: Bool = False,
    moduleName: Text = None,
    path: Bool = False,
    version: Bool = False,
    definition: Bool = False,
):
    """Ask for the loaded modules, or for one: its folder, version or file."""
    if listModules:
        return list(session.modules_loaded)
    if moduleName not in session.modules_loaded:
        raise RuntimeError(f"moduleInfo: there is no module {moduleName}")
    entry = session.modules_found[moduleName]
    if path:
        return os.fspath(entry.root)
    return entry.version if version else os.fspath(entry.file)
