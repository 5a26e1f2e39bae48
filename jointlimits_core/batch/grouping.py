"""New manifest for a folder: motion files found and grouped by character, to review and edit.

Links are followed, and each real folder is visited once. Motion is not read, but each file gets a
skeleton key, or a reason why it is left out. Files are grouped by folder, skeleton, name pattern or
a hand-written list.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from ..base.errors import InputError, ManifestError
from ..base.progress import Progress, report_progress
from ..base.text import FreeNames, names_words
from ..formats import asf, registry
from ..formats.text import read_text
from ..io.input import DEFAULT_LIMITS, ReadLimits, check_regular, is_below, read_error_reason
from .manifest import MAX_NAME_LETTERS, read_manifest

FORMAT, VERSION = "jointlimits.manifest", 1
RULES = ("skeleton", "folder", "file")
PLACE = "{character}"
MAYA_ENDINGS = (".ma", ".mb")
OUTPUTS = (".limits.ma", ".limits.mb")
"""Endings of copies that this program writes; such copies are not clips."""
NUMBER_LETTERS = 8
"""Number of characters reserved for a number that tells equal names apart."""


def _paths(
    root: Path, endings: tuple[str, ...], allow_outside: bool
) -> tuple[list[PurePosixPath], dict[str, str]]:
    """Files with one of these endings, ignoring case, and the reasons why folders are left out.

    Folders whose names start with a dot are skipped silently. Real folders come first, then links
    to folders that have not been visited, such as ``anna/current`` to ``.store/v003``, in path
    order. As a result, nothing is listed twice, and link cycles end.
    """
    paths: list[PurePosixPath] = []
    left_out: dict[str, str] = {}
    seen: dict[str, PurePosixPath] = {}

    def relative(place: str) -> PurePosixPath:
        return PurePosixPath(Path(place).relative_to(root).as_posix())

    def unreadable(error: OSError) -> None:
        reason = f"cannot be opened: {error.strerror or error}"
        left_out[relative(error.filename).as_posix()] = reason

    tops = deque([PurePosixPath()])
    while tops:
        top = tops.popleft()
        place, other = root / top, seen.get(os.path.realpath(root / top))
        reason = _skip_reason(root, place, other, allow_outside)
        if reason:
            left_out[top.as_posix()] = reason
            continue
        linked: list[PurePosixPath] = []
        for folder, folders, names in os.walk(place, onerror=unreadable):
            here, real = relative(folder), os.path.realpath(folder)
            inner = sorted(name for name in folders if not name.startswith("."))
            folders.clear()
            if real in seen:
                continue
            seen[real] = here
            links = [name for name in inner if os.path.islink(os.path.join(folder, name))]
            folders += [name for name in inner if name not in links]
            linked += [here / name for name in links]
            paths += [here / name for name in sorted(names) if name.lower().endswith(endings)]
        tops.extend(sorted(linked))
    return paths, left_out


def _skip_reason(root: Path, place: Path, other: PurePosixPath | None, allow_outside: bool) -> str:
    """Reason why a folder is not searched, or empty; `other`: another path to the same folder."""
    if other is not None:
        where = other if other.name else "this folder"
        return f"it is a link to {where}, whose motion is found anyway"
    if is_below(root, place):
        return "it is a link to a parent folder, so it is not followed"
    if not (place == root or allow_outside or is_below(place, root)):
        return "it is a link to a folder outside; follow such links with --allow-outside"
    return ""


def skeleton_key(path: Path) -> str:
    """Key that motion files in one folder share if they have the same skeleton.

    A file gets its own key if its format has no skeleton key. Raises InputError if the file cannot
    be read.
    """
    found = registry.format_by_ending(path)
    if found is None or found.skeleton_key is None:
        return path.name
    key: str = found.implementation("skeleton_key")(path)
    return key


class FoundFile(NamedTuple):
    """Motion file in a folder.

    `path`: relative to the searched folder. `skeleton`: ASF file next to an AMC file. `key`: equal
    for files in one folder with the same skeleton.
    """

    path: PurePosixPath
    skeleton: PurePosixPath | None
    key: str


def found_files(
    folder: Path, host: str = "files", progress: Progress | None = None, allow_outside: bool = False
) -> tuple[list[FoundFile], dict[str, str]]:
    """Search a folder for motion files.

    `host`: "files" for formats that are read without Maya, "maya" for scenes. `allow_outside`:
    follow links out of the folder. Returns the files in path order, and the reasons why motion
    files cannot be used and why folders are skipped. Raises InputError if the folder does not
    exist, and Cancelled if `progress` returned False.
    """
    if not folder.is_dir():
        raise InputError(folder, "is not a folder; give the folder that contains the motion files")
    endings = MAYA_ENDINGS if host == "maya" else registry.motion_endings()
    unread = {} if host == "maya" else registry.unread_formats()
    found: list[FoundFile] = []
    report_progress(progress, 0, 1, f"searching for motion below {folder}")
    paths, left_out = _paths(folder, (*endings, *unread), allow_outside)
    for number, path in enumerate(paths):
        report_progress(progress, number, len(paths), f"checking {path}")
        reason = unread.get(path.suffix.lower())
        if reason and not path.name.startswith("."):
            left_out[path.as_posix()] = reason
        if reason:
            continue
        try:
            found.append(_found_file(folder, path, allow_outside))
        except OSError as error:
            left_out[path.as_posix()] = read_error_reason(error)
        except ValueError as error:
            left_out[path.as_posix()] = getattr(error, "message", str(error))
    return found, left_out


def _found_file(folder: Path, path: PurePosixPath, allow_outside: bool) -> FoundFile:
    """Motion file; ValueError or OSError if a manifest cannot name it or it cannot be read."""
    text = path.as_posix()
    if not text.isprintable() or "\\" in text:
        raise ValueError("its name has characters not allowed in a manifest; rename it")
    own = folder / path
    if path.name.startswith("."):
        raise ValueError("its name begins with a dot")
    if path.name.lower().endswith(OUTPUTS):
        raise ValueError("a copy with limits that a batch wrote, not an original motion file")
    if not os.path.exists(own):
        raise ValueError("it is a broken link")
    if not allow_outside and not is_below(own, folder):
        raise ValueError(
            "it links to a file outside the folder; --allow-outside includes such files"
        )
    check_regular(own, InputError)
    if not registry.needs_skeleton(path):
        return FoundFile(path, None, skeleton_key(own))
    name = asf.skeleton_beside(own)
    return FoundFile(path, path.with_name(name), name)


class Group(NamedTuple):
    """Files of one character."""

    name: str
    files: tuple[FoundFile, ...]


def pooling_notes(groups: Iterable[Group], is_named: bool = False) -> Iterator[str]:
    """Notes about characters whose files may show several performers.

    Such a character has several skeletons, or file names that start with different words, at least
    one of which occurs twice (``anna_walk, anna_run, ben_walk``), or with different subject numbers
    (``01_01, 02_01``). `is_named`: whether the user chose names.
    """
    for group in groups:
        several = len({file.key for file in group.files if file.key != file.path.name})
        if several > 1:
            yield f"{group.name}: pools files of {several} skeletons; are they the same performer?"
            continue
        words = Counter(re.split(r"[_\- .]", file.path.name)[0] for file in group.files)
        numbered = all(re.match(r"\d+[_-]\d+\.", file.path.name) for file in group.files)
        if not is_named and len(words) > 1 and (numbered or max(words.values()) > 1):
            named = names_words(list(words), 4, "name")
            ending = group.files[0].path.suffix
            yield (
                f"{group.name}: pools {named}; if these are performers, add "
                f"--character-by '**/{PLACE}_*{ending}'"
            )


Naming = Callable[[FoundFile], str]
"""Function that returns the name of a file's character; empty if the file has none."""


def by_rule(files: Sequence[FoundFile], rule: str, root: str) -> list[Group]:
    """Group files into characters.

    `rule`: "folder" for all files in a folder, "skeleton" for the files in a folder with the same
    skeleton, "file" for each file alone. `root`: name of a character whose files are directly in
    the searched folder. A character is named after its folder, as this name does not change when a
    clip is added; if the folder has several skeletons, the words that its files' names begin with
    are added. Names may repeat; :func:`manifest_document` adds numbers.
    """
    grouped: dict[tuple[str, str], list[FoundFile]] = {}
    for file in files:
        own = {"folder": "", "skeleton": file.key, "file": file.path.name}[rule]
        grouped.setdefault((file.path.parent.as_posix(), own), []).append(file)
    own_names = {key: _own_name(rule, key[1], files[0]) for key, files in grouped.items()}
    skeletons = Counter(folder for (folder, _), name in own_names.items() if not name)
    groups = []
    for key, files in grouped.items():
        folder = "" if key[0] == "." else key[0]
        words = shared_words(files) if skeletons[key[0]] > 1 else ""
        name = own_names[key] or "/".join(filter(None, (folder, words))) or root
        groups.append(Group(name, tuple(files)))
    return groups


def _own_name(rule: str, own: str, file: FoundFile) -> str:
    """Name of a character from its ASF file or its only file; empty if its folder names it."""
    if rule == "skeleton" and file.skeleton is not None:
        skeleton = file.skeleton.with_suffix("")
        named = skeleton.parent if skeleton.name == skeleton.parent.name else skeleton
        return named.as_posix()
    return file.path.as_posix() if own == file.path.name else ""


def shared_words(files: Iterable[FoundFile]) -> str:
    """Words that the names of all files begin with: "take-1" of take-1_run and take-1_walk."""
    words = [re.split(r"(?<=[_\-. ])", f"{file.path.stem}_") for file in files]
    return "".join(column[0] for column in takewhile(_is_alike, zip(*words))).rstrip("_-. ")


def _is_alike(column: Sequence[str]) -> bool:
    return len(set(column)) == 1


def _letters(*words: str) -> str:
    """First digits of a hash, which tell groups with the same name apart."""
    return hashlib.sha256("\n".join(words).encode("utf-8", "surrogateescape")).hexdigest()[:6]


def by_name(files: Iterable[FoundFile], naming: Naming) -> tuple[list[Group], list[FoundFile]]:
    """Group files by their characters' names; also return the files without a name."""
    grouped: dict[str, list[FoundFile]] = {}
    unnamed = []
    for file in files:
        name = naming(file)
        if name:
            grouped.setdefault(name, []).append(file)
        else:
            unnamed.append(file)
    return [Group(name, tuple(members)) for name, members in grouped.items()], unnamed


def naming_of_pattern(pattern: str) -> Naming:
    """Naming function for a path pattern.

    `pattern`: path relative to the folder, with ``{character}`` for the name, ``*`` for any text
    within one folder name and ``**`` for any number of folders. Raises ValueError unless it
    contains ``{character}`` exactly once.
    """
    if pattern.count(PLACE) != 1:
        raise ValueError(
            f"a pattern must contain {PLACE} exactly once, as in '{PLACE}_*.bvh', not {pattern!r}"
        )
    parts = re.split(r"(\{character\}|\*\*/|\*\*|\*)", pattern)
    meaning = {PLACE: "([^/]+?)", "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    expression = re.compile("".join(meaning.get(part) or re.escape(part) for part in parts))

    def name_of(file: FoundFile) -> str:
        match = expression.fullmatch(file.path.as_posix())
        return match[1] if match else ""

    return name_of


def naming_of_list(path: str | os.PathLike[str]) -> Naming:
    """Naming function from a hand-written table.

    `path`: CSV file with two columns, a path or shell pattern, and the character. The first
    matching row counts; empty rows and rows starting with ``#`` are skipped. Raises InputError if
    the file cannot be read or a row does not have two columns.
    """
    paths: dict[str, tuple[int, str]] = {}
    patterns: list[tuple[int, str, str]] = []
    data = read_text(path, DEFAULT_LIMITS, InputError).data
    try:
        for number, row in enumerate(csv.reader(io.StringIO(data.decode(), newline="")), 1):
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if len(cells) != 2 or not all(cells):
                raise InputError(
                    path,
                    "expected two columns with a comma between them, a file and its character, "
                    f"found {','.join(row)!r}",
                    number,
                )
            if any(letter in cells[0] for letter in "*?["):
                patterns.append((number, cells[0], cells[1]))
            else:
                paths.setdefault(cells[0], (number, cells[1]))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(path, f"is not a CSV table of files and characters: {error}") from None

    def name_of(file: FoundFile) -> str:
        own = file.path.as_posix()
        row, known = paths.get(own, (len(data), ""))  # after the last row
        earlier = takewhile(lambda one: one[0] < row, patterns)
        return next((name for _, pattern, name in earlier if fnmatchcase(own, pattern)), known)

    return name_of


def manifest_document(
    groups: Sequence[Group],
    *,
    prefix: PurePosixPath,
    options: Mapping[str, Any],
    frame_rate: float | None = None,
) -> dict[str, Any]:
    """Plain data of a manifest.

    `prefix`: path from the manifest's folder to the searched folder. `options`: options for all
    characters. `frame_rate`: frame rate of AMC files. A single ``.ma`` or ``.mb`` file becomes the
    character's scene, so that limits can be applied to it. Raises ValueError for invalid names, or
    if there is no character.
    """
    if not groups:
        raise ValueError("no motion files found in this folder or its subfolders")
    names = FreeNames(pattern="{}-{}", key=str.casefold)
    entries = []
    for group in sorted(groups, key=lambda group: group.name):
        if not group.name.isprintable() or not group.name.strip():
            raise ValueError(
                f"{group.name!r} is not a valid character name: it must be printable, on one line"
            )
        name = group.name
        if len(name) > MAX_NAME_LETTERS - NUMBER_LETTERS:
            # Long names mostly differ at the end; letters of a hash replace the start.
            name = f"{_letters(name)}...{name[-(MAX_NAME_LETTERS - NUMBER_LETTERS - 9) :]}"
        entry: dict[str, Any] = {"name": names.reserve(name)}
        files = [(prefix / file.path).as_posix() for file in group.files]
        skeletons = {file.skeleton for file in group.files} - {None}
        if len(skeletons) > 1:
            wrong = f"the clips of {entry['name']!r} have different skeletons"
            raise ValueError(f"{wrong}; group them differently")
        if len(files) == 1 and files[0].lower().endswith(MAYA_ENDINGS):
            entries.append({**entry, "scene": files[0]})
            continue
        entry["clips"] = files
        for skeleton in skeletons:
            entry["skeleton"] = (prefix / str(skeleton)).as_posix()
            if frame_rate is not None:
                entry["frame_rate"] = frame_rate
        entries.append(entry)
    return {"format": FORMAT, "version": VERSION, "options": dict(options), "characters": entries}


def renamed_characters(
    document: Mapping[str, Any], path: Path, limits: ReadLimits
) -> Iterator[tuple[str, str]]:
    """Yield the new and old name of each character if none of its files had the new name before.

    `document`: plain data of the new manifest. `path`: earlier manifest; without a readable one,
    nothing is renamed.
    """
    try:
        manifest = read_manifest(path, allow_outside=True, limits=limits)
    except ManifestError:
        return
    before = {
        file.shown: character.name
        for character in manifest.characters
        for file in character.inputs
        if file not in (character.skeleton, character.people)
    }
    for entry in document["characters"]:
        files = entry.get("clips") or [entry["scene"]]
        old = {before[file]: None for file in files if file in before}
        if old and entry["name"] not in old:
            yield entry["name"], next(iter(old))
