"""Limit sets of several files in common joint orientations.

Command-line options built from the option table.

Options and checks shared by the commands that compare motions with limits.

Name and purpose of a limit set made from others.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..base import Option, Progress, option
from ..importers import alike, read_limits
from ..io import FilesProgress, ReadLimits, add_reading, read_limits_of
from ..limits import LimitSet, read_limit_set
from .output import UsageError


def add_declared(sub: argparse._ActionsContainer, *names: str) -> None:
    """Add options by their names in the option table; each name is also the option's `dest`."""
    for name in names:
        _add(sub, option(name))


def _add(sub: argparse._ActionsContainer, item: Option) -> None:
    if item.type == "switch":
        on, off = (item.help, "store_true"), (f"do not {item.help}", "store_false")
        words, action = off if item.default else on
        sub.add_argument(item.flag, dest=item.name, action=action, help=words)
        return
    numbers: dict[str, Callable[[str], Any]] = {"number": float, "integer": int}
    shown: dict[str, Any] = {"choices": item.choices} if item.choices else {"metavar": item.metavar}
    sub.add_argument(
        item.flag,
        dest=item.name,
        type=numbers.get(item.type, item.from_text),
        default=item.default,
        help=item.help,
        **shown,
    )


def add_motion_inputs(sub: argparse.ArgumentParser) -> None:
    """Add the limits, the motions, their skeleton and the tolerance."""
    sub.add_argument("limits", metavar="LIMITS.json")
    sub.add_argument("motions", nargs="+", metavar="MOTION", help=".ma, .bvh or .amc file")
    sub.add_argument("--skeleton", metavar="S.asf", help="skeleton of AMC files")
    add_declared(sub, "tolerance_deg")
    add_reading(sub)


def read_rotate_limits(options: argparse.Namespace) -> LimitSet:
    """Read the limits.

    Raises
    ------
    UsageError
        If the tolerance is invalid, or the limits are not of rotate channels.
    LimitSetError
        If they cannot be read.
    """
    if not (math.isfinite(options.tolerance_deg) and options.tolerance_deg >= 0.0):
        raise UsageError(
            f"--tolerance must be finite and at least 0, not {options.tolerance_deg:g}"
        )
    limit_set = read_limit_set(options.limits, read_limits_of(vars(options)))
    if limit_set.mode == "paper":
        raise UsageError(
            f"{options.limits}: paper-mode limits are ZYZ angles, not rotate channels; estimate "
            "in standard mode to compare motions with the limits"
        )
    return limit_set


def refuse_overwriting(
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


def add_naming(sub: argparse.ArgumentParser, otherwise: str) -> None:
    """Add ``--character`` and ``--purpose``.

    Parameters
    ----------
    sub : ArgumentParser
    otherwise : str
        Help text of ``--character``, with its default.
    """
    sub.add_argument("--character", metavar="NAME", help=otherwise)
    sub.add_argument("--purpose", metavar="WORD", help="such as locomotion, stunt or anatomical")


def named(limit_set: LimitSet, options: argparse.Namespace) -> LimitSet:
    """Return the limit set with the requested name and purpose, if any."""
    asked: dict[str, Any] = {"character": options.character, "purpose": options.purpose}
    return replace(limit_set, **{key: value for key, value in asked.items() if value is not None})


def read_alike(paths: Sequence[str], limits: ReadLimits, progress: Progress) -> list[LimitSet]:
    """Read limit sets, or other files that declare limits, with progress.

    Raises
    ------
    InputError
    """
    files, sets = FilesProgress(progress, paths), []
    for path in paths:
        files.next(path)
        sets.append(read_limits(path, limits))
    return list(alike(sets))
