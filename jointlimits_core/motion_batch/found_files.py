"""Motion files below a folder, and reasons for files left out."""

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
"""Endings of copies that this program wrote; they are not clips."""
HIDDEN = "its name begins with a dot"
COPY = "a copy with limits written by a batch, not a motion of its own"
LINK_OUT = "it is a link out of the folder; include such files with --allow-outside"
LINK_NOWHERE = "it is a broken link"


@dataclass(frozen=True)
class FoundFile:
    """One motion file.

    Parameters
    ----------
    path : PurePosixPath
        Relative to the folder that was searched.
    skeleton : PurePosixPath, optional
        ASF file beside an AMC file.
    key : str
        Equal for files of one folder with the same skeleton.
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
    """Search a folder for motion.

    Parameters
    ----------
    host : str
        "files" for formats read without Maya, "maya" for scenes.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each file; False stops.
    allow_outside : bool
        Follow links that lead out of the folder.

    Returns
    -------
    found : list of FoundFile
        In path order. Folders whose names start with a dot are skipped.
    left_out : dict of path to str
        Motion files that cannot be used and folders that were skipped, with the reason.

    Raises
    ------
    InputError
        If the folder does not exist.
    Cancelled
        If `progress` returned False.
    """
    if not folder.is_dir():
        raise InputError(folder, "is not a folder; give the folder that contains the motion files")
    endings = MAYA_ENDINGS if host == "maya" else ENDINGS
    found: list[FoundFile] = []
    tell(progress, 0, 1, f"searching for motion below {folder}")
    search = FolderSearch(folder, allow_outside)
    paths, left_out = list(search.paths(endings)), search.left_out
    for number, path in enumerate(paths):
        tell(progress, number, len(paths), f"checking {path}")
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
    """One file; ValueError or OSError if a manifest cannot name it or it is unreadable."""
    text = path.as_posix()
    if not text.isprintable() or "\\" in text:
        raise ValueError("its name has characters not allowed in a manifest; rename it")
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
