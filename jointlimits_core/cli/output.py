"""Output for people: results to standard output, problems and progress to standard error."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..base import errors, progress
from ..base.options import flag_naming
from ..base.text import printable, terminal_columns
from ..io.process import print_line

if TYPE_CHECKING:
    from ..io.progress_line import ProgressLine
    from ..limits.limit_set import LimitSet
    from ..limits.review_entries import ReviewEntry


class UsageError(Exception):
    """Invalid combination of arguments; the message says what to do."""


@dataclass
class RunDocument:
    """Output of a command, collected for one JSON object (see ``run.schema.json``)."""

    messages: list[str] = field(default_factory=list)
    limits: list[LimitSet] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    data: dict[str, list[object]] = field(default_factory=dict)

    def text(self, command: str, code: int, written: Sequence[str]) -> str:
        """JSON text of the command, exit code, files written, messages and limit sets."""
        head = {"format": "jointlimits.run", "version": 1, "command": command, "exit_code": code}
        found = {
            **head,
            "written": list(written),
            "messages": self.messages,
            "limits": [limit_set.to_dict() for limit_set in self.limits],
            **self.data,
        }
        return json.dumps(found, indent=1, ensure_ascii=True, allow_nan=False)

    def table(self) -> str:
        """The command's own tables as CSV, or the limits if it has no tables."""
        if self.tables:
            return "".join(self.tables)
        from ..exporters.csv import export
        from ..exporters.formats import ExportOptions

        return "".join(str(export(one, None, ExportOptions()).content) for one in self.limits)


_collecting: ContextVar[RunDocument | None] = ContextVar("collecting", default=None)


@contextlib.contextmanager
def collect_output() -> Iterator[RunDocument]:
    """Collect the text printed in the block."""
    document = RunDocument()
    token = _collecting.set(document)
    try:
        yield document
    finally:
        _collecting.reset(token)


def print_limits(limit_set: LimitSet, first: Sequence[ReviewEntry] = ()) -> None:
    """Print the table of a limit set; `first`: entries to put at the start of the review list."""
    document = _collecting.get()
    if document is None:
        # Without a table, numpy is not needed.
        from ..report.terminal.limits import table

        print_text(table(limit_set, terminal_width(), first=first))
    else:
        document.limits.append(limit_set)


def collect_data(name: str, *data: object) -> None:
    """Add data to a list of the JSON object, if one is collected."""
    document = _collecting.get()
    if document is not None:
        document.data.setdefault(name, []).extend(data)


def print_table(text: str, columns: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a text that contains a table; CSV output gets the table's columns and rows."""
    document = _collecting.get()
    if document is not None:
        from ..io.csv import csv_text

        document.tables.append(csv_text(columns, rows))
    print_text(text)


def print_as(
    form: str, data: object, columns: Sequence[str], rows: Iterable[object], text: str
) -> None:
    """Print a result as JSON, as CSV with a row of these attributes for each object, or as text."""
    if form == "json":
        text = json.dumps(data, indent=1, allow_nan=False)
    elif form == "csv":
        from ..io.csv import csv_text

        text = csv_text(columns, ([getattr(one, name) for name in columns] for one in rows))
    print_text(text.rstrip("\n"))


def terminal_width() -> int | None:
    """Columns of the terminal; None if standard output is not a terminal."""
    return terminal_columns() if sys.stdout.isatty() else None


def print_text(text: str) -> None:
    """Print `text`, escaping characters that the terminal cannot show."""
    document = _collecting.get()
    progress.report_message(text)
    if document is not None:
        document.messages += [line for line in text.split("\n") if line]
        return
    encoding = sys.stdout.encoding or "ascii"
    print_line(text.encode(encoding, "backslashreplace").decode(encoding), sys.stdout)


def print_trouble(text: str) -> None:
    """Print a problem to standard error, with control characters in names escaped."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    progress.report_message(lines, warning=True)
    document = _collecting.get()
    if document is not None:
        document.messages.append(lines)
    print_line(f"jointlimits: {lines}", sys.stderr)


def progress_of(options: argparse.Namespace) -> ProgressLine:
    """Return the progress display that the arguments ask for, for a ``with`` block."""
    from ..io.progress_line import ProgressLine

    return ProgressLine(style=getattr(options, "progress", "auto"), stages=True)


@contextlib.contextmanager
def invalid_usage(place: str = "") -> Iterator[None]:
    """Turn a ValueError in the block into a UsageError, unless it is about a file or a motion."""
    try:
        yield
    except ValueError as error:
        if isinstance(error, (errors.InputError, errors.EstimationError)):
            raise
        raise UsageError(place + error_text(error)) from None


def error_text(error: Exception) -> str:
    """Error message, with options named by their flags."""
    return errors.reader_words(error, flag_naming())
