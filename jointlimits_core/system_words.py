"""Messages for operating-system errors: file, reason, what to do."""

from __future__ import annotations

import os
from pathlib import Path

FILE_AS_FOLDER = "expected a folder, found a file; name another folder"
FOLDER_AS_FILE = "expected a file, found a folder; move it or name another path"


def system_words(error: OSError) -> str:
    """Say what an error of the system means.

    Returns
    -------
    str
        Without the errno that Python prepends.
    """
    where = f"{error.filename}: " if error.filename else ""
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"{_file_in_the_way(error.filename) or where}{FILE_AS_FOLDER}"
    if isinstance(error, IsADirectoryError):
        return f"{where}{FOLDER_AS_FILE}"
    return f"{where}{error.strerror or error}"


def _file_in_the_way(path: object) -> str:
    """File that blocks a path, which the system does not name; empty if none."""
    if not isinstance(path, (str, os.PathLike)):
        return ""
    places = (Path(path), *Path(path).parents)
    return next((f"{place}: " for place in places if place.is_file()), "")
