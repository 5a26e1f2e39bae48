"""MFnPlugin: what a plug-in registers."""

from __future__ import annotations

import re
from typing import Callable

from tests.maya_standin.commands.registry import COMMANDS
from tests.maya_standin.open_maya.command import MPxCommand
from tests.maya_standin.open_maya.command_run import RegisteredCommand
from tests.maya_standin.open_maya.current import session
from tests.maya_standin.open_maya.objects import MObject, PluginRecord, target_of
from tests.maya_standin.open_maya.strict import Strict
from tests.maya_standin.open_maya.syntax import MSyntax

NAME = re.compile(r"[A-Za-z_]\w*")


class MFnPlugin(Strict):
    """The plug-in that is being loaded or unloaded."""

    __slots__ = ("_record",)

    def __init__(
        self,
        object: MObject,
        vendor: str = "Unknown",
        version: str = "Unknown",
        apiVersion: str = "Any",
        /,
    ) -> None:
        record = target_of(object)
        if not isinstance(record, PluginRecord):
            raise ValueError("object is incompatible with MFnPlugin constructor")
        self._record = record
        if vendor != "Unknown":
            record.vendor, record.version = vendor, version

    def name(self) -> str:
        return self._record.name

    def vendor(self) -> str:
        return self._record.vendor

    @property
    def version(self) -> str:
        return self._record.version

    def loadPath(self) -> str:
        """Folder of the plug-in's file."""
        return self._record.path.replace("\\", "/").rpartition("/")[0]

    def registerCommand(
        self,
        name: str,
        creator: Callable[[], MPxCommand],
        syntaxCreator: Callable[[], MSyntax] | None = None,
        /,
    ) -> None:
        """Add a command; RuntimeError where there is one of that name (maya.md 3)."""
        if not NAME.fullmatch(name):
            raise RuntimeError(f"{name!r} cannot be the name of a command")
        if name in session().commands or name in COMMANDS:
            raise RuntimeError(f"the command {name} is registered already")
        command = RegisteredCommand(name, creator, syntaxCreator)
        session().commands[name] = self._record.commands[name] = command

    def deregisterCommand(self, name: str, /) -> None:
        if name not in self._record.commands:
            raise RuntimeError(f"{self._record.name} has no command {name}")
        del session().commands[name], self._record.commands[name]
