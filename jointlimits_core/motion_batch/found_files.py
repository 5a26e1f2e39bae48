"""The motion files below a folder, and why others are not among them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..batch.results import ENDING as RESULT_ENDING
from ..errors import InputError
from ..progress import Progress, tell
from ..regular_file import check_regular
from .one_skeleton import skeleton_beside, skeleton_key
from .program import ENDINGS

MAYA_ENDINGS = (".ma", ".mb")
OUTPUTS = (".limits.ma", ".limits.mb")
"""Endings of copies that we wrote: they are no clips of their own."""


@dataclass(frozen=True)
class FoundFile:
    """One motion file.

    Parameters
    ----------
    path : PurePosixPath
        Relative to the folder that was searched.
    skeleton : PurePosixPath, optional
        Of an AMC file: the ASF file beside it.
    key : str
        The same for files of one folder that have the same skeleton.
    """

    path: PurePosixPath
    skeleton: PurePosixPath | None
    key: str


def found_files(
    folder: Path, host: str = "files", progress: Progress | None = None
) -> tuple[list[FoundFile], dict[str, str]]:
    """Look for motion below a folder.

    Parameters
    ----------
    folder : Path
    host : str
        "files" for what is read without Maya, "maya" for scenes.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each file; False stops.

    Returns
    -------
    found : list of FoundFile
        In the order of their paths, whatever the order of the disk. What has a name with a dot in
        front, results of batches and links to folders are passed over.
    left_out : dict of path to str
        Files that look like motion and cannot be taken, and why.

    Raises
    ------
    InputError
        If there is no such folder.
    Cancelled
        If `progress` said so.
    """
    if not folder.is_dir():
        raise InputError(folder, "is no folder; give the one that the motion files are in")
    endings = MAYA_ENDINGS if host == "maya" else ENDINGS
    found: list[FoundFile] = []
    left_out: dict[str, str] = {}
    tell(progress, 0, 1, f"looking for motion below {folder}")
    paths = list(_paths(folder, endings))
    for number, path in enumerate(paths):
        tell(progress, number, len(paths), f"looking at {path}")
        try:
            found.append(_found(folder, path))
        except (ValueError, OSError) as error:
            left_out[path.as_posix()] = getattr(error, "message", None) or str(error)
    return found, left_out


def _paths(folder: Path, endings: tuple[str, ...]) -> Iterator[PurePosixPath]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if any(name.endswith(RESULT_ENDING) for name in names):
            folders.clear()
            continue
        here = PurePosixPath(Path(place).relative_to(folder).as_posix())
        for name in sorted(names):
            lower = name.lower()
            if not name.startswith(".") and lower.endswith(endings) and not lower.endswith(OUTPUTS):
                yield here / name


def _found(folder: Path, path: PurePosixPath) -> FoundFile:
    """One file; ValueError or OSError for one that a manifest cannot name or nobody can read."""
    text = path.as_posix()
    if not text.isprintable() or "\\" in text:
        raise ValueError("its name has characters that no manifest may have; rename it")
    own = folder / path
    if folder.resolve() not in own.resolve().parents:
        raise ValueError("it is a link out of the folder")
    check_regular(own, InputError)
    if path.suffix.lower() != ".amc":
        return FoundFile(path, None, skeleton_key(own))
    name = skeleton_beside(own)
    return FoundFile(path, path.with_name(name), name)
