"""Arguments and inputs shared by commands; most arguments are built from the option table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.errors import InputError
from ..base.options import add_flags, option
from ..base.progress import Progress
from .output import UsageError, error_text, print_trouble

if TYPE_CHECKING:
    from ..motion.motion import Motion

Read = TypeVar("Read")


def add_declared(sub: argparse._ActionsContainer, *names: str) -> None:
    """Add options by their names in the option table."""
    add_flags(sub, map(option, names))


def add_skeleton(sub: argparse.ArgumentParser) -> None:
    """Add the skeleton of AMC files."""
    words = "skeleton of AMC files; by default the one beside them"
    sub.add_argument("--skeleton", metavar="S.asf", help=words)


def add_table_format(sub: argparse.ArgumentParser, table: str = "the limits") -> None:
    """Add ``--format`` of a command that prints a table, by default limits."""
    words = f"{option('format').help}, or {table} as CSV"
    sub.add_argument("--format", choices=("text", "json", "csv"), default="text", help=words)
    sub.set_defaults(collected=True)


def add_reader_options(sub: argparse.ArgumentParser) -> None:
    """Add the options that readers have of their own."""
    from ..formats.registry import reader_options

    for name, words in reader_options().items():
        sub.add_argument(f"--{name.replace('_', '-')}", metavar="NAME", help=words)


def add_motion_inputs(sub: argparse.ArgumentParser) -> None:
    """Add the limits, the motions, their skeleton and the tolerance."""
    from ..formats.registry import motion_file
    from ..io.input import add_reading

    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("motions", nargs="+", metavar="MOTION", help=motion_file())
    add_skeleton(sub)
    add_reader_options(sub)
    add_declared(sub, "tolerance_deg")
    add_reading(sub)


def read_clip(options: argparse.Namespace, path: str, progress: Progress) -> Motion:
    """Read a motion as the arguments say."""
    from ..formats.registry import read_motion

    return read_motion(path, options.skeleton, **_how(options, progress))


def read_clips_of(
    options: argparse.Namespace, path: str | os.PathLike[str], progress: Progress
) -> list[Motion]:
    """Read every clip of a file, as the arguments say."""
    from ..formats.registry import read_takes

    return read_takes(path, options.skeleton, **_how(options, progress))


def _how(options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Arguments of both kinds of reading."""
    from ..formats.registry import needs_skeleton, reader_options

    given = vars(options)
    paths = given.get("inputs") or given.get("motions") or ()
    if options.skeleton and paths and not any(needs_skeleton(Path(path)) for path in paths):
        raise UsageError("--skeleton is for AMC files, and none of the inputs is one")
    names = ("frame_rate", *reader_options())
    return {
        **{name: given.get(name) for name in names},
        "limits": options.budget,
        "progress": progress,
    }


def read_every(
    paths: Sequence[str], read: Callable[[str, Progress], Sequence[Read]], progress: Progress
) -> list[Read] | None:
    """Read all of every file; report each that cannot be read and return None if any failed.

    Results from only some of the inputs would look like results from all of them.
    """
    from ..io.progress_line import FilesProgress

    found: list[Read] = []
    failed = False
    files = FilesProgress(progress, paths)
    for path in paths:
        part = files.next(path)
        try:
            found += read(path, part)
        except InputError as error:
            print_trouble(error_text(error))
            failed = True
    return None if failed else found


def check_outputs(
    inputs: Sequence[str | None], outputs: Sequence[str | os.PathLike[str] | None]
) -> None:
    """Raise UsageError if an output is one of the inputs, or two outputs are one file."""
    taken = {os.path.realpath(path): os.fspath(path) for path in inputs if path is not None}
    for output in outputs:
        if output is None:
            continue
        place = os.path.realpath(output)
        if place in taken:
            raise UsageError(f"{output} would overwrite {taken[place]}; choose another file")
        taken[place] = os.fspath(output)
