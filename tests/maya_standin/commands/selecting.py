"""select."""

from __future__ import annotations

from tests.maya_standin.commands.finding import objects
from tests.maya_standin.commands.flags import Bool
from tests.maya_standin.commands.registry import command
from tests.maya_standin.nodes import Node

_MEMBERS = ("dagSetMembers", "dnSetMembers")


@command("select", undoable=True)
def select(
    session,
    *names,
    add: Bool = False,
    toggle: Bool = False,
    replace: Bool = False,
    clear: Bool = False,
    hierarchy: Bool = False,
    noExpand: Bool = False,
    all: Bool = False,
):
    """Change the selection; sets stand for their members unless `noExpand` is given."""
    scene = session.scene
    if clear:
        scene.select([])
        return
    wanted = [node for node in scene.nodes if node.is_dag and node.parent is None] if all else []
    wanted += _expanded(scene, objects(scene, names), noExpand)
    if hierarchy:
        wanted = [below for node in wanted for below in scene.walk(node)]
    before = list(scene.selection)
    if add:
        wanted = before + [item for item in wanted if item not in before]
    elif toggle:
        wanted = [i for i in before if i not in wanted] + [i for i in wanted if i not in before]
    scene.select(dict.fromkeys(wanted))


def _expanded(scene, items, as_they_are):
    """Put the members of sets in their place (command reference, noExpand)."""
    for item in items:
        if isinstance(item, Node) and item.is_a("objectSet") and not as_they_are:
            yield from members_of(scene, item)
        else:
            yield item


def members_of(scene, node):
    """Nodes that are connected to the members of a set."""
    for destination, source in scene.connections.items():
        if destination.node is node and destination.path.startswith(_MEMBERS):
            yield source.node
