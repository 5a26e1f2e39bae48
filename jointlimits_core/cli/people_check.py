"""``jointlimits check --people``: poses compared with other people instead of limits."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict

from ..base.errors import EstimationError, InputError
from ..base.options import option
from ..base.text import in_columns, names_words, plural
from ..evaluation.gate import OPTIONS
from ..formats.registry import read_takes
from ..io.output import write_text_atomically
from ..io.progress_line import FilesProgress
from ..people.human_check import HumanCheck, check_people
from ..people.people_file import SHIPPED_WORD, people_named
from . import arguments
from .output import UsageError, error_text, print_text, print_trouble, progress_of

ENDING, FORMATS = ".npz", ("text", "json")
LIMITS_ONLY = (*OPTIONS, "baseline", "branch", "shapes")
"""Options of ``check`` that apply only to a comparison with limits."""


def run(options: argparse.Namespace) -> int:
    """Check every motion and print the result; return 0 if people reach all poses."""
    if options.format not in FORMATS:
        raise UsageError(f"--people writes {' or '.join(FORMATS)}, not {options.format}")
    _reject_options_for_limits(options)
    named = options.limits == SHIPPED_WORD or options.limits.lower().endswith(ENDING)
    options.motions = [*([] if named else [options.limits]), *options.motions]
    arguments.check_outputs([options.limits, *options.motions], [options.out])
    people = people_named(options.limits if named else SHIPPED_WORD, options.budget)
    results: list[HumanCheck] = []
    failed = False
    with progress_of(options) as progress:
        files = FilesProgress(progress, options.motions, "checking")
        for path in options.motions:
            try:
                takes = read_takes(path, **arguments.reading_of(options, files.next(path)))
                results += [check_people(take, people, clips=takes) for take in takes]
            except (InputError, EstimationError) as error:
                shown = error_text(error)
                print_trouble(shown if shown.startswith(path) else f"{path}: {shown}")
                failed = True
    text = _json(results) if options.format == "json" else _text(results)
    if options.out:
        write_text_atomically(options.out, text)
    elif results:
        print_text(text.rstrip("\n"))
    return 1 if failed or not all(one.passed for one in results) else 0


def _reject_options_for_limits(options: argparse.Namespace) -> None:
    """Raise UsageError for an option that would have no effect."""
    declared = [option(name) for name in LIMITS_ONLY]
    given = [one.flag for one in declared if getattr(options, one.name) != one.default]
    more = {"--write-baseline": options.write_baseline, "--report": options.report}
    given += [flag for flag, value in more.items() if value is not None]
    if given:
        words = names_words(given, noun="option")
        raise UsageError(f"--people compares with people, not with limits; leave out {words}")


def _json(results: Sequence[HumanCheck]) -> str:
    document = [{"passed": one.passed, **asdict(one)} for one in results]
    return json.dumps({"format": "jointlimits.people-check", "clips": document}, indent=1) + "\n"


def _text(results: Sequence[HumanCheck]) -> str:
    """One block for each clip, with one line for each joint outside, worst first."""
    lines = []
    for result in results:
        size = plural(result.frames, "frame")
        verdict = "inside" if result.passed else f"outside in {result.outside} of"
        compared = f"{result.people} people, tolerance {result.tolerance_deg:g} degrees"
        lines.append(f"{result.clip}: {verdict} {size} ({compared})")
        rows = [("joint", "part", "frames", "worst", "at frame", "people go as far")]
        for one in sorted(result.joints, key=lambda one: -one.worst_deg):
            if one.frames:
                part = f"{one.side} {one.part}".strip()
                numbers = str(one.frames), f"{one.worst_deg:.1f}", f"{one.worst_frame:.10g}"
                rows.append((names_words(one.joints), part, *numbers, str(one.people)))
        lines += in_columns(rows, right=(2, 3, 4, 5), indent="  ") if len(rows) > 1 else []
        if result.not_compared:
            lines.append(f"  not compared: {names_words(list(result.not_compared))}")
    return "".join(f"{line}\n" for line in lines)
