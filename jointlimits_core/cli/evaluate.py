"""``jointlimits evaluate``: coverage, leak and clamping effect of limits."""

from __future__ import annotations

import argparse
import json
from functools import partial

from ..evaluation import evaluate
from ..report.terminal import evaluation_csv, evaluation_text
from .arguments import add_motion_inputs, check_outputs, read_clips_of, read_every
from .limit_inputs import read_rotate_limits
from .output import UsageError, print_or_write, progress_of


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Measure the quality of limits: how well they cover other clips, the share of "
        "each box that no sample supports, what clamping would change, and what to record next."
    )
    add_motion_inputs(sub)
    which = sub.add_mutually_exclusive_group()
    which.add_argument(
        "--held-out",
        action="store_true",
        help="measure coverage and clamping only on motions the limits were not estimated from",
    )
    which.add_argument(
        "--leave-one-out",
        action="store_true",
        help="also estimate without each motion in turn and measure that motion's coverage",
    )
    words = "result format; CSV has a row per joint"
    sub.add_argument("--format", choices=("text", "json", "csv"), default="text", help=words)
    sub.add_argument("--out", metavar="FILE", help="write the result to FILE instead of stdout")


def run(options: argparse.Namespace) -> int:
    """Read, evaluate and print or write the result."""
    check_outputs([options.limits, options.skeleton, *options.motions], [options.out])
    if options.leave_one_out and len(options.motions) < 2:
        raise UsageError("--leave-one-out needs two motions or more")
    limit_set = read_rotate_limits(options)
    with progress_of(options) as progress:
        motions = read_every(options.motions, partial(read_clips_of, options), progress)
        if motions is None:
            return 1
        found = evaluate(
            limit_set,
            motions,
            options.tolerance_deg,
            held_out=options.held_out,
            leave_one_out=options.leave_one_out,
            progress=progress,
        )
    if options.format == "json":
        text = json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n"
    else:
        text = (evaluation_csv if options.format == "csv" else evaluation_text)(found)
    print_or_write(text, options.out)
    return 0
