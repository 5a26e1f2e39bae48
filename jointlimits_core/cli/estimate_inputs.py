"""Inputs and options shared by the commands that estimate, and the character's name."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ..errors import InputError
from ..estimation.options import EstimateOptions
from ..estimation.summary import CharacterSummary
from ..estimation.summary_file import ENDING, read_summary
from ..flag_words import with_flags
from ..formats.files_progress import FilesProgress
from ..formats.read import read_motion
from ..formats.read_limits import read_limits_of
from ..motion import Motion
from ..option_table import options_of
from ..progress_line import ProgressLine
from ..reading_flags import add_reading
from .declared import add_declared
from .output import print_trouble
from .usage import UsageError


def add_estimate_inputs(sub: argparse.ArgumentParser, kinds: str) -> None:
    """Add the inputs, the flags that describe them, and the estimate options."""
    add_inputs(sub, kinds, "frame rate of AMC files, which store none (default 120)")
    add_declared(sub, "character")
    add_estimate_options(sub)


def add_inputs(sub: argparse.ArgumentParser, kinds: str, rate: str) -> None:
    """Add the inputs and the flags that describe them.

    Parameters
    ----------
    sub : ArgumentParser
    kinds : str
        Help text of the inputs.
    rate : str
        Help text of ``--frame-rate``.
    """
    sub.add_argument("inputs", nargs="+", metavar="INPUT", help=kinds)
    sub.add_argument("--skeleton", metavar="S.asf", help="skeleton of AMC files")
    sub.add_argument("--frame-rate", type=float, metavar="FPS", help=rate)
    add_reading(sub)


def add_estimate_options(sub: argparse._ActionsContainer) -> None:
    """Add the options of the estimate."""
    add_declared(sub, *(item.name for item in options_of("estimate")))


def estimate_options(options: argparse.Namespace) -> EstimateOptions:
    """Return the estimate options; raise UsageError for an invalid value."""
    try:
        return EstimateOptions(
            **{item.name: getattr(options, item.name) for item in options_of("estimate")}
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


def read_inputs(
    options: argparse.Namespace, progress: ProgressLine
) -> tuple[list[Motion], list[CharacterSummary]] | None:
    """Read every input; report each one that cannot be read and return None if any failed.

    Limits from only some of the inputs would look like limits from all of them.
    """
    motions, known, failed = [], [], False
    limits = read_limits_of(vars(options))
    files = FilesProgress(progress, options.inputs)
    for path in options.inputs:
        part = files.next(path)
        try:
            if path.lower().endswith(ENDING):
                known.append(read_summary(path, limits))
            else:
                motions.append(
                    read_motion(
                        path,
                        skeleton=options.skeleton,
                        frame_rate=options.frame_rate,
                        limits=limits,
                        progress=part,
                    )
                )
        except InputError as error:
            print_trouble(with_flags(str(error)))
            failed = True
    return None if failed else (motions, known)


def character_name(summary: CharacterSummary) -> str:
    """Name of the character in the clips.

    The skeleton's name, unless it only repeats a clip's name, as in BVH files; then the common
    start of the clip names, else the first clip's name.
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
