"""Characters of a new manifest that had another name in the one it replaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..batch.manifest import read_manifest
from ..errors import ManifestError
from ..formats.read_limits import ReadLimits


def names_before(path: Path, limits: ReadLimits) -> dict[str, str]:
    """Character name of each file, from an existing manifest.

    Returns
    -------
    dict of path, as the manifest has it, to name
        Empty without a manifest, or if it cannot be read: it will be replaced anyway.
    """
    try:
        manifest = read_manifest(path, allow_outside=True, limits=limits)
    except ManifestError:
        return {}
    return {
        file.shown: character.name
        for character in manifest.characters
        for file in character.inputs
        if file != character.skeleton
    }


def renamed(document: Mapping[str, Any], before: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield new and old name of every character whose files all had another name before.

    Parameters
    ----------
    document : mapping
        Plain data of the new manifest.
    before : mapping
        From :func:`names_before`.
    """
    for entry in document["characters"]:
        files = entry.get("clips") or [entry["scene"]]
        old = {before[file]: None for file in files if file in before}
        if old and entry["name"] not in old:
            yield entry["name"], next(iter(old))
