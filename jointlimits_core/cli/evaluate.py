"""``jointlimits evaluate``: coverage, leak and clamping effect of limits."""

from __future__ import annotations

import argparse
import json

from ..base import InputError
from ..evaluation import Evaluation, evaluate
from ..formats import read_motion
from ..io import FilesProgress, ProgressLine, write_text_atomically
from ..motion import Motion
from ..report.terminal import evaluation_text
from .arguments import add_motion_inputs, refuse_overwriting
from .limit_inputs import read_rotate_limits
from .output import UsageError, error_text, print_text, print_trouble, progress_of

HELP = "measure limit quality: coverage, leak, effect of clamping, what to record next"
ORDER = 70


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
    sub.add_argument("--format", choices=("text", "json"), default="text", help="result format")
    sub.add_argument("--out", metavar="FILE", help="write the result to FILE instead of stdout")


def run(options: argparse.Namespace) -> int:
    """Read, evaluate and print or write the result."""
    refuse_overwriting([options.limits, options.skeleton, *options.motions], [options.out])
    if options.leave_one_out and len(options.motions) < 2:
        raise UsageError("--leave-one-out needs two motions or more")
    limit_set = read_rotate_limits(options)
    with progress_of(options) as progress:
        motions = _read_all(options, progress)
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
    text = _json(found) if options.format == "json" else evaluation_text(found)
    if options.out:
        write_text_atomically(options.out, text)
    else:
        print_text(text.rstrip("\n"))
    return 0


def _json(found: Evaluation) -> str:
    return json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n"


def _read_all(options: argparse.Namespace, progress: ProgressLine) -> list[Motion] | None:
    """Read every motion; report each one that cannot be read and return None if any failed.

    Figures from only some of the motions would look like figures from all of them.
    """
    motions, failed = [], False
    limits = options.budget
    files = FilesProgress(progress, options.motions)
    for path in options.motions:
        part = files.next(path)
        try:
            motions.append(
                read_motion(path, skeleton=options.skeleton, limits=limits, progress=part)
            )
        except InputError as error:
            print_trouble(error_text(error))
            failed = True
    return None if failed else motions
