"""Limit sets of several files in common joint orientations."""

from __future__ import annotations

from collections.abc import Sequence

from ..formats.files_progress import FilesProgress
from ..formats.read_limits import ReadLimits
from ..importing.read_limits import read_limits
from ..importing.same_frames import alike
from ..limits.limit_set import LimitSet
from ..progress import Progress


def read_alike(paths: Sequence[str], limits: ReadLimits, progress: Progress) -> list[LimitSet]:
    """Read limit sets, or other files that declare limits, with progress.

    Raises
    ------
    InputError
    """
    files, sets = FilesProgress(progress, paths), []
    for path in paths:
        files.next(path)
        sets.append(read_limits(path, limits))
    return list(alike(sets))
