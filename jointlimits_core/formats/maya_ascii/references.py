"""Files that a scene references, and the search for them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ...base.errors import OptionText
from ...io.input import is_below

OUTSIDE = OptionText(
    "is outside the folder that references must stay in, so it was not read; put a copy into that "
    "folder, or set ",
    "references_below",
    " to a folder above both",
)
"""Message that follows the name of a rejected reference."""

MAX_REFERENCES = 4096
"""Maximum number of references that are followed in a scene, including nested references."""
_MAX_ANCESTORS = 6
_COPY_NUMBER = r"\{\d+\}\Z"
_OF_COMPUTERS = (("net",), ("Network",))
"""Top-level folders below which automounters mount other hosts."""


class NamedReference(NamedTuple):
    """Reference in a scene, and the file found for it.

    `scene`: file that contains the reference; empty if the `stored` path is used without a search.
    `found`: None if there is no such file, or it may not be read.
    """

    scene: str
    stored: str
    found: str | None


def is_maya_ascii(stored_path: str) -> bool:
    """True for a path that ends in .ma, with or without a copy number such as ``{1}``."""
    return re.sub(_COPY_NUMBER, "", stored_path).lower().endswith(".ma")


def find_reference(scene_path: str, stored_path: str) -> str | None:
    """Look for a referenced file.

    It may be at the stored path (relative to the scene's folder), or else at ever shorter tails of
    that path in the scene's folder, or else at tails of two or more names in a folder above it.
    `stored_path`: as the scene states it, for any operating system. Returns an existing file.
    """
    home = _computer(scene_path)
    for candidate in _candidates(Path(scene_path), re.sub(_COPY_NUMBER, "", stored_path)):
        try:
            if _computer(candidate) in ((), home) and candidate.is_file():
                return os.fspath(candidate)
        except (OSError, ValueError):
            # Names that this file system cannot hold: too long, or with a NUL.
            continue
    return None


def readable_reference(
    scene_path: str, stored_path: str, below: str | os.PathLike[str] | None = None
) -> str | None:
    """Look for a referenced file that may be read.

    Returns None for a file that is not found, not Maya ASCII, or outside the folder `below`.
    """
    found = find_reference(scene_path, stored_path) if is_maya_ascii(stored_path) else None
    if found is None or below is None or is_below(found, below):
        return found
    return None


def leads_to(
    scene: str, stored_path: str, below: str | os.PathLike[str] | None = None
) -> str | None:
    """File that a :class:`NamedReference` with these values refers to now."""
    if scene:
        return readable_reference(scene, stored_path, below)
    return stored_path if os.path.isfile(stored_path) else None


def _computer(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Beginning of a path on another computer, if an automounter shows it; else empty."""
    parts = Path(os.path.abspath(path)).parts
    return parts[:3] if parts[1:2] in _OF_COMPUTERS else ()


def _candidates(scene: Path, stored: str) -> Iterator[Path]:
    text = stored.replace("\\", "/")
    folder = scene.parent
    if not text.startswith("//") and "$" not in text:
        # Maya doubles the slash at the end of its project folder.
        yield folder / text.replace("//", "/")
    names = [name for name in PurePosixPath(text).parts if name not in ("/", "//", "..", ".")]
    if names and re.match(r"[A-Za-z]:\Z", names[0]):
        del names[0]
    names = names[-_MAX_ANCESTORS * 2 :]
    for start in range(len(names)):
        yield folder.joinpath(*names[start:])
    for ancestor in list(folder.resolve().parents)[:_MAX_ANCESTORS]:
        for start in range(len(names) - 1):
            yield ancestor.joinpath(*names[start:])
