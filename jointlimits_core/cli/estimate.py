"""``jointlimits estimate``: from motion files to a limit set, a table, a page and a scene copy."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import InputError
from ..estimation.options import EstimateOptions
from ..estimation.pipeline import estimate_pooled
from ..estimation.stillness import refuse_stillness
from ..estimation.summary import CharacterSummary
from ..estimation.summary_file import ENDING, read_summary, write_summary
from ..file_names import file_name
from ..formats.read import read_motion
from ..limits.edits import ArtistEdit
from ..limits.layers import edits_of, with_edits
from ..limits.limit_file import read_limit_set, write_limit_set
from ..limits.limit_set import LimitSet
from ..motion import Motion
from ..option_table import options_of
from ..report import require_matplotlib, write_report
from ..table import table
from .apply import PAPER_MODE, add_writing_options, write_copy
from .declared import add_declared
from .motion_inputs import refuse_overwriting
from .output import print_text
from .progress import ProgressLine
from .usage import UsageError

Subparsers = argparse._SubParsersAction  # the type has no public name


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    sub = commands.add_parser(
        "estimate",
        help="estimate joint types and limits from motion",
        description="Estimate joint types and limits. Several inputs of one character are pooled.",
    )
    sub.add_argument(
        "inputs", nargs="+", metavar="INPUT", help=".ma, .bvh, .amc or .summary.npz file"
    )
    sub.add_argument(
        "--save-summary",
        metavar="FILE.summary.npz",
        help="also keep what the clips say, to add clips later without reading these again",
    )
    sub.add_argument("--skeleton", metavar="S.asf", help="skeleton of AMC files")
    sub.add_argument(
        "--frame-rate", type=float, metavar="FPS", help="of AMC files, which do not say (120)"
    )
    add_declared(sub, "character")
    add_declared(sub, *(item.name for item in options_of("estimate")))
    add_declared(sub, "keep_edits", "purpose")
    sub.add_argument("--out", default=".", metavar="DIR", help="folder for the outputs")
    sub.add_argument("--report", action="store_true", help="also write an HTML page")
    sub.add_argument(
        "--apply", action="store_true", help="also write a copy of the Maya scene with the limits"
    )
    add_writing_options(sub)
    sub.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, estimate, print the table, write what was asked for."""
    asked = _checked(options)
    edits = edits_of(read_limit_set(options.keep_edits)) if options.keep_edits else ()
    progress = ProgressLine()
    try:
        inputs = _read_all(options, progress)
        if inputs is None:
            return 1
        motions, known = inputs
        limit_set, summary = estimate_pooled(motions, asked, progress, known)
        refuse_stillness(limit_set)
        name = options.character or character_name(summary)
        limit_set = replace(limit_set, character=name, purpose=options.purpose)
        if edits:
            limit_set = _edited(limit_set, edits, options.keep_edits)
        written = _write_outputs(limit_set, motions, options, progress)
        if options.save_summary:
            write_summary(summary, options.save_summary)
            written.append(Path(options.save_summary))
    finally:
        progress.close()
    print_text(table(limit_set))
    for path in written:
        print_text(f"wrote {path}")
    for scene in _scenes(options) if options.apply else ():
        write_copy(limit_set, scene, str(_output(options, Path(scene).stem, "ma")), options)
    return 0


def _edited(limit_set: LimitSet, edits: Sequence[ArtistEdit], path: str) -> LimitSet:
    try:
        return with_edits(limit_set, edits)
    except ValueError as error:
        raise UsageError(f"the edits of {path} do not fit: {error}") from None


def _checked(options: argparse.Namespace) -> EstimateOptions:
    """Options of the estimate, after everything that can be refused at once was looked at."""
    try:
        asked = EstimateOptions(
            **{item.name: getattr(options, item.name) for item in options_of("estimate")}
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.apply and asked.mode == "paper":
        raise UsageError(PAPER_MODE)
    if options.apply and not _scenes(options):
        raise UsageError("--apply needs a Maya ASCII scene (.ma) among the inputs")
    inputs = [*options.inputs, options.skeleton, options.keep_edits]
    refuse_overwriting(inputs, [options.save_summary])
    if options.report:
        require_matplotlib()
    return asked


def _scenes(options: argparse.Namespace) -> list[str]:
    return [path for path in options.inputs if path.lower().endswith(".ma")]


def _output(options: argparse.Namespace, name: str, ending: str) -> Path:
    """Path of an output; ``.limits`` keeps it apart from every input."""
    return Path(options.out) / f"{file_name(name)}.limits.{ending}"


def _read_all(
    options: argparse.Namespace, progress: ProgressLine
) -> tuple[list[Motion], list[CharacterSummary]] | None:
    """Read every input; tell about each that cannot be read and give None if any cannot.

    Limits from only a part of what was asked for would look like the real ones.
    """
    motions, known, failed = [], [], False
    for number, path in enumerate(options.inputs):
        progress(number, len(options.inputs), f"reading {os.path.basename(path)}")
        try:
            if path.lower().endswith(ENDING):
                known.append(read_summary(path))
            else:
                motions.append(
                    read_motion(path, skeleton=options.skeleton, frame_rate=options.frame_rate)
                )
        except InputError as error:
            print(f"jointlimits: {error}", file=sys.stderr)
            failed = True
    return None if failed else (motions, known)


def character_name(summary: CharacterSummary) -> str:
    """Name of the character that clips are of.

    The skeleton's own name unless that is only the name of a clip, as in BVH files; then what the
    clips' names have in common, else the first clip's name.
    """
    clips = [clip.clip.name for clip in summary.clips]
    name = summary.skeleton.name
    if name and (len(clips) == 1 or name not in clips):
        return name
    common = os.path.commonprefix(clips).rstrip("_-. 0")  # noqa: RUF071 - names, not paths
    return common or clips[0]


def _write_outputs(
    limit_set: LimitSet,
    motions: Sequence[Motion],
    options: argparse.Namespace,
    progress: ProgressLine,
) -> list[Path]:
    written = [_output(options, limit_set.character, "json")]
    write_limit_set(limit_set, written[0])
    if options.report:
        written.append(_output(options, limit_set.character, "html"))
        write_report(limit_set, motions, written[1], progress)
    return written
