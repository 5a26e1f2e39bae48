"""select."""

from __future__ import annotations

from tests.maya_standin.commands.finding import objects
from tests.maya_standin.commands.flags import Bool
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Node


@command("select", undoable=True)
def select(session, *names, replace: Bool = False, clear: Bool = False):
    """Change the selection."""
    wanted = [] if clear else list(objects(session.scene, names))
    if any(isinstance(item, Node) and item.is_a("objectSet") for item in wanted):
        raise NotModelledError("selecting the members of a set")
    session.scene.select(dict.fromkeys(wanted))
