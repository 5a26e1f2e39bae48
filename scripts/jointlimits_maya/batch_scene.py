"""Estimation of one batch entry, and an optional copy of its scene with limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from maya import cmds

from jointlimits_core.batch.manifest import Character, ManifestFile
from jointlimits_core.batch.results import Estimated
from jointlimits_core.errors import InputError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.estimation.shapes_asked import with_shapes_asked
from jointlimits_core.estimation.stillness import refuse_stillness
from jointlimits_core.formats.maya_ascii.references import NamedReference
from jointlimits_core.motion import Motion, SourceFile
from jointlimits_core.option_table import options_of
from jointlimits_core.progress import Progress

from . import api
from .batch import ROOT, options_of_entry
from .errors import SceneError
from .scene_file import missing_references, open_scene, referenced_files

FILE_TYPES = {".ma": "mayaAscii", ".mb": "mayaBinary"}


def estimate_entry(
    character: Character, folder: Path, progress: Progress | None = None
) -> Estimated:
    """Estimate one entry of a manifest.

    Parameters
    ----------
    folder : Path
        For the copy of the scene, if the entry asks for one.
    progress : callable, optional
        Called as ``progress(done, total, label)``; returning False cancels.

    Raises
    ------
    InputError
        Names the scene and what to do.
    EstimationError
        If there is nothing to estimate from.
    """
    values = options_of_entry(character)
    read: dict[str, SourceFile] = {}
    missing: list[NamedReference] = []
    motions, accepted = [], []
    for file in character.motions:
        errors = open_scene(file, values["references"], values["open_errors"])
        accepted += [f"{file.shown}: {errors}"] if errors else []
        read.update((one.path, one) for one in referenced_files(file))
        missing += missing_references()
        motions.append(_motion(character, file, values, progress))
    asked = EstimateOptions(**{item.name: values[item.name] for item in options_of("estimate")})
    limit_set = estimate(motions, asked, progress)
    refuse_stillness(limit_set)
    limit_set = with_shapes_asked(limit_set, motions, values, asked, progress)
    details = {"open_errors": accepted} if accepted else {}
    referenced = tuple(read[path] for path in sorted(read))
    made = Estimated(limit_set, referenced, tuple(missing), details=details)
    return _with_copy(made, character, values, folder) if values["apply"] else made


def _motion(
    character: Character,
    file: ManifestFile,
    values: Mapping[str, Any],
    progress: Progress | None,
) -> Motion:
    reading = {item.name: values[item.name] for item in options_of("scene", "time", "rest pose")}
    try:
        asked = {**reading, **_choice(character, values)}
        return api.read_motion(character.joints, progress=progress, **asked)
    except SceneError as error:
        raise InputError(file.path, str(error)) from None


def _choice(character: Character, values: Mapping[str, Any]) -> dict[str, Any]:
    """Joint choice: the joints that the entry names, else all joints."""
    root, namespace = character.root, character.namespace
    named = bool(character.joints or root or namespace or values["pattern"])
    return {
        "root": root,
        "namespace": namespace,
        "pattern": values["pattern"],
        "everything": not named,
    }


def _load_plug_in() -> None:
    """Load the plug-in, wherever Maya looks for plug-ins."""
    # live check: plug-in-by-path
    path = ROOT / "plug-ins" / "jointLimits.py"
    if not cmds.pluginInfo(path.name, query=True, loaded=True):
        cmds.loadPlugin(path.as_posix(), quiet=True)


def _with_copy(
    made: Estimated, character: Character, values: Mapping[str, Any], folder: Path
) -> Estimated:
    """Apply the limits in the open scene and save it under another name."""
    assert character.scene is not None, "the entry was checked"
    ending = character.scene.path.suffix.lower()
    copy = folder / f"{character.scene.path.stem}.limits{ending}"
    writing = {item.name: values[item.name] for item in options_of("write")}
    try:
        _load_plug_in()
        result = api.apply(
            made.limit_set, character.joints, **writing, **_choice(character, values)
        )
        cmds.file(rename=copy.as_posix())
        cmds.file(save=True, force=True, type=FILE_TYPES[ending])
    except (SceneError, RuntimeError) as error:
        raise InputError(character.scene.path, f"cannot apply the limits: {error}") from None
    details = {**made.details, "applied": result.to_dict()}
    return replace(made, files={f".limits{ending}": copy}, details=details)
