"""What a batch may replace in the folder of its results: what batches wrote there."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from ..own_files import refuse_foreign
from ..system_words import FILE_AS_FOLDER
from .results import LOGS
from .summary import FILE_NAME, FORMAT

ADVICE = "name another folder for the results"


def refuse_foreign_results(folder: Path, library_report: bool) -> None:
    """Refuse a folder in which somebody's own files have the names of what sums up a batch.

    Names of results have a hash of what they are of in them; these have not.

    Parameters
    ----------
    folder : Path
        Of results; it need not be there.
    library_report : bool
        Whether the characters are compared.

    Raises
    ------
    InputError
        Naming the file: the manifest itself, or anything else that no batch wrote.
    """
    logs = folder / LOGS
    there = next(place for place in (logs, *logs.parents) if place.exists())
    if not there.is_dir():
        raise InputError(there, FILE_AS_FOLDER)
    refuse_foreign(folder / FILE_NAME, FORMAT, "summary of a batch", ADVICE)
    if library_report:
        # Here, so that a batch without it starts without the code of the pages.
        from ..library.document import FORMAT as LIBRARY
        from .library import DATA, PAGE

        for name in (DATA, PAGE):
            refuse_foreign(folder / name, LIBRARY, "library of a batch", ADVICE)
