"""``jointlimits batch``: every character of a manifest, in parallel processes or on a farm."""

from __future__ import annotations

import argparse

from ..batch import command
from ..batch.motion_files import run as run


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Estimate every character of a manifest (see jointlimits manifest) from motion files "
        "and saved scenes. A character that fails does not stop the others."
    )
    command.add_arguments(sub)
    sub.set_defaults(own_log=True)
