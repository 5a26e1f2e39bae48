"""A scene opened as data: no script of it runs, nobody is asked, and what it drew in is known."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from maya import cmds

from jointlimits_core.batch.manifest import ManifestFile
from jointlimits_core.errors import InputError
from jointlimits_core.formats.maya_ascii.references import NamedReference
from jointlimits_core.formats.source import source_file
from jointlimits_core.motion import SourceFile

RANGES_NODE = "sceneConfigurationScriptNode"
_RANGE = re.compile(r"-(min|max|ast|aet)\s+(-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?![\w.])")


def open_scene(file: ManifestFile, references: str, open_errors: str) -> str:
    """Open a scene with its script nodes switched off.

    Parameters
    ----------
    references : str
        "all" or "none" are loaded, or those that were when the scene was saved: "as-saved".
    open_errors : str
        "accept" to go on with a scene that Maya opened with errors.

    Returns
    -------
    str
        The errors that were accepted.

    Raises
    ------
    InputError
        If Maya does not open it, or opens it with errors that are not accepted.
    """
    said = ""
    try:
        _open(file.path.as_posix(), references)
    except RuntimeError as error:
        said = " ".join(str(error).split())
        _refuse(file, said, open_errors == "accept")
    take_ranges()
    return said


def _open(path: str, references: str) -> None:
    if references == "as-saved":
        cmds.file(path, open=True, force=True, prompt=False, executeScriptNodes=False)
        return
    cmds.file(
        path,
        open=True,
        force=True,
        prompt=False,
        executeScriptNodes=False,
        loadReferenceDepth=references,
    )


def _refuse(file: ManifestFile, said: str, accepted: bool) -> None:
    """Tell errors of a scene that is open all the same from those of one that is not."""
    # live check: open-with-errors-raises
    opened = str(cmds.file(query=True, sceneName=True) or "")
    if not (opened and os.path.realpath(opened) == os.path.realpath(file.path)):
        # live check: open-newer-scene
        raise InputError(
            file.path,
            f"Maya cannot open it: {said.rstrip('.')}; open it by hand in this version of Maya, "
            "or save it again from the version that wrote it",
        )
    if not accepted:
        raise InputError(
            file.path,
            f"Maya opened it with errors: {said}; put them right, or set open_errors to accept "
            "if they do not matter here",
        )


def take_ranges() -> None:
    """Give the time slider the ranges of the scene, which Maya keeps in a script node.

    The node is read and not run. Without this a copy would be saved with the ranges of an empty
    scene.
    """
    # live check: ranges-need-script-nodes
    if not cmds.objExists(RANGES_NODE):
        return
    text = str(cmds.getAttr(f"{RANGES_NODE}.before") or "")
    found = {flag: float(number) for flag, number in _RANGE.findall(text)}
    if text.lstrip().startswith("playbackOptions ") and len(found) == 4:
        cmds.playbackOptions(
            minTime=found["min"],
            maxTime=found["max"],
            animationStartTime=found["ast"],
            animationEndTime=found["aet"],
        )


def referenced_files(file: ManifestFile) -> list[SourceFile]:
    """Files that the open scene refers to and that are loaded, with hashes of their bytes.

    Raises
    ------
    InputError
        If one is not there: limits without it would be of half a character.
    """
    return [source_file(path) for path in sorted({path for path, loaded in _named() if loaded})]


def missing_references() -> list[NamedReference]:
    """Files that the open scene refers to and that are not there: once one is, all is different."""
    paths = {path for path, loaded in _named() if not loaded and not os.path.isfile(path)}
    return [NamedReference("", path, None) for path in sorted(paths)]


def _named() -> Iterator[tuple[str, bool]]:
    """Paths of all references of the open scene, and whether they are loaded."""
    for node in cmds.ls(type="reference") or ():
        try:
            path = str(cmds.referenceQuery(node, filename=True, withoutCopyNumber=True))
            loaded = bool(cmds.referenceQuery(node, isLoaded=True))
        except RuntimeError:
            # Nodes that Maya keeps for itself, as sharedReferenceNode, are of no file.
            continue
        yield path, loaded
