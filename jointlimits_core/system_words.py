"""What the operating system refused, in a sentence: the file, the reason, what to do."""

from __future__ import annotations

import os
from pathlib import Path

FILE_AS_FOLDER = "is a file where a folder should be; name another folder"
FOLDER_AS_FILE = "is a folder where a file should be; move it away, or name another place"


def system_words(error: OSError) -> str:
    """Say what an error of the system means.
    Returns
    -------
    str
        Without the number that Python puts before it.
    """
    where = f"{error.filename}: " if error.filename else ""
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f"{_file_in_the_way(error.filename) or where}{FILE_AS_FOLDER}"
    if isinstance(error, IsADirectoryError):
        return f"{where}{FOLDER_AS_FILE}"
    return f"{where}{error.strerror or error}"


def _file_in_the_way(path: object) -> str:
    """The file on the way to a path, which the system does not say; empty if there is none."""
    if not isinstance(path, (str, os.PathLike)):
        return ""
    places = (Path(path), *Path(path).parents)
    return next((f"{place}: " for place in places if place.is_file()), "")
