"""The motion files below a folder, and why others are not among them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..errors import InputError
from ..progress import Progress, tell
from ..regular_file import check_regular
from .folder_search import FolderSearch, is_below
from .one_skeleton import skeleton_beside, skeleton_key
from .program import ENDINGS

MAYA_ENDINGS = (".ma", ".mb")
OUTPUTS = (".limits.ma", ".limits.mb")
"""Endings of copies that we wrote: they are no clips of their own."""
HIDDEN = "its name begins with a dot"
COPY = "a copy with limits, as a batch writes it, is no motion of its own"
LINK_OUT = "it is a link out of the folder; take such with --allow-outside"
LINK_NOWHERE = "it is a link that leads nowhere"


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
    folder: Path,
    host: str = "files",
    progress: Progress | None = None,
    allow_outside: bool = False,
) -> tuple[list[FoundFile], dict[str, str]]:
    """Look for motion below a folder.

    Parameters
    ----------
    host : str
        "files" for what is read without Maya, "maya" for scenes.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each file; False stops.
    allow_outside : bool
        Take links that lead out of the folder.

    Returns
    -------
    found : list of FoundFile
        In the order of their paths, whatever the order of the disk. Folders whose names begin
        with a dot are passed over.
    left_out : dict of path to str
        Files that look like motion and cannot be taken, and folders that were not looked into,
        and why.

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
    tell(progress, 0, 1, f"looking for motion below {folder}")
    search = FolderSearch(folder, allow_outside)
    paths, left_out = list(search.paths(endings)), search.left_out
    for number, path in enumerate(paths):
        tell(progress, number, len(paths), f"looking at {path}")
        try:
            found.append(_found(folder, path, allow_outside))
        except InputError as error:
            left_out[path.as_posix()] = error.message
        except OSError as error:
            left_out[path.as_posix()] = f"cannot be read: {error.strerror or error}"
        except ValueError as error:
            left_out[path.as_posix()] = str(error)
    return found, left_out


def _found(folder: Path, path: PurePosixPath, allow_outside: bool) -> FoundFile:
    """One file; ValueError or OSError for one that a manifest cannot name or nobody can read."""
    text = path.as_posix()
    if not text.isprintable() or "\\" in text:
        raise ValueError("its name has characters that no manifest may have; rename it")
    own = folder / path
    if path.name.startswith("."):
        raise ValueError(HIDDEN)
    if path.name.lower().endswith(OUTPUTS):
        raise ValueError(COPY)
    if not os.path.exists(own):
        raise ValueError(LINK_NOWHERE)
    if not allow_outside and not is_below(own, folder):
        raise ValueError(LINK_OUT)
    check_regular(own, InputError)
    if path.suffix.lower() != ".amc":
        return FoundFile(path, None, skeleton_key(own))
    name = skeleton_beside(own)
    return FoundFile(path, path.with_name(name), name)
