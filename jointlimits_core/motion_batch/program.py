"""The batch of motion files as a program: ``python -m jointlimits_core.motion_batch``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..batch.command import BatchProgram, batch_main, run_batch
from ..batch.entry_options import options_of_entry
from ..batch.manifest import Character, ManifestFile
from ..batch.run import Estimate
from ..option_table import options_of

NAME, ESTIMATOR = "jointlimits batch", "files"
MODULE = "jointlimits_core.motion_batch"
OPTIONS = ("estimate", "with shapes", "coupled", "write", "batch entry")
"""Groups of options that an entry of the manifest may have."""
WRITING = ("apply", "replace", "lock_unmoved", "reorient")
"""What can be asked for of the copy of a saved scene; the other options of writing are Maya's."""
ENDINGS = (".bvh", ".amc", ".ma")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables by which numpy's linear algebra is told how many threads to use."""
PER_PROCESS = 1000
"""Characters that a process takes; nothing here is known to grow."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Of the process by default.

    Returns
    -------
    int
        As of :mod:`..batch.command`.
    """
    return batch_main(_program(), arguments, f"python -m {MODULE}", __doc__)


def run(options: argparse.Namespace) -> int:
    """Run the batch that the arguments ask for and give the exit code."""
    return run_batch(_program(), options)


def _program() -> BatchProgram:
    command = [sys.executable, "-m", MODULE]
    return BatchProgram(NAME, ESTIMATOR, _start, check_entry, command, _environment(), PER_PROCESS)


def check_entry(character: Character) -> None:
    """Refuse an entry that cannot be done without Maya, whatever its files hold.

    Raises
    ------
    ValueError
        Saying what to write instead.
    """
    values = values_of(character)
    for name in _of_maya(character):
        raise ValueError(f"{name!r} is for the batch in Maya; leave it out")
    for file in character.motions:
        if not file.shown.lower().endswith(ENDINGS):
            raise ValueError(f"{file.shown!r} is no motion; expected one of {', '.join(ENDINGS)}")
        if file.shown.lower().endswith(".amc") and character.skeleton is None:
            raise ValueError(f"{file.shown!r} needs its skeleton; give the ASF file as 'skeleton'")
    if values["apply"] and (character.scene is None or _is_no_ma(character.scene)):
        raise ValueError("limits are applied to one Maya scene; give a .ma file as 'scene'")
    if values["mode"] == "paper" and (values["apply"] or values["coupled"]):
        raise ValueError("the paper's angles are no rotate channels; leave out apply and coupled")


def _is_no_ma(file: ManifestFile) -> bool:
    return not file.shown.lower().endswith(".ma")


def _of_maya(character: Character) -> list[str]:
    """What an entry asks for that only Maya can do."""
    options = {item.name for item in options_of("write", "batch entry")} - set(WRITING)
    named = [name for name in ("root", "namespace", "joints") if getattr(character, name)]
    return [*sorted(options & set(character.options)), *named]


def values_of(character: Character) -> dict[str, Any]:
    """Value of every option of an entry.

    Raises
    ------
    ValueError
        For an option that there is not, or a value that it may not have.
    """
    return options_of_entry(character, OPTIONS)


def _environment() -> Mapping[str, str]:
    """Environment in which a worker finds this very package, installed or not.

    Workers share the cores, so each computes on one unless somebody has said otherwise.
    """
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, os.environ.get("PYTHONPATH", "")]
    found = {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    return {**dict.fromkeys(THREADS, "1"), **os.environ, **found}


def _start() -> Estimate:
    # Only workers need the estimator; the process that hands out work starts sooner without.
    from .one_character import estimate_entry

    return estimate_entry
