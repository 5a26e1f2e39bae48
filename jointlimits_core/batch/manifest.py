"""The manifest of a batch: which characters there are, and which files each is made of."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from ..errors import ManifestError
from ..formats.read_limits import DEFAULT_LIMITS, ReadLimits
from ..json_file import json_text
from ..limits.schema_check import problems
from ..strict_json import parsed_json

LONGEST_NAME = 200
INSTEAD = "name a manifest, which is a JSON file"


@dataclass(frozen=True)
class ManifestFile:
    """A file of a character.

    Parameters
    ----------
    shown : str
        What the manifest calls it.
    path : Path
        Where it is.
    below : Path, optional
        Folder that no link may lead it out of.
    """

    shown: str
    path: Path
    below: Path | None = None

    @property
    def trouble(self) -> str:
        """Why it may not be opened, as things are on the disk now; empty if it may."""
        if self.below is None or _is_below(os.path.realpath(self.path), self.below):
            return ""
        return "is a link out of the folder of the manifest; allow it with --allow-outside"


@dataclass(frozen=True)
class Character:
    """One entry of a manifest.

    Parameters
    ----------
    name : str
        One of its kind in the manifest, whatever the case of its letters.
    scene : ManifestFile, optional
        A Maya scene that the character is in.
    clips : tuple of ManifestFile
        Motion files of the character; there are clips or a scene, never both.
    skeleton : ManifestFile, optional
        Of AMC clips.
    frame_rate : float, optional
        Frames per second, of AMC clips.
    joints : tuple of str
        Joints in the scene; empty for all that `root` and `namespace` leave.
    root, namespace : str
        Empty, or what the joints are below or in.
    options : mapping
        The manifest's own options with the character's laid over them.
    limits : ReadLimits
        What its files may ask for, and which folder references of its scenes may not lie outside
        of.
    """

    name: str
    scene: ManifestFile | None = None
    clips: tuple[ManifestFile, ...] = ()
    skeleton: ManifestFile | None = None
    frame_rate: float | None = None
    joints: tuple[str, ...] = ()
    root: str = ""
    namespace: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    limits: ReadLimits = DEFAULT_LIMITS

    @property
    def inputs(self) -> tuple[ManifestFile, ...]:
        """Every file that the manifest names for the character."""
        single = tuple(one for one in (self.scene, self.skeleton) if one is not None)
        return (*self.clips, *single)

    @property
    def motions(self) -> tuple[ManifestFile, ...]:
        """Those that hold motion."""
        return self.clips if self.scene is None else (self.scene,)


@dataclass(frozen=True)
class Manifest:
    """Characters in the order in which the file has them, and the folder it lies in.

    Parameters
    ----------
    limits : ReadLimits
        As they were given; those of a character may have its folder in addition.
    """

    path: Path
    characters: tuple[Character, ...]
    limits: ReadLimits = DEFAULT_LIMITS

    @property
    def folder(self) -> Path:
        """What paths in the manifest are relative to."""
        return self.path.parent


@lru_cache(maxsize=1)
def manifest_schema() -> dict[str, Any]:
    """Return the JSON Schema of a manifest."""
    path = Path(__file__).with_name("manifest.schema.json")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def read_manifest(
    path: str | os.PathLike[str],
    *,
    allow_outside: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> Manifest:
    """Read and check a manifest.

    Parameters
    ----------
    path : path-like
    allow_outside : bool
        Accept absolute paths, and ``..`` and links that lead out of the manifest's folder.
    limits : ReadLimits
        Of the manifest, and of the files of its characters. References of scenes are bound to the
        manifest's folder unless this names another one, or `allow_outside` is given.

    Raises
    ------
    ManifestError
        Naming the manifest and the place in it. Files of characters need not be there: a missing
        one is the failure of that character, and so is one that is a link out of the folder.
    """
    name = os.fspath(path)
    text = json_text(path, ManifestError, INSTEAD, limits, ", or make several")
    data = parsed_json(text, name, ManifestError, "manifest")
    wrong = next(problems(data, manifest_schema()), None)
    if wrong is not None:
        raise ManifestError(name, wrong)
    folder = Path(path).resolve().parent
    shared, entries = data.get("options", {}), data["characters"]
    bound = limits
    if limits.references_below is None and not allow_outside:
        bound = replace(limits, references_below=folder)
    try:
        characters = tuple(
            replace(
                _character(entry, f"characters[{number}]", shared, folder, allow_outside),
                limits=bound,
            )
            for number, entry in enumerate(entries)
        )
        wrong = next(_names_twice(characters), None)
        if wrong is not None:
            raise ValueError(wrong)
    except ValueError as error:
        raise ManifestError(name, str(error)) from None
    return Manifest(Path(path).resolve(), characters, limits)


def _character(
    entry: Mapping[str, Any],
    place: str,
    shared: Mapping[str, Any],
    folder: Path,
    allow_outside: bool,
) -> Character:
    """Entry of the manifest with its files found; a ValueError names the place."""
    name = entry["name"]
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise ValueError(f"{place}.name: expected 1 to {LONGEST_NAME} letters on one line")
    if ("scene" in entry) == ("clips" in entry):
        found = "both" if "scene" in entry else "neither"
        raise ValueError(f"{place} ({name}): give a scene or clips, there is {found}")
    if entry.get("frame_rate") == 0:
        raise ValueError(f"{place}.frame_rate: must be above 0")

    def file(text: str, where: str) -> ManifestFile:
        return _file(text, f"{place}.{where}", folder, allow_outside)

    return Character(
        name,
        scene=file(entry["scene"], "scene") if "scene" in entry else None,
        clips=tuple(file(text, f"clips[{k}]") for k, text in enumerate(entry.get("clips", ()))),
        skeleton=file(entry["skeleton"], "skeleton") if "skeleton" in entry else None,
        frame_rate=entry.get("frame_rate"),
        joints=tuple(entry.get("joints", ())),
        root=entry.get("root", ""),
        namespace=entry.get("namespace", ""),
        options={**shared, **entry.get("options", {})},
    )


def _file(text: str, place: str, folder: Path, allow_outside: bool) -> ManifestFile:
    """Find a file that the manifest names, and refuse what leaves the manifest's folder."""
    if not text or not text.isprintable():
        raise ValueError(f"{place}: expected the path of a file")
    if "\\" in text:
        raise ValueError(f"{place}: {text!r}: write paths with forward slashes")
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).drive:
        if not allow_outside:
            raise ValueError(f"{place}: {text!r} is absolute; allow it with --allow-outside")
        return ManifestFile(text, Path(text))
    whole = os.path.normpath(folder / text)
    if Path(whole) == folder:
        raise ValueError(f"{place}: {text!r} is the folder of the manifest; name a file in it")
    shown = PurePosixPath(text).as_posix()
    if allow_outside:
        return ManifestFile(shown, folder / text)
    if not _is_below(whole, folder):
        raise ValueError(
            f"{place}: {text!r} leaves the folder of the manifest; allow it with --allow-outside"
        )
    return ManifestFile(shown, folder / text, below=folder)


def _is_below(path: str, folder: Path) -> bool:
    return folder in Path(path).parents


def _names_twice(characters: tuple[Character, ...]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for number, character in enumerate(characters):
        first = seen.setdefault(character.name.casefold(), number)
        if first != number:
            yield (
                f"characters[{number}].name: {character.name!r} is the name of "
                f"characters[{first}] too; every character needs its own"
            )
