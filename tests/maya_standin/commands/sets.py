"""sets: sets of nodes are made, and their members listed."""

from __future__ import annotations

from tests.maya_standin.commands.finding import name_for_user, node_of, objects
from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.nodes import in_current_namespace
from tests.maya_standin.commands.registry import command
from tests.maya_standin.commands.selecting import members_of


@command("sets", undoable=True)
def sets(session, *names, query: Bool = False, name: Text = ""):
    """Make a set of nodes; in a query, members of a set, or None (command reference, sets).

    guess: members-of-a-set: a set in a set is one member.
    """
    scene = session.scene
    if query:
        found = list(members_of(scene, node_of(scene, names)))
        return [name_for_user(scene, node) for node in found] or None
    made = scene.create_node("objectSet", in_current_namespace(scene, name or "set1"))
    for place, node in enumerate(objects(scene, names)):
        ends = ("instObjGroups[0]", "dagSetMembers") if node.is_dag else ("message", "dnSetMembers")
        source, destination = scene.plug(f"{node.full_path()}.{ends[0]}"), f"{ends[1]}[{place}]"
        scene.connect(source, scene.plug(f"{made.name}.{destination}"))
    return name_for_user(scene, made)
