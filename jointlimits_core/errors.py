"""Named errors. Each says where it happened and what to do next."""

from __future__ import annotations

import os

from .wording import printable, shortened

LONGEST_MESSAGE = 1000
"""Letters; words of a file may be endless, the advice stands at the end."""


class InputError(ValueError):
    """A file that cannot be used, with the place and what to do.

    Parameters
    ----------
    path : path-like or str
        The file, or a name for text that came from elsewhere.
    message : str
        What is wrong and what to do about it, in a sentence or two.
    line, column : int, optional
        Counted from 1.

    Notes
    -----
    What stands in the message may be of the file, so it is kept as one printable line.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        message: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.path, self.line, self.column = os.fspath(path), line, column
        # Shortened first, or endless text is escaped; and again, since escapes are longer.
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
    """A table of bodies (CSV) that cannot be read."""


class MayaAsciiError(InputError):
    """A Maya ASCII scene that cannot be read or written."""


class ModelError(InputError):
    """A model of a robot (MJCF, URDF) whose limits cannot be read."""


class LimitSetError(InputError):
    """A limit-set document that does not follow the schema; the message names the place in it."""


class SummaryError(InputError):
    """A summary of clips that cannot be read."""


class ManifestError(InputError):
    """A manifest of characters that cannot be used; the message names the place in it."""


class ExportError(ValueError):
    """Limits that cannot be written as they are asked for; the message says what to do."""


class MissingPackageError(ImportError):
    """An optional package is not installed; the message says how to install it."""


class EstimationError(ValueError):
    """Motions from which no limits can be estimated."""


class DiskSpaceError(OSError):
    """No room for the temporary files of a long clip; the message says how much and where."""

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"
