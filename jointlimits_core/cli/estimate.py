"""``jointlimits estimate``: a limit set, a table, a page and a scene copy from motion files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..base import CommandParser
from ..estimation import EstimateOptions, write_summary
from ..formats import motion_file
from ..limits import ArtistEdit, LimitSet, read_limit_set, with_edits
from .arguments import add_declared, check_outputs
from .estimating import (
    PAPER_MODE,
    add_estimate_inputs,
    add_writing_options,
    estimate_options,
    estimated,
    limits_path,
    print_written,
    write_copy,
    write_limits,
)
from .output import UsageError, print_limits, progress_of

HELP = "estimate joint types and limits from motion"
ORDER = 10
BASIC = (
    *("skeleton", "out", "character", "joints", "pad_deg", "strictness", "symmetry", "prior"),
    *("report", "apply", "keep_edits", "save_summary"),
)
"""Options in the first part of the help."""


def add_arguments(sub: CommandParser) -> None:
    """Add the arguments."""
    sub.description = "Estimate joint types and limits. Inputs of one character are pooled."
    sub.basic = BASIC
    add_estimate_inputs(sub, motion_file(".summary.npz"))
    sub.add_argument(
        "--save-summary",
        metavar="FILE.summary.npz",
        help="also save a summary of the clips, so clips can be added later without rereading them",
    )
    add_declared(sub, "keep_edits", "purpose")
    sub.add_argument("--out", default=".", metavar="DIR", help="folder for the outputs")
    sub.add_argument("--report", action="store_true", help="also write an HTML page")
    sub.add_argument(
        "--apply", action="store_true", help="also write a copy of the Maya scene with the limits"
    )
    add_writing_options(sub)


def run(options: argparse.Namespace) -> int:
    """Read, estimate, print the table and write the outputs."""
    asked = _checked(options)
    edits = _kept(options).edits if options.keep_edits else ()
    with progress_of(options) as progress:
        found = estimated(options, asked, progress)
        if found is None:
            return 1
        limit_set = replace(found.limit_set, purpose=options.purpose)
        if edits:
            limit_set = _edited(limit_set, edits, options.keep_edits)
        written = write_limits(
            limit_set,
            found.motions,
            options.out,
            inputs=[*options.inputs, options.skeleton],
            report=options.report,
            progress=progress,
        )
        if options.save_summary:
            progress(0, 1, f"writing {Path(options.save_summary).name}")
            write_summary(found.summary, options.save_summary)
            written.append(Path(options.save_summary))
    print_limits(limit_set)
    print_written(written)
    for scene in _scenes(options) if options.apply else ():
        write_copy(limit_set, scene, str(limits_path(options.out, Path(scene).stem, "ma")), options)
    return 0


def _kept(options: argparse.Namespace) -> LimitSet:
    return read_limit_set(options.keep_edits, options.budget)


def _edited(limit_set: LimitSet, edits: Sequence[ArtistEdit], path: str) -> LimitSet:
    try:
        return with_edits(limit_set, edits)
    except ValueError as error:
        raise UsageError(f"the edits in {path} do not match these limits: {error}") from None


def _checked(options: argparse.Namespace) -> EstimateOptions:
    """Check what needs no input file and return the estimate options."""
    asked = estimate_options(options)
    if options.apply and asked.mode == "paper":
        raise UsageError(PAPER_MODE)
    if options.apply and not _scenes(options):
        raise UsageError("--apply needs a Maya ASCII scene (.ma) among the inputs")
    inputs = [*options.inputs, options.skeleton, options.keep_edits]
    check_outputs(inputs, [options.save_summary])
    if options.report:
        from ..report.html import require_matplotlib

        require_matplotlib()
    return asked


def _scenes(options: argparse.Namespace) -> list[str]:
    return [path for path in options.inputs if path.lower().endswith(".ma")]
