"""Files that a batch may replace in its results folder: those that batches wrote."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from ..own_files import refuse_foreign
from ..system_words import FILE_AS_FOLDER
from .results import LOGS
from .summary import FILE_NAME, FORMAT

ADVICE = "choose another folder for the results"


def refuse_foreign_results(folder: Path, library_report: bool) -> None:
    """Refuse a folder where foreign files have the names of a batch's summary files.

    Results need no check: their names contain a hash.

    Parameters
    ----------
    folder : Path
        Folder of results; need not exist.
    library_report : bool
        Whether the characters are compared, which writes more files.

    Raises
    ------
    InputError
        Naming the file: the manifest itself, or any file that no batch wrote.
    """
    logs = folder / LOGS
    there = next(place for place in (logs, *logs.parents) if place.exists())
    if not there.is_dir():
        raise InputError(there, FILE_AS_FOLDER)
    refuse_foreign(folder / FILE_NAME, FORMAT, "summary of a batch", ADVICE)
    if library_report:
        # Imported here so that a batch without it does not load the report code.
        from ..library.document import FORMAT as LIBRARY
        from .library import DATA, PAGE

        for name in (DATA, PAGE):
            refuse_foreign(folder / name, LIBRARY, "library of a batch", ADVICE)
