"""Search of a folder tree that visits each real folder once, following links."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ELSEWHERE = "it is a link to {}, whose motion is found anyway"
FOLDER_OUT = "it is a link to a folder outside; follow such links with --allow-outside"
ABOVE = "it is a link to a parent folder, so it is not followed"


class FolderSearch:
    """A search below a folder.

    Parameters
    ----------
    allow_outside : bool
        Follow links that lead out of the folder.

    Attributes
    ----------
    left_out : dict of path to str
        Folders that were skipped, with the reason; folders whose names start with a dot are
        skipped silently.

    Notes
    -----
    Real folders come first. Links to folders follow in path order if their targets have not been
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
