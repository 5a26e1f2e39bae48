"""``jointlimits skeleton``: skeleton, motion and limits from tracks of loose bodies."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..base.errors import EstimationError
from ..base.options import options_of
from ..base.progress import Progress
from ..base.text import file_name
from ..estimation.options import EstimateOptions
from ..estimation.pipeline import estimate, reject_still_estimate
from ..formats import read_bodies, registry
from ..formats.maya_ascii.motion_scene import as_in_maya
from ..limits.limit_set import LimitSet
from ..motion.motion import Motion
from ..report.html.skeleton_page import write_skeleton_report
from ..report.terminal.skeleton import SKELETON_COLUMNS, skeleton_rows, skeleton_text
from ..skeleton_fit import build, document, result
from ..skeleton_fit.doubts import joint_warning_findings, reject_no_motion
from ..skeleton_fit.fit import fit_pooled
from . import arguments, output
from .estimate import (
    add_inputs,
    common_name,
    estimate_options,
    limits_path,
    print_written,
    write_limits,
    write_page,
)

ESTIMATE = ("rest", "pad_deg", "strictness", "exclude")
"""Options for ``--estimate``; `jointlimits estimate` on the written motion has further options."""


class Figure(NamedTuple):
    """One figure with its motion in all clips.

    `name`: name of its limits and their files. `ending`: part of file names that tells figures
    apart; empty for a single figure. `clips` are in centimetres, with joint names that Maya
    accepts, so that limits match the scenes.
    """

    name: str
    ending: str
    clips: tuple[Motion, ...]


def figures_of(fits: Sequence[result.BodyFit], name: str) -> list[Figure]:
    """Figures of a skeleton called `name` in all clips, the largest first.

    Raises EstimationError if no two bodies are joined.
    """
    found, doubts = build.pooled_motions(fits), joint_warning_findings(fits)
    figures = []
    for number, clips in enumerate(found, 1):
        ending = f".figure-{number}" if len(found) > 1 else ""
        own = tuple(doubt for doubt in doubts if doubt.joint in (None, *clips[0].joint_names))
        # Doubts are attached to the first clip only, so that each is reported once.
        noted = (replace(clips[0], findings=(*clips[0].findings, *own)), *clips[1:])
        figures.append(Figure(name + ending, ending, tuple(map(as_in_maya, noted))))
    return figures


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.description = (
        "Find the joints between bodies, with their positions and axes, and write the skeleton "
        "and its motion. The inputs, all of one performer, are pooled; bodies with the same name "
        "must be attached at the same place in all inputs."
    )
    kinds = ".c3d or .csv file, or a .bvh, .amc or .ma file, whose joints become bodies"
    add_inputs(sub, kinds, "frame rate of AMC files (default 120) and of CSV files that state none")
    arguments.add_declared(sub, "character")
    sub.add_argument("--out", default=".", metavar="DIR", help="folder for the outputs")
    sub.add_argument("--report", action="store_true", help="also write HTML pages")
    arguments.add_table_format(sub, "the skeleton's joints")
    sub.add_argument("--estimate", action="store_true", help="also estimate the skeleton's limits")
    for title, names in (
        ("how files are read", [item.name for item in options_of("tracks")]),
        ("how joints are found", [item.name for item in options_of("bodies")]),
        ("how limits are estimated, with --estimate", ESTIMATE),
    ):
        arguments.add_declared(sub.add_argument_group(title), *names)


def run(options: argparse.Namespace) -> int:
    """Read, fit, estimate if requested, print and write."""
    values = {**vars(options), "body_parents": ()}
    arguments.check_frame_rate(options.frame_rate)
    with output.invalid_usage():
        result.body_options_of(values)
        read_bodies.marker_grouping(options.marker_groups, options.budget)
    asked = estimate_options(options)
    with output.progress_of(options) as progress:
        fits = _fit(options, progress)
        name = options.character or common_name([fit.tracks.name for fit in fits])
        figures = figures_of(fits, name)
        own, motions = _output_files(name, figures, options)
        limits, failed = _estimate(figures, asked if options.estimate else None, progress)
        document.write_body_fit(fits, own[0])
        noted = []
        for path, clip in motions.items():
            progress(0, 1, f"writing {path.name}")
            found = registry.write_motion(clip, path)
            noted += [f"{path.name}: {finding.message}" for finding in found]
        written = [own[0], *motions]
        if options.report:
            write_skeleton_report(fits, own[1], progress)
            written.append(own[1])
        for limit_set, figure in limits:
            outputs = write_limits(limit_set, options, progress)
            write_page(limit_set, figure.clips, outputs, options, progress)
            written += outputs
    output.print_table(
        skeleton_text(fits, output.terminal_width()), SKELETON_COLUMNS, skeleton_rows(fits)
    )
    for limit_set, _ in limits:
        output.print_text("")
        output.print_limits(limit_set)
    print_written(written)
    for text in (*noted, *failed):
        output.print_trouble(text)
    return 1 if failed else 0


def _output_files(
    name: str, figures: Sequence[Figure], options: argparse.Namespace
) -> tuple[list[Path], dict[Path, Motion]]:
    """Paths of the skeleton and its page, and the motions by path; all paths are checked."""
    folder, endings = Path(options.out), ("json", "html")
    own = [folder / f"{file_name(name)}.skeleton.{ending}" for ending in endings]
    motions = [
        (folder / f"{file_name(clip.name)}{figure.ending}.skeleton.{ending}", clip)
        for figure in figures
        for clip in figure.clips
        for ending in registry.written_formats()
    ]
    limits = [limits_path(folder, one.name, end) for one in figures for end in endings]
    outputs = [*own, *limits, *(path for path, _ in motions)]
    arguments.check_outputs([*options.inputs, options.skeleton], outputs)
    return own, dict(motions)


def _fit(options: argparse.Namespace, progress: Progress) -> tuple[result.BodyFit, ...]:
    """Fit one skeleton to all inputs; raises UsageError for an impossible root or parent."""
    clips = read_bodies.read_clips(
        options.inputs,
        vars(options),
        frame_rate=options.frame_rate,
        skeleton=options.skeleton,
        progress=progress,
        limits=options.budget,
    )
    with output.invalid_usage():
        chosen = result.body_options_of(vars(options), result.body_names(clips))
    is_asked = chosen.root is not None or chosen.parents
    with output.invalid_usage() if is_asked else contextlib.nullcontext():
        fits = fit_pooled(clips, chosen, progress)
    reject_no_motion(fits)
    return fits


def _estimate(
    figures: Sequence[Figure], asked: EstimateOptions | None, progress: Progress
) -> tuple[list[tuple[LimitSet, Figure]], list[str]]:
    """Limit sets of the figures, and messages for figures without limits."""
    found, failed = [], []
    for figure in figures if asked else ():
        try:
            limit_set = estimate(figure.clips, asked, progress)
            reject_still_estimate(limit_set)
        except EstimationError as error:
            failed.append(f"{figure.name}: no limits: {error}")
            continue
        found.append((replace(limit_set, character=figure.name), figure))
    return found, failed
