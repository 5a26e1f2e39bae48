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
        return _full_name(scene, exists) in scene.namespaces
    if addNamespace is not None:
        full = _full_name(scene, addNamespace)
        if full in scene.namespaces:
            # [K]
            raise RuntimeError(f"The namespace '{addNamespace}' already exists.")
        scene.add_namespace(full)
        return full
    if setNamespace is not None:
        wanted = _full_name(scene, setNamespace)
        if wanted and wanted not in scene.namespaces:
            raise RuntimeError(f"No namespace matches name: '{setNamespace}'")
        scene.current_namespace = wanted
        return setNamespace
    if removeNamespace is None:
        raise NotModelledError("cmds.namespace without a modelled flag")
    name = _full_name(scene, removeNamespace)
    if any(node.namespace == name for node in scene.nodes):
        raise RuntimeError(f"The namespace '{removeNamespace}' is not empty.")
    del scene.namespaces[name]
    return None


def _full_name(scene, name):
    """Give a namespace from the root: a name without a colon in front starts at the current one."""
    if name.startswith(":") or not scene.current_namespace:
        return name.strip(":")
    return f"{scene.current_namespace}:{name}"


@command("namespaceInfo")
def namespace_info(
    session,
    name="",
    *,
    currentNamespace: Bool = False,
    isRootNamespace: Bool = False,
    listNamespace: Bool = False,
    parent: Bool = False,
    listOnlyNamespaces: Bool = False,
    listOnlyDependencyNodes: Bool = False,
    absoluteName: Bool = False,
    fullName: Bool = False,
    baseName: Bool = False,
):
    """Ask about a namespace, the current one where none is named, or for what is in it."""
    scene = session.scene
    here = _full_name(scene, name) if name else scene.current_namespace
    if here and here not in scene.namespaces:
        raise RuntimeError(f"No namespace matches name: '{name}'")
    colon = ":" if absoluteName else ""
    if currentNamespace:
        return (scene.current_namespace and colon + scene.current_namespace) or ":"
    if fullName:
        return colon + here
    if baseName:
        return here.rpartition(":")[2]
    if isRootNamespace:
        return not here
    if parent:
        above = here.rpartition(":")[0]
        return (above and colon + above) or ":"
    if not (listNamespace or listOnlyNamespaces or listOnlyDependencyNodes):
        raise NotModelledError("cmds.namespaceInfo without a modelled flag")
    names = [] if listOnlyDependencyNodes else ["UI", "shared", *scene.namespaces]
    if not listOnlyNamespaces:
        names += [node.name for node in scene.nodes if node.namespace or not here]
    start = f"{here}:" if here else ""
    inside = [one for one in names if one.startswith(start)]
    return [colon + one for one in inside if ":" not in one[len(start) :]] or None
