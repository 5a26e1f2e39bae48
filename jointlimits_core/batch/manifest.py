"""Manifest of a batch: its characters with their files and options, and item ranges for farms."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from ..base.errors import ManifestError
from ..base.options import checked_options, option, option_table
from ..formats.registry import format_by_ending
from ..io.input import DEFAULT_LIMITS, ReadLimits, is_below
from ..io.json import json_text, parsed_json, problems

OPTIONS = ("estimate", "scene", "with shapes", "coupled", "write", "clamping", "batch entry")
"""Option groups allowed in a manifest entry."""
MAX_NAME_LETTERS = 200
FORMAT = "jointlimits.manifest"
INSTEAD = "give the path of a manifest (a JSON file)"
WRITES = "jointlimits manifest DIR writes a manifest"


def items_from_text(text: str, count: int) -> tuple[int, ...]:
    """Positions of characters, sorted and without duplicates.

    `text`: numbers and inclusive ranges, counted from 0 and separated by commas; empty for all.
    `count`: number of characters. Raises ValueError describing the invalid text.
    """
    if not text.strip():
        return tuple(range(count))
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*", part, re.ASCII)
        if match is None:
            raise ValueError(f"items must be like 0-3 or 0-3,7, not {text!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise ValueError(f"item range {part.strip()!r} must not end before it starts")
        if last >= count:
            raise ValueError(f"item {last} does not exist: the last item is {count - 1}")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


@dataclass(frozen=True)
class ManifestFile:
    """A file of a character.

    `shown`: path as written in the manifest. `path`: absolute path. `below`: folder that links must
    not leave; None allows any link.
    """

    shown: str
    path: Path
    below: Path | None = None

    @property
    def trouble(self) -> str:
        """Reason why the file may not be opened now; empty if it may."""
        if self.below is None or is_below(self.path, self.below):
            return ""
        return "is a link that leaves the manifest's folder; allow it with --allow-outside"


@dataclass(frozen=True)
class Character:
    """One entry of a manifest.

    `name`: unique in the manifest, ignoring case. `scene`: Maya scene that contains the character.
    `clips`: motion files of the character. An entry has either clips or a scene. `skeleton`:
    skeleton of AMC clips. `people`: people file that the options name. `frame_rate`: frames per
    second of AMC clips. `joints`: joints in the scene; empty for all joints that `root` and
    `namespace` select. `root`, `namespace`: ancestor and namespace of the joints, which may be
    empty. `options`: the manifest's options, overridden by the character's own. `limits`: input
    budget of its files, and the folder that references in its scenes may not leave.
    """

    name: str
    scene: ManifestFile | None = None
    clips: tuple[ManifestFile, ...] = ()
    skeleton: ManifestFile | None = None
    people: ManifestFile | None = None
    frame_rate: float | None = None
    joints: tuple[str, ...] = ()
    root: str = ""
    namespace: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    limits: ReadLimits = DEFAULT_LIMITS

    @property
    def inputs(self) -> tuple[ManifestFile, ...]:
        """All files that the manifest names for the character."""
        single = tuple(one for one in (self.scene, self.skeleton, self.people) if one is not None)
        return (*self.clips, *single)

    @property
    def size_bytes(self) -> int:
        """Total size of the entry's files; missing files count as empty and are reported later."""
        size = 0
        for one in self.inputs:
            with contextlib.suppress(OSError):
                size += os.stat(one.path).st_size
        return size

    @property
    def motions(self) -> tuple[ManifestFile, ...]:
        """Files that contain motion."""
        return self.clips if self.scene is None else (self.scene,)


@dataclass(frozen=True)
class Manifest:
    """Characters in file order, and the path of the manifest.

    `limits`: input budget as given; the characters' budgets may also name a folder for references.
    """

    path: Path
    characters: tuple[Character, ...]
    limits: ReadLimits = DEFAULT_LIMITS

    @property
    def folder(self) -> Path:
        """Folder that paths in the manifest are relative to."""
        return self.path.parent


@lru_cache(maxsize=1)
def manifest_schema() -> dict[str, Any]:
    """Return the JSON Schema of a manifest."""
    path = Path(__file__).with_name("manifest.schema.json")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def read_manifest(
    path: str | os.PathLike[str],
    *,
    allow_outside: bool = False,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> Manifest:
    """Read and check a manifest.

    `allow_outside`: accept absolute paths, and ``..`` and links that lead out of the manifest's
    folder. `limits`: input budget of the manifest and of its characters' files. References in
    scenes must stay in the manifest's folder unless `limits` names another folder or
    `allow_outside` is true. Characters' files need not exist: if a file is missing, or is a link
    out of the folder, only its character fails. Raises ManifestError, which names the manifest and
    the place in it.
    """
    name = os.fspath(path)
    text = json_text(path, ManifestError, INSTEAD, limits, "; split it into several")
    if (found := format_by_ending(name)) is not None and found.read is not None:
        raise ManifestError(name, f"is a motion, not a manifest; {WRITES}")
    data = parsed_json(text, name, ManifestError, "manifest")
    wrong = next(problems(data, manifest_schema()), None)
    if wrong is not None:
        other = not isinstance(data, dict) or data.get("format") != FORMAT
        advice = f"; {WRITES}" if other else ""
        raise ManifestError(name, f"{wrong}{advice}")
    folder = Path(path).resolve().parent
    bound = limits
    if limits.references_below is None and not allow_outside:
        bound = replace(limits, references_below=folder)
    try:
        shared = data.get("options", {})
        characters = tuple(
            _character(entry, f"characters[{number}]", shared, folder, allow_outside, bound)
            for number, entry in enumerate(data["characters"])
        )
        seen: dict[str, int] = {}
        for number, character in enumerate(characters):
            first = seen.setdefault(character.name.casefold(), number)
            if first != number:
                raise ValueError(
                    f"characters[{number}].name: {character.name!r} is already the name of "
                    f"characters[{first}]; every character needs its own"
                )
    except ValueError as error:
        raise ManifestError(name, str(error)) from None
    return Manifest(Path(path).resolve(), characters, limits)


def _character(
    entry: Mapping[str, Any],
    place: str,
    shared: Mapping[str, Any],
    folder: Path,
    allow_outside: bool,
    limits: ReadLimits,
) -> Character:
    """Manifest entry with its files resolved; ValueError with the location if it is invalid."""
    name = entry["name"]
    if not name.strip() or len(name) > MAX_NAME_LETTERS or not name.isprintable():
        raise ValueError(f"{place}.name: must have 1 to {MAX_NAME_LETTERS} characters on one line")
    if ("scene" in entry) == ("clips" in entry):
        found = "both" if "scene" in entry else "neither"
        raise ValueError(f"{place} ({name}): must have either a scene or clips, found {found}")
    if entry.get("frame_rate") == 0:
        raise ValueError(f"{place}.frame_rate: must be above 0")

    def file(text: str, where: str) -> ManifestFile:
        return _file(text, f"{place}.{where}", folder, allow_outside)

    options = {**shared, **entry.get("options", {})}
    people = options.get("people", "off")
    is_file = isinstance(people, str) and people not in option("people").common
    return Character(
        name,
        scene=file(entry["scene"], "scene") if "scene" in entry else None,
        clips=tuple(file(text, f"clips[{k}]") for k, text in enumerate(entry.get("clips", ()))),
        skeleton=file(entry["skeleton"], "skeleton") if "skeleton" in entry else None,
        people=file(people, "options.people") if is_file else None,
        frame_rate=entry.get("frame_rate"),
        joints=tuple(entry.get("joints", ())),
        root=entry.get("root", ""),
        namespace=entry.get("namespace", ""),
        options=options,
        limits=limits,
    )


def _file(text: str, place: str, folder: Path, allow_outside: bool) -> ManifestFile:
    """File in the manifest, resolved; ValueError for a path that leaves the manifest's folder."""
    wrong = f"{place}: {text!r}"
    if not text or not text.isprintable():
        raise ValueError(f"{place}: must be the path of a file")
    if "\\" in text:
        plain = text.replace("\\", "/")
        raise ValueError(f"{wrong}: must use forward slashes; write {plain!r}")
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).drive:
        if not allow_outside:
            raise ValueError(
                f"{wrong} is absolute; write it from the manifest's folder, or allow it with "
                "--allow-outside"
            )
        return ManifestFile(text, Path(text))
    if "*" in text and not (folder / text).exists():
        raise ValueError(f"{wrong}: name every clip; jointlimits manifest DIR does it for a folder")
    whole, shown = os.path.normpath(folder / text), PurePosixPath(text).as_posix()
    if Path(whole) == folder:
        raise ValueError(f"{wrong} is the manifest's folder; choose a file in it")
    if allow_outside:
        return ManifestFile(shown, folder / text)
    if folder not in Path(whole).parents:
        raise ValueError(f"{wrong} leaves the manifest's folder; allow it with --allow-outside")
    return ManifestFile(shown, folder / text, below=folder)


def options_of_entry(character: Character, groups: Iterable[str]) -> dict[str, Any]:
    """Value, for one entry, of every option in the given groups of the option table.

    Raises ValueError for an unknown option or an invalid value.
    """
    known, given = option_table(), dict(character.options)
    for name, value in given.items():
        if name in known and known[name].type in ("words", "names"):
            if isinstance(value, str):
                raise ValueError(f"{name!r} must be an array; write [{json.dumps(value)}]")
            given[name] = tuple(value)
    if character.people is not None:
        given["people"] = str(character.people.path)
    return checked_options(given, groups)
