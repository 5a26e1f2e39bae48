"""A manifest from a folder: its entries as plain data, to be looked at and changed by hand."""

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
        From the manifest's folder to the one that was searched.
    options : mapping
        For all characters.
    frame_rate : float, optional
        Of AMC files.
    scenes : bool
        Whether a character of one ``.ma`` or ``.mb`` file is a scene that limits can be applied to.

    Raises
    ------
    ValueError
        For names that a manifest may not have, and for no characters at all.
    """
    if not groups:
        raise ValueError("there is no motion below the folder that a character could be made of")
    names = FreeNames(pattern="{} {}", key=str.casefold)
    entries = []
    for group in sorted(groups, key=lambda group: group.name):
        _refuse_odd(group.name)
        entry = _entry(group, names.take(group.name), prefix, scenes)
        if frame_rate is not None and "skeleton" in entry:
            entry["frame_rate"] = frame_rate
        entries.append(entry)
    return {"format": FORMAT, "version": VERSION, "options": dict(options), "characters": entries}


def _refuse_odd(name: str) -> None:
    if not name.isprintable() or not name.strip() or len(name) > LONGEST_NAME:
        raise ValueError(f"{name!r} can be no character's name: 1 to {LONGEST_NAME} letters")


def _entry(group: Group, name: str, prefix: PurePosixPath, scenes: bool) -> dict[str, Any]:
    files = [(prefix / file.path).as_posix() for file in group.files]
    skeletons = {file.skeleton for file in group.files} - {None}
    if len(skeletons) > 1:
        raise ValueError(f"the clips of {name!r} have different skeletons; group them otherwise")
    if scenes and len(files) == 1 and files[0].lower().endswith((".ma", ".mb")):
        return {"name": name, "scene": files[0]}
    entry: dict[str, Any] = {"name": name, "clips": files}
    for skeleton in skeletons:
        entry["skeleton"] = (prefix / str(skeleton)).as_posix()
    return entry
