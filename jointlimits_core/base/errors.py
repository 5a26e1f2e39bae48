"""Exceptions, each with the place and what to do.

Messages for operating-system errors: file, reason, what to do.
"""

from __future__ import annotations

import os
from pathlib import Path

from .text import printable, shortened

LONGEST_MESSAGE = 1000
"""Characters; text quoted from a file may be endless, and the advice comes last."""


class InputError(ValueError):
    """A file that cannot be used, with the place and what to do.

    Parameters
    ----------
    path : path-like or str
        The file, or a name for text from elsewhere.
    message : str
        What is wrong and what to do about it.
    line, column : int, optional
        Counted from 1.

    Notes
    -----
    The message may quote the file, so it is reduced to one printable line.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        message: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.path, self.line, self.column = os.fspath(path), line, column
        # Shortened before escaping to bound the work, and after, since escapes are longer.
        shown = printable(shortened(message, LONGEST_MESSAGE))
        self.message = shortened(shown, LONGEST_MESSAGE)
        places = (printable(self.path), line, column)
        where = ":".join(str(part) for part in places if part is not None)
        super().__init__(f"{where}: {self.message}")


class BvhError(InputError):
    """A BVH file that cannot be read."""


class AcclaimError(InputError):
    """An ASF skeleton or AMC motion that cannot be read."""


class C3dError(InputError):
    """A C3D file that cannot be read."""


class BodyCsvError(InputError):
    """A CSV table of bodies that cannot be read."""


class MayaAsciiError(InputError):
    """A Maya ASCII scene that cannot be read or written."""


class ModelError(InputError):
    """A robot model (MJCF, URDF) whose limits cannot be read."""


class LimitSetError(InputError):
    """A limits document that violates the schema; the message names the place in it."""


class SummaryError(InputError):
    """A clip summary that cannot be read."""


class ManifestError(InputError):
    """A manifest that cannot be used; the message names the place in it."""


class ExportError(ValueError):
    """Limits that cannot be exported as requested; the message says what to do."""


class MissingPackageError(ImportError):
    """A missing optional package; the message says how to install it."""


class EstimationError(ValueError):
    """Motion from which no limits can be estimated."""


class DiskSpaceError(OSError):
    """Too little disk space for the temporary files of a long clip; names size and folder."""

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


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
