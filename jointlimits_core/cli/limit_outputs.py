"""Outputs of the commands that estimate: a limit set and its page."""

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
    """Path of a limits output; ``.limits`` keeps it distinct from every input.

    Parameters
    ----------
    folder : path-like
    name : str
        Name of a character or scene; characters invalid in file names are replaced.
    ending : str
        Such as "json".
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
    """Write a limit set and, if `report`, its page.

    Parameters
    ----------
    motions : sequence of Motion
        Source of the page's plots.
    folder : path-like
    inputs : sequence of str or None
        Files that must not be overwritten.
    report : bool
    progress : callable

    Returns
    -------
    list of Path
        Files written.

    Raises
    ------
    UsageError
        If an input would be overwritten or an artist's edits lost; nothing is written then.
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
    """Refuse to replace a limit set by one that lacks its artist edits."""
    try:
        before = read_limit_set(path).edits
    except InputError:
        return  # missing or unreadable: no edits to lose
    kept = {(edit.key, repr(edit.value)) for edit in limit_set.edits}
    lost = [edit for edit in before if (edit.key, repr(edit.value)) not in kept]
    if lost:
        raise UsageError(
            f"{printable(str(path))} holds {plural(len(lost), 'artist edit')} that would be lost: "
            "pass it to the option keep_edits, choose another folder, or remove it"
        )


def print_written(paths: Iterable[Path]) -> None:
    """Print the paths of the files written."""
    for path in paths:
        print_text(f"wrote {path}")
