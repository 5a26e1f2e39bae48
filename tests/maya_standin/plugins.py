"""Python plug-ins, found by name and loaded; open_maya/command_run.py runs their commands.

A file is run as maya.md 3 says: its text, without a `__file__` or a `__name__` to rely on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.maya_standin import modules_file
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.journal import Group
from tests.maya_standin.open_maya.objects import PluginRecord, object_of
from tests.maya_standin.session import Session

NATIVE = frozenset({"matrixNodes"})
"""Maya's own plug-ins, which only bring node types."""


@dataclass
class LoadedPlugin:
    """A plug-in that is loaded: its record, and the names that its text left."""

    record: PluginRecord
    names: dict[str, Any]

    def call(self, function: str) -> None:
        """Call a function of the plug-in with its object."""
        self.names[function](object_of(self.record))


def find(session: Session, name: str) -> Path:
    """The file of a plug-in: a path, or a name on MAYA_PLUG_IN_PATH.

    "Load .py plug-ins with the extension" (maya.md 3).
    """
    path = Path(name)
    if path.is_absolute():
        found = path if path.is_file() else None
    else:
        found = modules_file.search(session.environment, "MAYA_PLUG_IN_PATH", name)
    if found is None or found.suffix != ".py":
        raise RuntimeError(f'Plug-in, "{name}", was not found on MAYA_PLUG_IN_PATH.')
    return found


def load(session: Session, name: str) -> str | None:
    """Load a plug-in and give its name; None for one that is loaded already.

    One whose initializePlugin raises is not loaded; commands that it had registered by then stay,
    because taking them back is its own business.
    """
    if Path(name).stem in session.plugins:
        return None
    if name in NATIVE and name not in session.missing_plugins:
        is_new = name not in session.native_plugins
        session.native_plugins.add(name)
        return name if is_new else None
    path = find(session, name)
    code = compile(path.read_text(encoding="utf-8"), os.fspath(path), "exec", dont_inherit=True)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 (Maya's own way, with text of this project only)
    if "maya_useNewAPI" not in names:
        raise NotModelledError(f"{path.name} is for API 1.0")
    plugin = LoadedPlugin(PluginRecord(path.stem, path.as_posix()), names)
    # guess: error-of-a-command (an exception in initializePlugin comes out as RuntimeError)
    plugin.call("initializePlugin")
    session.plugins[path.stem] = plugin
    return path.stem


def unload(session: Session, name: str) -> None:
    """Unload a plug-in; Maya refuses while its commands are on the undo queue (maya.md 3)."""
    stem = Path(name).stem
    if stem not in session.plugins:
        raise RuntimeError(f'Plug-in, "{name}", is not loaded.')
    if in_use(session, stem):
        raise RuntimeError(f'Plug-in, "{name}", cannot be unloaded because it is still in use')
    session.plugins[stem].call("uninitializePlugin")
    del session.plugins[stem]


def in_use(session: Session, stem: str) -> bool:
    """Whether a command of the plug-in lies on the undo queue, or a node of it in the scene."""
    record = session.plugins[stem].record
    if any(node.type in record.node_types for node in session.scene.nodes):
        return True
    commands = set(record.commands)
    queue = session.undo_queue
    return any(commands & set(_names(group)) for group in (*queue.done, *queue.undone))


def _names(group: Group) -> Iterator[str]:
    yield group.name
    for item in group.items:
        if isinstance(item, Group):
            yield from _names(item)
