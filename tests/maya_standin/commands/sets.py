"""sets, of which only the query of members is modelled."""

from __future__ import annotations

from tests.maya_standin.commands.finding import name_for_user, node_of
from tests.maya_standin.commands.flags import Bool
from tests.maya_standin.commands.registry import command
from tests.maya_standin.commands.selecting import members_of
from tests.maya_standin.errors import NotModelledError


@command("sets")
def sets(session, *names, query: Bool = False):
    """Members of a set, or None; a set in a set is one member (command reference, sets)."""
    if not query:
        raise NotModelledError("cmds.sets other than the query of members")
    scene = session.scene
    found = list(members_of(scene, node_of(scene, names)))
    return [name_for_user(scene, node) for node in found] or None
