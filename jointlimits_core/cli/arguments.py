"""Command-line arguments shared by commands, most of them built from the option table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ..base import add_flags, option
from ..formats import motion_file
from ..io import add_reading
from .output import UsageError


def add_declared(sub: argparse._ActionsContainer, *names: str) -> None:
    """Add options by their names in the option table."""
    add_flags(sub, map(option, names))


def add_motion_inputs(sub: argparse.ArgumentParser) -> None:
    """Add the limits, the motions, their skeleton and the tolerance."""
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("motions", nargs="+", metavar="MOTION", help=motion_file())
    sub.add_argument("--skeleton", metavar="S.asf", help="skeleton of AMC files")
    add_declared(sub, "tolerance_deg")
    add_reading(sub)


def refuse_overwriting(
    inputs: Sequence[str | None], outputs: Sequence[str | os.PathLike[str] | None]
) -> None:
    """Raise UsageError if an output is one of the inputs, or two outputs are one file."""
    taken = {os.path.realpath(path): os.fspath(path) for path in inputs if path is not None}
    for output in outputs:
        if output is None:
            continue
        place = os.path.realpath(output)
        if place in taken:
            raise UsageError(f"{output} would overwrite {taken[place]}; choose another file")
        taken[place] = os.fspath(output)
