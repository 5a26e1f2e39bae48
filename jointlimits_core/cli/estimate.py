"""``jointlimits estimate``: limits from motion files, as a limit set, table, page and scene copy.

Other commands that estimate or apply limits use the steps in this module.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ..base.errors import InputError, reader_words
from ..base.options import CommandParser, flag_naming, option, options_of
from ..base.progress import Progress
from ..base.text import file_name, plural, printable
from ..estimation.options import EstimateOptions
from ..estimation.pipeline import estimate_pooled, reject_still_estimate, summarize
from ..estimation.summary import SUMMARY_ENDING, CharacterSummary
from ..formats.registry import motion_file, read_takes
from ..io.json import json_text
from ..io.progress_line import FilesProgress, ProgressLine
from ..limits import layers, review_entries
from ..limits.limit_set import LimitSet, read_limit_set, write_limit_set
from ..motion.motion import Motion
from ..motion.screening.rules import Screenings
from . import arguments, limit_inputs, output

if TYPE_CHECKING:
    from ..formats.maya_ascii.writer import WriteReport

BASIC = (
    *("skeleton", "out", "character", "controls", "joints", "pad_deg", "strictness"),
    *("symmetry", "prior", "people", "report", "apply", "keep_edits", "save_summary"),
)
"""Options listed in the first part of the help."""


def add_arguments(sub: CommandParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Estimate joint types and limits. The inputs, all of one character, are pooled."
    )
    sub.basic = BASIC
    add_estimate_inputs(sub, motion_file(SUMMARY_ENDING))
    sub.add_argument(
        "--save-summary",
        metavar="FILE.summary.npz",
        help="also save a summary of these clips, to add more clips later without rereading these",
    )
    arguments.add_declared(sub, "keep_edits")
    sub.add_argument("--out", default=".", metavar="DIR", help="folder for the outputs")
    sub.add_argument("--report", action="store_true", help="also write an HTML page")
    sub.add_argument(
        "--apply", action="store_true", help="also write a copy of the Maya scene with the limits"
    )
    add_writing_options(sub)
    arguments.add_table_format(sub)


def run(options: argparse.Namespace) -> int:
    """Read, estimate, print the table and write the outputs."""
    asked, kept = estimate_options(options), options.keep_edits
    scenes = _scenes_to_copy(options, asked)
    arguments.check_outputs([*options.inputs, options.skeleton, kept], [options.save_summary])
    before = read_limit_set(kept, options.budget) if kept else None
    with output.progress_of(options) as progress:
        found = estimate_inputs(options, asked, progress, scenes)
        if found is None:
            return 1
        if before is not None and before.edits:
            from ..importers.declared import carried_edits

            with output.invalid_usage(f"the edits in {kept} do not match these limits: "):
                edits = carried_edits(before, found.limit_set)
                found = found._replace(limit_set=layers.with_edits(found.limit_set, edits))
        written = write_limits(found.limit_set, options, progress)
        if options.save_summary and found.summary is not None:
            from ..estimation.summary_file import write_summary

            progress(0, 1, f"writing {Path(options.save_summary).name}")
            write_summary(found.summary, options.save_summary)
            written.append(Path(options.save_summary))
    reports: list[WriteReport] = []
    try:
        for scene in scenes.values():
            out = str(limits_path(options.out, Path(scene).stem, "ma"))
            reports.append(write_copy(found.limit_set, scene, out, options))
    finally:
        # An estimate is printed even if its limits cannot be written.
        _print_estimate(found, reports, written, options)
    for report in reports:
        print_report(report)
    return 0


def _scenes_to_copy(
    options: argparse.Namespace, asked: EstimateOptions
) -> dict[str, str | os.PathLike[str]]:
    """Scenes to copy with the limits, by path; a single scene is read only once."""
    if not options.apply:
        return {}
    if asked.mode == "paper":
        raise output.UsageError(f"{limit_inputs.PAPER_MODE}; {TO_APPLY}")
    paths = [path for path in options.inputs if path.lower().endswith(".ma")]
    if not paths:
        raise output.UsageError(
            "--apply needs a Maya ASCII scene (.ma) among the inputs; name one, or omit --apply"
        )
    if len(set(paths)) > 1:  # reread later, so that memory holds only one scene
        return {path: path for path in paths}
    from ..formats.maya_ascii.scene_file import SceneFile

    return {paths[0]: SceneFile(paths[0], options.budget)}


def _print_estimate(
    found: Estimated,
    reports: Sequence[WriteReport],
    written: Sequence[Path],
    options: argparse.Namespace,
) -> None:
    """Write the page and print the limits, both starting with entries about the copies."""
    first: list[review_entries.ReviewEntry] = []
    for report in reports:
        from ..rig.clamping import entries_of

        found_in = report.left_off, report.moved, report.still_clamped
        first += entries_of(*found_in, Path(report.out_path).name)
    with output.progress_of(options) as progress:
        write_page(found.limit_set, found.motions, written, options, progress, first)
    output.print_limits(found.limit_set, first)
    print_written(written)


# Steps, shared with other commands


def add_estimate_inputs(sub: argparse.ArgumentParser, kinds: str) -> None:
    """Add the inputs, the flags that describe them, and the estimate options."""
    add_inputs(sub, kinds, "frame rate of AMC files, which store none (default 120)")
    arguments.add_reader_options(sub)
    names = (item.name for item in options_of("estimate"))
    arguments.add_declared(sub, "character", "controls", *names)


def add_inputs(sub: argparse.ArgumentParser, kinds: str, rate: str) -> None:
    """Add the inputs with the help text `kinds`, and ``--frame-rate`` with the text `rate`."""
    sub.add_argument("inputs", nargs="+", metavar="INPUT", help=kinds)
    arguments.add_skeleton(sub)
    sub.add_argument("--frame-rate", type=float, metavar="FPS", help=rate)


def estimate_options(options: argparse.Namespace) -> EstimateOptions:
    """Return the estimate options; raise UsageError for an invalid value."""
    given, names = vars(options), [item.name for item in options_of("estimate")]
    with output.invalid_usage():
        return EstimateOptions(**{name: given[name] for name in names if name in given})


def character_name(summary: CharacterSummary) -> str:
    """Name of the character in the clips.

    The skeleton's name, unless it only repeats a clip's name, as in BVH files; in that case the
    common start of the clip names, or else the first clip's name.
    """
    clips = [clip.clip.name for clip in summary.clips]
    name = summary.skeleton.name
    if name and (len(clips) == 1 or name not in clips):
        return name
    return common_name(clips)


def common_name(clips: Sequence[str]) -> str:
    """Common start of the clip names; the first name if they share none."""
    if len(clips) == 1:
        return clips[0]
    common = os.path.commonprefix(clips).rstrip("_-. 0")  # noqa: RUF071 - names, not paths
    return common or clips[0]


class Estimated(NamedTuple):
    """Limits and their sources; the character is named by the options or after the clips.

    `summary` pools all clips, including summaries among the inputs.
    """

    limit_set: LimitSet
    motions: Sequence[Motion]
    summary: CharacterSummary | None = None


class _UnreadError(Exception):
    """An input could not be read; the message has been printed."""


def estimate_inputs(
    options: argparse.Namespace,
    asked: EstimateOptions,
    progress: ProgressLine,
    scenes: Mapping[str, str | os.PathLike[str]] = MappingProxyType({}),
    screenings: Screenings | None = None,
) -> Estimated | None:
    """Read the inputs and estimate; print a message and return None if an input cannot be read.

    `scenes`: the scenes to copy, by path. `screenings`: receives the screened clips, for shapes;
    then, and for a page or an estimate that needs every frame, all clips are kept, else one
    at a time. Raises EstimationError for motions of several characters, or if nothing moves.
    """
    inputs = _read_inputs(options, progress, scenes)
    motions: list[Motion] = []
    known: Iterable[CharacterSummary]
    try:
        if asked.needs_clips or options.report or screenings is not None:
            every = list(inputs)
            motions = [one for one in every if isinstance(one, Motion)]
            known = [one for one in every if isinstance(one, CharacterSummary)]
        else:
            names = [Path(path).stem for path in options.inputs]
            known = (
                summarize([one], asked, names=names) if isinstance(one, Motion) else one
                for one in inputs
            )
        limit_set, summary = estimate_pooled(motions, asked, progress, known, screenings)
    except _UnreadError:
        return None
    reject_still_estimate(limit_set)
    shown = character_name(summary) if summary.clips else limit_set.character
    name = options.character or shown
    if vars(options).get("save_summary") and not summary.clips:
        raise output.UsageError("--save-summary saves motion, and nothing moves here; leave it out")
    return Estimated(replace(limit_set, character=name), motions, summary)


def _read_inputs(
    options: argparse.Namespace,
    progress: ProgressLine,
    scenes: Mapping[str, str | os.PathLike[str]],
) -> Iterator[Motion | CharacterSummary]:
    """Read the clips and summaries of the inputs, one by one; _UnreadError at the end if any fails.

    Results from only some of the inputs would look complete.
    """
    given = vars(options)
    filters = given.get("apply") and given.get("filter_keys")

    def read(path: str, part: Progress) -> Sequence[Motion | CharacterSummary]:
        if path.lower().endswith(SUMMARY_ENDING):
            from ..estimation.summary_file import read_summary

            return [read_summary(path, options.budget)]
        if filters and path.lower().endswith(".ma"):
            from ..formats.maya_ascii.reader import read_with_filtered_keys

            how = options.budget, options.replace, options.controls
            return [read_with_filtered_keys(scenes[path], *how)]
        reading = arguments.reading_of(options, part, options.controls)
        return read_takes(scenes.get(path, path), **reading)

    files, failed = FilesProgress(progress, options.inputs), False
    for path in options.inputs:
        part = files.next(path)
        try:
            yield from read(path, part)
        except InputError as error:
            output.print_trouble(output.error_text(error))
            failed = True
    if failed:
        raise _UnreadError


def limits_path(folder: str | os.PathLike[str], name: str, ending: str) -> Path:
    """Path of an output file; ``.limits`` keeps it distinct from every input.

    `name`: of the character or scene; characters invalid in file names are replaced. `ending`:
    without a dot, such as "json".
    """
    return Path(folder) / f"{file_name(name)}.limits.{ending}"


def write_limits(
    limit_set: LimitSet, options: argparse.Namespace, progress: Progress
) -> list[Path]:
    """Write a limit set; return its path and, with ``--report``, that of its page.

    Raises UsageError, with nothing written, if an input or an artist's edits would be overwritten.
    """
    endings = ("json", "html") if options.report else ("json",)
    outputs = [limits_path(options.out, limit_set.character, ending) for ending in endings]
    arguments.check_outputs([*options.inputs, options.skeleton], outputs)
    _check_edits(limit_set, outputs[0])
    progress(0, 1, f"writing {outputs[0].name}")
    write_limit_set(limit_set, outputs[0])
    return outputs


def _check_edits(limit_set: LimitSet, path: Path) -> None:
    """Raise UsageError if a limit set would replace a file whose artist's edits it lacks."""
    before = None
    with contextlib.suppress(InputError, ValueError):  # missing or unreadable: no edits to lose
        # Checking a whole set takes as long as estimating it, and few sets have edits.
        data = json.loads(json_text(path, InputError, ""))
        before = read_limit_set(path) if isinstance(data, dict) and data.get("edits") else None
    if before is None:
        return
    from ..importers.declared import carried_edits

    try:
        wanted = carried_edits(before, limit_set)
    except ValueError:
        wanted = before.edits
    kept = {(edit.key, repr(edit.value)) for edit in limit_set.edits}
    lost = [edit for edit in wanted if (edit.key, repr(edit.value)) not in kept]
    if lost:
        raise output.UsageError(
            f"{printable(str(path))} holds {plural(len(lost), 'artist edit')} that would be lost: "
            f"pass this file to {option('keep_edits').flag}, choose another folder, or remove it"
        )


def write_page(
    limit_set: LimitSet,
    motions: Sequence[Motion],
    outputs: Sequence[Path],
    options: argparse.Namespace,
    progress: Progress,
    first: Sequence[review_entries.ReviewEntry] = (),
) -> None:
    """Write the page of a limit set if ``--report`` is given; `outputs`: see :func:`write_limits`.

    `first`: entries to put at the start of the review list.
    """
    if options.report:
        from ..report.html.limits_page import write_report

        write_report(limit_set, motions, outputs[1], progress, first)


def print_written(paths: Iterable[Path]) -> None:
    """Print the paths of the files written."""
    for path in paths:
        output.print_text(f"wrote {path}")


# Scenes

WRITING = ("replace", "lock_unmoved", "enable_driven", "may_move", "filter_keys")
TO_APPLY = "estimate in standard mode to apply them"


def add_writing_options(sub: argparse.ArgumentParser) -> None:
    """Add the options that ``apply`` and ``estimate --apply`` share."""
    arguments.add_declared(sub, *WRITING)


def write_copy(
    limit_set: LimitSet, scene: str | os.PathLike[str], out: str, options: argparse.Namespace
) -> WriteReport:
    """Write the copy; raise MayaAsciiError if no joint at all can be written."""
    from ..formats.maya_ascii.writer import apply_limit_set

    wanted = {name: getattr(options, name) for name in WRITING}
    wanted["limits"] = options.budget
    with output.progress_of(options) as progress:
        progress(0, 1, f"writing {os.path.basename(out)}")
        return apply_limit_set(limit_set, scene, out, **wanted)


def print_report(report: WriteReport) -> None:
    """Print the attributes that were written into a copy or left off."""
    from ..rig.clamping import clamping_words
    from ..rig.joint_drivers import separates

    attributes = sum(len(names) for names in report.written.values())
    line = f"wrote {report.out_path}: {plural(attributes, 'attribute')}"
    line += f" of {plural(len(report.written), report.noun)}"
    groups = {
        "left_off": ("left off", report.left_off),
        "moved": ("poses change on", report.moved),
        "still_clamped": ("clamped by limits of the scene", report.still_clamped),
    }
    for name, (words, channels) in groups.items():
        line += f"; {words}: {clamping_words(channels, report.noun)}" if channels else ""
        output.collect_data(name, *({"file": report.out_path, **asdict(one)} for one in channels))
    output.print_text(line)
    if report.unchanged:
        output.print_text(f"already up to date: {plural(len(report.unchanged), report.noun)}")
    for one in report.left_off:
        remedy = reader_words(one.remedy(), flag_naming())
        output.print_text(
            f"left off: {one.joint}.{one.channel}: would change {one.words()}; {remedy}"
        )
    for joint, driver in report.following.items():
        output.print_text(
            f"written but not turned on: {joint}: follows {driver.words()}; "
            f"{separates(report.noun)}; use --enable-driven to turn it on"
        )
    for one in report.moved:
        output.print_text(f"poses change: {one.joint}.{one.channel}: {one.words()}")
    skipped = {item.joint for item in report.skipped}
    for joint, why in report.boxed.items():
        output.print_text(f"{joint}: {why}")
    for one in report.still_clamped:
        output.print_text(one.kept_line() + (", or use --replace" if one.joint in skipped else ""))
    if report.filtered is not None:
        output.collect_data("filtered", {"scene": report.out_path, **report.filtered.as_data()})
        output.print_text(report.filtered.sentence())
        for line in report.filtered.lines():
            output.print_text(f"filtered: {line}")
        for line in report.filtered.refusals():
            output.print_text(line)
    for item in report.skipped:
        plug = f"{item.joint}.{item.attribute}" if item.attribute else item.joint
        output.print_text(f"not written: {plug}: {item.reason}; {item.advice}")
