"""ls, objExists, nodeType, listRelatives."""

from __future__ import annotations

from tests.maya_standin.commands.finding import flat, matching, name_for_user, objects
from tests.maya_standin.commands.flags import Bool, Texts
from tests.maya_standin.commands.registry import command
from tests.maya_standin.node_types import is_known_type
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
    references: Bool = False,
    transforms: Bool = False,
    dagObjects: Bool = False,
    recursive: Bool = False,
    showType: Bool = False,
):
    """Names of what is named, selected or there at all, filtered; unknown names give nothing."""
    scene = session.scene
    if selection:
        found = list(scene.selection)
    elif names:
        found = [item for name in flat(names) for item in _matching(scene, name, recursive)]
    else:
        found = list(scene.nodes)
    if dagObjects:
        found = [below for node in found if _is_dag(node) for below in scene.walk(node)]
    filters = [
        _check_types(type) and (lambda node: any(node.is_a(name) for name in type)),
        exactType and (lambda node: node.type in exactType),
        references and (lambda node: node.type == "reference"),
        transforms and (lambda node: node.is_a("transform")),
    ]
    if type and not names:
        # Of a type by name, not by creation (case dag-ls-sorted-by-name).
        found.sort(key=lambda item: getattr(item, "name", ""))
    for accepted in filter(None, filters):
        found = [item for item in found if isinstance(item, Node) and accepted(item)]
    found = list(dict.fromkeys(found))
    if showType:
        return [part for i in found for part in (name_for_user(scene, i, long), i.type)]
    return [node.uuid for node in found] if uuid else [name_for_user(scene, i, long) for i in found]


def _check_types(names):
    """Give the names of types; RuntimeError for one that this Maya does not have."""
    for name in names or ():
        if not is_known_type(name):
            raise RuntimeError(f"Unknown object type: {name}")
    return names


def _matching(scene, name, recursive):
    """Give what a name stands for; `recursive` looks into every namespace."""
    if not recursive:
        return matching(scene, name)
    return [node for node in scene.nodes if node in _spaces(scene, node, name)]


def _spaces(scene, node, name):
    prefix = f"{node.namespace}:" if node.namespace else ""
    return matching(scene, f"{prefix}{name.lstrip(':')}")


def _is_dag(item):
    return isinstance(item, Node) and item.is_dag


@command("objExists")
def object_exists(session, name):
    """Whether anything has that name; plugs count, too."""
    return session.scene.exists(name)


@command("nodeType")
def node_type(session, *names, inherited: Bool = False):
    """The type, or all that it is derived from, the most general first."""
    (name,) = flat(names)
    # RuntimeError for a name of nothing (github.com/LumaPictures/pymel issue 416).
    (node,) = objects(session.scene, [name.partition(".")[0]], error=RuntimeError)
    if not inherited:
        return node.type
    return [*reversed(node.node_type.inherited), node.type]


@command("listRelatives")
def list_relatives(
    session,
    *names,
    children: Bool = False,
    parent: Bool = False,
    fullPath: Bool = False,
    path: Bool = False,
    shapes: Bool = False,
    type: Texts = None,
):
    """Names below or above; short names unless a path is asked for, None where there is nothing."""
    scene, found = session.scene, []
    chosen = objects(scene, names) if names else scene.selection
    for node in chosen:
        if parent:
            found += [node.parent] if node.parent else []
        else:
            found += node.children
    if type is not None:
        found = [node for node in found if any(node.is_a(name) for name in type)]
    if shapes:
        found = [node for node in found if node.is_a("dagNode") and not node.is_a("transform")]
    if fullPath:
        return [node.full_path() for node in found] or None
    return [scene.partial_path(node) if path else node.name for node in found] or None
