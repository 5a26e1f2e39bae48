"""Scenes of a batch entry, opened without running their scripts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from maya import cmds

from jointlimits_core.base.errors import InputError
from jointlimits_core.base.options import options_of
from jointlimits_core.base.progress import Progress
from jointlimits_core.batch import manifest, results
from jointlimits_core.formats.maya_ascii.references import NamedReference
from jointlimits_core.io.input import SourceFile, source_file
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.rig.clamping import entries_of

from ..base.host import SceneError
from ..limits import api
from ..scene.undo import load_plug_in

RANGES_NODE = "sceneConfigurationScriptNode"
_RANGE = re.compile(r"-(min|max|ast|aet)\s+(-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?![\w.])")
FILE_TYPES = {".ma": "mayaAscii", ".mb": "mayaBinary"}


def open_scene(file: manifest.ManifestFile, values: Mapping[str, Any]) -> str:
    """Open a scene with its script nodes switched off.

    `values`: values of the options, of which "references" and "opening" are used. Returns Maya's
    errors that were accepted. Raises InputError if Maya cannot open the scene, or opens it with
    errors or expressions that are not accepted.
    """
    errors, path, references = "", file.path.as_posix(), values["references"]
    depth: dict[str, Any] = {} if references == "as-saved" else {"loadReferenceDepth": references}
    try:
        cmds.file(path, open=True, force=True, prompt=False, executeScriptNodes=False, **depth)
    except RuntimeError as error:
        errors = " ".join(str(error).split())
        _check_opened(file, errors, values["opening"] == "lenient")
    if values["opening"] == "strict":
        # live check: expressions-wait
        found = sorted(cmds.ls(type="expression") or ())
        if found:
            more = f" and {len(found) - 1:,} more" if found[1:] else ""
            raise InputError(
                file.path,
                f"has the expression {found[0]}{more}, which Maya would run; bake the channels "
                "that it drives, or set opening to usual if you trust the scene",
            )
    take_ranges()
    return errors


def _check_opened(file: manifest.ManifestFile, errors: str, accepted: bool) -> None:
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
            f"Maya opened it with errors: {errors}; fix them, or set opening to lenient if they "
            "do not matter here",
        )


def take_ranges() -> None:
    """Set the time slider to the scene's ranges, which Maya stores in a script node.

    The node's script is read, not run. Without this, a copy would have an empty scene's ranges.
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


def references() -> Iterator[tuple[str, bool]]:
    """Paths of all references in the open scene, and whether each is loaded."""
    for node in cmds.ls(type="reference") or ():
        try:
            path = str(cmds.referenceQuery(node, filename=True, withoutCopyNumber=True))
            loaded = bool(cmds.referenceQuery(node, isLoaded=True))
        except RuntimeError:
            # Maya's internal nodes, such as sharedReferenceNode, have no file.
            continue
        yield path, loaded


class Scenes:
    """Scenes of an entry, see :class:`jointlimits_core.batch.motion_files.Source`."""

    def __init__(self, character: manifest.Character, values: Mapping[str, Any]) -> None:
        self._character, self._values = character, values
        self._read: dict[str, SourceFile] = {}
        self._missing: list[NamedReference] = []
        self._accepted: list[str] = []

    def motions(self, progress: Progress | None) -> Iterator[Motion]:
        """Open the scenes and read each one's motion."""
        values = self._values
        for file in self._character.motions:
            errors = open_scene(file, values)
            self._accepted += [f"{file.shown}: {errors}"] if errors else []
            paths = sorted(set(references()))
            # A missing file raises InputError: the limits would be for an incomplete character.
            found = [source_file(path) for path, loaded in paths if loaded]
            self._read.update((one.path, one) for one in found)
            lost = [path for path, loaded in paths if not loaded and not os.path.isfile(path)]
            self._missing += [NamedReference("", path, None) for path in lost]
            reading = {
                item.name: values[item.name]
                for item in options_of("scene", "time", "evaluation", "rest pose")
            }
            try:
                asked = {**reading, **_choice(self._character, values)}
                motion = api.read_motion(self._character.joints, progress=progress, **asked)
            except SceneError as error:
                raise InputError(file.path, str(error)) from None
            yield motion

    def with_sources(self, limit_set: LimitSet) -> results.Estimated:
        """Limits, along with the files read, missing references and accepted errors."""
        details = {"open_errors": self._accepted} if self._accepted else {}
        referenced = tuple(self._read[path] for path in sorted(self._read))
        return results.Estimated(limit_set, referenced, tuple(self._missing), details=details)

    def with_copy(self, made: results.Estimated, folder: Path) -> results.Estimated:
        """Apply the limits in the open scene and save it under another name."""
        character, values = self._character, self._values
        assert character.scene is not None, "the entry was checked"
        ending = character.scene.path.suffix.lower()
        copy = folder / f"{character.scene.path.stem}.limits{ending}"
        groups = "write", "clamping", "evaluation"
        writing = {item.name: values[item.name] for item in options_of(*groups)}
        chosen = _choice(character, values)
        try:
            load_plug_in()
            result = api.apply(made.limit_set, character.joints, **writing, **chosen)
            cmds.file(rename=copy.as_posix())
            cmds.file(save=True, force=True, type=FILE_TYPES[ending])
        except (SceneError, RuntimeError) as error:
            raise InputError(character.scene.path, f"cannot apply the limits: {error}") from None
        details = {**made.details, "applied": result.to_dict()}
        files = {**made.files, f".limits{ending}": copy}
        first = entries_of(result.left_off, result.clips, result.still_clamped, "the copy")
        return replace(made, files=files, repeatable=False, details=details, first=first)


def _choice(character: manifest.Character, values: Mapping[str, Any]) -> dict[str, Any]:
    """Options that choose joints; without any in the entry, all joints are chosen."""
    chosen = {name: getattr(character, name) for name in ("root", "namespace")}
    chosen.update((name, values[name]) for name in ("pattern", "controls"))
    is_chosen = any(value for name, value in chosen.items() if name != "controls")
    return {**chosen, "everything": not (character.joints or is_chosen)}
