"""Output for people: results to standard output, problems and progress to standard error."""

from __future__ import annotations

import argparse
import sys

from ..base import Progress, flag_naming, printable, worded
from ..io import ProgressLine, report_message


class UsageError(Exception):
    """Invalid combination of arguments; the message says what to do."""


def print_text(text: str) -> None:
    """Print `text`, escaping characters that the terminal cannot show."""
    encoding = sys.stdout.encoding or "ascii"
    report_message(text)
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def print_trouble(text: str) -> None:
    """Print a problem to standard error, with control characters in names made harmless."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    report_message(lines, warning=True)
    print(f"jointlimits: {lines}", file=sys.stderr)


def progress_of(options: argparse.Namespace) -> ProgressLine:
    """Return the progress display that the arguments ask for, for a ``with`` block."""
    return ProgressLine(style=getattr(options, "progress", "auto"), stages=True)


def labelled(progress: Progress, label: str) -> Progress:
    """Return progress whose label is always `label`."""

    def part(done: int, total: int, _: str) -> bool:
        return progress(done, total, label)

    return part


def error_text(error: Exception) -> str:
    """Message of an error, with options named by their flags."""
    return worded(error, flag_naming())
