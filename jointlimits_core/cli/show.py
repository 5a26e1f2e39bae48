"""``jointlimits show``: a limit set as a table."""

from __future__ import annotations

import argparse

from ..io import add_reading, read_limits_of
from ..limits import read_limit_set
from ..report.terminal import table
from .output import print_text

Subparsers = argparse._SubParsersAction  # the type has no public name


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    sub = commands.add_parser("show", help="print a limit set as a table")
    sub.add_argument("limits", metavar="LIMITS.json")
    add_reading(sub, "max_json_bytes")
    sub.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    print_text(table(read_limit_set(options.limits, read_limits_of(vars(options)))))
    return 0
