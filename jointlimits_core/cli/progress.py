"""Progress of long work on standard error: nothing for the first second, then one line."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class ProgressLine:
    """A line that is rewritten on a terminal, and written now and then into a log.

    Parameters
    ----------
    stream : text stream, optional
        Standard error by default.
    quiet_seconds : float
        Work that takes less shows nothing.
    """

    def __init__(self, stream: TextIO | None = None, quiet_seconds: float = 1.0) -> None:
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._next = time.monotonic() + quiet_seconds
        self._pause = 0.1 if self._terminal else 2.0
        self._length = 0

    def __call__(self, done: int, total: int, label: str) -> bool:
        """Show `label` with how much is done. Always goes on: Ctrl-C is what stops a command."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._pause
            self._write(f"{100 * done // max(total, 1):3d} %  {label}")
        return True

    def _write(self, text: str) -> None:
        if self._terminal:
            self._stream.write("\r" + text.ljust(self._length))
            self._length = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Remove the line from a terminal."""
        if self._length:
            self._stream.write("\r" + " " * self._length + "\r")
            self._stream.flush()
