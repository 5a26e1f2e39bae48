"""namespace, namespaceInfo."""

from __future__ import annotations

from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError


@command("namespace", undoable=True)
def namespace(session, *, addNamespace: Text = None, setNamespace: Text = None):
    """Add or enter a namespace."""
    scene = session.scene
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
    raise NotModelledError("cmds.namespace without a modelled flag")


@command("namespaceInfo")
def namespace_info(session, *, currentNamespace: Bool = False):
    """The current namespace."""
    scene = session.scene
    if currentNamespace:
        return scene.current_namespace or ":"
    raise NotModelledError("cmds.namespaceInfo without a modelled flag")
