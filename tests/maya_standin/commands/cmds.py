"""maya.cmds: commands by name, Maya's own and those of plug-ins."""

from __future__ import annotations

# Importing a topic registers its commands.
from tests.maya_standin.commands import (  # noqa: F401
    attributes,
    baking,
    constraints,
    editors,
    files,
    finding,
    idle,
    joints,
    keys,
    layers,
    limits,
    listing,
    locks,
    menus,
    module_commands,
    namespaces,
    nodes,
    plugin_commands,
    poses,
    preferences,
    reference_queries,
    selecting,
    sets,
    times,
    ui,
    undo,
)
from tests.maya_standin.commands.registry import COMMANDS
from tests.maya_standin.errors import NotModelledError, NotModelledNameError
from tests.maya_standin.session import current

__all__: list[str] = []


def dynamic(name):
    """Give the function that runs a command."""
    session = current()
    if name not in session.commands and name not in COMMANDS:
        raise NotModelledNameError(f"maya.cmds.{name} is not modelled")

    def call(*arguments, **flags):
        if not session.started:
            # guess: commands-before-initialize
            raise NotModelledError(f"cmds.{name} before maya.standalone.initialize()")
        if name in session.commands:
            return session.commands[name](*arguments, **flags)
        return COMMANDS[name].run(session, arguments, flags)

    call.__name__ = name
    return call
