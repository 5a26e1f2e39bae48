"""createNode, delete, rename, parent, group."""

from __future__ import annotations

from tests.maya_standin.commands.finding import name_for_user, nodes_or_selection, objects
from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Node


def in_current_namespace(scene, name):
    """Give a wanted name with the current namespace, unless it says one itself."""
    if not name or ":" in name or not scene.current_namespace:
        return name.lstrip(":")
    return f"{scene.current_namespace}:{name}"


def new_name(scene, name, default):
    """Give the name of a new node; a default one is no other node's, wherever that is.

    As the tests of cmt (github.com/chadmv/cmt, tests/test_rig_common.py) have their joints.
    """
    name = in_current_namespace(scene, name or default)
    return name if name != default else scene.unique_name(name, dag=False)


@command("createNode", undoable=True)
def create_node(
    session, type_name, *, name: Text = "", parent: Text = None, skipSelect: Bool = False
):
    """Make a node and select it; a shape needs a parent here."""
    scene = session.scene
    above = None if parent is None else scene.node(parent)
    wanted = new_name(scene, name, f"{type_name}1")
    node = scene.create_node(type_name, wanted, above)
    if node.is_dag and not node.is_a("transform") and above is None:
        raise NotModelledError(f"cmds.createNode({type_name!r}) without a parent")
    if not skipSelect:
        scene.select([node])
    return name_for_user(scene, node)


@command("delete", undoable=True)
def delete(session, *names, constraints: Bool = False):
    """Delete nodes with what is below them and the curves that drive nothing else.

    guess: delete-takes-curves
    """
    scene = session.scene
    nodes = nodes_or_selection(session, names)
    if constraints:
        nodes = [child for node in nodes for child in node.children if child.is_a("constraint")]
    for node in nodes:
        scene.check_deletable(node)
    for node in nodes:
        if node in scene.nodes:
            curves = list(_own_curves(scene, node))
            scene.delete_node(node)
            for curve in curves:
                scene.delete_node(curve)


def _own_curves(scene, node):
    gone = set(scene.walk(node)) if node.is_dag else {node}
    sources = {s.node for d, s in scene.connections.items() if d.node in gone}
    for curve in scene.nodes:
        if curve in sources and curve.is_a("animCurve"):
            driven = {d.node for d, s in scene.connections.items() if s.node is curve}
            if driven <= gone and curve.reference is None:
                yield curve


@command("rename", undoable=True)
def rename(session, *names):
    """Rename a node, or the selected one; a name that is taken gets a number."""
    scene = session.scene
    (node,) = objects(scene, names[:-1]) if len(names) > 1 else scene.selection
    scene.check_renamable(node)
    wanted = in_current_namespace(scene, names[-1])
    if wanted.endswith("#"):
        # The next free number (github.com/Autodesk/maya-usd issue 2093).
        wanted = wanted[:-1] + "1"
    return scene.rename(node, wanted)


@command("parent", undoable=True)
def parent(session, *names, relative: Bool = False, world: Bool = False):
    """Move nodes below another one, or into the world, with their channels as they are."""
    if not relative:
        raise NotModelledError("cmds.parent that keeps world positions (relative=True does not)")
    scene = session.scene
    nodes = objects(scene, names) if names else list(scene.selection)
    above = None if world else nodes.pop()
    for node in nodes:
        scene.reparent(node, above)
    return [name_for_user(scene, node) for node in nodes]


@command("group", undoable=True)
def group(
    session, *names, name: Text = "", empty: Bool = False, parent: Text = None, world: Bool = False
):
    """Put nodes that have one parent below a new transform in the same place; and select it."""
    scene = session.scene
    nodes = [] if empty else objects(scene, names) if names else list(scene.selection)
    parents = {node.parent for node in nodes if isinstance(node, Node)}
    if len(parents) > 1 or (nodes and (world or parent)):
        raise NotModelledError("cmds.group of nodes with several parents, or with a parent")
    above = parents.pop() if parents else None
    if parent is not None:
        above = scene.node(parent)
    made = scene.create_node("transform", in_current_namespace(scene, name or "group1"), above)
    for node in nodes:
        scene.reparent(node, made)
    scene.select([made])
    return name_for_user(scene, made)
