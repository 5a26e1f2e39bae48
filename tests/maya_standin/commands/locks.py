"""lockNode, connectAttr, disconnectAttr, listConnections."""

from __future__ import annotations

from tests.maya_standin.commands.finding import flat, name_for_user, nodes_or_selection, objects
from tests.maya_standin.commands.flags import Bool
from tests.maya_standin.commands.registry import command
from tests.maya_standin.nodes import Plug


@command("lockNode", undoable=True)
def lock_node(session, *names, lock: Bool = True):
    """Lock nodes."""
    nodes = nodes_or_selection(session, names)
    for node in nodes:
        session.scene.set_node_locked(node, lock)
    return


@command("connectAttr", undoable=True)
def connect_attributes(session, source, destination):
    """Connect two plugs."""
    scene = session.scene
    one, other = scene.plug(source), scene.plug(destination)
    scene.check_connectable(one, other)
    scene.connect(one, other)
    return f"Connected {scene.plug_name(one)} to {scene.plug_name(other)}."


@command("listConnections")
def list_connections(
    session, *names, source: Bool = True, destination: Bool = True, plugs: Bool = False
):
    """What is connected to nodes or plugs, by node or by plug; None where nothing is."""
    scene = session.scene
    found = []
    for item in objects(scene, list(flat(names))):
        pairs = _sources(scene, item) if source else []
        pairs += _destinations(scene, item) if destination else []
        found += [name_for_user(scene, there if plugs else there.node) for _, there in pairs]
    return found or None


def _belongs(scene, plug, item):
    """Tell whether a plug is of the node, or the plug itself or below it."""
    if isinstance(item, Plug):
        return plug == item or plug in scene.below(item)
    return plug.node is item


def _sources(scene, item):
    pairs = scene.connections.items()
    return [(there, here) for there, here in pairs if _belongs(scene, there, item)]


def _destinations(scene, item):
    return [pair[::-1] for pair in scene.connections.items() if _belongs(scene, pair[1], item)]
