"""Options and checks shared by the commands that compare motions with limits."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence

from ..formats.read_limits import read_limits_of
from ..limits.limit_file import read_limit_set
from ..limits.limit_set import LimitSet
from ..reading_flags import add_reading
from .declared import add_declared
from .usage import UsageError


def add_motion_inputs(sub: argparse.ArgumentParser) -> None:
    """Add the limits, the motions, their skeleton and the tolerance."""
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("motions", nargs="+", metavar="MOTION", help=".ma, .bvh or .amc file")
    sub.add_argument("--skeleton", metavar="S.asf", help="skeleton of AMC files")
    add_declared(sub, "tolerance_deg")
    add_reading(sub)


def read_rotate_limits(options: argparse.Namespace) -> LimitSet:
    """Read the limits.

    Raises
    ------
    UsageError
        If the tolerance is invalid, or the limits are not of rotate channels.
    LimitSetError
        If they cannot be read.
    """
    if not (math.isfinite(options.tolerance_deg) and options.tolerance_deg >= 0.0):
        raise UsageError(
            f"--tolerance must be finite and at least 0, not {options.tolerance_deg:g}"
        )
    limit_set = read_limit_set(options.limits, read_limits_of(vars(options)))
    if limit_set.mode == "paper":
        raise UsageError(
            f"{options.limits}: paper-mode limits are ZYZ angles, not rotate channels; estimate "
            "in standard mode to compare motions with the limits"
        )
    return limit_set


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
