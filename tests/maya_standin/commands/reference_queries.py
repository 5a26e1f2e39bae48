"""referenceQuery."""

from __future__ import annotations

import os
import re

from tests.maya_standin.commands.finding import flat, name_for_user
from tests.maya_standin.commands.flags import Bool
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError

COPY_NUMBER = re.compile(r"\{\d+\}$")


@command("referenceQuery")
def reference_query(
    session,
    *names,
    filename: Bool = False,
    referenceNode: Bool = False,
    isLoaded: Bool = False,
    isNodeReferenced: Bool = False,
    namespace: Bool = False,
    nodes: Bool = False,
    withoutCopyNumber: Bool = False,
):
    """Ask about a reference, given by its node, its file or a node of it."""
    scene = session.scene
    (name,) = flat(names)
    if isNodeReferenced:
        return scene.node(name).reference is not None
    found = _reference(scene, name)
    if found is None:
        raise RuntimeError(f"'{name}' is not associated with a reference file")
    if filename:
        path = COPY_NUMBER.sub("", found.path) if withoutCopyNumber else found.path
        return _resolve(scene, path)
    if referenceNode:
        return found.node.name
    if isLoaded:
        return found.loaded
    if namespace:
        return f":{found.namespace}"
    if nodes:
        return [name_for_user(scene, node) for node in found.nodes] or None
    raise NotModelledError("cmds.referenceQuery without a modelled flag")


def _reference(scene, name):
    for reference in scene.references:
        if name in (reference.path, reference.node.name):
            return reference
    return scene.node(name).reference if scene.exists(name) else None


def _resolve(scene, path):
    """Give the path as it is looked for: from the scene's folder where it is relative."""
    return os.path.normpath(os.path.join(os.path.dirname(scene.file_name), path))
