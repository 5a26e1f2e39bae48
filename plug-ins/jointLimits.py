"""Registers the commands of Joint Limits for Maya, and nothing else; all they do is in a package.

Loads where numpy is missing: a command then says how to install it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import maya.api.OpenMaya as om

VENDOR = "Joint Limits for Maya"


def maya_useNewAPI() -> None:  # noqa: N802
    """Tell Maya, by being here, that this plug-in speaks API 2.0."""


def initializePlugin(plug_in_object: om.MObject) -> None:  # noqa: N802
    """Register everything, or nothing."""
    _find_packages(om.MFnPlugin(plug_in_object).loadPath())
    from jointlimits_core import __version__

    plug_in = om.MFnPlugin(plug_in_object, VENDOR, __version__, "Any")
    registered = []
    try:
        for name, creator, syntax in _commands():
            plug_in.registerCommand(name, creator, syntax)
            registered.append(name)
    except RuntimeError:
        for name in registered:
            plug_in.deregisterCommand(name)
        raise


def uninitializePlugin(plug_in_object: om.MObject) -> None:  # noqa: N802
    """Take everything back."""
    plug_in = om.MFnPlugin(plug_in_object)
    for name, _, _ in _commands():
        plug_in.deregisterCommand(name)


def _commands() -> list[tuple[str, Callable[[], om.MPxCommand], Callable[[], om.MSyntax]]]:
    """Name, maker and syntax of every command."""
    from jointlimits_maya.command import COMMANDS
    from jointlimits_maya.undoable import COMMAND, EditCommand

    listed = [(command.name, command.creator, command.new_syntax) for command in COMMANDS]
    return [*listed, (COMMAND, EditCommand.creator, EditCommand.syntax_of)]


def _find_packages(plug_in_folder: str) -> None:
    """Put the module's folders on Python's path where Maya has not, as in some batch modes.

    Maya runs the text of this file, which therefore does not know where it lies.
    """
    # live check: module-paths-in-mayapy
    root = os.path.dirname(os.path.abspath(plug_in_folder))
    for folder in (root, os.path.join(root, "scripts")):
        if folder not in sys.path:
            sys.path.append(folder)
