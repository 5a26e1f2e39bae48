"""Plug-in that registers the commands and the node of Joint Limits.

It loads without numpy; commands then report how to install numpy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jointlimits_maya.base.open_maya import om
else:  # Python may not find our packages yet.
    import maya.api.OpenMaya as om

VENDOR = "Joint Limits for Maya"


def maya_useNewAPI() -> None:  # noqa: N802
    """Mark this plug-in as written for API 2.0; Maya looks for this name."""


def initializePlugin(plug_in_object: om.MObject) -> None:  # noqa: N802
    """Register everything, or nothing."""
    # Python's path lacks the module's folders in some batch modes. Maya runs the text of this
    # file, which therefore does not know its own path.
    # live check: module-paths-in-mayapy
    root = os.path.dirname(os.path.abspath(om.MFnPlugin(plug_in_object).loadPath()))
    for folder in (root, os.path.join(root, "scripts")):
        if folder not in sys.path:
            sys.path.append(folder)
    from jointlimits_core.base.version import __version__

    plug_in = om.MFnPlugin(plug_in_object, VENDOR, __version__, "Any")
    registered = []
    try:
        for name, creator, syntax in _commands():
            plug_in.registerCommand(name, creator, syntax)
            registered.append(name)
        from jointlimits_maya.projection.node import NAME, TYPE_ID, JointLimitProject

        plug_in.registerNode(
            NAME, om.MTypeId(TYPE_ID), JointLimitProject.creator, JointLimitProject.initialize
        )
    except RuntimeError:
        for name in registered:
            plug_in.deregisterCommand(name)
        raise
    if _has_window():
        from jointlimits_maya import interactive

        interactive.add_editors()


def uninitializePlugin(plug_in_object: om.MObject) -> None:  # noqa: N802
    """Deregister everything."""
    if _has_window():
        from jointlimits_maya import interactive

        interactive.remove_editors()
    plug_in = om.MFnPlugin(plug_in_object)
    for name, _, _ in _commands():
        plug_in.deregisterCommand(name)
    from jointlimits_maya.projection.node import TYPE_ID

    plug_in.deregisterNode(om.MTypeId(TYPE_ID))


def _has_window() -> bool:
    from jointlimits_maya.base.host import is_interactive

    return is_interactive()


def _commands() -> list[tuple[str, Callable[[], om.MPxCommand], Callable[[], om.MSyntax]]]:
    """Name, creator and syntax of every command."""
    from jointlimits_maya.commands.table import COMMANDS
    from jointlimits_maya.scene.undo import COMMAND, EditCommand

    listed = [(one.name, one.creator, one.new_syntax) for one in COMMANDS]
    return [*listed, (COMMAND, EditCommand.creator, EditCommand.syntax_of)]
