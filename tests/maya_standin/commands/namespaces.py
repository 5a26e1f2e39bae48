"""namespace, namespaceInfo."""

from __future__ import annotations

from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError


@command("namespace", undoable=True)
def namespace(
    session,
    *,
    addNamespace: Text = None,
    setNamespace: Text = None,
    exists: Text = None,
    removeNamespace: Text = None,
):
    """Add, enter, ask for or remove a namespace."""
    scene = session.scene
    if exists is not None:
        return exists.strip(":") in scene.namespaces
    if addNamespace is not None:
        around = scene.current_namespace
        full = f"{around}:{addNamespace}" if around else addNamespace.lstrip(":")
        scene.add_namespace(full)
        return full
    if setNamespace is not None:
        wanted = setNamespace.strip(":")
        if wanted and wanted not in scene.namespaces:
            raise RuntimeError(f"No namespace matches name: '{setNamespace}'")
        scene.current_namespace = wanted
        return setNamespace
    if removeNamespace is None:
        raise NotModelledError("cmds.namespace without a modelled flag")
    name = removeNamespace.strip(":")
    if any(node.namespace == name for node in scene.nodes):
        raise RuntimeError(f"The namespace '{removeNamespace}' is not empty.")
    del scene.namespaces[name]
    return None


@command("namespaceInfo")
def namespace_info(
    session, *, listOnlyNamespaces: Bool = False, recurse: Bool = False,
    currentNamespace: Bool = False,
):  # fmt: skip
    """The namespaces there are, or the current one; Maya's own two are among them."""
    scene = session.scene
    if currentNamespace:
        return scene.current_namespace or ":"
    if not listOnlyNamespaces:
        raise NotModelledError("cmds.namespaceInfo without a modelled flag")
    names = ["UI", "shared", *scene.namespaces]
    return names if recurse else [name for name in names if ":" not in name]
