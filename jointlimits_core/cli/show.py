"""``jointlimits show``: a limit set as a table."""

from __future__ import annotations

import argparse

from . import arguments, limit_inputs, output


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument("limits", metavar="LIMITS.json")
    arguments.add_table_format(sub)


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    output.print_limits(limit_inputs.read_given_limits(options))
    return 0
