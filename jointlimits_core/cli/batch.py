"""``jointlimits batch``: every character of a manifest, in parallel processes or on a farm."""

from __future__ import annotations

import argparse

from ..batch import add_arguments
from ..batch.motion_files import run

Subparsers = argparse._SubParsersAction  # the type has no public name


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    sub = commands.add_parser(
        "batch",
        help="estimate every character of a manifest, resumable and in parallel",
        description=(
            "Estimate every character of a manifest (see jointlimits manifest) from motion files "
            "and saved scenes. A character that fails does not stop the others."
        ),
    )
    add_arguments(sub)
    sub.set_defaults(run=run, own_log=True)
