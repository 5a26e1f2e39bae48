"""lockNode, connectAttr, disconnectAttr, listConnections."""

from __future__ import annotations

from tests.maya_standin import conversions
from tests.maya_standin.commands.finding import flat, name_for_user, nodes_or_selection, objects
from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NoSuchObjectError, NotModelledError
from tests.maya_standin.nodes import Plug


@command("lockNode", undoable=True)
def lock_node(session, *names, query: Bool = False, lock: Bool = True):
    """Lock nodes; a query gives a list."""
    nodes = nodes_or_selection(session, names)
    if query:
        return [node.is_locked for node in nodes]
    for node in nodes:
        session.scene.set_node_locked(node, lock)
    return None


@command("connectAttr", undoable=True)
def connect_attributes(session, source, destination, *, force: Bool = False):
    """Connect two plugs; `force` breaks what is connected to the second first."""
    scene = session.scene
    one, other = _end(scene, source, "source"), _end(scene, destination, "destination")
    if force and other in scene.connections:
        scene.check_disconnectable(other)
        scene.disconnect(scene.connections[other], other)
    scene.check_connectable(one, other)
    conversions.connect(scene, one, other)
    return f"Connected {scene.plug_name(one)} to {scene.plug_name(other)}."


def _end(scene, name, word):
    """Give one end of a connection to be (the message: github.com/mgear-dev/mgear issue 466)."""
    try:
        return scene.plug(name)
    except NoSuchObjectError:
        raise RuntimeError(f"The {word} attribute '{name}' cannot be found.") from None


@command("disconnectAttr", undoable=True)
def disconnect_attributes(session, source, destination):
    """Disconnect two plugs."""
    scene = session.scene
    one, other = scene.plug(source), scene.plug(destination)
    if not conversions.is_between(scene, one, other):
        raise RuntimeError(f"There is no connection from '{source}' to '{destination}'")
    scene.check_disconnectable(other)
    conversions.disconnect(scene, one, other)
    return f"Disconnect {scene.plug_name(one)} from {scene.plug_name(other)}."


@command("isConnected")
def is_connected(session, source, destination, *, ignoreUnitConversion: Bool = False):
    """Whether one plug drives the other."""
    scene = session.scene
    one, other = scene.plug(source), scene.plug(destination)
    direct = scene.connections.get(other) == one
    return direct or (ignoreUnitConversion and conversions.is_between(scene, one, other))


@command("listConnections")
def list_connections(
    session,
    *names,
    source: Bool = True,
    destination: Bool = True,
    plugs: Bool = False,
    connections: Bool = False,
    type: Text = None,
    exactType: Bool = False,
    skipConversionNodes: Bool = False,
):
    """What is connected to nodes or plugs, by node or by plug; None where nothing is."""
    scene = session.scene
    found = []
    for item in objects(scene, list(flat(names))):
        pairs = _sources(scene, item) if source else []
        pairs += _destinations(scene, item) if destination else []
        for here, there in pairs:
            there = _beyond_conversion(scene, there, here) if skipConversionNodes else there
            if type is not None and not _is_of_type(there.node, type, exactType):
                continue
            found += [name_for_user(scene, here)] if connections else []
            found.append(name_for_user(scene, there if plugs else there.node))
    return found or None


def _is_of_type(node, type_name, exact):
    return node.type == type_name if exact else node.is_a(type_name)


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


def _beyond_conversion(scene, plug, start):
    """Give what lies on the other side of a unitConversion node."""
    if plug.node.type != "unitConversion":
        return plug
    if plug.path == "output":
        return scene.connections[Plug(plug.node, "input")]
    (beyond,) = scene.outputs(Plug(plug.node, "output"))
    if beyond == start:
        raise NotModelledError("listConnections around a unitConversion that leads back")
    return beyond
