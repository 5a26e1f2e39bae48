"""Names that commands are given, and names that they give back."""

from __future__ import annotations

from tests.maya_standin.errors import AmbiguousNameError, NoSuchObjectError
from tests.maya_standin.nodes import Node, Plug


def name_for_user(scene, item, long=False):
    """Give the name of a node or plug: the shortest that is its own, or the full path."""
    node = item.node if isinstance(item, Plug) else item
    name = node.full_path() if long else scene.partial_path(node)
    return f"{name}.{item.path}" if isinstance(item, Plug) else name


def objects(scene, names, error=None):
    """Give the nodes and plugs of names and patterns.

    NoSuchObjectError for a name of nothing, AmbiguousNameError for one of several nodes.
    """
    found = []
    for name in flat(names):
        here = matching(scene, name)
        if not here:
            raise error(f"No object matches name: {name}") if error else NoSuchObjectError(name)
        if len(here) > 1 and not set(name) & set("*?"):
            raise AmbiguousNameError(name)
        found += here
    return found


def matching(scene, name):
    """Give the nodes, or the plugs of a name with a dot; maybe none."""
    owner, dot, attribute = name.partition(".")
    nodes = scene.find(owner)
    if not dot:
        return nodes
    return [Plug(node, path) for node in nodes if (path := node.path_of(attribute)) is not None]


def flat(names):
    """Give the names of arguments, each of which is a name or a list of names."""
    for name in names:
        if isinstance(name, (list, tuple)):
            yield from flat(name)
        elif isinstance(name, str):
            yield name
        else:
            raise TypeError(f"Object {name!r} is invalid")


def node_of(scene, names):
    """Give the one node that was named."""
    (name,) = flat(names)
    return scene.node(name)


def nodes_or_selection(session, names):
    """Give the nodes that were named, or those that are selected."""
    if not names:
        return [item for item in session.scene.selection if isinstance(item, Node)]
    return [item for item in objects(session.scene, names) if isinstance(item, Node)]
