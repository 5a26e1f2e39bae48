"""file: opening, saving, referencing and asking."""

from __future__ import annotations

from pathlib import Path

from tests.maya_standin import ma_reader, ma_writer
from tests.maya_standin.commands.flags import Bool, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError

DEPTHS = ("all", "none", "topOnly", "asPrefs")


@command("file")
def file(
    session,
    *names,
    query: Bool = False,
    open: Bool = False,
    newFile: Bool = False,
    save: Bool = False,
    rename: Text = None,
    reference: Bool = False,
    namespace: Text = None,
    referenceNode: Text = "",
    unloadReference: Text = None,
    loadReferenceDepth: Text = "asPrefs",
    force: Bool = False,
    prompt: Bool = True,
    executeScriptNodes: Bool = True,
    ignoreVersion: Bool = False,
    type: Text = "mayaAscii",
    modified: Bool = None,
    sceneName: Bool = False,
    exists: Bool = False,
):
    """One thing at a time, as the flags say; scenes are Maya ASCII, and nobody is ever asked."""
    if loadReferenceDepth not in DEPTHS and not query:
        raise RuntimeError(f"file: invalid loadReferenceDepth {loadReferenceDepth!r}")
    if query:
        return _answer(session, names, modified, sceneName, exists, reference, namespace)
    if rename is not None:
        session.scene.file_name = rename
        return rename
    if open or newFile:
        _refuse_to_lose(session, force)
        return _open(session, names, newFile, executeScriptNodes, loadReferenceDepth, ignoreVersion)
    if save:
        return _save(session, type)
    if reference:
        return _reference(session, names, namespace, referenceNode)
    if unloadReference is not None:
        return _unloaded(session.scene, unloadReference)
    if modified is not None:
        session.scene.modified = modified
        return None
    raise NotModelledError("cmds.file without a modelled flag")


def _answer(session, names, modified, scene_name, exists, reference, namespace):
    scene = session.scene
    if modified:
        return scene.modified
    if scene_name:
        return scene.file_name
    if exists:
        return Path(names[0]).is_file()
    if reference:
        return [one.path for one in scene.references if one.parent is None]
    raise NotModelledError("cmds.file(query=True) without a modelled question")


def _refuse_to_lose(session, force):
    """Unsaved changes stop what would lose them ("force" of the command reference)."""
    if session.scene.modified and not force:
        # guess: unsaved-changes (the words)
        raise RuntimeError("Unsaved changes")


def _open(session, names, new, run_scripts, depth, ignore_version):
    """Open a file or start anew; both empty the undo queue."""
    if new:
        session.new_scene()
        return "untitled"
    (path,) = names
    ma_reader.open_scene(session, path, run_scripts, depth, ignore_version)
    return path


def _save(session, file_type):
    scene = session.scene
    if file_type != "mayaAscii":
        raise NotModelledError(f"saving as {file_type}")
    if not scene.file_name:
        raise RuntimeError("file: the scene has no name to be saved under")
    ma_writer.write_scene(session, scene.file_name)
    scene.modified = False
    return scene.file_name


def _reference(session, names, namespace, node_name):
    (path,) = names
    if namespace is None:
        raise NotModelledError("cmds.file(reference=True) without a namespace")
    return ma_reader.create_reference(session, path, namespace, node_name).path


def _unloaded(scene, node_name):
    """Take the nodes of a reference out of the scene; its own node stays (maya.md 8)."""
    (reference,) = (one for one in scene.references if one.node.name == node_name)
    for node in list(reference.nodes):
        if node in scene.nodes:
            scene.delete_node(node)
    reference.nodes.clear()
    reference.loaded = False
    return reference.path
