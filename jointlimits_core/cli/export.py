"""``jointlimits export``: limits in the format of another program."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from ..base.options import options_of
from ..base.text import printable, wrapped_lines
from ..exporters.formats import OF_SCRIPTS, ending_of, export_formats, export_options_of, format_for
from ..exporters.losses import Exported
from ..exporters.skeleton_source import named_skeleton, recorded_skeleton
from . import arguments, limit_inputs, output

OPTIONS = (*(item.name for item in options_of("export")), *OF_SCRIPTS)
MAX_NOTES = 12
MAX_LINE_CHARS = 100


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    formats = "; ".join(f"{entry.name}: {entry.words}" for entry in export_formats().values())
    sub.description = (
        f"Write limits in the format of another program ({formats}). Anything that the format "
        "cannot hold is listed, with the values written instead."
    )
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument(
        "--to", choices=tuple(export_formats()), help="format; by default that of --out's ending"
    )
    sub.add_argument("--out", required=True, metavar="FILE", help="file to write")
    sub.add_argument(
        "--motion",
        metavar="FILE",
        help="motion with the joint positions; by default a clip that was measured",
    )
    sub.add_argument(
        "--skeleton", metavar="FILE", help="skeleton of an AMC motion, or a skeleton file alone"
    )
    sub.add_argument("--losses", metavar="FILE.json", help="also write the losses to FILE.json")
    arguments.add_declared(sub, *OPTIONS)


def run(options: argparse.Namespace) -> int:
    """Read, export, write and report losses."""
    with output.invalid_usage():
        form = format_for(options.to, options.out)
        values = {name: getattr(options, name) for name in OPTIONS}
        asked = export_options_of(values, ending_of(options.out))
    arguments.check_outputs(
        [options.limits, options.motion, options.skeleton], [options.out, options.losses]
    )
    with output.progress_of(options) as progress:
        progress(0, 3, f"reading {os.path.basename(options.limits)}")
        advice = "" if form.holds_paper_mode else "estimate in standard mode, or export to csv"
        limit_set = limit_inputs.read_given_limits(options, advice)
        progress(1, 3, "placing the joints")
        placed = named_skeleton(options.motion, options.skeleton, options.budget)
        if placed is None and form.needs_skeleton:
            placed = recorded_skeleton(limit_set, options.limits, options.budget)
            progress.close()
            output.print_text(f"joint positions from {printable(placed.path)}")
        progress(2, 3, f"writing {os.path.basename(options.out)}")
        exported = form.export(limit_set, placed.skeleton if placed else None, asked)
        if placed and form.needs_skeleton:
            exported = replace(exported, losses=(*exported.losses, *placed.losses))
        exported.write(options.out)
        if options.losses:
            exported.write_losses(options.losses, form.name, limit_set.character)
    _print_losses(exported, options)
    output.print_text(f"wrote {os.fspath(options.out)}")
    return 0


def _print_losses(exported: Exported, options: argparse.Namespace) -> None:
    """Print the notes about the written file, and every loss."""
    notes = exported.notes
    for note in notes[:MAX_NOTES]:
        output.print_text(note)
    if len(notes) > MAX_NOTES:
        where = f"; all in {options.losses}" if options.losses else "; list all with --losses"
        output.print_text(f"... and {len(notes) - MAX_NOTES} more lines{where}")
    if exported.losses:
        output.print_text(f"differences from the limits ({len(exported.losses)}):")
    for loss in exported.losses:
        lines = wrapped_lines(f"- {printable(loss.sentence())}", MAX_LINE_CHARS, "    ")
        output.print_text("\n".join(f"  {line}" for line in lines))
