"""Batch of motion files and saved scenes without Maya: ``python -m jointlimits_core.batch``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from ..base import options_of
from ..formats import motion_endings, needs_skeleton
from .command import BatchProgram, batch_main, run_batch
from .manifest import OPTIONS, Character, ManifestFile, options_of_entry
from .run import Estimate

NAME, ESTIMATOR = "jointlimits batch", "files"
MODULE = "jointlimits_core.batch"
WRITING = ("apply", "report", "replace", "lock_unmoved", "reorient")
"""Options of what is written that need no Maya."""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that set the number of threads of numpy's linear algebra."""
PER_PROCESS = 1000
"""Characters per worker process; no memory growth is known here."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, by default with the process's arguments; codes as of :mod:`.command`."""
    return batch_main(_program(), arguments, f"python -m {MODULE}", __doc__)


def run(options: argparse.Namespace) -> int:
    """Run the requested batch and return the exit code."""
    return run_batch(_program(), options)


def _program() -> BatchProgram:
    command = [sys.executable, "-m", MODULE]
    return BatchProgram(NAME, ESTIMATOR, _start, check_entry, command, _environment(), PER_PROCESS)


def check_entry(character: Character) -> None:
    """Reject an entry that needs Maya with a ValueError that says what to write instead."""
    values = options_of_entry(character, OPTIONS)
    for name in _of_maya(character):
        raise ValueError(f"{name!r} needs the batch in Maya; remove it")
    endings = motion_endings()
    for file in character.motions:
        if not file.shown.lower().endswith(endings):
            raise ValueError(
                f"{file.shown!r} is not a motion file; expected one of {', '.join(endings)}"
            )
        if needs_skeleton(file.shown) and character.skeleton is None:
            raise ValueError(f"{file.shown!r} needs a skeleton; give its ASF file as 'skeleton'")
    if values["apply"] and (character.scene is None or _is_not_ma(character.scene)):
        raise ValueError("'apply' needs a Maya scene; give a .ma file as 'scene'")
    if values["mode"] == "paper" and (values["apply"] or values["coupled"]):
        raise ValueError(
            "paper-mode limits are ZYZ angles, not rotate channels; remove apply and coupled"
        )


def _is_not_ma(file: ManifestFile) -> bool:
    return not file.shown.lower().endswith(".ma")


def _of_maya(character: Character) -> list[str]:
    """Options and keys of an entry that only Maya supports."""
    options = {item.name for item in options_of("write", "batch entry")} - set(WRITING)
    named = [name for name in ("root", "namespace", "joints") if getattr(character, name)]
    return [*sorted(options & set(character.options)), *named]


def _environment() -> Mapping[str, str]:
    """Environment in which a worker finds this package, installed or not.

    Workers share the cores, so each uses one thread unless the environment says otherwise.
    """
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, os.environ.get("PYTHONPATH", "")]
    found = {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    return {**dict.fromkeys(THREADS, "1"), **os.environ, **found}


def _start() -> Estimate:
    # Only workers need the estimator; the parent starts faster without it.
    from .estimator import MotionFiles, estimate_entry

    return partial(estimate_entry, MotionFiles, OPTIONS)
