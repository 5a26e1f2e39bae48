"""``jointlimits show``: a limit set as a table."""

from __future__ import annotations

import argparse

from ..io.input import add_reading
from .arguments import add_table_format
from .limit_inputs import read_given_limits
from .output import print_limits


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument("limits", metavar="LIMITS.json")
    add_table_format(sub)
    add_reading(sub)


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    print_limits(read_given_limits(options))
    return 0
