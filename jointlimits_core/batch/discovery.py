"""Motion files below a folder, with a key of their skeleton, and reasons for files left out.

Each real folder is visited once, following links; motion is not read.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..base import InputError, Progress, tell
from ..formats import format_by_ending, motion_endings, needs_skeleton, skeleton_beside
from ..io import check_regular

ELSEWHERE = "it is a link to {}, whose motion is found anyway"
FOLDER_OUT = "it is a link to a folder outside; follow such links with --allow-outside"
ABOVE = "it is a link to a parent folder, so it is not followed"
MAYA_ENDINGS = (".ma", ".mb")
OUTPUTS = (".limits.ma", ".limits.mb")
"""Endings of copies that this program wrote; they are not clips."""
HIDDEN = "its name begins with a dot"
COPY = "a copy with limits written by a batch, not a motion of its own"
LINK_OUT = "it is a link out of the folder; include such files with --allow-outside"
LINK_NOWHERE = "it is a broken link"


class FolderSearch:
    """A search below a folder.

    `allow_outside`: follow links that lead out of the folder. `left_out`: folders that were
    skipped, with the reason; folders whose names start with a dot are skipped silently. Real
    folders come first. Links to folders follow in path order if their targets have not been
    visited, as from ``anna/current`` into ``.store/v003``. So nothing is listed twice, and link
    cycles end.
    """

    def __init__(self, root: Path, allow_outside: bool = False) -> None:
        self._root, self._allow_outside = root, allow_outside
        self.left_out: dict[str, str] = {}
        self._seen: dict[str, PurePosixPath] = {}

    def paths(self, endings: tuple[str, ...]) -> Iterator[PurePosixPath]:
        """Files with one of these endings, ignoring case, relative to the folder."""
        links = deque([PurePosixPath()])
        while links:
            link = links.popleft()
            if not self._is_refused(link):
                yield from self._below(link, endings, links)

    def _is_refused(self, link: PurePosixPath) -> bool:
        place = self._root / link
        if place == self._root:
            return False
        seen = self._seen.get(os.path.realpath(place))
        if seen is not None:
            self.left_out[link.as_posix()] = ELSEWHERE.format(seen if seen.name else "this folder")
        elif is_below(self._root, place):
            self.left_out[link.as_posix()] = ABOVE
        elif not (self._allow_outside or is_below(place, self._root)):
            self.left_out[link.as_posix()] = FOLDER_OUT
        else:
            return False
        return True

    def _below(
        self, top: PurePosixPath, endings: tuple[str, ...], links: deque[PurePosixPath]
    ) -> Iterator[PurePosixPath]:
        found: list[PurePosixPath] = []
        for place, folders, names in os.walk(self._root / top, onerror=self._unreadable):
            here, real = self._relative(place), os.path.realpath(place)
            if real in self._seen:
                folders.clear()
                continue
            self._seen[real] = here
            inner = sorted(name for name in folders if not name.startswith("."))
            linked = [name for name in inner if os.path.islink(os.path.join(place, name))]
            found += [here / name for name in linked]
            folders[:] = [name for name in inner if name not in linked]
            for name in sorted(names):
                if name.lower().endswith(endings):
                    yield here / name
        links.extend(sorted(found))

    def _unreadable(self, error: OSError) -> None:
        reason = f"cannot be opened: {error.strerror or error}"
        self.left_out[self._relative(error.filename).as_posix()] = reason

    def _relative(self, place: str) -> PurePosixPath:
        return PurePosixPath(Path(place).relative_to(self._root).as_posix())


def is_below(path: Path, folder: Path) -> bool:
    """Whether a file or folder is below a folder, with all links resolved."""
    return Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents


def skeleton_key(path: Path) -> str:
    """Key shared by motion files of one folder with the same skeleton.

    A file whose format cannot tell has a skeleton of its own. Raises InputError if the file cannot
    be read.
    """
    found = format_by_ending(path)
    if found is None or found.skeleton_key is None:
        return path.name
    key: str = found.implementation("skeleton_key")(path)
    return key


@dataclass(frozen=True)
class FoundFile:
    """One motion file.

    `path`: relative to the folder that was searched. `skeleton`: ASF file beside an AMC file.
    `key`: equal for files of one folder with the same skeleton.
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

    `host`: "files" for formats read without Maya, "maya" for scenes. `progress`: called as
    ``progress(done, total, label)`` before each file; False stops. `allow_outside`: follow links
    that lead out of the folder. Returns the files found, in path order; folders whose names start
    with a dot are skipped. Also returns the motion files that cannot be used and the folders that
    were skipped, with the reason. Raises InputError if the folder does not exist. Raises Cancelled
    if `progress` returned False.
    """
    if not folder.is_dir():
        raise InputError(folder, "is not a folder; give the folder that contains the motion files")
    endings = MAYA_ENDINGS if host == "maya" else motion_endings()
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
    if not needs_skeleton(path):
        return FoundFile(path, None, skeleton_key(own))
    name = skeleton_beside(own)
    return FoundFile(path, path.with_name(name), name)
