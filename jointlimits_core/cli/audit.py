"""``jointlimits audit``: find contradictions in limits, and poses outside their file's limits."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..base.text import group_findings, plural, printable, rest_in_json
from ..formats.registry import needs_skeleton, read_motion
from ..importers.audit import audit
from ..importers.read import declaring_files, read_limits
from . import arguments, limit_inputs, output

COLUMNS = ("rule", "joint", "channel", "clip", "degrees", "message")
MAX_LINES = 20


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Find rest poses, keyframes and stored poses outside the limits of their own file, ranges "
        "that are reversed or in the wrong unit, and left and right sides that differ. Exit code "
        "0: no faults; 1: faults were found, or the file cannot be read."
    )
    sub.add_argument("file", metavar="FILE", help=declaring_files("a limit set (.json)"))
    arguments.add_skeleton(sub)
    arguments.add_declared(sub, "tolerance_deg", "controls")
    arguments.add_result_format(sub, "text", "json", "csv")


def run(options: argparse.Namespace) -> int:
    """Read, audit and print."""
    with output.progress_of(options) as progress:
        progress(0, 1, f"reading {options.file}")
        declaring = str(options.file)
        if Path(options.file).is_file() and needs_skeleton(options.file):
            # An AMC motion's limits are those of its skeleton.
            from ..formats.amc import skeleton_file

            declaring = str(options.skeleton or skeleton_file(Path(options.file)))
        limit_set = read_limits(declaring, options.budget, options.controls)
        motion = None
        if limit_inputs.is_motion(options.file):
            how = {"limits": options.budget, "controls": options.controls}
            motion = read_motion(options.file, options.skeleton, **how)
        found = audit(limit_set, motion, options.tolerance_deg, options.file)
    counts = f"{plural(len(found.faults), 'fault')}, {plural(len(found.notes), 'note')}"
    checked = f"{plural(found.joints, found.noun)}, {plural(found.limited, 'limited channel')}"
    lines = [f"{found.file}: {counts} ({checked})"]
    for one in found.faults[:MAX_LINES]:
        lines.append(f"  {one.joint}: {one.message}" if one.joint else f"  {one.message}")
    lines += rest_in_json(len(found.faults), MAX_LINES, "  ")
    lines += [f"  note: {group.sentence()}" for group in group_findings(found.notes)]
    text, every = "\n".join(map(printable, lines)), (*found.faults, *found.notes)
    output.print_as(options.format, found.to_dict(), COLUMNS, every, text)
    return 0 if found.passed else 1
