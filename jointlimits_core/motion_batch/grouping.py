"""Which files are of one character: by folder, by skeleton, by a pattern, or by a list of hand."""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..errors import InputError
from ..formats.read_limits import DEFAULT_LIMITS
from ..formats.text import read_text
from .found_files import FoundFile

RULES = ("skeleton", "folder", "file")
PLACE = "{character}"


@dataclass(frozen=True)
class Group:
    """Files of one character."""

    name: str
    files: tuple[FoundFile, ...]


Naming = Callable[[FoundFile], str]
"""Name of the character that a file is of; empty for none."""


def by_rule(files: Sequence[FoundFile], rule: str, root: str) -> list[Group]:
    """Group files.

    Parameters
    ----------
    files : sequence of FoundFile
    rule : str
        "folder": the files of a folder; "skeleton": those of them that have the same skeleton;
        "file": each by itself.
    root : str
        What to call a character whose files are in the folder itself.

    Returns
    -------
    list of Group
    """
    grouped: dict[tuple[str, str], list[FoundFile]] = {}
    for file in files:
        own = {"folder": "", "skeleton": file.key, "file": file.path.name}[rule]
        grouped.setdefault((file.path.parent.as_posix(), own), []).append(file)
    in_folder = Counter(folder for folder, _ in grouped)
    alone = {key: in_folder[key[0]] == 1 and rule != "file" for key in grouped}
    names = {
        key: (root if key[0] == "." else key[0]) if alone[key] else _own_name(members)
        for key, members in grouped.items()
    }
    claims = Counter(name.casefold() for name in names.values())
    return [
        Group(name if claims[name.casefold()] == 1 else members[0].path.as_posix(), tuple(members))
        for name, members in zip(names.values(), grouped.values())
    ]


def _own_name(members: Sequence[FoundFile]) -> str:
    """Name of one of several characters of a folder: its skeleton's, else its first file's."""
    first = members[0]
    named = first.skeleton if first.skeleton is not None and len(members) > 1 else first.path
    return named.with_suffix("").as_posix()


def by_name(files: Iterable[FoundFile], naming: Naming) -> tuple[list[Group], list[FoundFile]]:
    """Group files by the name that each is given, and give those that have none."""
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
    """Read names out of paths.

    Parameters
    ----------
    pattern : str
        A path relative to the folder in which ``{character}`` stands for the name, ``*`` for
        anything within one folder and ``**`` for any folders.

    Raises
    ------
    ValueError
        If it does not have ``{character}`` once.
    """
    if pattern.count(PLACE) != 1:
        raise ValueError(f"a pattern has {PLACE} once, as in '{PLACE}_*.bvh', not {pattern!r}")
    parts = re.split(r"(\{character\}|\*\*/|\*\*|\*)", pattern)
    meaning = {PLACE: "([^/]+?)", "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    expression = re.compile("".join(meaning.get(part) or re.escape(part) for part in parts))

    def naming(file: FoundFile) -> str:
        match = expression.fullmatch(file.path.as_posix())
        return match[1] if match else ""

    return naming


def naming_of_list(path: str | os.PathLike[str]) -> Naming:
    """Read who is in which file from a table that somebody wrote.

    Parameters
    ----------
    path : path-like
        A CSV file: path of a file or a shell pattern of paths, then the character. The first row
        that fits counts; empty rows and rows that begin with ``#`` do not.

    Raises
    ------
    InputError
        If it cannot be read or a row has no two columns.
    """
    rows: list[tuple[str, str]] = []
    data = read_text(path, DEFAULT_LIMITS, InputError).data
    try:
        for number, row in enumerate(csv.reader(io.StringIO(data.decode(), newline="")), 1):
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if len(cells) != 2 or not all(cells):
                raise InputError(path, "expected a file and its character", number)
            rows.append((cells[0], cells[1]))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(path, f"is no table of files and characters (CSV): {error}") from None

    def naming(file: FoundFile) -> str:
        own = file.path.as_posix()
        return next((name for pattern, name in rows if fnmatchcase(own, pattern)), "")

    return naming
