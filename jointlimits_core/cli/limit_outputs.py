"""Files that the commands that estimate write: a limit set, and the page about it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..errors import InputError
from ..file_names import file_name
from ..limits.limit_file import read_limit_set, write_limit_set
from ..limits.limit_set import LimitSet
from ..motion import Motion
from ..progress import Progress
from ..report import write_report
from ..wording import plural, printable
from .motion_inputs import refuse_overwriting
from .output import print_text
from .usage import UsageError


def limits_path(folder: str | os.PathLike[str], name: str, ending: str) -> Path:
    """Path of an output about limits; ``.limits`` keeps it apart from every input.

    Parameters
    ----------
    folder : path-like
    name : str
        Of a character or a scene; what no file name may have is replaced.
    ending : str
        As "json".
    """
    return Path(folder) / f"{file_name(name)}.limits.{ending}"


def write_limits(
    limit_set: LimitSet,
    motions: Sequence[Motion],
    folder: str | os.PathLike[str],
    *,
    inputs: Sequence[str | None],
    report: bool,
    progress: Progress,
) -> list[Path]:
    """Write a limit set, and the page about it if that is wanted.

    Parameters
    ----------
    motions : sequence of Motion
        For the page.
    folder : path-like
    inputs : sequence of str or None
        Files that must not be written over.
    report : bool
        Whether the page is wanted.
    progress : callable

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    UsageError
        If one of the inputs would be written over, or an artist's edits would be lost; nothing is
        written then.
    """
    endings = ("json", "html") if report else ("json",)
    outputs = [limits_path(folder, limit_set.character, ending) for ending in endings]
    refuse_overwriting(inputs, outputs)
    _refuse_losing_edits(outputs[0], limit_set)
    progress(0, 1, f"writing {outputs[0].name}")
    write_limit_set(limit_set, outputs[0])
    for page in outputs[1:]:
        write_report(limit_set, motions, page, progress)
    return outputs


def _refuse_losing_edits(path: Path, limit_set: LimitSet) -> None:
    """Refuse to replace a limit set by one that lacks what an artist decided in it."""
    try:
        before = read_limit_set(path).edits
    except InputError:
        return  # there is none, or it is none that can be read
    kept = {(edit.key, repr(edit.value)) for edit in limit_set.edits}
    lost = [edit for edit in before if (edit.key, repr(edit.value)) not in kept]
    if lost:
        raise UsageError(
            f"{printable(str(path))} holds {plural(len(lost), 'edit')} of an artist that would be "
            "lost: give it to the option keep_edits, or name another folder, or remove it"
        )


def print_written(paths: Iterable[Path]) -> None:
    """Say which files there are now."""
    for path in paths:
        print_text(f"wrote {path}")
