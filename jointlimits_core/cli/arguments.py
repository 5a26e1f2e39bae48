"""Command-line arguments shared by commands, most of them built from the option table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any

from ..base import Option, option
from ..formats import motion_file
from ..io import add_reading
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
    sub.add_argument("motions", nargs="+", metavar="MOTION", help=motion_file())
    sub.add_argument("--skeleton", metavar="S.asf", help="skeleton of AMC files")
    add_declared(sub, "tolerance_deg")
    add_reading(sub)


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
