"""Progress and cancellation of long work, estimates of the time left, and events during a run.

Events are files read or written, messages shown, and stages begun. Listeners receive them, so that
a log, or the message after an interruption, need not know what each command does.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator

from .text import plural

Progress = Callable[[int, int, str], bool]
"""Called with (done, total, label); returning False raises :class:`Cancelled`."""


PARTS = 1_000_000
"""Total for progress reported as a share, since byte counts may exceed a progress bar's range."""


class Cancelled(Exception):  # noqa: N818 - requested, not an error
    """Work stopped by its progress callable; nothing was written."""


def report_progress(progress: Progress | None, done: int, total: int, label: str) -> None:
    """Report progress. Raises Cancelled if the callable returned False."""
    if progress is not None and progress(done, total, label) is False:
        raise Cancelled(f"stopped after {done} of {total}: {label}")


def share(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Progress callable for a part of the work, reported as a share of the whole.

    `progress`: progress of the whole, in :data:`PARTS`. `begin`, `end`: shares of the whole, from 0
    to 1, at which the part begins and ends.
    """
    if progress is None:
        return None
    whole = progress

    def part(done: int, total: int, label: str) -> bool:
        now = begin + (end - begin) * min(done / max(total, 1), 1.0)
        return whole(int(PARTS * now), PARTS, label)

    return part


QUIET_SECONDS = 5.0
"""Delay before the first estimate."""
MIN_TOTAL_SECONDS = 10.0
"""Minimum total time of work for which an estimate is shown."""


class TimeLeft:
    """Estimate of the time left, at the pace so far.

    `clock`: returns seconds. If work has parts with separate totals, such as reading and fitting,
    the estimate covers only the current part, since later parts cannot be estimated.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._total = clock, 0
        self.begin(0)

    def begin(self, done: int) -> None:
        """Start measuring, with `done` units already finished."""
        self._began = self._updated = self._clock()
        self._first = self._done = done

    def update(self, done: int, total: int) -> None:
        """Update the progress; a different total, or a smaller `done`, means new work."""
        if total != self._total or done < self._done:
            self._total = total
            self.begin(done)
        elif done > self._done:
            self._done, self._updated = done, self._clock()

    def seconds(self) -> float | None:
        """Seconds until the end; None if unknown or not worth showing."""
        now = self._clock()
        finished, left = self._done - self._first, self._total - self._done
        if now - self._began < QUIET_SECONDS or finished <= 0 or left <= 0:
            return None
        each = (self._updated - self._began) / finished
        seconds = each * left - (now - self._updated)
        is_long = now - self._began + seconds > MIN_TOTAL_SECONDS
        return seconds if is_long and seconds > 0.0 else None

    def words(self) -> str:
        """Time left as "about 40 s left"; empty if unknown."""
        seconds = self.seconds()
        return "" if seconds is None else f"about {duration(seconds)} left"


def with_time_left(label: str, left: TimeLeft) -> str:
    """Label with the time left: "reading walk.bvh, about 40 s left"."""
    words = left.words()
    return f"{label}, {words}" if words else label


def duration(seconds: float) -> str:
    """Rounded duration: "40 s", "3 minutes", "2.5 h"."""
    if seconds < 90.0:
        return f"{max(seconds, 1.0):.0f} s"
    minutes = round(seconds / 60.0)
    return plural(minutes, "minute") if minutes < 90 else f"{minutes / 60:.1f} h"


Listener = Callable[[str, str, str], None]
"""Called with the kind of an event ("read", "wrote", "said", "warned" or "stage"), its path or
text, and, if a file was read, the file's SHA-256."""
_listeners: list[Listener] = []


@contextlib.contextmanager
def send_events(listener: Listener) -> Iterator[None]:
    """Send all events to `listener` while the block runs."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def was_read(path: str | os.PathLike[str], sha256: str) -> None:
    """Report that a file was read completely."""
    _report("read", os.fspath(path), sha256)


def was_written(path: str | os.PathLike[str]) -> None:
    """Report that a file was written completely."""
    _report("wrote", os.fspath(path))


def report_message(text: str, *, warning: bool = False) -> None:
    """Report a message that was shown to the user."""
    _report("warned" if warning else "said", text)


def report_stage(label: str) -> None:
    """Report that a stage of the work begins or continues."""
    _report("stage", label)


def _report(kind: str, text: str, sha256: str = "") -> None:
    for listener in tuple(_listeners):
        listener(kind, text, sha256)
