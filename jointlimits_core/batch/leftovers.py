"""What killed processes leave half-done in a folder of results, known by names that only we give.

A folder of results may hold what others put there, and that stays, hidden or not.
"""

from __future__ import annotations

import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from ..owner import OWNER, is_given_up

SCRATCH, PART = ".scratch", ".part"
"""How the names of things end that are not finished: ours, and those of :mod:`..atomic`."""

_STEM = r"[\w.+-]{1,60}-[0-9a-f]{16}"
"""Of an address: a character's name as a file name, and letters of its hash."""
_END = rf"\.({OWNER})\.[a-z0-9_]{{8}}"
"""Whose it is, and what Python's tempfile puts into names."""
_FOLDER = re.compile(rf"\.{_STEM}{_END}{re.escape(SCRATCH)}")
_FILE = re.compile(
    rf"\.(?:{_STEM}\.(?:result\.json|limits\.json|log)|summary\.json|library\.(?:json|html))"
    rf"{_END}{re.escape(PART)}"
)


def leftovers(folder: Path) -> Iterator[Path]:
    """Scratch folders and half-written files that no batch is at work on any more.

    Several may be at work in one folder, on several computers, while another one sums up.

    Parameters
    ----------
    folder : Path
        Of results, or of their logs.

    Yields
    ------
    Path
        Real folders and real files only: a link is none of ours, whatever it is called. Nothing
        if there is no such folder.
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
        return False  # whoever it belongs to is done with it
    is_real = stat.S_ISDIR(status.st_mode) if is_folder else stat.S_ISREG(status.st_mode)
    return is_real and is_given_up(whose, time.time() - status.st_mtime)
