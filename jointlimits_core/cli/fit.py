"""``jointlimits fit``: estimated limits plus coupled limits for each joint."""

from __future__ import annotations

import argparse

from ..base.options import options_of
from ..estimation.coupled import with_requested_shapes
from ..formats.registry import motion_file
from ..motion.screening.rules import Screenings
from ..report.terminal.shapes import SHAPE_COLUMNS, shape_rows, shape_text
from . import arguments, estimate, output


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Estimate joint types and limits, and fit a shape to the rotations of every "
        "joint: one limit for all its channels together, tighter than their separate ranges."
    )
    estimate.add_estimate_inputs(sub, motion_file())
    arguments.add_declared(sub, *(item.name for item in options_of("coupled")))
    sub.add_argument("--out", default=".", metavar="DIR", help="folder for the outputs")
    sub.add_argument("--report", action="store_true", help="also write an HTML page")
    arguments.add_table_format(sub, "the shapes")


def run(options: argparse.Namespace) -> int:
    """Read, estimate, fit, print the table of shapes, write."""
    asked = estimate.estimate_options(options)
    if asked.mode == "paper":
        raise output.UsageError("--mode paper cannot fit shapes; use standard mode (omit --mode)")
    if any(path.lower().endswith(".npz") for path in options.inputs):
        raise output.UsageError(
            "shapes are fitted to every frame, but a summary holds no frames; pass motion files"
        )
    with output.progress_of(options) as progress:
        seen = Screenings()
        found = estimate.estimate_inputs(options, asked, progress, screenings=seen)
        if found is None:
            return 1
        limit_set, motions = found.limit_set, found.motions
        limit_set = with_requested_shapes(limit_set, motions, vars(options), asked, progress, seen)
        written = estimate.write_limits(limit_set, options, progress)
        estimate.write_page(limit_set, motions, written, options, progress)
    output.print_table(shape_text(limit_set), SHAPE_COLUMNS, shape_rows(limit_set))
    estimate.print_written(written)
    return 0
