"""Progress of a batch as text: one line per character, for people and for farms.

Farms that run Open Job Description parse extra lines on standard output: ``openjd_progress`` in
percent, ``openjd_status``, and ``openjd_fail`` with the reason why an action failed ("How Jobs
Are Run" in its specification).
"""

from __future__ import annotations

import sys
from typing import TextIO

from ..base import TimeLeft, printable, reported_words
from ..io import ProgressLine, report_message
from .run import Outcome


def say(text: str, stream: TextIO) -> None:
    """Print lines, escaping control characters and those the stream cannot show."""
    report_message(text, warning=stream is sys.stderr)
    ascii_only = "utf" not in (getattr(stream, "encoding", None) or "").lower()
    for line in text.splitlines():
        print(printable(line, ascii_only), file=stream, flush=True)


def say_failure(text: str) -> None:
    """Report the reason of a failed task to a farm."""
    say(f"openjd_fail: {' '.join(text.split())}", sys.stdout)


class ProgressLines:
    """Progress lines; call with every outcome.

    `total`: number of characters. `protocol`: "lines", or "openjd" to add its lines. `style`: style
    of the line about the characters in progress, see :class:`.progress_line.ProgressLine`.
    """

    def __init__(self, total: int, protocol: str = "lines", style: str = "off") -> None:
        self._total, self._openjd = total, protocol == "openjd"
        self._done, self.failed = 0, 0
        self._left = TimeLeft()
        self._left.tell(0, total)
        self._line = ProgressLine(style=style, left=self._left)
        self._at_work: dict[str, str] = {}

    def __call__(self, outcome: Outcome, kept: bool = False) -> None:
        """Report a character; `kept` marks a result from an earlier run."""
        self._line.close()
        self._at_work.pop(outcome.name, None)
        self._done += 1
        if kept:
            self._left.begin(self._done)
        self._left.tell(self._done, self._total)
        self.failed += not outcome.ok
        result = _result_words(outcome)
        line, left = " ".join(f"{outcome.name}: {result}".split()), self._left.words()
        say(f"[{self._done}/{self._total}] {line}{f' ({left})' if left else ''}", sys.stdout)
        if self._openjd:
            say(f"openjd_progress: {100.0 * self._done / self._total:.1f}", sys.stdout)
            say(f"openjd_status: {line}", sys.stdout)

    def hear(self, name: str, done: int, total: int, label: str) -> None:
        """Report the progress of one character."""
        self._at_work[name] = f"{name}: {label} {100 * done // max(total, 1)} %"
        self._line(self._done, self._total, "; ".join(self._at_work.values()))

    def close(self) -> None:
        """Remove the temporary line from the terminal."""
        self._line.close()

    def end(self, trouble: str) -> int:
        """Report any final problem and return the exit code."""
        if trouble and self._openjd:
            say_failure(trouble)
        return 1 if trouble else 0


def _result_words(outcome: Outcome) -> str:
    """Result of a character: "ok, 2 findings: frame-count, spike"."""
    if not outcome.ok:
        return f"failed: {outcome.message}"
    return ", ".join(part for part in ("ok", reported_words(outcome.findings)) if part)
