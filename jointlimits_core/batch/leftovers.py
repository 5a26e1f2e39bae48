"""What killed processes leave half-done in a folder of results, known by names that only we give.

A folder of results may hold what others put there, and that stays, hidden or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

SCRATCH, PART = ".scratch", ".part"
"""How the names of things end that are not finished: ours, and those of :mod:`..atomic`."""

_STEM = r"[\w.+-]{1,60}-[0-9a-f]{16}"
"""Of an address: a character's name as a file name, and letters of its hash."""
_CHANCE = r"[a-z0-9_]{8}"
"""What Python's tempfile puts into names."""
_FOLDER = re.compile(rf"\.{_STEM}\.{_CHANCE}{re.escape(SCRATCH)}")
_FILE = re.compile(
    rf"\.(?:{_STEM}\.(?:result\.json|limits\.json|log)|summary\.json|library\.(?:json|html))"
    rf"\.{_CHANCE}{re.escape(PART)}"
)


def leftovers(folder: Path) -> Iterator[Path]:
    """Scratch folders and half-written files of a batch; nothing if there is no such folder.

    Parameters
    ----------
    folder : Path
        Of results, or of their logs.

    Yields
    ------
    Path
        Real folders and real files only: a link is none of ours, whatever it is called.
    """
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue
        is_ours = _FOLDER.fullmatch(path.name) and path.is_dir()
        if is_ours or (_FILE.fullmatch(path.name) and path.is_file()):
            yield path
