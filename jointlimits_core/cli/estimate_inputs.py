"""What the commands that estimate share: their inputs, their options, the character's name."""

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
    """Add the inputs, what is said of them, and the options of the estimate."""
    add_inputs(sub, kinds, "of AMC files, which do not say (120)")
    add_declared(sub, "character")
    add_estimate_options(sub)


def add_inputs(sub: argparse.ArgumentParser, kinds: str, rate: str) -> None:
    """Add the inputs and what is said of them.

    Parameters
    ----------
    sub : ArgumentParser
    kinds : str
        What the inputs are.
    rate : str
        What the frame rate is of.
    """
    sub.add_argument("inputs", nargs="+", metavar="INPUT", help=kinds)
    sub.add_argument("--skeleton", metavar="S.asf", help="skeleton of AMC files")
    sub.add_argument("--frame-rate", type=float, metavar="FPS", help=rate)
    add_reading(sub)


def add_estimate_options(sub: argparse._ActionsContainer) -> None:
    """Add the options of the estimate."""
    add_declared(sub, *(item.name for item in options_of("estimate")))


def estimate_options(options: argparse.Namespace) -> EstimateOptions:
    """Options of the estimate.

    Raises
    ------
    UsageError
        For a value that an option may not have.
    """
    try:
        return EstimateOptions(
            **{item.name: getattr(options, item.name) for item in options_of("estimate")}
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


def read_inputs(
    options: argparse.Namespace, progress: ProgressLine
) -> tuple[list[Motion], list[CharacterSummary]] | None:
    """Read every input; tell about each that cannot be read and give None if any cannot.

    Limits from only a part of what was asked for would look like the real ones.
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
    """Name of the character that clips are of.

    The skeleton's own name unless that is only the name of a clip, as in BVH files; then what the
    clips' names have in common, else the first clip's name.
    """
    clips = [clip.clip.name for clip in summary.clips]
    name = summary.skeleton.name
    if name and (len(clips) == 1 or name not in clips):
        return name
    return common_name(clips)


def common_name(clips: Sequence[str]) -> str:
    """What the names of clips have in common; else the first of them, as of one clip."""
    if len(clips) == 1:
        return clips[0]
    common = os.path.commonprefix(clips).rstrip("_-. 0")  # noqa: RUF071 - names, not paths
    return common or clips[0]
