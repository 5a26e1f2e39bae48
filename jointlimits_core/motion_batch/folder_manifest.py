"""Manifest of a folder as plain data, to review and edit by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from ..batch.manifest import LONGEST_NAME
from ..unique_names import FreeNames
from .grouping import Group

FORMAT, VERSION = "jointlimits.manifest", 1


def manifest_document(
    groups: Sequence[Group],
    *,
    prefix: PurePosixPath,
    options: Mapping[str, Any],
    frame_rate: float | None = None,
    scenes: bool = False,
) -> dict[str, Any]:
    """Plain data of a manifest.

    Parameters
    ----------
    prefix : PurePosixPath
        From the manifest's folder to the folder that was searched.
    options : mapping
        Options of all characters.
    frame_rate : float, optional
        Frame rate of AMC files.
    scenes : bool
        Whether a character with a single ``.ma`` or ``.mb`` file is a scene to apply limits to.

    Raises
    ------
    ValueError
        For invalid names, or if no character was found.
    """
    if not groups:
        raise ValueError("no motion files found below the folder")
    names = FreeNames(pattern="{} {}", key=str.casefold)
    entries = []
    for group in sorted(groups, key=lambda group: group.name):
        _refuse_invalid(group.name)
        entry = _entry(group, names.take(group.name), prefix, scenes)
        if frame_rate is not None and "skeleton" in entry:
            entry["frame_rate"] = frame_rate
        entries.append(entry)
    return {"format": FORMAT, "version": VERSION, "options": dict(options), "characters": entries}


def _refuse_invalid(name: str) -> None:
    if not name.isprintable() or not name.strip() or len(name) > LONGEST_NAME:
        raise ValueError(
            f"{name!r} is not a valid character name: must be 1 to {LONGEST_NAME} letters on one line"
        )


def _entry(group: Group, name: str, prefix: PurePosixPath, scenes: bool) -> dict[str, Any]:
    files = [(prefix / file.path).as_posix() for file in group.files]
    skeletons = {file.skeleton for file in group.files} - {None}
    if len(skeletons) > 1:
        raise ValueError(f"the clips of {name!r} have different skeletons; group them differently")
    if scenes and len(files) == 1 and files[0].lower().endswith((".ma", ".mb")):
        return {"name": name, "scene": files[0]}
    entry: dict[str, Any] = {"name": name, "clips": files}
    for skeleton in skeletons:
        entry["skeleton"] = (prefix / str(skeleton)).as_posix()
    return entry
