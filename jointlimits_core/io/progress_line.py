"""Progress line on standard error, and progress over several files, weighted by their size."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from typing import TextIO

from ..base.progress import PARTS, Progress, TimeLeft, report_progress, report_stage, with_time_left
from ..base.text import printable, shorten, terminal_columns
from .input import FilePath, file_state


class FilesProgress:
    """Progress over files that are read one after another.

    `progress`: receives the progress over all files together. `paths`: in reading order. `doing`:
    verb shown with each file, such as "reading".
    """

    def __init__(
        self, progress: Progress | None, paths: Sequence[FilePath], doing: str = "reading"
    ) -> None:
        self._progress, self._doing, self._number = progress, doing, 0
        # An unreadable file counts too, and its reader reports the error.
        self._sizes = [max((file_state(path) or (0, 0, 0))[2], 1) for path in paths]

    def next(self, path: FilePath) -> Progress:
        """Start the next file; return the progress callable for its reader.

        Raises Cancelled if the progress callable returned False.
        """
        before, total = sum(self._sizes[: self._number]), max(sum(self._sizes), 1)
        size = self._sizes[self._number]
        self._number += 1
        label = f"{self._doing} {os.path.basename(os.fspath(path))}"
        if len(self._sizes) > 1:
            label += f" ({self._number} of {len(self._sizes)})"

        def part(done: int, of: int, _: str) -> bool:
            now = before + size * min(done, of) // max(of, 1)
            return self._progress is None or self._progress(PARTS * now // total, PARTS, label)

        report_progress(self._progress, PARTS * before // total, PARTS, label)
        return part


LINE_SECONDS = 0.2
"""Seconds between updates on a terminal."""
LOG_SECONDS = 5.0
"""Seconds between lines in a file."""
MAX_COUNT = 10_000
"""Largest total shown as a count; a larger total, such as bytes, is only shown as a percentage."""


class ProgressLine:
    """A line rewritten in place on a terminal, or periodic lines elsewhere.

    `stream`: standard error by default. `quiet_seconds`: delay before anything is shown. `style`:
    "auto" shows one line on a terminal, else nothing; "lines" shows a line every few seconds; "off"
    shows nothing. `left`: shared estimate of the time left. `stages`: whether to report the labels
    as stages of the run. A thread writes the line, so that it appears and the time left counts down
    even during a long step without reports.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        quiet_seconds: float = 1.0,
        style: str = "auto",
        left: TimeLeft | None = None,
        stages: bool = False,
    ) -> None:
        self._stream, self._stages = stream or sys.stderr, stages
        self._rewrites, self._quiet = style == "auto", quiet_seconds
        self._shown = style == "lines" or (style == "auto" and self._stream.isatty())
        self._latest: tuple[int, int, str] | None = None
        self._left = left or TimeLeft()
        self._length, self._end = 0, threading.Event()
        self._writer: threading.Thread | None = None

    def __call__(self, done: int, total: int, label: str) -> bool:
        """Show `label` with the progress. Never cancels: a command is stopped by Ctrl-C."""
        self._latest = (done, total, label)
        self._left.update(done, total)
        if self._stages:
            report_stage(label)
        if self._shown and self._writer is None:
            self._end.clear()
            self._writer = threading.Thread(target=self._write_on, daemon=True)
            self._writer.start()
        return True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop writing, and erase the line from a terminal."""
        writer, self._writer = self._writer, None
        self._end.set()
        if writer is not None:
            writer.join()
        if self._length:
            self._write("\r" + " " * self._length + "\r")
            self._length = 0

    def text(self) -> str:
        """Line for the latest report: percentage, label, count and time left."""
        if self._latest is None:
            return ""
        done, total, label = self._latest
        counted = f", {done} of {total}" if 1 < total <= MAX_COUNT else ""
        percent = f"{100 * done // total:3d} %  " if total > 1 else ""
        return with_time_left(f"{percent}{printable(label)}{counted}", self._left)

    def _write_on(self) -> None:
        wait, last = self._quiet, ""
        while not self._end.wait(wait):
            text = self.text()
            if self._rewrites:
                wait = LINE_SECONDS
                text = shorten(text, max(terminal_columns() - 1, 20))
                self._write("\r" + text.ljust(self._length))
                self._length = len(text)
            elif text != last:
                wait, last = LOG_SECONDS, text
                self._write(text + "\n")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone, but the work continues
            self._end.set()
