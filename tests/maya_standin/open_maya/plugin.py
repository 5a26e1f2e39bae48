"""MFnPlugin: what a plug-in registers."""

from __future__ import annotations

import re
from typing import Callable

from tests.maya_standin.commands.registry import COMMANDS
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.command import MPxCommand
from tests.maya_standin.open_maya.command_run import RegisteredCommand
from tests.maya_standin.open_maya.current import session
from tests.maya_standin.open_maya.node_sets import MFnBase
from tests.maya_standin.open_maya.objects import MObject, PluginRecord, target_of
from tests.maya_standin.open_maya.plugin_node import MPxNode, MTypeId, deregister, register
from tests.maya_standin.open_maya.strict import check_kind, not_modelled
from tests.maya_standin.open_maya.syntax import MSyntax

NAME = re.compile(r"[A-Za-z_]\w*")


class MFnPlugin(MFnBase):
    """The plug-in that is being loaded or unloaded."""

    __slots__ = ()
    _type = mfn.MFn.kPlugin

    def __init__(
        self,
        object: MObject,
        vendor: str = "Unknown",
        version: str = "Unknown",
        apiVersion: str = "Any",
        /,
    ) -> None:
        super().__init__(object)
        if vendor != "Unknown":
            self._record.vendor, self._record.version = vendor, version

    @property
    def _record(self) -> PluginRecord:
        record = target_of(self._object)
        assert isinstance(record, PluginRecord)
        return record

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

    def registerNode(
        self,
        name: str,
        typeId: MTypeId,
        creator: Callable[[], MPxNode],
        initializer: Callable[[], None],
        type: int = MPxNode.kDependNode,
        classification: str = "",
        /,
    ) -> None:
        """Make a type of nodes known; RuntimeError where there is one of that name."""
        check_kind(typeId, MTypeId, what="typeId")
        if type != MPxNode.kDependNode or classification:
            not_modelled("registerNode of another base, or with a classification")
        register(name, creator, initializer)
        self._record.node_types[name] = typeId.id()

    def deregisterNode(self, typeId: MTypeId, /) -> None:
        check_kind(typeId, MTypeId, what="typeId")
        names = [name for name, known in self._record.node_types.items() if known == typeId.id()]
        if not names:
            raise RuntimeError(f"{self._record.name} has no type of nodes {typeId.id():#x}")
        deregister(names[0])
        del self._record.node_types[names[0]]
