"""Progress of reading several files, weighted by their bytes."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..progress import PARTS, Progress, tell
from .source import FilePath


class FilesProgress:
    """Progress of files read one after the other.

    Parameters
    ----------
    progress : callable or None
        Receives the progress of all files together.
    paths : sequence of path-like or str
        In reading order.
    doing : str
        Verb shown with each file, such as "reading".
    """

    def __init__(
        self, progress: Progress | None, paths: Sequence[FilePath], doing: str = "reading"
    ) -> None:
        self._progress, self._doing, self._count = progress, doing, len(paths)
        self._sizes = [_size(path) for path in paths]
        self._total, self._before, self._number = max(sum(self._sizes), 1), 0, 0

    def next(self, path: FilePath) -> Progress:
        """Start the next file; return the progress callable for its reader.

        Raises
        ------
        Cancelled
            If the progress callable returned False.
        """
        before, size = self._before, self._sizes[self._number]
        self._before += size
        self._number += 1
        label = f"{self._doing} {os.path.basename(os.fspath(path))}"
        if self._count > 1:
            label += f" ({self._number} of {self._count})"

        def part(done: int, total: int, _: str) -> bool:
            if self._progress is None:
                return True
            now = before + size * min(done, total) // max(total, 1)
            return self._progress(self._parts(now), PARTS, label)

        tell(self._progress, self._parts(before), PARTS, label)
        return part

    def _parts(self, done: int) -> int:
        return PARTS * done // self._total


def _size(path: FilePath) -> int:
    """File size in bytes; an unreadable one counts too, and its reader reports the error."""
    try:
        return max(os.path.getsize(path), 1)
    except (OSError, ValueError):
        return 1
