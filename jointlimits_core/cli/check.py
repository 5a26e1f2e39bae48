"""``jointlimits check``: find frames outside the limits, as a gate in a pipeline."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from ..base.errors import EstimationError, InputError
from ..base.progress import Progress
from ..base.text import file_name
from ..evaluation.baseline import read_baseline, reject_same_names, write_baseline
from ..evaluation.check_result import CheckedClip, CheckResult
from ..evaluation.gate import OPTIONS, Gate
from ..evaluation.violations import violations
from ..formats.registry import motion_file, read_takes
from ..io import output, progress_line
from ..limits.limit_set import LimitSet
from ..motion.motion import Motion
from ..report.terminal.check import WRITERS
from . import arguments
from .limit_inputs import read_given_limits
from .output import UsageError, error_text, invalid_usage, print_text, print_trouble, progress_of

PAGE = ".check.html"
"""Default ending of a page's file name."""


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Find the frames in which motions exceed the limits. Exit code 0: all motions pass; 1: "
        "some do not, or could not be checked; 2: usage error. A limit fails if the frames beyond "
        "it by more than --tolerance, in runs of at least --for frames, are more than --allow "
        "percent of the motion. All three also take values per joint, as in --for '30,l*=60', or "
        "per limit, as in --for LeftKnee.X.min=1."
    )
    sub.add_argument("limits", metavar="LIMITS.json", help="limits to check against")
    sub.add_argument("motions", nargs="+", metavar="MOTION", help=motion_file())
    words = (
        "compare with people instead of limits: in place of LIMITS.json, give a file PEOPLE.npz, "
        "or the word people for the people included with the program"
    )
    sub.add_argument("--people", action="store_true", help=words)
    arguments.add_skeleton(sub)
    arguments.add_reader_options(sub)
    arguments.add_declared(sub, *OPTIONS, "baseline")
    words = "write the current violations to FILE, as a baseline for later checks"
    sub.add_argument("--write-baseline", metavar="FILE", help=words)
    arguments.add_declared(sub, "branch", "shapes")
    arguments.add_result_format(sub, *WRITERS)
    sub.add_argument("--out", metavar="FILE", help="write the result to FILE instead of stdout")
    words = f"also write an HTML page, by default CHARACTER{PAGE} beside the result"
    sub.add_argument("--report", nargs="?", const=PAGE, metavar="FILE.html", help=words)


def run(options: argparse.Namespace) -> int:
    """Check every motion and print the result."""
    if options.people:
        from . import people_check

        return people_check.run(options)
    page = options.report
    if page and not page.lower().endswith((".html", ".htm")):
        raise UsageError(
            f"the page of --report must end in .html, not {page}; write --report after the motions"
        )
    named = None if page == PAGE else page
    inputs = [options.limits, options.skeleton, options.baseline or None, *options.motions]
    arguments.check_outputs(inputs, [options.out, named, options.write_baseline])
    limit_set = read_given_limits(options, "estimate in standard mode to compare motions with them")
    if page == PAGE:
        page = Path(options.out or "").parent / (file_name(limit_set.character) + PAGE)
    gate = _gate(options, limit_set)
    clips: list[CheckedClip] = []
    motions: dict[str, Motion] = {}
    with progress_of(options) as progress:
        files = progress_line.FilesProgress(progress, options.motions, "checking")
        for path in options.motions:
            checked, read = _check_file(path, limit_set, gate, options, files.next(path))
            clips += checked
            if page:
                motions.update(zip([clip.file for clip in checked], read))
        about = limit_set.character, gate, tuple(clips), limit_set.noun
        result = CheckResult(options.limits, *about)
        if page:
            from ..report.html.check_page import write_check_report

            write_check_report(result, page, progress, limit_set, motions)
    if options.write_baseline:
        with invalid_usage():
            write_baseline(result, options.write_baseline)
    text = WRITERS[options.format](result)
    if options.out:
        output.write_text_atomically(options.out, text)
    else:
        print_text(text.rstrip("\n"))
    for path in (page, options.write_baseline):
        if path and options.format == "text":
            print_text(f"wrote {path}")
    return 0 if result.passed else 1


def _gate(options: argparse.Namespace, limit_set: LimitSet) -> Gate:
    """Rules for passing, from the options."""
    with invalid_usage():
        gate = Gate.from_values(limit_set, **{name: getattr(options, name) for name in OPTIONS})
        if options.baseline or options.write_baseline:
            reject_same_names(Path(path).stem for path in options.motions)
    if not options.baseline:
        return gate
    return replace(gate, baseline=read_baseline(options.baseline, limit_set, options.budget))


def _check_file(
    path: str, limit_set: LimitSet, gate: Gate, options: argparse.Namespace, progress: Progress
) -> tuple[list[CheckedClip], list[Motion]]:
    """Results and clips of a file; an input error becomes a failed result."""
    how = (gate.tolerance, options.branch, options.shapes)
    try:
        reading = arguments.reading_of(options, progress, limit_set.of_controls)
        motions = read_takes(path, **reading)
        found = [violations(limit_set, motion, *how) for motion in motions]
        names = [f"{path} ({motion.name})" for motion in motions] if len(motions) > 1 else [path]
        return [CheckedClip.judge(*pair, gate) for pair in zip(names, found)], motions
    except (InputError, EstimationError) as error:
        if options.out or options.format != "text":
            print_trouble(error_text(error))
        reason = error_text(error)
        if isinstance(error, InputError) and error.path == path:
            # Without the path, which the result already has.
            places = (("line", error.line), ("column", error.column))
            where = ", ".join(f"{word} {place}" for word, place in places if place is not None)
            message = reason[len(str(error)) - len(error.message) :]
            reason = f"{where}: {message}" if where else message
        return [CheckedClip(path, None, reason)], []
