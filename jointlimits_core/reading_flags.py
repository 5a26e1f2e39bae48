"""Limits of reading on a command line: added as flags, read back, handed on to another process."""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import Any

from .formats.read_limits import DEFAULT_LIMITS, ReadLimits
from .option_table import Option, options_of

TITLE = "limits of reading"
WORDS = "What a file may have before it is refused: numbers, or sizes such as 500M or 4G."


def add_reading(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add limits of reading, in a group of their own.

    Parameters
    ----------
    parser : ArgumentParser
    *names : str
        Those that matter to the command; all if left out.
    """
    group = parser.add_argument_group(TITLE, WORDS)
    for item in options_of("reading"):
        if not names or item.name in names:
            group.add_argument(
                item.flag,
                dest=item.name,
                type=partial(flag_value, item),
                default=item.default,
                metavar=item.metavar,
                help=item.help,
            )


def reading_flags(limits: ReadLimits) -> list[str]:
    """Arguments that give another process the same limits: those that are not the defaults."""
    given = []
    for item in options_of("reading"):
        value = getattr(limits, item.name)
        if value != getattr(DEFAULT_LIMITS, item.name):
            given += [item.flag, str(value)]
    return given


def flag_value(item: Option, text: str) -> Any:
    """Value of an option from what stands behind its flag, as argparse wants it."""
    if item.name == "references_below" and not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"must be a folder that is there, not {text!r}")
    try:
        return item.checked(item.from_text(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be {item.accepts()}, not {text!r}") from None
