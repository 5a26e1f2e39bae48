"""Entries of a manifest of Maya scenes."""

from __future__ import annotations

from typing import Any

from jointlimits_core.batch import Character, manifest

OPTIONS = (
    *("estimate", "scene", "time", "rest pose", "write", "batch entry"),
    *("with shapes", "coupled"),
)
"""Option groups of a manifest entry."""
ENTRY_NAMES = ("root", "namespace")
"""Options given next to the name of an entry."""


def check_entry(character: Character) -> None:
    """Reject an entry that is not of Maya scenes; the ValueError says what to write instead."""
    values = options_of_entry(character)
    twice = [name for name in ENTRY_NAMES if name in character.options]
    if twice:
        raise ValueError(f"{twice[0]!r} must be next to the name, not in the options")
    if character.skeleton is not None or character.frame_rate is not None:
        raise ValueError("a skeleton and a frame rate are for AMC clips only; give Maya scenes")
    for file in character.inputs:
        if not file.shown.lower().endswith((".ma", ".mb")):
            raise ValueError(f"{file.shown!r} is not a Maya scene; use jointlimits for other files")
    if character.clips and values["apply"]:
        raise ValueError("limits can be applied to one scene only; give 'scene' instead of clips")


def options_of_entry(character: Character) -> dict[str, Any]:
    """Value of every option of an entry: its own, else the manifest's, else the default."""
    return manifest.options_of_entry(character, OPTIONS)
