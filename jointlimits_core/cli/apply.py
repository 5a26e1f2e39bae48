"""``jointlimits apply``: write limits into a copy of a Maya scene."""

from __future__ import annotations

import argparse

from . import arguments, estimate, limit_inputs


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Write limits, degrees of freedom and preferred angles into a copy of a Maya ASCII scene. "
        "All other bytes stay the same."
    )
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("scene", metavar="FILE", help="a Maya scene (.ma)")
    sub.add_argument("--out", required=True, metavar="NEW", help="the copy to write")
    estimate.add_writing_options(sub)


def run(options: argparse.Namespace) -> int:
    """Write the copy and report the attributes written and left off."""
    arguments.check_outputs([options.limits], [options.out])
    limit_set = limit_inputs.read_given_limits(options, estimate.TO_APPLY)
    report = estimate.write_copy(limit_set, options.scene, options.out, options)
    estimate.print_report(report)
    return 0
