"""``jointlimits merge``: merge several limit sets of one character into one."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ..base.text import all_findings
from ..importers.read import declaring_files
from ..limits.limit_set import write_limit_set
from ..limits.merge import EDIT_DROPPED, MERGE_METHODS, merge
from . import arguments, limit_inputs, output


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "union: allow the poses that any set allows. people: extend each limit as far as at least "
        "two sets reach, one set per person, so that an error in one person's set has no effect. "
        "intersection: allow the poses that all sets allow. Both respect the artist's edits; "
        "edits that contradict the result are listed and dropped. layers: take each limit from "
        "the strongest layer (artist, then data, then prior) and, within a layer, from the last "
        "set that has it. Inputs may also be other files that declare limits: "
        f"{declaring_files()}."
    )
    sub.add_argument("limits", nargs="+", metavar="LIMITS.json", help="two or more, base first")
    sub.add_argument("--how", choices=MERGE_METHODS, default="union", help="method")
    words = "the same as --how people"
    sub.add_argument("--people", dest="how", action="store_const", const="people", help=words)
    arguments.add_declared(sub, "edits_win")
    sub.add_argument(
        "--character", metavar="NAME", help="name of the result (default: that of the base)"
    )
    words = "limit set to write; must not be one of the inputs"
    sub.add_argument("--out", required=True, metavar="MERGED.json", help=words)
    arguments.add_table_format(sub)


def run(options: argparse.Namespace) -> int:
    """Read, merge, write, print the table."""
    if len(options.limits) < 2:
        raise output.UsageError("merge needs at least two limit sets; give another one")
    arguments.check_outputs(options.limits, [options.out])
    with output.progress_of(options) as progress:
        base, *others = limit_inputs.read_limit_sets(options.limits, options.budget, progress)
        progress(0, 1, "merging")
        merged = merge(base, others, options.how, options.edits_win)
        merged = replace(merged, character=options.character or merged.character)
        write_limit_set(merged, options.out)
    output.print_limits(merged)
    # List all edits that this merge dropped; the table's notes shorten the list.
    known = {finding for one in (base, *others) for finding in all_findings(one)}
    for finding in all_findings(merged):
        if finding.rule == EDIT_DROPPED and finding not in known:
            output.print_text(f"{finding.joint}: {finding.message}")
    output.print_text(f"wrote {options.out}")
    return 0
