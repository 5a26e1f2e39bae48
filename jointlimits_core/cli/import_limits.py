"""``jointlimits import-limits``: a limit set from the limits another program's file declares."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from ..importers.declared import in_orientations_of
from ..importers.read import declaring_files, read_limits
from ..io.input import add_reading
from ..limits.limit_set import read_limit_set, write_limit_set
from .arguments import add_table_format, check_outputs
from .output import UsageError, print_limits, print_text, progress_of


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        f"Import the limits that a file declares: {declaring_files()}. They become the lowest "
        "layer (prior): merge them with an estimate, or compare with diff."
    )
    sub.add_argument("source", metavar="FILE", help="file that declares limits")
    sub.add_argument(
        "--like",
        metavar="LIMITS.json",
        help="convert to this limit set's joint orientations, for joints with the same axes",
    )
    sub.add_argument("--character", metavar="NAME", help="character name (default: from the file)")
    sub.add_argument("--out", required=True, metavar="LIMITS.json", help="limit set to write")
    add_table_format(sub)
    add_reading(sub)


def run(options: argparse.Namespace) -> int:
    """Read, write, print the table."""
    if not options.out.lower().endswith(".json"):
        raise UsageError(f"--out {options.out} must end with .json")
    check_outputs([options.source, options.like], [options.out])
    with progress_of(options) as progress:
        progress(0, 1, f"reading {os.path.basename(options.source)}")
        limits = options.budget
        limit_set = read_limits(options.source, limits)
        if options.like:
            limit_set = in_orientations_of(limit_set, read_limit_set(options.like, limits))
        limit_set = replace(limit_set, character=options.character or limit_set.character)
        write_limit_set(limit_set, options.out)
    print_limits(limit_set)
    print_text(f"wrote {options.out}")
    return 0
