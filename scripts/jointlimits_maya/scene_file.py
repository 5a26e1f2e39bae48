"""Opening of scenes as data, without running their scripts, and the files they reference."""

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
        Which to load: "all", "none", or "as-saved" for those loaded when the scene was saved.
    open_errors : str
        "accept" to continue with a scene that Maya opened with errors.

    Returns
    -------
    str
        The accepted errors.

    Raises
    ------
    InputError
        If Maya does not open it, or opens it with errors that are not accepted.
    """
    errors = ""
    try:
        _open(file.path.as_posix(), references)
    except RuntimeError as error:
        errors = " ".join(str(error).split())
        _refuse(file, errors, open_errors == "accept")
    take_ranges()
    return errors


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


def _refuse(file: ManifestFile, errors: str, accepted: bool) -> None:
    """Raise if Maya did not open a scene, or opened it with errors that are not accepted."""
    # live check: open-with-errors-raises
    opened = str(cmds.file(query=True, sceneName=True) or "")
    if not (opened and os.path.realpath(opened) == os.path.realpath(file.path)):
        # live check: open-newer-scene
        raise InputError(
            file.path,
            f"Maya cannot open it: {errors.rstrip('.')}; open it by hand in this version of Maya, "
            "or save it again from the version that wrote it",
        )
    if not accepted:
        raise InputError(
            file.path,
            f"Maya opened it with errors: {errors}; fix them, or set open_errors to accept if they "
            "do not matter here",
        )


def take_ranges() -> None:
    """Set the time slider to the scene's ranges, which Maya stores in a script node.

    The node is read, not run. Otherwise a copy would be saved with the ranges of an empty scene.
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
    """Loaded reference files of the open scene, with hashes of their bytes.

    Raises
    ------
    InputError
        If one is missing: the limits would be of an incomplete character.
    """
    return [source_file(path) for path in sorted({path for path, loaded in _named() if loaded})]


def missing_references() -> list[NamedReference]:
    """Missing reference files of the open scene, which would change the result."""
    paths = {path for path, loaded in _named() if not loaded and not os.path.isfile(path)}
    return [NamedReference("", path, None) for path in sorted(paths)]


def _named() -> Iterator[tuple[str, bool]]:
    """Paths of all references of the open scene, with whether they are loaded."""
    for node in cmds.ls(type="reference") or ():
        try:
            path = str(cmds.referenceQuery(node, filename=True, withoutCopyNumber=True))
            loaded = bool(cmds.referenceQuery(node, isLoaded=True))
        except RuntimeError:
            # Maya's internal nodes, such as sharedReferenceNode, have no file.
            continue
        yield path, loaded
