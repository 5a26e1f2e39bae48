"""``jointlimits apply``: write limits into a copy of a Maya scene or of a robot model."""

from __future__ import annotations

import argparse
import os

from ..importers import is_model, model_files
from ..io import add_reading
from ..limits import LimitSet
from .arguments import check_outputs
from .estimate import PAPER_MODE, add_writing_options, print_report, write_copy
from .limit_inputs import read_given_limits
from .output import UsageError, progress_of

HELP = "write limits into a copy of a Maya scene or of a robot model"
ORDER = 50


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Write limits, degrees of freedom and preferred angles into a copy of a Maya ASCII scene, "
        "or ranges into a copy of a robot model. Every other byte stays."
    )
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("scene", metavar="FILE", help=f"a Maya scene (.ma), or {model_files()}")
    sub.add_argument("--out", required=True, metavar="NEW", help="the copy to write")
    add_writing_options(sub)
    add_reading(sub)


def run(options: argparse.Namespace) -> int:
    """Write the copy and report what was written and what was not."""
    check_outputs([options.limits], [options.out])
    limit_set = read_given_limits(options)
    if limit_set.mode == "paper":
        raise UsageError(f"{options.limits}: {PAPER_MODE}")
    if is_model(options.scene):
        return _write_model(limit_set, options.scene, options.out, options)
    return print_report(write_copy(limit_set, options.scene, options.out, options))


def _write_model(limit_set: LimitSet, model: str, out: str, options: argparse.Namespace) -> int:
    """Write the copy of a model and report; raise ModelError if no joint could be written."""
    from ..importers.ranges import write_ranges

    if options.filter_keys:
        raise UsageError("--filter-keys is for Maya scenes; a model has no keys")
    with progress_of(options) as progress:
        progress(0, 1, f"writing {os.path.basename(out)}")
        report = write_ranges(
            limit_set, model, out, lock_unmoved=options.lock_unmoved, limits=options.budget
        )
    return print_report(report)
