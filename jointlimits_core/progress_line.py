"""Progress line on standard error, shown after the first second."""

from __future__ import annotations

import shutil
import sys
import threading
from types import TracebackType
from typing import TextIO

from .run_log import RunLog
from .time_left import TimeLeft, with_left
from .wording import printable, shortened

LINE_SECONDS = 0.2
"""Interval of updates on a terminal."""
LOG_SECONDS = 5.0
"""Interval of lines in a file."""
MOST_COUNTED = 10_000
"""Largest total shown as a count; larger ones, as of bytes, are shown as a percentage only."""


class ProgressLine:
    """A line rewritten in place on a terminal, or periodic lines elsewhere.

    Parameters
    ----------
    stream : text stream, optional
        Standard error by default.
    quiet_seconds : float
        Delay before anything is shown.
    style : str
        "auto": one line on a terminal, else nothing; "lines": a line every few seconds; "off":
        nothing.
    log : RunLog, optional
        Receives each new stage.
    left : TimeLeft, optional
        Shared estimate of the time left.

    Notes
    -----
    A thread writes, so the line appears and the time left counts down even while a long step
    reports nothing.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        quiet_seconds: float = 1.0,
        style: str = "auto",
        log: RunLog | None = None,
        left: TimeLeft | None = None,
    ) -> None:
        self._stream, self._log = stream or sys.stderr, log
        self._rewrites = style == "auto"
        self._shown = style == "lines" or (style == "auto" and self._stream.isatty())
        self._quiet = quiet_seconds
        self._told: tuple[int, int, str] | None = None
        self._left = left or TimeLeft()
        self._length, self._last = 0, ""
        self._end = threading.Event()
        self._writer: threading.Thread | None = None

    def __call__(self, done: int, total: int, label: str) -> bool:
        """Show `label` with the progress. Never cancels: a command is stopped by Ctrl-C."""
        self._told = (done, total, label)
        self._left.tell(done, total)
        if self._log is not None:
            self._log.stage(label)
        if self._shown and self._writer is None:
            self._end.clear()
            self._writer = threading.Thread(target=self._write_on, daemon=True)
            self._writer.start()
        return True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the line from a terminal."""
        writer, self._writer = self._writer, None
        self._end.set()
        if writer is not None:
            writer.join()
        if self._length:
            self._put("\r" + " " * self._length + "\r")
            self._length = 0

    def text(self) -> str:
        """Line for the latest report: percentage, label, count and time left."""
        if self._told is None:
            return ""
        done, total, label = self._told
        counted = f", {done} of {total}" if 1 < total <= MOST_COUNTED else ""
        percent = f"{100 * done // total:3d} %  " if total > 1 else ""
        return with_left(f"{percent}{printable(label)}{counted}", self._left)

    def _write_on(self) -> None:
        wait = self._quiet
        while not self._end.wait(wait):
            text = self.text()
            if self._rewrites:
                wait = LINE_SECONDS
                room = max(shutil.get_terminal_size().columns - 1, 20)
                text = shortened(text, room)
                self._put("\r" + text.ljust(self._length))
                self._length = len(text)
            elif text != self._last:
                wait = LOG_SECONDS
                self._put(text + "\n")
                self._last = text

    def _put(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone, but the work continues
            self._end.set()
