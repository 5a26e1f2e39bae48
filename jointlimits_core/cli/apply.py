"""``jointlimits apply``: write limits into a copy of a Maya scene, or of an MJCF or URDF model."""

from __future__ import annotations

import argparse

from ..io import add_reading
from .estimate import PAPER_MODE, add_writing_options, write_copy
from .limit_inputs import read_given_limits
from .output import UsageError

HELP = "write limits into a copy of a Maya scene, or of an MJCF or URDF model"
ORDER = 50


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Write limits, degrees of freedom and preferred angles into a copy of a Maya ASCII scene, "
        "or ranges into a copy of an MJCF or URDF model. Every other byte stays."
    )
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("scene", metavar="FILE", help=".ma, .xml, .mjcf or .urdf file")
    sub.add_argument("--out", required=True, metavar="NEW", help="the copy to write")
    add_writing_options(sub)
    add_reading(sub)


def run(options: argparse.Namespace) -> int:
    """Write the copy and report what was written and what was not."""
    limit_set = read_given_limits(options)
    if limit_set.mode == "paper":
        raise UsageError(f"{options.limits}: {PAPER_MODE}")
    return write_copy(limit_set, options.scene, options.out, options)
