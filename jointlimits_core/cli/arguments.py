"""Arguments and inputs shared by commands; most arguments are built from the option table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any

from ..base.options import add_flags, option
from ..base.progress import Progress
from .output import UsageError


def add_declared(sub: argparse._ActionsContainer, *names: str) -> None:
    """Add options by their names in the option table."""
    add_flags(sub, map(option, names))


def add_skeleton(sub: argparse.ArgumentParser) -> None:
    """Add ``--skeleton``, for AMC files."""
    words = "skeleton of AMC files; by default the one beside them"
    sub.add_argument("--skeleton", metavar="S.asf", help=words)


def add_table_format(sub: argparse.ArgumentParser, table: str = "the limits") -> None:
    """Add ``--format`` to a command that prints a table, by default of limits."""
    words = f"{option('format').help}, or {table} as CSV"
    sub.add_argument("--format", choices=("text", "json", "csv"), default="text", help=words)
    sub.set_defaults(collected=True)


def add_result_format(sub: argparse.ArgumentParser, *formats: str) -> None:
    """Add ``--format`` to a command with its own result formats; the first is the default."""
    sub.add_argument("--format", choices=formats, default=formats[0], help="result format")


def add_reader_options(sub: argparse.ArgumentParser) -> None:
    """Add the readers' own options."""
    from ..formats.registry import reader_options

    for name, words in reader_options().items():
        sub.add_argument(f"--{name.replace('_', '-')}", metavar="NAME", help=words)


def check_frame_rate(rate: float | None) -> None:
    """Raise UsageError for a rate that is not in frames per second, such as seconds per frame."""
    if rate is not None and not 1.0 <= rate < float("inf"):
        per_second = (
            f"; {rate:g} seconds per frame are {1.0 / rate:.6g}" if 0.0 < rate < 1.0 else ""
        )
        words = f"must be frames per second, at least 1 and finite, not {rate:g}"
        raise UsageError(f"--frame-rate {words}{per_second}")


def reading_of(
    options: argparse.Namespace, progress: Progress, controls: bool = False
) -> dict[str, Any]:
    """Keyword arguments for the readers in :mod:`..formats.registry`.

    `controls`: whether to read the controls of Maya scenes.
    """
    from ..formats.registry import endings_with, reader_options

    given = vars(options)
    paths = given.get("inputs") or given.get("motions") or ()
    for name in ("skeleton", "frame_rate", *reader_options()):
        endings = endings_with(name)
        if given.get(name) and paths and not any(str(p).lower().endswith(endings) for p in paths):
            flag, kind = f"--{name.replace('_', '-')}", " or ".join(endings)
            raise UsageError(f"{flag} is for {kind} files, and none of the inputs is one")
    check_frame_rate(given.get("frame_rate"))
    names = ("skeleton", "frame_rate", *reader_options())
    known = {name: given.get(name) for name in names}
    if given.get("controls") and not any(str(path).lower().endswith(".ma") for path in paths):
        raise UsageError("--controls is for Maya scenes, and none of the inputs is a .ma file")
    return {**known, "controls": controls, "limits": options.budget, "progress": progress}


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
