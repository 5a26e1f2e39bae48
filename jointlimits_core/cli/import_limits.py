"""``jointlimits import-limits``: limits that another program's file declares, as a limit set."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from ..importers import declared, read
from ..limits.limit_set import read_limit_set, write_limit_set
from . import arguments, output


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        f"Import the limits that a file declares: {read.declaring_files()}. They become the lowest "
        "layer (prior): merge them with an estimate, or compare with diff."
    )
    sub.add_argument("source", metavar="FILE", help="file that declares limits")
    sub.add_argument(
        "--like",
        metavar="LIMITS.json",
        help="convert to this limit set's joint orientations, for joints with the same axes",
    )
    sub.add_argument("--character", metavar="NAME", help="character name (default: from the file)")
    arguments.add_declared(sub, "controls")
    sub.add_argument("--out", required=True, metavar="LIMITS.json", help="limit set to write")
    arguments.add_table_format(sub)


def run(options: argparse.Namespace) -> int:
    """Read, write, print the table."""
    if not options.out.lower().endswith(".json"):
        raise output.UsageError(f"--out {options.out} must end with .json")
    arguments.check_outputs([options.source, options.like], [options.out])
    with output.progress_of(options) as progress:
        progress(0, 1, f"reading {os.path.basename(options.source)}")
        limits = options.budget
        limit_set = read.read_limits(options.source, limits, options.controls)
        if options.like:
            limit_set = declared.in_orientations_of(limit_set, read_limit_set(options.like, limits))
        limit_set = replace(limit_set, character=options.character or limit_set.character)
        write_limit_set(limit_set, options.out)
    output.print_limits(limit_set)
    output.print_text(f"wrote {options.out}")
    return 0
