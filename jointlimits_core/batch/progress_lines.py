"""What a batch says while it works: a line a character, for people and for farms.

Farms that run Open Job Description read lines of their own from standard output:
``openjd_progress`` in percent, ``openjd_status``, and ``openjd_fail`` with why an action failed
("How Jobs Are Run" of its specification).
"""

from __future__ import annotations

import sys
import time
from typing import TextIO

from ..wording import plural, printable
from .run import Outcome

QUIET_SECONDS = 10.0
"""Before that nobody needs to know when it ends, nor can it be foreseen."""


def say(text: str, stream: TextIO) -> None:
    """Print lines; what a terminal would obey or cannot show is escaped."""
    ascii_only = "utf" not in (getattr(stream, "encoding", None) or "").lower()
    for line in text.splitlines():
        print(printable(line, ascii_only), file=stream, flush=True)


class ProgressLines:
    """Called with every outcome.

    Parameters
    ----------
    total : int
        How many there will be.
    protocol : str
        "lines", or "openjd" for its lines, too.
    """

    def __init__(self, total: int, protocol: str = "lines") -> None:
        self._total, self._openjd = total, protocol == "openjd"
        self._done, self.failed = 0, 0
        self._began, self._kept = time.monotonic(), 0

    def __call__(self, outcome: Outcome, kept: bool = False) -> None:
        """Tell of a character; `kept` is one that was done before."""
        self._done += 1
        self._kept += kept
        self.failed += not outcome.ok
        said = "ok" if outcome.ok else f"failed: {outcome.message}"
        line = " ".join(f"{outcome.name}: {said}".split())
        say(f"[{self._done}/{self._total}] {line}{self._left()}", sys.stdout)
        if self._openjd:
            say(f"openjd_progress: {100.0 * self._done / self._total:.1f}", sys.stdout)
            say(f"openjd_status: {line}", sys.stdout)

    def _left(self) -> str:
        """How long the rest will take at the pace so far."""
        passed, estimated = time.monotonic() - self._began, self._done - self._kept
        left = self._total - self._done
        if passed < QUIET_SECONDS or not estimated or not left:
            return ""
        seconds = passed / estimated * left
        if seconds < 90.0:
            return f" (about {seconds:.0f} s left)"
        minutes = round(seconds / 60.0)
        words = plural(minutes, "minute") if minutes < 90 else f"{minutes / 60:.1f} h"
        return f" (about {words} left)"

    def end(self, trouble: str) -> int:
        """Say what is wrong in the end, if anything is, and give the exit code."""
        if trouble and self._openjd:
            say(f"openjd_fail: {' '.join(trouble.split())}", sys.stdout)
        return 1 if trouble else 0
