"""ls, objExists, nodeType, listRelatives."""

from __future__ import annotations

from tests.maya_standin.commands.finding import flat, matching, name_for_user, objects
from tests.maya_standin.commands.flags import Bool, Texts
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Node


@command("ls")
def ls(
    session,
    *names,
    selection: Bool = False,
    type: Texts = None,
    exactType: Texts = None,
    long: Bool = False,
    uuid: Bool = False,
    dagObjects: Bool = False,
):
    """Names of what is named, selected or there at all, filtered; unknown names give nothing."""
    scene = session.scene
    if selection:
        found = list(scene.selection)
    elif names:
        found = [item for name in flat(names) for item in matching(scene, name)]
    else:
        found = list(scene.nodes)
    if dagObjects:
        found = [below for node in found if _is_dag(node) for below in scene.walk(node)]
    filters = [
        type and (lambda node: any(node.is_a(name) for name in type)),
        exactType and (lambda node: node.type in exactType),
    ]
    for accepted in filter(None, filters):
        found = [item for item in found if isinstance(item, Node) and accepted(item)]
    found = list(dict.fromkeys(found))
    return [node.uuid for node in found] if uuid else [name_for_user(scene, i, long) for i in found]


def _is_dag(item):
    return isinstance(item, Node) and item.is_dag


@command("objExists")
def object_exists(session, name):
    """Whether anything has that name; plugs count, too."""
    return session.scene.exists(name)


@command("nodeType")
def node_type(session, *names):
    """The type."""
    (name,) = flat(names)
    return session.scene.node(name.partition(".")[0]).type


@command("listRelatives")
def list_relatives(session, *names, parent: Bool = False, fullPath: Bool = False):
    """Names of the nodes above; None where there is nothing."""
    if not parent:
        raise NotModelledError("cmds.listRelatives without parent")
    found = [node.parent for node in objects(session.scene, names) if node.parent]
    return [node.full_path() if fullPath else node.name for node in found] or None
