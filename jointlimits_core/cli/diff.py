"""``jointlimits diff``: differences between two limit sets."""

from __future__ import annotations

import argparse
import sys

from ..importers.read import declaring_files
from ..limits.diff import TOLERANCE_DEG, diff, diff_text
from . import arguments, limit_inputs, output

COLUMNS = ("joint", "channel", "what", "before", "after", "by_deg", "why")


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "List the differences between two limit sets. Exit code 0: equal; 1: different. Inputs may "
        f"also be other files that declare limits: {declaring_files()}."
    )
    sub.add_argument("first", metavar="FIRST.json")
    sub.add_argument("second", metavar="SECOND.json")
    arguments.add_result_format(sub, "text", "json", "csv")
    words = f"treat angles this close as equal (default {TOLERANCE_DEG})"
    sub.add_argument("--tolerance", type=float, default=TOLERANCE_DEG, metavar="DEG", help=words)


def run(options: argparse.Namespace) -> int:
    """Print the difference."""
    with output.progress_of(options) as progress:
        first, second = limit_inputs.read_limit_sets(
            [options.first, options.second], options.budget, progress
        )
        with output.invalid_usage():
            found = diff(first, second, options.tolerance)
    output.print_as(options.format, found.to_dict(), COLUMNS, found.changes, diff_text(found))
    sys.stdout.flush()
    return 0 if found.equal else 1
