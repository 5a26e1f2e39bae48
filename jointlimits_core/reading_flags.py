"""Command-line flags of the input size limits."""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import Any

from .formats.read_limits import DEFAULT_LIMITS, ReadLimits
from .option_table import Option, options_of

TITLE = "input size limits"
WORDS = "Larger files are rejected. Values are counts, or sizes such as 500M or 4G."


def add_reading(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the input size limits as an argument group.

    Parameters
    ----------
    parser : ArgumentParser
    *names : str
        Options that apply to the command; all by default.
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
    """Arguments that pass the non-default limits on to another process."""
    given = []
    for item in options_of("reading"):
        value = getattr(limits, item.name)
        if value != getattr(DEFAULT_LIMITS, item.name):
            given += [item.flag, str(value)]
    return given


def flag_value(item: Option, text: str) -> Any:
    """Parse the value of a flag, with errors for argparse."""
    if item.name == "references_below" and not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"must be an existing folder, not {text!r}")
    try:
        return item.checked(item.from_text(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be {item.accepts()}, not {text!r}") from None
