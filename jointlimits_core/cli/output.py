"""Output for people: results to standard output, problems and progress to standard error."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator

from ..base import EstimationError, InputError, Progress, flag_naming, printable, worded
from ..io import ProgressLine, report_message, write_text_atomically


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


def print_or_write(text: str, path: str | None) -> None:
    """Print a result, or write it to the file that the arguments name."""
    if path:
        write_text_atomically(path, text)
    else:
        print_text(text.rstrip("\n"))


@contextlib.contextmanager
def invalid_usage(place: str = "") -> Iterator[None]:
    """Raise a ValueError of the block as a UsageError; one about a file or a motion stays."""
    try:
        yield
    except (InputError, EstimationError):
        raise
    except ValueError as error:
        raise UsageError(place + error_text(error)) from None


def error_text(error: Exception) -> str:
    """Message of an error, with options named by their flags."""
    return worded(error, flag_naming())
