"""``jointlimits merge``: several limit sets of one character merged into one."""

from __future__ import annotations

import argparse

from ..importers import declaring_files
from ..io import add_reading
from ..limits import MERGE_METHODS, write_limit_set
from ..limits.merge import merge
from .arguments import add_table_format, check_outputs
from .limit_inputs import add_naming, named, read_alike
from .output import UsageError, print_limits, print_text, progress_of

HELP = "merge several limit sets of one character"
ORDER = 110


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "union: every pose that any set allows. intersection: what all sets allow. layers: "
        "every limit from the strongest layer (artist, then data, then prior), and from the "
        "last set within a layer. Artist edits of all sets are kept. Each input may also be "
        f"any file that declares limits: {declaring_files()}."
    )
    sub.add_argument("limits", nargs="+", metavar="LIMITS.json", help="two or more; base first")
    sub.add_argument("--how", choices=MERGE_METHODS, default="union", help="default union")
    add_naming(sub, "name of the result (default: that of the base)")
    sub.add_argument(
        "--out",
        required=True,
        metavar="MERGED.json",
        help="limit set to write; must not be one of the inputs",
    )
    add_table_format(sub)
    add_reading(sub)


def run(options: argparse.Namespace) -> int:
    """Read, merge, write, print the table."""
    if len(options.limits) < 2:
        raise UsageError("merge needs at least two limit sets; name another one")
    check_outputs(options.limits, [options.out])
    with progress_of(options) as progress:
        base, *others = read_alike(options.limits, options.budget, progress)
        progress(0, 1, "merging")
        merged = named(merge(base, others, options.how), options)
        write_limit_set(merged, options.out)
    print_limits(merged)
    print_text(f"wrote {options.out}")
    return 0
