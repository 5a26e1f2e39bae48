"""Temporary files and folders left in a results folder by killed processes.

Only names that this program generates are recognized; other files stay, hidden or not.
"""

from __future__ import annotations

import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from ..owner import OWNER, is_given_up

SCRATCH, PART = ".scratch", ".part"
"""Suffixes of unfinished files: our own, and those of :mod:`..atomic`."""

_STEM = r"[\w.+-]{1,60}-[0-9a-f]{16}"
"""Address part of a name: a character's name as a file name, and letters of its hash."""
_END = rf"\.({OWNER})\.[a-z0-9_]{{8}}"
"""Owner part of a name, and the random part from Python's tempfile."""
_FOLDER = re.compile(rf"\.{_STEM}{_END}{re.escape(SCRATCH)}")
_FILE = re.compile(
    rf"\.(?:{_STEM}\.(?:result\.json|limits\.json|log)|summary\.json|library\.(?:json|html))"
    rf"{_END}{re.escape(PART)}"
)


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield scratch folders and partial files that no running batch owns.

    Several batches may share a folder, from several computers, while another one summarizes.

    Parameters
    ----------
    folder : Path
        Folder of results, or of their logs.

    Yields
    ------
    Path
        Real folders and files only: links are never ours, whatever their name. Nothing if the
        folder does not exist.
    """
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        found = _FOLDER.fullmatch(path.name) or _FILE.fullmatch(path.name)
        if found and _is_left(path, found[1], is_folder=path.name.endswith(SCRATCH)):
            yield path


def _is_left(path: Path, whose: str, is_folder: bool) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False  # its owner finished with it
    is_real = stat.S_ISDIR(status.st_mode) if is_folder else stat.S_ISREG(status.st_mode)
    return is_real and is_given_up(whose, time.time() - status.st_mtime)
